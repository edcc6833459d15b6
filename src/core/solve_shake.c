/* Iterated local search (Lourenço, Martin and Stützle 2003). */
#include "base/rng.h"
#include "core/solve_parts.h"

#include <math.h>

enum { SEED = 1, KICKS_MAX = 4, DRAWS = 2, ROUNDS_MAX = 2000 };

/* Takes up the champion's choice again. */
static void return_to_champion(struct bl_solver *solver)
{
    memcpy(solver->post.at, solver->champion.at, solver->jobs * sizeof *solver->post.at);
    memcpy(solver->slack, solver->room, sizeof solver->slack);
    for (size_t j = 0; j < solver->jobs; j++) {
        const struct bl_solve_post *post = &solver->post.at[j];

        if (post->type >= 0) {
            solver->slack[post->type] -= post->gpus;
        }
    }
    solver->work += (int64_t)solver->jobs;
}

/* Champions of other prices carry losses of those. */
static void rate_losses(struct bl_solver *solver, const double *price)
{
    for (size_t j = 0; j < solver->jobs; j++) {
        struct bl_solve_post *post = &solver->champion.at[j];
        double best = solver->post.at[j].value;

        if (solver->post.at[j].type >= 0) {
            best -= price[solver->post.at[j].type] * solver->post.at[j].gpus;
        }
        post->loss = best - post->value + (post->type >= 0 ? price[post->type] * post->gpus : 0);
    }
}

/* The cheapest of a few at random. */
static const struct bl_solve_move *draw_move(const struct bl_solver *solver, struct bl_rng *rng)
{
    const struct bl_solve_move *chosen = NULL;

    for (int i = 0; i < DRAWS; i++) {
        int64_t at = bl_rng_between(rng, 0, (int64_t)solver->moves.count - 1);
        const struct bl_solve_move *move = &solver->moves.at[at];

        chosen = !chosen || move->loss < chosen->loss ? move : chosen;
    }
    return chosen;
}

void bl_solve_shake(struct bl_solver *solver, const double *price, int64_t work_max)
{
    int64_t stop = solver->work + work_max;
    struct bl_rng rng;

    bl_rng_seed(&rng, SEED);
    bl_solve_pass(solver, price, bl_solve_moves_limit(solver, price, BL_SOLVE_MOVES_AIM / 4));
    rate_losses(solver, price);
    for (int round = 0; round < ROUNDS_MAX && solver->work < stop && solver->moves.count > 0;
         round++) {
        int64_t kicks = bl_rng_between(&rng, 1, KICKS_MAX);

        return_to_champion(solver);
        for (int64_t i = 0; i < kicks; i++) {
            bl_solve_apply(solver, draw_move(solver, &rng));
        }
        bl_solve_repair(solver, price);
        bl_solve_exchange(solver, price, stop - solver->work);
        bl_solve_crown(solver);
    }
}
