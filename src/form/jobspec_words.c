#include "base/units.h"
#include "form/jobspec.h"

#include <string.h>

enum { NUMBER_TEXT_MAX = 40 };

static const char per_gpu_tail[] = "/gpu";

int bl_gpus_parse(const char *text, int32_t *min, int32_t *max, struct bl_error *err)
{
    const char *dash = strchr(text, '-');
    char low_text[NUMBER_TEXT_MAX] = "";
    int64_t low = 0;
    int64_t high = 0;

    if (!dash) {
        if (bl_int_parse(text, 0, BL_JOBSPEC_GPUS_MAX, &high, err) != BL_OK) {
            return BL_EINVAL;
        }
        *min = *max = (int32_t)high;
        return BL_OK;
    }
    strncat(low_text, text,
            (size_t)(dash - text) < sizeof low_text ? (size_t)(dash - text) : sizeof low_text - 1);
    if (bl_int_parse(low_text, 1, BL_JOBSPEC_GPUS_MAX, &low, NULL) != BL_OK ||
        bl_int_parse(dash + 1, 1, BL_JOBSPEC_GPUS_MAX, &high, NULL) != BL_OK || low > high) {
        return bl_fail(
            err, BL_EINVAL,
            "expected a number of GPUs like 4, or a range like 2-8 within 1 to %d, found "
            "'%.100s'",
            BL_JOBSPEC_GPUS_MAX, text);
    }
    *min = (int32_t)low;
    *max = (int32_t)high;
    return BL_OK;
}

/* Cuts "/gpu" off: the number alone goes to `number`. */
static int split_amount(const char *text, char number[NUMBER_TEXT_MAX], bool *per_gpu,
                        struct bl_error *err)
{
    size_t length = strlen(text);
    size_t tail = strlen(per_gpu_tail);

    *per_gpu = length > tail && !strcmp(text + length - tail, per_gpu_tail);
    length -= *per_gpu ? tail : 0;
    if (length >= NUMBER_TEXT_MAX) {
        return bl_fail(err, BL_EINVAL, "expected an amount like 8 or 8/gpu, found '%.100s'", text);
    }
    memcpy(number, text, length);
    number[length] = '\0';
    return BL_OK;
}

int bl_cpus_parse(const char *text, struct bl_amount *out, struct bl_error *err)
{
    char number[NUMBER_TEXT_MAX];
    struct bl_amount amount = {0};

    if (split_amount(text, number, &amount.per_gpu, err) != BL_OK ||
        bl_scaled_parse(number, 1000, &amount.value, err) != BL_OK) {
        return BL_EINVAL;
    }
    if (amount.value > INT64_C(1000) * BL_JOBSPEC_CPUS_MAX) {
        return bl_fail(err, BL_EINVAL, "expected at most %d CPUs, found '%s'", BL_JOBSPEC_CPUS_MAX,
                       text);
    }
    *out = amount;
    return BL_OK;
}

int bl_mem_parse(const char *text, struct bl_amount *out, struct bl_error *err)
{
    char number[NUMBER_TEXT_MAX];
    struct bl_amount amount = {0};

    if (split_amount(text, number, &amount.per_gpu, err) != BL_OK ||
        bl_size_parse(number, &amount.value, err) != BL_OK) {
        return BL_EINVAL;
    }
    if (amount.value > BL_JOBSPEC_MEM_MAX) {
        return bl_fail(err, BL_EINVAL, "expected at most 1PiB of memory, found '%s'", text);
    }
    *out = amount;
    return BL_OK;
}

static int fail_after_kind(const char *word, struct bl_error *err)
{
    const char *words[BL_AFTER_COUNT + 1] = {NULL};
    const char *nearest;

    for (int i = 0; i < BL_AFTER_COUNT; i++) {
        words[i] = bl_dependency_kind_name((enum bl_dependency_kind)i);
    }
    bl_fail(err, BL_EINVAL, "expected ok, any, fail or each behind the ':', found '%.100s'", word);
    nearest = bl_nearest_word(word, words);
    return nearest ? bl_error_set_hint(err, "write '%s'", nearest) : (int)BL_EINVAL;
}

int bl_after_parse(const char *text, struct bl_arena *arena, struct bl_jobspec_after *out,
                   struct bl_error *err)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    int kind = colon ? bl_dependency_kind_find(colon + 1) : BL_AFTER_OK;
    char *target;

    if (!length || length > BL_JOB_NAME_MAX) {
        return bl_fail(err, BL_EINVAL, "expected a job like 17, 17:any or prep:ok, found '%.100s'",
                       text);
    }
    if (kind < 0) {
        return fail_after_kind(colon + 1, err);
    }
    target = bl_arena_copy_text(arena, text);
    target[length] = '\0';
    *out = (struct bl_jobspec_after){.target = target, .kind = (enum bl_dependency_kind)kind};
    return BL_OK;
}
