/* What jobs of a daemon's journal really did: how long they ran, on what, and how that ended. */
#ifndef BL_SIM_LIVES_H
#define BL_SIM_LIVES_H

#include "base/map.h"
#include "base/vec.h"
#include "core/core.h"

/* A stretch of running on the same GPUs. */
struct bl_sim_stretch {
    bl_time run;
    int32_t type; /* of the cluster; -1 = without GPUs */
    int32_t gpus, nodes;
};

/* From a start with nothing done to an end, with what lay between: resizes, leaving for others. */
struct bl_sim_life {
    BL_VEC(struct bl_sim_stretch) stretches;
    enum bl_end_cause cause;
    int32_t code;
    bool is_cancelled; /* by a person, that long after its start */
};

struct bl_sim_lives; /* opaque */

struct bl_sim_lives *bl_sim_lives_create(void);
void bl_sim_lives_destroy(struct bl_sim_lives *lives);

/* Around each event that is stepped. */
void bl_sim_lives_before(struct bl_sim_lives *lives, const struct bl_core *core,
                         const struct bl_event *event);
void bl_sim_lives_after(struct bl_sim_lives *lives, const struct bl_core *core,
                        const struct bl_event *event);

/* What its start number `which` (from 0 on) led to; the last known one where there were fewer; NULL
 * when none of its lives ended. */
const struct bl_sim_life *bl_sim_lives_find(const struct bl_sim_lives *lives, bl_job_id job,
                                            size_t which);

/* Where an allocation's GPUs are. */
struct bl_sim_stretch bl_sim_stretch_on(const struct bl_cluster *cluster,
                                        const struct bl_alloc *alloc);

#endif
