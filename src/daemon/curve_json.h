/* The speed curve of a job as the API shows it. */
#ifndef BL_DAEMON_CURVE_JSON_H
#define BL_DAEMON_CURVE_JSON_H

#include "daemon/ledger.h"
#include "form/json_out.h"

/* One object: where the curve comes from, what was measured, and what each legal count promises. */
void bl_curve_json_write(struct bl_json *json, const struct bl_core *core,
                         const struct bl_job *job);

#endif
