/* Inside of the solver, shared by core/solve*.c only. Values are scaled so that the largest is
 * about 1; what a job gets for nothing is taken off them, so that none is worth 0. */
#ifndef BL_CORE_SOLVE_PARTS_H
#define BL_CORE_SOLVE_PARTS_H

#include "base/vec.h"
#include "core/solve.h"

enum {
    BL_SOLVE_CUTS_MAX = 96,
    BL_SOLVE_CUTS_KEPT = 24, /* for the next run */
    BL_SOLVE_MOVES_AIM = 4096,
    BL_SOLVE_LARGE_SEATS = 10000,
    BL_SOLVE_EVALUATIONS_MAX = 240
};

/* A corner of the upper concave envelope of one job's options of one type. */
struct bl_solve_corner {
    double slope; /* value a GPU up to the next corner; -1 at the last */
    double value;
    int32_t gpus;
};

/* The corner that is best at the present price, and for which prices it stays so. */
struct bl_solve_seat {
    double low, high; /* low <= price < high */
    double value;
    double gpus;
    uint32_t corner; /* counted from the envelope's first */
};

/* The dual function at a point: jobs' values and use there. At any other prices q it is at least
 * value + sum of q (room - use), as nobody is made to choose anew. */
struct bl_solve_cut {
    double price[BL_SOLVE_TYPES_MAX];
    double use[BL_SOLVE_TYPES_MAX];
    double value;
    double dual;
};

/* An option that a job might take instead of its best one. */
struct bl_solve_move {
    double loss;  /* reduced cost: what it is worth less at the prices, >= 0 */
    double value; /* scaled */
    size_t job;
    int32_t option; /* BL_SOLVE_NONE = nothing */
    int32_t type;   /* -1 with it */
    int32_t gpus;
};

/* What is known of a job before prices. */
struct bl_solve_base {
    double none; /* not scaled */
    int32_t none_option;
    bool is_kept;
};

/* What a job has. */
struct bl_solve_post {
    double value; /* scaled */
    double loss;
    int32_t option;
    int32_t type; /* -1 = has nothing */
    int32_t gpus;
};

struct bl_solver {
    const struct bl_solve_problem *problem; /* of the run */
    int32_t types;
    size_t jobs;
    int64_t capacity[BL_SOLVE_TYPES_MAX]; /* never negative */
    int64_t room[BL_SOLVE_TYPES_MAX];     /* without what kept options use; may be negative */
    double scale;                         /* power of two: scaled = value * scale */
    double kept_value;                    /* of kept options and of none, not scaled */

    double largest; /* value above none, not scaled, when scale was chosen */
    int32_t largest_gpus[BL_SOLVE_TYPES_MAX]; /* that any option ever asked for */

    BL_VEC(struct bl_solve_base) base; /* [jobs] */
    BL_VEC(struct bl_solve_corner) corners;
    BL_VEC(size_t) envelope;           /* [jobs * types] first corner */
    BL_VEC(size_t) corner_room;        /* [jobs] corners that a job's block can hold */
    BL_VEC(struct bl_solve_seat) seat; /* [jobs * types] */
    BL_VEC(struct bl_solve_move) scratch;
    BL_VEC(double) score; /* of one job's options */

    struct bl_solve_cut cut[BL_SOLVE_CUTS_MAX];
    size_t cut_count;
    struct bl_solve_cut best; /* the point of least dual */
    bool is_warm;             /* cuts and envelopes of the run before are good */

    BL_VEC(struct bl_solve_move) moves; /* by job */
    BL_VEC(struct bl_solve_post) post;  /* [jobs] the choice that is worked on */
    BL_VEC(struct bl_solve_post)
    champion;              /* best choice so far; at first that of the
last run where little changed, else none */
    double champion_value; /* scaled, sum of its posts; -1 = there is none */
    int64_t slack[BL_SOLVE_TYPES_MAX];

    int64_t work, budget;
    int32_t evaluations;
};

/* solve_option.c: reading options as the header promises. */
double bl_solve_clamp(double value);
/* Notes what is to be known of the job in `base` and `largest`. */
void bl_solve_survey_job(struct bl_solver *solver, size_t job);
/* Capacity, room and kept_value from the bases. */
void bl_solve_sum_up(struct bl_solver *solver);

/* Too large for looking at everything: then a gap that no one notices is good enough. */
static inline bool bl_solve_is_large(const struct bl_solver *solver)
{
    return solver->jobs * (size_t)solver->types > BL_SOLVE_LARGE_SEATS;
}

/* Scaled value above none of an option that may be used; 0 or less for any other. */
static inline double bl_solve_worth(const struct bl_solver *solver, double none,
                                    const struct bl_solve_option *option)
{
    if (!(option->value > none) || option->type < 0 || option->type >= solver->types ||
        option->gpus <= 0 || option->gpus > solver->room[option->type]) {
        return 0;
    }
    return ((option->value < BL_SOLVE_VALUE_MAX ? option->value : BL_SOLVE_VALUE_MAX) - none) *
           solver->scale;
}

/* solve_hull.c */
void bl_solve_build_hulls(struct bl_solver *solver);
void bl_solve_rebuild_hull(struct bl_solver *solver, size_t job);

/* solve_dual.c */
/* Adds what the job chooses at the cut's prices to the cut, `sign` = 1, or takes it off, -1. */
void bl_solve_count_in(const struct bl_solver *solver, size_t job, double sign,
                       struct bl_solve_cut *cut);
/* Evaluates the dual function at cut->price, notes the cut and the best point. */
void bl_solve_evaluate(struct bl_solver *solver, struct bl_solve_cut *cut);
double bl_solve_dual_of(const struct bl_solver *solver, const struct bl_solve_cut *cut,
                        const double *price);

/* solve_start.c: prices from nothing. */
void bl_solve_start(struct bl_solver *solver);

/* solve_bundle.c: from the best point to the least of the dual function. */
void bl_solve_descend(struct bl_solver *solver);

/* solve_master.c: the least, over a box of prices, of the maximum of all cuts. Answers its value
 * and sets `price`. */
struct bl_solve_box {
    double low[BL_SOLVE_TYPES_MAX], high[BL_SOLVE_TYPES_MAX];
};
double bl_solve_master(const struct bl_solver *solver, const struct bl_solve_box *box,
                       double *price);

/* solve_price.c: one pass over all options at `price`. Fills `post` with each job's best and
 * `moves` with the others that lose less than `limit`; slack is what is left. Answers the bound,
 * scaled: a safe one, above what rounding may have taken. */
double bl_solve_pass(struct bl_solver *solver, const double *price, double limit);
/* The loss below which about `aim` moves lie at these prices. */
double bl_solve_moves_limit(struct bl_solver *solver, const double *price, size_t aim);

/* solve_repair.c: makes `post` feasible, then fills what is left. */
void bl_solve_repair(struct bl_solver *solver, const double *price);
/* Puts a move into effect. */
void bl_solve_apply(struct bl_solver *solver, const struct bl_solve_move *move);
/* Keeps `post` when it is worth more than the champion. */
void bl_solve_crown(struct bl_solver *solver);

/* solve_exchange.c: better by one, two or three moves at a time, until none helps. */
void bl_solve_exchange(struct bl_solver *solver, const double *price, int64_t work_max);

/* solve_beam.c: from the jobs' best options, the moves of small loss in every combination that
 * could beat the champion, which has `gap` left. True when it looked at them all: then the champion
 * is the best there is. */
bool bl_solve_beam(struct bl_solver *solver, const double *price, double gap, int64_t work_max);

/* A job that may do otherwise than best: its moves. */
struct bl_solve_item {
    size_t first, count; /* of solver->moves */
};

/* solve_outlook.c: what may come of jobs that have chosen, whatever the others do. At the price of
 * a type lowered by so much a choice loses at least what those jobs lost, and by how much the GPUs
 * that are left are worth less there, less what the jobs to come gain there at most. */
enum { BL_SOLVE_VIEWS_MAX = 6 * BL_SOLVE_TYPES_MAX };
struct bl_solve_view {
    double lowered;
    int32_t type;
};
struct bl_solve_outlook {
    size_t count;
    struct bl_solve_view view[BL_SOLVE_VIEWS_MAX];
    double *gained; /* [item * count + view]: by this item and all behind it */
};
void bl_solve_look_out(struct bl_solver *solver, const double *price,
                       const struct bl_solve_item *items, size_t count,
                       struct bl_solve_outlook *out);
/* Whether `left` or more will be lost besides, `next` being the first item that has not chosen, and
 * `slack` what is left when all the others stay. */
bool bl_solve_is_hopeless(const struct bl_solve_outlook *outlook, size_t next, double left,
                          const int64_t *slack);
void bl_solve_outlook_finish(struct bl_solve_outlook *outlook);

/* solve_shake.c: from the champion, a few moves at random (always the same ones), repaired and
 * exchanged anew, again and again. */
void bl_solve_shake(struct bl_solver *solver, const double *price, int64_t work_max);

/* solve_warm.c: makes the solver ready for the problem, keeping what the change leaves true. */
void bl_solve_prepare(struct bl_solver *solver, const struct bl_solve_problem *problem,
                      const struct bl_solve_change *change);
/* After a pass: jobs that did not change have again what they had in the last run. */
void bl_solve_resume(struct bl_solver *solver, const double *price);
/* Keeps the best cuts for the next run. */
void bl_solve_keep_cuts(struct bl_solver *solver);

#endif
