/* GET /api/v1/why/ID: what a job waits for, with numbers, and what would let it start earlier. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/instead_json.h"
#include "daemon/job_json.h"
#include "daemon/inquiry.h"

enum { AHEAD_MAX = 100, RUNS = 8 };

/* --- who is ahead ---------------------------------------------------------------------------- */

static bool is_in_line(const struct bl_job *job)
{
    return job->state == BL_JOB_QUEUED && (!job->array || job->array->is_listed);
}

static bool is_before(const struct bl_job *a, const struct bl_job *b)
{
    if (a->order_at != b->order_at) {
        return a->order_at < b->order_at;
    }
    return a->order_rank != b->order_rank ? a->order_rank < b->order_rank : a->id < b->id;
}

/* Jobs of a reservation stand in a line of their own. Where a policy has an order of its own, the
 * forecast follows it. */
static bool is_ahead(const struct bl_ledger *ledger, const struct bl_job *other,
                     const struct bl_job *job)
{
    const struct bl_policy *policy = bl_core_policy(ledger->core)->policy;
    const struct bl_foretold_row *row;
    bl_time start;

    if (other == job || !is_in_line(other) || other->spec.reservation != job->spec.reservation) {
        return false;
    }
    if (!policy || !policy->line || job->spec.reservation) {
        return is_before(other, job);
    }
    row = bl_outlook_find(ledger->outlook, ledger->core, ledger->seq, job->id);
    start = row ? row->start.p50 : BL_TIME_NEVER;
    row = bl_outlook_find(ledger->outlook, ledger->core, ledger->seq, other->id);
    return row && row->start.p50 < start;
}

static void write_other(struct bl_json *json, const struct bl_ledger *ledger,
                        const struct bl_job *other)
{
    bool is_active = bl_job_state_is_active(other->state);
    const struct bl_foretold_row *row =
        bl_outlook_find(ledger->outlook, ledger->core, ledger->seq, other->id);

    bl_json_open_object(json);
    bl_json_put_int(json, "id", other->id);
    bl_json_put_text(json, "user", other->spec.user);
    bl_json_put_text(json, "state", bl_job_state_name(other->state));
    bl_json_put_int(json, "gpus", is_active ? bl_alloc_gpus(&other->alloc) : other->spec.gpus_want);
    bl_json_put_instant(json, "until", row ? row->end.p50 : BL_TIME_NEVER);
    bl_json_close_object(json);
}

/* What a job of a reservation could use only others of it hold. */
static bool is_on_its_gpus(const struct bl_job *other, const struct bl_job *job)
{
    return is_in_line(job) && other &&
           (!job->spec.reservation || other->spec.reservation == job->spec.reservation);
}

static void write_running(struct bl_json *json, const struct bl_ledger *ledger,
                          const struct bl_job *job)
{
    int64_t count = 0;

    bl_json_key(json, "running");
    bl_json_open_array(json);
    for (size_t i = 0; i < ledger->active.count; i++) {
        const struct bl_job *other = bl_core_find_job(ledger->core, ledger->active.at[i]);

        if (is_on_its_gpus(other, job) && ++count <= AHEAD_MAX) {
            write_other(json, ledger, other);
        }
    }
    bl_json_close_array(json);
    bl_json_put_int(json, "running_count", count);
}

/* Jobs that hold what it could use, and jobs in line before it. */
static void write_ahead(struct bl_json *json, const struct bl_ledger *ledger,
                        const struct bl_job *job)
{
    const struct bl_job *other;
    size_t cursor = 0;
    int64_t count = 0;
    bool waits = is_in_line(job);

    write_running(json, ledger, job);
    bl_json_key(json, "ahead");
    bl_json_open_array(json);
    while (waits && (other = bl_core_next_job(ledger->core, &cursor))) {
        if (is_ahead(ledger, other, job) && ++count <= AHEAD_MAX) {
            write_other(json, ledger, other);
        }
    }
    bl_json_close_array(json);
    bl_json_put_int(json, "ahead_count", count);
}

/* --- what else ------------------------------------------------------------------------------- */

static void write_nodes(struct bl_json *json, const struct bl_ledger *ledger,
                        const struct bl_job *job)
{
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);

    bl_json_key(json, "nodes");
    bl_json_open_array(json);
    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];

        if (!bl_node_suits(node, job)) {
            continue;
        }
        bl_json_open_object(json);
        bl_json_put_text(json, "name", node->spec.name);
        bl_json_put_text(json, "state", bl_node_state_name(node->state));
        bl_json_put_instant(json, "drain_at", node->drain_at);
        bl_json_put_int(json, "gpus", node->spec.gpus);
        bl_json_put_int(json, "gpus_free",
                        node->state == BL_NODE_UP ? node->free.amount[BL_RESOURCE_GPU] : 0);
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

static void write_dependencies(struct bl_json *json, const struct bl_ledger *ledger,
                               const struct bl_job *job)
{
    bl_json_key(json, "after");
    bl_json_open_array(json);
    for (size_t i = 0; i < job->spec.after_count; i++) {
        const struct bl_dependency *after = &job->spec.after[i];
        const struct bl_job *other = bl_core_find_job(ledger->core, after->job);

        bl_json_open_object(json);
        bl_json_put_int(json, "job", after->job);
        bl_json_put_text(json, "kind", bl_dependency_kind_name(after->kind));
        bl_json_put_text(json, "state",
                         other ? bl_job_state_name(bl_job_shown_state(other)) : NULL);
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
}

/* --- the answer ------------------------------------------------------------------------------ */

struct why {
    struct bl_inquiry inquiry;
    struct bl_arena arena; /* names of GPU types */
    bl_job_id job;
    struct bl_insteads insteads;
};

/* A pending element waits as its array does; NULL when the request has been answered. */
static const struct bl_job *find_job(struct bl_api *api, struct bl_request *request,
                                     struct bl_api_target *target)
{
    const struct bl_job *job;

    if (!bl_api_find_target(api, request, target)) {
        return NULL;
    }
    job = target->array ? target->array : target->job;
    if (!job) {
        bl_api_fail_no_job(request, bl_request_param(request));
    }
    return job;
}

static void answer_with(struct bl_api *api, struct bl_request *request,
                        const struct bl_insteads *insteads)
{
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    struct bl_api_target target;
    const struct bl_job *job = find_job(api, request, &target);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!job) {
        return;
    }
    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "id", target.id);
    bl_json_put_text(&json, "state", bl_job_state_name(bl_job_shown_state(job)));
    bl_json_put_int(&json, "gpus", job->spec.gpus_want);
    bl_job_json_write_reason(&json, ledger, job);
    write_ahead(&json, ledger, job);
    write_nodes(&json, ledger, job);
    write_dependencies(&json, ledger, job);
    bl_job_json_write_forecast(&json, ledger, job);
    bl_instead_json_write(&json, insteads);
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}

static void work(struct bl_inquiry *inquiry, const struct bl_forecaster_scene *scene)
{
    struct why *why = (struct why *)inquiry;
    struct bl_whatif_effort effort = bl_inquiry_effort(inquiry, scene, RUNS);

    bl_insteads_find(scene->core, why->job, &effort, &why->insteads);
    for (size_t i = 0; i < why->insteads.count; i++) { /* the copy may go before the answer */
        struct bl_job_change *change = &why->insteads.at[i].change;

        for (size_t k = 0; k < change->gpu_type_count; k++) {
            change->gpu_type[k] = bl_arena_copy_text(&why->arena, change->gpu_type[k]);
        }
    }
}

static void finish(struct why *why)
{
    bl_arena_finish(&why->arena);
    free(why);
}

static void answer(struct bl_inquiry *inquiry, bool is_answered)
{
    struct why *why = (struct why *)inquiry;

    answer_with(inquiry->api, inquiry->request, is_answered ? &why->insteads : NULL);
    finish(why);
}

/* What else it could ask for is looked into for a job in line; whoever asks while too many others
 * do is told the rest. */
void bl_api_why(void *self, struct bl_request *request)
{
    static const struct bl_insteads none = {.count = 0};
    struct bl_api_target target;
    const struct bl_job *job = find_job(self, request, &target);
    struct bl_error err;
    struct why *why;

    if (!job) {
        return;
    }
    if (!is_in_line(job)) {
        answer_with(self, request, &none);
        return;
    }
    why = bl_alloc_zero(sizeof *why);
    why->inquiry =
        (struct bl_inquiry){self, request, work, answer, .patience = BL_INQUIRY_PATIENCE};
    why->job = job->id;
    if (bl_inquiry_ask(&why->inquiry, &err) != BL_OK) {
        answer_with(self, request, NULL);
        finish(why);
    }
}
