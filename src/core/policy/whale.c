/* All jobs together: how many GPUs, of which type, on which nodes, chosen anew whenever something
 * changes so that the mean completion time is least. What each choice of each job is worth comes
 * from core/hesrpt, the joint choice from core/solve, and where few jobs meet few nodes every way
 * to the end is looked at instead (core/ahead). Jobs that cannot be resized or put back run beside
 * the others on what they have.
 *
 * Nobody starves: a job that has waited for longer than `patience` goes before all that have not,
 * the oldest first, and takes its least count from jobs that may be resized or put back; as long as
 * there is no room even so, nothing starts that could not be put back. So it waits no longer than
 * `patience`, the jobs that became due before it, and what is left of the limits of those that were
 * started before and may not be put back. */
#include "core/ahead.h"
#include "base/sort.h"
#include "core/durations.h"
#include "core/hesrpt.h"
#include "core/in_order.h"
#include "core/place.h"
#include "core/policy.h"
#include "core/regroup.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_HOLD, OPTION_PATIENCE, OPTION_PREEMPT, OPTION_COUNTS, OPTION_BUDGET };
enum { BUDGET_UNIT = 1000, TRIES_MAX = 8 };

static const char *const preempt_words[] = {"elastic", "restartable", NULL};

static const char *const count_words[] = {"auto", "pow2", "all", NULL};

static const struct bl_option options[] = {
    [OPTION_HOLD] = {.name = "hold",
                     .kind = BL_OPTION_SPAN,
                     .low = BL_SECOND,
                     .high = BL_DAY,
                     .standard = BL_MINUTE,
                     .help = "how long a job runs at least between two changes, unless they "
                             "cost nothing"},
    [OPTION_PATIENCE] = {.name = "patience",
                         .kind = BL_OPTION_SPAN,
                         .low = BL_MINUTE,
                         .high = 365 * BL_DAY,
                         .standard = BL_DAY,
                         .help = "a job that has waited longer goes before all that have not"},
    [OPTION_PREEMPT] = {.name = "preempt",
                        .kind = BL_OPTION_WORD,
                        .words = preempt_words,
                        .standard = BL_CREW_PREEMPT_ELASTIC,
                        .help = "who may be put back to the queue: preemptible and elastic jobs, "
                                "or all that may be restarted as well"},
    [OPTION_COUNTS] = {.name = "counts",
                       .kind = BL_OPTION_WORD,
                       .words = count_words,
                       .standard = BL_COUNTS_AUTO,
                       .help = "of a job's range: every count in a pool of up to 64 GPUs and round "
                               "ones in others, powers of two and whole nodes only, or every "
                               "count"},
    [OPTION_BUDGET] = {.name = "budget",
                       .kind = BL_OPTION_INT,
                       .low = 1,
                       .high = 1000000,
                       .standard = 4000,
                       .help = "work of a round's search at most, in thousands of steps"},
};

static struct bl_crew_rules rules_of(const struct bl_view *view)
{
    const int64_t *value = view->choice->value;

    return (struct bl_crew_rules){.hold = value[OPTION_HOLD],
                                  .patience = value[OPTION_PATIENCE],
                                  .preempt = (enum bl_crew_preempt)value[OPTION_PREEMPT],
                                  .counts = (enum bl_counts)value[OPTION_COUNTS]};
}

static int64_t budget_of(const struct bl_view *view)
{
    return view->choice->value[OPTION_BUDGET] * BUDGET_UNIT;
}

/* Whether so few jobs meet so few nodes that all ways can be looked at, all being in time. */
static bool is_small(const struct bl_crew *crew)
{
    if (!crew->is_by_node || crew->bucket_count > BL_AHEAD_NODES_MAX ||
        crew->count > BL_AHEAD_JOBS_MAX) {
        return false;
    }
    for (size_t i = 0; i < crew->count; i++) {
        if (crew->member[i].is_due || crew->member[i].count > BL_AHEAD_CONFIGS_MAX) {
            return false;
        }
    }
    return true;
}

static void describe_ahead(const struct bl_crew *crew, struct bl_ahead_problem *problem)
{
    problem->nodes = crew->bucket_count;
    problem->jobs = (int32_t)crew->count;
    for (int32_t b = 0; b < crew->bucket_count; b++) {
        problem->room[b] = (int32_t)crew->bucket[b].room;
    }
    for (size_t i = 0; i < crew->count; i++) {
        const struct bl_crew_member *member = &crew->member[i];
        struct bl_ahead_job *job = &problem->job[i];

        job->left_s = member->left_s;
        job->restart_s = member->restart_s;
        job->current = BL_AHEAD_NONE;
        job->hold = member->bond == BL_CREW_PINNED ? BL_AHEAD_TO_THE_END
                    : member->bond == BL_CREW_HELD ? BL_AHEAD_FIRST
                                                   : BL_AHEAD_OPEN;
        for (size_t k = 0; k < member->count; k++) {
            const struct bl_crew_option *option = &crew->option[member->first + k];

            job->config[job->config_count++] =
                (struct bl_ahead_config){option->bucket, option->gpus, option->speed};
            if (member->is_running && option->bucket == member->bucket &&
                option->gpus == member->gpus) {
                job->current = (int32_t)k;
            }
        }
    }
}

static void set_target(const struct bl_crew *crew, struct bl_crew_member *member, int32_t option)
{
    member->bucket_to = option < 0 ? BL_CREW_NONE : crew->option[member->first + option].bucket;
    member->gpus_to = option < 0 ? 0 : crew->option[member->first + option].gpus;
}

static bool look_ahead(const struct bl_crew *crew)
{
    struct bl_ahead_problem *problem;
    struct bl_ahead_answer answer;

    if (!is_small(crew)) {
        return false;
    }
    problem = bl_arena_alloc(crew->view->scratch, sizeof *problem);
    describe_ahead(crew, problem);
    if (!bl_ahead(problem, budget_of(crew->view), &answer)) {
        return false;
    }
    for (size_t i = 0; i < crew->count; i++) {
        set_target(crew, &crew->member[i], answer.choice[i]);
    }
    return true;
}

static int compare_due(const void *left, const void *right)
{
    const struct bl_crew_member *a = *(struct bl_crew_member *const *)left;
    const struct bl_crew_member *b = *(struct bl_crew_member *const *)right;

    if (a->waited_s > b->waited_s || a->waited_s < b->waited_s) {
        return a->waited_s > b->waited_s ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

/* The option of least GPUs in the bucket with most room left for it; BL_SOLVE_NONE. */
static int32_t least_option(const struct bl_crew *crew, const struct bl_crew_member *member,
                            const int64_t *left)
{
    int32_t best = BL_SOLVE_NONE;

    for (size_t k = 0; k < member->count; k++) {
        const struct bl_crew_option *option = &crew->option[member->first + k];
        const struct bl_crew_option *chosen =
            &crew->option[member->first + (size_t)(best < 0 ? 0 : best)];

        if (option->gpus <= left[option->bucket] &&
            (best < 0 || option->gpus < chosen->gpus ||
             (option->gpus == chosen->gpus && left[option->bucket] > left[chosen->bucket]))) {
            best = (int32_t)k;
        }
    }
    return best;
}

static bool may_leave_again(const struct bl_view *view, const struct bl_job *job)
{
    return bl_job_gives_way(&job->spec) ||
           (view->choice->value[OPTION_PREEMPT] == BL_CREW_PREEMPT_RESTARTABLE &&
            job->spec.may_restart);
}

/* Keeps a least option for each job that is due, oldest first. From the first for which there is no
 * room on, what could not be put back may not start. */
static void serve_due(const struct bl_crew *crew, int32_t *keep, double *value)
{
    struct bl_crew_member **due =
        bl_arena_alloc(crew->view->scratch, (crew->count + 1) * sizeof(struct bl_crew_member *));
    int64_t left[BL_CREW_BUCKETS_MAX];
    bool is_blocked = false;
    size_t count = 0;

    for (int32_t b = 0; b < crew->bucket_count; b++) {
        left[b] = crew->bucket[b].room;
    }
    for (size_t i = 0; i < crew->count; i++) {
        if (keep[i] >= 0) {
            left[crew->member[i].bucket] -= crew->member[i].gpus;
        }
        if (crew->member[i].is_due) {
            due[count++] = &crew->member[i];
        }
    }
    bl_sort(due, count, sizeof(struct bl_crew_member *), compare_due);
    for (size_t i = 0; i < count && !is_blocked; i++) {
        int32_t option = least_option(crew, due[i], left);

        is_blocked = option < 0;
        if (!is_blocked) {
            const struct bl_crew_option *chosen = &crew->option[due[i]->first + option];

            keep[due[i] - crew->member] = option;
            left[chosen->bucket] -= chosen->gpus;
        }
    }
    for (size_t i = 0; i < crew->count && is_blocked; i++) {
        const struct bl_crew_member *member = &crew->member[i];

        if (!member->is_running && keep[i] < 0 && !may_leave_again(crew->view, member->job)) {
            memset(&value[member->first], 0, member->count * sizeof *value);
        }
    }
}

/* The joint choice as a problem of core/solve. */
struct joint {
    const struct bl_crew *crew;
    double *value;
    int32_t *keep;
    size_t *first;
    struct bl_solve_option *option;
    int64_t capacity[BL_CREW_BUCKETS_MAX];
    int32_t *choice;
};

static void describe_joint(const struct bl_crew *crew, struct joint *joint)
{
    struct bl_arena *arena = crew->view->scratch;
    double patience_s = (double)crew->view->choice->value[OPTION_PATIENCE] / (double)BL_SECOND;

    *joint = (struct joint){
        .crew = crew,
        .value = bl_arena_alloc(arena, (crew->option_count + 1) * sizeof *joint->value),
        .keep = bl_arena_alloc(arena, (crew->count + 1) * sizeof *joint->keep),
        .first = bl_arena_alloc(arena, (crew->count + 1) * sizeof *joint->first),
        .option = bl_arena_alloc(arena, (crew->option_count + 1) * sizeof *joint->option),
        .choice = bl_arena_alloc(arena, (crew->count + 1) * sizeof *joint->choice),
    };
    bl_hesrpt(crew, patience_s, joint->value);
    for (size_t i = 0; i < crew->count; i++) {
        joint->keep[i] = crew->member[i].keep;
        joint->first[i] = crew->member[i].first;
    }
    joint->first[crew->count] = crew->option_count;
    serve_due(crew, joint->keep, joint->value);
    for (int32_t b = 0; b < crew->bucket_count; b++) {
        joint->capacity[b] = crew->bucket[b].room;
    }
}

/* A solver of its own for each round: what is decided follows from the view. */
static void solve_joint(struct joint *joint)
{
    const struct bl_crew *crew = joint->crew;
    struct bl_solve_problem problem = {
        crew->bucket_count, joint->capacity, crew->count, joint->first,
        joint->option,      joint->keep,     NULL};
    struct bl_solve_answer answer = {.choice = joint->choice};
    struct bl_solver *solver = bl_solver_create();

    for (size_t k = 0; k < crew->option_count; k++) {
        joint->option[k] =
            (struct bl_solve_option){joint->value[k], crew->option[k].gpus, crew->option[k].bucket};
    }
    bl_solve(solver, &problem, NULL, budget_of(crew->view), &answer);
    bl_solver_destroy(solver);
    for (size_t i = 0; i < crew->count; i++) {
        set_target(crew, &crew->member[i], joint->choice[i]);
    }
}

/* What has no place on the nodes is worth nothing; nor is more of it. */
static void forbid(struct joint *joint, const bool *misfit)
{
    const struct bl_crew *crew = joint->crew;

    for (size_t i = 0; i < crew->count; i++) {
        const struct bl_crew_member *member = &crew->member[i];

        for (size_t k = member->first; k < member->first + member->count && misfit[i]; k++) {
            if (crew->option[k].bucket == member->bucket_to &&
                crew->option[k].gpus >= member->gpus_to) {
                joint->value[k] = 0;
            }
        }
    }
}

/* Types are counted, but GPUs lie on nodes: when somebody finds no place there, all choose anew
 * without it, a few times. */
static void decide_jointly(const struct bl_crew *crew, struct bl_decision *decision)
{
    bool *misfit = bl_arena_alloc(crew->view->scratch, (crew->count + 1) * sizeof *misfit);
    struct joint joint;
    int tries = 1;

    describe_joint(crew, &joint);
    solve_joint(&joint);
    while (!bl_regroup(crew, decision, tries < TRIES_MAX ? misfit : NULL)) {
        forbid(&joint, misfit);
        solve_joint(&joint);
        tries++;
    }
}

/* Jobs without GPUs do not compete for them: what fits starts, first come first. */
static void start_without_gpus(const struct bl_view *view, struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};

    for (size_t i = 0; i < view->queue_count; i++) {
        struct bl_alloc alloc;

        while (view->queue[i].job && view->queue[i].job->spec.gpus_max == 0 &&
               bl_place_try(view->cluster, view->queue[i].job, 0, &alloc)) {
            bl_decision_start(decision, i, &alloc, &reason);
            bl_alloc_finish(&alloc);
        }
    }
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_crew_rules rules = rules_of(view);
    struct bl_crew crew = bl_crew_gather(view, &rules);

    (void)self;
    if (crew.wake_at < BL_TIME_NEVER) {
        bl_decision_wake(decision, crew.wake_at);
    }
    if (crew.count > 0) {
        if (look_ahead(&crew)) {
            bl_regroup(&crew, decision, NULL);
        } else {
            decide_jointly(&crew, decision);
        }
    }
    start_without_gpus(view, decision);
}

/* Where the least count would not fit: why, or that others do more with the GPUs; else it was left
 * to wait for more. */
static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_job least = *job;

    (void)self;
    least.gpus_wish = job->gpus_wish > 0 ? job->gpus_wish : job->spec.gpus_min;
    bl_explain_by_fit(view, &least, out);
    if (out->code == BL_REASON_RESOURCES && out->need > 0) {
        *out = (struct bl_reason){.code = BL_REASON_OUTBID, .need = out->need, .have = out->have};
    } else if (out->code == BL_REASON_UNDECIDED && view->now > job->eligible_at) {
        out->code = BL_REASON_FOR_MORE;
    }
}

const struct bl_policy bl_policy_whale = {
    .name = "whale",
    .summary = "all jobs together: counts, types and nodes for the least mean completion time",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .is_elastic = true,
    .plan_duration = bl_plan_to_limit,
    .decide = decide,
    .explain = explain,
};
