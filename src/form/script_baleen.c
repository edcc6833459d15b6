#include "form/script_parts.h"
#include "form/tree_make.h"
#include "form/warning.h"

#include <string.h>

static int read_resource(struct bl_script_reader *reader, const char *value)
{
    bl_script_set_resource(reader, reader->row->detail, value);
    return BL_OK;
}

static int read_gpus(struct bl_script_reader *reader, const char *value)
{
    struct bl_error cause = {0};
    struct bl_gpu_counts gpus;

    if (bl_gpus_parse(value, &gpus, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    bl_script_set_resource(reader, "gpus", value);
    return BL_OK;
}

static int read_gpu_type(struct bl_script_reader *reader, const char *value)
{
    return bl_script_set_gpu_types(reader, value);
}

static int read_gpu_mem(struct bl_script_reader *reader, const char *value)
{
    bl_tree_put_text(reader->arena, reader->gpu, "mem", value, reader->line);
    return BL_OK;
}

static int read_amount(struct bl_script_reader *reader, const char *value)
{
    bool is_cpus = !strcmp(reader->row->detail, "cpus");
    struct bl_error cause = {0};
    struct bl_amount amount = {0};

    if ((is_cpus ? bl_cpus_parse : bl_mem_parse)(value, &amount, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    return read_resource(reader, value);
}

static int read_time(struct bl_script_reader *reader, const char *value)
{
    struct bl_error cause = {0};
    bl_time limit = 0;

    if (bl_span_parse(value, &limit, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    if (!limit) {
        return bl_script_fail(reader, "expected a time over zero, found '%s'", value);
    }
    return bl_script_read_key(reader, value);
}

/* "7,8:any": each job is checked. */
static int read_after(struct bl_script_reader *reader, const char *value)
{
    const char *at = value;

    do {
        size_t length = strcspn(at, ",");
        const char *word = bl_script_print(reader, "%.*s", (int)length, at);
        struct bl_jobspec_after after = {0};
        struct bl_error cause = {0};

        if (bl_after_parse(word, reader->arena, &after, &cause) != BL_OK) {
            return bl_script_fail_cause(reader, &cause);
        }
        bl_tree_append_text(reader->arena, reader->after, word, reader->line);
        at += length;
    } while (*at++);
    return BL_OK;
}

static int read_signal(struct bl_script_reader *reader, const char *value)
{
    struct bl_warning warning = {0};
    struct bl_error cause = {0};

    if (bl_warning_parse(value, &warning, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    return bl_script_read_key(reader, value);
}

static int read_not_before(struct bl_script_reader *reader, const char *value)
{
    struct bl_instant instant = {0};
    struct bl_error cause = {0};

    if (bl_instant_parse(value, &instant, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    return bl_script_read_key(reader, value);
}

static int read_env(struct bl_script_reader *reader, const char *value)
{
    return bl_script_set_pair(reader, reader->env, value);
}

static int read_param(struct bl_script_reader *reader, const char *value)
{
    return bl_script_set_pair(reader, reader->params, value);
}

static int read_label(struct bl_script_reader *reader, const char *value)
{
    return bl_script_set_pair(reader, reader->labels, value);
}

static int read_refused(struct bl_script_reader *reader, const char *value)
{
    (void)value;
    return bl_script_fail(reader, "not supported by this version yet");
}

#define NOTHING BL_SCRIPT_TAKES_NOTHING
#define VALUE   BL_SCRIPT_TAKES_VALUE

/* The flags of `baleen run`. */
static const struct bl_script_flag flags[] = {
    {"after", 'd', VALUE, read_after, NULL},
    {"array", 'a', VALUE, bl_script_read_array, NULL},
    {"chdir", 'D', VALUE, bl_script_read_chdir, NULL},
    {"ckpt", 0, VALUE, read_signal, "signal"},
    {"class", 0, VALUE, bl_script_read_key, "class"},
    {"cpus", 'c', VALUE, read_amount, "cpus"},
    {"deadline", 0, VALUE, read_refused, NULL},
    {"dry-run", 0, NOTHING, bl_script_read_test_only, NULL},
    {"env", 0, VALUE, read_env, NULL},
    {"error", 'e', VALUE, bl_script_set_pattern, "error"},
    {"expect", 0, VALUE, read_refused, NULL},
    {"gpu-mem", 0, VALUE, read_gpu_mem, NULL},
    {"gpu-type", 0, VALUE, read_gpu_type, NULL},
    {"gpus", 'g', VALUE, read_gpus, NULL},
    {"hold", 'H', NOTHING, bl_script_read_fixed, "hold=yes"},
    {"kind", 0, VALUE, bl_script_read_key, "kind"},
    {"label", 0, VALUE, read_label, NULL},
    {"log", 'o', VALUE, bl_script_set_pattern, "log"},
    {"mem", 0, VALUE, read_amount, "mem"},
    {"name", 'J', VALUE, bl_script_read_key, "name"},
    {"no-requeue", 0, NOTHING, bl_script_read_fixed, "requeue=no"},
    {"nodes", 'N', VALUE, read_resource, "nodes"},
    {"not-before", 0, VALUE, read_not_before, "not_before"},
    {"notify", 0, VALUE, read_refused, NULL},
    {"param", 0, VALUE, read_param, NULL},
    {"parsable", 0, NOTHING, bl_script_read_parsable, NULL},
    {"pool", 0, VALUE, bl_script_read_key, "pool"},
    {"preemptible", 0, NOTHING, bl_script_read_fixed, "class=preemptible"},
    {"priority", 0, VALUE, bl_script_read_key, "priority"},
    {"project", 0, VALUE, bl_script_read_key, "project"},
    {"promise", 0, NOTHING, bl_script_read_fixed, "promise=yes"},
    {"requeue", 0, NOTHING, bl_script_read_fixed, "requeue=yes"},
    {"reservation", 0, VALUE, bl_script_read_key, "reservation"},
    {"retries", 0, VALUE, bl_script_read_key, "retries"},
    {"share", 0, VALUE, read_refused, NULL},
    {"time", 't', VALUE, read_time, "limit"},
    {"wait", 'w', NOTHING, bl_script_read_wait, NULL},
    {"want", 0, VALUE, read_resource, "want"},
    {NULL, 0, NOTHING, NULL, NULL},
};

const struct bl_script_flags bl_script_baleen_flags = {flags, true};
