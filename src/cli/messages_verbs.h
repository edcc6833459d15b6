/* Rows of the catalogue: what the verbs say. See messages.h. */
#ifndef BL_CLI_MESSAGES_VERBS_H
#define BL_CLI_MESSAGES_VERBS_H

/* clang-format off */
#define BL_MESSAGES_VERBS(X) \
    X(PREFIX, "baleen: ", "baleen：") \
    X(HINT, "hint: ", "提示：") \
    X(NO_DAEMON, "no daemon answers at {1} ({2})", "{1} 处没有守护进程应答（{2}）") \
    X(NOBODY_LISTENS, "nobody listens there", "无人监听") \
    X(NO_DAEMON_HINT, "start one with 'baleen daemon', or name its socket with --socket PATH or BALEEN_SOCKET", "用 'baleen daemon' 启动一个，或用 --socket PATH 或 BALEEN_SOCKET 指明套接字") \
    X(DAEMON_WENT, "the daemon went away; waiting for it to come back", "守护进程已退出；等待它回来") \
    /* q */ \
    X(AFTER_JOB, "(after {1})", "（在 {1} 之后）") \
    X(ELEMENTS, "{1} element{1?s}: {2} wait, {3} run, {4} done", "{1} 个元素：等待 {2}，运行 {3}，完成 {4}") \
    X(ELEMENTS_FAILED, ", {1} failed", "，失败 {1}") \
    X(ELEMENTS_MOST, ", at most {1} at once", "，同时最多 {1}") \
    X(GPU_COUNTS, "{1} GPU{1?s}: {2} busy, {3} free", "{1} 块 GPU：忙 {2}，空闲 {3}") \
    X(GPUS_AWAY, ", {1} out of use", "，停用 {1}") \
    X(QUEUE_BY_LIMITS, "~ by limits alone: nothing is foreseen of these jobs yet", "~ 仅按时限估计：对这些作业尚无预测") \
    X(JOB_COUNTS, " · {1} running · {2} queued", " · 运行 {1} · 排队 {2}") \
    X(NO_SUCH_JOBS, "no such jobs", "没有这样的作业") \
    X(NO_JOBS_YET, "no jobs yet; queue one with 'baleen run -- COMMAND'", "还没有作业；用 'baleen run -- 命令' 提交一个") \
    X(QUEUE_EMPTY, "the queue is empty; queue a job with 'baleen run -- COMMAND', see ended ones with 'baleen q -a'", "队列为空；用 'baleen run -- 命令' 提交作业，用 'baleen q -a' 查看已结束的") \
    X(TRYING_AGAIN, "the daemon does not answer; trying again", "守护进程没有应答；正在重试") \
    X(LINES_MORE, "… and {1} line{1?s} more", "… 还有 {1} 行") \
    /* run */ \
    X(LIMIT_IS, "; limit {1}", "；时限 {1}") \
    X(STARTS_AND_ENDS, ". Starts about {1}, done about {2}", "。预计 {1} 开始，{2} 结束") \
    X(STARTS, ". Starts about {1}", "。预计 {1} 开始") \
    X(ETA_BY_LIMITS, " (by limits alone)", "（仅按时限估计）") \
    X(ETA_FIRST, " (a first look)", "（初步预测）") \
    X(ETA_BY_RUNS, " ({1} runs of the forecast)", "（{1} 次预测运行）") \
    X(DONE_BY, ", done by {1}", "，最迟 {1} 结束") \
    X(LOG_IS, "; log: {1}", "；日志：{1}") \
    X(ADOPTED, "job {1}: process {2} ({3}), without GPUs", "作业 {1}：进程 {2}（{3}），不占 GPU") \
    X(ADOPTED_ON, "job {1}: process {2} ({3}) on {4}", "作业 {1}：进程 {2}（{3}），位于 {4}") \
    X(ADOPTED_NAME, "{1} (adopted)", "{1}（接管）") \
    X(VARIABLES_LEFT_OUT, "{1} environment variable{1? is:s are} left out: not UTF-8", "略去 {1} 个环境变量：不是 UTF-8") \
    X(WAIT_BROKEN, "no longer waiting; job {1} goes on", "不再等待；作业 {1} 继续运行") \
    X(WAIT_BROKEN_HINT, "look at it with 'baleen show {1}' or 'baleen log -f {1}', end it with 'baleen cancel {1}'", "用 'baleen show {1}' 或 'baleen log -f {1}' 查看，用 'baleen cancel {1}' 结束") \
    X(TEST_ONLY, "--test-only: the script can be read; nothing was submitted", "--test-only：脚本可以读取；没有提交任何作业") \
    /* log */ \
    X(BOOKING_INSIDE, "job {2} run{1?s:} there already and go{1?es:} on as before; what is booked is for it until then", "作业 {2} 已在其上运行并照常继续；在此之前所预约的归其使用") \
    X(NO_LOG_YET, "{1} has no log yet: it is {2}", "{1} 还没有日志：{2}") \
    X(LOG_WAITS, "'baleen log -f {1}' waits for it", "'baleen log -f {1}' 会等待它") \
    X(NEVER_RAN, "{1} never ran: {2}", "{1} 从未运行：{2}") \
    X(NOT_STARTED, "{1} has not started: {2}; waiting", "{1} 尚未开始：{2}；等待中") \
    /* show */ \
    X(LABEL_STATE, "state", "状态") \
    X(LABEL_REASON, "reason", "原因") \
    X(LABEL_OWNER, "owner", "所有者") \
    X(LABEL_ASKS, "asks for", "请求") \
    X(LABEL_LIMIT, "limit", "时限") \
    X(LABEL_AFTER, "after", "依赖") \
    X(LABEL_ARRAY, "array", "数组") \
    X(LABEL_STARTS, "starts", "预计开始") \
    X(LABEL_ENDS, "ends", "预计结束") \
    X(LABEL_SUBMITTED, "submitted", "提交于") \
    X(LABEL_STARTED, "started", "开始于") \
    X(LABEL_ENDED, "ended", "结束于") \
    X(LABEL_ATTEMPT, "attempt", "第几次") \
    X(LABEL_EARLIER, "earlier", "此前各次") \
    X(LABEL_USE, "use", "使用") \
    X(USE_BUSY, "{1} % now, {2} % on average", "当前 {1} %，平均 {2} %") \
    X(USE_UNKNOWN, "not told by the driver", "驱动未提供") \
    X(USE_MEMORY, ", {1} of memory", "，显存 {1}") \
    X(USE_MEMORY_OF, ", {1} of {2}", "，显存 {1} / {2}") \
    X(LABEL_COMMAND, "command", "命令") \
    X(LABEL_CURVE, "speed", "速度") \
    X(CURVE_GIVEN, "as given with the job", "按作业给出的曲线") \
    X(CURVE_LEARNT, "learnt as {1} from {2} point{2?s}", "以 {1} 之名由 {2} 个测量点学得") \
    X(CURVE_FINISHED, "; {1} job{1?s} finished", "；已完成 {1} 个作业") \
    X(CURVE_GPUS, "GPUS", "GPU") \
    X(CURVE_TYPE, "TYPE", "型号") \
    X(CURVE_SPEED, "SPEED", "速度") \
    X(CURVE_GAIN, "PER GPU MORE", "每增一块") \
    X(CURVE_RATE, "UNITS/S", "单位/秒") \
    X(CURVE_RANGE, "IN 9 OF 10", "九成区间") \
    X(CURVE_NOTE, "KNOWN", "依据") \
    X(CURVE_MEASURED, "measured {1} time{1?s}", "已测 {1} 次") \
    X(CURVE_FORETOLD, "foretold", "推算") \
    X(CURVE_UNSURE, "a guess", "猜测") \
    X(CURVE_BEYOND, "not tried so far", "尚未试到") \
    X(LABEL_DIRECTORY, "directory", "目录") \
    X(LABEL_LOG, "log", "日志") \
    X(OWNER_PROJECT, ", project {1}", "，项目 {1}") \
    X(OWNER_CLASS, ", class {1}", "，类别 {1}") \
    X(GPUS_TEXT, "{1} GPU{2?s}", "{1} 块 GPU") \
    X(OF_TYPE, " of type {1}", "，型号 {1}") \
    X(OR_TYPE, " or {1}", " 或 {1}") \
    X(CPUS_AND_MEM, ", {1} CPU{2?s}, {3}", "，{1} 个 CPU，{3}") \
    X(ENDS_BY, ", ends by {1}", "，最迟结束于 {1}") \
    X(ATTEMPT_PROCESS, ", process {1}", "，进程 {1}") \
    X(ABOUT_WHEN, "about {1}", "约 {1}") \
    /* profile */ \
    X(PROFILE_TOOK, "{1} GPU{1?s}: {2} (job {3})", "{1} 块 GPU：{2}（作业 {3}）") \
    X(PROFILE_NOT_STARTED, "{1} GPU{1?s}: job {2} is held: {3}; 'baleen cancel {2}' takes it away", "{1} 块 GPU：作业 {2} 被挂起：{3}；'baleen cancel {2}' 可将其移除") \
    X(PROFILE_FAILED, "{1} GPU{1?s}: not measured, job {2} is {3}; 'baleen log {2}' tells more", "{1} 块 GPU：未测得，作业 {2} {3}；详见 'baleen log {2}'") \
    X(PROFILE_TIME, "TIME", "用时") \
    /* cancel */ \
    X(ANSWER, "job {1}: {2}", "作业 {1}：{2}") \
    X(NOTHING_TO_CANCEL, "nothing to cancel, it is {1}", "无可取消，它{1}") \
    /* hold, release, requeue, move, set, drain, resume */ \
    X(HELD_NOW, "held; 'baleen release {1}' lets it go on", "已挂起；'baleen release {1}' 恢复它") \
    X(RELEASED, "released, {1}", "已恢复，{1}") \
    X(REQUEUED_STOPPING, "stopping; it goes back into the queue when its processes have ended", "正在结束；其进程全部结束后回到队列") \
    X(REQUEUED, "back in the queue, {1}", "已回到队列，{1}") \
    X(MOVED, "job {1}: stands before job {2} now", "作业 {1}：现在排在作业 {2} 之前") \
    X(RESIZE_NOTED, "noted; {1}, GPUs {2}", "已记下；{1}，GPU {2}") \
    X(SET_DONE, "changed; {1}", "已更改；{1}") \
    X(NODE_DRAINED, "node {1}: drained; nothing starts there, and nothing runs there any more; 'baleen resume {1}' opens it again", "节点 {1}：已排空；不再启动作业，也已没有作业在运行；'baleen resume {1}' 重新开放") \
    X(NODE_DRAINS, "node {1}: draining; nothing starts there, {2} job{2?s} run{2?s:} on to their end; 'baleen resume {1}' opens it again", "节点 {1}：正在排空；不再启动作业，{2} 个作业将运行至结束；'baleen resume {1}' 重新开放") \
    X(NODE_DRAINS_AT, "node {1}: will drain at {2}; jobs that could run past that do not start there; 'baleen resume {1}' takes it back", "节点 {1}：将于 {2} 排空；可能跨过该时刻的作业不会在那里启动；'baleen resume {1}' 撤销") \
    X(NODE_RESUMED, "node {1}: open for jobs", "节点 {1}：已开放") \
    /* why */ \
    X(WHY_WAITS, "{1} {2}: {3} since {4} ({5}).", "{1} {2}：自 {4} 起{3}（{5}）。") \
    X(WHY_NEXT, " Next start: {1}{2}.", "预计开始：{1}{2}。") \
    X(WHY_NO_START, " Its start cannot be told yet.", "尚无法预计开始时间。") \
    X(WHY_NEEDS, "needs", "需要") \
    X(WHY_REASON, "because", "原因") \
    X(WHY_BLOCKED, "blocked by", "被占用") \
    X(WHY_AHEAD, "ahead", "前面") \
    X(WHY_NODES, "nodes", "节点") \
    X(WHY_LINE, "in line", "排队") \
    X(WHY_NEXT_STEP, "to do", "可做") \
    X(WHY_OTHER_JOB, "{1} ({2}), {3} GPU{3?s}", "{1}（{2}），{3} 块 GPU") \
    X(WHY_MORE, "and {1} more", "以及另外 {1} 个") \
    X(WHY_UNTIL, ", until about {1}", "，直到约 {1}") \
    X(WHY_NO_LIMIT, ", its end is not known", "，结束时间未知") \
    X(WHY_NODE, "{1}: {2} of {3} GPUs free", "{1}：{3} 块 GPU 中空闲 {2} 块") \
    X(NODE_IS_DRAINED, "drained", "已排空") \
    X(NODE_IS_DOWN, "down", "停机") \
    X(NODE_DRAIN_AT, ", will be drained at {1}", "，将于 {1} 排空") \
    X(WHY_DEPENDENCY, "{1}:{2}, which is {3}", "{1}:{2}，目前{3}") \
    X(WHY_PLACE, "place {1}", "第 {1} 位") \
    X(WHY_DO_RELEASE, "baleen release {1}", "baleen release {1}") \
    X(WHY_DO_WAIT, "nothing: it starts with its slot ('baleen res set r{2} from=…' moves that)", "无需操作：时段开始时即启动（'baleen res set r{2} from=…' 可调整时段）") \
    X(WHY_DO_LESS_BOOKED, "ask for fewer GPUs ('baleen set {1} gpus=…'), or wait until others of r{2} end", "减少 GPU（'baleen set {1} gpus=…'），或等待 r{2} 的其他作业结束") \
    X(WHY_DO_BOOK, "ask for less ('baleen set {1} gpus=…', 'time=…'), or book a slot that it fits into and submit it again", "减少请求（'baleen set {1} gpus=…'、'time=…'），或预约容得下它的时段后重新提交") \
    X(WHY_DO_LESS, "ask for less ('baleen set {1} gpus=…', 'time=…') or go ahead of your own jobs ('baleen move {1} --before ID')", "减少请求（'baleen set {1} gpus=…'、'time=…'）或排到自己其他作业之前（'baleen move {1} --before ID'）") \
    /* plan */ \
    X(FILL_RUNS, "running", "运行") \
    X(FILL_PLANNED, "planned (a forecast; GPUs of waiting jobs are a sketch)", "计划（预测；等待作业的 GPU 仅为示意）") \
    X(FILL_RAN, "ended", "已结束") \
    X(FILL_RESERVED, "reserved", "已预约") \
    X(FILL_UNSURE, "P50-P90", "P50-P90") \
    X(FILL_CLEARING, "clearing", "腾空中") \
    X(FILL_DOWN, "out of use", "停用") \
    X(PLAN_NOT_DRAWN, "not drawn, no line is free then: {1} job{1?s}: {2}", "未画出（当时没有空行）：{1} 个作业：{2}") \
    X(PLAN_LEFT_OUT, "{1} more bar{1?s} between these times; ask for a shorter one", "这段时间内还有 {1} 项未列出；请缩短时间范围") \
    X(GANTT_NOBODY, "nobody", "无") \
    X(PLAN_NOW, "now", "现在") \
    /* doctor */ \
    X(GRADE_OK, "ok", "正常") \
    X(GRADE_NOTE, "note", "注意") \
    X(GRADE_BAD, "MEND", "须修") \
    X(DOCTOR_WELL, "nothing must be mended", "没有必须修复的问题") \
    X(DOCTOR_ILL, "mend what is marked MEND, then run 'baleen doctor' again", "请修复标为“须修”的问题，再运行 'baleen doctor'") \
    X(DOCTOR_DAEMON, "answers at {1}, belongs to {2}, engine {3}, policy {4}", "在 {1} 应答，属于 {2}，引擎 {3}，策略 {4}") \
    X(DOCTOR_VERSION, "it is version {1}, this client is {2}: restart the daemon after an upgrade", "其版本为 {1}，本客户端为 {2}：升级后请重启守护进程") \
    X(DOCTOR_BOOKS, "the nodes have {1} CPUs and {2} in the books, this machine has {3} and {4}", "账面上节点有 {1} 个 CPU 和 {2}，本机有 {3} 个和 {4}") \
    X(DOCTOR_BOOKS_REMEDY, "fine for trying; else declare what is there: 8xA100:80GB,cpus=N,mem=SIZE", "试用无妨；否则请如实声明：8xA100:80GB,cpus=N,mem=SIZE") \
    X(DOCTOR_SUPERVISOR, "{1}", "{1}") \
    X(DOCTOR_NO_SUPERVISOR, "baleen-supervisor is not beside {1}", "{1} 旁没有 baleen-supervisor") \
    X(DOCTOR_NO_SUPERVISOR_REMEDY, "no job can start without it: build or install baleen as a whole", "没有它作业无法启动：请完整构建或安装 baleen") \
    X(DOCTOR_STATE, "{1}: {2} free", "{1}：空闲 {2}") \
    X(DOCTOR_STATE_REMEDY, "new jobs are refused when the disk is full: make room, or start the daemon with --state elsewhere", "磁盘满时会拒绝新作业：请腾出空间，或用 --state 换个位置启动守护进程") \
    X(DOCTOR_STATE_CLOSED, "{1} cannot be written: {2}", "{1} 不可写：{2}") \
    X(DOCTOR_STATE_CLOSED_REMEDY, "give this user the rights, or start the daemon with --state DIR", "请给予该用户权限，或用 --state DIR 启动守护进程") \
    X(DOCTOR_CGROUP, "{1}, memory {2}, cpu {3}", "{1}，memory {2}，cpu {3}") \
    X(DOCTOR_CGROUP_REMEDY, "what is – is counted and not held: hand the controllers down (systemd: Delegate=yes)", "标为 – 的只计数而不限制：请下放控制器（systemd：Delegate=yes）") \
    X(DOCTOR_NO_CGROUP, "not usable: {1}", "不可用：{1}") \
    X(DOCTOR_NO_CGROUP_REMEDY, "processes are found by descent, memory and CPUs are not limited: run the daemon as root or with Delegate=yes", "进程按父子关系查找，内存和 CPU 不受限制：请以 root 或 Delegate=yes 运行守护进程") \
    X(DOCTOR_GPUS, "{1} GPU{1?s} by NVML, the first is {2}", "NVML 找到 {1} 块 GPU，第一块是 {2}") \
    X(DOCTOR_NO_GPUS, "NVML finds no GPU", "NVML 没有找到 GPU") \
    X(DOCTOR_NO_GPUS_REMEDY, "fine for CPU jobs and for trying: baleen daemon --declared 8xA100:80GB", "可运行 CPU 作业或试用：baleen daemon --declared 8xA100:80GB") \
    X(DOCTOR_NVML_REMEDY, "see whether nvidia-smi works; the driver and its library must have one version", "请检查 nvidia-smi 是否可用；驱动与其库的版本必须一致") \
    X(DOCTOR_CLOCK_UNSET, "the clock was never set: limits and forecasts would be wrong", "时钟从未校准：时限与预计会出错") \
    X(DOCTOR_CLOCK_LOOSE, "the kernel does not know it to be synchronized: run an NTP client", "内核不知其已同步：请运行 NTP 客户端") \
    X(DOCTOR_ZONE_UNKNOWN, "TZ={1} names no zone: times are shown as UTC", "TZ={1} 不是已知时区：时间按 UTC 显示") \
    X(DOCTOR_ZONE_UNSET, "no zone is set: times are shown as UTC", "未设置时区：时间按 UTC 显示") \
    X(DOCTOR_ZONE_REMEDY, "write it like Europe/Berlin, and install tzdata", "请写成 Asia/Shanghai 的形式，并安装 tzdata")
/* clang-format on */

#endif
