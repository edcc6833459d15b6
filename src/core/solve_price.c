#include "core/solve_parts.h"

#include <math.h>

enum { SAMPLE_MAX = 256 };

/* Neumaier's sum (1974): exact but for the last digit or two. */
struct sum {
    double high, low, magnitude;
};

static void add(struct sum *sum, double term)
{
    double total = sum->high + term;

    sum->low +=
        fabs(sum->high) >= fabs(term) ? (sum->high - total) + term : (term - total) + sum->high;
    sum->high = total;
    sum->magnitude += fabs(term);
}

/* What a job's best option brings, and the best of the others, nothing included. */
struct top {
    double best, second;
};

/* What each option of the job brings at the prices, into solver->score; -HUGE_VAL where it is not
 * usable. Answers the one that brings most, or BL_SOLVE_NONE when nothing is better than nothing.
 */
static int32_t rate(struct bl_solver *solver, const double *price, size_t job, struct top *top)
{
    const struct bl_solve_problem *problem = solver->problem;
    const struct bl_solve_option *option = &problem->option[problem->first[job]];
    size_t count = problem->first[job + 1] - problem->first[job];
    double none = solver->base.at[job].none;
    int32_t chosen = BL_SOLVE_NONE;
    double best = 0;
    double second = -HUGE_VAL;

    solver->score.count = count;
    BL_VEC_RESERVE(&solver->score, count + 1);
    for (size_t i = 0; i < count; i++) {
        double worth = bl_solve_worth(solver, none, &option[i]);
        double score = -HUGE_VAL;

        if (worth > 0) {
            score = worth - price[option[i].type] * option[i].gpus;
        }
        if (score > best) {
            second = best;
            best = score;
            chosen = (int32_t)i;
        } else if (score > second) {
            second = score;
        }
        solver->score.at[i] = score;
    }
    *top = (struct top){best, second};
    return chosen;
}

static struct bl_solve_move move_to(const struct bl_solver *solver, size_t job, int32_t chosen,
                                    double loss)
{
    const struct bl_solve_option *option =
        &solver->problem->option[solver->problem->first[job] + (size_t)(chosen < 0 ? 0 : chosen)];
    struct bl_solve_move move = {
        .loss = loss, .job = job, .option = solver->base.at[job].none_option, .type = -1};

    if (chosen != BL_SOLVE_NONE) {
        move.value = bl_solve_worth(solver, solver->base.at[job].none, option);
        move.option = chosen;
        move.type = option->type;
        move.gpus = option->gpus;
    }
    return move;
}

/* Keeps the moves below the limit, and with them the best one, so that the job may come back. */
static void note_moves(struct bl_solver *solver, size_t job, int32_t chosen, const struct top *top,
                       double limit)
{
    size_t before = solver->moves.count;
    double best = top->best;

    if (!(best - top->second < limit)) {
        return;
    }
    for (size_t i = 0; i < solver->score.count; i++) {
        double loss = best - solver->score.at[i];

        if (loss < limit && (int32_t)i != chosen && loss < HUGE_VAL) {
            BL_VEC_PUSH(&solver->moves, move_to(solver, job, (int32_t)i, loss));
        }
    }
    if (chosen != BL_SOLVE_NONE && best < limit) {
        BL_VEC_PUSH(&solver->moves, move_to(solver, job, BL_SOLVE_NONE, best));
    }
    if (solver->moves.count > before) {
        BL_VEC_PUSH(&solver->moves, move_to(solver, job, chosen, 0));
    }
}

static void price_job(struct bl_solver *solver, const double *price, size_t job, double limit,
                      struct sum *sum)
{
    struct top top;
    int32_t chosen = rate(solver, price, job, &top);
    struct bl_solve_move move = move_to(solver, job, chosen, 0);

    solver->post.at[job] = (struct bl_solve_post){
        .value = move.value, .option = move.option, .type = move.type, .gpus = move.gpus};
    if (move.type >= 0) {
        solver->slack[move.type] -= move.gpus;
    }
    add(sum, top.best);
    note_moves(solver, job, chosen, &top, limit);
}

double bl_solve_pass(struct bl_solver *solver, const double *price, double limit)
{
    struct sum sum = {0};

    solver->moves.count = 0;
    BL_VEC_RESERVE(&solver->post, solver->jobs + 1);
    solver->post.count = solver->jobs;
    for (int32_t t = 0; t < solver->types; t++) {
        solver->slack[t] = solver->room[t];
        add(&sum, price[t] * (double)solver->room[t]);
    }
    for (size_t j = 0; j < solver->jobs; j++) {
        if (solver->base.at[j].is_kept) {
            solver->post.at[j] =
                (struct bl_solve_post){.option = solver->problem->keep[j], .type = -1};
        } else {
            price_job(solver, price, j, limit, &sum);
        }
    }
    solver->work += 2 * (int64_t)solver->problem->first[solver->jobs] + (int64_t)solver->jobs;
    return sum.high + sum.low + 1e-15 * sum.magnitude;
}

/* The number that would be at `rank` if all were sorted (Hoare's Find, 1961). Mixes them. */
static double select_rank(double *number, size_t count, size_t rank)
{
    size_t low = 0;
    size_t high = count - 1;

    while (low < high) {
        double pivot = number[low + (high - low) / 2];
        size_t left = low;
        size_t right = high;

        for (;;) {
            double swapped;

            while (number[left] < pivot) {
                left++;
            }
            while (number[right] > pivot) {
                right--;
            }
            if (left >= right) {
                break;
            }
            swapped = number[left];
            number[left++] = number[right];
            number[right--] = swapped;
        }
        if (rank <= right) {
            high = right;
        } else {
            low = right + 1;
        }
    }
    return number[rank];
}

double bl_solve_moves_limit(struct bl_solver *solver, const double *price, size_t aim)
{
    size_t step = solver->jobs / SAMPLE_MAX + 1;
    BL_VEC(double) loss = {0};
    size_t rank;
    double limit = HUGE_VAL;

    for (size_t j = 0; j < solver->jobs; j += step) {
        struct top top;
        int32_t chosen;

        if (solver->base.at[j].is_kept) {
            continue;
        }
        chosen = rate(solver, price, j, &top);
        for (size_t i = 0; i < solver->score.count; i++) {
            if ((int32_t)i == chosen || !(solver->score.at[i] > -HUGE_VAL)) {
                continue;
            }
            BL_VEC_PUSH(&loss, top.best - solver->score.at[i]);
        }
    }
    rank = aim / step;
    if (rank < loss.count) {
        limit = select_rank(loss.at, loss.count, rank);
    }
    BL_VEC_FINISH(&loss);
    return limit;
}
