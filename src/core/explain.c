#include "core/state.h"

static void explain_waiting(const struct bl_core *core, const struct bl_job *job,
                            struct bl_reason *out)
{
    for (size_t i = 0; i < job->spec.after_count; i++) {
        const struct bl_job *other = bl_map_find(&core->jobs, job->spec.after[i].job);

        if (other && !bl_job_state_is_ended(other->state)) {
            *out = (struct bl_reason){BL_REASON_DEPENDENCY, .job = other->id};
            return;
        }
    }
    if (job->failures + job->start_failures + job->requeues > 0) {
        *out = (struct bl_reason){BL_REASON_RETRY,
                                  .need = job->failures + job->start_failures + job->requeues,
                                  .at = job->ready_at};
    } else {
        *out = (struct bl_reason){.code = BL_REASON_NOT_BEFORE, .at = job->ready_at};
    }
}

/* Explaining only reads; the view's scratch memory is used up and given back, and what the policy
 * works out for this job is kept for the next one. */
static void explain_queued(struct bl_core *core, const struct bl_job *job, struct bl_reason *out)
{
    struct bl_view view = bl_core_view(core);

    view.memo = &core->memo;
    if (job->spec.reservation) {
        *out = bl_core_explain_booked(core, job);
    } else if (bl_core_is_promise_broken(core, job)) {
        *out = (struct bl_reason){BL_REASON_PROMISE_BROKEN, .at = job->promised_at};
    } else if (core->choice.policy) {
        core->choice.policy->explain(core->policy_self, &view, job, out);
        bl_arena_reset(&core->scratch);
    }
}

void bl_core_explain(const struct bl_core *core, const struct bl_job *job, struct bl_reason *out)
{
    *out = job->reason;
    switch (job->state) {
    case BL_JOB_WAITING:
        explain_waiting(core, job, out);
        break;
    case BL_JOB_QUEUED:
        explain_queued((struct bl_core *)(uintptr_t)core, job, out);
        break;
    case BL_JOB_HELD:
    case BL_JOB_STARTING:
    case BL_JOB_RUNNING:
    case BL_JOB_RESIZING:
    case BL_JOB_STOPPING:
    case BL_JOB_COMPLETED:
    case BL_JOB_FAILED:
    case BL_JOB_CANCELLED:
    case BL_JOB_TIMEOUT:
    case BL_JOB_LOST:
    case BL_JOB_STATE_COUNT:
        break;
    }
}
