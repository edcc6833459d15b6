/* Small allocation problems for tests of the solver, and what is right for them by enumeration. */
#ifndef BL_KIT_SOLVE_CASE_H
#define BL_KIT_SOLVE_CASE_H

#include "core/solve.h"
#include "core/solve_check.h"
#include "prop.h"

enum { SOLVE_CASE_JOBS_MAX = 64, SOLVE_CASE_OPTIONS_MAX = 1024 };

struct solve_case {
    struct bl_solve_problem problem; /* points into the case: pass it by pointer */
    int64_t capacity[BL_SOLVE_TYPES_MAX];
    size_t first[SOLVE_CASE_JOBS_MAX + 1];
    struct bl_solve_option option[SOLVE_CASE_OPTIONS_MAX];
    int32_t keep[SOLVE_CASE_JOBS_MAX];
    double none[SOLVE_CASE_JOBS_MAX];
    int32_t choice[SOLVE_CASE_JOBS_MAX];
    struct bl_solve_answer answer;
};

/* From text: "cap 4 6; 0:1=2.5 0:2=4; 1:3=7 keep=0; none=1 0:1=3": capacities of the types, then a
 * part for each job with its options TYPE:GPUS=VALUE. */
void solve_case_read(struct solve_case *it, const char *text);

struct solve_case_shape {
    int types_max, jobs_max, options_max; /* of a job */
    int gpus_max, capacity_max;
    bool is_odd; /* values may be NaN, infinite, negative, huge or tiny; types and counts wrong */
};

void solve_case_draw(struct solve_case *it, struct bl_prop *prop,
                     const struct solve_case_shape *shape);

void solve_case_copy(struct solve_case *to, const struct solve_case *from);

/* Draws other options for one job, as many as it has. */
void solve_case_change(struct solve_case *it, struct bl_prop *prop,
                       const struct solve_case_shape *shape, size_t job);

/* The value of the best choice, by trying all. -HUGE_VAL when kept options do not fit. */
double solve_case_optimum(const struct solve_case *it);

/* The sum of each job's largest magnitude: what digits are lost beside. */
double solve_case_size(const struct solve_case *it);

/* Solves into it->answer, and has the answer checked; true when nothing is wrong with it. */
bool solve_case_run(struct solve_case *it, struct bl_solver *solver,
                    const struct bl_solve_change *change, int64_t budget);

#endif
