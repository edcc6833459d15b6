/* Shortest job first: by planned duration, or by the GPU time that is expected of it, then first
 * come. By default a job that does not fit is passed over; a strict head waits. Large jobs may
 * starve: that is what this policy is for. */
#include "core/durations.h"
#include "core/in_order.h"
#include "core/place.h"
#include "core/policy.h"

enum { OPTION_DURATIONS, OPTION_HEAD, OPTION_ORDER, OPTION_PREDICTOR };
enum { HEAD_SKIP, HEAD_STRICT };
enum { ORDER_RUN, ORDER_SERVICE };

static const char *const head_words[] = {"skip", "strict", NULL};
static const char *const order_words[] = {"run", "service", NULL};

static const struct bl_option options[] = {
    [OPTION_DURATIONS] = BL_OPTION_DURATIONS,
    [OPTION_HEAD] = {.name = "head",
                     .kind = BL_OPTION_WORD,
                     .words = head_words,
                     .standard = HEAD_SKIP,
                     .help = "whether a job that does not fit is passed over or waited for"},
    [OPTION_ORDER] = {.name = "order",
                      .kind = BL_OPTION_WORD,
                      .words = order_words,
                      .standard = ORDER_RUN,
                      .help = "what is to be short: the run, or the run by its GPUs, of which many "
                              "small ones get more"},
    [OPTION_PREDICTOR] = BL_OPTION_PREDICTOR,
};

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    return bl_duration_of(choice->value[OPTION_DURATIONS], job, gpus);
}

static bool is_shorter(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return a->duration < b->duration;
}

/* Of a prediction the mean counts: GPUs that one long run holds are many short runs' wait. */
static double service_of(const struct bl_queue_entry *entry, bool is_predicted)
{
    bl_time mean = is_predicted ? entry->job->foresight.mean : 0;

    return (double)(mean > 0 ? mean : entry->duration) * (entry->gpus > 0 ? entry->gpus : 1);
}

static bool is_less_planned(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return service_of(a, false) < service_of(b, false);
}

static bool is_less_expected(const struct bl_queue_entry *a, const struct bl_queue_entry *b)
{
    return service_of(a, true) < service_of(b, true);
}

typedef bool before(const struct bl_queue_entry *a, const struct bl_queue_entry *b);

static before *order_of(const struct bl_view *view)
{
    const int64_t *value = view->choice->value;

    if (value[OPTION_ORDER] == ORDER_RUN) {
        return is_shorter;
    }
    return value[OPTION_DURATIONS] == BL_DURATIONS_PREDICT ? is_less_expected : is_less_planned;
}

static struct bl_line sort_line(const struct bl_view *view)
{
    return bl_line_sort(view, order_of(view));
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_line line = sort_line(view);

    (void)self;
    if (view->choice->value[OPTION_HEAD] == HEAD_SKIP) {
        bl_start_all_that_fit(view, &line, bl_place_try, decision);
    } else {
        bl_start_in_order(view, &line, decision);
    }
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_line line = bl_line_keep(view, order_of(view));

    (void)self;
    if (view->choice->value[OPTION_HEAD] == HEAD_SKIP) {
        bl_explain_by_fit(view, job, out);
    } else {
        bl_explain_in_order(view, &line, job, out);
    }
}

const struct bl_policy bl_policy_sjf = {
    .name = "sjf",
    .summary = "shortest job first",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .plan_duration = plan_duration,
    .line = sort_line,
    .decide = decide,
    .explain = explain,
};
