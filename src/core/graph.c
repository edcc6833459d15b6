#include "core/graph.h"

#include "base/own.h"

#include <assert.h>

void bl_graph_add(struct bl_graph *graph, bl_job_id waits, struct bl_dependency after)
{
    struct bl_dependents *found = bl_map_find(&graph->dependents, after.job);

    if (!found) {
        found = bl_alloc_zero(sizeof *found);
        bl_map_insert(&graph->dependents, after.job, found);
    }
    if (found->count == found->capacity) {
        found->capacity = found->capacity ? found->capacity * 2 : 4;
        found->job = bl_realloc_array(found->job, found->capacity, sizeof *found->job);
        found->kind = bl_realloc_array(found->kind, found->capacity, sizeof *found->kind);
    }
    found->job[found->count] = waits;
    found->kind[found->count] = after.kind;
    found->count++;
}

const struct bl_dependents *bl_graph_find(const struct bl_graph *graph, bl_job_id job)
{
    return bl_map_find(&graph->dependents, job);
}

static void free_dependents(struct bl_dependents *dependents)
{
    if (dependents) {
        free(dependents->job);
        free(dependents->kind);
        free(dependents);
    }
}

void bl_graph_remove(struct bl_graph *graph, bl_job_id job)
{
    free_dependents(bl_map_remove(&graph->dependents, job));
}

void bl_graph_finish(struct bl_graph *graph)
{
    size_t cursor = 0;
    struct bl_dependents *dependents;

    while ((dependents = bl_map_next(&graph->dependents, &cursor))) {
        free_dependents(dependents);
    }
    bl_map_finish(&graph->dependents);
}

bool bl_dependency_is_met(enum bl_dependency_kind kind, enum bl_job_state ended_as)
{
    assert(bl_job_state_is_ended(ended_as));
    switch (kind) {
    case BL_AFTER_OK:
    case BL_AFTER_EACH:
        return ended_as == BL_JOB_COMPLETED;
    case BL_AFTER_ANY:
        return true;
    case BL_AFTER_FAIL:
        return ended_as != BL_JOB_COMPLETED;
    case BL_AFTER_COUNT:
        break;
    }
    return false;
}

enum visit { UNSEEN, ON_PATH, DONE };

/* Depth-first search with its own stack: `path` holds the jobs on it, `next_edge` how far each has
 * got. An edge to a job on the path closes a cycle. */
struct search {
    const struct bl_batch_job *batch;
    unsigned char *visit;
    size_t *next_edge;
    size_t *path;
    size_t path_length;
};

static void enter(struct search *search, size_t job)
{
    search->visit[job] = ON_PATH;
    search->path[search->path_length++] = job;
}

/* Follows edges from `root` until a cycle shows or all is done; the job that closes it, or
 * SIZE_MAX. */
static size_t search_from(struct search *search, size_t root)
{
    enter(search, root);
    while (search->path_length > 0) {
        size_t job = search->path[search->path_length - 1];

        if (search->next_edge[job] == search->batch[job].after_count) {
            search->visit[job] = DONE;
            search->path_length--;
            continue;
        }
        job = search->batch[job].after[search->next_edge[job]++];
        if (search->visit[job] == ON_PATH) {
            return job;
        }
        if (search->visit[job] == UNSEEN) {
            enter(search, job);
        }
    }
    return SIZE_MAX;
}

static size_t copy_cycle(const struct search *search, size_t closing, size_t *cycle)
{
    size_t start = 0;

    while (search->path[start] != closing) {
        start++;
    }
    for (size_t i = start; i < search->path_length; i++) {
        cycle[i - start] = search->path[i];
    }
    return search->path_length - start;
}

size_t bl_graph_find_cycle(const struct bl_batch_job *batch, size_t count, size_t *cycle)
{
    struct search search = {.batch = batch};
    size_t length = 0;

    search.visit = bl_alloc_zero(count);
    search.next_edge = bl_alloc_zero(count * sizeof *search.next_edge);
    search.path = bl_alloc_zero(count * sizeof *search.path);
    for (size_t i = 0; i < count && !length; i++) {
        if (search.visit[i] == UNSEEN) {
            size_t closing = search_from(&search, i);

            length = closing == SIZE_MAX ? 0 : copy_cycle(&search, closing, cycle);
        }
    }
    free(search.visit);
    free(search.next_edge);
    free(search.path);
    return length;
}
