/* The body of POST /api/v1/jobs/adopt: a process that is to become a job.
 *
 *     {pid: 4711, on: "gpu0-1", limit: 6h, name: llama, project: nlp}
 */
#ifndef BL_FORM_ADOPTSPEC_H
#define BL_FORM_ADOPTSPEC_H

#include "core/reservation.h"
#include "form/jobspec.h"

/* Texts and arrays are in the arena; zeroes where a key is absent. */
struct bl_adoptspec {
    int64_t pid;
    bool has_gpus;
    int32_t gpus;                      /* how many; those that it is found to use are of them */
    const struct bl_booking_place *on; /* which; node NULL = the only one */
    size_t on_count;
    const char *name, *project;
    enum bl_job_class job_class; /* batch where it is not given */
    bl_time limit;
    bool has_cpus, has_mem;
    struct bl_amount cpu_milli, mem_bytes; /* a CPU and a GiB a GPU where they are not given */
};

int bl_adoptspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                      struct bl_arena *arena, struct bl_adoptspec *out, struct bl_error *err);

#endif
