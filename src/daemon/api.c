#include "daemon/api.h"

#include "base/own.h"
#include "base/units.h"
#include "daemon/auth.h"
#include "daemon/booking_json.h"
#include "daemon/job_json.h"
#include "os/clock.h"
#include "os/loop.h"

#include <string.h>

/* An id that no counter will reach: sums with it stay far from overflow. */
#define JOB_ID_MAX (INT64_C(1) << 53)

/* A number that cannot be read is one that is not known: the reader is told to read the lists. */
static void handle_events(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    const char *last = bl_request_header(request, "Last-Event-ID");
    struct bl_sse_start start = {.now = bl_driver_ledger(api->driver)->seq, .since = -1};

    last = last ? last : bl_request_query(request, "since");

    if (!bl_api_admit(request)) {
        return;
    }
    if (last && bl_int_parse(last, 0, INT64_MAX, &start.since, NULL) != BL_OK) {
        start.since = INT64_MAX;
    }
    /* what changed while nobody read was not compared */
    if (!bl_sse_has_readers(api->sse) && bl_picture_seq(api->picture) != start.now) {
        bl_picture_reset(api->picture);
    }
    bl_sse_open(api->sse, request, start);
    bl_api_draw_soon(api);
}

const struct bl_route bl_api_routes[] = {
    {"POST", "/api/v1/jobs", bl_api_submit, {NULL}},
    {"POST", "/api/v1/jobs/adopt", bl_api_adopt, {NULL}},
    {"GET",
     "/api/v1/jobs",
     bl_api_list,
     {"state", "user", "project", "name", "ids", "array", "expand", "limit", "after", "last"}},
    {"GET", "/api/v1/jobs/:id", bl_api_show, {"wait", "timeout"}},
    {"PATCH", "/api/v1/jobs/:id", bl_api_change, {NULL}},
    {"POST", "/api/v1/jobs/:id/set", bl_api_change, {NULL}},
    {"POST", "/api/v1/jobs/:id/cancel", bl_api_cancel, {NULL}},
    {"POST", "/api/v1/jobs/:id/hold", bl_api_hold, {NULL}},
    {"POST", "/api/v1/jobs/:id/release", bl_api_release, {NULL}},
    {"POST", "/api/v1/jobs/:id/requeue", bl_api_requeue, {NULL}},
    {"POST", "/api/v1/jobs/:id/move", bl_api_move, {NULL}},
    {"POST", "/api/v1/jobs/:id/resize", bl_api_resize, {NULL}},
    {"GET", "/api/v1/jobs/:id/log", bl_api_log, {"attempt", "offset", "limit", "tail"}},
    {"GET", "/api/v1/jobs/:id/use", bl_api_use, {NULL}},
    {"GET", "/api/v1/jobs/:id/curve", bl_api_curve, {NULL}},
    {"POST", "/api/v1/jobs/:id/curve", bl_api_teach, {NULL}},
    {"GET", "/api/v1/why/:id", bl_api_why, {NULL}},
    {"GET", "/api/v1/forecast", bl_api_forecast, {NULL}},
    {"POST", "/api/v1/plan", bl_api_plan, {NULL}},
    {"GET", "/api/v1/outlook", bl_api_outlook, {"days"}},
    {"GET", "/api/v1/nodes", bl_api_nodes, {NULL}},
    {"POST", "/api/v1/nodes/:id/drain", bl_api_drain, {NULL}},
    {"POST", "/api/v1/nodes/:id/resume", bl_api_resume, {NULL}},
    {"GET", "/api/v1/gpus", bl_api_gpus, {NULL}},
    {"POST", "/api/v1/reservations", bl_api_reserve, {"try"}},
    {"GET", "/api/v1/reservations", bl_api_reservations, {"from", "to", "user", "all"}},
    {"GET", "/api/v1/reservations/:id", bl_api_reservation, {NULL}},
    {"PATCH", "/api/v1/reservations/:id", bl_api_change_reservation, {NULL}},
    {"POST", "/api/v1/reservations/:id/set", bl_api_change_reservation, {NULL}},
    {"DELETE", "/api/v1/reservations/:id", bl_api_cancel_reservation, {"occurrence", "following"}},
    {"GET", "/api/v1/timeline", bl_api_timeline, {"from", "to"}},
    {"GET", "/api/v1/report", bl_api_report, {"by", "from", "to"}},
    {"GET", "/api/v1/report/eta", bl_api_report_eta, {NULL}},
    {"GET", "/ical/:id", bl_api_ical, {"jobs", "reservations"}},
    {"GET", "/api/v1/tokens", bl_api_tokens, {NULL}},
    {"POST", "/api/v1/tokens", bl_api_create_token, {NULL}},
    {"POST", "/api/v1/tokens/:id/revoke", bl_api_revoke_token, {NULL}},
    {"GET", "/api/v1/session", bl_api_session, {NULL}},
    {"POST", "/api/v1/session", bl_api_sign_in, {NULL}},
    {"DELETE", "/api/v1/session", bl_api_sign_out, {NULL}},
    {"POST", "/api/v1/session/codes", bl_api_make_code, {NULL}},
    {"GET", "/api/v1/events", handle_events, {"since"}},
    {"GET", "/metrics", bl_api_metrics, {NULL}},
    {"GET", "/healthz", bl_api_health, {NULL}},
    {"GET", "/", bl_api_page, {NULL}},
    {"HEAD", "/", bl_api_page, {NULL}},
    {"GET", "/icon.svg", bl_api_page_icon, {NULL}},
    {"GET", "/assets/:id", bl_api_page_asset, {NULL}},
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

static void push_removed(const struct bl_api *api, const struct bl_ledger *ledger, bl_job_id id)
{
    BL_AUTO_BUF data = {0};
    struct bl_json json;

    bl_json_init(&json, &data);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "type", "job");
    bl_json_put_int(&json, "id", id);
    bl_json_close_object(&json);
    bl_sse_push(api->sse, ledger->seq, "remove", &data);
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

/* An occurrence is an object of its own, as in the list. */
static void push_booking(const struct bl_api *api, const struct bl_ledger *ledger,
                         const struct bl_booking_change *change, struct bl_members_list *members)
{
    const struct bl_booking *booking = bl_core_find_booking(ledger->core, change->id);
    BL_AUTO_BUF data = {0};
    BL_AUTO_BUF id = {0};
    struct bl_json json;

    bl_json_init(&json, &data);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "type", "reservation");
    for (size_t i = 0; !change->is_gone && booking && i < booking->occurrence_count; i++) {
        if (booking->occurrence[i].number == change->number) {
            bl_booking_json_write_keys(&json, bl_core_cluster(ledger->core), booking,
                                       &booking->occurrence[i]);
            bl_booking_json_write_checked(&json, booking, members);
        }
    }
    if (change->is_gone) {
        bl_buf_printf(&id, "r%lld", (long long)change->id);
        bl_json_put_text(&json, "id", bl_buf_text(&id));
        bl_json_put_int(&json, "occurrence", change->number);
    }
    bl_json_close_object(&json);
    bl_sse_push(api->sse, ledger->seq, change->is_gone ? "remove" : "upsert", &data);
}

static void push_changes(const struct bl_api *api, const struct bl_ledger *ledger)
{
    struct bl_members_list members = {0};

    for (size_t i = 0; i < ledger->changed_jobs.count; i++) {
        const struct bl_job *job = bl_core_find_job(ledger->core, ledger->changed_jobs.at[i]);

        push_job(api, ledger, job);
        push_nodes_of(api, ledger, job);
    }
    for (size_t i = 0; i < ledger->forgotten_jobs.count; i++) {
        push_removed(api, ledger, ledger->forgotten_jobs.at[i].id);
    }
    for (size_t i = 0; i < ledger->bookings.changes.count; i++) {
        push_booking(api, ledger, &ledger->bookings.changes.at[i], &members);
    }
    bl_members_finish(&members);
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
        bl_picture_note(api->picture, ledger);
        bl_api_draw_soon(api);
    }
    bl_api_wake_waiters(api, ledger);
    bl_teller_look(api->teller, ledger);
    bl_use_keeper_look(api->uses, ledger);
}

void bl_api_init(struct bl_api *api, const struct bl_api_parts *parts)
{
    *api = (struct bl_api){.driver = parts->driver,
                           .config = parts->config,
                           .tokens = parts->tokens,
                           .began_at = bl_clock_wall(),
                           .sessions = parts->sessions,
                           .sse = bl_sse_create(parts->loop)};
    api->picture = bl_picture_create();
    api->drawing = bl_loop_watch_timer(parts->loop, bl_api_draw, api);
    api->deadline = bl_loop_watch_timer(parts->loop, bl_api_on_deadline, api);
    api->teller = bl_teller_create(parts->loop, parts->driver);
    api->examiner = bl_examiner_create(parts->loop, BL_EXAMINER_PATIENCE);
    api->uses = bl_use_keeper_create(parts->loop, parts->driver);
    api->series = bl_series_keeper_create(parts->loop, parts->driver, parts->zones);
    bl_driver_listen(parts->driver, (struct bl_listener){.self = api, .changed = on_changed});
}

void bl_api_finish(struct bl_api *api)
{
    bl_driver_listen(api->driver, (struct bl_listener){0});
    bl_series_keeper_destroy(api->series);
    bl_use_keeper_destroy(api->uses);
    bl_examiner_destroy(api->examiner);
    bl_teller_destroy(api->teller);
    bl_watch_destroy(api->deadline);
    bl_watch_destroy(api->drawing);
    bl_picture_destroy(api->picture);
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

void bl_api_open_list(struct bl_json *json, struct bl_buf *body, const char *key)
{
    bl_json_init(json, body);
    bl_json_open_object(json);
    bl_json_key(json, key);
    bl_json_open_array(json);
}

void bl_api_answer_list(struct bl_request *request, int code, struct bl_json *json)
{
    bl_json_close_array(json);
    bl_json_close_object(json);
    bl_request_answer(request, code, json->out);
}

void bl_api_fail_no_job(struct bl_request *request, const char *text)
{
    struct bl_error err;

    bl_fail(&err, BL_ENOTFOUND, "there is no job %s", text);
    bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
}

/* "7_3": the id of that element, 0 when there is none. */
static bl_job_id parse_element(const struct bl_core *core, const char *text, const char *mark)
{
    BL_AUTO_FREE char *array_text = bl_copy_part(text, (size_t)(mark - text));
    const struct bl_job *array;
    int64_t id = 0;
    int64_t index = 0;
    int32_t position;

    if (bl_int_parse(array_text, 1, JOB_ID_MAX, &id, NULL) != BL_OK ||
        bl_int_parse(mark + 1, 0, INT32_MAX, &index, NULL) != BL_OK) {
        return 0;
    }
    array = bl_core_find_job(core, id);
    position = array && array->array ? bl_array_position(&array->spec, (int32_t)index) : -1;
    return position < 0 ? 0 : id + 1 + position;
}

static bl_job_id parse_id(const struct bl_core *core, const char *text)
{
    const char *mark = strchr(text, '_');
    int64_t id = 0;

    if (mark) {
        return parse_element(core, text, mark);
    }
    return bl_int_parse(text, 1, JOB_ID_MAX, &id, NULL) == BL_OK ? id : 0;
}

/* The array among whose elements the id is. */
static const struct bl_job *find_array_of(const struct bl_core *core, bl_job_id id)
{
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(core, &cursor))) {
        if (job->array && id > job->id && id <= job->id + job->array->count) {
            return job;
        }
    }
    return NULL;
}

bool bl_api_find_target(struct bl_api *api, struct bl_request *request, struct bl_api_target *out)
{
    const struct bl_core *core = bl_driver_ledger(api->driver)->core;
    int64_t owner;

    if (!bl_api_admit(request)) {
        return false;
    }
    *out = (struct bl_api_target){.id = parse_id(core, bl_request_param(request))};
    out->job = bl_core_find_job(core, out->id);
    if (!out->job && out->id > 0 && !bl_driver_find_owner(api->driver, out->id, &owner)) {
        out->array = find_array_of(core, out->id);
        out->position = out->array ? (int32_t)(out->id - out->array->id - 1) : 0;
        out->id = out->array ? out->id : 0;
    }
    if (out->id == 0) {
        bl_api_fail_no_job(request, bl_request_param(request));
    }
    return out->id != 0;
}

void bl_api_print_target(struct bl_buf *out, const struct bl_api_target *target)
{
    if (target->array) {
        bl_buf_printf(out, "element %d of array %lld",
                      bl_array_index(&target->array->spec, target->position),
                      (long long)target->array->id);
    } else {
        bl_buf_printf(out, "job %lld", (long long)target->id);
    }
}

const struct bl_job *bl_api_find_job(struct bl_api *api, struct bl_request *request)
{
    struct bl_api_target target;

    if (!bl_api_find_target(api, request, &target)) {
        return NULL;
    }
    if (!target.job) {
        bl_api_fail_no_job(request, bl_request_param(request));
    }
    return target.job;
}

void bl_api_fail_unavailable(const struct bl_api *api, struct bl_request *request)
{
    struct bl_error err;

    if (bl_driver_check(api->driver, &err) == BL_OK) {
        bl_fail(&err, BL_EUNREACHABLE, "the daemon stops");
    }
    bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
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
    if (bl_request_peer(request)->is_guest) {
        bl_job_json_write_public(&json, bl_driver_ledger(api->driver), job);
    } else {
        bl_job_json_write_whole(&json, bl_driver_ledger(api->driver), job);
    }
    bl_request_answer(request, status, &body);
}

const struct bl_job *bl_api_look_up(const struct bl_core *core, bl_job_id id, struct bl_job *room)
{
    const struct bl_job *job = bl_core_find_job(core, id);
    const struct bl_job *array = job ? NULL : find_array_of(core, id);

    if (array) {
        *room = bl_job_pending_element(array, (int32_t)(id - array->id - 1));
        job = room;
    }
    return job;
}
