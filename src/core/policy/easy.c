/* EASY backfilling behind the first come; see core/backfill.h. */
#include "core/backfill.h"
#include "core/durations.h"
#include "core/policy.h"

enum { OPTION_DURATIONS, OPTION_ORDER, OPTION_PREDICTOR };
enum { ORDER_FCFS, ORDER_SHORTEST };

static const char *const order_words[] = {"fcfs", "shortest", NULL};

static const struct bl_option options[] = {
    [OPTION_DURATIONS] = BL_OPTION_DURATIONS,
    [OPTION_ORDER] = {.name = "order",
                      .kind = BL_OPTION_WORD,
                      .words = order_words,
                      .standard = ORDER_FCFS,
                      .help = "who is tried first behind the head: the oldest, or the shortest"},
    [OPTION_PREDICTOR] = BL_OPTION_PREDICTOR,
};

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    return bl_duration_of(choice->value[OPTION_DURATIONS], job, gpus);
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_line line = {0};
    bool shortest = view->choice->value[OPTION_ORDER] == ORDER_SHORTEST;

    (void)self;
    bl_start_in_order(view, &line, decision);
    bl_backfill(view, &line, shortest ? BL_BACKFILL_SHORTEST : BL_BACKFILL_IN_LINE, decision);
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_line line = {0};

    (void)self;
    bl_backfill_explain(view, &line, job, out);
}

const struct bl_policy bl_policy_easy = {
    .name = "easy",
    .summary = "EASY backfilling: later jobs may start if they do not delay the head of the queue",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .plan_duration = plan_duration,
    .decide = decide,
    .explain = explain,
};
