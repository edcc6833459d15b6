/* The predictions of one core: the runs they rest on, the predictor that was chosen, and what it
 * has to know of jobs that have not ended. */
#ifndef BL_CORE_PREDICTIONS_H
#define BL_CORE_PREDICTIONS_H

#include "core/event.h"
#include "core/predict.h"
#include "core/view.h"

struct bl_predictions; /* opaque */

struct bl_predictions *bl_predictions_create(void);
void bl_predictions_destroy(struct bl_predictions *predictions);

/* From now on this one answers; it learns from the last runs that are there. */
void bl_predictions_choose(struct bl_predictions *predictions,
                           const struct bl_predictor *predictor);

/* A job was submitted: fills its foresight and its predicted run. `running` is what runs now. */
void bl_predictions_ask(struct bl_predictions *predictions, struct bl_job *job,
                        const struct bl_running_entry *running, size_t running_count, bl_time now);

/* The same of a job from a snapshot, which brings its foresight along. */
void bl_predictions_note_restored(struct bl_predictions *predictions, struct bl_job *job);

/* It ended, or left otherwise: `run` is how long it ran, 0 when nothing can be learnt from it. */
void bl_predictions_note_ended(struct bl_predictions *predictions, const struct bl_job *job,
                               bl_time run);

/* Whether a run was learnt since the job's prediction was made that may change it: one of the same
 * user. */
bool bl_predictions_is_stale(const struct bl_predictions *predictions, const struct bl_job *job);

/* Asks again with what is known now. */
void bl_predictions_refresh(struct bl_predictions *predictions, struct bl_job *job);

/* What a job that is not there would take: no more is noted of it. All zeroes = unknown. */
void bl_predictions_of(const struct bl_predictions *predictions, const struct bl_job_spec *spec,
                       struct bl_dist *out);

/* Foresees for a job of a copy of the core, which knows no runs: nothing is noted of it. */
void bl_predictions_lend(const struct bl_predictions *predictions, struct bl_job *job);

/* What is to be expected of a running job's whole run by its age and by how far it says that it has
 * come. `job` may also be one that waits. */
void bl_predictions_now(const struct bl_job *job, bl_time now, struct bl_dist *out);

/* As RUN_LEARNED and FACT_LEARNED events without an instant, and from them. */
void bl_predictions_export(const struct bl_predictions *predictions,
                           void (*emit)(void *self, const struct bl_event *event), void *self);
void bl_predictions_take_run(struct bl_predictions *predictions, const struct bl_event *event);
void bl_predictions_take_fact(struct bl_predictions *predictions, const struct bl_event *event);

/* How long it has run by then, in all attempts since it last left the queue. */
bl_time bl_predictions_age(const struct bl_job *job, bl_time at);

#endif
