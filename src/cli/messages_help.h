/* Rows of the catalogue: what --help says. HELP_VERB is a verb in one line, ABOUT_VERB the rest,
 * FLAG_… one flag. See messages.h. */
#ifndef BL_CLI_MESSAGES_HELP_H
#define BL_CLI_MESSAGES_HELP_H

/* clang-format off */
#define BL_MESSAGES_HELP(X) \
    X(OVERVIEW, "baleen queues work for GPUs and runs it when they are free.\n\nusage: baleen VERB [flags] …\n\n", "baleen 为 GPU 排队作业，并在其空闲时运行。\n\n用法：baleen 动词 [选项] …\n\n") \
    X(OVERVIEW_END, "\nexamples:\n  baleen daemon --declared 8xA100:80GB   start it (or: baleend)\n  baleen run --gpus 2 -- python train.py\n  baleen q                               what runs and what waits\n\n'baleen VERB --help' says more; 'baleen --version' the version.\nexit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 refused, 5 no daemon; 'run -w' passes on the job's.\n", "\n示例：\n  baleen daemon --declared 8xA100:80GB   启动守护进程（或：baleend）\n  baleen run --gpus 2 -- python train.py\n  baleen q                               什么在运行，什么在等待\n\n'baleen 动词 --help' 说明更多；'baleen --version' 显示版本。\n退出码：0 成功，1 失败，2 用法，3 未找到，4 被拒绝，5 没有守护进程；'run -w' 传回作业的退出码。\n") \
    X(USAGE, "usage: baleen {1}", "用法：baleen {1}") \
    X(SENTENCE_END, ".\n", "。\n") \
    X(FLAGS_FOLLOW, "\nflags:\n", "\n选项：\n") \
    X(FLAG_JSON, "print the daemon's answer as JSON", "以 JSON 打印守护进程的应答") \
    X(FLAG_SOCKET, "the daemon's socket", "守护进程的套接字") \
    X(FLAG_HELP, "print this", "打印本帮助") \
    X(HELP_CANCEL, "take jobs from the queue, end running ones", "从队列中取消作业，结束正在运行的") \
    X(ABOUT_CANCEL, "A running job gets SIGTERM and, when its grace is over, SIGKILL, with all its\nprocesses. Cancelling twice is the same as once.\n\nexamples:\n  baleen cancel 7\n  baleen cancel 3-9 12   several\n  baleen cancel @        your last job\n", "运行中的作业先收到 SIGTERM，宽限期过后收到 SIGKILL，其所有进程都会结束。\n取消两次与取消一次相同。\n\n示例：\n  baleen cancel 7\n  baleen cancel 3-9 12   多个\n  baleen cancel @        你最近的作业\n") \
    X(ABOUT_COMPLETION, "\nPrints a file for the shell's completions.\n\nexamples:\n  source <(baleen completion bash)\n", "\n打印供 shell 自动补全使用的文件。\n\n示例：\n  source <(baleen completion bash)\n") \
    X(HELP_HOLD, "keep waiting jobs from starting", "不让等待中的作业开始") \
    X(ABOUT_HOLD, "A held job keeps its place in the books and starts only after 'baleen release'.\nA start that it was promised is void meanwhile; released, it is promised one anew if there is one.\n\nexamples:\n  baleen hold 7\n  baleen hold 7 9-12     several\n", "被挂起的作业保留记录，'baleen release' 之后才会开始。\n其间承诺的开始时间作废；恢复后若可能则重新承诺。\n\n示例：\n  baleen hold 7\n  baleen hold 7 9-12     多个\n") \
    X(HELP_RELEASE, "let held jobs start again", "让被挂起的作业重新可以开始") \
    X(ABOUT_RELEASE, "Also for jobs that were held because they failed again and again.\n\nexamples:\n  baleen release 7\n", "也用于因一再失败而被挂起的作业。\n\n示例：\n  baleen release 7\n") \
    X(HELP_REQUEUE, "stop running jobs and put them back into the queue", "停止运行中的作业并放回队列") \
    X(ABOUT_REQUEUE, "The next run is a new attempt with a log of its own; the number of failures stays.\n\nexamples:\n  baleen requeue 7\n", "下一次运行是新的一次尝试，有自己的日志；失败次数保留。\n\n示例：\n  baleen requeue 7\n") \
    X(HELP_ADOPT, "make a job of a process of yours that runs already", "把自己已在运行的进程变为作业") \
    X(ABOUT_ADOPT, "\nThe process and what descends from it hold their GPUs from now on, are shown in the queue,\ncan be cancelled and have a time limit. The GPUs are those that it is found to use, by the\ndriver or by CUDA_VISIBLE_DEVICES, unless you say which. It is not started anew, so it can\nneither be preempted nor put back, and its exit code may be unknown.\n\nexamples:\n  baleen adopt 4711\n  baleen adopt 4711 --gpu 0-1 -t 6h\n  baleen adopt 4711 --gpu node1:2\n  baleen adopt $! --gpus 0              a process without GPUs\n", "\n该进程及其派生的进程从现在起占有其 GPU，显示在队列中，可以取消，也有时限。\nGPU 由驱动或 CUDA_VISIBLE_DEVICES 得知，除非你指明。它不会重新启动，\n因此不能被抢占或放回队列，其退出码可能未知。\n\n示例：\n  baleen adopt 4711\n  baleen adopt 4711 --gpu 0-1 -t 6h\n  baleen adopt 4711 --gpu node1:2\n  baleen adopt $! --gpus 0              不用 GPU 的进程\n") \
    X(FLAG_ADOPT_GPU, "which GPUs it uses: 0,2 or node1:0-1; usually those that it is found to use", "它使用哪些 GPU：0,2 或 node1:0-1；通常自动查明") \
    X(FLAG_ADOPT_GPUS, "how many GPUs it shall have, with those that it uses; 0 for none", "它应占几块 GPU，含正在使用的；0 为不占") \
    X(FLAG_ADOPT_TIME, "limit: 2h30m, 90 (minutes); counts from now on", "时限：2h30m、90（分钟）；从现在起算") \
    X(FLAG_ADOPT_NAME, "a name; usually that of the program", "名称；通常为程序名") \
    X(HELP_RESIZE, "give elastic jobs a fixed number of GPUs", "给弹性作业固定的 GPU 数") \
    X(ABOUT_RESIZE, "A running job saves its work, ends and starts again on that many GPUs as soon as they\nare free, under every policy. 'auto' leaves its size to the policy again.\n\nexamples:\n  baleen resize 7 4\n  baleen resize 7 9-12 2     several\n  baleen resize 7 auto\n", "运行中的作业先保存进度并结束，一旦有足够的空闲 GPU，就在这么多 GPU 上重新开始，\n无论采用哪种策略。'auto' 把大小重新交给策略决定。\n\n示例：\n  baleen resize 7 4\n  baleen resize 7 9-12 2     多个\n  baleen resize 7 auto\n") \
    X(HELP_PROGRESS, "from inside a job: say how far it is", "在作业内部：报告进度") \
    X(ABOUT_PROGRESS, "Writes a line into $BALEEN_PROGRESS, which a job may also do by itself. KEY is rate, batch,\naccumulation, iter, sync, grad_sqr or grad_var; what is said of speed is learnt.\n\nexamples:\n  baleen progress 120/1000\n  baleen progress 120/1000 --rate 3.1k\n  echo 120/1000 rate=3.1k >> $BALEEN_PROGRESS\n", "向 $BALEEN_PROGRESS 写入一行，作业也可以自己写。KEY 为 rate、batch、accumulation、\niter、sync、grad_sqr 或 grad_var；其中关于速度的数据会被学习。\n\n示例：\n  baleen progress 120/1000\n  baleen progress 120/1000 --rate 3.1k\n  echo 120/1000 rate=3.1k >> $BALEEN_PROGRESS\n") \
    X(FLAG_RATE, "units of work a second, such as 3.1k", "每秒完成的工作量，如 3.1k") \
    X(HELP_DOCTOR, "look at this machine and say what must be mended", "检查本机，指出必须修正之处") \
    X(ABOUT_DOCTOR, "Daemon and socket, supervisor, room for the state, control groups, GPUs, clock and\ntime zone. Exit code 1 when something must be mended; notes do not count.\n\nexamples:\n  baleen doctor\n  baleen doctor --json\n", "守护进程与套接字、监护进程、状态目录的空间、控制组、GPU、时钟和时区。\n有必须修正之处时退出码为 1；提醒不算。\n\n示例：\n  baleen doctor\n  baleen doctor --json\n") \
    X(FLAG_DOCTOR_STATE, "the daemon's state directory", "守护进程的状态目录") \
    X(HELP_DRAIN, "close a node: what runs there ends, nothing starts", "关闭节点：其上的作业运行到结束，不再开始新的") \
    X(ABOUT_DRAIN, "With --at, jobs that could run past that time do not start there from now on.\n\nexamples:\n  baleen drain node1\n  baleen drain node1 --at 'tomorrow 08:00'\n  baleen resume node1            open it again\n", "用 --at 时，可能运行超过该时刻的作业从现在起不再在该节点开始。\n\n示例：\n  baleen drain node1\n  baleen drain node1 --at 'tomorrow 08:00'\n  baleen resume node1            重新打开\n") \
    X(HELP_RESUME, "open a drained node again", "重新打开已关闭的节点") \
    X(ABOUT_RESUME, "Also takes back a drain that has not begun.\n\nexamples:\n  baleen resume node1\n", "也可收回尚未开始的关闭。\n\n示例：\n  baleen resume node1\n") \
    X(FLAG_DRAIN_AT, "from then on: 18:00, 'tomorrow 09:00', +2h", "从何时起：18:00、'tomorrow 09:00'、+2h") \
    X(HELP_GPUS, "list the GPUs, what they do and for whom", "列出 GPU、它们在做什么、为谁") \
    X(ABOUT_GPUS, "\nexamples:\n  baleen gpus\n  watch -n 5 baleen gpus\n", "\n示例：\n  baleen gpus\n  watch -n 5 baleen gpus\n") \
    X(HELP_LOG, "print what a job wrote", "打印作业的输出") \
    X(ABOUT_LOG, "\nexamples:\n  baleen log 7\n  baleen log -f @        your last job, until it ends\n  baleen log -a 1 7      its first attempt\n", "\n示例：\n  baleen log 7\n  baleen log -f @        你最近的作业，直到其结束\n  baleen log -a 1 7      第一次尝试的\n") \
    X(FLAG_LOG_FOLLOW, "go on until the job has ended; waits for its start", "一直输出到作业结束；会等待其开始") \
    X(FLAG_LOG_ATTEMPT, "of an earlier attempt", "较早一次尝试的") \
    X(HELP_NODES, "list the nodes and what is free on them", "列出节点及其空闲资源") \
    X(ABOUT_NODES, "\nexamples:\n  baleen nodes\n  baleen nodes --json\n", "\n示例：\n  baleen nodes\n  baleen nodes --json\n") \
    X(HELP_PLAN, "draw what runs and what will, GPU by GPU", "按 GPU 画出正在运行的和将要运行的") \
    X(ABOUT_PLAN, "The ends of running jobs and the starts of waiting ones are forecasts: half\ncome earlier; ▒ leads to what nine of ten keep. Waiting jobs have no GPUs yet: theirs are a sketch.\n\nexamples:\n  baleen plan\n  baleen plan --next 2d\n  baleen plan --ascii            for mails\n  baleen plan --outlook\n  baleen plan --with job.yaml\n  baleen plan --with --gpus 4 -t 2h -- python train.py\n", "运行中作业的结束和等待中作业的开始是预测，一半会更早；▒ 延伸至十次中九次不超过的时刻。\n等待中的作业还没有 GPU：画出的只是示意。\n\n示例：\n  baleen plan\n  baleen plan --next 2d\n  baleen plan --ascii            用于邮件\n  baleen plan --outlook\n  baleen plan --with job.yaml\n  baleen plan --with --gpus 4 -t 2h -- python train.py\n") \
    X(FLAG_PLAN_NEXT, "how far to look; usually 8h", "看多远；通常 8h") \
    X(HELP_CALENDAR, "draw what ran, runs and will, between two dates", "画出两个日期之间运行过的、正在运行的和将要运行的") \
    X(ABOUT_CALENDAR, "A day back and a week ahead unless said. Of ended jobs the last run is drawn, as long\nas the daemon keeps them in memory. Times are like 'tomorrow 09:00', 2026-12-01, +2d, -7d.\n\nexamples:\n  baleen calendar\n  baleen calendar --from -7d --to now --by user\n  baleen calendar --tz Europe/Berlin --ascii\n", "默认画前一天到后一周。已结束的作业画最后一次运行，只要守护进程还留在内存中。\n时刻形如 'tomorrow 09:00'、2026-12-01、+2d、-7d。\n\n示例：\n  baleen calendar\n  baleen calendar --from -7d --to now --by user\n  baleen calendar --tz Asia/Shanghai --ascii\n") \
    X(FLAG_CALENDAR_FROM, "where it begins; usually a day ago", "从何时起；通常一天前") \
    X(FLAG_CALENDAR_TO, "where it ends; usually in seven days", "到何时止；通常七天后") \
    X(FLAG_CALENDAR_BY, "lines for each gpu, user or project; usually gpu", "按 gpu、user 或 project 分行；通常 gpu") \
    X(FLAG_CALENDAR_ZONE, "the time zone, like Europe/Berlin; usually the local one", "时区，如 Asia/Shanghai；通常为本地时区") \
    X(FLAG_CALENDAR_ICS, "for calendar programs instead: all bookings and your jobs, as iCalendar", "改为输出 iCalendar，供日历程序使用：全部预约和自己的作业") \
    X(FLAG_PLAN_ASCII, "plain characters", "只用普通字符") \
    X(HELP_Q, "show the queue: what runs and what waits", "显示队列：什么在运行，什么在等待") \
    X(ABOUT_Q, "ST: PD waits, CF starts, R runs, CG is ending, CD completed, F failed,\nCA cancelled, TO ran into its limit, NF lost.\nSTARTS and ENDS are forecasts: half of the jobs start before the first instant, nine of\nten before the one in brackets; ~ by limits alone; – where none is known.\nColumns: id,name,user,project,class,st,state,gpus,where,progress,used,starts,ends,\nreason,limit,priority,attempt,exit,submitted,started,ended.\n\nexamples:\n  baleen q\n  baleen q -a -u $USER           all of mine, ended ones too\n  baleen q --watch               live\n  baleen q --no-header -o id,state,exit -a\n", "ST：PD 等待，CF 启动中，R 运行，CG 正在结束，CD 完成，F 失败，\nCA 已取消，TO 超过时限，NF 丢失。\nSTARTS 和 ENDS 是预测：一半的作业早于前一时刻开始，十个中有九个早于括号中的时刻；\n~ 表示仅按时限；– 表示未知。\n列：id,name,user,project,class,st,state,gpus,where,progress,used,starts,ends,\nreason,limit,priority,attempt,exit,submitted,started,ended。\n\n示例：\n  baleen q\n  baleen q -a -u $USER           我的全部作业，包括已结束的\n  baleen q --watch               实时\n  baleen q --no-header -o id,state,exit -a\n") \
    X(FLAG_Q_ALL, "ended jobs, too", "包括已结束的作业") \
    X(FLAG_Q_USER, "jobs of this user only", "只要该用户的作业") \
    X(FLAG_Q_STATE, "jobs in these states: running, PD, F …", "处于这些状态的作业：running、PD、F …") \
    X(FLAG_Q_WATCH, "show it anew, until ^C; usually 2", "不断刷新，直到 ^C；通常 2") \
    X(FLAG_Q_FORMAT, "these columns", "这些列") \
    X(FLAG_Q_NO_HEADER, "rows only, for scripts", "只要数据行，供脚本使用") \
    X(HELP_PROFILE, "measure a command on each number of GPUs", "在各种 GPU 数量上测量一个命令") \
    X(ABOUT_PROFILE, "It runs once on each count, one after the other, and does the same work each time;\nwhat it took is kept under its user and name, and later jobs of that name are\nplanned by it. A command that reports its progress is measured by that, and may be\nended by its limit. Without --gpus: 1, 2, 4 … up to a node.\n\nexamples:\n  baleen profile -- python train.py --steps 200\n  baleen profile --gpus 1,2,4 --work 200 -J train -- python train.py --steps 200\n  baleen profile --gpus 1-8 -t 2m -- python train.py      reports its progress\n", "命令在每种数量上依次各运行一次，每次做同样的工作；用时按用户和名称保存，\n以后同名的作业据此规划。会报告进度的命令按进度测量，可由时限结束。\n不给 --gpus 时：1、2、4 … 直到一个节点。\n\n示例：\n  baleen profile -- python train.py --steps 200\n  baleen profile --gpus 1,2,4 --work 200 -J train -- python train.py --steps 200\n  baleen profile --gpus 1-8 -t 2m -- python train.py      会报告进度\n") \
    X(FLAG_PROFILE_WORK, "units of work that the command does; 1 unless given", "命令所做的工作单位数；默认 1") \
    X(HELP_RUN, "queue a command", "提交一个命令") \
    X(ABOUT_RUN, "It runs here, with this environment, as soon as what it asks for is free.\nFlags stand before the command; what follows is the command's own.\n\nexamples:\n  baleen run -- python train.py\n  baleen run --gpus 4 -t 2h -J big -- ./train.sh --epochs 3\n  baleen run -w --gpus 1 -- pytest && echo passed\n  baleen run --after @:ok -- python evaluate.py\n  baleen run --array 0-9%2 -- sh -c 'python eval.py --fold $BALEEN_ARRAY_INDEX'\n  baleen run --signal USR1@5m --requeue -t 8h -- python train.py\n  baleen run --begin 'tomorrow 01:00' -- ./nightly.sh\n  id=$(baleen run --parsable -- make data); baleen run --after $id -- make model\n", "所需资源一旦空闲，它就在此目录、以此环境运行。\n选项写在命令之前；其后的都属于命令本身。\n\n示例：\n  baleen run -- python train.py\n  baleen run --gpus 4 -t 2h -J big -- ./train.sh --epochs 3\n  baleen run -w --gpus 1 -- pytest && echo passed\n  baleen run --after @:ok -- python evaluate.py\n  baleen run --array 0-9%2 -- sh -c 'python eval.py --fold $BALEEN_ARRAY_INDEX'\n  baleen run --signal USR1@5m --requeue -t 8h -- python train.py\n  baleen run --begin 'tomorrow 01:00' -- ./nightly.sh\n  id=$(baleen run --parsable -- make data); baleen run --after $id -- make model\n") \
    X(FLAG_WAIT, "wait for the end; pass on its exit code", "等到结束；传回其退出码") \
    X(FLAG_PARSABLE, "print the id alone", "只打印编号") \
    X(HELP_SET, "change jobs that were queued", "更改已提交的作业") \
    X(ABOUT_SET, "time=2h          the limit; time=none takes it away\npriority=5       higher goes first where the policy looks at it\nrequeue=yes|no   put it back when its node or supervisor is lost\n\nwhile the job does not run:\ngpus=4, gpus=2-8 how many GPUs\ngpu-type=A,B     of which types; gpu-type=any\nnodes=2          on at most so many nodes; nodes=any\nclass=CLASS      interactive, batch or preemptible\nbegin=TIME       not before: 22:00, 'tomorrow 09:00', +2h\n\nexamples:\n  baleen set 7 time=4h\n  baleen set 7 gpus=2 gpu-type=any\n  baleen set 7 9-12 priority=10 begin=22:00\n", "time=2h          时限；time=none 取消时限\npriority=5       策略考虑优先级时，大者先行\nrequeue=yes|no   节点或监护进程丢失时放回队列\n\n仅在作业没有运行时：\ngpus=4, gpus=2-8 GPU 数量\ngpu-type=A,B     GPU 型号；gpu-type=any 不限\nnodes=2          最多几个节点；nodes=any 不限\nclass=CLASS      interactive、batch 或 preemptible\nbegin=TIME       不早于：22:00、'tomorrow 09:00'、+2h\n\n示例：\n  baleen set 7 time=4h\n  baleen set 7 gpus=2 gpu-type=any\n  baleen set 7 9-12 priority=10 begin=22:00\n") \
    X(HELP_MOVE, "put a waiting job before another one", "把等待中的作业移到另一个之前") \
    X(ABOUT_MOVE, "Jobs of others cannot be overtaken so without being an operator.\n\nexamples:\n  baleen move 9 --before 7\n", "除操作员外，不能这样超过他人的作业。\n\n示例：\n  baleen move 9 --before 7\n") \
    X(FLAG_MOVE_BEFORE, "the job to stand before", "要排在其前面的作业") \
    X(HELP_SHOW, "tell all about one job", "显示一个作业的全部信息") \
    X(ABOUT_SHOW, "\nexamples:\n  baleen show 7\n  baleen show @          your last job\n  baleen show --json 7\n", "\n示例：\n  baleen show 7\n  baleen show @          你最近的作业\n  baleen show --json 7\n") \
    X(HELP_DAEMON, "start the scheduler on this machine", "在本机启动调度器") \
    X(HELP_SIM, "replay a log of jobs under one or more policies", "在一种或多种策略下重放作业记录") \
    X(HELP_SUBMIT, "queue a job file, a pipeline or a script", "提交作业文件、流水线或脚本") \
    X(ABOUT_SUBMIT, "FILE is a job file or a pipeline in YAML, or a script with #SBATCH or #BALEEN lines;\n- reads it from standard input. Flags stand before FILE and win over what it says;\narguments after a script are passed on to it. Lines that are not acted on are\nwarned about.\n\nexamples:\n  baleen submit train.yaml\n  baleen submit train.sh --epochs 3      the script's own argument\n  baleen submit -t 4h --gpus 2 train.sh  other than the script says\n  baleen submit --export yaml train.sh   what it comes to, as a job file\n  id=$(baleen submit --parsable train.sh)\n", "FILE 是 YAML 写的作业文件或流水线，或带 #SBATCH 或 #BALEEN 行的脚本；\n- 表示从标准输入读取。选项写在 FILE 之前，优先于文件内容；\n脚本之后的参数传给脚本。未被采用的行会有警告。\n\n示例：\n  baleen submit train.yaml\n  baleen submit train.sh --epochs 3      脚本自己的参数\n  baleen submit -t 4h --gpus 2 train.sh  与脚本所写不同\n  baleen submit --export yaml train.sh   打印它成为的作业文件\n  id=$(baleen submit --parsable train.sh)\n") \
    X(FLAG_SUBMIT_EXPORT, "print the job file; submit nothing", "打印作业文件；不提交") \
    X(HELP_TOP, "show the GPUs and the queue, live", "实时显示 GPU 和队列") \
    X(ABOUT_TOP, "^C ends it.\n\nexamples:\n  baleen top\n  baleen top -d 0.5\n  baleen top --once              one page\n", "^C 结束。\n\n示例：\n  baleen top\n  baleen top -d 0.5\n  baleen top --once              只显示一页\n") \
    X(FLAG_TOP_DELAY, "between two pages; usually 2", "两页之间的间隔；通常 2") \
    X(FLAG_TOP_ONCE, "one page, for scripts", "只要一页，供脚本使用") \
    X(HELP_WHY, "say what a job waits for, and until when", "说明作业在等什么，等到何时") \
    X(ABOUT_WHY, "It names the jobs that hold what it needs or stand before it, with the ends that\nare expected, the nodes that could hold it, and what could be done: changes that would start it\nearlier, as commands to paste, each tried ahead on a copy of the state.\n\nexamples:\n  baleen why 7\n  baleen why @           your last job\n", "列出占用其所需资源或排在其前面的作业及预计的结束时刻、\n可以容纳它的节点，以及可以采取的办法：能使它更早开始的更改，\n以可粘贴的命令给出，每条都在状态副本上试过。\n\n示例：\n  baleen why 7\n  baleen why @           你最近的作业\n") \
    X(FLAG_JOB_GPUS, "GPUs: a number; of a range, the most are given", "GPU：个数；若是范围，则给最多的") \
    X(FLAG_JOB_GPU_TYPE, "allowed types: A100,H100", "允许的型号：A100,H100") \
    X(FLAG_JOB_GPU_MEM, "least memory of each GPU: 40GB", "每块 GPU 的最小显存：40GB") \
    X(FLAG_JOB_CPUS, "CPUs: 8, or 4/gpu; default 1/gpu", "CPU：8 或 4/gpu；默认 1/gpu") \
    X(FLAG_JOB_MEM, "memory: 64GB, or 8GB/gpu; held to it if given", "内存：64GB 或 8GB/gpu；写明即受其限制") \
    X(FLAG_JOB_NODES, "spread over at most N nodes; default 1", "最多分布在 N 个节点上；默认 1") \
    X(FLAG_JOB_TIME, "longest run: 30 (minutes), 2h30m, 1:30:00, 1-12 (day-hours)", "最长运行时间：30（分钟）、2h30m、1:30:00、1-12（天-小时）") \
    X(FLAG_JOB_NAME, "default: the program's name", "默认：程序名") \
    X(FLAG_JOB_AFTER, "wait for a job (@: your last); repeat, or 7,8:any", "等待一个作业（@：你最近的）；可重复，或 7,8:any") \
    X(FLAG_JOB_ARRAY, "one job for each index, at most 2 at once; $BALEEN_ARRAY_INDEX", "每个下标一个作业，同时最多 2 个；$BALEEN_ARRAY_INDEX") \
    X(FLAG_JOB_BEGIN, "not before: 22:00, 'tomorrow 09:00', +2h", "不早于：22:00、'tomorrow 09:00'、+2h") \
    X(FLAG_JOB_HOLD, "held until 'baleen release'", "挂起，直到 'baleen release'") \
    X(FLAG_JOB_PRIORITY, "higher goes first where the policy looks at it", "策略考虑优先级时，大者先行") \
    X(FLAG_JOB_REQUEUE, "put it back when its node or supervisor is lost", "节点或监护进程丢失时放回队列") \
    X(FLAG_JOB_NO_REQUEUE, "let it end then", "那时让它结束") \
    X(FLAG_JOB_RETRIES, "run it again when it fails, N times", "失败时重新运行，最多 N 次") \
    X(FLAG_CKPT, "the signal that asks it to save its work, and the time it has: the same as --signal", "要求它保存进度的信号，以及给它的时间：与 --signal 相同") \
    X(FLAG_JOB_SIGNAL, "warn it before its limit: USR1@90 (seconds), USR1@5m", "到时限之前发出警告：USR1@90（秒）、USR1@5m") \
    X(FLAG_JOB_PROJECT, "project to count it under", "计入哪个项目") \
    X(FLAG_JOB_CLASS, "interactive, batch or preemptible", "interactive、batch 或 preemptible") \
    X(FLAG_JOB_LOG, "log file: %x name, %j id, %r attempt; default %x-%j.%r.log", "日志文件：%x 名称，%j 编号，%r 第几次；默认 %x-%j.%r.log") \
    X(FLAG_JOB_CHDIR, "run there; default: here", "在那里运行；默认：此处")
/* clang-format on */

#endif
