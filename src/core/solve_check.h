/* Checks an answer of core/solve from the problem alone and shares no code with it: what the choice
 * is worth, whether it fits, and the bound by weak duality at the answer's prices, valid for any
 * prices that are not negative (Geoffrion 1974). */
#ifndef BL_CORE_SOLVE_CHECK_H
#define BL_CORE_SOLVE_CHECK_H

#include "core/solve.h"

enum bl_solve_flaw {
    BL_SOLVE_FLAW_NONE,
    BL_SOLVE_FLAW_CHOICE, /* an option that the job does not have, or that is not usable */
    BL_SOLVE_FLAW_KEPT,   /* a job has another option than it must */
    BL_SOLVE_FLAW_ROOM,   /* a type is used beyond its capacity */
    BL_SOLVE_FLAW_VALUE,  /* the value is not that of the choice */
    BL_SOLVE_FLAW_PRICE,  /* a price is negative or no number */
    BL_SOLVE_FLAW_BOUND,  /* the bound is below what the prices prove, or below the value */
    BL_SOLVE_FLAW_GAP     /* the gap does not follow from value and bound */
};

struct bl_solve_check {
    enum bl_solve_flaw flaw;         /* the first that was found */
    size_t job;                      /* CHOICE, KEPT */
    int32_t type;                    /* ROOM, PRICE */
    double value;                    /* worked out anew */
    double bound;                    /* the same */
    int64_t use[BL_SOLVE_TYPES_MAX]; /* GPUs of free jobs, by type */
};

struct bl_solve_check bl_solve_check(const struct bl_solve_problem *problem,
                                     const struct bl_solve_answer *answer);

#endif
