/* What is looked at before the body of a request: its frame, who asks, and for what. */
#include "daemon/http_inside.h"
#include "daemon/route.h"

#include <string.h>
#include <strings.h>

void bl_request_refuse(struct bl_request *request, enum bl_answer kind, const struct bl_error *err)
{
    if (!request->has_refusal) {
        request->has_refusal = true;
        request->refusal = kind;
        request->refusal_err = *err;
    }
}

/* --- the frame ------------------------------------------------------------------------------- */

/* Headers that must not stand twice, each with how often it did: two readers of one request, as a
 * proxy and this one, must not come to different ends. */
enum { HEADER_LENGTH, HEADER_CODING, HEADER_HOST, HEADER_AUTHORIZATION, HEADER_COUNT };

static enum MHD_Result count_header(void *self, enum MHD_ValueKind kind, const char *key,
                                    const char *value)
{
    static const char *const names[HEADER_COUNT] = {
        MHD_HTTP_HEADER_CONTENT_LENGTH, MHD_HTTP_HEADER_TRANSFER_ENCODING, MHD_HTTP_HEADER_HOST,
        MHD_HTTP_HEADER_AUTHORIZATION};
    int *count = self;

    (void)kind;
    (void)value;
    for (int i = 0; i < HEADER_COUNT; i++) {
        count[i] += !strcasecmp(names[i], key);
    }
    return MHD_YES;
}

static void check_frame(struct bl_request *request)
{
    int count[HEADER_COUNT] = {0};
    struct bl_error err;
    bool is_twice = false;

    MHD_get_connection_values(request->mhd, MHD_HEADER_KIND, count_header, count);
    for (int i = 0; i < HEADER_COUNT; i++) {
        is_twice = is_twice || count[i] > 1;
    }
    if (is_twice || (count[HEADER_LENGTH] > 0 && count[HEADER_CODING] > 0)) {
        request->must_close = true;
        bl_fail(&err, BL_EINVAL,
                "the headers are ambiguous: expected one of Content-Length and Transfer-Encoding, "
                "one Host, one Authorization");
        bl_request_refuse(request, BL_ANSWER_INVALID, &err);
    }
}

/* --- what is asked for ------------------------------------------------------------------------ */

static enum MHD_Result check_query(void *self, enum MHD_ValueKind kind, const char *key,
                                   const char *value)
{
    struct bl_request *request = self;
    struct bl_error err;

    (void)kind;
    if (!bl_route_has_query(request->route, key)) {
        bl_fail(&err, BL_EINVAL, "unknown key '%s' in the query", key);
        bl_error_set_field(&err, key);
        bl_request_refuse(request, BL_ANSWER_INVALID, &err);
    } else if (!value) {
        bl_fail(&err, BL_EINVAL, "the key '%s' of the query needs a value", key);
        bl_error_set_field(&err, key);
        bl_request_refuse(request, BL_ANSWER_INVALID, &err);
    }
    return MHD_YES;
}

static void find_route(struct bl_request *request, const char *method, const char *url)
{
    enum bl_answer kind;
    struct bl_error err;

    request->route =
        bl_route_find(request->http->options.route, method, url, &request->param, &kind);
    if (request->route) {
        MHD_get_connection_values(request->mhd, MHD_GET_ARGUMENT_KIND, check_query, request);
    } else if (kind == BL_ANSWER_METHOD) {
        bl_fail(&err, BL_EINVAL, "%s does not take %s", url, method);
        bl_request_refuse(request, kind, &err);
    } else {
        bl_fail(&err, BL_ENOTFOUND, "there is nothing at %s", url);
        bl_request_refuse(request, kind, &err);
    }
}

static void identify(struct bl_request *request, const char *method, const char *path)
{
    const struct bl_http_options *options = &request->http->options;
    const struct bl_connection *connection = request->connection;
    struct bl_caller caller = {
        .peer = connection->is_tcp ? NULL : &connection->peer,
        .method = method,
        .path = path,
        .authorization = bl_request_header(request, MHD_HTTP_HEADER_AUTHORIZATION),
        .host = bl_request_header(request, MHD_HTTP_HEADER_HOST),
        .origin = bl_request_header(request, MHD_HTTP_HEADER_ORIGIN),
        .cookie = bl_request_header(request, MHD_HTTP_HEADER_COOKIE),
        .is_marked = bl_request_header(request, "X-Baleen") != NULL,
    };
    enum bl_answer kind = BL_ANSWER_UNAUTHORIZED;
    struct bl_error err;

    if (options->identify(options->self, &caller, &request->peer, &kind, &err) != BL_OK) {
        bl_request_refuse(request, kind, &err);
    }
}

/* What is asked for while so much is on its way out would only add to it. */
static void check_answers(struct bl_request *request, const char *method)
{
    struct bl_error err;

    if (request->http->answer_bytes > BL_HTTP_ANSWERS_MAX && strcmp(method, "GET") == 0) {
        bl_fail(&err, BL_ETOOBIG, "too many large answers are on their way: try again");
        bl_request_refuse(request, BL_ANSWER_UNAVAILABLE, &err);
    }
}

void bl_request_check(struct bl_request *request, const char *method, const char *url)
{
    check_frame(request);
    identify(request, method, url);
    find_route(request, method, url);
    check_answers(request, method);
}
