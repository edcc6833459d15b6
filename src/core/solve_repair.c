#include "core/solve_parts.h"

#include "base/sort.h"

#include <math.h>

void bl_solve_apply(struct bl_solver *solver, const struct bl_solve_move *move)
{
    struct bl_solve_post *post = &solver->post.at[move->job];

    if (post->type >= 0) {
        solver->slack[post->type] += post->gpus;
    }
    if (move->type >= 0) {
        solver->slack[move->type] -= move->gpus;
    }
    *post = (struct bl_solve_post){.value = move->value,
                                   .loss = move->loss,
                                   .option = move->option,
                                   .type = move->type,
                                   .gpus = move->gpus};
}

/* The type that is used most beyond its room, as a part of it; -1 when all fit. Nothing helps where
 * kept options alone are too much. */
static int32_t worst_type(const struct bl_solver *solver)
{
    int32_t worst = -1;
    double most = 0;

    for (int32_t t = 0; t < solver->types; t++) {
        double over = -(double)solver->slack[t] / (1 + (double)solver->room[t]);

        if (solver->room[t] >= 0 && over > most) {
            most = over;
            worst = t;
        }
    }
    return worst;
}

/* What a move costs for each GPU of `type` that it helps with; HUGE_VAL when it does not help. */
static double cost_of_freeing(const struct bl_solver *solver, const struct bl_solve_move *move,
                              int32_t type)
{
    const struct bl_solve_post *post = &solver->post.at[move->job];
    int64_t freed = post->gpus - (move->type == type ? move->gpus : 0);

    if (post->type != type || freed <= 0 ||
        (move->type >= 0 && move->type != type && solver->slack[move->type] < move->gpus)) {
        return HUGE_VAL;
    }
    freed = freed < -solver->slack[type] ? freed : -solver->slack[type];
    return (move->loss - post->loss) / (double)freed;
}

/* Frees by the moves at hand; false when none of them helps. */
static bool free_some(struct bl_solver *solver, int32_t type)
{
    const struct bl_solve_move *chosen = NULL;
    double least = HUGE_VAL;

    for (size_t i = 0; i < solver->moves.count; i++) {
        double cost = cost_of_freeing(solver, &solver->moves.at[i], type);

        if (cost < least) {
            least = cost;
            chosen = &solver->moves.at[i];
        }
    }
    solver->work += (int64_t)solver->moves.count;
    if (!chosen) {
        return false;
    }
    bl_solve_apply(solver, chosen);
    return true;
}

static int compare_by_loss(const void *left, const void *right)
{
    const struct bl_solve_move *a = left;
    const struct bl_solve_move *b = right;

    if (a->loss < b->loss || a->loss > b->loss) {
        return a->loss < b->loss ? -1 : 1;
    }
    return a->job < b->job ? -1 : a->job > b->job;
}

/* Takes everything from jobs that lose least by it, until the type fits. */
static void strip(struct bl_solver *solver, const double *price, int32_t type)
{
    solver->scratch.count = 0;
    for (size_t j = 0; j < solver->jobs; j++) {
        const struct bl_solve_post *post = &solver->post.at[j];

        if (post->type == type) {
            BL_VEC_PUSH(&solver->scratch,
                        (struct bl_solve_move){.loss = (post->value - price[type] * post->gpus) /
                                                       post->gpus,
                                               .job = j,
                                               .option = solver->base.at[j].none_option,
                                               .type = -1});
        }
    }
    bl_sort(solver->scratch.at, solver->scratch.count, sizeof *solver->scratch.at, compare_by_loss);
    for (size_t i = 0; i < solver->scratch.count && solver->slack[type] < 0; i++) {
        struct bl_solve_move move = solver->scratch.at[i];

        move.loss *= solver->post.at[move.job].gpus;
        move.loss += solver->post.at[move.job].loss;
        bl_solve_apply(solver, &move);
    }
    solver->work += (int64_t)solver->jobs;
}

void bl_solve_repair(struct bl_solver *solver, const double *price)
{
    int64_t enough = solver->work + 64 * (int64_t)BL_SOLVE_MOVES_AIM +
                     8 * (int64_t)(solver->jobs + solver->moves.count);

    for (int32_t type = worst_type(solver); type >= 0; type = worst_type(solver)) {
        if (solver->work > enough || !free_some(solver, type)) {
            strip(solver, price, type);
        }
    }
}

void bl_solve_crown(struct bl_solver *solver)
{
    double value = 0;

    for (int32_t t = 0; t < solver->types; t++) {
        if (solver->slack[t] < 0 && solver->room[t] >= 0) {
            return;
        }
    }
    for (size_t j = 0; j < solver->jobs; j++) {
        value += solver->post.at[j].value;
    }
    if (value > solver->champion_value) {
        BL_VEC_RESERVE(&solver->champion, solver->jobs + 1);
        memcpy(solver->champion.at, solver->post.at, solver->jobs * sizeof *solver->post.at);
        solver->champion.count = solver->jobs;
        solver->champion_value = value;
    }
    solver->work += (int64_t)solver->jobs;
}
