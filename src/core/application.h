/* Which jobs are runs of one application, and so share what is learnt of their speed. */
#ifndef BL_CORE_APPLICATION_H
#define BL_CORE_APPLICATION_H

#include "core/job.h"

enum { BL_APPLICATION_MAX = 512 }; /* bytes of its name, with the end */

/* What the spec says, else "USER/NAME" without the digits at the end of the name that count runs.
 * False, and nothing written, for a job without a name. */
bool bl_application_of(const struct bl_job_spec *spec, char out[BL_APPLICATION_MAX]);

/* A name that this job shares with none. */
void bl_application_alone(bl_job_id job, char out[BL_APPLICATION_MAX]);

#endif
