#include "core/solve_check.h"

#include <math.h>

/* Slack for sums in another order, as a part of the sum of magnitudes. */
static const double rounding = 1e-11;

static double clamp(double value)
{
    return fmax(-BL_SOLVE_VALUE_MAX, fmin(BL_SOLVE_VALUE_MAX, value));
}

static double value_of_none(const struct bl_solve_problem *problem, size_t job)
{
    return problem->none && !isnan(problem->none[job]) ? clamp(problem->none[job]) : 0;
}

static int32_t kept(const struct bl_solve_problem *problem, size_t job)
{
    int32_t keep = problem->keep ? problem->keep[job] : BL_SOLVE_NONE;
    const struct bl_solve_option *option;

    if (keep < 0 || (size_t)keep >= problem->first[job + 1] - problem->first[job]) {
        return BL_SOLVE_NONE;
    }
    option = &problem->option[problem->first[job] + (size_t)keep];
    return option->type >= 0 && option->type < problem->types && option->gpus >= 0 ? keep
                                                                                   : BL_SOLVE_NONE;
}

static double value_of(const struct bl_solve_option *option)
{
    return isnan(option->value) ? 0 : clamp(option->value);
}

/* What kept options leave of each type. */
struct room {
    int64_t left[BL_SOLVE_TYPES_MAX];
};

static struct room find_room(const struct bl_solve_problem *problem)
{
    struct room room = {0};

    for (int32_t t = 0; t < problem->types; t++) {
        room.left[t] = problem->capacity[t] > 0 ? problem->capacity[t] : 0;
    }
    for (size_t j = 0; j < problem->jobs; j++) {
        int32_t keep = kept(problem, j);

        if (keep != BL_SOLVE_NONE) {
            const struct bl_solve_option *option =
                &problem->option[problem->first[j] + (size_t)keep];

            room.left[option->type] -= option->gpus;
        }
    }
    return room;
}

static bool is_usable(const struct bl_solve_problem *problem, const struct room *room,
                      const struct bl_solve_option *option)
{
    return !isnan(option->value) && option->type >= 0 && option->type < problem->types &&
           option->gpus >= 0 && (option->gpus == 0 || option->gpus <= room->left[option->type]);
}

/* What a free job adds to the bound; what a kept one does but for its GPUs, which are not in the
 * room that is paid for. */
static double bound_of_job(const struct bl_solve_problem *problem, const struct room *room,
                           const double *price, size_t job)
{
    double best = value_of_none(problem, job);
    const struct bl_solve_option *option = &problem->option[problem->first[job]];
    size_t count = problem->first[job + 1] - problem->first[job];
    int32_t keep = kept(problem, job);

    if (keep != BL_SOLVE_NONE) {
        return value_of(&option[keep]);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_usable(problem, room, &option[i])) {
            best = fmax(best, clamp(option[i].value) - price[option[i].type] * option[i].gpus);
        }
    }
    return best;
}

static void note(struct bl_solve_check *check, enum bl_solve_flaw flaw)
{
    if (check->flaw == BL_SOLVE_FLAW_NONE) {
        check->flaw = flaw;
    }
}

/* Adds what a job has to value and use. */
static void check_job(const struct bl_solve_problem *problem, const struct bl_solve_answer *answer,
                      const struct room *room, size_t job, struct bl_solve_check *check)
{
    int32_t choice = answer->choice[job];
    int32_t keep = kept(problem, job);
    const struct bl_solve_option *option = &problem->option[problem->first[job]];
    bool is_there = choice >= 0 && (size_t)choice < problem->first[job + 1] - problem->first[job];

    check->job = check->flaw ? check->job : job;
    if (keep != BL_SOLVE_NONE) {
        check->value += value_of(&option[keep]);
        note(check, choice == keep ? BL_SOLVE_FLAW_NONE : BL_SOLVE_FLAW_KEPT);
    } else if (choice == BL_SOLVE_NONE) {
        check->value += value_of_none(problem, job);
    } else if (!is_there || !is_usable(problem, room, &option[choice])) {
        note(check, BL_SOLVE_FLAW_CHOICE);
    } else {
        check->value += value_of(&option[choice]);
        check->use[option[choice].type] += option[choice].gpus;
    }
}

static void check_types(const struct bl_solve_problem *problem,
                        const struct bl_solve_answer *answer, const struct room *room,
                        struct bl_solve_check *check)
{
    for (int32_t t = 0; t < problem->types; t++) {
        check->type = check->flaw ? check->type : t;
        if (!(answer->price[t] >= 0) || isinf(answer->price[t])) {
            note(check, BL_SOLVE_FLAW_PRICE);
        }
        if (check->use[t] > room->left[t]) {
            note(check, BL_SOLVE_FLAW_ROOM);
        }
    }
}

/* Sums the bound; answers the magnitude of what it is made of. */
static double sum_bound(const struct bl_solve_problem *problem, const struct room *room,
                        const double *price, struct bl_solve_check *check)
{
    double magnitude = 0;

    for (int32_t t = 0; t < problem->types; t++) {
        check->bound += price[t] * (double)room->left[t];
        magnitude += fabs(price[t] * (double)room->left[t]);
    }
    for (size_t j = 0; j < problem->jobs; j++) {
        double part = bound_of_job(problem, room, price, j);

        check->bound += part;
        magnitude += fabs(part);
    }
    return magnitude;
}

struct bl_solve_check bl_solve_check(const struct bl_solve_problem *problem,
                                     const struct bl_solve_answer *answer)
{
    struct bl_solve_check check = {0};
    struct room room = find_room(problem);
    double slack;

    for (size_t j = 0; j < problem->jobs; j++) {
        check_job(problem, answer, &room, j, &check);
    }
    check_types(problem, answer, &room, &check);
    slack = rounding * sum_bound(problem, &room, answer->price, &check);
    if (!(fabs(answer->value - check.value) <= slack)) {
        note(&check, BL_SOLVE_FLAW_VALUE);
    }
    if (!(answer->bound >= check.bound - slack) || !(answer->bound >= answer->value - slack)) {
        note(&check, BL_SOLVE_FLAW_BOUND);
    }
    if (!(fabs((answer->bound - answer->value) -
               answer->gap * fmax(fabs(answer->bound), fabs(answer->value))) <= slack)) {
        note(&check, BL_SOLVE_FLAW_GAP);
    }
    return check;
}
