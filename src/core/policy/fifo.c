/* First come, first served: the head of the queue starts when it fits; nobody passes it. */
#include "core/durations.h"
#include "core/in_order.h"
#include "core/policy.h"
#include "core/view.h"

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_line line = {0};

    (void)self;
    bl_start_in_order(view, &line, decision);
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_line line = {0};

    (void)self;
    bl_explain_in_order(view, &line, job, out);
}

const struct bl_policy bl_policy_fifo = {
    .name = "fifo",
    .summary = "first come, first served; nobody passes the head of the queue",
    .is_strict = true,
    .plan_duration = bl_plan_to_limit,
    .decide = decide,
    .explain = explain,
};
