#include "bound_check.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Work that can be bought at one price a unit. */
struct piece {
    double amount, price;
};

struct shop {
    struct piece *piece;
    size_t count;
};

static int compare_pieces(const void *left, const void *right)
{
    double a = ((const struct piece *)left)->price;
    double b = ((const struct piece *)right)->price;

    return (a > b) - (a < b);
}

static double price_at(const struct bl_price_path *path, size_t type, size_t cell)
{
    return path->price[type * path->cell_count + cell];
}

/* The next corner of the cheapest way to more speed from (speed, cost); NULL at the top. */
static const struct bl_bound_option *next_corner(const struct bl_bound_job *job,
                                                 const struct bl_price_path *path, size_t cell,
                                                 const double from[2])
{
    const struct bl_bound_option *best = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < job->option_count; i++) {
        const struct bl_bound_option *option = &job->option[i];
        double cost = option->gpus * price_at(path, option->type, cell);
        double slope = (cost - from[1]) / (option->speed - from[0]);

        if (option->speed > from[0] &&
            (slope < least || (best && slope == least && option->speed > best->speed))) {
            least = slope;
            best = option;
        }
    }
    return best;
}

static void fill_cell(struct shop *shop, const struct bl_bound_job *job,
                      const struct bl_price_path *path, size_t cell, double span)
{
    const struct bl_bound_option *option;
    double at[2] = {0, 0};

    while ((option = next_corner(job, path, cell, at))) {
        double cost = option->gpus * price_at(path, option->type, cell);
        double slope = (cost - at[1]) / (option->speed - at[0]);

        shop->piece[shop->count++] = (struct piece){(option->speed - at[0]) * span, fmax(slope, 0)};
        at[0] = option->speed;
        at[1] = cost;
    }
}

static double top_speed(const struct bl_bound_job *job)
{
    double top = 0;

    for (size_t i = 0; i < job->option_count; i++) {
        top = fmax(top, job->option[i].speed);
    }
    return top;
}

/* The least payment for the work within [release, end]; infinite when there is no time for it.
 * Behind the last cell GPUs are free. */
static double least_payment(struct shop *shop, const struct bl_bound_job *job,
                            const struct bl_price_path *path, double end)
{
    double free_from = fmax(path->edge[path->cell_count], job->release);
    double left = job->work - fmax(end - free_from, 0) * top_speed(job);
    double paid = 0;

    shop->count = 0;
    for (size_t i = 0; i < path->cell_count; i++) {
        double from = fmax(path->edge[i], job->release);
        double to = fmin(path->edge[i + 1], end);

        if (to > from) {
            fill_cell(shop, job, path, i, to - from);
        }
    }
    bl_sort(shop->piece, shop->count, sizeof *shop->piece, compare_pieces);
    for (size_t i = 0; i < shop->count && left > 0; i++) {
        double bought = fmin(left, shop->piece[i].amount);

        paid += bought * shop->piece[i].price;
        left -= bought;
    }
    return left > 1e-9 * job->work ? INFINITY : paid;
}

static double payment_in_one_piece(const struct bl_bound_job *job, const struct bl_price_path *path,
                                   const struct bl_bound_option *option, double end)
{
    double start = end - job->work / option->speed;
    double paid = 0;

    if (start < job->release - 1e-12 * end) {
        return INFINITY;
    }
    for (size_t i = 0; i < path->cell_count; i++) {
        double span = fmin(path->edge[i + 1], end) - fmax(path->edge[i], start);

        paid += fmax(span, 0) * option->gpus * price_at(path, option->type, i);
    }
    return paid;
}

static double cost_at(struct shop *shop, const struct bl_bound_job *job,
                      const struct bl_price_path *path, double end)
{
    double least = INFINITY;

    if (job->course == BL_BOUND_DIVISIBLE) {
        return end - job->release + least_payment(shop, job, path, end);
    }
    for (size_t i = 0; i < job->option_count; i++) {
        least = fmin(least, payment_in_one_piece(job, path, &job->option[i], end));
    }
    return end - job->release + least;
}

/* Ends at the samples of the span. */
static double least_within(struct shop *shop, const struct bl_bound_job *job,
                           const struct bl_price_path *path, const double span[2], int samples)
{
    double least = INFINITY;

    for (int k = 1; k <= samples; k++) {
        double end = span[0] + (span[1] - span[0]) * k / samples;

        if (end > job->release) {
            least = fmin(least, cost_at(shop, job, path, end));
        }
    }
    return least;
}

/* Also ends behind the last cell, and those of a start at the release. */
static double least_cost(struct shop *shop, const struct bl_bound_job *job,
                         const struct bl_price_path *path, int samples)
{
    double last = fmax(path->edge[path->cell_count], job->release);
    double behind[2] = {last, last + job->work / top_speed(job)};
    double least = INFINITY;

    for (size_t i = 0; i < job->option_count; i++) {
        double end = job->release + job->work / job->option[i].speed;

        least = fmin(least, cost_at(shop, job, path, end));
    }
    for (size_t i = 0; i < path->cell_count; i++) {
        least = fmin(least, least_within(shop, job, path, path->edge + i, samples));
    }
    return fmin(least, least_within(shop, job, path, behind, samples * 16));
}

double bound_check_at(const struct bl_bound_problem *problem, const struct bl_price_path *path,
                      int samples)
{
    double sum = 0;

    for (size_t i = 0; i < problem->job_count; i++) {
        const struct bl_bound_job *job = &problem->job[i];
        struct shop shop = {
            malloc((path->cell_count * job->option_count + 1) * sizeof(struct piece)), 0};

        sum += job->work > 0 && job->option_count > 0 ? least_cost(&shop, job, path, samples) : 0;
        free(shop.piece);
    }
    for (size_t type = 0; type < path->type_count; type++) {
        for (size_t i = 0; i < path->cell_count; i++) {
            sum -= problem->capacity[type] * price_at(path, type, i) *
                   (path->edge[i + 1] - path->edge[i]);
        }
    }
    return sum / (double)problem->job_count;
}
