#include "core/forecast.h"

#include "base/sort.h"
#include "core/in_order.h"
#include "core/plan.h"
#include "core/reservation.h"
#include "core/state.h"

#include <stdlib.h>

enum {
    PLANNED_MAX = 10000, /* entries of the queue that are planned one by one */
    ELEMENTS_MAX = 64    /* elements of an array that are */
};

/* Work in progress: the plan, and what is known so far. */
struct maker {
    const struct bl_core *core;
    struct bl_view view;
    struct bl_plan *plan;
    struct bl_forecast out;
    struct bl_map known;   /* job -> its row */
    bl_time last_start;    /* of the entry before, for strict policies and for the far end */
    double beyond_seconds; /* GPU-seconds of entries beyond PLANNED_MAX */
};

/* Behind a job without a limit: its planned end is no instant to tell anybody. */
static bool is_told(const struct maker *maker, const struct bl_job *job, bl_time start)
{
    bl_time from = job->ready_at > maker->view.now ? job->ready_at : maker->view.now;

    return start < from || start - from < BL_JOB_UNLIMITED_RUN - BL_DAY;
}

static void add_row(struct maker *maker, const struct bl_job *job, bl_time start, bl_time end)
{
    struct bl_forecast_row *row = &maker->out.row[maker->out.count++];

    *row = is_told(maker, job, start)
               ? (struct bl_forecast_row){job->id, start, end}
               : (struct bl_forecast_row){job->id, BL_TIME_NEVER, BL_TIME_NEVER};
    bl_map_insert(&maker->known, job->id, row);
}

/* A job without a limit is planned for very long to keep others safe from it, not to tell anybody
 * when it will end. */
static bl_time told_end(const struct bl_job *job, bl_time start, bl_time duration)
{
    bool is_known = job->spec.limit > 0 || duration < bl_job_longest_left(job);

    return start == BL_TIME_NEVER || !is_known ? BL_TIME_NEVER : start + duration;
}

static void add_running(struct maker *maker)
{
    for (size_t i = 0; i < maker->view.running_count; i++) {
        const struct bl_running_entry *entry = &maker->view.running[i];
        const struct bl_job *job = entry->job;
        bl_time start = job->running_at ? job->running_at : job->started_at;

        add_row(maker, job, start, told_end(job, start, entry->planned_end - start));
    }
}

/* Beyond the part that is planned one by one: as if the GPUs were worked through evenly. */
static bl_time start_beyond(struct maker *maker, int32_t gpus, bl_time duration)
{
    double capacity = (double)maker->view.cluster->capacity.amount[BL_RESOURCE_GPU];
    bl_time start;

    if (maker->last_start == BL_TIME_NEVER || capacity <= 0) {
        return BL_TIME_NEVER;
    }
    start = maker->last_start + (bl_time)(maker->beyond_seconds / capacity * BL_SECOND);
    maker->beyond_seconds += (double)gpus * (double)duration / BL_SECOND;
    return start;
}

static bl_time start_of(struct maker *maker, const struct bl_queue_entry *entry, size_t place,
                        bl_time from)
{
    bl_time start;

    if (place >= PLANNED_MAX) {
        return start_beyond(maker, entry->gpus, entry->duration);
    }
    start = bl_plan_add(maker->plan, entry->job, entry->gpus, entry->duration, from);
    if (start != BL_TIME_NEVER) {
        maker->last_start = start;
    }
    return start;
}

/* Elements that can run side by side, by the array's own wish and by the size of the machine. */
static int64_t elements_at_once(const struct maker *maker, const struct bl_queue_entry *entry)
{
    int64_t most = maker->view.cluster->capacity.amount[BL_RESOURCE_GPU];
    int64_t fit = entry->gpus > 0 ? most / entry->gpus : ELEMENTS_MAX;
    int64_t wish = entry->job->spec.array_running_max;

    fit = fit > 0 ? fit : 1;
    return wish > 0 && wish < fit ? wish : fit;
}

/* From the first element's start to the last one's end. */
static void add_array(struct maker *maker, const struct bl_queue_entry *entry, size_t place,
                      bl_time from)
{
    int64_t pending = bl_array_pending(entry->job->array);
    int64_t at_once = elements_at_once(maker, entry);
    bl_time first = start_of(maker, entry, place, from);
    bl_time last = first;

    for (int64_t i = 1; i < pending && i < ELEMENTS_MAX && last != BL_TIME_NEVER; i++) {
        last = start_of(maker, entry, place,
                        i >= at_once ? first + i / at_once * entry->duration : from);
    }
    if (pending > ELEMENTS_MAX && last != BL_TIME_NEVER) {
        last += (pending - ELEMENTS_MAX) / at_once * entry->duration;
    }
    add_row(maker, entry->job, first, told_end(entry->job, last, entry->duration));
}

static void add_queue(struct maker *maker)
{
    const struct bl_policy *policy = maker->core->choice.policy;
    struct bl_line line = {0};

    if (policy && policy->line) {
        line = policy->line(&maker->view);
    }
    for (size_t place = 0; place < maker->view.queue_count; place++) {
        const struct bl_queue_entry *entry = &maker->view.queue[bl_line_at(&line, place)];
        bool is_strict = policy && policy->is_strict && maker->last_start != BL_TIME_NEVER;
        bl_time from = is_strict ? maker->last_start : maker->view.now;

        if (entry->job->array) {
            add_array(maker, entry, place, from);
        } else {
            bl_time start = start_of(maker, entry, place, from);

            add_row(maker, entry->job, start, told_end(entry->job, start, entry->duration));
        }
    }
}

/* Jobs of reservations start with their slot; who waits for others of it starts some time in it. */
static void add_booked(struct maker *maker)
{
    const struct bl_queue *booked = &maker->core->booked;

    for (size_t i = 0; i < booked->count; i++) {
        const struct bl_queue_entry *entry = &booked->at[i];
        struct bl_reason reason = bl_core_explain_booked(maker->core, entry->job);
        bl_time start = reason.code == BL_REASON_FOR_RESERVATION ? reason.at : BL_TIME_NEVER;

        add_row(maker, entry->job, start, told_end(entry->job, start, entry->duration));
    }
}

static int compare_rows(const void *left, const void *right)
{
    const struct bl_forecast_row *a = left;
    const struct bl_forecast_row *b = right;

    return a->job < b->job ? -1 : a->job > b->job;
}

/* When all that a job waits for is over; BL_TIME_NEVER when that is not known. */
static bl_time ready_at(const struct maker *maker, const struct bl_job *job)
{
    bl_time ready = job->ready_at > maker->view.now ? job->ready_at : maker->view.now;

    for (size_t i = 0; i < job->spec.after_count; i++) {
        bl_job_id other_id = job->spec.after[i].job;
        const struct bl_job *other = bl_core_find_job(maker->core, other_id);
        const struct bl_forecast_row *row = bl_map_find(&maker->known, other_id);

        if (!other || bl_job_state_is_ended(other->state)) {
            continue;
        }
        if (!row || row->end == BL_TIME_NEVER) {
            return BL_TIME_NEVER;
        }
        ready = row->end > ready ? row->end : ready;
    }
    return ready;
}

static bool is_waiting(const struct bl_job *job)
{
    return job->state == BL_JOB_WAITING || job->state == BL_JOB_HELD ||
           (job->state == BL_JOB_QUEUED && job->array && !job->array->is_listed);
}

/* In order of submission, so that those waited for come first. */
static void add_waiting(struct maker *maker)
{
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(maker->core, &cursor))) {
        bl_time duration = bl_job_longest_run(&job->spec);
        bl_time start = BL_TIME_NEVER;

        if (!is_waiting(job)) {
            continue;
        }
        if (job->state == BL_JOB_WAITING) {
            start = ready_at(maker, job);
        }
        if (start != BL_TIME_NEVER) {
            start = bl_plan_add(maker->plan, job, bl_job_gpus_wanted(job), duration, start);
        }
        add_row(maker, job, start, told_end(job, start, duration));
    }
}

struct bl_forecast bl_forecast_make(const struct bl_core *core, struct bl_arena *arena)
{
    struct maker maker = {.core = core, .last_start = BL_TIME_NEVER};

    /* A view wants a core that may be decided on; nothing here does. */
    maker.view = bl_core_view((struct bl_core *)(uintptr_t)core);
    maker.view.scratch = arena;
    maker.plan = bl_plan_create(&maker.view);
    maker.out.row = bl_arena_alloc(arena, bl_core_job_count(core) * sizeof *maker.out.row);
    add_running(&maker);
    add_queue(&maker);
    add_booked(&maker);
    add_waiting(&maker);
    bl_sort(maker.out.row, maker.out.count, sizeof *maker.out.row, compare_rows);
    bl_map_finish(&maker.known);
    return maker.out;
}

const struct bl_forecast_row *bl_forecast_find(const struct bl_forecast *forecast, bl_job_id job)
{
    struct bl_forecast_row key = {.job = job};

    return forecast->count ? bsearch(&key, forecast->row, forecast->count, sizeof key, compare_rows)
                           : NULL;
}
