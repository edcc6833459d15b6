/* A job's attempts as the API shows them. */
#ifndef BL_DAEMON_ATTEMPT_JSON_H
#define BL_DAEMON_ATTEMPT_JSON_H

#include "daemon/ledger.h"
#include "form/json_out.h"

/* The keys "attempts" and "attempts_left_out" into an object that is open: all that are remembered,
 * the present or last one included. */
void bl_attempts_json_write(struct bl_json *json, const struct bl_ledger *ledger,
                            const struct bl_job *job);

#endif
