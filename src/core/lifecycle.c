/* A job's way through its states, and what each change does to the books and to others. */
#include "core/state.h"

#include <assert.h>

void bl_job_set_state(struct bl_job *job, enum bl_job_state state)
{
    assert(bl_job_state_may_become(job->state, state));
    job->state = state;
}

static void become(struct bl_job *job, enum bl_job_state state)
{
    if (job->state != state) {
        bl_job_set_state(job, state);
    }
}

void bl_core_line_up(struct bl_core *core, struct bl_job *job)
{
    if (job->is_held) {
        become(job, BL_JOB_HELD);
    } else if (job->waits_for > 0) {
        become(job, BL_JOB_WAITING);
    } else if (job->ready_at > core->now) {
        become(job, BL_JOB_WAITING);
        bl_core_set_timer(core, BL_TIMER_READY, job->id, job->ready_at);
    } else {
        become(job, BL_JOB_QUEUED);
        job->eligible_at = core->now;
        job->guard = (struct bl_guarded){0}; /* promised anew: it was away, or is another now */
        if (!job->array || bl_array_peek(job) >= 0) {
            bl_core_enqueue(core, job);
        }
    }
}

void bl_core_step_out(struct bl_core *core, struct bl_job *job)
{
    if (job->state == BL_JOB_QUEUED && (!job->array || job->array->is_listed)) {
        bl_core_dequeue(core, job);
        core->wants_round = true;
    }
}

void bl_core_stop_job(struct bl_core *core, struct bl_job *job, enum bl_job_state as)
{
    if (job->state != BL_JOB_STOPPING) {
        bl_job_set_state(job, BL_JOB_STOPPING);
        bl_alloc_finish(&job->next); /* of one that was resized: old and new stay booked */
        BL_VEC_PUSH(&core->to_stop, job->id);
        core->wants_round = true;
    }
    job->stop_as = as;
}

static void give_back(struct bl_core *core, struct bl_job *job)
{
    bl_core_drop_running(core, job);
    bl_core_settle_held(core, job);
    bl_alloc_finish(&job->next);
    bl_cluster_give_back(&core->cluster, &job->alloc);
    bl_metrics_note_books(core->metrics, &core->cluster, &job->alloc);
    job->planned_end = BL_TIME_NEVER;
    core->wants_round = true;
}

bool bl_core_keeps_attempts(const struct bl_core *core)
{
    return core->retention == BL_KEEP_ENDED && !core->is_fork;
}

void bl_core_put_back(struct bl_core *core, struct bl_job *job)
{
    assert(!job->spec.is_adopted);
    if (bl_core_keeps_attempts(core)) {
        bl_attempts_close(job, core->now);
    }
    job->inside_at = 0;
    give_back(core, job);
    bl_metrics_note_put_back(core->metrics, job);
    bl_alloc_finish(&job->alloc);
    job->started_at = 0;
    job->running_at = 0;
    job->ran_before = 0;
    job->progress.begun_at = job->progress.done;
    bl_core_line_up(core, job);
}

bl_time bl_job_length_of_run(const struct bl_job *job)
{
    bl_time run = job->ran_before + job->ended_at - job->started_at;

    return run > 0 ? run : job->state == BL_JOB_COMPLETED;
}

void bl_core_end_job(struct bl_core *core, struct bl_job *job, enum bl_job_state as,
                     struct bl_endings *endings)
{
    /* of one that was adopted the first part was not seen */
    bool is_telling =
        bl_job_state_is_active(job->state) && as != BL_JOB_LOST && !job->spec.is_adopted;

    if (bl_job_state_is_active(job->state)) {
        give_back(core, job);
    } else {
        bl_core_step_out(core, job);
    }
    bl_job_set_state(job, as);
    job->ended_at = core->now;
    bl_attempts_drop_open(job);
    if (!job->array) {
        bl_metrics_note_ended(core->metrics, job);
        bl_scores_note_ended(core->scores, job);
        bl_core_learn_completed(core, job);
    }
    if (core->learns) {
        bl_time run = is_telling ? bl_job_length_of_run(job) : 0;

        bl_predictions_note_ended(core->predictions, job, run);
        bl_arrivals_note_ended(core->arrivals, job, run);
    }
    bl_alloc_finish(&job->alloc);
    BL_VEC_PUSH(&endings->list, job);
}

/* One answer for a job that waits: met brings it nearer to the queue, impossible ends it. */
static void answer_dependent(struct bl_core *core, struct bl_job *waiting,
                             enum bl_dependency_kind kind, const struct bl_job *ended,
                             struct bl_endings *endings)
{
    if (!waiting || waiting->waits_for == 0 || bl_job_state_is_ended(waiting->state)) {
        return;
    }
    if (!bl_dependency_is_met(kind, ended->state)) {
        waiting->reason = (struct bl_reason){BL_REASON_DEPENDENCY_FAILED, .job = ended->id};
        bl_core_end_job(core, waiting, BL_JOB_CANCELLED, endings);
        return;
    }
    waiting->waits_for--;
    if (waiting->state == BL_JOB_WAITING) {
        bl_core_line_up(core, waiting);
    }
}

static void forget_job(struct bl_core *core, struct bl_job *job)
{
    if (core->retention == BL_FORGET_ENDED) {
        bl_map_remove(&core->jobs, job->id);
        bl_job_destroy(core->forgotten);
        core->forgotten = job;
    }
}

static void tell_dependents(struct bl_core *core, const struct bl_job *ended,
                            struct bl_endings *endings)
{
    const struct bl_dependents *dependents = bl_graph_find(&core->graph, ended->id);

    for (size_t i = 0; dependents && i < dependents->count; i++) {
        if (dependents->kind[i] != BL_AFTER_EACH) {
            answer_dependent(core, bl_map_find(&core->jobs, dependents->job[i]),
                             dependents->kind[i], ended, endings);
        }
    }
    bl_graph_remove(&core->graph, ended->id);
}

static void settle_one(struct bl_core *core, struct bl_job *ended, struct bl_endings *endings)
{
    if (ended->array_job) {
        bl_array_note_ended(core, ended, endings);
    }
    tell_dependents(core, ended, endings);
    forget_job(core, ended);
}

/* Dependents may end in turn and have dependents of their own. News go first: they look at arrays
 * that may be about to be forgotten. */
void bl_core_settle_endings(struct bl_core *core, struct bl_endings *endings)
{
    size_t told = 0;
    size_t settled = 0;

    while (told < endings->news.count || settled < endings->list.count) {
        if (told < endings->news.count) {
            struct bl_news news = endings->news.at[told++];

            bl_array_tell(core, &news, endings);
        } else {
            settle_one(core, endings->list.at[settled++], endings);
        }
    }
    BL_VEC_FINISH(&endings->news);
    BL_VEC_FINISH(&endings->list);
}
