#include "core/ahead.h"
#include "base/sort.h"
#include "core/ahead_parts.h"

#include <math.h>

/* Jobs on their way: what is left of each, and of the start that it is in. */
struct way {
    uint32_t mask; /* jobs that have not ended */
    double now_s;
    double total_s; /* completion times of those that have */
    double left_s[BL_AHEAD_JOBS_MAX];
    double pending_s[BL_AHEAD_JOBS_MAX];
    int8_t config[BL_AHEAD_JOBS_MAX];
};

struct child {
    double bound;
    int32_t plan;
    int32_t changes;
};

struct search {
    const struct bl_ahead_problem *problem;
    struct bl_ahead_plans plans[1 << BL_AHEAD_JOBS_MAX];
    double fastest[BL_AHEAD_JOBS_MAX]; /* speed */
    double leanest[BL_AHEAD_JOBS_MAX]; /* least GPUs a speed of 1 */
    double gpus;                       /* of all nodes */
    BL_VEC(struct child) stack;
    struct bl_ahead_plan first; /* of the way that is looked at */
    struct bl_ahead_plan best;
    double best_s;
    int64_t work, budget;
    bool is_found, is_cut;
};

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* No way on from here is shorter: the k-th job to end does so no sooner than the k-th shortest
 * could by itself at its fastest, nor before the machine has done the k smallest amounts of work.
 */
static double bound_of(const struct search *search, const struct way *way)
{
    double alone[BL_AHEAD_JOBS_MAX];
    double area[BL_AHEAD_JOBS_MAX];
    double bound = way->total_s;
    double sum = 0;
    size_t count = 0;

    for (int32_t j = 0; j < search->problem->jobs; j++) {
        if (way->mask >> j & 1) {
            alone[count] = way->left_s[j] / search->fastest[j];
            area[count++] = way->left_s[j] * search->leanest[j];
        }
    }
    bl_sort(alone, count, sizeof alone[0], compare_numbers);
    bl_sort(area, count, sizeof area[0], compare_numbers);
    for (size_t k = 0; k < count; k++) {
        sum += area[k];
        bound += way->now_s + fmax(alone[k], sum / search->gpus);
    }
    return bound;
}

static double speed_in(const struct search *search, const struct bl_ahead_plan *plan, int32_t job)
{
    int8_t config = plan->config[job];

    return config < 0 ? 0 : search->problem->job[job].config[config].speed;
}

/* What a start under the plan still takes before the job goes on. */
static double start_of(const struct search *search, const struct way *way,
                       const struct bl_ahead_plan *plan, int32_t job)
{
    return plan->config[job] == way->config[job] ? way->pending_s[job]
                                                 : search->problem->job[job].restart_s;
}

/* Time to the next end under the plan; infinite when nobody runs. */
static double step_of(const struct search *search, const struct way *way,
                      const struct bl_ahead_plan *plan)
{
    double step = HUGE_VAL;

    for (int32_t j = 0; j < search->problem->jobs; j++) {
        double speed = speed_in(search, plan, j);

        if ((way->mask >> j & 1) && speed > 0) {
            step = fmin(step, start_of(search, way, plan, j) + way->left_s[j] / speed);
        }
    }
    return step;
}

static struct way go(const struct search *search, const struct way *way,
                     const struct bl_ahead_plan *plan, double step)
{
    struct way next = *way;

    next.now_s += step;
    for (int32_t j = 0; j < search->problem->jobs; j++) {
        double speed = speed_in(search, plan, j);
        double start = start_of(search, way, plan, j);

        if (!(way->mask >> j & 1)) {
            continue;
        }
        next.config[j] = plan->config[j];
        next.pending_s[j] = speed > 0 ? fmax(0, start - step) : 0;
        next.left_s[j] -= speed * fmax(0, step - start);
        if (speed > 0 && start + way->left_s[j] / speed <= step * (1 + 1e-12)) {
            next.mask &= ~(UINT32_C(1) << j);
            next.total_s += next.now_s;
        }
    }
    return next;
}

static int compare_children(const void *left, const void *right)
{
    const struct child *a = left;
    const struct child *b = right;

    if (a->bound < b->bound || a->bound > b->bound) {
        return a->bound < b->bound ? -1 : 1;
    }
    if (a->changes != b->changes) {
        return a->changes < b->changes ? -1 : 1;
    }
    return (a->plan > b->plan) - (a->plan < b->plan);
}

/* The plans for the jobs that are left as children on the stack, best bound first. */
static void push_children(struct search *search, const struct way *way)
{
    const struct bl_ahead_plans *plans = &search->plans[way->mask];
    size_t before = search->stack.count;

    for (size_t i = 0; i < plans->list.count; i++) {
        const struct bl_ahead_plan *plan = &plans->list.at[i];
        double step = step_of(search, way, plan);

        if (step < HUGE_VAL) {
            struct way next = go(search, way, plan, step);

            BL_VEC_PUSH(&search->stack,
                        (struct child){bound_of(search, &next), (int32_t)i, plan->changes});
        }
    }
    search->work += (int64_t)plans->list.count;
    bl_sort(search->stack.at + before, search->stack.count - before, sizeof *search->stack.at,
            compare_children);
}

/* Staying as it is comes first: of equal ways the first stays the best. */
static void put_unchanged_first(struct search *search)
{
    for (size_t i = 0; i < search->stack.count; i++) {
        if (search->stack.at[i].changes == 0) {
            struct child same = search->stack.at[i];

            memmove(search->stack.at + 1, search->stack.at, i * sizeof same);
            search->stack.at[0] = same;
            return;
        }
    }
}

static void note_end(struct search *search, const struct way *way)
{
    if (!search->is_found || way->total_s < search->best_s * (1 - 1e-9)) {
        search->is_found = true;
        search->best = search->first;
        search->best_s = way->total_s;
    }
}

/* As deep as there are jobs: every step ends one. */
static void dive(struct search *search, const struct way *way)
{
    struct bl_ahead_plans *plans = &search->plans[way->mask];
    bool is_root = way->now_s <= 0;
    size_t base = search->stack.count;
    size_t end;

    if (!plans->is_made &&
        !bl_ahead_list(&(struct bl_ahead_scope){search->problem, way->mask, false}, search->budget,
                       &search->work, plans)) {
        search->is_cut = true;
    }
    push_children(search, way);
    end = search->stack.count;
    if (is_root) {
        put_unchanged_first(search);
    }
    if (base == end) {
        note_end(search, way); /* nobody who is left can run */
    }
    for (size_t i = base; i < end; i++) {
        struct child child = search->stack.at[i];
        const struct bl_ahead_plan *plan = &plans->list.at[child.plan];
        struct way next;

        if (search->is_found && child.bound >= search->best_s * (1 - 1e-9)) {
            if (is_root && i == base) {
                continue; /* out of order */
            }
            break;
        }
        if (search->is_found && search->work > search->budget) {
            search->is_cut = true;
            break;
        }
        if (is_root) {
            search->first = *plan;
        }
        next = go(search, way, plan, step_of(search, way, plan));
        if (next.mask) {
            dive(search, &next);
        } else {
            note_end(search, &next);
        }
    }
    search->stack.count = base;
}

static struct way begin(struct search *search)
{
    const struct bl_ahead_problem *problem = search->problem;
    struct way way = {0};

    for (int32_t n = 0; n < problem->nodes; n++) {
        search->gpus += problem->room[n];
    }
    for (int32_t j = 0; j < problem->jobs; j++) {
        const struct bl_ahead_job *job = &problem->job[j];

        way.left_s[j] = job->left_s;
        way.config[j] = (int8_t)job->current;
        search->leanest[j] = HUGE_VAL;
        for (int32_t c = 0; c < job->config_count; c++) {
            search->fastest[j] = fmax(search->fastest[j], job->config[c].speed);
            search->leanest[j] =
                fmin(search->leanest[j], job->config[c].gpus / job->config[c].speed);
        }
        way.mask |= (uint32_t)(job->config_count > 0) << j;
    }
    return way;
}

bool bl_ahead(const struct bl_ahead_problem *problem, int64_t budget,
              struct bl_ahead_answer *answer)
{
    struct search *search = bl_alloc_zero(sizeof *search);
    bool is_found;
    struct way way;

    search->problem = problem;
    search->budget = budget;
    way = begin(search);
    if (bl_ahead_list(&(struct bl_ahead_scope){problem, way.mask, true}, budget, &search->work,
                      &search->plans[way.mask])) {
        dive(search, &way);
    }
    is_found = search->is_found;
    if (is_found) {
        for (int32_t j = 0; j < problem->jobs; j++) {
            answer->choice[j] = way.mask >> j & 1 ? search->best.config[j] : BL_AHEAD_NONE;
        }
        answer->total_s = search->best_s;
        answer->work = search->work;
        answer->is_complete = !search->is_cut;
    }
    for (size_t i = 0; i < sizeof search->plans / sizeof search->plans[0]; i++) {
        BL_VEC_FINISH(&search->plans[i].list);
    }
    BL_VEC_FINISH(&search->stack);
    free(search);
    return is_found;
}
