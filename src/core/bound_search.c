#include "core/bound_search.h"

#include "base/own.h"
#include "base/sort.h"
#include "core/bound_job.h"

#include <math.h>
#include <string.h>

enum {
    CELLS_MIN = 64,
    CELLS_EACH = 16, /* at most, for each job */
    CELLS_MAX = 20000,
    VISITS_MAX = 60000, /* cells that all jobs together are in the machine for */
    STEPS_MIN = 24,
    STEPS_MAX = 300,
    WORK_MAX = 2000000, /* visits of all steps together */
    SCALES_MAX = 12,
    FAILURES_MAX = 4
};

/* While searching, values may be off by this part. */
#define PRECISION 1e-3

#define FIRST_STEP   0.5
#define STEP_GROWS   1.1
#define STEP_SHRINKS 0.7
#define SURPLUS_MAX  2.0 /* of demand over supply, as a part of the supply */
#define PRICE_LEAST  1e-6

struct search {
    const struct bl_bound_problem *problem;
    struct bl_price_path path, best;
    struct bl_bound_scratch scratch;
    double *reward; /* of each job, from step to step */
    double *demand, *best_demand;
    double *crowd; /* jobs that were in the machine, of each cell */
    double best_value;
};

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Sorted instants at which jobs came and went. */
static double *sort_instants(const struct bl_bound_problem *problem, size_t *count)
{
    double *at = bl_realloc_array(NULL, problem->job_count * 2 + 1, sizeof *at);

    *count = 0;
    for (size_t i = 0; i < problem->job_count; i++) {
        at[(*count)++] = problem->job[i].release;
        at[(*count)++] = problem->job[i].ended;
    }
    bl_sort(at, *count, sizeof *at, compare);
    return at;
}

/* So many cells that all jobs together pass about VISITS_MAX of them. */
static size_t choose_cells(const struct bl_bound_problem *problem, double span)
{
    double stay = 0;
    double cells;

    for (size_t i = 0; i < problem->job_count; i++) {
        stay += problem->job[i].ended - problem->job[i].release;
    }
    cells = VISITS_MAX * span / fmax(stay, span * 1e-3);
    cells = fmin(cells, (double)problem->job_count * CELLS_EACH);
    return (size_t)fmin(fmax(cells, CELLS_MIN), CELLS_MAX);
}

/* Half of the edges in even steps, half where jobs come and go. */
static bool make_cells(const struct bl_bound_problem *problem, struct bl_price_path *path)
{
    size_t count;
    BL_AUTO_FREE double *instant = sort_instants(problem, &count);
    double first = count ? instant[0] : 0;
    double span = count ? instant[count - 1] - first : 0;
    size_t half = span > 0 ? choose_cells(problem, span) / 2 : 0;
    BL_AUTO_FREE double *edge = bl_realloc_array(NULL, 2 * half + 2, sizeof *edge);
    size_t kept = 0;

    if (!(span > 0)) {
        return false;
    }
    for (size_t i = 0; i < half; i++) {
        edge[2 * i] = first + span * (double)i / (double)half;
        edge[2 * i + 1] = instant[count * i / half];
    }
    edge[2 * half] = first + span;
    bl_sort(edge, 2 * half + 1, sizeof *edge, compare);
    for (size_t i = 1; i <= 2 * half; i++) {
        if (edge[i] - edge[kept] > span * 1e-7) {
            edge[++kept] = edge[i];
        }
    }
    bl_price_path_init(path, problem->type_count, edge, kept);
    return true;
}

/* Seconds that jobs were in the machine, of each cell, by its length. */
static void measure_crowd(struct search *search)
{
    const struct bl_price_path *path = &search->path;
    double inside = 0;

    for (size_t i = 0; i < search->problem->job_count; i++) {
        const struct bl_bound_job *job = &search->problem->job[i];

        search->crowd[bl_price_path_cell(path, job->release)] += 1;
        if (job->ended < bl_price_path_end(path)) {
            search->crowd[bl_price_path_cell(path, job->ended) + 1] -= 1;
        }
    }
    for (size_t i = 0; i < path->cell_count; i++) {
        inside += search->crowd[i];
        search->crowd[i] = inside;
    }
}

static void init_search(struct search *search)
{
    size_t cells = search->path.cell_count;
    size_t prices = cells * search->path.type_count;

    bl_price_path_init(&search->best, search->path.type_count, search->path.edge, cells);
    bl_bound_scratch_init(&search->scratch, cells);
    search->reward = bl_alloc_zero((search->problem->job_count + 1) * sizeof *search->reward);
    search->demand = bl_alloc_zero((prices + 1) * sizeof *search->demand);
    search->best_demand = bl_alloc_zero((prices + 1) * sizeof *search->best_demand);
    search->crowd = bl_alloc_zero((cells + 1) * sizeof *search->crowd);
    search->best_value = -INFINITY;
    measure_crowd(search);
}

static void finish_search(struct search *search)
{
    bl_price_path_finish(&search->path);
    bl_bound_scratch_finish(&search->scratch);
    free(search->reward);
    free(search->demand);
    free(search->best_demand);
    free(search->crowd);
}

/* The bound at the present prices, not per job; keeps them when they are the best so far. */
static bool evaluate(struct search *search)
{
    size_t prices = search->path.cell_count * search->path.type_count;
    double value;

    bl_price_path_sum(&search->path);
    value = -bl_bound_supply(search->problem, &search->path);
    memset(search->demand, 0, prices * sizeof *search->demand);
    for (size_t i = 0; i < search->problem->job_count; i++) {
        const struct bl_bound_job *job = &search->problem->job[i];
        struct bl_bound_answer answer;

        bl_bound_buy(&search->scratch, job, &search->path, PRECISION, &search->reward[i], &answer);
        bl_bound_add_demand(job, &search->path, &answer, search->demand);
        value += answer.value;
    }
    if (value <= search->best_value) {
        return false;
    }
    search->best_value = value;
    bl_price_path_copy_prices(&search->best, &search->path);
    memcpy(search->best_demand, search->demand, prices * sizeof *search->demand);
    return true;
}

/* Prices as the machine was crowded: a job that waits costs a second each second, and a GPU of many
 * can be held for as much less. */
static void price_crowd(struct search *search, double scale)
{
    double gpus = 0;

    for (size_t type = 0; type < search->path.type_count; type++) {
        gpus += search->problem->capacity[type];
    }
    for (size_t type = 0; type < search->path.type_count; type++) {
        for (size_t i = 0; i < search->path.cell_count; i++) {
            search->path.price[type * search->path.cell_count + i] =
                scale * fmax(search->crowd[i], PRICE_LEAST) / gpus;
        }
    }
}

/* The value is concave in the scale: from one half on by doubling, else by halving. */
static void find_scale(struct search *search)
{
    double scale = 0.5;
    double factor = 2;

    price_crowd(search, scale);
    evaluate(search);
    for (int tried = 0; tried < SCALES_MAX; tried++) {
        price_crowd(search, scale * factor);
        if (evaluate(search)) {
            scale *= factor;
        } else if (factor > 1 && tried == 0) {
            factor = 0.5;
        } else {
            break;
        }
    }
}

/* Dear where more is bought than there is, cheap where less. */
static void step_prices(struct search *search, const double *demand, double step)
{
    const struct bl_price_path *path = &search->path;

    for (size_t type = 0; type < path->type_count; type++) {
        for (size_t i = 0; i < path->cell_count; i++) {
            size_t at = type * path->cell_count + i;
            double supply = search->problem->capacity[type] * (path->edge[i + 1] - path->edge[i]);
            double surplus = fmin(demand[at] / supply - 1, SURPLUS_MAX);

            path->price[at] *= exp(step * surplus);
        }
    }
}

static int count_steps(const struct search *search)
{
    double visits = 1;

    for (size_t i = 0; i < search->path.cell_count; i++) {
        visits += search->crowd[i];
    }
    return (int)fmin(fmax(WORK_MAX / visits, STEPS_MIN), STEPS_MAX);
}

static void climb(struct search *search)
{
    int steps = count_steps(search);
    double step = FIRST_STEP;
    int failures = 0;

    bl_price_path_copy_prices(&search->path, &search->best);
    memcpy(search->demand, search->best_demand,
           search->path.cell_count * search->path.type_count * sizeof *search->demand);
    for (int i = 0; i < steps; i++) {
        step_prices(search, search->demand, step);
        if (evaluate(search)) {
            step *= STEP_GROWS;
            failures = 0;
        } else {
            step *= STEP_SHRINKS;
            failures++;
        }
        if (failures == FAILURES_MAX) {
            failures = 0;
            bl_price_path_copy_prices(&search->path, &search->best);
            memcpy(search->demand, search->best_demand,
                   search->path.cell_count * search->path.type_count * sizeof *search->demand);
        }
    }
}

bool bl_bound_find_prices(const struct bl_bound_problem *problem, struct bl_price_path *out)
{
    struct search search = {.problem = problem};

    if (!make_cells(problem, &search.path)) {
        return false;
    }
    init_search(&search);
    find_scale(&search);
    climb(&search);
    *out = search.best;
    finish_search(&search);
    return true;
}
