/* Long polls: answers that wait until a job has come so far. */
#include "base/own.h"
#include "daemon/api.h"
#include "os/clock.h"
#include "os/loop.h"

struct bl_waiter {
    struct bl_waiter *next;
    struct bl_request *request;
    bl_job_id job;
    enum bl_wait until;
    bl_time deadline; /* on the monotonic clock */
};

bool bl_api_has_come(const struct bl_job *job, enum bl_wait until)
{
    bool has_started = job->array ? job->array->active > 0 : job->running_at > 0;

    return bl_job_state_is_ended(job->state) || (until == BL_WAIT_STARTED && has_started);
}

/* For the waiter that is due first. */
static void arm_deadline(struct bl_api *api)
{
    bl_time first = BL_TIME_NEVER;

    for (const struct bl_waiter *w = api->waiters; w; w = w->next) {
        first = w->deadline < first ? w->deadline : first;
    }
    if (first == BL_TIME_NEVER) {
        bl_watch_disarm(api->deadline);
    } else {
        bl_watch_arm(api->deadline, first - bl_clock_monotonic());
    }
}

void bl_api_wait(struct bl_api *api, struct bl_request *request, bl_job_id job, enum bl_wait until,
                 bl_time longest)
{
    struct bl_waiter *waiter = bl_alloc_zero(sizeof *waiter);

    waiter->request = request;
    waiter->job = job;
    waiter->until = until;
    waiter->deadline = bl_clock_monotonic() + longest;
    waiter->next = api->waiters;
    api->waiters = waiter;
    arm_deadline(api);
}

/* Answers and frees those of whom `is_due` says so. */
static void answer_due(struct bl_api *api, bool (*is_due)(const struct bl_waiter *waiter,
                                                          const struct bl_job *job, bl_time now))
{
    const struct bl_core *core = bl_driver_ledger(api->driver)->core;
    bl_time now = bl_clock_monotonic();
    struct bl_waiter **link = &api->waiters;

    while (*link) {
        struct bl_waiter *waiter = *link;
        struct bl_job room;
        const struct bl_job *job = bl_api_look_up(core, waiter->job, &room);

        if (is_due(waiter, job, now)) {
            *link = waiter->next;
            bl_api_answer_job(api, waiter->request, 200, job);
            free(waiter);
        } else {
            link = &waiter->next;
        }
    }
    arm_deadline(api);
}

static bool has_come_so_far(const struct bl_waiter *waiter, const struct bl_job *job, bl_time now)
{
    (void)now;
    return bl_api_has_come(job, waiter->until);
}

static bool is_late(const struct bl_waiter *waiter, const struct bl_job *job, bl_time now)
{
    (void)job;
    return waiter->deadline <= now;
}

static bool is_any(const struct bl_waiter *waiter, const struct bl_job *job, bl_time now)
{
    (void)waiter;
    (void)job;
    (void)now;
    return true;
}

void bl_api_wake_waiters(struct bl_api *api, const struct bl_ledger *ledger)
{
    if (api->waiters && ledger->changed_jobs.count > 0) {
        answer_due(api, has_come_so_far);
    }
}

void bl_api_on_deadline(void *self)
{
    answer_due(self, is_late);
}

void bl_api_stop(struct bl_api *api)
{
    struct bl_error err;

    answer_due(api, is_any);
    bl_fail(&err, BL_EUNREACHABLE, "the daemon stops");
    bl_examiner_dismiss(api->examiner, &err);
}
