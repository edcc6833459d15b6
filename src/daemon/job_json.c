#include "daemon/job_json.h"

#include "daemon/attempt_json.h"
#include "daemon/members.h"
#include "form/arrayspec.h"
#include "form/reason_text.h"

struct bl_job bl_job_pending_element(const struct bl_job *array_job, int32_t position)
{
    struct bl_job job = *array_job;

    job.id = array_job->id + 1 + position;
    job.array = NULL;
    job.array_job = (struct bl_job *)(uintptr_t)array_job; /* nothing here changes it */
    job.array_position = position;
    if (array_job->array->outcome[position] != BL_OUTCOME_NONE) {
        job.state = BL_JOB_CANCELLED;
        if (!bl_job_state_is_ended(array_job->state)) {
            job.reason = (struct bl_reason){.code = BL_REASON_NONE}; /* the array's is another */
        }
    }
    return job;
}

/* NULL for an element that has not started. */
static const struct bl_ledger_job *find_entry(const struct bl_ledger *ledger,
                                              const struct bl_job *job)
{
    return bl_map_find(&ledger->jobs, job->id);
}

enum bl_job_state bl_job_shown_state(const struct bl_job *job)
{
    bool runs = job->array && job->array->active > 0 && job->state == BL_JOB_QUEUED;

    return runs ? BL_JOB_RUNNING : job->state;
}

/* What an array's elements hold together. */
static int64_t gpus_of_elements(const struct bl_ledger *ledger, const struct bl_job *array_job)
{
    int64_t gpus = 0;

    for (size_t i = 0; i < ledger->active.count; i++) {
        const struct bl_job *job = bl_core_find_job(ledger->core, ledger->active.at[i]);

        gpus += job->array_job == array_job ? bl_alloc_gpus(&job->alloc) : 0;
    }
    return gpus;
}

static int64_t gpus_now(const struct bl_ledger *ledger, const struct bl_job *job)
{
    if (job->array) {
        return job->array->active > 0 ? gpus_of_elements(ledger, job) : 0;
    }
    return bl_job_state_is_active(job->state) ? bl_alloc_gpus(&job->alloc) : 0;
}

static void write_gpus(struct bl_json *json, const struct bl_ledger *ledger,
                       const struct bl_job *job)
{
    bl_json_key(json, "gpus");
    bl_json_open_object(json);
    bl_json_put_int(json, "min", job->spec.gpus_min);
    bl_json_put_int(json, "want", job->spec.gpus_want);
    bl_json_put_int(json, "max", job->spec.gpus_max);
    bl_json_put_int(json, "now", gpus_now(ledger, job));
    bl_json_close_object(json);
}

static void write_gpu_indices(struct bl_json *json, const struct bl_node *node,
                              const struct bl_alloc_part *part)
{
    if (node->spec.counted) {
        bl_json_put_null(json, "gpus");
        return;
    }
    bl_json_key(json, "gpus");
    bl_json_open_array(json);
    for (int g = 0; g < BL_NODE_NAMED_GPUS_MAX; g++) {
        if ((part->gpu_mask >> g) & 1) {
            bl_json_int(json, g);
        }
    }
    bl_json_close_array(json);
}

void bl_where_json_write(struct bl_json *json, const struct bl_cluster *cluster,
                         const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    bl_json_key(json, "where");
    bl_json_open_array(json);
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        const struct bl_node *node = &cluster->node[part[i].node];

        bl_json_open_object(json);
        bl_json_put_text(json, "node", node->spec.name);
        write_gpu_indices(json, node, &part[i]);
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

/* Where it runs or, once it ended, where it ran last. */
static void write_where(struct bl_json *json, const struct bl_ledger *ledger,
                        const struct bl_job *job)
{
    static const struct bl_alloc nowhere = {0};
    const struct bl_ledger_job *entry = find_entry(ledger, job);
    bool has_place =
        entry && (bl_job_state_is_active(job->state) || bl_job_state_is_ended(job->state));

    bl_where_json_write(json, bl_core_cluster(ledger->core), has_place ? &entry->alloc : &nowhere);
}

/* The numbers behind the words: clients say them in other languages. */
static void write_reason_numbers(struct bl_json *json, const struct bl_reason *reason)
{
    bl_json_key(json, "reason_numbers");
    bl_json_open_object(json);
    bl_json_put_int(json, "job", reason->job);
    bl_json_put_int(json, "need", reason->need);
    bl_json_put_int(json, "have", reason->have);
    bl_json_put_instant(json, "at", reason->at);
    bl_json_close_object(json);
}

static void write_reason_keys(struct bl_json *json, const struct bl_reason *reason,
                              const struct bl_buf *text)
{
    bl_json_put_text(json, "reason", bl_reason_name(reason->code));
    bl_json_put_text(json, "reason_text", bl_buf_text(text));
    write_reason_numbers(json, reason);
}

void bl_job_json_write_bare_reason(struct bl_json *json, const struct bl_reason *reason)
{
    BL_AUTO_BUF text = {0};

    bl_reason_print(&text, reason, NULL);
    write_reason_keys(json, reason, &text);
}

/* A pending element waits as its array does. An array of which nothing may start now stands in no
 * line: no policy can say why. */
static void explain(const struct bl_ledger *ledger, const struct bl_job *job, struct bl_reason *out)
{
    if (job->array_job && !find_entry(ledger, job) && !bl_job_state_is_ended(job->state)) {
        job = job->array_job;
    }
    *out = (struct bl_reason){.code = BL_REASON_NONE};
    if (!job->array || job->state != BL_JOB_QUEUED || job->array->is_listed) {
        bl_core_explain(ledger->core, job, out);
    }
}

/* One that is tried again says what went wrong. */
static bool has_cause(const struct bl_job *job, const struct bl_reason *reason)
{
    return reason->code == BL_REASON_RETRY && job->reason.code != BL_REASON_NONE;
}

static void print_reason(struct bl_buf *out, const struct bl_ledger *ledger,
                         const struct bl_job *job, const struct bl_reason *reason)
{
    const struct bl_launch *launch = bl_ledger_launch(ledger, job);

    bl_reason_print(out, has_cause(job, reason) ? &job->reason : reason, launch);
    if (has_cause(job, reason)) {
        bl_buf_append_text(out, ", tried again soon");
    }
}

static void write_cause(struct bl_json *json, const struct bl_ledger *ledger,
                        const struct bl_job *job, const struct bl_reason *reason)
{
    BL_AUTO_BUF text = {0};

    if (!has_cause(job, reason)) {
        bl_json_put_null(json, "retry_cause");
        return;
    }
    bl_reason_print(&text, &job->reason, bl_ledger_launch(ledger, job));
    bl_json_key(json, "retry_cause");
    bl_json_open_object(json);
    write_reason_keys(json, &job->reason, &text);
    bl_json_close_object(json);
}

void bl_job_json_write_reason(struct bl_json *json, const struct bl_ledger *ledger,
                              const struct bl_job *job)
{
    struct bl_reason reason;
    BL_AUTO_BUF text = {0};

    explain(ledger, job, &reason);
    if (reason.code == BL_REASON_NONE) {
        bl_json_put_null(json, "reason");
        bl_json_put_null(json, "reason_text");
        bl_json_put_null(json, "reason_numbers");
    } else {
        print_reason(&text, ledger, job, &reason);
        write_reason_keys(json, &reason, &text);
    }
    write_cause(json, ledger, job, &reason);
    bl_json_put_instant(json, "next_try_at", reason.code == BL_REASON_RETRY ? reason.at : 0);
}

static void write_array(struct bl_json *json, const struct bl_job *job)
{
    const struct bl_array *array = job->array;
    const int32_t *ended_as;
    BL_AUTO_BUF indices = {0};

    if (!array) {
        bl_json_put_null(json, "array");
        return;
    }
    ended_as = array->ended_as;
    bl_arrayspec_print(&indices, &job->spec);
    bl_json_key(json, "array");
    bl_json_open_object(json);
    bl_json_put_text(json, "indices", bl_buf_text(&indices));
    bl_json_put_int(json, "elements", array->count);
    bl_json_put_int(json, "pending", bl_array_pending(array));
    bl_json_put_int(json, "running", array->active);
    bl_json_put_int(json, "done", ended_as[BL_JOB_COMPLETED]);
    bl_json_put_int(json, "failed",
                    (int64_t)ended_as[BL_JOB_FAILED] + ended_as[BL_JOB_TIMEOUT] +
                        ended_as[BL_JOB_LOST]);
    bl_json_put_int(json, "cancelled", ended_as[BL_JOB_CANCELLED]);
    if (job->spec.array_running_max > 0) {
        bl_json_put_int(json, "running_max", job->spec.array_running_max);
    } else {
        bl_json_put_null(json, "running_max");
    }
    bl_json_close_object(json);
}

static void write_identity(struct bl_json *json, const struct bl_job *job)
{
    bl_json_put_int(json, "id", job->id);
    if (job->array_job) {
        bl_json_put_int(json, "array_id", job->array_job->id);
        bl_json_put_int(json, "array_index", bl_job_array_index(job));
    } else {
        bl_json_put_null(json, "array_id");
        bl_json_put_null(json, "array_index");
    }
}

void bl_range_json_write(struct bl_json *json, const char *key, const struct bl_range *range)
{
    if (!range || range->p50 == BL_TIME_NEVER) {
        bl_json_put_null(json, key);
        return;
    }
    bl_json_key(json, key);
    bl_json_open_object(json);
    bl_json_put_instant(json, "p10", range->p10);
    bl_json_put_instant(json, "p50", range->p50);
    bl_json_put_instant(json, "p90", range->p90);
    bl_json_close_object(json);
}

const char *bl_foretold_source(const struct bl_foretold_row *row)
{
    return row->from_limits ? "limits" : row->runs > 1 ? "runs" : "median";
}

/* On what the two ranges rest. */
static void write_source(struct bl_json *json, const struct bl_foretold_row *row)
{
    if (!row || (row->start.p50 == BL_TIME_NEVER && row->end.p50 == BL_TIME_NEVER)) {
        bl_json_put_null(json, "eta");
        return;
    }
    bl_json_key(json, "eta");
    bl_json_open_object(json);
    bl_json_put_text(json, "from", bl_foretold_source(row));
    bl_json_put_int(json, "runs", row->runs);
    bl_json_close_object(json);
}

void bl_job_json_write_forecast(struct bl_json *json, const struct bl_ledger *ledger,
                                const struct bl_job *job)
{
    const struct bl_foretold_row *row = NULL;

    if (!bl_job_state_is_ended(job->state)) {
        row = bl_outlook_find(ledger->outlook, ledger->core, ledger->seq, job->id);
    }
    bl_range_json_write(json, "start", row ? &row->start : NULL);
    bl_range_json_write(json, "end", row ? &row->end : NULL);
    write_source(json, row);
}

static void write_times(struct bl_json *json, const struct bl_job *job)
{
    bl_json_put_instant(json, "submitted_at", job->submitted_at);
    bl_json_put_instant(json, "started_at", job->running_at);
    bl_json_put_instant(json, "ended_at", job->ended_at);
    if (job->spec.limit > 0) {
        bl_json_put_seconds(json, "limit_s", job->spec.limit);
    } else {
        bl_json_put_null(json, "limit_s");
    }
}

void bl_job_json_write_keys(struct bl_json *json, const struct bl_ledger *ledger,
                            const struct bl_job *job)
{
    write_identity(json, job);
    write_array(json, job);
    bl_json_put_text(json, "name", job->spec.name);
    bl_json_put_text(json, "user", job->spec.user);
    bl_json_put_text(json, "project", job->spec.project);
    bl_json_put_text(json, "class", bl_job_class_name(job->spec.job_class));
    bl_json_put_text(json, "kind", bl_job_kind_name(job->spec.kind));
    bl_json_put_text(json, "state", bl_job_state_name(bl_job_shown_state(job)));
    bl_job_json_write_reason(json, ledger, job);
    write_gpus(json, ledger, job);
    write_where(json, ledger, job);
    write_times(json, job);
    bl_json_put_int(json, "attempt", job->attempt);
    if (job->has_exit_code) {
        bl_json_put_int(json, "exit_code", job->exit_code);
    } else {
        bl_json_put_null(json, "exit_code");
    }
    if (job->progress.total > 0) {
        bl_json_put_double(json, "progress", job->progress.done);
    } else {
        bl_json_put_null(json, "progress");
    }
    bl_job_json_write_forecast(json, ledger, job);
}

void bl_job_json_write(struct bl_json *json, const struct bl_ledger *ledger,
                       const struct bl_job *job)
{
    bl_json_open_object(json);
    bl_job_json_write_keys(json, ledger, job);
    bl_json_close_object(json);
}

/* --- the keys of one job --------------------------------------------------------------------- */

static void write_booking(struct bl_json *json, const struct bl_job *job)
{
    struct bl_resources need = bl_job_need(&job->spec, job->spec.gpus_want);
    int64_t milli = need.amount[BL_RESOURCE_CPU];

    if (milli % 1000 == 0) {
        bl_json_put_int(json, "cpus", milli / 1000);
    } else {
        bl_json_put_double(json, "cpus", (double)milli / 1000);
    }
    bl_json_put_int(json, "mem_bytes", need.amount[BL_RESOURCE_MEM]);
    bl_json_put_int(json, "nodes_max", job->spec.nodes_max);
    bl_json_put_text(json, "pool", job->spec.pool);
    bl_json_key(json, "gpu_types");
    bl_json_open_array(json);
    for (size_t i = 0; i < job->spec.gpu_type_count; i++) {
        bl_json_text(json, job->spec.gpu_type[i]);
    }
    bl_json_close_array(json);
}

/* How often it was resized or put back to make room, how long its last save took, and the size that
 * somebody wished. */
static void write_elasticity(struct bl_json *json, const struct bl_job *job)
{
    bl_json_put_int(json, "restarts", job->restarts);
    if (job->save_time > 0) {
        bl_json_put_seconds(json, "save_s", job->save_time);
    } else {
        bl_json_put_null(json, "save_s");
    }
    if (job->gpus_wish > 0) {
        bl_json_put_int(json, "gpus_wish", job->gpus_wish);
    } else {
        bl_json_put_null(json, "gpus_wish");
    }
}

static void write_after(struct bl_json *json, const struct bl_job *job)
{
    bl_json_key(json, "after");
    bl_json_open_array(json);
    for (size_t i = 0; i < job->spec.after_count; i++) {
        bl_json_open_object(json);
        bl_json_put_int(json, "job", job->spec.after[i].job);
        bl_json_put_text(json, "kind", bl_dependency_kind_name(job->spec.after[i].kind));
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

static struct bl_log_names log_names(const struct bl_ledger *ledger, const struct bl_job *job,
                                     int32_t attempt)
{
    const struct bl_ledger_job *entry = bl_ledger_get(ledger, job->id);
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);
    struct bl_log_names names = {
        .name = job->spec.name,
        .user = job->spec.user,
        .id = job->id,
        .attempt = attempt,
        .array_id = job->array_job ? job->array_job->id : 0,
        .array_index = job->array_job ? bl_job_array_index(job) : 0,
    };

    if (entry->alloc.part_count > 0) {
        names.node = cluster->node[bl_alloc_parts(&entry->alloc)->node].spec.name;
    }
    return names;
}

bool bl_job_log_path(struct bl_buf *out, const struct bl_ledger *ledger, const struct bl_job *job,
                     int32_t attempt)
{
    const struct bl_launch *launch = bl_ledger_launch(ledger, job);
    struct bl_log_names names = log_names(ledger, job, attempt);

    if (launch->pid && !launch->log_pattern) {
        return false;
    }
    bl_launch_log_path(out, launch, &names);
    return true;
}

bool bl_job_error_path(struct bl_buf *out, const struct bl_ledger *ledger, const struct bl_job *job,
                       int32_t attempt)
{
    struct bl_log_names names = log_names(ledger, job, attempt);

    return bl_launch_error_path(out, bl_ledger_launch(ledger, job), &names);
}

/* As what a job that is not its owner's uses its booking: NULL where it has none. */
static const char *right_of(const struct bl_ledger *ledger, const struct bl_job *job)
{
    const struct bl_booking *booking =
        job->spec.reservation ? bl_core_find_booking(ledger->core, job->spec.reservation) : NULL;
    const char *user = booking && booking->spec.user ? booking->spec.user : "";

    if (!booking) {
        return NULL;
    }
    if (job->spec.user && strcmp(job->spec.user, user) == 0) {
        return "owner";
    }
    if (!bl_booking_is_of_project(booking, &job->spec)) {
        return "manager";
    }
    return bl_members_are_known(job->spec.project) ? "member" : "claim";
}

/* The booking that its user made of GPUs on which it was already. */
static void write_inside(struct bl_json *json, const struct bl_ledger *ledger,
                         const struct bl_job *job)
{
    int64_t inside = bl_job_inside_of(ledger->core, job);
    BL_AUTO_BUF id = {0};

    bl_buf_printf(&id, "r%lld", (long long)inside);
    bl_json_put_text(json, "inside", inside ? bl_buf_text(&id) : NULL);
}

static void write_reservation(struct bl_json *json, const struct bl_ledger *ledger,
                              const struct bl_job *job)
{
    BL_AUTO_BUF id = {0};

    bl_buf_printf(&id, "r%lld", (long long)job->spec.reservation);
    bl_json_put_text(json, "reservation", job->spec.reservation ? bl_buf_text(&id) : NULL);
    bl_json_put_text(json, "reservation_as", right_of(ledger, job));
    write_inside(json, ledger, job);
    bl_json_put_bool(json, "promise", job->spec.promise);
    bl_json_put_instant(json, "promised_at", job->promised_at);
}

static void write_wishes(struct bl_json *json, const struct bl_ledger *ledger,
                         const struct bl_job *job)
{
    write_reservation(json, ledger, job);
    bl_json_put_int(json, "priority", job->spec.priority);
    bl_json_put_bool(json, "adopted", job->spec.is_adopted);
    bl_json_put_bool(json, "requeue", job->spec.may_restart && !job->spec.is_adopted);
    bl_json_put_int(json, "retries", job->spec.retries_max);
    write_elasticity(json, job);
    bl_json_put_instant(json, "not_before_at", job->spec.not_before);
}

static void write_launch(struct bl_json *json, const struct bl_ledger *ledger,
                         const struct bl_job *job)
{
    const struct bl_launch *launch = bl_ledger_launch(ledger, job);
    BL_AUTO_BUF log = {0};

    bl_json_put_text(json, "workdir", launch->workdir);
    bl_json_put_text(json, "log",
                     job->attempt > 0 && bl_job_log_path(&log, ledger, job, job->attempt)
                         ? bl_buf_text(&log)
                         : NULL);
    bl_buf_clear(&log);
    bl_json_put_text(json, "error_log",
                     job->attempt > 0 && bl_job_error_path(&log, ledger, job, job->attempt)
                         ? bl_buf_text(&log)
                         : NULL);
    bl_json_key(json, "command");
    bl_json_open_array(json);
    for (size_t i = 0; i < launch->argc; i++) {
        bl_json_text(json, launch->argv[i]);
    }
    bl_json_close_array(json);
}

static void put_seconds_between(struct bl_json *json, const char *key, bl_time from, bl_time to)
{
    if (from > 0 && to >= from) {
        bl_json_put_seconds(json, key, to - from);
    } else {
        bl_json_put_null(json, key);
    }
}

static void write_details(struct bl_json *json, const struct bl_ledger *ledger,
                          const struct bl_job *job)
{
    bl_job_json_write_keys(json, ledger, job);
    write_booking(json, job);
    write_after(json, job);
    write_wishes(json, ledger, job);
    bl_attempts_json_write(json, ledger, job);
}

static void write_pid(struct bl_json *json, const struct bl_ledger *ledger,
                      const struct bl_job *job)
{
    const struct bl_ledger_job *entry = find_entry(ledger, job);

    if (entry && entry->pid > 0 && bl_job_state_is_active(job->state)) {
        bl_json_put_int(json, "pid", entry->pid);
    } else {
        bl_json_put_null(json, "pid");
    }
}

static void write_delays(struct bl_json *json, const struct bl_job *job)
{
    put_seconds_between(json, "queued_s", job->submitted_at, job->started_at);
    put_seconds_between(json, "scheduling_s", job->started_at, job->running_at);
}

void bl_job_json_write_whole(struct bl_json *json, const struct bl_ledger *ledger,
                             const struct bl_job *job)
{
    bl_json_open_object(json);
    write_details(json, ledger, job);
    write_launch(json, ledger, job);
    write_pid(json, ledger, job);
    write_delays(json, job);
    bl_json_close_object(json);
}

void bl_job_json_write_public(struct bl_json *json, const struct bl_ledger *ledger,
                              const struct bl_job *job)
{
    static const char *const hidden[] = {"workdir", "log", "error_log", "command", "pid"};

    bl_json_open_object(json);
    write_details(json, ledger, job);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        bl_json_put_null(json, hidden[i]);
    }
    write_delays(json, job);
    bl_json_close_object(json);
}
