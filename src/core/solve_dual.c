#include "core/solve_parts.h"

#include <math.h>

/* The corner of an envelope that is best at this price: behind every slope above it. Prices move
 * little from one evaluation to the next, so that it is a step or two away. */
static void move_seat(const struct bl_solve_corner *first, double price, struct bl_solve_seat *seat)
{
    uint32_t at = seat->corner;

    while (first[at].slope > price) {
        at++;
    }
    while (at > 0 && first[at - 1].slope <= price) {
        at--;
    }
    *seat = (struct bl_solve_seat){.low = first[at].slope,
                                   .high = at > 0 ? first[at - 1].slope : HUGE_VAL,
                                   .value = first[at].value,
                                   .gpus = first[at].gpus,
                                   .corner = at};
}

double bl_solve_dual_of(const struct bl_solver *solver, const struct bl_solve_cut *cut,
                        const double *price)
{
    double dual = cut->value;

    for (int32_t t = 0; t < solver->types; t++) {
        dual += price[t] * ((double)solver->room[t] - cut->use[t]);
    }
    return dual;
}

/* Room for one more cut: the one that says least at the best point goes. */
static struct bl_solve_cut *next_cut(struct bl_solver *solver)
{
    size_t least = 0;
    double least_value = HUGE_VAL;

    if (solver->cut_count < BL_SOLVE_CUTS_MAX) {
        return &solver->cut[solver->cut_count++];
    }
    for (size_t i = 0; i < solver->cut_count; i++) {
        double value = bl_solve_dual_of(solver, &solver->cut[i], solver->best.price);

        if (value < least_value) {
            least_value = value;
            least = i;
        }
    }
    return &solver->cut[least];
}

static void choose_all(struct bl_solver *solver, struct bl_solve_cut *cut)
{
    const int32_t types = solver->types;
    struct bl_solve_seat *seat = solver->seat.at;
    const size_t *envelope = solver->envelope.at;

    for (size_t j = 0; j < solver->jobs; j++, seat += types, envelope += types) {
        double best = 0;
        int32_t chosen = -1;

        for (int32_t t = 0; t < types; t++) {
            double score;

            if (__builtin_expect(!(seat[t].low <= cut->price[t] && cut->price[t] < seat[t].high),
                                 0)) {
                move_seat(&solver->corners.at[envelope[t]], cut->price[t], &seat[t]);
            }
            score = seat[t].value - cut->price[t] * seat[t].gpus;
            chosen = score > best ? t : chosen;
            best = score > best ? score : best;
        }
        if (chosen >= 0) {
            cut->value += seat[chosen].value;
            cut->use[chosen] += seat[chosen].gpus;
        }
    }
}

void bl_solve_evaluate(struct bl_solver *solver, struct bl_solve_cut *cut)
{
    cut->value = 0;
    for (int32_t t = 0; t < solver->types; t++) {
        cut->use[t] = 0;
    }
    choose_all(solver, cut);
    cut->dual = bl_solve_dual_of(solver, cut, cut->price);
    *next_cut(solver) = *cut;
    if (solver->evaluations == 0 || cut->dual < solver->best.dual) {
        solver->best = *cut;
    }
    solver->evaluations++;
    solver->work += (int64_t)solver->jobs * solver->types;
}

void bl_solve_count_in(const struct bl_solver *solver, size_t job, double sign,
                       struct bl_solve_cut *cut)
{
    const size_t *envelope = &solver->envelope.at[job * (size_t)solver->types];
    struct bl_solve_seat chosen = {0};
    double best = 0;
    int32_t type = -1;

    for (int32_t t = 0; t < solver->types; t++) {
        struct bl_solve_seat seat = {0};
        double score;

        move_seat(&solver->corners.at[envelope[t]], cut->price[t], &seat);
        score = seat.value - cut->price[t] * seat.gpus;
        if (score > best) {
            best = score;
            type = t;
            chosen = seat;
        }
    }
    if (type >= 0) {
        cut->value += sign * chosen.value;
        cut->use[type] += sign * chosen.gpus;
    }
}
