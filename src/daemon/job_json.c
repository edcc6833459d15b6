#include "daemon/job_json.h"

#include "form/reason_text.h"

static void write_gpus(struct bl_json *json, const struct bl_job *job)
{
    bool is_active = bl_job_state_is_active(job->state);

    bl_json_key(json, "gpus");
    bl_json_open_object(json);
    bl_json_put_int(json, "min", job->spec.gpus_min);
    bl_json_put_int(json, "want", job->spec.gpus_want);
    bl_json_put_int(json, "max", job->spec.gpus_max);
    bl_json_put_int(json, "now", is_active ? bl_alloc_gpus(&job->alloc) : 0);
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

/* Where it runs or, once it ended, where it ran last. */
static void write_where(struct bl_json *json, const struct bl_ledger *ledger,
                        const struct bl_job *job)
{
    const struct bl_alloc *alloc = &bl_ledger_get(ledger, job->id)->alloc;
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);

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

static void write_reason(struct bl_json *json, const struct bl_ledger *ledger,
                         const struct bl_job *job)
{
    struct bl_reason reason;
    BL_AUTO_BUF text = {0};

    bl_core_explain(ledger->core, job, &reason);
    if (reason.code == BL_REASON_NONE) {
        bl_json_put_null(json, "reason");
        bl_json_put_null(json, "reason_text");
        bl_json_put_null(json, "reason_numbers");
        return;
    }
    bl_reason_print(&text, &reason, &bl_ledger_get(ledger, job->id)->launch);
    bl_json_put_text(json, "reason", bl_reason_name(reason.code));
    bl_json_put_text(json, "reason_text", bl_buf_text(&text));
    write_reason_numbers(json, &reason);
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
    bl_json_put_int(json, "id", job->id);
    bl_json_put_null(json, "array_index");
    bl_json_put_text(json, "name", job->spec.name);
    bl_json_put_text(json, "user", job->spec.user);
    bl_json_put_text(json, "project", job->spec.project);
    bl_json_put_text(json, "class", bl_job_class_name(job->spec.job_class));
    bl_json_put_text(json, "kind", bl_job_kind_name(job->spec.kind));
    bl_json_put_text(json, "state", bl_job_state_name(job->state));
    write_reason(json, ledger, job);
    write_gpus(json, job);
    write_where(json, ledger, job);
    write_times(json, job);
    bl_json_put_int(json, "attempt", job->attempt);
    if (job->has_exit_code) {
        bl_json_put_int(json, "exit_code", job->exit_code);
    } else {
        bl_json_put_null(json, "exit_code");
    }
    bl_json_put_null(json, "progress");
    bl_json_put_null(json, "start");
    bl_json_put_null(json, "end");
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

void bl_job_log_path(struct bl_buf *out, const struct bl_ledger *ledger, const struct bl_job *job,
                     int32_t attempt)
{
    const struct bl_ledger_job *entry = bl_ledger_get(ledger, job->id);
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);
    struct bl_log_names names = {
        .name = job->spec.name,
        .user = job->spec.user,
        .id = job->id,
        .attempt = attempt,
    };

    if (entry->alloc.part_count > 0) {
        names.node = cluster->node[bl_alloc_parts(&entry->alloc)->node].spec.name;
    }
    bl_launch_log_path(out, &entry->launch, &names);
}

static void write_launch(struct bl_json *json, const struct bl_ledger *ledger,
                         const struct bl_job *job)
{
    const struct bl_launch *launch = &bl_ledger_get(ledger, job->id)->launch;
    BL_AUTO_BUF log = {0};

    bl_json_put_text(json, "workdir", launch->workdir);
    if (job->attempt > 0) {
        bl_job_log_path(&log, ledger, job, job->attempt);
    }
    bl_json_put_text(json, "log", job->attempt > 0 ? bl_buf_text(&log) : NULL);
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

void bl_job_json_write_whole(struct bl_json *json, const struct bl_ledger *ledger,
                             const struct bl_job *job)
{
    const struct bl_ledger_job *entry = bl_ledger_get(ledger, job->id);

    bl_json_open_object(json);
    bl_job_json_write_keys(json, ledger, job);
    write_booking(json, job);
    write_after(json, job);
    write_launch(json, ledger, job);
    if (entry->pid > 0 && bl_job_state_is_active(job->state)) {
        bl_json_put_int(json, "pid", entry->pid);
    } else {
        bl_json_put_null(json, "pid");
    }
    put_seconds_between(json, "queued_s", job->submitted_at, job->started_at);
    put_seconds_between(json, "scheduling_s", job->started_at, job->running_at);
    bl_json_close_object(json);
}
