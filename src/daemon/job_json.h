/* A job as the API shows it. */
#ifndef BL_DAEMON_JOB_JSON_H
#define BL_DAEMON_JOB_JSON_H

#include "daemon/ledger.h"
#include "form/json_out.h"

/* The object of lists and events. */
void bl_job_json_write(struct bl_json *json, const struct bl_ledger *ledger,
                       const struct bl_job *job);
/* The same keys with those of one job. */
void bl_job_json_write_whole(struct bl_json *json, const struct bl_ledger *ledger,
                             const struct bl_job *job);
/* The keys of the first, into an object that is open. */
void bl_job_json_write_keys(struct bl_json *json, const struct bl_ledger *ledger,
                            const struct bl_job *job);

/* Appends the path of an attempt's log. */
void bl_job_log_path(struct bl_buf *out, const struct bl_ledger *ledger, const struct bl_job *job,
                     int32_t attempt);

#endif
