#include "core/bound_job.h"

#include "base/own.h"

#include <assert.h>
#include <math.h>

/* A sum of n products in double is off by less than (n + 8) ROUNDING of the sum of their sizes. */
#define ROUNDING 1e-15

/* The edges from the release up to a time by which the job has certainly found its best end. */
struct window {
    size_t first; /* cell of the path that the first cell of the window is a part of */
    size_t cells;
    bool is_open; /* the best end may lie behind the last cell of the path */
};

void bl_bound_scratch_init(struct bl_bound_scratch *scratch, size_t cell_count)
{
    size_t room = cell_count + 2;
    double *all = bl_realloc_array(NULL, room * (2 * BL_BOUND_TRIALS_MAX + 2), sizeof *all);

    scratch->edge = all;
    scratch->least = all + room;
    for (size_t i = 0; i < BL_BOUND_TRIALS_MAX; i++) {
        scratch->trial[i].value = all + room * (2 * i + 2);
        scratch->trial[i].done = all + room * (2 * i + 3);
    }
}

void bl_bound_scratch_finish(struct bl_bound_scratch *scratch)
{
    free(scratch->edge);
    *scratch = (struct bl_bound_scratch){0};
}

static double top_speed(const struct bl_bound_job *job)
{
    double top = 0;

    for (size_t i = 0; i < job->option_count; i++) {
        top = fmax(top, job->option[i].speed);
    }
    return top;
}

double bl_bound_fastest(const struct bl_bound_job *job)
{
    return job->option_count > 0 && job->work > 0 ? job->ahead + job->work / top_speed(job) : 0;
}

/* Time and payment of a start at `from` with one option throughout. */
static double cost_of_run(const struct bl_bound_job *job, const struct bl_price_path *path,
                          const struct bl_bound_option *option, double from)
{
    double to = from + job->work / option->speed;

    return to - job->release +
           option->gpus * (bl_price_path_paid(path, option->type, to) -
                           bl_price_path_paid(path, option->type, from));
}

/* The same, never above the true value. */
static double cost_from_below(const struct bl_bound_job *job, const struct bl_price_path *path,
                              const struct bl_bound_option *option, double from)
{
    double to = from + job->work / option->speed;
    double size = to - job->release + option->gpus * bl_price_path_paid(path, option->type, to);

    return cost_of_run(job, path, option, from) - ROUNDING * (double)(path->cell_count + 8) * size;
}

static void try_start(const struct bl_bound_job *job, const struct bl_price_path *path,
                      const struct bl_bound_option *option, double from,
                      struct bl_bound_answer *out)
{
    double cost = cost_from_below(job, path, option, from);

    if (cost < out->value) {
        out->value = cost;
        out->option = option;
        out->start = from;
    }
}

/* Between the instants at which the start or the end passes an edge the cost is a straight line, so
 * that one of them is the best start. */
static void try_starts(const struct bl_bound_job *job, const struct bl_price_path *path,
                       const struct bl_bound_option *option, struct bl_bound_answer *out)
{
    double run = job->work / option->speed;

    try_start(job, path, option, job->release, out);
    for (int at_end = 0; at_end < 2; at_end++) {
        double ahead = at_end ? run : 0;
        double least = job->release + ahead;

        for (size_t i = least < path->edge[0] ? 0 : bl_price_path_cell(path, least) + 1;
             i <= path->cell_count && path->edge[i] - least + run < out->value; i++) {
            if (path->edge[i] > least) {
                try_start(job, path, option, path->edge[i] - ahead, out);
            }
        }
    }
}

static double cost_of_immediate_run(const struct bl_bound_job *job,
                                    const struct bl_price_path *path)
{
    double least = INFINITY;

    for (size_t i = 0; i < job->option_count; i++) {
        least = fmin(least, cost_of_run(job, path, &job->option[i], job->release));
    }
    return least;
}

static struct window open_window(const struct bl_bound_scratch *scratch,
                                 const struct bl_bound_job *job, const struct bl_price_path *path)
{
    double until = job->release + cost_of_immediate_run(job, path);
    size_t first = bl_price_path_cell(path, job->release);
    struct window window = {first, 0, true};

    scratch->edge[0] = job->release;
    while (window.is_open && first + window.cells < path->cell_count) {
        double edge = path->edge[first + window.cells + 1];

        scratch->edge[++window.cells] = edge;
        window.is_open = edge < until;
    }
    for (size_t i = 0; i <= window.cells; i++) {
        scratch->least[i] = -INFINITY;
    }
    return window;
}

/* The option that is worth most in a cell at a reward for work; NULL when to wait is better. */
static const struct bl_bound_option *choose(const struct bl_bound_job *job,
                                            const struct bl_price_path *path, size_t cell,
                                            double reward, double *worth)
{
    const struct bl_bound_option *best = NULL;

    *worth = 0;
    for (size_t i = 0; i < job->option_count; i++) {
        const struct bl_bound_option *option = &job->option[i];
        double price = path->price[option->type * path->cell_count + cell];
        double found = price * option->gpus - reward * option->speed;

        if (found < *worth) {
            *worth = found;
            best = option;
        }
    }
    return best;
}

static void run_trial(const struct bl_bound_scratch *scratch, const struct bl_bound_job *job,
                      const struct bl_price_path *path, const struct window *window,
                      struct bl_bound_trial *trial)
{
    trial->value[0] = trial->reward * job->work;
    trial->done[0] = 0;
    for (size_t i = 0; i < window->cells; i++) {
        double span = scratch->edge[i + 1] - scratch->edge[i];
        double worth;
        const struct bl_bound_option *option =
            choose(job, path, window->first + i, trial->reward, &worth);

        trial->value[i + 1] = trial->value[i] + span * (1 + worth);
        trial->done[i + 1] = trial->done[i] + (option ? span * option->speed : 0);
    }
}

/* At one reward the value is a straight line within a cell: its lower end bounds the cell. Behind
 * the last cell GPUs are free, and the line does not fall if the reward is at most `free_reward`.
 */
static void learn(const struct bl_bound_scratch *scratch, const struct bl_bound_job *job,
                  const struct window *window, const struct bl_bound_trial *trial)
{
    double top = top_speed(job);
    double rate = ROUNDING * 4 * (double)(window->cells + 8);
    double least;

    for (size_t i = 0; i <= window->cells; i++) {
        double size = (scratch->edge[i] - job->release) * (1 + trial->reward * top) +
                      trial->reward * job->work;
        double next = i < window->cells ? trial->value[i + 1] : INFINITY;

        if (i == window->cells && trial->reward * top > 1) {
            break;
        }
        least = fmin(trial->value[i], next) - rate * size;
        scratch->least[i] = fmax(scratch->least[i], least);
    }
}

/* The trial seen from one cell: the lower of its ends, and how fast it grows with the reward. */
struct look {
    const struct bl_bound_trial *trial;
    double value, slope;
    double until;
};

static struct look look_at(const struct bl_bound_scratch *scratch, const struct bl_bound_job *job,
                           const struct window *window, const struct bl_bound_trial *trial,
                           size_t cell)
{
    size_t end =
        cell < window->cells && trial->value[cell + 1] < trial->value[cell] ? cell + 1 : cell;

    return (struct look){trial, trial->value[end], job->work - trial->done[end],
                         scratch->edge[end]};
}

/* The trials next to the best reward of a cell, from both sides. */
struct bracket {
    struct look low, high; /* trial NULL = none */
};

static struct bracket bracket_cell(const struct bl_bound_scratch *scratch,
                                   const struct bl_bound_job *job, const struct window *window,
                                   size_t cell, size_t trials)
{
    struct bracket found = {0};
    double top = top_speed(job);

    for (size_t i = 0; i < trials; i++) {
        const struct bl_bound_trial *trial = &scratch->trial[i];
        struct look look = look_at(scratch, job, window, trial, cell);

        if (cell == window->cells && trial->reward * top > 1) {
            continue;
        }
        if (look.slope > 0) {
            if (!found.low.trial || trial->reward > found.low.trial->reward) {
                found.low = look;
            }
        } else if (!found.high.trial || trial->reward < found.high.trial->reward) {
            found.high = look;
        }
    }
    return found;
}

/* The reward to try next, and the value that it gives at the very most. */
static double next_reward(const struct bracket *at, bool is_tail, double *most)
{
    const struct look *low = &at->low;
    const struct look *high = &at->high;
    double reward;

    if (!high->trial) {
        *most = is_tail ? low->value : INFINITY;
        return low->trial->reward * 4;
    }
    if (!low->trial) {
        *most = high->value - high->slope * high->trial->reward;
        return high->trial->reward / 4;
    }
    reward = (high->value - low->value + low->slope * low->trial->reward -
              high->slope * high->trial->reward) /
             (low->slope - high->slope);
    *most = low->value + low->slope * (reward - low->trial->reward);
    return reward;
}

static size_t weakest_cell(const struct bl_bound_scratch *scratch, const struct window *window)
{
    size_t cells = window->cells + window->is_open;
    size_t weakest = 0;

    for (size_t i = 1; i < cells; i++) {
        if (scratch->least[i] < scratch->least[weakest]) {
            weakest = i;
        }
    }
    return weakest;
}

static void fill_parts(const struct bracket *at, struct bl_bound_answer *out)
{
    double low = at->low.trial ? 1 : 0;

    if (at->low.trial && at->high.trial) {
        low = -at->high.slope / (at->low.slope - at->high.slope);
    }
    if (at->low.trial) {
        out->part[0] = (struct bl_bound_part){low, at->low.trial->reward, at->low.until};
    }
    if (at->high.trial) {
        out->part[1] = (struct bl_bound_part){1 - low, at->high.trial->reward, at->high.until};
    }
}

/* At the best end the time that is saved by ending sooner costs as much as it is worth. */
static double guess_reward(const struct bl_bound_job *job, const struct bl_price_path *path,
                           size_t cell)
{
    double least = INFINITY;

    for (size_t i = 0; i < job->option_count; i++) {
        const struct bl_bound_option *option = &job->option[i];
        double price = path->price[option->type * path->cell_count + cell];

        least = fmin(least, (1 + price * option->gpus) / option->speed);
    }
    return least;
}

static void add_trial(struct bl_bound_scratch *scratch, const struct bl_bound_job *job,
                      const struct bl_price_path *path, const struct window *window,
                      struct bl_bound_trial *trial)
{
    run_trial(scratch, job, path, window, trial);
    learn(scratch, job, window, trial);
}

/* Rewards are tried until the cell with the least value cannot be worth more. */
static void buy_in_parts(struct bl_bound_scratch *scratch, const struct bl_bound_job *job,
                         const struct bl_price_path *path, double precision, double *reward,
                         struct bl_bound_answer *out)
{
    struct window window = open_window(scratch, job, path);
    struct bracket at;
    size_t trials = 0;
    size_t cell;
    double next = *reward > 0 ? *reward : guess_reward(job, path, window.first);
    double most;

    if (window.is_open) {
        scratch->trial[trials].reward = (1 - 1e-12) / top_speed(job);
        add_trial(scratch, job, path, &window, &scratch->trial[trials++]);
    }
    do {
        scratch->trial[trials].reward = next;
        add_trial(scratch, job, path, &window, &scratch->trial[trials++]);
        cell = weakest_cell(scratch, &window);
        at = bracket_cell(scratch, job, &window, cell, trials);
        assert(at.high.trial || at.low.trial);
        next = next_reward(&at, cell == window.cells, &most);
    } while (trials < BL_BOUND_TRIALS_MAX &&
             most - scratch->least[cell] > precision * fabs(scratch->least[cell]));
    *reward = (at.high.trial ? at.high : at.low).trial->reward;
    out->value = scratch->least[cell];
    if (!window.is_open) {
        out->value = fmin(out->value, scratch->edge[window.cells] - job->release);
    }
    fill_parts(&at, out);
}

void bl_bound_buy(struct bl_bound_scratch *scratch, const struct bl_bound_job *job,
                  const struct bl_price_path *path, double precision, double *reward,
                  struct bl_bound_answer *out)
{
    *out = (struct bl_bound_answer){.value = INFINITY, .start = job->release};
    if (job->work <= 0 || job->option_count == 0) {
        out->value = 0;
    } else if (job->release >= bl_price_path_end(path)) {
        out->value = bl_bound_fastest(job);
    } else if (job->course == BL_BOUND_IN_ONE_PIECE) {
        for (size_t i = 0; i < job->option_count; i++) {
            try_starts(job, path, &job->option[i], out);
        }
        out->value += job->ahead;
    } else {
        buy_in_parts(scratch, job, path, precision, reward, out);
        out->value += job->ahead;
    }
}

/* The part of a cell that lies in [from, to]. */
static double overlap(const struct bl_price_path *path, size_t cell, double from, double to)
{
    return fmax(0, fmin(path->edge[cell + 1], to) - fmax(path->edge[cell], from));
}

static void add_part(const struct bl_bound_job *job, const struct bl_price_path *path,
                     const struct bl_bound_part *part, double *demand)
{
    for (size_t i = bl_price_path_cell(path, job->release);
         i < path->cell_count && path->edge[i] < part->until; i++) {
        double worth;
        const struct bl_bound_option *option = choose(job, path, i, part->reward, &worth);

        if (option) {
            demand[option->type * path->cell_count + i] +=
                part->share * option->gpus * overlap(path, i, job->release, part->until);
        }
    }
}

static void add_run(const struct bl_bound_job *job, const struct bl_price_path *path,
                    const struct bl_bound_answer *answer, double *demand)
{
    const struct bl_bound_option *option = answer->option;
    double to = answer->start + job->work / option->speed;

    if (answer->start >= bl_price_path_end(path)) {
        return;
    }
    for (size_t i = bl_price_path_cell(path, answer->start);
         i < path->cell_count && path->edge[i] < to; i++) {
        demand[option->type * path->cell_count + i] +=
            option->gpus * overlap(path, i, answer->start, to);
    }
}

void bl_bound_add_demand(const struct bl_bound_job *job, const struct bl_price_path *path,
                         const struct bl_bound_answer *answer, double *demand)
{
    if (answer->option) {
        add_run(job, path, answer, demand);
    }
    for (size_t i = 0; i < 2; i++) {
        if (answer->part[i].share > 0) {
            add_part(job, path, &answer->part[i], demand);
        }
    }
}
