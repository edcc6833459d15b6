/* Rows of the catalogue: what was wrong with a call (E_…), and the way out (H_…). See messages.h.
 */
#ifndef BL_CLI_MESSAGES_ERRORS_H
#define BL_CLI_MESSAGES_ERRORS_H

/* clang-format off */
#define BL_MESSAGES_ERRORS(X) \
    X(E_TIME_OR_NONE, "expected a time over zero, or none, found '{1}'", "期望大于零的时间或 none，却是 '{1}'") \
    X(E_YES_OR_NO, "expected yes or no, found '{1}'", "期望 yes 或 no，却是 '{1}'") \
    X(E_KEY_VALUE, "expected KEY=VALUE, found '{1}'", "期望 KEY=VALUE，却是 '{1}'") \
    X(H_KEYS, "time=2h, priority=5, gpus=4, gpu-type=A100, nodes=2, class=batch, begin='tomorrow 09:00' and requeue=yes can be set", "可以设置 time=2h、priority=5、gpus=4、gpu-type=A100、nodes=2、class=batch、begin='tomorrow 09:00' 和 requeue=yes") \
    X(E_OUTPUT, "cannot write the output: {1}", "无法写出结果：{1}") \
    X(E_WORK, "--work: expected a number over zero, found '{1}'", "--work：期望大于零的数，却是 '{1}'") \
    X(E_PROFILE_ARRAY, "--array: every run of a profile is one job", "--array：剖析的每次运行都是单个作业") \
    X(E_PROFILE_NONE, "no run was measured", "没有测得任何一次运行") \
    X(H_PROFILE_NONE, "the command must end well, or report its progress until its limit", "命令须正常结束，或在时限前持续报告进度") \
    X(E_NO_GPUS, "no node has GPUs to profile on", "没有节点有 GPU 可供剖析") \
    X(H_USAGE_PROFILE, "baleen profile [flags] -- COMMAND…", "baleen profile [选项] -- 命令…") \
    X(E_NO_WORDS, "'baleen {1}' takes no words, found '{2}'", "'baleen {1}' 不接受参数，却有 '{2}'") \
    X(E_NO_LAST_JOB, "'@' is your last job, and you have none", "'@' 是你最近的作业，而你还没有作业") \
    X(H_QUEUE_ONE, "queue one with 'baleen run -- COMMAND'", "用 'baleen run -- 命令' 提交一个") \
    X(E_WHICH_PROCESS, "which process? expected the number of one", "哪个进程？需要一个进程号") \
    X(E_PID, "expected the number of a process, found '{1}'", "期望一个进程号，却是 '{1}'") \
    X(E_WHICH_JOB, "which job?", "哪个作业？") \
    X(H_USAGE_EXAMPLE, "usage: baleen {1}, as in '{2}'", "用法：baleen {1}，例如 '{2}'") \
    X(E_NO_VERB, "'{1}' is not a verb of baleen", "'{1}' 不是 baleen 的动词") \
    X(H_MEANT_VERB, "did you mean 'baleen {1}'?", "是否指 'baleen {1}'？") \
    X(H_VERBS, "'baleen help' lists them; to queue a command: baleen run -- COMMAND", "'baleen help' 列出所有动词；提交命令用 baleen run -- 命令") \
    X(E_SOCKET_PATH, "--socket needs a value: PATH", "--socket 需要一个值：PATH") \
    X(E_INTERRUPTED, "interrupted", "已中断") \
    X(E_ANSWER_TOO_LONG, "the daemon's answer is over {1} bytes", "守护进程的应答超过 {1} 字节") \
    X(E_ANSWER_STATUS, "the daemon answered with status {1}", "守护进程应答的状态是 {1}") \
    X(E_ANSWER_NO_OBJECT, "the daemon's answer is not an object", "守护进程的应答不是对象") \
    X(E_WHICH_SHELL, "for which shell? bash, zsh or fish", "为哪个 shell？bash、zsh 或 fish") \
    X(E_HAS_PASSED, "'{1}' has passed", "'{1}' 已经过去") \
    X(E_WHICH_NODE, "which node?", "哪个节点？") \
    X(H_USAGE_NODES, "usage: baleen {1}; 'baleen nodes' lists them", "用法：baleen {1}；'baleen nodes' 列出节点") \
    X(H_USAGE_LOG, "usage: baleen log [-f] ID; 'baleen q -a' lists the ids", "用法：baleen log [-f] ID；'baleen q -a' 列出编号") \
    X(E_FOLLOW_AND_JSON, "--follow and --json exclude each other", "--follow 与 --json 互相排斥") \
    X(E_CALENDAR_BY, "expected gpu, user or project, found '{1}'", "期望 gpu、user 或 project，却是 '{1}'") \
    X(E_CALENDAR_RANGE, "expected --to after --from, at most 366 days later", "--to 须在 --from 之后，至多 366 天") \
    X(E_ZONE, "this machine knows no time zone '{1}'", "本机没有时区 '{1}'") \
    X(H_ZONE, "zones are written like Europe/Berlin or Asia/Shanghai", "时区写成 Europe/Berlin 或 Asia/Shanghai 的形式") \
    X(E_PLAN_SPAN, "expected one minute to a year, found '{1}'", "期望一分钟到一年，却是 '{1}'") \
    X(E_NO_STATE, "there is no state '{1}'", "没有状态 '{1}'") \
    X(H_STATES, "states are held, waiting, queued, starting, running, stopping, completed, failed, cancelled, timeout, lost, or PD, R, CG, CD, F, CA, TO, NF", "状态有 held、waiting、queued、starting、running、stopping、completed、failed、cancelled、timeout、lost，或 PD、R、CG、CD、F、CA、TO、NF") \
    X(E_NO_COMMAND, "there is no command to run", "没有要运行的命令") \
    X(H_USAGE_RUN, "usage: baleen run [flags] -- COMMAND…, as in 'baleen run --gpus 1 -- python train.py'", "用法：baleen run [选项] -- 命令…，例如 'baleen run --gpus 1 -- python train.py'") \
    X(H_USAGE_MOVE, "usage: baleen move ID --before ID", "用法：baleen move ID --before ID") \
    X(H_USAGE_SHOW, "usage: baleen show ID; 'baleen q -a' lists the ids", "用法：baleen show ID；'baleen q -a' 列出编号") \
    X(E_NO_PROGRAM_BESIDE, "the program {1} is not beside this one", "程序 {1} 不在本程序旁边") \
    X(H_INSTALL_WHOLE, "build or install baleen as a whole", "请完整构建或安装 baleen") \
    X(E_YAML, "expected yaml, found '{1}'", "期望 yaml，却是 '{1}'") \
    X(E_FLAGS_AND_PIPELINE, "flags that change a job go with one job, and this is a pipeline", "更改作业的选项只用于单个作业，而这是流水线") \
    X(H_WRITE_INTO_FILE, "write them into the file", "请写入文件") \
    X(E_WHICH_FILE, "which file?", "哪个文件？") \
    X(H_USAGE_SUBMIT, "usage: baleen submit [flags] FILE [ARGUMENT…]; for a command: baleen run -- COMMAND", "用法：baleen submit [选项] 文件 [参数…]；提交命令用 baleen run -- 命令") \
    X(H_USAGE_WHY, "usage: baleen why ID; 'baleen q' lists the ids", "用法：baleen why ID；'baleen q' 列出编号") \
    X(E_SHELL, "expected bash, zsh or fish, found '{1}'", "期望 bash、zsh 或 fish，却是 '{1}'") \
    X(E_NO_FILE, "there is no file '{1}'", "没有文件 '{1}'") \
    X(E_SAME_NAMES, "{1}: two jobs of the pipeline are called '{2}': give each a name of its own", "{1}：流水线中有两个作业都叫 '{2}'：请各起一个名字") \
    X(E_NO_JOB_FILE, "{1}: expected a job file or a script, found {2}", "{1}：期望作业文件或脚本，却是 {2}") \
    X(H_SCRIPT_BEGINS, "a script begins with #! and the path of an interpreter", "脚本以 #! 和解释器的路径开头") \
    X(E_FLAG_AMBIGUOUS, "'--{1}' could mean several flags of 'baleen {2}'", "'--{1}' 可指 'baleen {2}' 的多个选项") \
    X(H_WRITE_OUT, "write it out; 'baleen {1} --help' lists them", "请写全；'baleen {1} --help' 列出选项") \
    X(E_NO_FLAG, "'baleen {1}' has no flag '--{2}'", "'baleen {1}' 没有选项 '--{2}'") \
    X(H_MEANT_FLAG, "did you mean --{1}?", "是否指 --{1}？") \
    X(H_FLAGS, "'baleen {1} --help' lists its flags", "'baleen {1} --help' 列出其选项") \
    X(E_FLAG_NO_VALUE, "--{1} takes no value", "--{1} 不接受值") \
    X(E_FLAG_VALUE, "--{1} needs a value: {2}", "--{1} 需要一个值：{2}") \
    X(E_MANY_JOBS, "more than {1} jobs in one command", "一条命令中的作业超过 {1} 个") \
    X(E_JOB_ID, "expected a job id, found '{1}'", "期望作业编号，却是 '{1}'") \
    X(H_IDS, "ids look like 7, 3-9, 3,5, @ (your last job) or 7_2 (an element of an array)", "编号形如 7、3-9、3,5、@（你最近的作业）或 7_2（数组的元素）") \
    X(E_ID_RANGE, "expected a range of at most {1} ids like 3-9, found '{2}'", "期望至多 {1} 个编号的范围，如 3-9，却是 '{2}'") \
    X(E_ONE_JOB_ID, "expected one job id, found '{1}'", "期望一个作业编号，却是 '{1}'") \
    X(E_TIME, "expected a time over zero, found '{1}'", "期望大于零的时间，却是 '{1}'") \
    X(E_CLASS, "expected interactive, batch or preemptible, found '{1}'", "期望 interactive、batch 或 preemptible，却是 '{1}'") \
    X(E_VALUE, "expected a value, found ''", "期望一个值，却是 ''") \
    X(E_NO_SUCH_FLAG, "no such flag", "没有这个选项") \
    X(E_SECONDS, "expected 0.1 to 3600 seconds, found '{1}'", "期望 0.1 到 3600 秒，却是 '{1}'") \
    X(E_OWNER, "{1} belongs to user {2}, not to you", "{1} 属于用户 {2}，不属于你") \
    X(H_SOCKET, "name the daemon's socket with --socket PATH or BALEEN_SOCKET", "用 --socket PATH 或 BALEEN_SOCKET 指明守护进程的套接字") \
    X(E_SOCKET_TOO_LONG, "the socket's path is over 107 bytes: {1}", "套接字的路径超过 107 字节：{1}") \
    X(E_NO_COLUMN, "there is no column '{1}'", "没有列 '{1}'") \
    X(H_COLUMNS, "columns are {1}", "列有 {1}") \
    X(E_MANY_COLUMNS, "more than {1} columns", "列超过 {1} 个") \
    X(E_MANY_AFTER, "more than {1} jobs to wait for", "要等待的作业超过 {1} 个") \
    X(E_NOT_UTF8, "{1} is not UTF-8: '{2}'", "{1} 不是 UTF-8：'{2}'") \
    X(E_NO_PROGRAM, "there is no program called '{1}'", "没有叫做 '{1}' 的程序") \
    X(H_QUOTES, "leave the quotes off, or give it to a shell: baleen run -- bash -c '…'", "去掉引号，或交给 shell：baleen run -- bash -c '…'") \
    X(E_EMPTY_COMMAND, "the command is an empty word", "命令是空词") \
    X(E_TIME_OF_DAY, "expected a time of day like 09:00, found '{1}'", "期望 09:00 这样的时刻，却是 '{1}'") \
    X(E_INSTANT, "expected a time, found '{1}'", "期望时刻，却是 '{1}'") \
    X(H_TIMES, "times look like 15:30, 'tomorrow 09:00', 'Tue 09:00', +2h or 2026-12-01T08:30", "时刻形如 15:30、'tomorrow 09:00'、'Tue 09:00'、+2h 或 2026-12-01T08:30") \
    X(E_ONE_JOB, "'baleen {1}' takes one job", "'baleen {1}' 只接受一个作业") \
    X(E_WHAT_SIZE, "how many GPUs?", "多少块 GPU？") \
    X(E_HOW_FAR, "how far is it?", "进度是多少？") \
    X(E_NOT_IN_A_JOB, "this is not a job of baleen: there is no BALEEN_PROGRESS in the environment", "这里不是 baleen 的作业：环境中没有 BALEEN_PROGRESS") \
    X(H_IN_A_JOB, "call it from the command of a job", "请在作业的命令中调用") \
    X(E_WHAT_TO_SET, "what is to be set?", "要设置什么？") \
    X(E_BEFORE_WHICH, "before which job?", "在哪个作业之前？") \
    X(E_NO_LETTER, "'baleen {1}' has no flag '-{2}'", "'baleen {1}' 没有选项 '-{2}'") \
    X(H_FLAGS_IN_FRONT, "'baleen {1} --help' lists its flags; flags of the command stand after it", "'baleen {1} --help' 列出其选项；命令自己的选项写在命令之后") \
    X(E_AFTER, "expected a job to wait for like 7, 7:ok, 7:any, 7:fail or @, found '{1}'", "期望要等待的作业，如 7、7:ok、7:any、7:fail 或 @，却是 '{1}'") \
    X(E_CLOCKS, "the clocks leave out {1}", "时钟跳过 {1}")
/* clang-format on */

#endif
