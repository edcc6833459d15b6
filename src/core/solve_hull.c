#include "core/solve_parts.h"

#include "base/sort.h"

#include <math.h>

/* By type and count; of equal ones the better first. A total order: the option's number ends ties.
 */
static int compare_moves(const void *left, const void *right)
{
    const struct bl_solve_move *a = left;
    const struct bl_solve_move *b = right;

    if (a->type != b->type) {
        return a->type < b->type ? -1 : 1;
    }
    if (a->gpus != b->gpus) {
        return a->gpus < b->gpus ? -1 : 1;
    }
    if (a->value > b->value || a->value < b->value) {
        return a->value > b->value ? -1 : 1;
    }
    return a->option < b->option ? -1 : a->option > b->option;
}

/* The job's usable options into scratch, in order of (type, count). */
static void collect(struct bl_solver *solver, size_t job)
{
    const struct bl_solve_problem *problem = solver->problem;
    size_t first = problem->first[job];
    double none = solver->base.at[job].none;
    bool is_sorted = true;

    solver->scratch.count = 0;
    if (solver->base.at[job].is_kept) {
        return;
    }
    BL_VEC_RESERVE(&solver->scratch, problem->first[job + 1] - first);
    for (size_t i = first; i < problem->first[job + 1]; i++) {
        const struct bl_solve_option *option = &problem->option[i];
        double worth = bl_solve_worth(solver, none, option);
        struct bl_solve_move *move = &solver->scratch.at[solver->scratch.count];

        if (worth > 0) {
            *move = (struct bl_solve_move){.value = worth,
                                           .option = (int32_t)(i - first),
                                           .type = option->type,
                                           .gpus = option->gpus};
            is_sorted =
                is_sorted && (solver->scratch.count == 0 || compare_moves(move - 1, move) < 0);
            solver->scratch.count++;
        }
    }
    if (!is_sorted) {
        bl_sort(solver->scratch.at, solver->scratch.count, sizeof *solver->scratch.at,
                compare_moves);
    }
}

/* Puts a corner behind `top`, off with those that it hides (Andrew's monotone chain, 1979). */
static struct bl_solve_corner *push_corner(struct bl_solve_corner *first,
                                           struct bl_solve_corner *top,
                                           const struct bl_solve_move *move)
{
    double slope;

    if (move->value <= top->value) {
        return top;
    }
    slope = (move->value - top->value) / (move->gpus - top->gpus);
    while (top > first && (top - 1)->slope <= slope) {
        top--;
        slope = (move->value - top->value) / (move->gpus - top->gpus);
    }
    top->slope = slope;
    top++;
    *top = (struct bl_solve_corner){.slope = -1, .value = move->value, .gpus = move->gpus};
    return top;
}

/* Envelopes of all types from scratch, into the job's block. */
static void build(struct bl_solver *solver, size_t job, size_t block)
{
    size_t next = 0;

    for (int32_t t = 0; t < solver->types; t++) {
        struct bl_solve_corner *first = &solver->corners.at[block];
        struct bl_solve_corner *top = first;

        *first = (struct bl_solve_corner){.slope = -1};
        while (next < solver->scratch.count && solver->scratch.at[next].type == t) {
            top = push_corner(first, top, &solver->scratch.at[next++]);
        }
        solver->envelope.at[job * (size_t)solver->types + (size_t)t] = block;
        solver->seat.at[job * (size_t)solver->types + (size_t)t] =
            (struct bl_solve_seat){.low = first->slope, .high = HUGE_VAL};
        block += (size_t)(top - first) + 1;
    }
}

static void build_at_end(struct bl_solver *solver, size_t job)
{
    size_t block = solver->corners.count;
    size_t room = solver->scratch.count + (size_t)solver->types;

    BL_VEC_RESERVE(&solver->corners, block + room);
    solver->corners.count += room;
    solver->corner_room.at[job] = room;
    build(solver, job, block);
}

void bl_solve_build_hulls(struct bl_solver *solver)
{
    size_t seats = solver->jobs * (size_t)solver->types;

    BL_VEC_RESERVE(&solver->envelope, seats);
    BL_VEC_RESERVE(&solver->seat, seats);
    BL_VEC_RESERVE(&solver->corner_room, solver->jobs);
    solver->corners.count = 0;
    for (size_t j = 0; j < solver->jobs; j++) {
        collect(solver, j);
        build_at_end(solver, j);
    }
    solver->work += (int64_t)(2 * solver->problem->first[solver->jobs] + seats);
}

void bl_solve_rebuild_hull(struct bl_solver *solver, size_t job)
{
    collect(solver, job);
    if (solver->scratch.count + (size_t)solver->types <= solver->corner_room.at[job]) {
        build(solver, job, solver->envelope.at[job * (size_t)solver->types]);
    } else {
        build_at_end(solver, job);
    }
    solver->work += (int64_t)(solver->scratch.count + (size_t)solver->types);
}
