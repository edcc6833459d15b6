/* Conservative backfilling (Mu'alem and Feitelson 2001): every job of the queue gets its place in
 * the plan, in order of arrival, and starts when its place has come. The plan of a round is the one
 * that is made anew, in the same order, so that an early end lets all move up; where nothing has
 * happened that could change it, that of the last round is it.
 *
 * Only the first `depth` jobs are planned: what lies beyond neither starts nor delays anyone. */
#include "core/durations.h"
#include "core/in_order.h"
#include "core/place.h"
#include "core/plan_kept.h"
#include "core/policy.h"

enum { OPTION_DURATIONS, OPTION_DEPTH, OPTION_PREDICTOR };
enum { DEPTH_MAX = 1000000, DEPTH_STANDARD = 1000 };

static const struct bl_option options[] = {
    [OPTION_DURATIONS] = BL_OPTION_DURATIONS,
    [OPTION_DEPTH] = {.name = "depth",
                      .kind = BL_OPTION_INT,
                      .low = 1,
                      .high = DEPTH_MAX,
                      .standard = DEPTH_STANDARD,
                      .help = "how many jobs of the queue get a place in the plan"},
    [OPTION_PREDICTOR] = BL_OPTION_PREDICTOR,
};

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    return bl_duration_of(choice->value[OPTION_DURATIONS], job, gpus);
}

static void *create(const struct bl_policy_choice *choice)
{
    (void)choice;
    return bl_plan_kept_create();
}

static void destroy(void *self)
{
    bl_plan_kept_destroy(self);
}

/* Starts one job whose place in the plan is now. The plan and the books agree on counts; should the
 * GPUs lie otherwise than planned, the job keeps its place and waits. */
static bool start_now(struct bl_plan_kept *plan, const struct bl_view *view, size_t index,
                      struct bl_decision *decision)
{
    const struct bl_queue_entry *entry = &view->queue[index];
    struct bl_reason reason = {.code = index > 0 ? BL_REASON_PLANNED : BL_REASON_IN_ORDER,
                               .at = view->now};
    struct bl_alloc alloc;

    if (!bl_place_try(view->cluster, entry->job, entry->gpus, &alloc)) {
        return false;
    }
    bl_decision_start(decision, index, &alloc, &reason);
    bl_plan_kept_start(plan, &alloc);
    bl_alloc_finish(&alloc);
    return true;
}

/* An array's entry is planned element by element until one of them must wait. */
static void plan_entry(struct bl_plan_kept *plan, const struct bl_view *view, size_t index,
                       struct bl_decision *decision)
{
    const struct bl_queue_entry *entry = &view->queue[index];

    while (entry->job && bl_plan_kept_add(plan, view, index) == view->now) {
        if (!start_now(plan, view, index, decision)) {
            break;
        }
    }
}

/* The least GPUs that any job from each place on asks for: where nobody behind could start now,
 * there is nothing left to decide. */
static const int32_t *least_behind(const struct bl_view *view, size_t depth)
{
    int32_t *least = bl_arena_alloc(view->scratch, depth * sizeof *least);

    for (size_t i = depth; i-- > 0;) {
        int32_t gpus = view->queue[i].gpus;

        least[i] = i + 1 < depth && least[i + 1] < gpus ? least[i + 1] : gpus;
    }
    return least;
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_plan_kept *plan = self;
    size_t depth = (size_t)view->choice->value[OPTION_DEPTH];
    const int32_t *least;

    depth = depth < view->queue_count ? depth : view->queue_count;
    least = least_behind(view, depth);
    if (depth == 0 || least[0] > view->cluster->free.amount[BL_RESOURCE_GPU]) {
        return;
    }
    for (size_t i = bl_plan_kept_begin(plan, view); i < depth; i++) {
        if (least[i] > view->cluster->free.amount[BL_RESOURCE_GPU]) {
            break;
        }
        plan_entry(plan, view, i, decision);
    }
    bl_plan_kept_end(plan, view);
}

/* With every entry of the queue in its place, once for all jobs that are asked about. */
static const struct bl_plan_kept *plan_all(struct bl_plan_kept *plan, const struct bl_view *view)
{
    if (!view->memo->kept) {
        for (size_t i = bl_plan_kept_begin(plan, view); i < view->queue_count; i++) {
            bl_plan_kept_add(plan, view, i);
        }
        bl_plan_kept_end(plan, view);
        view->memo->kept = plan;
    }
    return plan;
}

static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_line line = {0};

    bl_explain_in_order(view, &line, job, out);
    if (out->code == BL_REASON_PRIORITY && (size_t)out->need < view->queue_count) {
        *out = (struct bl_reason){BL_REASON_PLANNED, .at = bl_plan_kept_start_of(
                                                         plan_all(self, view), (size_t)out->need)};
    }
}

const struct bl_policy bl_policy_conservative = {
    .name = "conservative",
    .summary = "conservative backfilling: every job has its place in the plan",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .create = create,
    .destroy = destroy,
    .plan_duration = plan_duration,
    .is_thorough = true,
    .decide = decide,
    .explain = explain,
};
