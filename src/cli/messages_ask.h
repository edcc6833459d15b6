/* Messages of what is asked about the future: predict, plan --with, plan --outlook, and what why
 * says of other ways. */
#ifndef BL_CLI_MESSAGES_ASK_H
#define BL_CLI_MESSAGES_ASK_H

/* clang-format off */
#define BL_MESSAGES_ASK(X) \
    X(HELP_PREDICT, "how long a job would take, and when it would start", "预测作业要运行多久、何时开始") \
    X(ABOUT_PREDICT, "SPEC is a job file, or the flags of run with a command. Nothing is submitted.\nRanges say what holds in eight cases of ten.\n\nexamples:\n  baleen predict job.yaml\n  baleen predict --gpus 4 -t 2h\n  baleen predict --gpus 2-8 -- python train.py --epochs 3\n", "SPEC 为作业文件，或 run 的标志加命令。不会提交任何作业。\n范围表示十次中八次成立的区间。\n\n示例：\n  baleen predict job.yaml\n  baleen predict --gpus 4 -t 2h\n  baleen predict --gpus 2-8 -- python train.py --epochs 3\n") \
    X(FLAG_PLAN_WITH, "when a job would start, and whom it would delay: a job file, or flags of run and a command, follow", "作业何时会开始、会推迟谁：后接作业文件，或 run 的标志与命令") \
    X(FLAG_PLAN_OUTLOOK, "how many GPUs will be free in the next 7 days", "未来 7 天有多少空闲 GPU") \
    X(E_WHICH_SPEC, "about which job? Name a job file, or give flags of run", "哪个作业？请给出作业文件，或 run 的标志") \
    X(E_NEEDS_WITH, "flags of a job and a command need --with", "作业的标志与命令需要 --with") \
    X(E_WITH_OR_OUTLOOK, "--with and --outlook are two questions: ask one after the other", "--with 与 --outlook 是两个问题：请分别询问") \
    X(E_ONE_JOB_OF_FILE, "the file holds several jobs: ask about each of them", "文件中有多个作业：请逐个询问") \
    X(E_NO_JOB_IN_FILE, "the file holds a reservation, not a job", "文件中是预约，不是作业") \
    X(ASK_TAKES, "takes", "用时") \
    X(ASK_STARTS, "starts", "开始") \
    X(ASK_ENDS, "ends", "结束") \
    X(ASK_BECAUSE, "because", "原因") \
    X(ASK_PROMISE, "promise", "承诺") \
    X(ASK_RESTS, "rests on", "依据") \
    X(ASK_DELAYS, "delays", "推迟") \
    X(ASK_LENGTH, "about {1} ({2} – {3}), as jobs like it did", "约 {1}（{2} – {3}），依据类似作业") \
    X(ASK_LENGTH_LIMIT, "at most {1}, its limit: nothing is known of jobs like it", "至多 {1}（时限）：没有类似作业可依据") \
    X(ASK_LENGTH_UNKNOWN, "not known: it has no limit, and nothing is known of jobs like it", "未知：没有时限，也没有类似作业可依据") \
    X(ASK_NOW, "now", "立即") \
    X(ASK_NOT_TOLD, "cannot be told", "无法预计") \
    X(ASK_RANGE, "{1} ({2} – {3})", "{1}（{2} – {3}）") \
    X(ASK_PROMISE_BY, "to start by {1}", "最迟 {1} 开始") \
    X(ASK_RUNS, "{1} look{1?s} ahead with run times drawn from what is foreseen", "{1} 次前瞻，运行时间按预测抽样") \
    X(ASK_ONE_RUN, "one look ahead: there was no time for more", "一次前瞻：来不及做更多") \
    X(ASK_LIMITS, "limits alone: nothing is foreseen of it, nor of what it waits for", "仅依据时限：对它及其等待的作业都没有预测") \
    X(ASK_NOBODY, "nobody", "无") \
    X(ASK_DELAY, "{1} {2} ({3}) by {4}", "{1} {2}（{3}）{4}") \
    X(ASK_DELAY_FOR_GOOD, "{1} {2} ({3}): it would not start", "{1} {2}（{3}）：将无法开始") \
    X(ASK_MORE, "and {1} more", "以及另外 {1} 个") \
    /* why */ \
    X(WHY_INSTEAD, "instead", "改为") \
    X(INSTEAD_NOW, "# starts now", "# 立即开始") \
    X(INSTEAD_AT, "# starts {1}", "# 开始于 {1}") \
    X(INSTEAD_BEFORE, ", fits before {1}", "，可在 {1} 之前完成") \
    X(WHY_DO_MOVE, "asking for less would not start it earlier; go ahead of your own jobs ('baleen move {1} --before ID')", "减少请求也不会更早开始；可排到自己其他作业之前（'baleen move {1} --before ID'）") \
    /* outlook */ \
    X(OUTLOOK_HEAD, "free GPUs in the middle of {1} look{1?s} ahead (in 9 of 10 at least), every {2}", "空闲 GPU：{1} 次前瞻的中位数（十次中九次至少有），每 {2}") \
    X(OUTLOOK_ONE, "free GPUs by one look ahead, every {2}", "空闲 GPU：一次前瞻，每 {2}") \
    X(OUTLOOK_WHEN, "WHEN", "时间") \
    X(OUTLOOK_USED, "IN USE", "使用中") \
    X(OUTLOOK_NONE, "no GPU is up", "没有可用的 GPU")
/* clang-format on */

#endif
