/* What comes out of a round. An action is named by (job, attempt); asking twice is harmless. */
#ifndef BL_CORE_ACTION_H
#define BL_CORE_ACTION_H

#include "base/span.h"
#include "base/vec.h"
#include "core/cluster.h"
#include "core/reason.h"

enum bl_action_kind {
    BL_ACTION_START,
    BL_ACTION_STOP,    /* signal, grace, then the end of every process */
    BL_ACTION_SIGNAL,  /* the warning before the limit */
    BL_ACTION_RESIZE,  /* have it save its work and end; it starts again on `alloc` */
    BL_ACTION_PREEMPT, /* the same, and it goes back to the queue */
    BL_ACTION_COUNT
};

struct bl_action {
    enum bl_action_kind kind;
    bl_job_id job;
    int32_t attempt;
    struct bl_reason reason;
    int32_t signal;               /* SIGNAL */
    bool shell_only;              /* SIGNAL: to the first process alone */
    const struct bl_alloc *alloc; /* START, RESIZE: borrowed from the core until its next step */
};

/* Actions of one round in the order they were decided. */
struct bl_actions {
    BL_VEC(struct bl_action) list;
};

void bl_actions_clear(struct bl_actions *actions);
void bl_actions_finish(struct bl_actions *actions);

const char *bl_action_name(enum bl_action_kind kind); /* "start", "stop" */

#endif
