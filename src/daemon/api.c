#include "daemon/api.h"

#include "base/own.h"
#include "base/units.h"
#include "daemon/auth.h"
#include "daemon/job_json.h"
#include "os/loop.h"

/* An id that no counter will reach: sums with it stay far from overflow. */
#define JOB_ID_MAX (INT64_C(1) << 53)

static void handle_events(void *self, struct bl_request *request)
{
    struct bl_api *api = self;

    if (bl_api_admit(request)) {
        bl_sse_open(api->sse, request);
    }
}

const struct bl_route bl_api_routes[] = {
    {"POST", "/api/v1/jobs", bl_api_submit, {NULL}},
    {"GET", "/api/v1/jobs", bl_api_list, {"state", "user", "limit", "after"}},
    {"GET", "/api/v1/jobs/:id", bl_api_show, {"wait", "timeout"}},
    {"POST", "/api/v1/jobs/:id/cancel", bl_api_cancel, {NULL}},
    {"GET", "/api/v1/jobs/:id/log", bl_api_log, {"attempt", "offset", "limit"}},
    {"GET", "/api/v1/nodes", bl_api_nodes, {NULL}},
    {"GET", "/api/v1/gpus", bl_api_gpus, {NULL}},
    {"GET", "/api/v1/events", handle_events, {NULL}},
    {"GET", "/healthz", bl_api_health, {NULL}},
    {NULL, NULL, NULL, {NULL}},
};

/* --- what readers of events see -------------------------------------------------------------- */

static void push_job(const struct bl_api *api, const struct bl_ledger *ledger,
                     const struct bl_job *job)
{
    BL_AUTO_BUF data = {0};
    struct bl_json json;

    bl_json_init(&json, &data);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "type", "job");
    bl_job_json_write_keys(&json, ledger, job);
    bl_json_close_object(&json);
    bl_sse_push(api->sse, ledger->seq, "upsert", &data);
}

static void push_node(const struct bl_api *api, const struct bl_ledger *ledger, int32_t node)
{
    BL_AUTO_BUF data = {0};
    struct bl_json json;

    bl_json_init(&json, &data);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "type", "node");
    bl_api_write_node_keys(&json, ledger, node);
    bl_json_close_object(&json);
    bl_sse_push(api->sse, ledger->seq, "upsert", &data);
}

/* A start or an end changes what is free on the job's nodes. */
static void push_nodes_of(const struct bl_api *api, const struct bl_ledger *ledger,
                          const struct bl_job *job)
{
    const struct bl_alloc *alloc = &bl_ledger_get(ledger, job->id)->alloc;

    if (job->state != BL_JOB_STARTING && !bl_job_state_is_ended(job->state)) {
        return;
    }
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        push_node(api, ledger, bl_alloc_parts(alloc)[i].node);
    }
}

static void push_changes(const struct bl_api *api, const struct bl_ledger *ledger)
{
    for (size_t i = 0; i < ledger->changed_jobs.count; i++) {
        const struct bl_job *job = bl_core_find_job(ledger->core, ledger->changed_jobs.at[i]);

        push_job(api, ledger, job);
        push_nodes_of(api, ledger, job);
    }
    if (ledger->changed_nodes) {
        for (size_t n = 0; n < bl_core_cluster(ledger->core)->node_count; n++) {
            push_node(api, ledger, (int32_t)n);
        }
    }
}

static void on_changed(void *self, const struct bl_ledger *ledger)
{
    struct bl_api *api = self;

    if (bl_sse_has_readers(api->sse)) {
        push_changes(api, ledger);
    }
    bl_api_wake_waiters(api, ledger);
}

void bl_api_init(struct bl_api *api, struct bl_loop *loop, struct bl_driver *driver)
{
    *api = (struct bl_api){.driver = driver, .sse = bl_sse_create(loop)};
    api->deadline = bl_loop_watch_timer(loop, bl_api_on_deadline, api);
    bl_driver_listen(driver, (struct bl_listener){.self = api, .changed = on_changed});
}

void bl_api_finish(struct bl_api *api)
{
    bl_driver_listen(api->driver, (struct bl_listener){0});
    bl_watch_destroy(api->deadline);
    bl_sse_destroy(api->sse);
}

/* --- shared by the handlers ------------------------------------------------------------------ */

bool bl_api_admit(struct bl_request *request)
{
    struct bl_error err;

    if (bl_auth_check_peer(bl_request_peer(request), &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
        return false;
    }
    return true;
}

void bl_api_fail_no_job(struct bl_request *request, const char *text)
{
    struct bl_error err;

    bl_fail(&err, BL_ENOTFOUND, "there is no job %s", text);
    bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
}

bool bl_api_parse_job_id(struct bl_request *request, bl_job_id *out)
{
    const char *text = bl_request_param(request);

    if (bl_int_parse(text, 1, JOB_ID_MAX, out, NULL) != BL_OK) {
        bl_api_fail_no_job(request, text);
        return false;
    }
    return true;
}

const struct bl_job *bl_api_find_job(struct bl_api *api, struct bl_request *request)
{
    const struct bl_job *job;
    bl_job_id id;

    if (!bl_api_admit(request) || !bl_api_parse_job_id(request, &id)) {
        return NULL;
    }
    job = bl_core_find_job(bl_driver_ledger(api->driver)->core, id);
    if (!job) {
        bl_api_fail_no_job(request, bl_request_param(request));
    }
    return job;
}

bool bl_api_query_int(struct bl_request *request, const char *key, struct bl_api_range range,
                      int64_t *out)
{
    const char *text = bl_request_query(request, key);
    struct bl_error err;

    if (!text) {
        *out = range.standard;
        return true;
    }
    if (bl_int_parse(text, range.low, range.high, out, &err) == BL_OK) {
        return true;
    }
    bl_wrap(&err, "%s", key);
    bl_error_set_field(&err, key);
    bl_request_fail(request, BL_ANSWER_INVALID, &err);
    return false;
}

void bl_api_answer_job(const struct bl_api *api, struct bl_request *request, int status,
                       const struct bl_job *job)
{
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_job_json_write_whole(&json, bl_driver_ledger(api->driver), job);
    bl_request_answer(request, status, &body);
}
