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
/* For those who are not known: without what it runs, where, and what it writes. */
void bl_job_json_write_public(struct bl_json *json, const struct bl_ledger *ledger,
                              const struct bl_job *job);
/* The keys of the first, into an object that is open. */
void bl_job_json_write_keys(struct bl_json *json, const struct bl_ledger *ledger,
                            const struct bl_job *job);

/* An element that has not started, as if it were a job of its own. It borrows from its array. */
struct bl_job bl_job_pending_element(const struct bl_job *array_job, int32_t position);

/* The state as it is shown: an array runs while one of its elements does. */
enum bl_job_state bl_job_shown_state(const struct bl_job *job);

/* Why it is where it is, and when it will start and end: into an object that is open. */
void bl_job_json_write_reason(struct bl_json *json, const struct bl_ledger *ledger,
                              const struct bl_job *job);
/* Its keys alone, of a job that is not in the books. */
void bl_job_json_write_bare_reason(struct bl_json *json, const struct bl_reason *reason);
void bl_job_json_write_forecast(struct bl_json *json, const struct bl_ledger *ledger,
                                const struct bl_job *job);

/* A range as an object, or null where there is no middle. NULL = none. */
void bl_range_json_write(struct bl_json *json, const char *key, const struct bl_range *range);
/* On what a row rests: "limits", "median" or "runs". */
const char *bl_foretold_source(const struct bl_foretold_row *row);

/* The key "where": nodes, and their GPUs by number. */
void bl_where_json_write(struct bl_json *json, const struct bl_cluster *cluster,
                         const struct bl_alloc *alloc);

/* Appends the path of an attempt's log. False, and nothing appended, for a process that was adopted
 * and writes where nobody can say. */
bool bl_job_log_path(struct bl_buf *out, const struct bl_ledger *ledger, const struct bl_job *job,
                     int32_t attempt);
/* The same for standard error; false, and nothing appended, where it goes to the log. */
bool bl_job_error_path(struct bl_buf *out, const struct bl_ledger *ledger, const struct bl_job *job,
                       int32_t attempt);

#endif
