/* Rows of the catalogue: states, reasons, times, columns. See messages.h. */
#ifndef BL_CLI_MESSAGES_JOBS_H
#define BL_CLI_MESSAGES_JOBS_H

/* clang-format off */
#define BL_MESSAGES_JOBS(X) \
    /* states */ \
    X(STATE_HELD, "held", "挂起") \
    X(STATE_WAITING, "waiting", "等待依赖") \
    X(STATE_QUEUED, "queued", "排队") \
    X(STATE_STARTING, "starting", "启动中") \
    X(STATE_RUNNING, "running", "运行中") \
    X(STATE_RESIZING, "resizing", "调整中") \
    X(STATE_STOPPING, "stopping", "结束中") \
    X(STATE_COMPLETED, "completed", "已完成") \
    X(STATE_FAILED, "failed", "失败") \
    X(STATE_CANCELLED, "cancelled", "已取消") \
    X(STATE_TIMEOUT, "timeout", "超时") \
    X(STATE_LOST, "lost", "失联") \
    /* how a job stands */ \
    X(JOB, "job {1}", "作业 {1}") \
    X(JOB_NAMED, "job {1} {2}", "作业 {1} {2}") \
    X(BETWEEN, ", ", "，") \
    X(COLON, ": ", "：") \
    X(SEMICOLON, "; ", "；") \
    X(ON, " on {1}", "，位于 {1}") \
    X(EXIT_CODE, ", exit code {1}", "，退出码 {1}") \
    X(AFTER_SPAN, " after {1}", "，历时 {1}") \
    X(FOR_SPAN, ", for {1}", "，已 {1}") \
    /* reasons: why it waits */ \
    X(REASON_UNDECIDED, "the scheduler has not looked at it yet", "调度器尚未处理") \
    X(REASON_DEPENDENCY, "waits for job {1}", "等待作业 {1}") \
    X(REASON_HELD, "held", "已挂起") \
    X(REASON_RESOURCES_OTHER, "needs more CPUs or memory than is free", "空闲的 CPU 或内存不足") \
    X(REASON_RESOURCES_APART, "needs {1} GPUs together with their CPUs and memory; {2} suitable GPUs are free, but not so", "需要 {1} 块 GPU 及其 CPU 和内存；有 {2} 块合适的 GPU 空闲，但无法同时满足") \
    X(REASON_RESOURCES, "needs {1} GPU{1?s}, {2} of the suitable ones {2?is:are} free", "需要 {1} 块 GPU，合适的空闲 {2} 块") \
    X(REASON_PRIORITY, "behind job {1}", "排在作业 {1} 之后") \
    X(REASON_PRIORITY_PLACE, "behind job {1}, {2} are ahead", "排在作业 {1} 之后，前面有 {2} 个") \
    X(REASON_BACKFILL, "would fit now, but would delay job {1}", "现在放得下，但会推迟作业 {1}") \
    X(REASON_NODES_DOWN, "only nodes that are down or drained could hold it", "只有停机或排空的节点能容纳它") \
    X(REASON_DRAIN, "would not be sure to end before the nodes that suit it are drained", "不能保证在合适的节点排空前结束") \
    X(REASON_NOT_BEFORE, "was asked not to start yet", "要求稍后才开始") \
    X(REASON_NOT_BEFORE_AT, "was asked not to start before {1}", "要求在 {1} 之后开始") \
    X(REASON_AND_THEN, "; ", "；") \
    X(REASON_RETRY, "failed {1} time{1?s}, will be tried again", "已失败 {1} 次，将重试") \
    X(REASON_RETRY_AT, "failed {1} time{1?s}, will be tried again at {2}", "已失败 {1} 次，将于 {2} 重试") \
    X(REASON_PLANNED, "has its place in the plan", "已排入计划") \
    X(REASON_OUTBID, "needs {1} GPU{1?s}; others do more with them", "需要 {1} 块 GPU；其他作业能更好地利用它们") \
    X(REASON_FOR_MORE, "waits for more GPUs; a start on fewer now would not pay", "等待更多 GPU；现在用较少的启动并不划算") \
    X(REASON_RESERVED, "would not be sure to end before reservation r{1} begins ({2}) on the GPUs that suit it", "不能保证在合适 GPU 上的预约 r{1} 开始（{2}）前结束") \
    X(REASON_RESERVED_PROMISE, "would not be sure to end before the GPUs promised to job {1} are due ({2})", "不能保证在承诺给作业 {1} 的 GPU 到期（{2}）前结束") \
    X(REASON_BOOKED, "the GPUs that suit it are those of reservation r{1} until {2}", "合适的 GPU 属于预约 r{1}，直到 {2}") \
    X(REASON_BOOKED_PROMISE, "the GPUs that suit it are kept for job {1}, as was promised", "合适的 GPU 按承诺为作业 {1} 保留") \
    X(REASON_FOR_RESERVATION, "waits for its reservation r{1}, which begins {2}", "等待其预约 r{1}，开始于 {2}") \
    X(REASON_IN_RESERVATION, "needs {1} GPU{1?s} of reservation r{3}, {2} {2?is:are} free", "需要预约 r{3} 的 {1} 块 GPU，空闲 {2} 块") \
    X(REASON_GPU_LOST, "its GPU {1} was lost", "其 GPU {1} 已失联") \
    X(REASON_RESERVATION_OVER, "its reservation r{1} is over", "其预约 r{1} 已结束") \
    X(REASON_SLOT_TOO_SMALL, "needs {1} GPU{1?s}; its reservation r{3} has {2} that suit{2?s:} it", "需要 {1} 块 GPU；其预约 r{3} 中适合的有 {2} 块") \
    X(REASON_SLOT_TOO_SHORT, "its limit of {1} is too long; a slot of its reservation r{3} is {2}", "时限 {1} 过长；其预约 r{3} 的时段为 {2}") \
    X(REASON_SLOT_NO_TIME, "it is asked to stop {1} before the end; a slot of its reservation r{3} is {2}", "结束前 {1} 就会被要求停止；其预约 r{3} 的时段为 {2}") \
    X(REASON_PROMISE_BROKEN, "the GPUs that were promised to it are lost", "承诺给它的 GPU 已失去") \
    /* why it started */ \
    X(REASON_IN_SLOT, "its reservation r{1} goes on", "其预约 r{1} 正在进行") \
    X(REASON_ADOPTED, "ran already when it was adopted", "接管时已在运行") \
    X(REASON_PROMISED, "was promised to start by now", "已承诺最迟此刻开始") \
    X(REASON_JOINT, "part of the best choice for {1} job{1?s} together", "{1} 个作业的联合最优选择之一") \
    X(REASON_IN_ORDER, "was first in line and fits", "排在最前且放得下") \
    X(REASON_BEFORE_SHADOW, "went ahead: it ends before job {1} can start", "提前运行：在作业 {1} 能开始之前结束") \
    X(REASON_BESIDE_HEAD, "went ahead: it uses what job {1} will not need", "提前运行：所用资源作业 {1} 用不到") \
    X(REASON_RESIZED, "resized from {2} to {1} GPUs", "GPU 由 {2} 块调整为 {1} 块") \
    X(REASON_SHRUNK_FOR, "resized from {2} to {1} GPUs to make room for job {3}", "为给作业 {3} 腾出空间，GPU 由 {2} 块调整为 {1} 块") \
    X(REASON_RESIZE_WISHED, "resized from {2} to {1} GPUs as somebody asked", "按要求将 GPU 由 {2} 块调整为 {1} 块") \
    X(REASON_CLEARED, "resized from {2} to {1} GPUs to clear reservation r{3}", "为清空预约 r{3}，GPU 由 {2} 块调整为 {1} 块") \
    X(REASON_CLEARED_PROMISE, "resized from {2} to {1} GPUs to clear the GPUs promised to job {3}", "为腾出承诺给作业 {3} 的 GPU，GPU 由 {2} 块调整为 {1} 块") \
    X(REASON_PREEMPTED_SLOT, "put back to clear reservation r{1}", "为清空预约 r{1} 而放回队列") \
    X(REASON_PREEMPTED_PROMISE, "put back to clear the GPUs promised to job {1}", "为腾出承诺给作业 {1} 的 GPU 而放回队列") \
    X(REASON_PREEMPTED, "put back to make room for others", "为给其他作业腾出空间而放回队列") \
    X(REASON_PREEMPTED_FOR, "put back to make room for job {1}", "为给作业 {1} 腾出空间而放回队列") \
    /* why it ended */ \
    X(REASON_USER, "cancelled by the user with uid {1}", "由 uid 为 {1} 的用户取消") \
    X(REASON_SLOT_OVER, "its reservation r{1} has ended", "其预约 r{1} 已结束") \
    X(REASON_TIME_LIMIT, "reached its time limit", "达到时限") \
    X(REASON_DEPENDENCY_FAILED, "job {1} ended in a way that it cannot follow", "作业 {1} 的结局使它无法继续") \
    X(REASON_EXIT, "ended with exit code {1}", "退出码 {1}") \
    X(REASON_SIGNAL, "ended by signal {1} ({2})", "被信号 {1}（{2}）终止") \
    X(REASON_GONE, "ended, with an exit code that nobody could learn: it was adopted", \
      "已结束，退出码无从得知：它是接管而来的") \
    X(REASON_LOST, "its supervisor or node vanished", "其监护进程或节点已消失") \
    X(REASON_REQUEUE, "put back by the user with uid {1}", "由 uid 为 {1} 的用户放回队列") \
    X(REASON_REQUEUE_SELF, "asked to be put back", "作业自己要求放回队列") \
    X(REASON_CRASH_LOOP, "failed {1} times in a row, last with exit code {2}", "连续失败 {1} 次，最后的退出码 {2}") \
    /* why it did not start */ \
    X(STAGE_SUPERVISOR, "cannot start the job's supervisor", "无法启动作业的监护进程") \
    X(STAGE_SPEC, "cannot pass the job on to its supervisor", "无法把作业交给监护进程") \
    X(STAGE_CGROUP, "cannot make the job's control group", "无法建立作业的控制组") \
    X(STAGE_USER, "cannot become the submitting user", "无法切换为提交作业的用户") \
    X(STAGE_WORKDIR, "cannot enter the working directory", "无法进入工作目录") \
    X(STAGE_LOG, "cannot open the log", "无法打开日志") \
    X(STAGE_EXEC, "cannot execute the command", "无法执行命令") \
    X(STAGE_ENGINE, "the engine cannot start it", "引擎无法启动它") \
    /* times */ \
    X(DAYS, "{1} day{1?s}", "{1} 天") \
    X(HOURS, "{1} hour{1?s}", "{1} 小时") \
    X(MINUTES, "{1} minute{1?s}", "{1} 分钟") \
    X(SECONDS, "{1} second{1?s}", "{1} 秒") \
    X(UNDER_A_SECOND, "less than a second", "不到一秒") \
    X(YESTERDAY_AT, "yesterday {1}", "昨天 {1}") \
    X(TOMORROW_AT, "tomorrow {1}", "明天 {1}") \
    X(WEEKDAY_AT_0, "Sun {1}", "周日 {1}") \
    X(WEEKDAY_AT_1, "Mon {1}", "周一 {1}") \
    X(WEEKDAY_AT_2, "Tue {1}", "周二 {1}") \
    X(WEEKDAY_AT_3, "Wed {1}", "周三 {1}") \
    X(WEEKDAY_AT_4, "Thu {1}", "周四 {1}") \
    X(WEEKDAY_AT_5, "Fri {1}", "周五 {1}") \
    X(WEEKDAY_AT_6, "Sat {1}", "周六 {1}") \
    /* columns */ \
    X(COLUMN_ID, "ID", "编号") \
    X(COLUMN_NAME, "NAME", "名称") \
    X(COLUMN_USER, "USER", "用户") \
    X(COLUMN_PROJECT, "PROJ", "项目") \
    X(COLUMN_CLASS, "CLASS", "类别") \
    X(COLUMN_ST, "ST", "ST") \
    X(COLUMN_STATE, "STATE", "状态") \
    X(COLUMN_GPUS, "GPUS", "GPU") \
    X(COLUMN_WHERE, "WHERE", "位置") \
    X(COLUMN_PROGRESS, "PROG", "进度") \
    X(COLUMN_USED, "USED", "已用") \
    X(COLUMN_LIMIT, "LIMIT", "时限") \
    X(COLUMN_STARTS, "STARTS", "预计开始") \
    X(COLUMN_ENDS, "ENDS (P90)", "预计结束 (P90)") \
    X(COLUMN_REASON, "REASON", "原因") \
    X(COLUMN_ATTEMPT, "ATTEMPT", "第几次") \
    X(COLUMN_EXIT, "EXIT", "退出码") \
    X(COLUMN_PRIORITY, "PRIO", "优先级") \
    X(COLUMN_SUBMITTED, "SUBMITTED", "提交于") \
    X(COLUMN_STARTED, "STARTED", "开始于") \
    X(COLUMN_ENDED, "ENDED", "结束于")
/* clang-format on */

#endif
