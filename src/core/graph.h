/* Which jobs wait for which, and whether a set of such wishes has a cycle. */
#ifndef BL_CORE_GRAPH_H
#define BL_CORE_GRAPH_H

#include "core/job.h"

#include "base/map.h"

/* Edges from a job to those that wait for it. Zeroes are an empty graph. */
struct bl_graph {
    struct bl_map dependents; /* job id -> struct bl_dependents, owned */
};

struct bl_dependents {
    bl_job_id *job;
    enum bl_dependency_kind *kind;
    size_t count;
    size_t capacity;
};

void bl_graph_add(struct bl_graph *graph, bl_job_id waits, struct bl_dependency after);

/* Those who wait for `job`, in the order they were added; NULL when nobody does. Borrowed. */
const struct bl_dependents *bl_graph_find(const struct bl_graph *graph, bl_job_id job);

/* Forgets who waits for `job`. */
void bl_graph_remove(struct bl_graph *graph, bl_job_id job);

void bl_graph_finish(struct bl_graph *graph);

/* How an ended job answers a dependency. */
bool bl_dependency_is_met(enum bl_dependency_kind kind, enum bl_job_state ended_as);

/* A job of a batch with the jobs it waits for, by index into the same batch. */
struct bl_batch_job {
    const size_t *after;
    size_t after_count;
};

/* Finds a cycle: writes the indices along it to `cycle` (room for `count`) and answers its length;
 * 0 when there is none. Linear; no recursion. */
size_t bl_graph_find_cycle(const struct bl_batch_job *batch, size_t count, size_t *cycle);

#endif
