#include "form/arrayspec.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT_MAX = 12 };

static int fail_grammar(struct bl_error *err, const char *found)
{
    return bl_fail(err, BL_EINVAL,
                   "expected indices like 0-9, 1,3,5, 0-15:4 or 0-99%%10, found '%.100s'", found);
}

/* Reads digits at *text and steps behind them; false when there are none or too many. */
static bool take_number(const char **text, int64_t low, int32_t *out)
{
    char digits[NUMBER_TEXT_MAX] = "";
    size_t length = strspn(*text, "0123456789");
    int64_t value = 0;

    if (length >= sizeof digits) {
        return false;
    }
    memcpy(digits, *text, length);
    if (bl_int_parse(digits, low, INT32_MAX, &value, NULL) != BL_OK) {
        return false;
    }
    *text += length;
    *out = (int32_t)value;
    return true;
}

/* "7", "0-9", "0-15:4". */
static bool take_range(const char **text, struct bl_array_range *out)
{
    *out = (struct bl_array_range){.step = 1};
    if (!take_number(text, 0, &out->first)) {
        return false;
    }
    out->last = out->first;
    if (**text != '-') {
        return true;
    }
    ++*text;
    if (!take_number(text, 0, &out->last) || out->last < out->first) {
        return false;
    }
    if (**text != ':') {
        return true;
    }
    ++*text;
    return take_number(text, 1, &out->step);
}

/* Behind the ranges: nothing, or "%N". */
static bool take_running_max(const char *text, int32_t *out)
{
    if (*text == '%') {
        text++;
        return take_number(&text, 1, out) && !*text && *out <= BL_ARRAY_ELEMENTS_MAX;
    }
    return !*text;
}

static int64_t count_of(const struct bl_arrayspec *spec)
{
    struct bl_job_spec job = {.array = spec->range, .array_range_count = spec->count};

    return bl_array_count(&job);
}

static int compare_firsts(const void *a, const void *b)
{
    const struct bl_array_range *left = a;
    const struct bl_array_range *right = b;

    if (left->first != right->first) {
        return left->first < right->first ? -1 : 1;
    }
    return (left->last > right->last) - (left->last < right->last);
}

static int compare_indices(const void *a, const void *b)
{
    const int32_t *left = a;
    const int32_t *right = b;

    return (*left > *right) - (*left < *right);
}

/* Whether a range begins before another has ended, so that they may have an index in common. */
static bool may_repeat(const struct bl_arrayspec *spec, struct bl_arena *arena)
{
    struct bl_array_range *sorted = bl_arena_alloc(arena, spec->count * sizeof *sorted);
    int32_t last = -1;

    memcpy(sorted, spec->range, spec->count * sizeof *sorted);
    qsort(sorted, spec->count, sizeof *sorted, compare_firsts);
    for (size_t i = 0; i < spec->count; i++) {
        if (sorted[i].first <= last) {
            return true;
        }
        last = sorted[i].last > last ? sorted[i].last : last;
    }
    return false;
}

/* An index that is there twice, or -1. */
static int32_t find_repeated(const struct bl_arrayspec *spec, struct bl_arena *arena)
{
    size_t total = (size_t)count_of(spec);
    size_t count = 0;
    int32_t *index;

    if (!may_repeat(spec, arena)) {
        return -1;
    }
    index = bl_arena_alloc(arena, total * sizeof *index);
    for (size_t i = 0; i < spec->count; i++) {
        for (int64_t at = spec->range[i].first; at <= spec->range[i].last;
             at += spec->range[i].step) {
            index[count++] = (int32_t)at;
        }
    }
    qsort(index, total, sizeof *index, compare_indices);
    for (size_t i = 1; i < total; i++) {
        if (index[i] == index[i - 1]) {
            return index[i];
        }
    }
    return -1;
}

static int check_elements(const struct bl_arrayspec *spec, struct bl_arena *arena,
                          struct bl_error *err)
{
    int64_t count = count_of(spec);
    int32_t repeated;

    if (count > BL_ARRAY_ELEMENTS_MAX) {
        return bl_fail(err, BL_EINVAL, "expected at most %d elements, found %lld",
                       BL_ARRAY_ELEMENTS_MAX, (long long)count);
    }
    repeated = find_repeated(spec, arena);
    if (repeated >= 0) {
        return bl_fail(err, BL_EINVAL, "the index %d is given twice", (int)repeated);
    }
    return BL_OK;
}

static size_t count_commas(const char *text)
{
    size_t count = 0;

    for (; *text; text++) {
        count += *text == ',';
    }
    return count;
}

int bl_arrayspec_parse(const char *text, struct bl_arena *arena, struct bl_arrayspec *out,
                       struct bl_error *err)
{
    struct bl_arrayspec spec = {.count = count_commas(text) + 1};
    const char *at = text;

    if (spec.count > BL_ARRAY_RANGES_MAX) {
        return bl_fail(err, BL_EINVAL, "expected at most %d ranges of indices, found %zu",
                       BL_ARRAY_RANGES_MAX, spec.count);
    }
    spec.range = bl_arena_alloc(arena, spec.count * sizeof *spec.range);
    for (size_t i = 0; i < spec.count; i++) {
        if (!take_range(&at, &spec.range[i]) || (i + 1 < spec.count && *at != ',')) {
            return fail_grammar(err, text);
        }
        at += i + 1 < spec.count;
    }
    if (!take_running_max(at, &spec.running_max)) {
        return fail_grammar(err, text);
    }
    if (check_elements(&spec, arena, err) != BL_OK) {
        return BL_EINVAL;
    }
    *out = spec;
    return BL_OK;
}

void bl_arrayspec_print(struct bl_buf *out, const struct bl_job_spec *spec)
{
    for (size_t i = 0; i < spec->array_range_count; i++) {
        const struct bl_array_range *range = &spec->array[i];

        bl_buf_printf(out, "%s%d", i ? "," : "", (int)range->first);
        if (range->last != range->first) {
            bl_buf_printf(out, "-%d", (int)range->last);
        }
        if (range->last != range->first && range->step != 1) {
            bl_buf_printf(out, ":%d", (int)range->step);
        }
    }
    if (spec->array_range_count && spec->array_running_max) {
        bl_buf_printf(out, "%%%d", (int)spec->array_running_max);
    }
}
