/* Everybody that a policy decides about, running and queued, in one list: for policies that look at
 * all jobs anew in every round. */
#ifndef BL_CORE_ROSTER_H
#define BL_CORE_ROSTER_H

#include "core/place.h"
#include "core/view.h"

enum bl_standing {
    BL_STANDING_QUEUED,
    BL_STANDING_RUNNING, /* and may be resized or put back */
    BL_STANDING_FIXED,   /* holds what it has for now: it starts, is resized, or may not be moved */
    BL_STANDING_LEAVING  /* its GPUs come back soon */
};

struct bl_roster_entry {
    const struct bl_job *job;
    enum bl_standing standing;
    size_t index; /* into the view's queue, or running jobs */
    int32_t gpus; /* that it holds, or will once it is resized */
};

/* By (submitted, id). */
struct bl_roster {
    struct bl_roster_entry *entry;
    size_t count;
    int64_t gpus; /* of nodes that are up, whoever holds them */
};

/* From the view's scratch memory. */
struct bl_roster bl_roster_make(const struct bl_view *view);

/* Starts the queued jobs without GPUs that fit: they stand in nobody's way. */
void bl_roster_start_gpuless(struct bl_decision *decision, const struct bl_view *view,
                             const struct bl_roster *roster);

/* Starts a queued job on the emptiest nodes of one GPU type, as little spread as that allows; false
 * when there is no room now. */
bool bl_roster_start(struct bl_decision *decision, const struct bl_view *view,
                     const struct bl_roster_entry *entry, int32_t gpus);

#endif
