/* Looking ahead: the policy runs forward on a copy of the core, with run times drawn from what is
 * foreseen of each job, and so tells for every job when it starts and ends. What one user's jobs
 * take beyond or below what was foreseen they have in part in common: were each error one job's
 * alone, they would cancel out in a queue as real ones do not, and were all the same, the first of
 * several ends would come as late as the others. Several runs give ranges: core/foretold.h. */
#ifndef BL_CORE_FORETELL_H
#define BL_CORE_FORETELL_H

#include "base/arena.h"
#include "core/core.h"

/* Who will be submitted later. */
struct bl_foretell_source {
    void *self;
    /* The next one, in order of time: when, what, and how long it will run, 0 = to be drawn. False
     * when nobody comes any more. What `spec` points to is good until the next call. */
    bool (*next)(void *self, bl_time *at, struct bl_job_spec *spec, bl_time *run);
    /* A job like the one that was told last: what is foreseen of it holds for that as well. */
    const struct bl_job *(*like)(void *self); /* NULL = nothing is foreseen of anybody */
};

/* All zeroes are sensible: every round is decided, far ahead, and nobody comes later. */
struct bl_foretell_options {
    uint64_t seed;
    bool is_median;  /* every run takes the middle of what is foreseen, whatever the seed */
    bl_time at;      /* the present, where the core's last event is older */
    bl_time horizon; /* no further ahead; 0 = ten years */
    int32_t grain;   /* one more event shares a round for each so many that have passed; 0 = every
                        event has its own. What is far away costs less so */
    bl_time unknown; /* the longest run of a job without a limit of which nothing is foreseen; 0 =
                        it goes on for ever, and who waits for it has no instant */
    bl_job_id until; /* the run is over as soon as this job starts; 0 = not before all is told */
    const struct bl_arrivals *of_late; /* who may come later, as they came of late: drawn by the
                                          seed, nobody where all is at its middle; NULL = nobody */
    const struct bl_foretell_source *arrivals; /* or told one by one; NULL = as `of_late` says */
    bool (*is_stopped)(void *self);            /* looked at between rounds; NULL = never */
    void *stopper;                             /* its self */
    void (*see)(void *self, const struct bl_core *core); /* the copy at the beginning, and whenever
                                                            it has changed; NULL = nobody looks */
    void *seer;                                          /* its self */
};

/* BL_TIME_NEVER where there is no instant: it never starts or ends, or beyond the horizon. */
struct bl_foretell_row {
    bl_job_id job;
    bl_time start;    /* of a job that runs: when it did. Of an array: its next element's */
    bl_time end;      /* of an array: its last element's */
    bool is_active;   /* it has its GPUs already when the run begins */
    bool knows_start; /* an end that was foreseen came before it: not limits alone */
    bool knows_end;   /* likewise, or its own length was foreseen */
};

/* All jobs that have not ended, and elements that have not started of arrays that are not too
 * large, in rising order of job: the same for every run from the same state. */
struct bl_foretell_run {
    const struct bl_foretell_row *row; /* from the arena */
    size_t count;
    bl_time now;   /* when it begins */
    bool is_whole; /* it was not stopped */
};

enum {
    BL_FORETELL_ELEMENTS_MAX = 1024, /* of one array that have rows of their own */
    BL_FORETELL_STEPS_MAX = 100000   /* rounds of one run */
};

/* One run. The core must be one of which bl_core_can_export says yes. The same core and options
 * give the same answer. */
struct bl_foretell_run bl_foretell_run(const struct bl_core *core,
                                       const struct bl_foretell_options *options,
                                       struct bl_arena *arena);

/* The same on a copy that was changed since it was made: where that wants a round, it is decided at
 * once. Takes the copy. */
struct bl_foretell_run bl_foretell_run_changed(struct bl_core *fork,
                                               const struct bl_foretell_options *options,
                                               struct bl_arena *arena);

const struct bl_foretell_row *bl_foretell_find(const struct bl_foretell_run *run, bl_job_id job);

/* Of the k-th of several runs of one state: whoever looks ahead by these sees the same futures. */
uint64_t bl_foretell_seed(uint64_t of, size_t k);

enum { BL_FORETELL_SEED = 1 /* of what people are told */ };

/* How coarse rounds have to be for a run to be done in bounded work, whatever the policy and
 * however many wait: the value of `grain`. */
int32_t bl_foretell_grain(const struct bl_core *core);

/* How long a job runs in all where this is the level of what is drawn: of what is foreseen, or
 * where nothing is, of its limit or of `unknown`. BL_TIME_NEVER when there is none of them. */
struct bl_foretell_length {
    bl_time length;
    bool is_foreseen;
};
struct bl_foretell_length bl_foretell_length(const struct bl_job *job, bl_time now, bl_time unknown,
                                             double level);

#endif
