/* Promises: the latest start of a job, by limits alone. What the plan gives it behind the jobs
 * ahead is held for it from then on, so that nothing that comes later can take it. */
#include "core/bookings.h"
#include "core/in_order.h"
#include "core/plan.h"
#include "core/survey.h"

enum { AHEAD_MAX = 200 /* jobs ahead that are planned before it */ };

/* Who runs, until it is off its GPUs at the latest. */
static void plan_by_limits(const struct bl_core *core, struct bl_view *view)
{
    struct bl_running_entry *entry =
        bl_arena_alloc(view->scratch, (core->running.count + 1) * sizeof *entry);

    for (size_t i = 0; i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;

        entry[i] = (struct bl_running_entry){job, bl_core_job_until(core, job)};
    }
    bl_running_sort(entry, core->running.count);
    view->running = entry;
}

/* Its start behind those ahead who would not give way to it, and who start around what is held,
 * as it does itself. */
static bl_time planned_start(struct bl_core *core, const struct bl_job *job, struct bl_arena *arena)
{
    const struct bl_policy *policy = core->choice.policy;
    struct bl_view view = bl_core_view(core);
    struct bl_line line = {0};
    struct bl_plan *plan;

    view.scratch = arena;
    plan_by_limits(core, &view);
    plan = bl_plan_create(&view);
    if (policy && policy->line) {
        line = policy->line(&view);
    }
    for (size_t i = 0; i < view.queue_count && i < AHEAD_MAX; i++) {
        const struct bl_queue_entry *entry = &view.queue[bl_line_at(&line, i)];

        if (entry->job == job) {
            break;
        }
        if (!bl_job_gives_way(&entry->job->spec)) {
            bl_plan_add(plan, entry->job, entry->gpus, bl_job_longest_run(&entry->job->spec),
                        view.now);
        }
    }
    return bl_plan_find(plan, job, bl_job_gpus_wanted(job), job->spec.limit,
                        job->ready_at > view.now ? job->ready_at : view.now);
}

/* From the planned start on, the first instant at which GPUs are sure to be free. */
static bool find_slot(const struct bl_core *core, const struct bl_job *job, bl_time from,
                      struct bl_arena *arena, struct bl_occurrence *out)
{
    struct bl_booking_spec spec = {.id = bl_promise_of(job->id)};
    struct bl_booking_wish wish = {.spec = &spec, .first = 1, .only = true};
    struct bl_survey *survey = bl_survey_create(core, &wish, arena);
    bl_time *instant;
    size_t count = bl_survey_instants(survey, &instant);

    for (size_t i = 0; i <= count; i++) {
        bl_time start = i == 0 ? from : instant[i - 1];
        struct bl_slot slot = {start, start + job->spec.limit};

        if (start < from || start > core->now + BL_BOOKING_HORIZON) {
            continue;
        }
        if (bl_survey_find_job(survey, slot, job, bl_job_gpus_wanted(job), &out->alloc)) {
            out->number = 1;
            out->start = slot.start;
            out->end = slot.end;
            out->asked_start = slot.start;
            return true;
        }
    }
    return false;
}

static void forget(struct bl_core *core, int64_t id)
{
    struct bl_booking *old = bl_map_remove(&core->bookings->map, id);

    if (old) {
        bl_booking_destroy(old);
        core->bookings->is_stale = true;
    }
}

static bool may_be_promised(const struct bl_core *core, const struct bl_job *job)
{
    return job->spec.promise && job->spec.limit > 0 && !job->array && job->spec.reservation == 0 &&
           job->first_started_at == 0 && job->spec.limit <= BL_BOOKING_HORIZON &&
           core->cluster.node_count > 0 &&
           (job->state == BL_JOB_QUEUED || (job->state == BL_JOB_WAITING && job->waits_for == 0));
}

void bl_core_promise(struct bl_core *core, struct bl_job *job)
{
    struct bl_booking_spec spec = {.id = bl_promise_of(job->id),
                                   .name = job->spec.name,
                                   .user = job->spec.user,
                                   .project = job->spec.project,
                                   .gpus = bl_job_gpus_wanted(job)};
    struct bl_occurrence slot = {0};
    struct bl_arena arena = {0};
    bl_time from;

    if (!job->spec.promise) {
        return;
    }
    forget(core, spec.id);
    job->promised_at = 0;
    bl_core_refresh_live(core);
    from = may_be_promised(core, job) ? planned_start(core, job, &arena) : BL_TIME_NEVER;
    /* behind a job without a limit nobody can be promised anything */
    if (from < core->now + BL_JOB_UNLIMITED_RUN && find_slot(core, job, from, &arena, &slot)) {
        bl_core_add_booking(core, &spec, &slot, 1);
        job->promised_at = slot.start;
    }
    bl_arena_finish(&arena);
}

bool bl_core_move_promise(struct bl_core *core, const struct bl_live *live)
{
    const struct bl_job *job = bl_map_find(&core->jobs, bl_promised_job(live->booking));
    struct bl_occurrence *occurrence = bl_live_occurrence(live);
    struct bl_booking_wish wish = {.spec = &live->booking->spec, .first = 1, .only = true};
    struct bl_slot slot = {occurrence->start, occurrence->end};
    struct bl_arena arena = {0};
    struct bl_alloc alloc;
    bool is_found = job && bl_survey_find_job(bl_survey_create(core, &wish, &arena), slot, job,
                                              bl_alloc_gpus(&occurrence->alloc), &alloc);

    if (is_found) {
        bl_alloc_finish(&occurrence->alloc);
        bl_alloc_copy(&occurrence->alloc, &alloc);
        occurrence->is_moved = true;
    }
    bl_arena_finish(&arena);
    return is_found;
}

bool bl_core_is_promise_broken(const struct bl_core *core, const struct bl_job *job)
{
    const struct bl_booking *booking =
        job->promised_at ? bl_map_find(&core->bookings->map, bl_promise_of(job->id)) : NULL;

    return job->promised_at > 0 && job->first_started_at == 0 &&
           (job->promised_at < core->now || (booking && booking->occurrence[0].is_degraded));
}
