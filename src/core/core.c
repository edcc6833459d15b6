#include "core/core.h"

#include "core/bookings.h"
#include "core/state.h"

#include <assert.h>

struct bl_core *bl_core_create(enum bl_retention retention)
{
    struct bl_core *core = bl_alloc_zero(sizeof *core);

    core->retention = retention;
    core->metrics = bl_metrics_create();
    core->scores = bl_scores_create();
    core->predictions = bl_predictions_create();
    core->arrivals = bl_arrivals_create();
    core->curves = bl_curves_create();
    core->bookings = bl_bookings_create();
    core->learns = retention == BL_KEEP_ENDED;
    return core;
}

void bl_core_destroy(struct bl_core *core)
{
    size_t cursor = 0;
    struct bl_job *job;

    if (!core) {
        return;
    }
    while ((job = bl_map_next(&core->jobs, &cursor))) {
        bl_job_destroy(job);
    }
    bl_job_destroy(core->forgotten);
    bl_map_finish(&core->jobs);
    bl_graph_finish(&core->graph);
    bl_heap_finish(&core->timers);
    BL_VEC_FINISH(&core->queue);
    BL_VEC_FINISH(&core->booked);
    BL_VEC_FINISH(&core->running);
    BL_VEC_FINISH(&core->to_stop);
    BL_VEC_FINISH(&core->to_start);
    if (core->choice.policy && core->choice.policy->destroy) {
        core->choice.policy->destroy(core->policy_self);
    }
    bl_cluster_finish(&core->cluster);
    bl_arena_finish(&core->scratch);
    bl_arena_finish(&core->memo.arena);
    bl_metrics_destroy(core->metrics);
    bl_scores_destroy(core->scores);
    bl_predictions_destroy(core->predictions);
    bl_arrivals_destroy(core->arrivals);
    bl_curves_destroy(core->curves);
    bl_bookings_destroy(core->bookings);
    free(core);
}

static void forget_memo(struct bl_memo *memo)
{
    if (memo->kept) {
        bl_arena_reset(&memo->arena);
        memo->kept = NULL;
    }
}

void bl_core_step(struct bl_core *core, const struct bl_event *event, struct bl_actions *actions)
{
    assert(actions || event->kind != BL_EVENT_ROUND);
    bl_job_destroy(core->forgotten);
    core->forgotten = NULL;
    forget_memo(&core->memo);
    if (event->at > core->now) {
        core->now = event->at;
        core->cluster.now = event->at;
        bl_metrics_note_time(core->metrics, core->now);
    }
    if (event->kind == BL_EVENT_ROUND) {
        bl_actions_clear(actions);
        bl_core_decide(core, actions);
    } else {
        bl_core_apply(core, event);
    }
}

void bl_core_learn_runs(struct bl_core *core)
{
    core->learns = true;
}

bool bl_core_wants_round(const struct bl_core *core)
{
    return core->wants_round;
}

bl_time bl_core_next_wake(struct bl_core *core)
{
    bl_time wished = core->wake_at ? core->wake_at : BL_TIME_NEVER;
    const struct bl_heap_item *first;

    bl_core_drop_stale_timers(core);
    first = bl_heap_peek(&core->timers);
    wished = core->bookings->wake_at < wished ? core->bookings->wake_at : wished;
    return first && first->time < wished ? first->time : wished;
}

const struct bl_cluster *bl_core_cluster(const struct bl_core *core)
{
    return &core->cluster;
}

const struct bl_policy_choice *bl_core_policy(const struct bl_core *core)
{
    return &core->choice;
}

const struct bl_job *bl_core_find_job(const struct bl_core *core, bl_job_id id)
{
    return bl_map_find(&core->jobs, id);
}

const struct bl_job *bl_core_next_job(const struct bl_core *core, size_t *cursor)
{
    return bl_map_next(&core->jobs, cursor);
}

size_t bl_core_job_count(const struct bl_core *core)
{
    return core->jobs.count;
}

bl_time bl_core_now(const struct bl_core *core)
{
    return core->now;
}

void bl_core_consult(struct bl_core *core, const struct bl_oracle *oracle)
{
    core->oracle = oracle;
}

struct bl_curves *bl_core_curves(const struct bl_core *core)
{
    return core->curves;
}

const struct bl_arrivals *bl_core_arrivals(const struct bl_core *core)
{
    return core->arrivals;
}

struct bl_metrics *bl_core_metrics(const struct bl_core *core)
{
    return core->metrics;
}

const struct bl_scores *bl_core_scores(const struct bl_core *core)
{
    return core->scores;
}
