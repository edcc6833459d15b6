#include "daemon/attempt_json.h"

#include "daemon/job_json.h"

/* One row, of an attempt that is over or of the one that the job itself tells of. */
struct row {
    struct bl_job_attempt attempt; /* borrows its GPUs */
    const char *outcome;           /* NULL: it goes on */
};

static void write_reason(struct bl_json *json, const struct row *row)
{
    if (!row->outcome || row->attempt.reason.code == BL_REASON_NONE ||
        !strcmp(row->outcome, bl_job_state_name(BL_JOB_COMPLETED))) {
        bl_json_put_null(json, "reason");
        bl_json_put_null(json, "reason_text");
        bl_json_put_null(json, "reason_numbers");
        return;
    }
    bl_job_json_write_bare_reason(json, &row->attempt.reason);
}

static void write_row(struct bl_json *json, const struct bl_cluster *cluster, const struct row *row)
{
    const struct bl_job_attempt *attempt = &row->attempt;

    bl_json_open_object(json);
    bl_json_put_int(json, "attempt", attempt->number);
    bl_json_put_text(json, "outcome", row->outcome);
    write_reason(json, row);
    bl_json_put_instant(json, "decided_at", attempt->started_at);
    bl_json_put_instant(json, "started_at", attempt->running_at);
    bl_json_put_instant(json, "ended_at", attempt->ended_at);
    if (attempt->has_exit_code) {
        bl_json_put_int(json, "exit_code", attempt->exit_code);
    } else {
        bl_json_put_null(json, "exit_code");
    }
    bl_json_put_int(json, "gpus", bl_alloc_gpus(&attempt->alloc));
    bl_where_json_write(json, cluster, &attempt->alloc);
    bl_json_close_object(json);
}

/* While it is resized, old and new GPUs are booked together: what it runs on was noted. */
static struct row row_of_job(const struct bl_ledger *ledger, const struct bl_job *job)
{
    const struct bl_job_attempt *open = bl_job_open_attempt(job);
    const struct bl_ledger_job *entry = bl_ledger_get(ledger, job->id);
    bool is_over = bl_job_state_is_ended(job->state);

    return (struct row){
        .attempt = {.number = job->attempt,
                    .started_at = job->started_at,
                    .running_at = job->running_at,
                    .ended_at = is_over ? job->ended_at : 0,
                    .reason = job->reason,
                    .exit_code = job->exit_code,
                    .has_exit_code = is_over && job->has_exit_code,
                    .alloc = open ? open->alloc : entry->alloc},
        .outcome = is_over ? bl_job_state_name(job->state) : NULL,
    };
}

static void write_earlier(struct bl_json *json, const struct bl_cluster *cluster,
                          const struct bl_job *job)
{
    const struct bl_job_attempt *first = NULL;
    size_t count = bl_job_earlier_attempts(job, &first);

    for (size_t i = 0; i < count; i++) {
        const struct row row = {first[i], bl_attempt_outcome_name(bl_attempt_outcome(&first[i]))};

        write_row(json, cluster, &row);
    }
}

void bl_attempts_json_write(struct bl_json *json, const struct bl_ledger *ledger,
                            const struct bl_job *job)
{
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);

    bl_json_key(json, "attempts");
    bl_json_open_array(json);
    write_earlier(json, cluster, job);
    if (job->started_at > 0) { /* else the last one was put back, or there was none */
        const struct row row = row_of_job(ledger, job);

        write_row(json, cluster, &row);
    }
    bl_json_close_array(json);
    bl_json_put_int(json, "attempts_left_out", job->attempts ? job->attempts->left_out : 0);
}
