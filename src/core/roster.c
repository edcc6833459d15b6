#include "core/roster.h"

#include "base/sort.h"
#include "core/hold.h"
#include "core/policy.h"

#include <stdlib.h>

static enum bl_standing standing_of(const struct bl_job *job)
{
    if (job->state == BL_JOB_STOPPING) {
        return BL_STANDING_LEAVING;
    }
    return job->state == BL_JOB_RUNNING && bl_job_may_be_preempted(&job->spec) ? BL_STANDING_RUNNING
                                                                               : BL_STANDING_FIXED;
}

static int compare_entries(const void *left, const void *right)
{
    const struct bl_job *a = ((const struct bl_roster_entry *)left)->job;
    const struct bl_job *b = ((const struct bl_roster_entry *)right)->job;

    if (a->submitted_at != b->submitted_at) {
        return a->submitted_at < b->submitted_at ? -1 : 1;
    }
    return (a->id > b->id) - (a->id < b->id);
}

static int64_t count_gpus(const struct bl_cluster *cluster)
{
    int64_t gpus = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        gpus += bl_hold_open(cluster, (int32_t)i);
    }
    return gpus;
}

struct bl_roster bl_roster_make(const struct bl_view *view)
{
    size_t most = view->running_count + view->queue_count;
    struct bl_roster roster = {
        .entry = bl_arena_alloc(view->scratch, (most + 1) * sizeof *roster.entry),
        .gpus = count_gpus(view->cluster),
    };

    for (size_t i = 0; i < view->running_count; i++) {
        const struct bl_job *job = view->running[i].job;

        roster.entry[roster.count++] =
            (struct bl_roster_entry){job, standing_of(job), i, bl_alloc_gpus(bl_job_aim(job))};
    }
    for (size_t i = 0; i < view->queue_count; i++) {
        if (view->queue[i].job) {
            roster.entry[roster.count++] =
                (struct bl_roster_entry){view->queue[i].job, BL_STANDING_QUEUED, i, 0};
        }
    }
    bl_sort(roster.entry, roster.count, sizeof *roster.entry, compare_entries);
    return roster;
}

bool bl_roster_start(struct bl_decision *decision, const struct bl_view *view,
                     const struct bl_roster_entry *entry, int32_t gpus)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};
    struct bl_alloc alloc;

    if (!bl_place_widest(view->cluster, entry->job, gpus, &alloc)) {
        return false;
    }
    bl_decision_start(decision, entry->index, &alloc, &reason);
    bl_alloc_finish(&alloc);
    return true;
}

void bl_roster_start_gpuless(struct bl_decision *decision, const struct bl_view *view,
                             const struct bl_roster *roster)
{
    for (size_t i = 0; i < roster->count; i++) {
        const struct bl_roster_entry *entry = &roster->entry[i];

        if (entry->standing == BL_STANDING_QUEUED && entry->job->spec.gpus_max == 0) {
            bl_roster_start(decision, view, entry, 0);
        }
    }
}
