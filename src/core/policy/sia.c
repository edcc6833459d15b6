/* Goodput-optimised, heterogeneity-aware scheduling after Jayaram Subramanya et al., "Sia",
 * SOSP'23: in each round every job gets at most one of (GPU type, count), so that the sum of lambda
 * - goodput^p is largest, goodputs relative to the job's smallest. What would restart a job counts
 * less, the more often it was restarted. Speeds are estimated from each job's own reports;
 * remaining work is never used. */
#include "core/counts.h"
#include "core/durations.h"
#include "core/estimate.h"
#include "core/hold.h"
#include "core/in_order.h"
#include "core/layout.h"
#include "core/policy.h"
#include "core/roster.h"
#include "core/solve.h"

#include "base/own.h"

#include <math.h>

enum { OPTION_P, OPTION_LAMBDA, OPTION_GROWTH, OPTION_PENALTY };

static const struct bl_option options[] = {
    [OPTION_P] = {.name = "p",
                  .kind = BL_OPTION_INT,
                  .low = -500,
                  .high = -1,
                  .standard = -50,
                  .help = "the exponent of fairness, in hundredths"},
    [OPTION_LAMBDA] = {.name = "lambda",
                       .kind = BL_OPTION_INT,
                       .low = 1,
                       .high = 10000,
                       .standard = 110,
                       .help = "what it is worth that a job has GPUs at all, in hundredths"},
    [OPTION_GROWTH] = {.name = "growth",
                       .kind = BL_OPTION_INT,
                       .low = 1,
                       .high = 1024,
                       .standard = 2,
                       .help = "at most so many times the GPUs that the job ever had"},
    [OPTION_PENALTY] = {.name = "penalty",
                        .kind = BL_OPTION_SPAN,
                        .low = 0,
                        .high = BL_DAY,
                        .standard = 0,
                        .help = "what a restart is taken to cost; 0 = what the job says"},
};

enum {
    CHOICES_MAX = 64, /* of one job */
    BUDGET = 200000   /* operations of the solver: beyond it lie parts of a hundredth */
};

struct sia {
    struct bl_estimates *estimates;
    struct bl_solver *solver;
};

static void *create(const struct bl_policy_choice *choice)
{
    struct sia *sia = bl_alloc_zero(sizeof *sia);

    (void)choice;
    sia->estimates = bl_estimates_create();
    sia->solver = bl_solver_create();
    return sia;
}

static void destroy(void *self)
{
    struct sia *sia = self;

    if (sia) {
        bl_estimates_destroy(sia->estimates);
        bl_solver_destroy(sia->solver);
        free(sia);
    }
}

/* All that one round works with. */
struct round {
    struct sia *sia;
    const struct bl_view *view;
    struct bl_roster roster;
    int64_t capacity[BL_SOLVE_TYPES_MAX];
    int32_t roomiest; /* type: that of the largest nodes, then of most GPUs */
    size_t *first;    /* of each entry's options */
    struct bl_solve_option *option;
    size_t option_count;
    int32_t *keep, *choice; /* of each entry: an option that it must have, and the one it gets */
};

/* A job that gave way so that others could move has its new place promised: as its level. */
enum { PROMISE_GPUS = 1 << 20 };
#define PROMISE_LASTS (10 * BL_MINUTE)

static int32_t promise_of(const struct bl_solve_option *option)
{
    return option->type * PROMISE_GPUS + option->gpus;
}

static bool has_promise(const struct bl_view *view, const struct bl_roster_entry *entry)
{
    return entry->standing == BL_STANDING_QUEUED && entry->job->level > 0 &&
           view->now - entry->job->level_at < PROMISE_LASTS;
}

static int32_t type_of(const struct bl_view *view, const struct bl_job *job)
{
    return view->cluster->node[bl_alloc_parts(bl_job_aim(job))->node].type;
}

/* While a restart goes on the job is left alone. */
static bool is_fixed(const struct bl_view *view, const struct bl_roster_entry *entry)
{
    return entry->standing == BL_STANDING_FIXED ||
           (entry->standing == BL_STANDING_RUNNING &&
            view->now < entry->job->started_at + entry->job->spec.restart);
}

/* What is taken from a value where the job would have to restart for it. */
static double restart_factor(const struct bl_view *view, const struct bl_job *job)
{
    bl_time option = view->choice->value[OPTION_PENALTY];
    double penalty = (double)(option ? option : job->spec.restart);
    double age = (double)(view->now - job->submitted_at);

    return age < penalty || age + penalty <= 0
               ? 1
               : fmax(age - job->restarts * penalty, 0) / (age + penalty);
}

static int32_t gpus_limit(const struct bl_view *view, const struct bl_job *job,
                          const struct bl_estimate *estimate)
{
    int64_t reach = view->choice->value[OPTION_GROWTH] * bl_estimate_gpus_seen(estimate, view);

    reach = reach > job->spec.gpus_min ? reach : job->spec.gpus_min;
    return reach < job->spec.gpus_max ? (int32_t)reach : job->spec.gpus_max;
}

/* Powers of two below a node, and whole nodes; the least count and those that a job lists itself.
 */
static bool is_choice(const struct bl_job_spec *spec, int32_t gpus, int32_t node_gpus)
{
    bool is_regular = gpus < node_gpus ? (gpus & (gpus - 1)) == 0 : gpus % node_gpus == 0;

    return is_regular || gpus == spec->gpus_min || spec->gpu_count_count > 0;
}

static bool may_use(const struct bl_view *view, const struct bl_job *job, int32_t type)
{
    return view->cluster->type_node_gpus[type] > 0 &&
           (!job->type_mask || job->type_mask >> type & 1);
}

/* Goodputs as they are estimated. Before anything is known of the job, the least count of each type
 * is as good as any. */
static void add_choices(struct round *round, const struct bl_job *job, struct bl_estimate *estimate)
{
    size_t first = round->option_count;
    int32_t types = (int32_t)round->view->cluster->type_count;
    int32_t most = gpus_limit(round->view, job, estimate);
    int32_t count[BL_COUNTS_MAX];
    size_t counts = bl_job_choices(round->view, job, BL_COUNTS_AUTO, count);

    for (int32_t type = 0; type < types && type < BL_SOLVE_TYPES_MAX; type++) {
        int32_t node_gpus = round->view->cluster->type_node_gpus[type];

        for (size_t i = 0;
             may_use(round->view, job, type) && i < counts && count[i] <= most &&
             count[i] <= round->capacity[type] && round->option_count - first < CHOICES_MAX;
             i++) {
            if (count[i] > 0 && is_choice(&job->spec, count[i], node_gpus)) {
                round->option[round->option_count++] = (struct bl_solve_option){
                    bl_estimate_goodput(estimate, round->view, type, count[i]), count[i], type};
            }
        }
    }
}

/* Relative to the smallest. */
static void normalise(struct bl_solve_option *option, size_t count, int32_t least_gpus)
{
    double least = INFINITY;

    for (size_t i = 0; i < count; i++) {
        least = option[i].value > 0 ? fmin(least, option[i].value) : least;
    }
    for (size_t i = 0; i < count; i++) {
        option[i].value = isfinite(least) ? option[i].value / least : option[i].gpus <= least_gpus;
    }
}

/* What is as good is better where there is room to grow. */
#define TIE 1e-4

/* To two decimals, as published: what differs by less is as good. */
static double worth(const struct bl_view *view, double relative)
{
    double p = (double)view->choice->value[OPTION_P] / 100;
    double lambda = (double)view->choice->value[OPTION_LAMBDA] / 100;

    return relative > 0 ? lambda - nearbyint(pow(relative, p) * 100) / 100 : -INFINITY;
}

static void add_promised(struct round *round, const struct bl_job *job)
{
    round->option[round->option_count++] =
        (struct bl_solve_option){1, job->level % PROMISE_GPUS, job->level / PROMISE_GPUS};
}

static void add_entry(struct round *round, const struct bl_roster_entry *entry)
{
    const struct bl_job *job = entry->job;
    size_t first = round->option_count;
    bool has_place = entry->standing == BL_STANDING_RUNNING;
    int32_t type = has_place ? type_of(round->view, job) : -1;
    double factor = has_place ? restart_factor(round->view, job) : 1;

    add_choices(round, job, bl_estimates_of(round->sia->estimates, round->view, job));
    normalise(round->option + first, round->option_count - first, job->spec.gpus_min);
    for (size_t i = first; i < round->option_count; i++) {
        struct bl_solve_option *option = &round->option[i];
        bool is_same = has_place && option->type == type && option->gpus == entry->gpus;

        option->value = worth(round->view, option->value * (is_same ? 1 : factor)) +
                        (option->type == round->roomiest ? TIE : 0);
    }
}

static void find_roomiest(struct round *round)
{
    const int32_t *node_gpus = round->view->cluster->type_node_gpus;
    int32_t best = 0;

    for (int32_t type = 1; type < BL_SOLVE_TYPES_MAX; type++) {
        if (node_gpus[type] > node_gpus[best] ||
            (node_gpus[type] == node_gpus[best] && round->capacity[type] > round->capacity[best])) {
            best = type;
        }
    }
    round->roomiest = best;
}

static void count_capacity(struct round *round)
{
    const struct bl_cluster *cluster = round->view->cluster;

    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        if (node->state == BL_NODE_UP && node->type >= 0 && node->type < BL_SOLVE_TYPES_MAX) {
            round->capacity[node->type] += bl_hold_open(cluster, (int32_t)i);
        }
    }
    find_roomiest(round);
    for (size_t i = 0; i < round->roster.count; i++) {
        const struct bl_roster_entry *entry = &round->roster.entry[i];

        if (is_fixed(round->view, entry) && entry->gpus > 0) {
            int32_t type = type_of(round->view, entry->job);

            round->capacity[type < BL_SOLVE_TYPES_MAX ? type : 0] -= entry->gpus;
        }
    }
}

static void solve(struct round *round)
{
    size_t jobs = round->roster.count;
    struct bl_arena *scratch = round->view->scratch;
    size_t types = round->view->cluster->type_count;
    struct bl_solve_problem problem = {
        .types = (int32_t)(types < BL_SOLVE_TYPES_MAX ? types : BL_SOLVE_TYPES_MAX),
        .capacity = round->capacity,
        .jobs = jobs};
    struct bl_solve_change change = {0};
    struct bl_solve_answer answer;

    round->first = bl_arena_alloc(scratch, (jobs + 1) * sizeof *round->first);
    round->option = bl_arena_alloc(scratch, (jobs * CHOICES_MAX + 1) * sizeof *round->option);
    round->choice = bl_arena_alloc(scratch, (jobs + 1) * sizeof *round->choice);
    round->keep = bl_arena_alloc(scratch, (jobs + 1) * sizeof *round->keep);
    for (size_t i = 0; i < jobs; i++) {
        const struct bl_roster_entry *entry = &round->roster.entry[i];

        round->first[i] = round->option_count;
        round->keep[i] = has_promise(round->view, entry) ? 0 : BL_SOLVE_NONE;
        if (round->keep[i] == 0) {
            add_promised(round, entry->job);
        } else if (entry->standing != BL_STANDING_LEAVING && !is_fixed(round->view, entry)) {
            add_entry(round, entry);
        }
    }
    round->first[jobs] = round->option_count;
    problem.first = round->first;
    problem.option = round->option;
    problem.keep = round->keep;
    answer.choice = round->choice;
    bl_solve(round->sia->solver, &problem, &change, BUDGET, &answer);
}

/* The jobs that are to have GPUs, with their places. `from` tells whose entry each is. */
struct layout {
    struct bl_layout_item *item;
    size_t *from;
    size_t count;
};

static struct layout lay_out(const struct round *round)
{
    struct bl_arena *scratch = round->view->scratch;
    size_t most = round->roster.count + 1;
    struct layout layout = {bl_arena_alloc(scratch, most * sizeof *layout.item),
                            bl_arena_alloc(scratch, most * sizeof *layout.from), 0};

    for (size_t i = 0; i < round->roster.count; i++) {
        const struct bl_roster_entry *entry = &round->roster.entry[i];
        struct bl_layout_item item = {.job = entry->job};

        if (is_fixed(round->view, entry)) {
            item.is_fixed = true;
            item.gpus = entry->gpus;
        } else if (round->choice[i] != BL_SOLVE_NONE) {
            item.type = round->option[round->first[i] + (size_t)round->choice[i]].type;
            item.gpus = round->option[round->first[i] + (size_t)round->choice[i]].gpus;
        }
        if (item.gpus > 0) {
            layout.from[layout.count] = i;
            layout.item[layout.count++] = item;
        }
    }
    bl_layout_make(round->view->cluster, scratch, layout.item, layout.count);
    return layout;
}

/* Who is to have none gives way; answers whether anybody does. */
static bool send_away(const struct round *round, struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_PREEMPTED};
    bool is_any = false;

    for (size_t i = 0; i < round->roster.count; i++) {
        const struct bl_roster_entry *entry = &round->roster.entry[i];

        if (entry->standing == BL_STANDING_RUNNING && !is_fixed(round->view, entry) &&
            round->choice[i] == BL_SOLVE_NONE) {
            bl_decision_preempt(decision, entry->index, &reason);
            is_any = true;
        }
    }
    return is_any;
}

/* A job of one size that is to move ends here and starts there. */
static bool resize(const struct round *round, const struct layout *layout, size_t index,
                   struct bl_decision *decision)
{
    const struct bl_roster_entry *entry = &round->roster.entry[layout->from[index]];
    const struct bl_reason reason = {BL_REASON_RESIZED, .need = layout->item[index].gpus,
                                     .have = entry->gpus};
    struct bl_alloc alloc;

    if (!bl_layout_try(round->view->cluster, &layout->item[index], &alloc)) {
        return false;
    }
    if (bl_job_is_elastic(&entry->job->spec)) {
        bl_decision_resize(decision, entry->index, &alloc, &reason);
    } else {
        bl_decision_preempt(decision, entry->index, &reason);
    }
    bl_alloc_finish(&alloc);
    return true;
}

static void give_way(const struct round *round, size_t index, struct bl_decision *decision)
{
    const struct bl_roster_entry *entry = &round->roster.entry[index];
    const struct bl_reason reason = {.code = BL_REASON_PREEMPTED};

    bl_decision_set_level(
        decision, entry->job->id,
        promise_of(&round->option[round->first[index] + (size_t)round->choice[index]]));
    bl_decision_preempt(decision, entry->index, &reason);
}

/* Moves all that can move now; who waits for GPUs of others runs on until they are free. Where all
 * wait for each other, the last to come gives way. */
static void move(const struct round *round, const struct layout *layout, bool is_any_away,
                 struct bl_decision *decision)
{
    size_t waiting = SIZE_MAX;

    for (size_t i = 0; i < layout->count; i++) {
        const struct bl_roster_entry *entry = &round->roster.entry[layout->from[i]];

        if (entry->standing == BL_STANDING_RUNNING && !layout->item[i].is_fixed &&
            bl_layout_moves(&layout->item[i])) {
            bool is_moved = layout->item[i].part && resize(round, layout, i, decision);

            is_any_away = is_any_away || is_moved;
            waiting = is_moved ? waiting : i;
        }
    }
    for (size_t i = 0; i < round->roster.count; i++) {
        is_any_away = is_any_away || round->roster.entry[i].standing == BL_STANDING_LEAVING ||
                      round->roster.entry[i].job->state == BL_JOB_RESIZING;
    }
    if (!is_any_away && waiting != SIZE_MAX) {
        give_way(round, layout->from[waiting], decision);
    }
}

/* Who found no place among nodes that are unlike may still fit in pieces. */
static void start(const struct round *round, const struct layout *layout,
                  struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};

    for (size_t i = 0; i < layout->count; i++) {
        const struct bl_roster_entry *entry = &round->roster.entry[layout->from[i]];
        struct bl_alloc alloc;

        if (entry->standing == BL_STANDING_QUEUED && !layout->item[i].part) {
            bl_roster_start(decision, round->view, entry, layout->item[i].gpus);
        } else if (entry->standing == BL_STANDING_QUEUED &&
                   bl_layout_try(round->view->cluster, &layout->item[i], &alloc)) {
            bl_decision_set_level(decision, entry->job->id, 0);
            bl_decision_start(decision, entry->index, &alloc, &reason);
            bl_alloc_finish(&alloc);
        }
    }
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct round round = {.sia = self, .view = view, .roster = bl_roster_make(view)};
    struct layout layout;
    bool is_any_away;

    count_capacity(&round);
    solve(&round);
    layout = lay_out(&round);
    is_any_away = send_away(&round, decision);
    move(&round, &layout, is_any_away, decision);
    start(&round, &layout, decision);
    bl_roster_start_gpuless(decision, view, &round.roster);
    bl_estimates_sweep(round.sia->estimates);
}

const struct bl_policy bl_policy_sia = {
    .name = "sia",
    .summary = "GPU types and counts of all jobs together, by their goodput (Sia)",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .create = create,
    .destroy = destroy,
    .is_elastic = true,
    .learns_alone = true,
    .plan_duration = bl_plan_to_limit,
    .decide = decide,
    .explain = bl_explain_each_by_fit,
};
