/* The queue in order of (order_at, order_rank, id) and the running jobs in order of (planned end,
 * id): sorted arrays, found by halving. */
#include "base/sort.h"
#include "core/state.h"

#include <assert.h>

static bool is_queued_before(const struct bl_job *a, const struct bl_job *b)
{
    if (a->order_at != b->order_at) {
        return a->order_at < b->order_at;
    }
    return a->order_rank != b->order_rank ? a->order_rank < b->order_rank : a->id < b->id;
}

/* Only valid while no entry of the queue is NULL, that is, outside a round. */
static size_t queue_index(const struct bl_queue *queue, const struct bl_job *job)
{
    size_t low = 0;
    size_t high = queue->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (is_queued_before(queue->at[middle].job, job)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct bl_queue *queue_of(struct bl_core *core, const struct bl_job *job)
{
    return job->spec.reservation ? &core->booked : &core->queue;
}

static bl_time plan_duration(const struct bl_core *core, const struct bl_job *job, int32_t gpus)
{
    const struct bl_policy *policy = core->choice.policy;

    return policy ? policy->plan_duration(&core->choice, job, gpus) : BL_TIME_NEVER;
}

void bl_core_enqueue(struct bl_core *core, struct bl_job *job)
{
    struct bl_queue_entry entry = {
        .job = job,
        .gpus = bl_job_gpus_wanted(job),
        .duration = plan_duration(core, job, bl_job_gpus_wanted(job)),
    };
    struct bl_queue *queue = queue_of(core, job);
    size_t count = queue->count;

    if (count == 0 || is_queued_before(queue->at[count - 1].job, job)) {
        BL_VEC_PUSH(queue, entry);
    } else {
        BL_VEC_INSERT(queue, queue_index(queue, job), entry);
    }
    if (job->array) {
        job->array->is_listed = true;
    }
    core->wants_round = true;
}

void bl_core_dequeue(struct bl_core *core, const struct bl_job *job)
{
    struct bl_queue *queue = queue_of(core, job);
    size_t index = queue_index(queue, job);

    assert(index < queue->count && queue->at[index].job == job);
    BL_VEC_REMOVE(queue, index);
    if (job->array) {
        job->array->is_listed = false;
    }
}

static int compare_ends(const void *left, const void *right)
{
    const struct bl_running_entry *a = left;
    const struct bl_running_entry *b = right;

    if (a->planned_end != b->planned_end) {
        return a->planned_end < b->planned_end ? -1 : 1;
    }
    return a->job->id < b->job->id ? -1 : a->job->id > b->job->id;
}

void bl_running_sort(struct bl_running_entry *entry, size_t count)
{
    bl_sort(entry, count, sizeof *entry, compare_ends);
}

static size_t running_index(const struct bl_core *core, struct bl_running_entry wanted)
{
    size_t low = 0;
    size_t high = core->running.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_ends(&core->running.at[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void bl_core_note_running(struct bl_core *core, struct bl_job *job, bl_time planned_end)
{
    struct bl_running_entry entry = {job, planned_end};

    job->planned_end = planned_end;
    BL_VEC_INSERT(&core->running, running_index(core, entry), entry);
}

void bl_core_drop_running(struct bl_core *core, const struct bl_job *job)
{
    size_t index = running_index(core, (struct bl_running_entry){job, job->planned_end});

    assert(index < core->running.count && core->running.at[index].job == job);
    BL_VEC_REMOVE(&core->running, index);
}

void bl_core_extend_overdue(struct bl_core *core)
{
    size_t i = 0;

    while (i < core->running.count && core->running.at[i].planned_end <= core->now) {
        struct bl_job *job = bl_map_find(&core->jobs, core->running.at[i].job->id);
        bl_time end = bl_job_longest_end(job, core->now);

        if (job->planned_end < end && end > core->now) {
            bl_core_drop_running(core, job);
            bl_core_note_running(core, job, end);
        } else {
            i++;
        }
    }
}

static bl_time plan_end(const struct bl_core *core, const struct bl_job *job)
{
    bl_time from = job->running_at ? job->running_at : job->started_at;
    bl_time duration = plan_duration(core, job, bl_alloc_gpus(&job->alloc));

    return duration == BL_TIME_NEVER ? duration : from + duration;
}

void bl_core_replan_running(struct bl_core *core, struct bl_job *job)
{
    bl_core_drop_running(core, job);
    bl_core_note_running(core, job, plan_end(core, job));
}

static void replan_queue(const struct bl_core *core, struct bl_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        struct bl_queue_entry *entry = &queue->at[i];

        entry->duration = plan_duration(core, entry->job, entry->gpus);
    }
}

/* After a change of policy every planned duration is another. */
void bl_core_replan_all(struct bl_core *core)
{
    size_t cursor = 0;
    struct bl_job *job;

    replan_queue(core, &core->queue);
    replan_queue(core, &core->booked);
    core->running.count = 0;
    while ((job = bl_map_next(&core->jobs, &cursor))) {
        if (bl_job_state_is_active(job->state)) {
            bl_core_note_running(core, job, plan_end(core, job));
        }
    }
}
