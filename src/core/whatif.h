/* What would be if: a job that is not submitted runs forward among all others on a copy of the
 * core, beside a copy without it, with the same run times. Nothing changes. */
#ifndef BL_CORE_WHATIF_H
#define BL_CORE_WHATIF_H

#include "core/foretold.h"

enum { BL_WHATIF_RUNS_MAX = 32 };

/* Looks ahead without any change, kept between questions: all that are asked of one state with one
 * effort compare with the same ones. Zeroes to begin with. */
struct bl_whatif_before {
    struct bl_arena arena;
    struct bl_foretell_run run[BL_WHATIF_RUNS_MAX + 1]; /* as of bl_whatif_run */
    size_t count;
};

/* When the state is another. */
void bl_whatif_before_reset(struct bl_whatif_before *before);
void bl_whatif_before_finish(struct bl_whatif_before *before);

/* How much is tried. */
struct bl_whatif_effort {
    struct bl_foretell_options
        options; /* its seed, is_median, until and horizon are not looked at; where it is stopped
                    before there is an answer there is none */
    size_t runs; /* with run times that are drawn, besides the one that takes the middle of all; at
                    most BL_WHATIF_RUNS_MAX */
    bool (*is_enough)(void *self); /* asked before an answer is made better: whether it may stay as
                                      it is; NULL = never */
    void *judge;                   /* its self */
    struct bl_whatif_before *before; /* NULL = nothing is kept */
};

/* Whom it delays. */
struct bl_whatif_delay {
    bl_job_id job;
    bl_time by; /* of a job that runs: its end; BL_TIME_NEVER = it never starts then */
};

struct bl_whatif {
    struct bl_dist length;   /* what the job itself takes; zeroes = nothing is foreseen */
    struct bl_range start;   /* of an array: its first element's */
    struct bl_range end;     /* of an array: its last element's */
    size_t runs;             /* on which the ranges rest; 0 = it was stopped before there was one */
    bool from_limits;        /* nothing is foreseen of it or of what it waits for */
    bool is_now;             /* it would start at once */
    struct bl_reason reason; /* else: why not */
    bl_time promised_at;     /* its latest start; 0 = it asks for no promise, or gets none */
    struct bl_whatif_delay *delay; /* the largest first; from the arena */
    size_t delay_count;
};

/* The core must be one of which bl_core_can_export says yes, and the job one that could be
 * submitted. The same core and effort give the same answer. */
void bl_whatif_submit(const struct bl_core *core, const struct bl_job_spec *spec,
                      const struct bl_whatif_effort *effort, struct bl_arena *arena,
                      struct bl_whatif *out);

/* A copy to compare with: it is decided at once, as one that was changed is. */
struct bl_core *bl_whatif_copy(const struct bl_core *core);

/* A copy in which the job has been submitted at `at`, under an id of its own. */
struct bl_core *bl_whatif_fork(const struct bl_core *core, const struct bl_job_spec *spec,
                               bl_time at, bl_job_id *id);

/* What it waits for, without what has come already: copies do not know of jobs that ended. */
void bl_whatif_drop_met(const struct bl_core *core, struct bl_job_spec *spec,
                        struct bl_arena *arena);

/* Whether nothing more is to be tried. */
bool bl_whatif_is_enough(const struct bl_whatif_effort *effort);

/* Options of the k-th run: the first takes the middle of what is foreseen. */
struct bl_foretell_options bl_whatif_run(const struct bl_whatif_effort *effort, size_t k);

#endif
