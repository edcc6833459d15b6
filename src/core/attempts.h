/* The attempts of a job before the present or last one: when and where each ran, and how it ended.
 * Kept where ended jobs are kept, and not on copies that only look ahead. */
#ifndef BL_CORE_ATTEMPTS_H
#define BL_CORE_ATTEMPTS_H

#include "base/vec.h"
#include "core/cluster.h"
#include "core/reason.h"

#include <stdbool.h>

struct bl_job;

enum { BL_ATTEMPTS_MAX = 16 /* of each job; older ones are counted */ };

enum bl_attempt_outcome {
    BL_ATTEMPT_PREEMPTED,
    BL_ATTEMPT_RESIZED,
    BL_ATTEMPT_REQUEUED,
    BL_ATTEMPT_LOST,
    BL_ATTEMPT_START_FAILED,
    BL_ATTEMPT_FAILED, /* and it was tried again, or held */
    BL_ATTEMPT_OUTCOME_COUNT
};

struct bl_job_attempt {
    int32_t number;
    bl_time started_at;      /* when the decision was taken */
    bl_time running_at;      /* when its process lived; 0 = it never did */
    bl_time ended_at;        /* 0 = it goes on: see bl_attempts_open */
    struct bl_reason reason; /* why it ended */
    int32_t exit_code;       /* valid with has_exit_code */
    bool has_exit_code;
    struct bl_alloc alloc; /* owned */
};

struct bl_job_attempts {
    BL_VEC(struct bl_job_attempt) list; /* rising; only the last may be going on */
    int32_t left_out;                   /* earlier ones that are not kept */
};

/* The present attempt is about to be resized: what it holds until then is noted, for old and new
 * GPUs are booked together from now on. */
void bl_attempts_open(struct bl_job *job);
/* The present attempt is over, for the job's reason, and the job is not. While the job still has
 * its allocation. */
void bl_attempts_close(struct bl_job *job, bl_time now);
/* The job is over: what was noted of the present attempt stands in the job itself. */
void bl_attempts_drop_open(struct bl_job *job);

/* As a snapshot tells. Copies; where it ran is left out if that cannot be, with so many nodes. */
void bl_attempts_restore(struct bl_job *job, const struct bl_job_attempts *past, size_t nodes);
void bl_attempts_destroy(struct bl_job_attempts *attempts);

/* How many are over, and the first of them. */
size_t bl_job_earlier_attempts(const struct bl_job *job, const struct bl_job_attempt **first);
/* The one that goes on, if something was noted of it, or NULL. */
const struct bl_job_attempt *bl_job_open_attempt(const struct bl_job *job);

/* Of one that is over. */
enum bl_attempt_outcome bl_attempt_outcome(const struct bl_job_attempt *attempt);
const char *bl_attempt_outcome_name(enum bl_attempt_outcome outcome); /* "preempted" … */

#endif
