#include "base/units.h"
#include "form/clusterspec.h"

#include <string.h>

struct declared {
    struct bl_node_spec node;
    bool has_cpus, has_mem;
};

/* Cuts `*rest` at the first `mark`: the part before it; `*rest` is NULL after the last one. */
static char *cut(char **rest, char mark)
{
    char *part = *rest;
    char *found = strchr(part, mark);

    *rest = found ? found + 1 : NULL;
    if (found) {
        *found = '\0';
    }
    return part;
}

static int fail_grammar(const char *part, struct bl_error *err)
{
    return bl_fail(err, BL_EINVAL,
                   "expected a node like 8xA100, 8xA100:80GB or 8xA100:80GB,cpus=96,mem=1TB, found "
                   "'%s'",
                   part);
}

static bool is_word(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c <= ' ' || *c == 0x7F) {
            return false;
        }
    }
    return *text != '\0';
}

static int parse_size(const char *text, int64_t *out, struct bl_error *err)
{
    int64_t size = 0;

    if (bl_size_parse(text, &size, err) != BL_OK) {
        return BL_EINVAL;
    }
    if (size > BL_CLUSTERSPEC_MEM_MAX) {
        return bl_fail(err, BL_EINVAL, "expected at most 1PiB, found '%s'", text);
    }
    *out = size;
    return BL_OK;
}

/* "8xA100:80GB" */
static int parse_gpus(char *text, struct declared *out, struct bl_error *err)
{
    char *rest = text;
    char *count_text = cut(&rest, 'x');
    char *type = rest ? cut(&rest, ':') : NULL;
    int64_t count = 0;

    if (!type || !is_word(type)) {
        return fail_grammar(count_text, err);
    }
    if (bl_int_parse(count_text, 1, BL_NODE_NAMED_GPUS_MAX, &count, err) != BL_OK) {
        return BL_EINVAL;
    }
    out->node.gpus = (int32_t)count;
    out->node.gpu_type = type;
    return rest ? parse_size(rest, &out->node.gpu_mem_bytes, err) : (int)BL_OK;
}

static int parse_cpus(const char *text, struct declared *out, struct bl_error *err)
{
    int64_t milli = 0;

    if (bl_scaled_parse(text, 1000, &milli, err) != BL_OK) {
        return BL_EINVAL;
    }
    if (milli > INT64_C(1000) * BL_CLUSTERSPEC_CPUS_MAX) {
        return bl_fail(err, BL_EINVAL, "expected at most %d CPUs, found '%s'",
                       BL_CLUSTERSPEC_CPUS_MAX, text);
    }
    out->node.cpu_milli = milli;
    out->has_cpus = true;
    return BL_OK;
}

static int parse_mem(const char *text, struct declared *out, struct bl_error *err)
{
    out->has_mem = true;
    return parse_size(text, &out->node.mem_bytes, err);
}

static int parse_pool(const char *text, struct declared *out, struct bl_error *err)
{
    if (!is_word(text)) {
        return bl_fail(err, BL_EINVAL, "expected the name of a pool, found '%s'", text);
    }
    out->node.pool = text;
    return BL_OK;
}

/* "cpus=96" */
static int parse_option(char *text, struct declared *out, struct bl_error *err)
{
    static const struct {
        const char *key;
        int (*parse)(const char *text, struct declared *out, struct bl_error *err);
    } options[] = {{"cpus", parse_cpus}, {"mem", parse_mem}, {"pool", parse_pool}};
    char *value = text;
    const char *key = cut(&value, '=');

    for (size_t i = 0; value && i < sizeof options / sizeof options[0]; i++) {
        if (!strcmp(key, options[i].key)) {
            return options[i].parse(value, out, err);
        }
    }
    return bl_fail(err, BL_EINVAL, "expected cpus=N, mem=SIZE or pool=NAME, found '%s%s%s'", key,
                   value ? "=" : "", value ? value : "");
}

static int parse_parts(char *text, struct declared *out, struct bl_error *err)
{
    char *rest = text;
    char *first = cut(&rest, ',');
    int status = strchr(first, '=') ? parse_option(first, out, err) : parse_gpus(first, out, err);

    while (status == BL_OK && rest) {
        status = parse_option(cut(&rest, ','), out, err);
    }
    if (status == BL_OK && out->node.gpus == 0 && (!out->has_cpus || !out->has_mem)) {
        return bl_fail(err, BL_EINVAL, "expected cpus and mem, as the node has no GPU");
    }
    return status;
}

int bl_declared_parse(const char *text, int index, struct bl_arena *arena, struct bl_node_spec *out,
                      struct bl_error *err)
{
    struct declared declared = {0};
    BL_AUTO_BUF name = {0};

    if (strlen(text) > BL_CLUSTERSPEC_DECLARED_MAX) {
        return bl_fail(err, BL_ETOOBIG, "a declared node is over %d bytes",
                       BL_CLUSTERSPEC_DECLARED_MAX);
    }
    if (parse_parts(bl_arena_copy_text(arena, text), &declared, err) != BL_OK) {
        return bl_wrap(err, "declared node '%s'", text);
    }
    if (!declared.has_cpus) {
        declared.node.cpu_milli = INT64_C(1000) * BL_CLUSTERSPEC_GPU_CPUS * declared.node.gpus;
    }
    if (!declared.has_mem) {
        declared.node.mem_bytes = BL_CLUSTERSPEC_GPU_MEM * declared.node.gpus;
    }
    bl_buf_printf(&name, "node%d", index);
    declared.node.name = bl_arena_copy_text(arena, bl_buf_text(&name));
    *out = declared.node;
    return BL_OK;
}
