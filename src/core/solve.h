/* Joint allocation: which option (a GPU type, a count, a value) each job of a pool gets, all jobs
 * together, so that the values add up to the most and no type is used beyond what there is. That
 * is the integer programme of Sia (Jayaram Subramanya et al., SOSP 2023). The answer comes with a
 * bound that nobody can beat.
 *
 * How: one price a GPU type (Lagrangian relaxation; Everett 1963, Geoffrion 1974), found by cutting
 * planes in a trust region (Kelley 1960; Hiriart-Urruty and Lemaréchal 1993) over the upper concave
 * envelopes of the options; a bound by weak duality from one pass over all options at the final
 * prices; then repair, exchange and a beam search (dynamic programming over the options of small
 * reduced cost: the core concept of Balas and Zemel 1980, Pisinger 1995).
 *
 * Pure: no clock. Work is counted in operations and limited by `budget`. The same input after the
 * same history gives the same answer, bit for bit.
 *
 * What is not a usable option is never chosen, and is no error: a value that is NaN or not above
 * the job's value of none, a type outside the table, a negative count, a count above what kept
 * options leave of the type. Values beyond ±BL_SOLVE_VALUE_MAX, infinite ones included, count as
 * that. An option of 0 GPUs is a way of getting none: the best of them counts. Values that are
 * smaller than the largest by more than fifteen digits are lost beside it, as in any sum of
 * doubles. */
#ifndef BL_CORE_SOLVE_H
#define BL_CORE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BL_SOLVE_TYPES_MAX = 16, BL_SOLVE_NONE = -1 };

#define BL_SOLVE_VALUE_MAX 1e300
/* A gap below this part of the value is no gap: sums of doubles say no more. */
#define BL_SOLVE_EXACT 1e-9

struct bl_solve_option {
    double value; /* of any unit, the same for all */
    int32_t gpus;
    int32_t type; /* [0, types) */
};

/* Borrowed; read only. */
struct bl_solve_problem {
    int32_t types;           /* at most BL_SOLVE_TYPES_MAX */
    const int64_t *capacity; /* [types] GPUs; a negative one counts as 0 */
    size_t jobs;
    const size_t *first; /* [jobs + 1]: job j's options are option[first[j]] to before first[j+1] */
    const struct bl_solve_option *option;
    const int32_t *keep; /* [jobs] option (counted from the job's first) that a job must have,
                            whatever its value (NaN = 0); BL_SOLVE_NONE, or one with an impossible
                            type or count, is none; NULL = all are free */
    const double *none;  /* [jobs] what it is worth to get nothing; NULL or NaN = 0 */
};

/* What changed since the solver's last run; zeroes = everything may have. Jobs keep their numbers:
 * a job that left has no options any more, new ones come at the end (and are listed). Offsets and
 * memory may all be other ones. */
struct bl_solve_change {
    const size_t *job; /* numbers of the jobs whose options, values or keep changed */
    size_t count;
    bool is_known; /* false: nothing is known, `job` is not read */
};

struct bl_solve_answer {
    int32_t *choice; /* [jobs] the caller's memory; filled with options or BL_SOLVE_NONE */
    double price[BL_SOLVE_TYPES_MAX]; /* value of one more GPU of the type */
    double value;                     /* of the choice */
    double bound;                     /* no choice is worth more */
    double gap;                       /* (bound - value) / max(|bound|, |value|), or 0 */
    bool is_proved;                   /* no choice is worth more than `value`, but for
                                         BL_SOLVE_EXACT; may be so although the gap is not 0 */
    bool is_feasible;                 /* false only when the kept options alone do not fit */
    int64_t work;                     /* operations spent */
    int32_t evaluations;              /* of the dual function */
};

struct bl_solver;

struct bl_solver *bl_solver_create(void);
void bl_solver_destroy(struct bl_solver *solver);

/* Fills all of `answer`. `budget` limits the work by about that many operations (a nanosecond or
 * two each); the search always takes the few passes that a feasible answer and a bound need.
 * 0 = as much as pays. */
void bl_solve(struct bl_solver *solver, const struct bl_solve_problem *problem,
              const struct bl_solve_change *change, int64_t budget, struct bl_solve_answer *answer);

#endif
