/* The scheduler itself, without clock, files, sockets or threads: what a driver calls.
 *
 * Feed events in order of time with bl_core_step. A ROUND event makes the policy decide; its
 * actions come out and are already in the books (a started job is `starting`). All else only
 * changes state. The same events give the same actions, byte for byte. */
#ifndef BL_CORE_CORE_H
#define BL_CORE_CORE_H

#include "core/action.h"
#include "core/event.h"
#include "core/metrics.h"
#include "core/oracle.h"
#include "core/place.h"
#include "core/scores.h"

struct bl_core;

/* Whether jobs that ended stay in memory. */
enum bl_retention {
    BL_KEEP_ENDED,  /* all: views and dependencies on them work */
    BL_FORGET_ENDED /* none: for replays of large logs without dependencies */
};

struct bl_core *bl_core_create(enum bl_retention retention);
void bl_core_destroy(struct bl_core *core);

/* Rounds ask the oracle for speeds from now on, not what was learnt; NULL = no more. Borrowed. */
void bl_core_consult(struct bl_core *core, const struct bl_oracle *oracle);

/* Applies one event. For a ROUND, fills `actions` (cleared first; NULL is allowed for any other
 * kind). The actions' pointers are valid until the next step. */
void bl_core_step(struct bl_core *core, const struct bl_event *event, struct bl_actions *actions);

/* Whether anything changed since the last ROUND that could start or stop a job. */
bool bl_core_wants_round(const struct bl_core *core);

/* The next instant at which a ROUND is due although no event comes (a limit passes);
 * BL_TIME_NEVER when there is none. Not const: it drops what no longer matters. */
bl_time bl_core_next_wake(struct bl_core *core);

/* Views. Pointers are borrowed until the next step. */
const struct bl_cluster *bl_core_cluster(const struct bl_core *core);
const struct bl_policy_choice *bl_core_policy(const struct bl_core *core);
const struct bl_job *bl_core_find_job(const struct bl_core *core, bl_job_id id); /* or NULL */
/* Walk over all jobs in order of submission: start with *cursor = 0, NULL at the end. */
const struct bl_job *bl_core_next_job(const struct bl_core *core, size_t *cursor);
size_t bl_core_job_count(const struct bl_core *core);
bl_time bl_core_now(const struct bl_core *core); /* of the last event */

/* Why the job is where it is, now. */
void bl_core_explain(const struct bl_core *core, const struct bl_job *job, struct bl_reason *out);

/* Whether a snapshot can be made now: no round is due, and all that was decided is with the engine.
 */
bool bl_core_can_export(const struct bl_core *core);

/* The state as events: stepping them through a new core gives one that decides the same from here
 * on. Of the figures (bl_core_metrics) counts go on there, and all
 * else begins anew. Events are borrowed for the length of the call.
 * Comes in parts of at most `jobs` jobs, at least one: start with *cursor = 0, step nothing in
 * between, and call until it answers that there is no more. */
bool bl_core_export(const struct bl_core *core, size_t *cursor, size_t jobs,
                    void (*emit)(void *self, const struct bl_event *event), void *self);

/* A copy that goes its own way from here on, to look ahead: jobs that have not ended, with what is
 * foreseen of them. It learns nothing of runs that end in it. Where bl_core_can_export says yes. */
struct bl_core *bl_core_fork(const struct bl_core *core);

/* Foresees the jobs of such a copy with what the core has learnt by now; what the policy plans with
 * stays as it is. */
void bl_core_foresee(struct bl_core *fork, const struct bl_core *core);

/* Run times are predicted from now on although the policy does not ask for that. */
void bl_core_learn_runs(struct bl_core *core);

/* What is known of the speed of jobs; borrowed. Asking it makes fits, which change no answer. */
struct bl_curves *bl_core_curves(const struct bl_core *core);

/* How good what was told of starts and ends came to be; borrowed. */
const struct bl_scores *bl_core_scores(const struct bl_core *core);

/* What was submitted lately; borrowed. It follows from the jobs that are in memory. */
const struct bl_arrivals *bl_core_arrivals(const struct bl_core *core);

/* The accumulator behind the figures; borrowed. */
struct bl_metrics *bl_core_metrics(const struct bl_core *core);

#endif
