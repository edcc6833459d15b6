#include "core/solve_parts.h"

#include "base/sort.h"

#include <math.h>

/* A part of 1/CHANGED_PART of the jobs may change before starting anew is as quick, and one of
 * 1/RESUMED_PART before the last choice is of no help. */
enum { CHANGED_PART = 4, RESUMED_PART = 256, SCALE_SPAN = 40 };

/* Stands for the option of a job that changed since the last run. */
enum { OPTION_CHANGED = BL_SOLVE_NONE - 1 };

static double scale_for(double largest)
{
    int exponent = 0;

    if (!(largest > 0)) {
        return 1;
    }
    frexp(largest, &exponent);
    return ldexp(1, exponent < -1020 ? 1020 : -exponent);
}

/* Envelopes hold no option beyond the room that there was: they are good for another room when no
 * option lies between the two. */
static bool is_room_alike(const struct bl_solver *solver, const int64_t *before)
{
    for (int32_t t = 0; t < solver->types; t++) {
        int64_t least = before[t] < solver->room[t] ? before[t] : solver->room[t];

        if (before[t] != solver->room[t] && least < solver->largest_gpus[t]) {
            return false;
        }
    }
    return true;
}

static void start_anew(struct bl_solver *solver)
{
    double before = solver->scale;

    solver->is_warm = false;
    solver->champion.count = 0;
    solver->cut_count = 0;
    solver->largest = 0;
    memset(solver->largest_gpus, 0, sizeof solver->largest_gpus);
    BL_VEC_RESERVE(&solver->base, solver->jobs);
    for (size_t j = 0; j < solver->jobs; j++) {
        bl_solve_survey_job(solver, j);
    }
    bl_solve_sum_up(solver);
    solver->scale = scale_for(solver->largest);
    for (int32_t t = 0; t < solver->types; t++) {
        solver->best.price[t] *= before > 0 ? solver->scale / before : 0;
    }
    bl_solve_build_hulls(solver);
    solver->work += (int64_t)solver->problem->first[solver->jobs];
}

/* Every cut is a sum over jobs: what a job added is taken off, what it would add now goes in. */
static void change_job(struct bl_solver *solver, size_t job, bool is_new)
{
    for (size_t i = 0; i < solver->cut_count && !is_new; i++) {
        bl_solve_count_in(solver, job, -1, &solver->cut[i]);
    }
    bl_solve_rebuild_hull(solver, job);
    for (size_t i = 0; i < solver->cut_count; i++) {
        bl_solve_count_in(solver, job, 1, &solver->cut[i]);
    }
    solver->work += 2 * (int64_t)solver->cut_count * solver->types;
}

static void grow(struct bl_solver *solver, size_t jobs)
{
    BL_VEC_RESERVE(&solver->base, jobs);
    BL_VEC_RESERVE(&solver->envelope, jobs * (size_t)solver->types);
    BL_VEC_RESERVE(&solver->seat, jobs * (size_t)solver->types);
    BL_VEC_RESERVE(&solver->corner_room, jobs);
    for (size_t j = solver->jobs; j < jobs; j++) {
        solver->corner_room.at[j] = 0;
    }
    solver->jobs = jobs;
}

static void set_best(struct bl_solver *solver)
{
    size_t best = 0;

    for (size_t i = 0; i < solver->cut_count; i++) {
        struct bl_solve_cut *cut = &solver->cut[i];

        cut->dual = bl_solve_dual_of(solver, cut, cut->price);
        best = cut->dual < solver->cut[best].dual ? i : best;
    }
    solver->best = solver->cut[best];
}

static void forget_last(struct bl_solver *solver, size_t job)
{
    if (job < solver->champion.count) {
        solver->champion.at[job].option = OPTION_CHANGED;
    }
}

/* Takes over the listed changes; false when the old envelopes are of no use for them. */
static bool take_changes(struct bl_solver *solver, const struct bl_solve_change *change,
                         size_t jobs_before)
{
    int64_t room[BL_SOLVE_TYPES_MAX];

    memcpy(room, solver->room, sizeof room);
    for (size_t i = 0; i < change->count; i++) {
        bl_solve_survey_job(solver, change->job[i]);
    }
    for (size_t j = jobs_before; j < solver->jobs; j++) {
        bl_solve_survey_job(solver, j);
    }
    bl_solve_sum_up(solver);
    if (!is_room_alike(solver, room) || solver->largest * solver->scale > ldexp(1, SCALE_SPAN)) {
        return false;
    }
    if ((change->count + solver->jobs - jobs_before) * RESUMED_PART > solver->jobs) {
        solver->champion.count = 0;
    }
    for (size_t i = 0; i < change->count; i++) {
        if (change->job[i] < jobs_before) {
            change_job(solver, change->job[i], false);
            forget_last(solver, change->job[i]);
        }
    }
    for (size_t j = jobs_before; j < solver->jobs; j++) {
        change_job(solver, j, true);
    }
    solver->work += (int64_t)solver->jobs;
    return true;
}

static bool may_be_warm(const struct bl_solver *solver, const struct bl_solve_problem *problem,
                        const struct bl_solve_change *change)
{
    return solver->cut_count > 0 && change && change->is_known && solver->types == problem->types &&
           solver->jobs <= problem->jobs &&
           (change->count + problem->jobs - solver->jobs) * CHANGED_PART <= problem->jobs &&
           solver->corners.count <=
               4 * (problem->first[problem->jobs] + problem->jobs * (size_t)problem->types);
}

void bl_solve_prepare(struct bl_solver *solver, const struct bl_solve_problem *problem,
                      const struct bl_solve_change *change)
{
    size_t jobs_before = solver->jobs;
    bool is_warm = may_be_warm(solver, problem, change);

    solver->problem = problem;
    if (solver->types != problem->types) {
        memset(&solver->best, 0, sizeof solver->best);
    }
    solver->types = problem->types;
    if (is_warm) {
        grow(solver, problem->jobs);
        is_warm = take_changes(solver, change, jobs_before);
    }
    solver->jobs = problem->jobs;
    if (!is_warm) {
        start_anew(solver);
        return;
    }
    solver->is_warm = true;
    set_best(solver);
}

void bl_solve_resume(struct bl_solver *solver, const double *price)
{
    for (size_t j = 0; j < solver->champion.count && j < solver->jobs; j++) {
        struct bl_solve_post *post = &solver->post.at[j];
        struct bl_solve_post last = solver->champion.at[j];

        if (last.option == OPTION_CHANGED || last.option == post->option) {
            continue;
        }
        last.loss = post->value - last.value;
        if (post->type >= 0) {
            solver->slack[post->type] += post->gpus;
            last.loss -= price[post->type] * post->gpus;
        }
        if (last.type >= 0) {
            solver->slack[last.type] -= last.gpus;
            last.loss += price[last.type] * last.gpus;
        }
        *post = last;
    }
    solver->work += (int64_t)solver->jobs;
}

static int compare_cuts(const void *left, const void *right)
{
    const struct bl_solve_cut *a = left;
    const struct bl_solve_cut *b = right;

    return (a->dual < b->dual) - (a->dual > b->dual);
}

/* The cuts that are highest at the best point; the best point's own is the highest of all. */
void bl_solve_keep_cuts(struct bl_solver *solver)
{
    for (size_t i = 0; i < solver->cut_count; i++) {
        solver->cut[i].dual = bl_solve_dual_of(solver, &solver->cut[i], solver->best.price);
    }
    bl_sort(solver->cut, solver->cut_count, sizeof solver->cut[0], compare_cuts);
    if (solver->cut_count > BL_SOLVE_CUTS_KEPT) {
        solver->cut_count = BL_SOLVE_CUTS_KEPT;
    }
}
