#include "os/spawn_spec.h"

#include "base/own.h"
#include "base/units.h"
#include "base/vec.h"

#include <string.h>

/* ---- spec: writing ---- */

static void put_text(struct bl_buf *out, const char *key, const char *value)
{
    bl_buf_append_text(out, key);
    bl_buf_append_char(out, '=');
    bl_buf_append(out, value, strlen(value) + 1);
}

static void put_int(struct bl_buf *out, const char *key, int64_t value)
{
    bl_buf_printf(out, "%s=%lld", key, (long long)value);
    bl_buf_append_char(out, '\0');
}

static void put_list(struct bl_buf *out, const char *key, char *const *list)
{
    for (; *list; list++) {
        put_text(out, key, *list);
    }
}

void bl_spawn_spec_write(struct bl_buf *out, const struct bl_spawn_spec *spec)
{
    put_text(out, "token", spec->token);
    put_text(out, "directory", spec->directory);
    put_text(out, "alloc", spec->alloc);
    put_text(out, "workdir", spec->workdir);
    put_text(out, "log", spec->log);
    if (spec->error) {
        put_text(out, "error", spec->error);
    }
    if (spec->script) {
        put_text(out, "script", spec->script);
    }
    if (spec->cgroup) {
        put_text(out, "cgroup", spec->cgroup);
        put_int(out, "mem_high", spec->mem_high);
        put_int(out, "mem_max", spec->mem_max);
        put_int(out, "cpu_weight", spec->cpu_weight);
    }
    if (spec->become_user) {
        put_int(out, "uid", spec->uid);
        put_int(out, "gid", spec->gid);
        for (size_t i = 0; i < spec->group_count; i++) {
            put_int(out, "group", spec->group[i]);
        }
    }
    put_int(out, "umask", spec->umask);
    put_int(out, "grace", spec->grace);
    put_int(out, "oom_score_adj", spec->oom_score_adj);
    if (spec->pid) {
        put_int(out, "pid", spec->pid);
        put_int(out, "pid_start", (int64_t)spec->pid_start);
        put_text(out, "boot", spec->boot);
    }
    put_list(out, "arg", spec->argv);
    put_list(out, "env", spec->envp);
    put_text(out, "end", "");
}

/* ---- spec: reading ---- */

typedef BL_VEC(char *) text_list;
typedef BL_VEC(gid_t) group_list;

struct spec_reader {
    struct bl_spawn_spec spec;
    text_list args;
    text_list environment;
    group_list groups;
    bool has_uid;
    bool has_gid;
    bool ended;
};

struct text_field {
    const char *key;
    size_t offset;
    bool required;
};

#define TEXT_FIELD(name, required_)                                                                \
    {                                                                                              \
#name, offsetof(struct bl_spawn_spec, name), required_                                     \
    }

static const struct text_field text_fields[] = {
    TEXT_FIELD(token, true),   TEXT_FIELD(directory, true), TEXT_FIELD(alloc, true),
    TEXT_FIELD(workdir, true), TEXT_FIELD(log, true),       TEXT_FIELD(cgroup, false),
    TEXT_FIELD(error, false),  TEXT_FIELD(script, false),   TEXT_FIELD(boot, false),
};

enum { TEXT_FIELD_COUNT = sizeof text_fields / sizeof text_fields[0] };

static const char **text_place(struct bl_spawn_spec *spec, const struct text_field *field)
{
    return (const char **)(void *)((char *)spec + field->offset);
}

static bool take_text(struct bl_spawn_spec *spec, const char *key, const char *value)
{
    for (size_t i = 0; i < TEXT_FIELD_COUNT; i++) {
        if (strcmp(key, text_fields[i].key) == 0) {
            *text_place(spec, &text_fields[i]) = value;
            return true;
        }
    }
    return false;
}

static void store_int(struct spec_reader *reader, const char *key, int64_t number)
{
    struct bl_spawn_spec *spec = &reader->spec;

    if (strcmp(key, "uid") == 0) {
        spec->uid = (uid_t)number;
        reader->has_uid = true;
    } else if (strcmp(key, "gid") == 0) {
        spec->gid = (gid_t)number;
        reader->has_gid = true;
    } else if (strcmp(key, "group") == 0) {
        BL_VEC_PUSH(&reader->groups, (gid_t)number);
    } else if (strcmp(key, "mem_high") == 0) {
        spec->mem_high = number;
    } else if (strcmp(key, "mem_max") == 0) {
        spec->mem_max = number;
    } else if (strcmp(key, "cpu_weight") == 0) {
        spec->cpu_weight = number;
    } else if (strcmp(key, "umask") == 0) {
        spec->umask = (mode_t)number;
    } else if (strcmp(key, "grace") == 0) {
        spec->grace = number;
    } else if (strcmp(key, "oom_score_adj") == 0) {
        spec->oom_score_adj = (int)number;
    } else if (strcmp(key, "pid") == 0) {
        spec->pid = (pid_t)number;
    } else if (strcmp(key, "pid_start") == 0) {
        spec->pid_start = (uint64_t)number;
    }
}

struct int_field {
    const char *key;
    int64_t low;
    int64_t high;
};

static const struct int_field int_fields[] = {
    {"uid", 0, UINT32_MAX - 1}, {"gid", 0, UINT32_MAX - 1},  {"group", 0, UINT32_MAX - 1},
    {"mem_high", 0, INT64_MAX}, {"mem_max", 0, INT64_MAX},   {"cpu_weight", 0, 10000},
    {"umask", 0, 0777},         {"grace", 0, BL_SPAN_MAX},   {"oom_score_adj", -1000, 1000},
    {"pid", 1, INT32_MAX},      {"pid_start", 0, INT64_MAX},
};

static int take_int(struct spec_reader *reader, const char *key, const char *value,
                    struct bl_error *err)
{
    for (size_t i = 0; i < sizeof int_fields / sizeof int_fields[0]; i++) {
        const struct int_field *field = &int_fields[i];
        int64_t number;

        if (strcmp(key, field->key) == 0) {
            if (bl_int_parse(value, field->low, field->high, &number, err)) {
                return bl_wrap(err, "%s", key);
            }
            store_int(reader, key, number);
            return BL_OK;
        }
    }
    return bl_fail(err, BL_EINVAL, "unknown key '%s'", key);
}

static int take_field(struct spec_reader *reader, char *key, struct bl_error *err)
{
    char *value = strchr(key, '=');

    if (!value) {
        return bl_fail(err, BL_EINVAL, "expected KEY=VALUE, found '%.60s'", key);
    }
    *value++ = '\0';
    if (strcmp(key, "arg") == 0) {
        BL_VEC_PUSH(&reader->args, value);
    } else if (strcmp(key, "env") == 0) {
        BL_VEC_PUSH(&reader->environment, value);
    } else if (strcmp(key, "end") == 0) {
        reader->ended = true;
    } else if (!take_text(&reader->spec, key, value)) {
        return take_int(reader, key, value, err);
    }
    return BL_OK;
}

static int check_complete(struct spec_reader *reader, struct bl_error *err)
{
    if (!reader->ended) {
        return bl_fail(err, BL_EINVAL, "the file is cut short: it does not end with 'end='");
    }
    for (size_t i = 0; i < TEXT_FIELD_COUNT; i++) {
        if (text_fields[i].required && !*text_place(&reader->spec, &text_fields[i])) {
            return bl_fail(err, BL_EINVAL, "key '%s' is missing", text_fields[i].key);
        }
    }
    if (!reader->args.count) {
        return bl_fail(err, BL_EINVAL, "key 'arg' is missing");
    }
    if (reader->spec.pid && !reader->spec.boot) {
        return bl_fail(err, BL_EINVAL, "keys 'pid' and 'boot' come together");
    }
    if (reader->has_uid != reader->has_gid) {
        return bl_fail(err, BL_EINVAL, "keys 'uid' and 'gid' come together");
    }
    return BL_OK;
}

/* The arrays change hands: the lists become the spec's. */
static void hand_over(struct spec_reader *reader, struct bl_spawn_spec *out)
{
    BL_VEC_PUSH(&reader->args, NULL);
    BL_VEC_PUSH(&reader->environment, NULL);
    reader->spec.argv = BL_TAKE(reader->args.at);
    reader->spec.envp = BL_TAKE(reader->environment.at);
    reader->spec.group_count = reader->groups.count;
    reader->spec.group = BL_TAKE(reader->groups.at);
    reader->spec.become_user = reader->has_uid;
    *out = reader->spec;
}

int bl_spawn_spec_read(char *bytes, size_t length, struct bl_spawn_spec *out, struct bl_error *err)
{
    struct spec_reader reader = {.spec = {.umask = 022}};
    char *at = bytes;
    int status = BL_OK;

    if (!length || bytes[length - 1] != '\0') {
        return bl_fail(err, BL_EINVAL, "the file is cut short: it does not end with a zero byte");
    }
    while (!status && at < bytes + length && !reader.ended) {
        char *field = at;

        at += strlen(at) + 1;
        status = take_field(&reader, field, err);
    }
    if (!status) {
        status = check_complete(&reader, err);
    }
    if (!status) {
        hand_over(&reader, out);
    }
    BL_VEC_FINISH(&reader.args);
    BL_VEC_FINISH(&reader.environment);
    BL_VEC_FINISH(&reader.groups);
    return status;
}

void bl_spawn_spec_finish(struct bl_spawn_spec *spec)
{
    free(spec->argv);
    free(spec->envp);
    free(spec->group);
    *spec = (struct bl_spawn_spec){0};
}
