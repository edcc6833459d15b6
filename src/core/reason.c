#include "core/reason.h"

#include "core/words.h"

static const char *const reason_words[BL_REASON_COUNT] = {
    [BL_REASON_NONE] = "none",
    [BL_REASON_UNDECIDED] = "undecided",
    [BL_REASON_DEPENDENCY] = "dependency",
    [BL_REASON_HELD] = "held",
    [BL_REASON_RESOURCES] = "resources",
    [BL_REASON_PRIORITY] = "priority",
    [BL_REASON_BACKFILL] = "backfill",
    [BL_REASON_NODES_DOWN] = "nodes_down",
    [BL_REASON_DRAIN] = "drain",
    [BL_REASON_NOT_BEFORE] = "not_before",
    [BL_REASON_RETRY] = "retry",
    [BL_REASON_PLANNED] = "planned",
    [BL_REASON_OUTBID] = "outbid",
    [BL_REASON_FOR_MORE] = "for_more",
    [BL_REASON_RESERVED] = "reserved",
    [BL_REASON_BOOKED] = "booked",
    [BL_REASON_FOR_RESERVATION] = "for_reservation",
    [BL_REASON_IN_RESERVATION] = "in_reservation",
    [BL_REASON_PROMISE_BROKEN] = "promise_broken",
    [BL_REASON_RESERVATION_OVER] = "reservation_over",
    [BL_REASON_SLOT_TOO_SMALL] = "slot_too_small",
    [BL_REASON_SLOT_TOO_SHORT] = "slot_too_short",
    [BL_REASON_SLOT_NO_TIME] = "slot_no_time",
    [BL_REASON_IN_SLOT] = "in_slot",
    [BL_REASON_PROMISED] = "promised",
    [BL_REASON_ADOPTED] = "adopted",
    [BL_REASON_CLEARED] = "cleared",
    [BL_REASON_SLOT_OVER] = "slot_over",
    [BL_REASON_IN_ORDER] = "in_order",
    [BL_REASON_BEFORE_SHADOW] = "before_shadow",
    [BL_REASON_BESIDE_HEAD] = "beside_head",
    [BL_REASON_JOINT] = "joint",
    [BL_REASON_RESIZED] = "resized",
    [BL_REASON_SHRUNK_FOR] = "shrunk_for",
    [BL_REASON_RESIZE_WISHED] = "resize_wished",
    [BL_REASON_PREEMPTED] = "preempted",
    [BL_REASON_USER] = "user",
    [BL_REASON_TIME_LIMIT] = "time_limit",
    [BL_REASON_DEPENDENCY_FAILED] = "dependency_failed",
    [BL_REASON_START_FAILED] = "start_failed",
    [BL_REASON_EXIT] = "exit",
    [BL_REASON_GONE] = "gone",
    [BL_REASON_LOST] = "lost",
    [BL_REASON_GPU_LOST] = "gpu_lost",
    [BL_REASON_REQUEUE] = "requeue",
    [BL_REASON_CRASH_LOOP] = "crash_loop",
};

static const char *const stage_words[BL_STAGE_COUNT] = {
    [BL_STAGE_SUPERVISOR] = "supervisor",
    [BL_STAGE_SPEC] = "spec",
    [BL_STAGE_CGROUP] = "cgroup",
    [BL_STAGE_USER] = "user",
    [BL_STAGE_WORKDIR] = "workdir",
    [BL_STAGE_LOG] = "log",
    [BL_STAGE_EXEC] = "exec",
    [BL_STAGE_ENGINE] = "engine",
};

const char *bl_reason_name(enum bl_reason_code code)
{
    return reason_words[code];
}

int bl_reason_find(const char *name)
{
    return bl_words_find(reason_words, BL_REASON_COUNT, name);
}

const char *bl_start_stage_name(enum bl_start_stage stage)
{
    return stage_words[stage];
}

int bl_start_stage_find(const char *name)
{
    return bl_words_find(stage_words, BL_STAGE_COUNT, name);
}
