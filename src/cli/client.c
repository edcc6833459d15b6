#include "cli/client.h"

#include "base/own.h"
#include "cli/say.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct bl_client {
    CURL *easy;
    CURLM *multi;
    char *socket_path;   /* NULL over TCP */
    char *url;           /* what stands before the path of a request */
    char *name;          /* of the server, for messages */
    char *authorization; /* the header, or NULL */
    int watched;         /* -1: none */
    bool interrupted;
};

static char *make_authorization(const struct bl_server *server)
{
    BL_AUTO_BUF header = {0};

    if (server->token.length == 0) {
        return NULL;
    }
    bl_buf_printf(&header, "Authorization: Bearer %s", bl_buf_text(&server->token));
    return bl_buf_take(&header);
}

struct bl_client *bl_client_create(const struct bl_server *server)
{
    struct bl_client *client = bl_alloc_zero(sizeof *client);
    bool is_tcp = server->url.length > 0;

    client->socket_path = is_tcp ? NULL : bl_copy_text(bl_buf_text(&server->socket));
    client->url = bl_copy_text(is_tcp ? bl_buf_text(&server->url) : "http://baleen");
    client->name = bl_copy_text(bl_server_name(server));
    client->authorization = make_authorization(server);
    client->watched = -1;
    client->easy = curl_easy_init();
    client->multi = curl_multi_init();
    if (!client->easy || !client->multi) {
        abort(); /* only without memory */
    }
    return client;
}

void bl_client_destroy(struct bl_client *client)
{
    if (client) {
        curl_easy_cleanup(client->easy);
        curl_multi_cleanup(client->multi);
        free(client->socket_path);
        free(client->url);
        free(client->name);
        free(client->authorization);
        free(client);
    }
}

void bl_client_watch(struct bl_client *client, int fd)
{
    client->watched = fd;
}

bool bl_client_was_interrupted(const struct bl_client *client)
{
    return client->interrupted;
}

/* Less than `count` tells curl to give up. */
static size_t take_body(char *bytes, size_t size, size_t count, void *self)
{
    struct bl_reply *reply = self;

    bl_buf_append(&reply->body, bytes, size * count);
    return reply->body.overflowed ? 0 : size * count;
}

static const char *value_of(const char *line, size_t length, const char *name)
{
    size_t name_length = strlen(name);

    if (length <= name_length || strncasecmp(line, name, name_length) != 0 ||
        line[name_length] != ':') {
        return NULL;
    }
    return line + name_length + 1 + strspn(line + name_length + 1, " \t");
}

static size_t take_header(char *bytes, size_t size, size_t count, void *self)
{
    struct bl_reply *reply = self;
    size_t length = size * count;
    char line[128] = "";
    const char *value;

    memcpy(line, bytes, length < sizeof line - 1 ? length : sizeof line - 1);
    value = value_of(line, strlen(line), "Baleen-Log-Next");
    if (value) {
        reply->log_next = strtoll(value, NULL, 10);
    }
    value = value_of(line, strlen(line), "Baleen-Log-Complete");
    if (value) {
        reply->log_complete = !strncasecmp(value, "yes", 3);
    }
    return length;
}

/* One request while it is set up. */
struct request {
    const char *method; /* NULL: GET, or POST where there is a body */
    const char *path;
    const char *body; /* NULL: GET */
    struct curl_slist *headers;
};

static void set_up(struct bl_client *client, const struct request *request, struct bl_reply *reply)
{
    BL_AUTO_BUF url = {0};

    bl_buf_printf(&url, "%s%s", client->url, request->path);
    curl_easy_reset(client->easy);
    curl_easy_setopt(client->easy, CURLOPT_URL, bl_buf_text(&url));
    curl_easy_setopt(client->easy, CURLOPT_UNIX_SOCKET_PATH, client->socket_path);
    curl_easy_setopt(client->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(client->easy, CURLOPT_PROXY, "");
    curl_easy_setopt(client->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(client->easy, CURLOPT_TIMEOUT, (long)BL_CLIENT_PATIENCE_S);
    curl_easy_setopt(client->easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(client->easy, CURLOPT_WRITEDATA, reply);
    curl_easy_setopt(client->easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(client->easy, CURLOPT_HEADERDATA, reply);
    curl_easy_setopt(client->easy, CURLOPT_HTTPHEADER, request->headers);
    if (request->method) {
        curl_easy_setopt(client->easy, CURLOPT_CUSTOMREQUEST, request->method);
    }
    if (request->body) {
        curl_easy_setopt(client->easy, CURLOPT_POSTFIELDS, request->body);
        curl_easy_setopt(client->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)strlen(request->body));
    }
}

/* Drives the transfer to its end, or until the watched descriptor speaks. */
static CURLcode drive(struct bl_client *client)
{
    CURLcode result = CURLE_GOT_NOTHING;
    int running = 1;
    int left = 0;

    while (running) {
        struct curl_waitfd extra = {client->watched, CURL_WAIT_POLLIN, 0};

        curl_multi_perform(client->multi, &running);
        for (CURLMsg *message; (message = curl_multi_info_read(client->multi, &left));) {
            result = message->data.result;
        }
        if (running) {
            curl_multi_poll(client->multi, &extra, client->watched >= 0, 1000, NULL);
        }
        if (client->watched >= 0 && (extra.revents & CURL_WAIT_POLLIN)) {
            client->interrupted = true;
            return CURLE_ABORTED_BY_CALLBACK;
        }
    }
    return result;
}

static int fail_transfer(const struct bl_client *client, CURLcode code,
                         const struct bl_reply *reply, struct bl_error *err)
{
    BL_AUTO_BUF why = {0};
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF hint = {0};

    if (client->interrupted) {
        return bl_say_fail(err, BL_EREFUSED, BL_SAY_E_INTERRUPTED, NULL);
    }
    if (reply->body.overflowed) {
        return BL_FAIL_SAYING(err, BL_ETOOBIG, BL_SAY_E_ANSWER_TOO_LONG,
                              BL_N(BL_CLIENT_ANSWER_BYTES_MAX));
    }
    if (code == CURLE_COULDNT_CONNECT) {
        bl_say(&why, BL_SAY_NOBODY_LISTENS);
    } else {
        bl_buf_append_text(&why, curl_easy_strerror(code));
    }
    BL_SAY(&text, BL_SAY_NO_DAEMON, BL_T(client->name), BL_T(bl_buf_text(&why)));
    bl_say(&hint, client->socket_path ? BL_SAY_NO_DAEMON_HINT : BL_SAY_NO_SERVER_HINT);
    bl_fail(err, BL_EUNREACHABLE, "%s", bl_buf_text(&text));
    return bl_error_set_hint(err, "%s", bl_buf_text(&hint));
}

static int transfer(struct bl_client *client, struct request request, struct bl_reply *reply,
                    struct bl_error *err)
{
    CURLcode code;

    client->interrupted = false;
    bl_buf_clear(&reply->body);
    bl_arena_reset(&reply->arena);
    reply->body.ceiling = BL_CLIENT_ANSWER_BYTES_MAX;
    reply->status = 0;
    reply->tree = NULL;
    reply->log_next = -1;
    reply->log_complete = false;
    if (client->authorization) {
        request.headers = curl_slist_append(NULL, client->authorization);
    }
    if (request.body) {
        request.headers = curl_slist_append(request.headers, "Content-Type: application/json");
        /* curl would wait a second for leave to send a large body */
        request.headers = curl_slist_append(request.headers, "Expect:");
    }
    set_up(client, &request, reply);
    curl_multi_add_handle(client->multi, client->easy);
    code = drive(client);
    curl_easy_getinfo(client->easy, CURLINFO_RESPONSE_CODE, &reply->status);
    curl_multi_remove_handle(client->multi, client->easy);
    curl_slist_free_all(request.headers);
    return code == CURLE_OK ? BL_OK : fail_transfer(client, code, reply, err);
}

static enum bl_status status_of(long http)
{
    switch (http) {
    case 400:
        return BL_EINVAL;
    case 401:
    case 403:
    case 409:
        return BL_EREFUSED;
    case 404:
        return BL_ENOTFOUND;
    case 413:
        return BL_ETOOBIG;
    default:
        return BL_ESYSTEM;
    }
}

static const char *text_of(const struct bl_tree *map, const char *key)
{
    const struct bl_tree *found = map ? bl_tree_find(map, key) : NULL;

    return found && found->kind == BL_TREE_SCALAR ? found->text : "";
}

int bl_client_judge(long status, const char *body, size_t length, struct bl_error *err)
{
    const struct bl_tree_source source = {"answer", body, length};
    struct bl_arena arena = {0};
    struct bl_tree *tree = NULL;
    const struct bl_tree *error = NULL;

    if (status < 400) {
        return BL_OK;
    }
    if (!bl_json_read(&source, &arena, &tree, NULL) && tree->kind == BL_TREE_MAP) {
        error = bl_tree_find(tree, "error");
    }
    if (*text_of(error, "message")) {
        bl_fail(err, status_of(status), "%s", text_of(error, "message"));
        bl_error_set_field(err, text_of(error, "field"));
        bl_error_set_hint(err, "%s", text_of(error, "hint"));
    } else {
        BL_FAIL_SAYING(err, status_of(status), BL_SAY_E_ANSWER_STATUS, BL_N(status));
    }
    bl_arena_finish(&arena);
    return (int)status_of(status);
}

static int read_answer(struct bl_reply *reply, struct bl_error *err)
{
    const struct bl_tree_source source = {"the daemon's answer", bl_buf_text(&reply->body),
                                          reply->body.length};
    struct bl_tree *tree = NULL;
    int status = bl_client_judge(reply->status, source.bytes, source.length, err);

    if (!status) {
        status = bl_json_read(&source, &reply->arena, &tree, err);
    }
    if (!status && tree->kind != BL_TREE_MAP) {
        status = bl_say_fail(err, BL_ESYSTEM, BL_SAY_E_ANSWER_NO_OBJECT, NULL);
    }
    reply->tree = status ? NULL : tree;
    return status;
}

int bl_client_get(struct bl_client *client, const char *path, struct bl_reply *reply,
                  struct bl_error *err)
{
    int status = transfer(client, (struct request){.path = path}, reply, err);

    return status ? status : read_answer(reply, err);
}

int bl_client_post(struct bl_client *client, const char *path, const char *body,
                   struct bl_reply *reply, struct bl_error *err)
{
    int status = transfer(client, (struct request){.path = path, .body = body}, reply, err);

    return status ? status : read_answer(reply, err);
}

int bl_client_patch(struct bl_client *client, const char *path, const char *body,
                    struct bl_reply *reply, struct bl_error *err)
{
    const struct request request = {.method = "PATCH", .path = path, .body = body};
    int status = transfer(client, request, reply, err);

    return status ? status : read_answer(reply, err);
}

int bl_client_delete(struct bl_client *client, const char *path, struct bl_reply *reply,
                     struct bl_error *err)
{
    const struct request request = {.method = "DELETE", .path = path};
    int status = transfer(client, request, reply, err);

    return status ? status : read_answer(reply, err);
}

int bl_client_get_bytes(struct bl_client *client, const char *path, struct bl_reply *reply,
                        struct bl_error *err)
{
    int status = transfer(client, (struct request){.path = path}, reply, err);

    return status
               ? status
               : bl_client_judge(reply->status, bl_buf_text(&reply->body), reply->body.length, err);
}

void bl_client_escape(struct bl_buf *out, const char *text)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

    for (const char *at = text; *at; at++) {
        if (strchr(bare, *at)) {
            bl_buf_append_char(out, *at);
        } else {
            bl_buf_printf(out, "%%%02X", (unsigned char)*at);
        }
    }
}

void bl_reply_finish(struct bl_reply *reply)
{
    bl_buf_finish(&reply->body);
    bl_arena_finish(&reply->arena);
    *reply = (struct bl_reply){0};
}

void bl_client_name_field(struct bl_error *err, const char *word)
{
    static const char body[] = "request body: ";
    size_t field = strlen(err->field);
    const char *rest = err->text;
    BL_AUTO_BUF text = {0};

    rest += strncmp(rest, body, sizeof body - 1) == 0 ? sizeof body - 1 : 0;
    if (field && !strncmp(rest, err->field, field) && rest[field] == ':') {
        rest += field + 1;
        rest += strspn(rest, " ");
    }
    bl_buf_printf(&text, "%s: %s", word, rest);
    snprintf(err->text, sizeof err->text, "%s", bl_buf_text(&text));
}
