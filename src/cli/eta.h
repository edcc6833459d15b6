/* Forecasts as people read them: an instant and how late it may become, and what it rests on. */
#ifndef BL_CLI_ETA_H
#define BL_CLI_ETA_H

#include "cli/jobs.h"

/* On declared limits alone: nothing is foreseen of it or of what it waits for. */
bool bl_eta_is_by_limits(const struct bl_job_view *job);

/* Appends "15:05 (–15:20)": in half of the cases it starts before the first, in nine of ten before
 * the second; nothing where no start is known. */
void bl_eta_print_start(struct bl_buf *out, const struct bl_job_view *job, bl_time now);

/* Appends "17:15 (18:10)", likewise. */
void bl_eta_print_end(struct bl_buf *out, const struct bl_job_view *job, bl_time now);

/* Appends on what both rest: " (32 runs of the forecast)". */
void bl_eta_print_source(struct bl_buf *out, const struct bl_job_view *job);

/* When a job that runs is sure to have ended: by its limit; without one as is foreseen in nine of
 * ten cases. 0 = not known. */
bl_time bl_eta_sure_end(const struct bl_job_view *job);

#endif
