#include "daemon/outlook.h"

#include "base/own.h"
#include "core/durations.h"
#include "core/forecast.h"
#include "os/clock.h"

/* Of all time, one part goes into forecasts; into those for jobs that came since the last, more:
 * who has just submitted one wants to know. */
enum { SHARE = 20, SHARE_NEW = 5 };

#define STALE_AFTER_CHANGE (500 * BL_MILLISECOND)
#define STALE              BL_SECOND /* the present moves on even where nothing happens */
#define SLOW               (10 * BL_MILLISECOND) /* a plan that others would have to wait for */

/* Where more jobs are in memory a plan may be slow. */
enum { JOBS_FEW = 2000 };

struct bl_outlook {
    const struct bl_forecaster *forecaster;
    struct bl_foretold_row row; /* the last that was given out */
    struct bl_arena arena;
    struct bl_forecast forecast;
    int64_t seq;     /* -1 before the first */
    bl_time made_at; /* on the monotonic clock, as is what it took */
    bl_time took;
    bl_time made_on; /* in the core's time */
    bool from_limits;
};

struct bl_outlook *bl_outlook_create(void)
{
    struct bl_outlook *outlook = bl_alloc_zero(sizeof *outlook);

    outlook->seq = -1;
    return outlook;
}

void bl_outlook_destroy(struct bl_outlook *outlook)
{
    if (outlook) {
        bl_arena_finish(&outlook->arena);
        free(outlook);
    }
}

static bool is_good(const struct bl_outlook *outlook, int64_t seq, bl_time now, bl_job_id job)
{
    bool is_new = outlook->seq != seq && !bl_forecast_find(&outlook->forecast, job);
    bl_time age = now - outlook->made_at;
    bl_time pause = outlook->took * (is_new ? SHARE_NEW : SHARE);

    if (outlook->seq == seq) {
        return age < STALE;
    }
    return outlook->seq >= 0 && age < (pause < STALE_AFTER_CHANGE ? pause : STALE_AFTER_CHANGE);
}

void bl_outlook_attach(struct bl_outlook *outlook, const struct bl_forecaster *forecaster)
{
    outlook->forecaster = forecaster;
}

/* --- the plan -------------------------------------------------------------------------------- */

static bool may_plan(const struct bl_outlook *outlook, const struct bl_core *core)
{
    return !outlook->forecaster || (outlook->took < SLOW && bl_core_job_count(core) <= JOBS_FEW);
}

static struct bl_range middle(bl_time at)
{
    return (struct bl_range){BL_TIME_NEVER, at, BL_TIME_NEVER};
}

static const struct bl_foretold_row *take_from_plan(struct bl_outlook *outlook, bl_job_id job)
{
    const struct bl_forecast_row *row = bl_forecast_find(&outlook->forecast, job);

    if (!row) {
        return NULL;
    }
    outlook->row = (struct bl_foretold_row){
        .job = job,
        .start = middle(row->start),
        .end = middle(row->end),
        .from_limits = outlook->from_limits,
    };
    return &outlook->row;
}

static const struct bl_foretold_row *
find_in_plan(struct bl_outlook *outlook, const struct bl_core *core, int64_t seq, bl_job_id job)
{
    bl_time now = bl_clock_monotonic();

    if (!is_good(outlook, seq, now, job) && may_plan(outlook, core)) {
        bl_arena_reset(&outlook->arena);
        outlook->forecast = bl_forecast_make(core, &outlook->arena);
        outlook->seq = seq;
        outlook->made_on = bl_core_now(core);
        outlook->from_limits = !bl_durations_are_predicted(bl_core_policy(core));
        outlook->made_at = bl_clock_monotonic();
        outlook->took = outlook->made_at - now;
    }
    return take_from_plan(outlook, job);
}

/* --- ranges ---------------------------------------------------------------------------------- */

static bl_time moved(bl_time at, bl_time by, bl_time least)
{
    if (at == BL_TIME_NEVER) {
        return at;
    }
    return at + by > least ? at + by : least;
}

static void move(struct bl_range *range, bl_time by, bl_time least)
{
    range->p10 = moved(range->p10, by, least);
    range->p50 = moved(range->p50, by, least);
    range->p90 = moved(range->p90, by, least);
}

/* What started since then ends as much sooner or later; nothing is told before the present. False
 * where the job stands otherwise than it stood. */
static bool bring_up_to_date(struct bl_foretold_row *row, const struct bl_job *job, bl_time now)
{
    bool is_active = bl_job_state_is_active(job->state);
    bl_time started = job->running_at ? job->running_at : job->started_at;
    bl_time late = 0;

    if (row->is_active && !is_active) {
        return false;
    }
    if (is_active && row->start.p50 != BL_TIME_NEVER) {
        late = started - row->start.p50;
    }
    if (is_active) {
        row->start = (struct bl_range){started, started, started};
    } else {
        move(&row->start, 0, now);
    }
    move(&row->end, late, now);
    return true;
}

static const struct bl_foretold_row *find_in_ranges(struct bl_outlook *outlook,
                                                    const struct bl_core *core, bl_job_id id)
{
    const struct bl_foretelling *told =
        outlook->forecaster ? bl_forecaster_told(outlook->forecaster) : NULL;
    const struct bl_foretold_row *row = told ? bl_foretold_find(&told->table, id) : NULL;
    const struct bl_job *job = bl_core_find_job(core, id);

    if (!row) {
        return NULL;
    }
    if (job && bl_job_state_is_ended(job->state)) {
        return NULL;
    }
    outlook->row = *row;
    if (!job) { /* an element that has not started */
        move(&outlook->row.start, 0, bl_core_now(core));
        move(&outlook->row.end, 0, bl_core_now(core));
        return &outlook->row;
    }
    if (job->array) {
        return &outlook->row;
    }
    return bring_up_to_date(&outlook->row, job, bl_core_now(core)) ? &outlook->row : NULL;
}

const struct bl_foretold_row *
bl_outlook_find(struct bl_outlook *outlook, const struct bl_core *core, int64_t seq, bl_job_id job)
{
    const struct bl_foretold_row *row = find_in_ranges(outlook, core, job);

    return row ? row : find_in_plan(outlook, core, seq, job);
}

const struct bl_foretold_row *bl_outlook_last(struct bl_outlook *outlook, bl_job_id job,
                                              bl_time *told_at)
{
    const struct bl_foretelling *told =
        outlook->forecaster ? bl_forecaster_told(outlook->forecaster) : NULL;
    const struct bl_foretold_row *row = told ? bl_foretold_find(&told->table, job) : NULL;

    if (row) {
        *told_at = told->made_at;
        return row;
    }
    *told_at = outlook->made_on;
    return outlook->seq >= 0 ? take_from_plan(outlook, job) : NULL;
}
