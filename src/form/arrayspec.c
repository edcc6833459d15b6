#include "form/arrayspec.h"

#include "base/units.h"
#include "base/sort.h"

#include <assert.h>
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

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The x in [0, modulus) with a * x = 1 modulo `modulus`, to which `a` must have no common factor.
 */
static int64_t inverse(int64_t a, int64_t modulus)
{
    int64_t before = 0;
    int64_t now = 1;
    int64_t left = modulus;

    for (a %= modulus; a > 1;) {
        int64_t quotient = left / a;
        int64_t rest = left % a;
        int64_t next = before - quotient * now;

        before = now;
        now = next;
        left = a;
        a = rest;
    }
    return modulus == 1 ? 0 : (now + modulus) % modulus;
}

/* The first index that both ranges have, or -1; `low` does not begin behind `high`. The indices
 * that both progressions meet are again a progression, with the least common multiple of the steps.
 */
static int64_t find_common(const struct bl_array_range *low, const struct bl_array_range *high)
{
    int64_t common = gcd(low->step, high->step);
    int64_t ahead = (int64_t)high->first - low->first;
    int64_t modulus = high->step / common;
    int64_t both = low->step * modulus;
    int64_t steps;
    int64_t index;

    assert(modulus > 0 && both > 0);
    if (ahead % common) {
        return -1;
    }
    steps = ahead / common % modulus * inverse(low->step / common, modulus) % modulus;
    index = low->first + low->step * steps;
    if (index < high->first) {
        index += (high->first - index + both - 1) / both * both;
    }
    return index <= low->last && index <= high->last ? index : -1;
}

/* An index that is there twice, or -1. Only ranges of which one begins before the other has ended
 * can have one in common. */
static int64_t find_repeated(const struct bl_arrayspec *spec, struct bl_arena *arena)
{
    struct bl_array_range *sorted = bl_arena_alloc(arena, spec->count * sizeof *sorted);

    memcpy(sorted, spec->range, spec->count * sizeof *sorted);
    bl_sort(sorted, spec->count, sizeof *sorted, compare_firsts);
    for (size_t i = 0; i < spec->count; i++) {
        for (size_t j = i + 1; j < spec->count && sorted[j].first <= sorted[i].last; j++) {
            int64_t index = find_common(&sorted[i], &sorted[j]);

            if (index >= 0) {
                return index;
            }
        }
    }
    return -1;
}

static int check_elements(const struct bl_arrayspec *spec, struct bl_arena *arena,
                          struct bl_error *err)
{
    int64_t count = count_of(spec);
    int64_t repeated;

    if (count > BL_ARRAY_ELEMENTS_MAX) {
        return bl_fail(err, BL_EINVAL, "expected at most %d elements, found %lld",
                       BL_ARRAY_ELEMENTS_MAX, (long long)count);
    }
    repeated = find_repeated(spec, arena);
    if (repeated >= 0) {
        return bl_fail(err, BL_EINVAL, "the index %lld is given twice", (long long)repeated);
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
