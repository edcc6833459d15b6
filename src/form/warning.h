/* Signals by name, and the signal that a job wants before its limit: "USR1@90", "B:TERM@2m". */
#ifndef BL_FORM_WARNING_H
#define BL_FORM_WARNING_H

#include "core/job.h"

#define BL_WARNING_LEAD (60 * BL_SECOND) /* of one that does not say */

/* "USR1", "SIGUSR1", "10" to the number. Refuses those that no program can handle. */
int bl_signal_parse(const char *text, int32_t *out, struct bl_error *err);

/* "USR1"; NULL for a number without a name. */
const char *bl_signal_name(int32_t number);

/* [B:]SIGNAL[@LEAD]: a bare number as lead is seconds, as Slurm's, else it is a time like 2m. With
 * "B:" only the job's first process gets it. */
int bl_warning_parse(const char *text, struct bl_warning *out, struct bl_error *err);

#endif
