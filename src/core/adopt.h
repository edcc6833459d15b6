/* Processes that ran before they were jobs: each is booked where it runs, at once and whole, or not
 * at all. */
#ifndef BL_CORE_ADOPT_H
#define BL_CORE_ADOPT_H

#include "core/job.h"

/* Why a process cannot be booked: the first thing that is in its way. */
enum bl_adoption_fault {
    BL_ADOPTION_FINE,
    BL_ADOPTION_EARLY,     /* nobody decides about the machine yet */
    BL_ADOPTION_NODE,      /* place: no such node, or no such GPU on it */
    BL_ADOPTION_NODE_AWAY, /* node: it is drained or down */
    BL_ADOPTION_GPU_LOST,  /* node, gpu */
    BL_ADOPTION_TAKEN,     /* node, gpu, job: who has it */
    BL_ADOPTION_HELD,      /* node, gpu (-1: CPUs or memory), booking, from, until: whose it is, or
                              will be before the job is sure to be gone; negative: a promise */
    BL_ADOPTION_FEW,       /* need GPUs, of which have could be its */
    BL_ADOPTION_SHORT,     /* node, resource, need, have */
    BL_ADOPTION_FAULT_COUNT
};

struct bl_adoption {
    enum bl_adoption_fault fault;
    size_t place;
    int32_t node, gpu;
    bl_job_id job;
    int64_t booking;
    bl_time from, until;
    int resource; /* BL_RESOURCE_CPU … */
    int64_t need, have;
    struct bl_alloc alloc; /* fine: what it is given; the caller finishes it */
};

struct bl_core;

/* What would be booked if the job came now. `spec->on` names the GPUs that it uses; it is given
 * more, free ones, up to spec->gpus_min. A job without GPUs goes to the first place's node. */
void bl_adoption_find(const struct bl_core *core, const struct bl_job_spec *spec,
                      struct bl_adoption *out);

#endif
