/* Packing without reservations: whatever fits starts, oldest first, on the node where it leaves
 * least room (best fit) or on the first node that holds it (first fit). */
#include "core/durations.h"
#include "core/in_order.h"
#include "core/place.h"
#include "core/policy.h"

enum { OPTION_FIT };
enum { FIT_BEST, FIT_FIRST };

static const char *const fit_words[] = {"best", "first", NULL};

static const struct bl_option options[] = {
    [OPTION_FIT] = {.name = "fit",
                    .kind = BL_OPTION_WORD,
                    .words = fit_words,
                    .standard = FIT_BEST,
                    .help = "the node where a job leaves least room, or the first that holds it"},
};

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_line line = {0};
    bool is_first = view->choice->value[OPTION_FIT] == FIT_FIRST;

    (void)self;
    bl_start_all_that_fit(view, &line, is_first ? bl_place_first : bl_place_try, decision);
}

const struct bl_policy bl_policy_pack = {
    .name = "pack",
    .summary = "whatever fits starts, packed tightly; no reservations",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .plan_duration = bl_plan_to_limit,
    .decide = decide,
    .explain = bl_explain_each_by_fit,
};
