#include "base/units.h"
#include "form/jobspec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT_MAX = 40, MEM_MIN = 1024 * 1024 /* less is a forgotten unit */ };

static const char per_gpu_tail[] = "/gpu";

static int fail_gpus(const char *text, struct bl_error *err)
{
    return bl_fail(err, BL_EINVAL,
                   "expected a number of GPUs like 4, a range like 2-8 or a rising list like 2,4,8 "
                   "within 1 to %d, found '%.100s'",
                   BL_JOBSPEC_GPUS_MAX, text);
}

/* The number before the first of the separators; moves *text behind that. False where none is. */
static bool take_count(const char **text, const char *separators, int32_t *out)
{
    char number[NUMBER_TEXT_MAX] = "";
    size_t length = strcspn(*text, separators);
    int64_t value = 0;

    if (length >= sizeof number) {
        return false;
    }
    memcpy(number, *text, length);
    *text += length + ((*text)[length] != '\0');
    *out = 0;
    if (bl_int_parse(number, 1, BL_JOBSPEC_GPUS_MAX, &value, NULL) != BL_OK) {
        return false;
    }
    *out = (int32_t)value;
    return true;
}

bool bl_gpus_add(struct bl_gpu_counts *list, int64_t count)
{
    if (count < 1 || count > BL_JOBSPEC_GPUS_MAX || list->count == BL_JOB_COUNTS_MAX ||
        (list->count > 0 && count <= list->max)) {
        return false;
    }
    list->at[list->count++] = (int32_t)count;
    list->min = list->at[0];
    list->max = (int32_t)count;
    return true;
}

static int parse_list(const char *text, struct bl_gpu_counts *out, struct bl_error *err)
{
    const char *at = text;
    size_t commas = 0;

    for (const char *c = text; *c; c++) {
        commas += *c == ',';
    }
    for (size_t i = 0; i <= commas; i++) {
        int32_t count = 0;

        if (!take_count(&at, ",", &count) || !bl_gpus_add(out, count)) {
            return fail_gpus(text, err);
        }
    }
    return BL_OK;
}

static int parse_range(const char *text, struct bl_gpu_counts *out, struct bl_error *err)
{
    const char *at = text;

    if (!take_count(&at, "-", &out->min) || !take_count(&at, "", &out->max) ||
        out->min > out->max) {
        return fail_gpus(text, err);
    }
    return BL_OK;
}

int bl_gpus_parse(const char *text, struct bl_gpu_counts *out, struct bl_error *err)
{
    struct bl_gpu_counts gpus = {0};
    int64_t number = 0;
    int status;

    if (strchr(text, ',')) {
        status = parse_list(text, &gpus, err);
    } else if (strchr(text, '-')) {
        status = parse_range(text, &gpus, err);
    } else {
        status = bl_int_parse(text, 0, BL_JOBSPEC_GPUS_MAX, &number, err);
        gpus.min = gpus.max = (int32_t)number;
    }
    if (status == BL_OK) {
        *out = gpus;
    }
    return status;
}

void bl_gpus_set(struct bl_job_spec *spec, const struct bl_gpu_counts *gpus, struct bl_arena *arena)
{
    spec->gpus_min = gpus->min;
    spec->gpus_want = gpus->max;
    spec->gpus_max = gpus->max;
    spec->gpu_count = NULL;
    spec->gpu_count_count = 0;
    if (gpus->count > 1) {
        int32_t *list = bl_arena_alloc(arena, gpus->count * sizeof *list);

        memcpy(list, gpus->at, gpus->count * sizeof *list);
        spec->gpu_count = list;
        spec->gpu_count_count = gpus->count;
    }
}

/* A number without anything behind it. */
static bool parse_real(const char *text, size_t length, double *out)
{
    char number[NUMBER_TEXT_MAX] = "";
    char *end = NULL;

    if (length == 0 || length >= sizeof number || strspn(text, "0123456789.eE+-") < length) {
        return false;
    }
    memcpy(number, text, length);
    *out = strtod(number, &end);
    return !*end && isfinite(*out);
}

static bool parse_point(const char *text, size_t length, struct bl_curve_point *out)
{
    const char *at = text;
    size_t gpus = strcspn(text, ":");

    return gpus < length && take_count(&at, ":", &out->gpus) &&
           parse_real(text + gpus + 1, length - gpus - 1, &out->speed) &&
           out->speed >= BL_JOBSPEC_SPEED_MIN && out->speed <= BL_JOBSPEC_SPEED_MAX;
}

static int parse_points(const char *text, struct bl_arena *arena, struct bl_curve *out,
                        struct bl_error *err)
{
    struct bl_curve_point *point = bl_arena_alloc(arena, BL_CURVE_POINTS_MAX * sizeof *point);
    const char *at = text + strspn(text, " ");
    size_t count = 0;

    while (*at) {
        size_t length = strcspn(at, " ");

        if (count == BL_CURVE_POINTS_MAX || !parse_point(at, length, &point[count]) ||
            (count > 0 && point[count].gpus <= point[count - 1].gpus)) {
            return bl_fail(err, BL_EINVAL,
                           "expected at most %d points in rising order of GPUs, like 2:1 4:1.85, "
                           "with speeds over 0 and up to 1000000, found '%.100s'",
                           BL_CURVE_POINTS_MAX, text);
        }
        count++;
        at += length;
        at += strspn(at, " ");
    }
    *out = (struct bl_curve){.kind = BL_CURVE_POINTS, .point_count = count, .point = point};
    return BL_OK;
}

int bl_scaling_parse(const char *text, struct bl_arena *arena, struct bl_curve *out,
                     struct bl_error *err)
{
    double efficiency = 0;

    if (!strcmp(text, "auto")) {
        *out = (struct bl_curve){.kind = BL_CURVE_FLAT};
        return BL_OK;
    }
    if (strchr(text, ':')) {
        return parse_points(text, arena, out, err);
    }
    if (!parse_real(text, strlen(text), &efficiency) || efficiency <= 0 || efficiency > 1) {
        return bl_fail(
            err, BL_EINVAL,
            "expected auto, an efficiency over 0 and up to 1, or points like 2:1 4:1.85, "
            "found '%.100s'",
            text);
    }
    *out = (struct bl_curve){.kind = BL_CURVE_EFFICIENCY, .efficiency = efficiency};
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
    if (amount.value > 0 && amount.value < MEM_MIN) {
        bl_fail(err, BL_EINVAL, "expected 1MiB of memory or more, found '%s'", text);
        return bl_error_set_hint(err, "sizes have a unit, as in 64GB; without one they are bytes");
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
