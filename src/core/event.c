#include "core/event.h"

#include "core/words.h"

#include <string.h>

static const char *const event_words[BL_EVENT_COUNT] = {
    [BL_EVENT_POLICY_SET] = "policy_set",
    [BL_EVENT_NODE_ADDED] = "node_added",
    [BL_EVENT_NODE_STATE] = "node_state",
    [BL_EVENT_GPU_STATE] = "gpu_state",
    [BL_EVENT_JOB_SUBMITTED] = "job_submitted",
    [BL_EVENT_JOB_CANCELLED] = "job_cancelled",
    [BL_EVENT_JOB_STARTED] = "job_started",
    [BL_EVENT_JOB_START_FAILED] = "job_start_failed",
    [BL_EVENT_JOB_ENDED] = "job_ended",
    [BL_EVENT_JOB_HELD] = "job_held",
    [BL_EVENT_JOB_RELEASED] = "job_released",
    [BL_EVENT_JOB_REQUEUED] = "job_requeued",
    [BL_EVENT_JOB_CHANGED] = "job_changed",
    [BL_EVENT_JOB_MOVED] = "job_moved",
    [BL_EVENT_JOB_PROGRESS] = "job_progress",
    [BL_EVENT_JOB_RESIZE_ASKED] = "job_resize_asked",
    [BL_EVENT_JOB_RESTORED] = "job_restored",
    [BL_EVENT_RUN_LEARNED] = "run_learned",
    [BL_EVENT_FACT_LEARNED] = "fact_learned",
    [BL_EVENT_COUNTS_LEARNED] = "counts_learned",
    [BL_EVENT_CURVE_LEARNED] = "curve_learned",
    [BL_EVENT_ROUND_WISHED] = "round_wished",
    [BL_EVENT_JOBS_FORGOTTEN] = "jobs_forgotten",
    [BL_EVENT_RESERVED] = "reserved",
    [BL_EVENT_RESERVATION_CHANGED] = "reservation_changed",
    [BL_EVENT_RESERVATION_CANCELLED] = "reservation_cancelled",
    [BL_EVENT_RESERVATION_RESTORED] = "reservation_restored",
    [BL_EVENT_SAVE_LEARNED] = "save_learned",
    [BL_EVENT_FORETOLD] = "foretold",
    [BL_EVENT_CLOCK_JUMPED] = "clock_jumped",
    [BL_EVENT_ROUND] = "round",
};

static const char *const cause_words[BL_END_COUNT] = {
    [BL_END_EXITED] = "exited",
    [BL_END_SIGNALLED] = "signalled",
    [BL_END_LOST] = "lost",
    [BL_END_GONE] = "gone",
};

static const char *const node_words[] = {
    [BL_NODE_UP] = "up",
    [BL_NODE_DRAINED] = "drained",
    [BL_NODE_DOWN] = "down",
};

/* The batch that its owner allows on a type; 0 = the same as on all others. */
static double local_max_on(const struct bl_job_spec *spec, const char *type)
{
    for (size_t i = 0; i < spec->gpu_type_count; i++) {
        if (!strcmp(spec->gpu_type[i], type)) {
            return spec->type_local_max[i];
        }
    }
    return 0;
}

struct bl_job_spec bl_job_changed_shape(const struct bl_job_spec *spec,
                                        const struct bl_job_change *change)
{
    struct bl_job_spec changed = *spec;

    if (change->set_gpus) {
        changed.gpus_min = change->gpus_min;
        changed.gpus_want = change->gpus_want;
        changed.gpus_max = change->gpus_max;
        changed.gpu_count = NULL;
        changed.gpu_count_count = 0;
    }
    if (change->set_gpu_types) {
        changed.gpu_type_count = change->gpu_type_count;
    }
    for (size_t i = 0; change->set_gpu_types && i < change->gpu_type_count; i++) {
        changed.gpu_type[i] = change->gpu_type[i];
        changed.type_local_max[i] = local_max_on(spec, change->gpu_type[i]);
    }
    changed.nodes_max = change->set_nodes ? change->nodes_max : spec->nodes_max;
    changed.job_class = change->set_class ? change->job_class : spec->job_class;
    return changed;
}

const char *bl_event_name(enum bl_event_kind kind)
{
    return event_words[kind];
}

int bl_event_find(const char *name)
{
    return bl_words_find(event_words, BL_EVENT_COUNT, name);
}

const char *bl_end_cause_name(enum bl_end_cause cause)
{
    return cause_words[cause];
}

int bl_end_cause_find(const char *name)
{
    return bl_words_find(cause_words, BL_END_COUNT, name);
}

const char *bl_node_state_name(enum bl_node_state state)
{
    return node_words[state];
}

int bl_node_state_find(const char *name)
{
    return bl_words_find(node_words, (int)(sizeof node_words / sizeof node_words[0]), name);
}
