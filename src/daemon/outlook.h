/* What is told of jobs that have not ended: the forecaster's ranges, brought up to date with what
 * has happened since; of jobs that came later, and before there are any, a plan of the queue. A
 * plan is made anew when it is asked for and something has changed. Making one takes time where
 * many jobs wait: at most a twentieth of all time goes into it, a fifth when jobs that are new are
 * asked about, what is older than half a second is never given out after a change, and where a plan
 * is slow the forecaster's is waited for. */
#ifndef BL_DAEMON_OUTLOOK_H
#define BL_DAEMON_OUTLOOK_H

#include "core/foretold.h"
#include "daemon/forecaster.h"

struct bl_outlook;

struct bl_outlook *bl_outlook_create(void);
void bl_outlook_destroy(struct bl_outlook *outlook);

/* Borrowed from now on; NULL = plans alone. */
void bl_outlook_attach(struct bl_outlook *outlook, const struct bl_forecaster *forecaster);

/* The row of a job, or NULL: it has ended, or nothing is known yet. `runs` is 0 where it comes from
 * a plan; then p50 alone is told. `seq` grows with every change of the core. Borrowed until the
 * next call. */
const struct bl_foretold_row *
bl_outlook_find(struct bl_outlook *outlook, const struct bl_core *core, int64_t seq, bl_job_id job);

/* What was told of a job last, at *told_at of the core's time, or NULL: nothing is made or brought
 * up to date. Borrowed until the next call. */
const struct bl_foretold_row *bl_outlook_last(struct bl_outlook *outlook, bl_job_id job,
                                              bl_time *told_at);

#endif
