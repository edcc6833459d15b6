#include "form/config_listen.h"

#include "base/units.h"

#include <stddef.h>
#include <string.h>

enum { PORT_MAX = 65535, CONNECTIONS_MAX = 65536 };

#define BYTES_MAX (INT64_C(256) * 1024 * 1024)
#define KIB       INT64_C(1024)

struct bl_config_listen bl_config_listen_default(void)
{
    return (struct bl_config_listen){.limits = {
                                         .connections = 2048,
                                         .connections_user = 512,
                                         .header = 64 * KIB,
                                         .body = 4096 * KIB,
                                         .idle = BL_MINUTE,
                                         .request = 30 * BL_SECOND,
                                         .answer = 2 * BL_MINUTE,
                                     }};
}

bool bl_config_is_address(const char *text)
{
    const char *colon = strrchr(text, ':');
    int64_t port = 0;

    if (!colon || colon == text || bl_int_parse(colon + 1, 0, PORT_MAX, &port, NULL) != BL_OK) {
        return false;
    }
    if (text[0] == '[') {
        return colon - text > 2 && colon[-1] == ']';
    }
    return memchr(text, ':', (size_t)(colon - text)) == NULL;
}

static int read_socket(const struct bl_tree_reader *in, const struct bl_tree *at,
                       struct bl_config_listen *out)
{
    const char *path = "";
    int status = bl_tree_read_text(in, at, &path);

    if (status == BL_OK && path[0] != '/') {
        return bl_tree_fail_kind(in, at, "an absolute path");
    }
    if (status == BL_OK && strlen(path) >= BL_CONFIG_PATH_MAX) {
        return bl_tree_fail_size(in, at, "the path", BL_CONFIG_PATH_MAX - 1);
    }
    out->socket = status == BL_OK ? path : out->socket;
    return status;
}

static int read_http(const struct bl_tree_reader *in, const struct bl_tree *at,
                     struct bl_config_listen *out)
{
    if (at->kind != BL_TREE_SCALAR ||
        (strcmp(at->text, "none") != 0 && !bl_config_is_address(at->text))) {
        return bl_tree_fail_kind(in, at, "an address like 127.0.0.1:7420, or none");
    }
    out->http = at->text;
    return BL_OK;
}

static int read_hosts(const struct bl_tree_reader *in, const struct bl_tree *at,
                      struct bl_config_listen *out)
{
    const char **hosts;

    if (at->kind != BL_TREE_LIST) {
        return bl_tree_fail_kind(in, at, "a list of names like [gpu.example.org]");
    }
    if (at->child_count > BL_CONFIG_HOSTS_MAX) {
        return bl_tree_fail(in->source, at, in->err, "expected at most %d names, found %zu",
                            BL_CONFIG_HOSTS_MAX, at->child_count);
    }
    hosts = bl_arena_alloc(in->arena, (at->child_count + 1) * sizeof *hosts);
    for (size_t i = 0; i < at->child_count; i++) {
        int status = bl_tree_read_name(in, &at->child[i], &hosts[i]);

        if (status != BL_OK) {
            return status;
        }
        if (strpbrk(hosts[i], "/: ")) {
            return bl_tree_fail_kind(in, &at->child[i], "the name of a host, without a port");
        }
    }
    out->hosts = hosts;
    return BL_OK;
}

static int read_remote(const struct bl_tree_reader *in, const struct bl_tree *at,
                       struct bl_config_listen *out)
{
    return bl_tree_read_bool(in, at, &out->remote);
}

static int read_open_metrics(const struct bl_tree_reader *in, const struct bl_tree *at,
                             struct bl_config_listen *out)
{
    return bl_tree_read_bool(in, at, &out->open_metrics);
}

/* A limit is a number, a size or a time, at `place` in struct bl_config_limits. */
enum kind { KIND_COUNT, KIND_SIZE, KIND_TIME };

struct limit {
    const char *name;
    enum kind kind;
    size_t place;
    int64_t low, high;
    const char *expected;
};

static const struct limit limits[] = {
    {"connections", KIND_COUNT, offsetof(struct bl_config_limits, connections), 8, CONNECTIONS_MAX,
     "a number from 8 to 65536"},
    {"connections_user", KIND_COUNT, offsetof(struct bl_config_limits, connections_user), 1,
     CONNECTIONS_MAX, "a number from 1 to 65536"},
    {"header", KIND_SIZE, offsetof(struct bl_config_limits, header), 4 * KIB, 1024 * KIB,
     "a size from 4KiB to 1MiB"},
    {"body", KIND_SIZE, offsetof(struct bl_config_limits, body), 4 * KIB, BYTES_MAX,
     "a size from 4KiB to 256MiB"},
    {"idle", KIND_TIME, offsetof(struct bl_config_limits, idle), BL_SECOND, BL_DAY,
     "a time from 1s to 1d"},
    {"request", KIND_TIME, offsetof(struct bl_config_limits, request), BL_SECOND, BL_DAY,
     "a time from 1s to 1d"},
    {"answer", KIND_TIME, offsetof(struct bl_config_limits, answer), BL_SECOND, BL_DAY,
     "a time from 1s to 1d"},
    {NULL, KIND_COUNT, 0, 0, 0, NULL},
};

static int read_limit(const struct bl_tree_reader *in, const struct bl_tree *at,
                      const struct limit *limit, struct bl_config_limits *out)
{
    int64_t value = 0;
    int status = BL_OK;

    switch (limit->kind) {
    case KIND_COUNT:
        status = bl_tree_read_int(in, at, (struct bl_int_range){INT64_MIN, INT64_MAX}, &value);
        break;
    case KIND_SIZE:
        status = bl_tree_read_size(in, at, INT64_MAX / 2, &value);
        break;
    case KIND_TIME:
        status = bl_tree_read_span(in, at, &value);
        break;
    }
    if (status == BL_OK && (value < limit->low || value > limit->high)) {
        return bl_tree_fail_kind(in, at, limit->expected);
    }
    if (status == BL_OK) {
        *(int64_t *)((char *)out + limit->place) = value;
    }
    return status;
}

static int read_limits(const struct bl_tree_reader *in, const struct bl_tree *at,
                       struct bl_config_listen *out)
{
    int status = bl_tree_check_rows(in, at, &limits->name, sizeof *limits);

    for (size_t i = 0; limits[i].name && status == BL_OK; i++) {
        const struct bl_tree *given = bl_tree_given(at, limits[i].name);

        status = given ? read_limit(in, given, &limits[i], &out->limits) : BL_OK;
    }
    return status;
}

/* `read` is NULL for what the contract has and this version does not. */
static const struct {
    const char *name;
    int (*read)(const struct bl_tree_reader *in, const struct bl_tree *at,
                struct bl_config_listen *out);
} keys[] = {{"socket", read_socket},
            {"http", read_http},
            {"hosts", read_hosts},
            {"remote", read_remote},
            {"open_metrics", read_open_metrics},
            {"limits", read_limits},
            {"tls", NULL},
            {NULL, NULL}};

int bl_config_listen_read(const struct bl_tree_reader *in, const struct bl_tree *at,
                          struct bl_config_listen *out)
{
    int status = bl_tree_check_rows(in, at, &keys->name, sizeof *keys);

    for (size_t i = 0; keys[i].name && status == BL_OK; i++) {
        const struct bl_tree *given = bl_tree_given(at, keys[i].name);

        if (given) {
            status = keys[i].read ? keys[i].read(in, given, out) : bl_tree_fail_later(in, given);
        }
    }
    return status;
}
