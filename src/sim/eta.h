/* Scores what is foreseen at submission, --eta: run times, and the starts of jobs that have to
 * wait. Figures as in bl_sim_eta_figures; the core must predict (bl_core_learn_runs). */
#ifndef BL_SIM_ETA_H
#define BL_SIM_ETA_H

#include "core/core.h"

enum { BL_SIM_ETA_TENTHS = 10 };

struct bl_sim_eta; /* opaque */

/* NAN where there is nothing to say. */
struct bl_sim_eta_figures {
    int64_t jobs; /* that waited and started */
    double median_error_s, mae_s, bias_s, coverage, pinball_s;
    double coverage_of[BL_SIM_ETA_TENTHS]; /* of the tenth with the shortest foreseen waits, … */
    double pred_accuracy, pred_mae_s, pred_coverage; /* of all whose run time was foreseen */
};

struct bl_sim_eta *bl_sim_eta_create(uint64_t seed);
void bl_sim_eta_destroy(struct bl_sim_eta *eta);

/* Right after it was submitted. */
void bl_sim_eta_note_submitted(struct bl_sim_eta *eta, const struct bl_core *core, bl_job_id id);

/* After a round, when its actions are known to the core: who was submitted since and still waits is
 * told a start. */
void bl_sim_eta_tell(struct bl_sim_eta *eta, const struct bl_core *core);

/* The core has started it. */
void bl_sim_eta_note_started(struct bl_sim_eta *eta, const struct bl_job *job);

/* It ended; its times are known. */
void bl_sim_eta_note_ended(struct bl_sim_eta *eta, const struct bl_job *job);

void bl_sim_eta_fill(struct bl_sim_eta *eta, struct bl_sim_eta_figures *out);

#endif
