#include "core/solve.h"
#include "core/solve_parts.h"

#include <assert.h>
#include <math.h>

enum { RESTARTS_MAX = 3 };

/* A gap that is good enough not to look elsewhere. */
static const double small_gap = 1e-5;

struct bl_solver *bl_solver_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_solver));
}

void bl_solver_destroy(struct bl_solver *solver)
{
    if (solver) {
        BL_VEC_FINISH(&solver->base);
        BL_VEC_FINISH(&solver->corners);
        BL_VEC_FINISH(&solver->envelope);
        BL_VEC_FINISH(&solver->corner_room);
        BL_VEC_FINISH(&solver->seat);
        BL_VEC_FINISH(&solver->scratch);
        BL_VEC_FINISH(&solver->score);
        BL_VEC_FINISH(&solver->moves);
        BL_VEC_FINISH(&solver->post);
        BL_VEC_FINISH(&solver->champion);
        free(solver);
    }
}

/* Twice the work of reading everything, and so much more that small problems are searched through.
 */
static int64_t standard_budget(const struct bl_solver *solver)
{
    int64_t seats = (int64_t)solver->jobs * solver->types;

    return BL_SOLVE_EVALUATIONS_MAX * seats + 64 * (int64_t)solver->problem->first[solver->jobs] +
           40000000;
}

static double gap_of(double bound, double value)
{
    double size = fmax(fabs(bound), fabs(value));

    return size > 0 ? fmax(0, bound - value) / size : 0;
}

/* The gap of the whole problem, scaled figures given. */
static double relative_gap(const struct bl_solver *solver, double bound)
{
    double kept = solver->kept_value * solver->scale;

    return gap_of(kept + bound, kept + solver->champion_value);
}

static void find_prices(struct bl_solver *solver)
{
    struct bl_solve_cut cut = solver->best;
    bool was_priced = false;

    for (int32_t t = 0; t < solver->types; t++) {
        cut.price[t] = solver->room[t] > 0 ? cut.price[t] : 0;
        was_priced = was_priced || cut.price[t] > 0;
    }
    if (solver->is_warm || was_priced) {
        bl_solve_evaluate(solver, &cut);
    }
    if (!solver->is_warm) {
        bl_solve_start(solver);
    }
    bl_solve_descend(solver);
}

static bool is_good_enough(const struct bl_solver *solver, double bound)
{
    double gap = relative_gap(solver, bound);

    return solver->work >= solver->budget || gap <= BL_SOLVE_EXACT ||
           (gap <= small_gap / 2 && bl_solve_is_large(solver));
}

/* From the best of each job at these prices, or from what jobs had. */
enum start { START_FROM_BEST, START_FROM_LAST };

/* A feasible choice from these prices; answers the bound. */
static double try_prices(struct bl_solver *solver, const double *price, enum start start)
{
    double limit = bl_solve_moves_limit(solver, price, BL_SOLVE_MOVES_AIM);
    double bound = bl_solve_pass(solver, price, limit);

    if (start == START_FROM_LAST) {
        bl_solve_resume(solver, price);
    }
    bl_solve_repair(solver, price);
    bl_solve_crown(solver);
    if (start == START_FROM_LAST && is_good_enough(solver, bound)) {
        return bound;
    }
    if (relative_gap(solver, bound) > 0 && solver->work < solver->budget) {
        bl_solve_exchange(solver, price, solver->budget / 8);
        bl_solve_crown(solver);
    }
    return bound;
}

/* Where little changed what jobs had is nearly the best; it may also be a trap. */
static double try_best_prices(struct bl_solver *solver)
{
    bool has_last = solver->champion.count > 0;
    double bound;

    if (has_last) {
        bound = try_prices(solver, solver->best.price, START_FROM_LAST);
        if (is_good_enough(solver, bound)) {
            return bound;
        }
    }
    return try_prices(solver, solver->best.price, START_FROM_BEST);
}

/* Whether the point of this rank among the cuts, by dual, is another one; then `price` is set. */
static bool pick_cut(const struct bl_solver *solver, size_t rank, double *price)
{
    const struct bl_solve_cut *chosen = NULL;
    double above = solver->best.dual;

    for (size_t pick = 0; pick <= rank; pick++) {
        chosen = NULL;
        for (size_t i = 0; i < solver->cut_count; i++) {
            const struct bl_solve_cut *cut = &solver->cut[i];

            if (cut->dual > above && (!chosen || cut->dual < chosen->dual)) {
                chosen = cut;
            }
        }
        if (!chosen) {
            return false;
        }
        above = chosen->dual;
    }
    memcpy(price, chosen->price, sizeof chosen->price);
    return true;
}

/* Looks at every combination that could be better, if there are few enough; true when it did. */
static bool look_at_all(struct bl_solver *solver, double bound)
{
    double gap = bound - solver->champion_value;

    bl_solve_pass(solver, solver->best.price, gap);
    return bl_solve_beam(solver, solver->best.price, gap, solver->budget / 8);
}

/* The rest of the search when the first choice is not good enough; true when it is proved best. */
static bool look_further(struct bl_solver *solver, double bound)
{
    double price[BL_SOLVE_TYPES_MAX];

    if (!is_good_enough(solver, bound) && look_at_all(solver, bound)) {
        return true;
    }
    for (size_t i = 0; i < RESTARTS_MAX && !is_good_enough(solver, bound) &&
                       relative_gap(solver, bound) > small_gap && pick_cut(solver, i, price);
         i++) {
        try_prices(solver, price, START_FROM_BEST);
    }
    if (!is_good_enough(solver, bound) && relative_gap(solver, bound) > small_gap) {
        bl_solve_shake(solver, solver->best.price, solver->budget / 8);
    }
    return false;
}

static void fill_choice(const struct bl_solver *solver, struct bl_solve_answer *answer)
{
    const struct bl_solve_problem *problem = solver->problem;

    answer->value = 0;
    for (size_t j = 0; j < solver->jobs; j++) {
        int32_t option = solver->champion.at[j].option;
        double value = solver->base.at[j].none;

        answer->choice[j] = option;
        if (option != BL_SOLVE_NONE && option != solver->base.at[j].none_option) {
            value = problem->option[problem->first[j] + (size_t)option].value;
            value = isnan(value) ? 0 : bl_solve_clamp(value);
        }
        answer->value += value;
    }
}

static void fill_answer(const struct bl_solver *solver, double bound, bool is_proved,
                        struct bl_solve_answer *answer)
{
    fill_choice(solver, answer);
    answer->is_feasible = true;
    for (int32_t t = 0; t < BL_SOLVE_TYPES_MAX; t++) {
        answer->price[t] = t < solver->types ? solver->best.price[t] / solver->scale : 0;
        answer->is_feasible = answer->is_feasible && (t >= solver->types || solver->room[t] >= 0);
    }
    answer->bound = fmax(solver->kept_value + bound / solver->scale, answer->value);
    answer->gap = gap_of(answer->bound, answer->value);
    answer->is_proved = answer->is_feasible && (is_proved || answer->gap <= BL_SOLVE_EXACT);
    answer->work = solver->work;
    answer->evaluations = solver->evaluations;
}

void bl_solve(struct bl_solver *solver, const struct bl_solve_problem *problem,
              const struct bl_solve_change *change, int64_t budget, struct bl_solve_answer *answer)
{
    double bound;
    bool is_proved = false;

    assert(problem->types >= 0 && problem->types <= BL_SOLVE_TYPES_MAX);
    solver->work = 0;
    solver->evaluations = 0;
    solver->champion_value = -1;
    bl_solve_prepare(solver, problem, change);
    solver->budget = budget > 0 ? budget : standard_budget(solver);
    find_prices(solver);
    bound = try_best_prices(solver);
    is_proved = look_further(solver, bound);
    fill_answer(solver, bound, is_proved, answer);
    bl_solve_keep_cuts(solver);
    solver->problem = NULL;
}
