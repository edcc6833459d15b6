/* Rows of the catalogue: reports. See messages.h. */
#ifndef BL_CLI_MESSAGES_REPORT_H
#define BL_CLI_MESSAGES_REPORT_H

/* clang-format off */
#define BL_MESSAGES_REPORT(X) \
    X(HELP_REPORT, "tell who used what: GPU hours, waits, failures, reservations", "统计谁使用了什么：GPU 小时、等待、失败、预约") \
    X(ABOUT_REPORT, "GPU-HOURS are those held in the time that is asked for, usually the last seven days;\nWAIT, P50 and P90 are of jobs that first started in it, SLOWDOWN and FAILED of those\nthat ended in it. RESERVED is the GPU time of reservations whoever made them, UNUSED\nwhat their jobs did not hold of it. What has left the daemon's memory is not counted:\na last line says so.\n\nexamples:\n  baleen report --by user --from -7d\n  baleen report --by project,kind --from 2026-11-01 --to 2026-12-01 --csv\n  baleen report --eta      were the starts that were told right?\n", "GPU-HOURS 为所问时间（通常为最近七天）内占用的 GPU 小时；WAIT、P50、P90 针对其间首次启动的\n作业，SLOWDOWN 与 FAILED 针对其间结束的作业。RESERVED 为预约者的预约 GPU 时间，UNUSED 为其中\n其作业未占用的部分。已不在守护进程内存中的不计入，末行会说明。\n\n示例：\n  baleen report --by user --from -7d\n  baleen report --by project,kind --from 2026-11-01 --to 2026-12-01 --csv\n  baleen report --eta      告知的启动时刻是否准确\n") \
    X(FLAG_REPORT_BY, "user, project, kind, class, node-type, or several; default user", "user、project、kind、class、node-type，可多个；默认 user") \
    X(FLAG_REPORT_FROM, "from when on: -7d, 2026-12-01; default: a week ago", "起始时刻：-7d、2026-12-01；默认一周前") \
    X(FLAG_REPORT_TO, "until when; default: now", "截止时刻；默认现在") \
    X(FLAG_REPORT_CSV, "comma-separated values, with a line of names first", "逗号分隔的值，首行为名称") \
    X(FLAG_REPORT_ETA, "how good the starts and ends that were told came to be", "所告知的启动和结束时刻的准确程度") \
    X(E_REPORT_ETA, "--eta tells of all that was ever scored: it takes no --by, --from, --to", "--eta 统计全部已评分的记录，不接受 --by、--from、--to") \
    X(REPORT_ETA_NONE, "no forecast has been scored so far: none is before a job that was told of has started", "尚无已评分的预测：须先有被告知的作业启动") \
    X(REPORT_ETA_UNTOLD, "{1} job{1?s} waited and started before anything was told of {1?it:them}", "{1} 个作业在告知之前已等待并启动") \
    X(REPORT_TOTAL, "all", "合计") \
    X(REPORT_CUT, "jobs that ended before {1} have left the daemon's memory and are missing here", "{1} 之前结束的作业已不在守护进程内存中，此处未计入")
/* clang-format on */

#endif
