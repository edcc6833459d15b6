#include "cli/eta.h"

#include "cli/say.h"
#include "cli/when.h"

#include <string.h>

bool bl_eta_is_by_limits(const struct bl_job_view *job)
{
    return job->eta_from && !strcmp(job->eta_from, "limits");
}

/* The day is said once. */
static void print(struct bl_buf *out, bl_time at, bl_time by, bl_time now, const char *before)
{
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};

    bl_when_print(&first, at, now);
    bl_buf_append(out, bl_buf_text(&first), first.length);
    if (by <= at) {
        return;
    }
    bl_when_print(&second, by, bl_when_is_same_day(at, by) ? at : now);
    if (by - at >= BL_MINUTE) {
        bl_buf_printf(out, " (%s%s)", before, bl_buf_text(&second));
    }
}

void bl_eta_print_start(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    if (job->starts_at > 0) {
        print(out, job->starts_at, job->starts_by, now, "–");
    }
}

void bl_eta_print_end(struct bl_buf *out, const struct bl_job_view *job, bl_time now)
{
    if (job->ends_at > 0) {
        print(out, job->ends_at, job->ends_by, now, "");
    }
}

void bl_eta_print_source(struct bl_buf *out, const struct bl_job_view *job)
{
    if (bl_eta_is_by_limits(job)) {
        bl_say(out, BL_SAY_ETA_BY_LIMITS);
    } else if (job->eta_runs > 1) {
        BL_SAY(out, BL_SAY_ETA_BY_RUNS, BL_N(job->eta_runs));
    } else if (job->eta_from && *job->eta_from) {
        bl_say(out, BL_SAY_ETA_FIRST);
    }
}

bl_time bl_eta_sure_end(const struct bl_job_view *job)
{
    return job->started_at > 0 && job->limit > 0 ? job->started_at + job->limit : job->ends_by;
}
