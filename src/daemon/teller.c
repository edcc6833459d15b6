#include "daemon/teller.h"

#include "base/own.h"
#include "os/loop.h"

enum { EVENTS_AT_ONCE = 4 };

/* After a change: others mostly come with it. */
#define SOON  (200 * BL_MILLISECOND)
#define AGAIN BL_SECOND /* until ranges have come */

struct bl_teller {
    struct bl_driver *driver;
    struct bl_watch *timer;
    bool is_armed;
    BL_VEC(bl_job_id) untold; /* jobs that wait; some may have started or ended since */
    struct bl_map listed;     /* the same as a set: id -> the teller */
    BL_VEC(struct bl_told_row) rows;
};

/* --- what is told ---------------------------------------------------------------------------- */

static enum bl_told_basis basis_of(const struct bl_foretold_row *row)
{
    if (row->from_limits) {
        return BL_TOLD_LIMITS;
    }
    return row->runs > 1 ? BL_TOLD_RUNS : BL_TOLD_MEDIAN;
}

/* A plan has no width. What might never come is not told. */
static bool take_range(const struct bl_range *range, bl_time out[static BL_TOLD_LEVELS])
{
    bool is_wide = range->p10 != BL_TIME_NEVER;

    if (range->p50 == BL_TIME_NEVER || (is_wide && range->p90 == BL_TIME_NEVER)) {
        return false;
    }
    out[0] = is_wide ? range->p10 : range->p50;
    out[1] = range->p50;
    out[2] = is_wide ? range->p90 : range->p50;
    return true;
}

/* What was told of the job last. */
static bool told_of(const struct bl_ledger *ledger, bl_job_id job, struct bl_told *out)
{
    bl_time at = 0;
    const struct bl_foretold_row *row = bl_outlook_last(ledger->outlook, job, &at);

    if (!row) {
        return false;
    }
    *out = (struct bl_told){.at = at, .basis = basis_of(row)};
    if (take_range(&row->end, out->end)) {
        out->end_runs = row->end_runs;
    }
    if (!take_range(&row->start, out->start)) {
        return false;
    }
    out->start_runs = row->start_runs;
    return true;
}

static void post_rows(struct bl_teller *teller)
{
    for (size_t done = 0; done < teller->rows.count; done += BL_TOLD_ROWS_MAX) {
        size_t left = teller->rows.count - done;
        struct bl_event event = {.kind = BL_EVENT_FORETOLD};

        event.u.foretold.row = teller->rows.at + done;
        event.u.foretold.count = left < BL_TOLD_ROWS_MAX ? left : BL_TOLD_ROWS_MAX;
        bl_driver_ask(teller->driver, &event, (struct bl_completion){0});
    }
    teller->rows.count = 0;
}

/* --- first ----------------------------------------------------------------------------------- */

static void arm(struct bl_teller *teller, bl_time after)
{
    if (!teller->is_armed) {
        teller->is_armed = true;
        bl_watch_arm(teller->timer, after);
    }
}

static bool waits(const struct bl_job *job)
{
    return (job->state == BL_JOB_QUEUED || job->state == BL_JOB_WAITING) &&
           job->first_started_at == 0 && !job->array && !job->array_job;
}

static bool is_told(const struct bl_ledger *ledger, bl_job_id job)
{
    return bl_scores_has_range(bl_core_scores(ledger->core), job);
}

static void list(struct bl_teller *teller, const struct bl_ledger *ledger, const struct bl_job *job)
{
    if (job && waits(job) && !is_told(ledger, job->id) && !bl_map_find(&teller->listed, job->id)) {
        bl_map_insert(&teller->listed, job->id, teller);
        BL_VEC_PUSH(&teller->untold, job->id);
        arm(teller, SOON);
    }
}

static void list_all(struct bl_teller *teller, const struct bl_ledger *ledger)
{
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(ledger->core, &cursor))) {
        list(teller, ledger, job);
    }
}

/* Answers whether the job is done with: told a range now, or past being told. */
static bool tell(struct bl_teller *teller, const struct bl_ledger *ledger, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(ledger->core, id);
    struct bl_told_row told = {.job = id};

    if (!job || !waits(job) || is_told(ledger, id)) {
        return true;
    }
    bl_outlook_find(ledger->outlook, ledger->core, ledger->seq, id);
    if (!told_of(ledger, id, &told.told)) {
        return false;
    }
    if (told.told.basis == BL_TOLD_RUNS || !bl_scores_has(bl_core_scores(ledger->core), id)) {
        BL_VEC_PUSH(&teller->rows, told);
    }
    return told.told.basis == BL_TOLD_RUNS;
}

/* Of whom no range can be told now stays listed. */
static void on_timer(void *self)
{
    struct bl_teller *teller = self;
    const struct bl_ledger *ledger = bl_driver_ledger(teller->driver);
    size_t kept = 0;

    teller->is_armed = false;
    for (size_t i = 0; i < teller->untold.count; i++) {
        bl_job_id id = teller->untold.at[i];

        if (teller->rows.count < (size_t)EVENTS_AT_ONCE * BL_TOLD_ROWS_MAX &&
            tell(teller, ledger, id)) {
            bl_map_remove(&teller->listed, id);
        } else {
            teller->untold.at[kept++] = id;
        }
    }
    teller->untold.count = kept;
    if (kept > 0) {
        arm(teller, teller->rows.count < (size_t)EVENTS_AT_ONCE * BL_TOLD_ROWS_MAX ? AGAIN : SOON);
    }
    post_rows(teller);
}

/* --- last ------------------------------------------------------------------------------------ */

static void tell_last(struct bl_teller *teller, const struct bl_ledger *ledger,
                      const struct bl_job *job)
{
    struct bl_told_row told = {.job = job->id};

    if (job->state == BL_JOB_STARTING && job->first_started_at == job->started_at &&
        bl_scores_has(bl_core_scores(ledger->core), job->id) &&
        told_of(ledger, job->id, &told.told)) {
        BL_VEC_PUSH(&teller->rows, told);
    }
}

void bl_teller_look(struct bl_teller *teller, const struct bl_ledger *ledger)
{
    for (size_t i = 0; i < ledger->changed_jobs.count; i++) {
        const struct bl_job *job = bl_core_find_job(ledger->core, ledger->changed_jobs.at[i]);

        list(teller, ledger, job);
        if (job) {
            tell_last(teller, ledger, job);
        }
    }
    if (ledger->kind == BL_EVENT_CLOCK_JUMPED) {
        list_all(teller, ledger);
    }
    post_rows(teller);
}

struct bl_teller *bl_teller_create(struct bl_loop *loop, struct bl_driver *driver)
{
    struct bl_teller *teller = bl_alloc_zero(sizeof *teller);

    teller->driver = driver;
    teller->timer = bl_loop_watch_timer(loop, on_timer, teller);
    list_all(teller, bl_driver_ledger(driver));
    return teller;
}

void bl_teller_destroy(struct bl_teller *teller)
{
    if (teller) {
        bl_watch_destroy(teller->timer);
        BL_VEC_FINISH(&teller->untold);
        BL_VEC_FINISH(&teller->rows);
        bl_map_finish(&teller->listed);
        free(teller);
    }
}
