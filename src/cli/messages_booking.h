/* Rows of the catalogue: reservations. See messages.h. */
#ifndef BL_CLI_MESSAGES_BOOKING_H
#define BL_CLI_MESSAGES_BOOKING_H

/* clang-format off */
#define BL_MESSAGES_BOOKING(X) \
    X(HELP_RESERVE, "book GPUs from one instant to another", "预约一段时间的 GPU") \
    X(ABOUT_RESERVE, "Jobs of others run on booked GPUs before only if they are sure to be gone by then. Where\nothers have them, the nearest openings that fit are listed; on a terminal one can be\nchosen by its number, else the exit code is 4. A series keeps its time of day in its\nzone. What no job uses for a while is given up (--release-after).\n\nexamples:\n  baleen reserve --gpus 4 --from 'tomorrow 09:00' --for 6h -J paper\n  baleen reserve --on gpu0-3 --from 'tue 14:00' --to 'tue 17:30'\n  baleen reserve --gpus 8 --from 'mon 09:00' --for 3h --every weekly --until 2027-03-01\n  baleen run --reservation r17 --gpus 4 -- python demo.py\n", "他人的作业只有确定能及时结束时才会先在预约的 GPU 上运行。若已被他人占用，\n会列出最近的可用时段；在终端上可按编号选择，否则退出码为 4。系列预约在其时区\n保持同一时刻。一段时间没有作业使用的预约会被释放（--release-after）。\n\n示例：\n  baleen reserve --gpus 4 --from 'tomorrow 09:00' --for 6h -J paper\n  baleen reserve --on gpu0-3 --from 'tue 14:00' --to 'tue 17:30'\n  baleen reserve --gpus 8 --from 'mon 09:00' --for 3h --every weekly --until 2027-03-01\n  baleen run --reservation r17 --gpus 4 -- python demo.py\n") \
    X(FLAG_RESERVE_GPUS, "how many", "数量") \
    X(FLAG_RESERVE_GPU_TYPE, "of this type; usually any", "型号；默认任意") \
    X(FLAG_RESERVE_POOL, "in this pool; usually any", "资源池；默认任意") \
    X(FLAG_RESERVE_ON, "which: 'n1:0-3 n2', or gpu0-3 of the only node", "指定哪些：'n1:0-3 n2'，只有一个节点时 gpu0-3") \
    X(FLAG_RESERVE_FROM, "when it begins: 'tomorrow 09:00', 14:00, +2h, now", "开始时间：'tomorrow 09:00'、14:00、+2h、now") \
    X(FLAG_RESERVE_FOR, "how long it is", "时长") \
    X(FLAG_RESERVE_TO, "when it ends, instead of --for", "结束时间，可代替 --for") \
    X(FLAG_RESERVE_EVERY, "again: daily, weekdays, weekly, monthly, or an RRULE", "重复：daily、weekdays、weekly、monthly 或 RRULE") \
    X(FLAG_RESERVE_UNTIL, "the last day of a series", "系列的最后一天") \
    X(FLAG_RESERVE_FLEX, "it may begin so much later", "可推迟这么久开始") \
    X(FLAG_RESERVE_ZONE, "the time zone, like Europe/Berlin; usually the local one", "时区，如 Asia/Shanghai；默认本地时区") \
    X(FLAG_RESERVE_FOLD, "which of two, where the clocks show a time twice", "时钟回拨使时刻出现两次时取哪一次") \
    X(FLAG_RESERVE_NAME, "what it is for", "用途") \
    X(FLAG_RESERVE_PROJECT, "jobs of this project may use it as well", "该项目的作业也可使用") \
    X(FLAG_RESERVE_USER, "for somebody else (root)", "为他人预约（root）") \
    X(FLAG_RESERVE_RELEASE, "given up when not used so long; 0 is never", "这么久未使用即释放；0 表示从不") \
    X(FLAG_JOB_RESERVATION, "run in this reservation alone: r17", "仅在此预约中运行：r17") \
    X(FLAG_JOB_PROMISE, "promise a latest start, and hold GPUs for it; needs -t", "承诺最迟开始时间并为其保留 GPU；需要 -t") \
    X(SENTENCE_ENDS, ". ", "。") \
    X(PROMISED_BY, "Promised to start by {1}", "承诺最迟 {1} 开始") \
    X(NOT_PROMISED, "No start can be promised, as no limits say when enough will be free", "没有时限表明何时会有足够的空闲，无法承诺开始时间") \
    X(NOT_PROMISED_AFTER, "No start can be promised while it waits for other jobs", "等待其他作业期间无法承诺开始时间") \
    X(NOT_PROMISED_HELD, "No start is promised, and no GPUs are held for it, while it is held", "挂起期间不承诺开始时间，也不为其保留 GPU") \
    X(NOT_PROMISED_AGAIN, "No start is promised to a job that has run before", "已运行过的作业不再承诺开始时间") \
    X(NOT_PROMISED_LONG, "No start can be promised to a limit over 400 days, as nothing is booked that far ahead", "时限超过 400 天，预约不到那么远，无法承诺开始时间") \
    X(LABEL_PROMISED, "promised", "承诺开始") \
    X(HELP_RES, "list, change and cancel reservations", "列出、更改和取消预约") \
    X(ABOUT_RES, "Ids are r17, and r17.3 for one of a series; with --following that one and all after it.\nWithout a number all that are to come are meant.\n\nexamples:\n  baleen res ls\n  baleen res ls --each --from now --to +30d\n  baleen res set r17 for=3h gpus=8\n  baleen res set r17.3 from='2026-12-16 10:00' --following\n  baleen res rm r17.4\n", "编号形如 r17，系列中的一次为 r17.3；加 --following 表示该次及其后全部。\n不带次数则指所有未来的预约。\n\n示例：\n  baleen res ls\n  baleen res ls --each --from now --to +30d\n  baleen res set r17 for=3h gpus=8\n  baleen res set r17.3 from='2026-12-16 10:00' --following\n  baleen res rm r17.4\n") \
    X(FLAG_RES_ALL, "those that were cancelled or given up as well", "包括已取消和已释放的") \
    X(FLAG_RES_EACH, "each occurrence of a series", "列出系列的每一次") \
    X(FLAG_RES_USER, "of one user; @ is you", "某用户的；@ 为自己") \
    X(FLAG_RES_FROM, "what ends after it; usually now", "在此之后结束的；默认现在") \
    X(FLAG_RES_TO, "what begins before it; usually in 400 days", "在此之前开始的；默认 400 天后") \
    X(FLAG_RES_FOLLOWING, "that one and all after it", "该次及其后全部") \
    X(COLUMN_TIME, "TIME", "时间") \
    X(COLUMN_SERIES, "SERIES", "系列") \
    X(BOOKING_IS, "{1}: {2} GPU{2?s} on {3}, {4}", "{1}：{3} 上的 {2} 块 GPU，{4}") \
    X(BOOKING_SKIPPED, "  number {1} starts at {2}: the clocks skip its time of day then", "  第 {1} 次于 {2} 开始：当天时钟拨快，跳过了原定时刻") \
    X(BOOKING_SHORTENED, "  number {1} ends at {2}, where the next one starts: the clocks are put forward before it", "  第 {1} 次于 {2} 结束，即下一次开始时：其间时钟拨快") \
    X(BOOKING_SERIES, "; {1} ({2} booked)", "；{1}（已预约 {2} 次）") \
    X(BOOKING_STRANDED, "  {1} job{1?s} that wait{1?s:} for it can never run in it now: {2}; 'baleen why' tells why", "  等待它的 {1} 个作业现在永远无法在其中运行：{2}；'baleen why' 说明原因") \
    X(BOOKING_CLAIMED, "  no group of this machine is named {1}: any job that names that project may use it", "  本机没有名为 {1} 的用户组：任何写明该项目的作业都可使用此预约") \
    X(BOOKINGS_CLAIMED, "? no group of this machine has the project's name: any job that names it may use the reservation", "? 本机没有与该项目同名的用户组：任何写明该项目的作业都可使用该预约") \
    X(JOB_CLAIMS, "; {1} is used as a job of project {2}, which no group of this machine is named after", "；以项目 {2} 的作业使用 {1}，而本机没有同名的用户组") \
    X(BOOKING_OVER, "{1}: ", "{1}：") \
    X(BOOKING_STATE_BOOKED, "booked", "已预约") \
    X(BOOKING_STATE_CLEARING, "clearing", "腾出中") \
    X(BOOKING_STATE_ACTIVE, "active", "进行中") \
    X(BOOKING_STATE_ENDED, "ended", "已结束") \
    X(BOOKING_STATE_RELEASED, "released", "已释放") \
    X(BOOKING_CANCELLED, "cancelled", "已取消") \
    X(BOOKING_RELEASED, "given up, as nobody used it", "无人使用，已释放") \
    X(BOOKING_ENDED, "over", "已结束") \
    X(BOOKING_DEGRADED, ", degraded", "，缺少 GPU") \
    X(BOOKING_NO_END, "?", "?") \
    X(BOOKING_NONE, "no reservations; 'baleen reserve --gpus 4 --from \"tomorrow 09:00\" --for 6h' makes one", "没有预约；用 'baleen reserve --gpus 4 --from \"tomorrow 09:00\" --for 6h' 创建") \
    X(BOOKING_REFUSED, "refused: {1} of {2} GPU{2?s} {1?is:are} taken by ", "被拒绝：{2} 块 GPU 中有 {1} 块已被占用：") \
    X(BOOKING_MISSING, "refused: {1} of {2} GPU{2?s} {1?is:are} not there, or not up", "被拒绝：{2} 块 GPU 中有 {1} 块不存在或不可用") \
    X(BOOKING_OTHER, "{1} ({2}) {3}", "{1}（{2}）{3}") \
    X(BOOKING_JOB, "job {1} ({2}) {3}", "作业 {1}（{2}）{3}") \
    X(BOOKING_TIMES_IN, "{1} {2}", "{1} {2}") \
    X(BOOKING_TIMES_THERE, "{1} {2} (here {3})", "{1} {2}（本地 {3}）") \
    X(BOOKING_IT_FITS_IN, ". It fits, in times of {1}:", "。可选（{1} 时间）：") \
    X(BOOKING_IT_FITS, ". It fits:", "。可选：") \
    X(BOOKING_NOTHING_FITS, ". Nothing near fits.", "。附近没有合适的时段。") \
    X(BOOKING_OPENING, "  {1}  {2}  {3} GPU{3?s} {4}  {5}", "  {1}  {2}  {3} 块 GPU {4}  {5}") \
    X(BOOKING_WHICH, "book which? [{1}N]", "预约哪一个？[{1}N]") \
    X(E_RESERVE_WHAT, "what is to be booked? --gpus N, or --on NODE:GPUS", "预约什么？--gpus N，或 --on 节点:GPU") \
    X(E_RESERVE_FROM, "from when? --from TIME", "从何时开始？--from 时刻") \
    X(E_RESERVE_FOR, "how long? --for TIME, or --to TIME", "多久？--for 时长，或 --to 时刻") \
    X(E_BOOKING_ID, "expected a reservation like r17 or r17.3, found '{1}'", "应为 r17 或 r17.3 形式的预约，却是 '{1}'") \
    X(H_BOOKING_ID, "'baleen res ls' lists them", "'baleen res ls' 列出预约") \
    X(E_BOOKING_FOLLOWING, "--following needs one of a series, like r17.3", "--following 需要系列中的一次，如 r17.3") \
    X(E_BOOKING_SET, "'{1}' cannot be set", "'{1}' 不能设置") \
    X(H_BOOKING_SET, "gpus=8, on=n1:0-3, gpu-type=, pool=, from=, for=3h, to=, every=weekly, until=, flex=2h, zone=, name=, project=, release-after=30m; none takes away", "gpus=8、on=n1:0-3、gpu-type=、pool=、from=、for=3h、to=、every=weekly、until=、flex=2h、zone=、name=、project=、release-after=30m；none 表示去掉") \
    X(E_FLAGS_AND_RESERVATION, "flags of jobs do not go with a file that books", "预约文件不能与作业标志一起使用") \
    X(E_BOOKING_USER, "the daemon's machine knows no user '{1}'", "守护进程所在机器没有用户 '{1}'") \
    X(E_RES_WORD, "expected ls, rm or set", "应为 ls、rm 或 set") \
    X(E_RES_WHICH, "which reservations?", "哪些预约？")
/* clang-format on */

#endif
