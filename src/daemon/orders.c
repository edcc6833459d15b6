#include "daemon/orders.h"

static void warn(const struct bl_orders *orders, const struct bl_action *action)
{
    if (orders->engine->signal) {
        orders->engine->signal(orders->self, action->job, action->attempt, action->signal,
                               action->shell_only);
    }
}

static void save(const struct bl_orders *orders, const struct bl_engine_job *job)
{
    if (orders->engine->save) {
        orders->engine->save(orders->self, job);
    } else {
        orders->engine->stop(orders->self, job->job->id, job->attempt);
    }
}

void bl_orders_carry_out(const struct bl_orders *orders)
{
    const struct bl_actions *actions = &orders->ledger->actions;

    for (size_t i = 0; i < actions->list.count; i++) {
        const struct bl_action *action = &actions->list.at[i];
        struct bl_engine_job job = {
            .job = bl_core_find_job(orders->ledger->core, action->job),
            .attempt = action->attempt,
            .alloc = action->alloc,
            .cluster = bl_core_cluster(orders->ledger->core),
            .launch = bl_ledger_launch(orders->ledger,
                                       bl_core_find_job(orders->ledger->core, action->job)),
        };

        switch (action->kind) {
        case BL_ACTION_START:
            orders->engine->start(orders->self, &job);
            break;
        case BL_ACTION_STOP:
            orders->engine->stop(orders->self, action->job, action->attempt);
            break;
        case BL_ACTION_SIGNAL:
            warn(orders, action);
            break;
        case BL_ACTION_RESIZE:
        case BL_ACTION_PREEMPT:
            save(orders, &job);
            break;
        case BL_ACTION_COUNT:
            break;
        }
    }
}

/* What the engine keeps of attempts and jobs that are over may go now: the journal has their ends.
 */
static void forget(const struct bl_orders *orders, const struct bl_job *job)
{
    if (orders->engine->forget && job->attempt > 1 && job->state == BL_JOB_STARTING) {
        orders->engine->forget(orders->self, job->id, job->attempt - 1); /* resized */
    }
    if (orders->engine->forget && job->attempt > 0 && !bl_job_state_is_active(job->state)) {
        orders->engine->forget(orders->self, job->id, job->attempt);
    }
    if (orders->engine->forget_job && bl_job_state_is_ended(job->state)) {
        orders->engine->forget_job(orders->self, job->id);
    }
}

void bl_orders_forget_changed(const struct bl_orders *orders)
{
    const struct bl_ledger *ledger = orders->ledger;

    for (size_t i = 0; i < ledger->changed_jobs.count; i++) {
        forget(orders, bl_core_find_job(ledger->core, ledger->changed_jobs.at[i]));
    }
}

static void adopt(const struct bl_orders *orders, const struct bl_job *job)
{
    bool is_preempted = job->state == BL_JOB_STOPPING && job->reason.code == BL_REASON_PREEMPTED;
    bool is_saving = job->state == BL_JOB_RESIZING || is_preempted;
    struct bl_engine_job taken = {
        .job = job,
        .attempt = job->attempt,
        .alloc = &job->alloc,
        .cluster = bl_core_cluster(orders->ledger->core),
        .launch = bl_ledger_launch(orders->ledger, job),
        .was_running = job->running_at != 0,
        .stopping = job->state == BL_JOB_STOPPING && !is_saving,
        .saving = is_saving,
    };

    orders->engine->adopt(orders->self, &taken);
}

static bool needs_attempt(void *self, bl_job_id id, int32_t attempt)
{
    const struct bl_orders *orders = self;
    const struct bl_job *job = bl_core_find_job(orders->ledger->core, id);

    return job && job->attempt == attempt && bl_job_state_is_active(job->state);
}

static enum bl_engine_need needs_job(void *self, bl_job_id id)
{
    const struct bl_orders *orders = self;
    const struct bl_job *job = bl_core_find_job(orders->ledger->core, id);

    if (!job) {
        return BL_NEED_NOT_KNOWN;
    }
    return bl_job_state_is_ended(job->state) ? BL_NEED_ENDED : BL_NEED_LIVES;
}

/* A daemon may have been killed before it could forget what had ended. */
void bl_orders_hand_over(struct bl_orders *orders)
{
    const struct bl_engine_needs needs = {orders, needs_attempt, needs_job};
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(orders->ledger->core, &cursor))) {
        if (bl_job_state_is_active(job->state)) {
            adopt(orders, job);
        }
    }
    if (orders->engine->tidy) {
        orders->engine->tidy(orders->self, &needs);
    }
}
