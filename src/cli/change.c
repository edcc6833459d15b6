#include "cli/change.h"

#include "base/units.h"
#include "cli/job_flags.h"
#include "cli/when.h"
#include "cli/say.h"
#include "form/jobspec.h"
#include "form/json_out.h"

#include <string.h>

/* One `key=value` while it is put into the body. */
struct one {
    const char *value;
    bl_time now;
    struct bl_json *json;
};

static int put_limit(const struct one *one, struct bl_error *err)
{
    bl_time limit = 0;
    bool is_none = !strcmp(one->value, "none");
    int status = is_none ? BL_OK : bl_span_parse(one->value, &limit, err);

    if (!status && !is_none && limit <= 0) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_TIME_OR_NONE, BL_T(one->value));
    }
    if (!status && is_none) {
        bl_json_put_null(one->json, "limit");
    } else if (!status) {
        bl_json_put_text(one->json, "limit", one->value);
    }
    return status;
}

static int put_priority(const struct one *one, struct bl_error *err)
{
    int64_t priority = 0;
    int status = bl_int_parse(one->value, -1000000, 1000000, &priority, err);

    if (!status) {
        bl_json_put_int(one->json, "priority", priority);
    }
    return status;
}

static int put_gpus(const struct one *one, struct bl_error *err)
{
    struct bl_gpu_counts gpus;
    int status = bl_gpus_parse(one->value, &gpus, err);

    if (!status) {
        bl_json_put_text(one->json, "gpus", one->value);
    }
    return status;
}

/* "V100", "A100,H100" or "any". */
static int put_gpu_type(const struct one *one, struct bl_error *err)
{
    const char *at = one->value;

    if (!*at || strstr(at, ",,") || *at == ',' || at[strlen(at) - 1] == ',') {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_VALUE, NULL);
    }
    if (!strcmp(at, "any")) {
        bl_json_put_null(one->json, "gpu_type");
        return BL_OK;
    }
    bl_json_key(one->json, "gpu_type");
    bl_json_open_array(one->json);
    while (*at) {
        BL_AUTO_BUF name = {0};
        size_t length = strcspn(at, ",");

        bl_buf_append(&name, at, length);
        bl_json_text(one->json, bl_buf_text(&name));
        at += length + (at[length] != '\0');
    }
    bl_json_close_array(one->json);
    return BL_OK;
}

static int put_nodes(const struct one *one, struct bl_error *err)
{
    int64_t nodes = 0;
    bool is_any = !strcmp(one->value, "any");
    int status = is_any ? BL_OK : bl_int_parse(one->value, 1, INT32_MAX, &nodes, err);

    if (!status && is_any) {
        bl_json_put_null(one->json, "nodes");
    } else if (!status) {
        bl_json_put_int(one->json, "nodes", nodes);
    }
    return status;
}

static int put_class(const struct one *one, struct bl_error *err)
{
    if (!bl_class_is_one(one->value)) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_CLASS, BL_T(one->value));
    }
    bl_json_put_text(one->json, "class", one->value);
    return BL_OK;
}

static int put_begin(const struct one *one, struct bl_error *err)
{
    bl_time at = 0;
    BL_AUTO_BUF text = {0};
    int status = bl_when_parse(one->value, one->now, &at, err);

    if (!status) {
        bl_when_print_iso(&text, at);
        bl_json_put_text(one->json, "not_before", bl_buf_text(&text));
    }
    return status;
}

static int put_requeue(const struct one *one, struct bl_error *err)
{
    bool yes = !strcmp(one->value, "yes") || !strcmp(one->value, "true");

    if (!yes && strcmp(one->value, "no") != 0 && strcmp(one->value, "false") != 0) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_YES_OR_NO, BL_T(one->value));
    }
    bl_json_put_bool(one->json, "requeue", yes);
    return BL_OK;
}

static const struct row {
    const char *name, *other_name;
    int (*put)(const struct one *one, struct bl_error *err);
} rows[] = {
    {"time", "limit", put_limit},       {"priority", "prio", put_priority},
    {"gpus", "gpus", put_gpus},         {"gpu-type", "gpu_type", put_gpu_type},
    {"nodes", "nodes", put_nodes},      {"class", "class", put_class},
    {"begin", "not_before", put_begin}, {"requeue", "requeue", put_requeue},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static int fail_key(const char *word, struct bl_error *err)
{
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_KEY_VALUE, BL_T(word));
    return bl_say_hint(err, BL_SAY_H_KEYS, NULL);
}

static int put_one(const char *word, struct one *one, struct bl_error *err)
{
    size_t length = strcspn(word, "=");

    for (size_t i = 0; word[length] && i < ROW_COUNT; i++) {
        const char *names[] = {rows[i].name, rows[i].other_name};

        for (size_t j = 0; j < 2; j++) {
            if (strlen(names[j]) == length && !strncmp(names[j], word, length)) {
                one->value = word + length + 1;
                return rows[i].put(one, err) ? bl_wrap(err, "%s", names[j]) : BL_OK;
            }
        }
    }
    return fail_key(word, err);
}

int bl_change_write(struct bl_buf *out, const struct bl_changes *changes, struct bl_error *err)
{
    struct bl_json json;
    struct one one = {.now = changes->now, .json = &json};
    int status = BL_OK;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    for (int i = 0; !status && i < changes->count; i++) {
        status = put_one(changes->at[i], &one, err);
    }
    bl_json_close_object(&json);
    return status;
}
