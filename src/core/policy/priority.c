/* Highest priority first, then first come; with backfilling behind the head unless it is switched
 * off. */
#include "core/backfill.h"
#include "core/durations.h"
#include "core/policy.h"

enum { OPTION_BACKFILL, OPTION_DURATIONS };
enum { BACKFILL_NONE, BACKFILL_EASY };

static const char *const backfill_words[] = {"none", "easy", NULL};

static const struct bl_option options[] = {
    [OPTION_BACKFILL] = {.name = "backfill",
                         .kind = BL_OPTION_WORD,
                         .words = backfill_words,
                         .standard = BACKFILL_EASY,
                         .help = "whether jobs may pass the head where they do not delay it"},
    [OPTION_DURATIONS] = BL_OPTION_DURATIONS,
};

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    return bl_duration_of(choice->value[OPTION_DURATIONS], job, gpus);
}

static bool is_before(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return a->job->spec.priority > b->job->spec.priority;
}

static struct bl_line sort_line(const struct bl_view *view)
{
    return bl_line_sort(view, is_before);
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_line line = sort_line(view);

    (void)self;
    bl_start_in_order(view, &line, decision);
    if (view->choice->value[OPTION_BACKFILL] == BACKFILL_EASY) {
        bl_backfill(view, &line, BL_BACKFILL_IN_LINE, decision);
    }
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_line line = bl_line_keep(view, is_before);

    (void)self;
    if (view->choice->value[OPTION_BACKFILL] == BACKFILL_EASY) {
        bl_backfill_explain(view, &line, job, out);
    } else {
        bl_explain_in_order(view, &line, job, out);
    }
}

const struct bl_policy bl_policy_priority = {
    .name = "priority",
    .summary = "highest priority first, backfilling behind the head of the queue",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .plan_duration = plan_duration,
    .line = sort_line,
    .decide = decide,
    .explain = explain,
};
