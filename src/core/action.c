#include "core/action.h"

static const char *const action_words[BL_ACTION_COUNT] = {
    [BL_ACTION_START] = "start",   [BL_ACTION_STOP] = "stop",       [BL_ACTION_SIGNAL] = "signal",
    [BL_ACTION_RESIZE] = "resize", [BL_ACTION_PREEMPT] = "preempt",
};

const char *bl_action_name(enum bl_action_kind kind)
{
    return action_words[kind];
}

void bl_actions_clear(struct bl_actions *actions)
{
    actions->list.count = 0;
}

void bl_actions_finish(struct bl_actions *actions)
{
    BL_VEC_FINISH(&actions->list);
}
