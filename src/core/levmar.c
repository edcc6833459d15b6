#include "core/levmar.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PARAMS = BL_LEVMAR_PARAMS_MAX };

/* What is known at the point where the search stands. */
struct stand {
    double cost;
    double gradient[PARAMS];
    double curvature[BL_TRIANGLE(PARAMS)]; /* J'J */
};

static double sum_of_squares(const double *residual, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += residual[i] * residual[i];
    }
    return isfinite(sum) ? sum : INFINITY;
}

/* Most residuals follow from a few parameters only: a slope of 0 adds nothing. */
static void add_row(struct stand *at, const double *row, double residual, size_t params)
{
    for (size_t i = 0; i < params; i++) {
        double *curvature = at->curvature + BL_TRIANGLE(i);

        if (row[i] > 0 || row[i] < 0) {
            at->gradient[i] += row[i] * residual;
            for (size_t j = 0; j <= i; j++) {
                curvature[j] += row[i] * row[j];
            }
        }
    }
}

static void look_around(const struct bl_levmar *problem, const double *x, struct stand *at)
{
    double *jacobian = problem->scratch + problem->residuals;

    problem->evaluate(problem->self, x, problem->scratch, jacobian);
    at->cost = sum_of_squares(problem->scratch, problem->residuals);
}

/* After look_around there, and not before the next. */
static void find_slopes(const struct bl_levmar *problem, struct stand *at)
{
    const double *jacobian = problem->scratch + problem->residuals;

    memset(at->gradient, 0, sizeof at->gradient);
    memset(at->curvature, 0, sizeof at->curvature);
    for (size_t i = 0; i < problem->residuals; i++) {
        add_row(at, jacobian + i * problem->params, problem->scratch[i], problem->params);
    }
}

/* A parameter at its bound whose gradient pushes it further stays there. */
static bool is_stuck(const struct bl_levmar *problem, const double *x, double gradient, size_t i)
{
    return (x[i] <= problem->low[i] && gradient > 0) || (x[i] >= problem->high[i] && gradient < 0);
}

/* The damped step over the parameters that may move; false when the system has no solution. */
static bool find_step(const struct bl_levmar *problem, const double *x, const struct stand *at,
                      double damping, double *step)
{
    double lower[BL_TRIANGLE(PARAMS)];
    size_t free_at[PARAMS];
    double right[PARAMS] = {0};
    size_t count = 0;

    for (size_t i = 0; i < problem->params; i++) {
        const double *row = at->curvature + BL_TRIANGLE(i);

        step[i] = 0;
        if (is_stuck(problem, x, at->gradient[i], i)) {
            continue;
        }
        free_at[count] = i;
        right[count] = -at->gradient[i];
        for (size_t j = 0; j < count; j++) {
            lower[BL_TRIANGLE(count) + j] = row[free_at[j]];
        }
        lower[BL_TRIANGLE(count) + count] = row[i] * (1 + damping) + 1e-12;
        count++;
    }
    if (!bl_cholesky_factor(lower, count)) {
        return false;
    }
    bl_cholesky_forward(lower, count, right);
    bl_cholesky_backward(lower, count, right);
    for (size_t i = 0; i < count; i++) {
        step[free_at[i]] = right[i];
    }
    return count > 0;
}

/* Where the step leads, cut off at the box. */
static void move(const struct bl_levmar *problem, const double *x, const double *step,
                 double *moved)
{
    for (size_t i = 0; i < problem->params; i++) {
        moved[i] = fmin(fmax(x[i] + step[i], problem->low[i]), problem->high[i]);
    }
}

double bl_levmar_solve(const struct bl_levmar *problem, double *x)
{
    struct stand at;
    double damping = 1e-3;

    look_around(problem, x, &at);
    find_slopes(problem, &at);
    for (int round = 0; round < problem->rounds_max && damping < 1e8; round++) {
        double step[PARAMS];
        double moved[PARAMS];
        struct stand there = {.cost = INFINITY};

        if (find_step(problem, x, &at, damping, step)) {
            move(problem, x, step, moved);
            look_around(problem, moved, &there);
        }
        if (!(there.cost < at.cost)) {
            damping = fmax(damping, 1e-6) * 8;
            continue;
        }
        memcpy(x, moved, problem->params * sizeof *x);
        damping *= 0.1;
        if (at.cost - there.cost <= 1e-4 * at.cost + 1e-12) {
            return there.cost;
        }
        at.cost = there.cost;
        find_slopes(problem, &at);
    }
    return at.cost;
}

void bl_levmar_information(const struct bl_levmar *problem, const double *x,
                           double lower[BL_TRIANGLE(BL_LEVMAR_PARAMS_MAX)])
{
    struct stand at;

    look_around(problem, x, &at);
    find_slopes(problem, &at);
    memcpy(lower, at.curvature, sizeof at.curvature);
}
