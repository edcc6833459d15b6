/* Running jobs that change their size or give way. A resize books the new GPUs beside the old ones;
 * the old ones come back when the engine says that nothing of the attempt is left there. */
#include "core/bookings.h"
#include "core/place.h"
#include "core/state.h"

#include <assert.h>

/* What the job holds is about to change. */
void bl_core_settle_held(struct bl_core *core, struct bl_job *job)
{
    job->attained = bl_job_attained(job, core->now);
    job->held_at = core->now;
}

static bool are_nodes_up(const struct bl_cluster *cluster, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (cluster->node[part[i].node].state != BL_NODE_UP) {
            return false;
        }
    }
    return true;
}

static struct bl_job *running_job(const struct bl_core *core, size_t index)
{
    struct bl_job *job;

    assert(index < core->running.count);
    job = bl_map_find(&core->jobs, core->running.at[index].job->id);
    assert(job->state == BL_JOB_RUNNING);
    return job;
}

/* Both in the books from now on. */
static void book_beside(struct bl_core *core, struct bl_job *job, const struct bl_alloc *alloc)
{
    struct bl_alloc more;
    struct bl_alloc both;
    struct bl_resources change;

    bl_alloc_beyond(alloc, &job->alloc, &more);
    bl_alloc_join(&job->alloc, alloc, &both);
    bl_core_settle_held(core, job);
    bl_cluster_take(&core->cluster, &more);
    bl_alloc_finish(&job->alloc);
    job->alloc = both;
    bl_alloc_copy(&job->next, alloc);
    change = bl_alloc_resources(&more);
    bl_metrics_note_books(core->metrics, &core->cluster, &more);
    bl_metrics_note_held(core->metrics, job, &change);
    bl_alloc_finish(&more);
}

static void push(struct bl_decision *decision, const struct bl_job *job, enum bl_action_kind kind)
{
    BL_VEC_PUSH(&decision->actions->list,
                (struct bl_action){.kind = kind,
                                   .job = job->id,
                                   .attempt = job->attempt,
                                   .reason = job->reason,
                                   .alloc = job->next.part_count ? &job->next : NULL});
}

void bl_decision_resize(struct bl_decision *decision, size_t running_index,
                        const struct bl_alloc *alloc, const struct bl_reason *reason)
{
    struct bl_core *core = decision->core;
    struct bl_job *job = running_job(core, running_index);

    assert(bl_job_is_elastic(&job->spec));
    assert(bl_job_is_legal_count(&job->spec, bl_alloc_gpus(alloc)));
    assert(are_nodes_up(&core->cluster, alloc));
    if (bl_core_keeps_attempts(core)) {
        bl_attempts_open(job);
    }
    book_beside(core, job, alloc);
    bl_job_set_state(job, BL_JOB_RESIZING);
    job->reason = *reason;
    job->restarts++;
    push(decision, job, BL_ACTION_RESIZE);
}

void bl_decision_preempt(struct bl_decision *decision, size_t running_index,
                         const struct bl_reason *reason)
{
    struct bl_job *job = running_job(decision->core, running_index);

    assert(bl_job_may_be_preempted(&job->spec));
    bl_core_settle_held(decision->core, job);
    bl_job_set_state(job, BL_JOB_STOPPING);
    job->stop_as = BL_JOB_QUEUED;
    job->reason = *reason;
    job->reason.code = BL_REASON_PREEMPTED;
    job->restarts++;
    job->preemptions++;
    bl_metrics_note_preempted(decision->core->metrics);
    push(decision, job, BL_ACTION_PREEMPT);
}

/* The old GPUs that the next attempt does not use come back. */
static void give_back_old(struct bl_core *core, struct bl_job *job)
{
    struct bl_alloc old;
    struct bl_resources change = {0};
    struct bl_resources back;

    bl_alloc_beyond(&job->alloc, &job->next, &old);
    bl_core_settle_held(core, job);
    bl_cluster_give_back(&core->cluster, &old);
    bl_alloc_finish(&job->alloc);
    job->alloc = job->next;
    job->next = (struct bl_alloc){0};
    back = bl_alloc_resources(&old);
    bl_resources_subtract(&change, &back);
    bl_metrics_note_books(core->metrics, &core->cluster, &old);
    bl_metrics_note_held(core->metrics, job, &change);
    bl_alloc_finish(&old);
}

static void start_again(struct bl_core *core, struct bl_job *job)
{
    if (bl_core_keeps_attempts(core)) {
        bl_attempts_close(job, core->now);
    }
    give_back_old(core, job);
    job->ran_before += core->now - job->running_at;
    job->progress.begun_at = job->progress.done;
    bl_job_set_state(job, BL_JOB_STARTING);
    job->attempt++;
    job->started_at = core->now;
    job->running_at = 0;
    job->is_warned = false;
    bl_core_replan_running(core, job);
    bl_metrics_note_restarted(core->metrics);
    BL_VEC_PUSH(&core->to_start, job->id);
    core->wants_round = true;
}

/* What it holds was settled when the save was decided. */
void bl_core_note_saved(const struct bl_core *core, struct bl_job *job)
{
    job->save_time = core->now - job->held_at;
    bl_saves_note(&core->bookings->saves, &job->spec, job->save_time);
}

void bl_core_resize_ended(struct bl_core *core, struct bl_job *job)
{
    bl_core_note_saved(core, job);
    if (are_nodes_up(&core->cluster, &job->next)) {
        start_again(core, job);
    } else {
        job->reason = (struct bl_reason){.code = BL_REASON_NODES_DOWN};
        bl_core_put_back(core, job);
    }
}

bool bl_core_is_untold(const struct bl_core *core, const struct bl_job *job)
{
    for (size_t i = 0; job->state == BL_JOB_STARTING && i < core->to_start.count; i++) {
        if (core->to_start.at[i] == job->id) {
            return true;
        }
    }
    return false;
}

void bl_core_push_restarts(struct bl_core *core, struct bl_actions *actions)
{
    for (size_t i = 0; i < core->to_start.count; i++) {
        const struct bl_job *job = bl_map_find(&core->jobs, core->to_start.at[i]);

        if (job && job->state == BL_JOB_STARTING) {
            BL_VEC_PUSH(&actions->list, (struct bl_action){.kind = BL_ACTION_START,
                                                           .job = job->id,
                                                           .attempt = job->attempt,
                                                           .reason = job->reason,
                                                           .alloc = &job->alloc});
        }
    }
    core->to_start.count = 0;
}

/* What somebody asked for goes before what the policy likes, under every policy; it waits until
 * there is room. */
void bl_core_grant_wishes(struct bl_core *core, struct bl_decision *decision)
{
    for (size_t i = 0; core->has_wishes && i < core->running.count; i++) {
        const struct bl_job *job = core->running.at[i].job;
        struct bl_reason reason = {BL_REASON_RESIZE_WISHED, .need = job->gpus_wish,
                                   .have = bl_alloc_gpus(&job->alloc)};
        struct bl_alloc alloc;

        if (job->state == BL_JOB_RUNNING && job->gpus_wish > 0 && reason.need != reason.have &&
            bl_place_again(&core->cluster, job, job->gpus_wish, &alloc)) {
            bl_decision_resize(decision, i, &alloc, &reason);
            bl_alloc_finish(&alloc);
        }
    }
}
