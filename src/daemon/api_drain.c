/* Taking nodes out of use, and back. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/zone.h"
#include "form/tree_read.h"

struct outcome {
    struct bl_api *api;
    struct bl_request *request;
    int32_t node;
};

static const struct bl_cluster *cluster_of(const struct bl_api *api)
{
    return bl_core_cluster(bl_driver_ledger(api->driver)->core);
}

static void answer_node(const struct bl_api *api, struct bl_request *request, int32_t node)
{
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_api_write_node_keys(&json, bl_driver_ledger(api->driver), node);
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}

static void on_done(void *self, bool is_accepted)
{
    struct outcome *outcome = self;

    if (is_accepted) {
        answer_node(outcome->api, outcome->request, outcome->node);
    } else {
        bl_api_fail_unavailable(outcome->api, outcome->request);
    }
    free(outcome);
}

/* The node that the path names, or -1 when the request has been answered. */
static int32_t find_node(const struct bl_api *api, struct bl_request *request)
{
    const struct bl_cluster *cluster = cluster_of(api);
    struct bl_error err;
    int32_t node;

    if (!bl_api_admit(request)) {
        return -1;
    }
    if (bl_auth_check_manager(bl_request_peer(request), "taking nodes out of use and back", &err)) {
        bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
        return -1;
    }
    node = bl_cluster_find_node(cluster, bl_request_param(request));
    if (node < 0) {
        bl_fail(&err, BL_ENOTFOUND, "there is no node %s", bl_request_param(request));
        bl_request_fail(request, BL_ANSWER_NOT_FOUND, &err);
    } else if (cluster->node[node].state == BL_NODE_DOWN) {
        bl_fail(&err, BL_EREFUSED, "node %s is down", bl_request_param(request));
        bl_error_set_hint(&err, "it is up again once the daemon is started and finds it");
        bl_request_fail(request, BL_ANSWER_REFUSED, &err);
        node = -1;
    }
    return node;
}

/* {"at": INSTANT}, or nothing for at once: *out is 0 then. */
static int read_at(const struct bl_tree_reader *reader, bl_time now, bl_time *out)
{
    static const char *const keys[] = {"at", NULL};
    struct bl_instant instant = {0};
    struct bl_error cause = {0};
    struct bl_tree *tree = NULL;
    const struct bl_tree *at;

    if (bl_json_read(reader->source, reader->arena, &tree, reader->err) != BL_OK) {
        return (int)reader->err->status;
    }
    if (tree->kind != BL_TREE_MAP) {
        return bl_tree_fail(reader->source, tree, reader->err, "expected {\"at\": INSTANT}");
    }
    at = bl_tree_given(tree, "at");
    if (bl_tree_check_keys(reader->source, tree, keys, reader->err) != BL_OK || !at) {
        return (int)reader->err->status;
    }
    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(reader, at, "an instant like 16:00 or 2026-12-01T08:30");
    }
    if (bl_instant_parse(at->text, &instant, &cause) != BL_OK ||
        bl_instant_resolve(&instant, now, &bl_zone_local, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(reader, at, &cause);
    }
    return BL_OK;
}

static int read_body(const struct bl_api *api, struct bl_request *request, bl_time *out,
                     struct bl_error *err)
{
    const struct bl_buf *body = bl_request_body(request);
    struct bl_tree_source source = {
        .name = "request body", .bytes = bl_buf_text(body), .length = body->length};
    struct bl_arena arena = {0};
    struct bl_tree_reader reader = {&source, &arena, err};
    int status = BL_OK;

    *out = 0;
    if (body->length > 0) {
        status = read_at(&reader, bl_driver_now(api->driver), out);
    }
    bl_arena_finish(&arena);
    return status;
}

static void ask(struct bl_api *api, struct bl_request *request, struct bl_event *event)
{
    struct outcome *outcome = bl_alloc_zero(sizeof *outcome);
    struct bl_error err;

    if (bl_driver_check(api->driver, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
        free(outcome);
        return;
    }
    outcome->api = api;
    outcome->request = request;
    outcome->node = bl_cluster_find_node(cluster_of(api), event->u.node_state.name);
    bl_driver_ask(api->driver, event, (struct bl_completion){.self = outcome, .call = on_done});
}

void bl_api_drain(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    struct bl_event event = {.kind = BL_EVENT_NODE_STATE};
    int32_t node = find_node(api, request);
    struct bl_error err = {0};

    if (node < 0) {
        return;
    }
    if (read_body(api, request, &event.u.node_state.from, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_INVALID, &err);
        return;
    }
    event.u.node_state.name = cluster_of(api)->node[node].spec.name;
    event.u.node_state.state = BL_NODE_DRAINED;
    ask(api, request, &event);
}

void bl_api_resume(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    struct bl_event event = {.kind = BL_EVENT_NODE_STATE};
    int32_t node = find_node(api, request);

    if (node >= 0) {
        event.u.node_state.name = cluster_of(api)->node[node].spec.name;
        event.u.node_state.state = BL_NODE_UP;
        ask(api, request, &event);
    }
}
