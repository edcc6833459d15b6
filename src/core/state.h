/* Inside of the core, shared by core.c, apply.c, decide.c and explain.c only. */
#ifndef BL_CORE_STATE_H
#define BL_CORE_STATE_H

#include "base/arena.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/core.h"
#include "core/graph.h"
#include "core/view.h"

#include <stdint.h>

struct bl_core {
    enum bl_retention retention;
    bl_time now;
    bool wants_round;
    struct bl_cluster cluster;
    struct bl_policy_choice choice; /* choice.policy is NULL before POLICY_SET */
    void *policy_self;
    struct bl_map jobs; /* id -> struct bl_job *, owned */
    struct bl_graph graph;
    BL_VEC(struct bl_queue_entry) queue;     /* by (submitted_at, id) */
    BL_VEC(struct bl_running_entry) running; /* by (planned_end, id) */
    struct bl_heap limits; /* running jobs with a limit: when it passes; stale rows are skipped */
    BL_VEC(bl_job_id) to_stop; /* cancelled while active, not yet told to the engine */
    struct bl_job *forgotten;  /* freed at the next step: callers may still look at it */
    struct bl_arena scratch;
    struct bl_metrics *metrics;
};

struct bl_decision {
    struct bl_core *core;
    struct bl_view *view;
    struct bl_actions *actions;
    size_t started;
};

void bl_core_apply(struct bl_core *core, const struct bl_event *event);
void bl_core_decide(struct bl_core *core, struct bl_actions *actions);
bool bl_core_is_limit_stale(const struct bl_core *core, const struct bl_heap_item *row);
struct bl_view bl_core_view(struct bl_core *core);

void bl_job_set_state(struct bl_job *job, enum bl_job_state state);
void bl_job_destroy(struct bl_job *job);
struct bl_job *bl_job_create(const struct bl_event *event);

/* The queue and the running jobs in their orders. */
void bl_core_enqueue(struct bl_core *core, struct bl_job *job);
size_t bl_core_queue_index(const struct bl_core *core, const struct bl_job *job);
void bl_core_dequeue(struct bl_core *core, const struct bl_job *job);
void bl_core_note_running(struct bl_core *core, struct bl_job *job, bl_time planned_end);
void bl_core_drop_running(struct bl_core *core, const struct bl_job *job);
void bl_core_replan_all(struct bl_core *core);

#endif
