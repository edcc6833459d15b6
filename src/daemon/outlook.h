/* The last forecast, made anew when it is asked for and something has changed. Making one takes
 * time where many jobs wait: at most a twentieth of all time goes into it, a fifth when jobs that
 * are new are asked about, and what is older than half a second is never given out after a change.
 */
#ifndef BL_DAEMON_OUTLOOK_H
#define BL_DAEMON_OUTLOOK_H

#include "core/forecast.h"

struct bl_outlook;

struct bl_outlook *bl_outlook_create(void);
void bl_outlook_destroy(struct bl_outlook *outlook);

/* The row of a job, or NULL: it has ended, or came after the last forecast. `seq` grows with every
 * change of the core. Borrowed until the next call. */
const struct bl_forecast_row *
bl_outlook_find(struct bl_outlook *outlook, const struct bl_core *core, int64_t seq, bl_job_id job);

/* The row that it had when it was last made, at *made_on of the core's time; nothing is made. */
const struct bl_forecast_row *bl_outlook_last(const struct bl_outlook *outlook, bl_job_id job,
                                              bl_time *made_on);

#endif
