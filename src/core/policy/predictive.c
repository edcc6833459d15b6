/* The whole queue in an order that follows from what is foreseen of each job, EASY backfilling by
 * predictions behind its head, and a safeguard that keeps what every job was promised by limits;
 * see core/guard.h. */
#include "core/backfill.h"
#include "core/durations.h"
#include "core/guard.h"
#include "core/policy.h"

enum { OPTION_ORDER, OPTION_WAIT, OPTION_PATIENCE, OPTION_GUARD, OPTION_PREDICTOR, OPTION_FRONT };

enum { ORDER_SMITH, ORDER_HASTE, ORDER_SHORTEST };

static const char *const order_words[] = {"smith", "haste", "shortest", NULL};

static const struct bl_option options[] = {
    [OPTION_ORDER] = {.name = "order",
                      .kind = BL_OPTION_WORD,
                      .words = order_words,
                      .standard = ORDER_SMITH,
                      .help =
                          "who goes first: the least expected run over what a second of waiting "
                          "costs it in slowdown, whom a second costs most, or the shortest"},
    [OPTION_WAIT] =
        {.name = "wait",
         .kind = BL_OPTION_SPAN,
         .low = 0,
         .high = BL_SPAN_MAX,
         .standard = 90 * BL_HOUR,
         .help = "how long others may pass a job, less for wide ones, and longer only where the "
                 "plan by limits has no earlier place"},
    [OPTION_PATIENCE] = {.name = "patience",
                         .kind = BL_OPTION_SPAN,
                         .low = 0,
                         .high = BL_SPAN_MAX,
                         .standard = 55 * BL_HOUR,
                         .help = "after how long a job, a wide one earlier, goes before all that "
                                 "wait for less, and keeps its place in the plan"},
    [OPTION_GUARD] = {.name = "guard",
                      .kind = BL_OPTION_BOOL,
                      .standard = 1,
                      .help = "whether every job is promised a latest start"},
    [OPTION_PREDICTOR] = BL_OPTION_PREDICTOR,
    [OPTION_FRONT] = {.name = "front",
                      .kind = BL_OPTION_INT,
                      .low = 1,
                      .high = 1000000,
                      .standard = 2048,
                      .help = "how many of a longer queue each decision plans anew"},
};

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    (void)choice;
    return bl_duration_of(BL_DURATIONS_PREDICT, job, gpus);
}

/* Where nothing is foreseen, the limit counts. */
static double mean_of(const struct bl_queue_entry *entry)
{
    bl_time mean = entry->job->foresight.mean;

    return (double)(mean > 0 ? mean : entry->duration) / BL_SECOND;
}

static double haste_of(const struct bl_queue_entry *entry)
{
    const struct bl_foresight *foresight = &entry->job->foresight;
    double seconds = (double)entry->duration / BL_SECOND;

    return foresight->mean > 0 ? foresight->haste : 1 / (seconds > 10 ? seconds : 10);
}

/* Who has waited long enough goes first, in order of arrival. */
static bool is_settled_by_age(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return a->job->guard.is_aged || b->job->guard.is_aged;
}

static bool is_older(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return a->job->guard.is_aged && !b->job->guard.is_aged;
}

static bool is_smaller_by_smith(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return is_settled_by_age(a, b) ? is_older(a, b)
                                   : mean_of(a) * haste_of(b) < mean_of(b) * haste_of(a);
}

static bool is_hastier(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return is_settled_by_age(a, b) ? is_older(a, b) : haste_of(a) > haste_of(b);
}

static bool is_shorter(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return is_settled_by_age(a, b) ? is_older(a, b) : a->duration < b->duration;
}

typedef bool before(const struct bl_queue_entry *a, const struct bl_queue_entry *b);

static before *const orders[] = {
    [ORDER_SMITH] = is_smaller_by_smith, [ORDER_HASTE] = is_hastier, [ORDER_SHORTEST] = is_shorter};

static before *order_of(const struct bl_view *view)
{
    return orders[view->choice->value[OPTION_ORDER]];
}

static struct bl_line sort_line(const struct bl_view *view)
{
    return bl_line_sort(view, order_of(view));
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_line line = sort_line(view);
    struct bl_guard *guard = NULL;

    (void)self;
    if (view->choice->value[OPTION_GUARD]) {
        guard = bl_guard_create(
            view, &(struct bl_guard_rules){.wait = view->choice->value[OPTION_WAIT],
                                           .patience = view->choice->value[OPTION_PATIENCE],
                                           .front = (size_t)view->choice->value[OPTION_FRONT]});
        line.may_start = bl_guard_may_start;
        line.self = guard;
    }
    bl_start_in_order(view, &line, decision);
    bl_backfill(view, &line, BL_BACKFILL_IN_LINE, decision);
    if (guard) {
        bl_guard_finish(guard, view, decision);
    }
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_line line = bl_line_keep(view, order_of(view));

    (void)self;
    bl_backfill_explain(view, &line, job, out);
}

const struct bl_policy bl_policy_predictive = {
    .name = "predictive",
    .summary = "the queue ordered by what is foreseen of jobs, with a latest start for each",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .predicts = true,
    .plan_duration = plan_duration,
    .is_thorough = true,
    .line = sort_line,
    .decide = decide,
    .explain = explain,
};
