#include "form/progress.h"

#include "base/span.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT_MAX = 40 };

#define NUMBER_MAX 1e18

struct key {
    const char *name;
    size_t offset; /* of a double in the observation */
};

static const struct key keys[] = {
    {"rate", offsetof(struct bl_observation, rate)},
    {"batch", offsetof(struct bl_observation, local_batch)},
    {"iter", offsetof(struct bl_observation, iter_s)},
    {"sync", offsetof(struct bl_observation, sync_s)},
    {"grad_sqr", offsetof(struct bl_observation, grad_sqr)},
    {"grad_var", offsetof(struct bl_observation, grad_var)},
};

static double scale_of(char letter)
{
    switch (letter) {
    case 'k':
    case 'K':
        return 1e3;
    case 'M':
        return 1e6;
    case 'G':
        return 1e9;
    default:
        return 0;
    }
}

/* A number of at least 0 that fills the length. */
static bool read_number(const char *text, size_t length, double *out)
{
    char number[NUMBER_TEXT_MAX] = "";
    double scale = 1;
    char *end = NULL;
    double value;

    if (length > 0 && scale_of(text[length - 1]) > 0) {
        scale = scale_of(text[--length]);
    }
    if (length == 0 || length >= sizeof number || strspn(text, "0123456789.eE+-") < length) {
        return false;
    }
    memcpy(number, text, length);
    value = strtod(number, &end) * scale;
    if (*end || !(value >= 0 && value <= NUMBER_MAX)) {
        return false;
    }
    *out = value;
    return true;
}

static bool read_steps(const char *text, size_t length, struct bl_progress_report *out)
{
    const char *slash = memchr(text, '/', length);
    size_t steps = slash ? (size_t)(slash - text) : length;

    return read_number(text, steps, &out->done) &&
           (!slash || (read_number(slash + 1, length - steps - 1, &out->total) && out->total > 0));
}

static int fail_word(const char *word, size_t length, const char *expected, struct bl_error *err)
{
    return bl_fail(err, BL_EINVAL, "expected %s, found '%.*s'", expected,
                   (int)(length < 100 ? length : 100), word);
}

static int read_key(const char *word, size_t length, struct bl_progress_report *out,
                    struct bl_error *err)
{
    static const char accumulation[] = "accumulation=";
    const char *equals = memchr(word, '=', length);
    size_t name = equals ? (size_t)(equals - word) : length;
    double value = 0;

    if (!equals || !read_number(equals + 1, length - name - 1, &value)) {
        return fail_word(word, length, "a key with a number like rate=3.1k", err);
    }
    out->has_observation = true;
    if (name == sizeof accumulation - 2 && memcmp(word, accumulation, name) == 0 &&
        value <= INT32_MAX) {
        out->observation.accumulation = (int32_t)value;
        return BL_OK;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strlen(keys[i].name) == name && memcmp(word, keys[i].name, name) == 0) {
            memcpy((char *)&out->observation + keys[i].offset, &value, sizeof value);
            return BL_OK;
        }
    }
    return fail_word(word, length,
                     "one of the keys rate, batch, accumulation, iter, sync, grad_sqr, grad_var",
                     err);
}

int bl_progress_parse(const char *text, struct bl_progress_report *out, struct bl_error *err)
{
    struct bl_progress_report report = {0};
    size_t length = strcspn(text, " \t");

    if (!read_steps(text, length, &report)) {
        return fail_word(text, length, "STEP/TOTAL, or STEP alone, as in 120/1000", err);
    }
    for (text += length; *text; text += length) {
        text += strspn(text, " \t");
        length = strcspn(text, " \t");
        if (length > 0 && read_key(text, length, &report, err) != BL_OK) {
            return BL_EINVAL;
        }
    }
    *out = report;
    return BL_OK;
}

bool bl_progress_find(const char *bytes, size_t length, struct bl_progress_report *out)
{
    while (length > 0) {
        const char *end = memrchr(bytes, '\n', length);
        const char *begin;
        char line[BL_PROGRESS_LINE_MAX] = "";
        size_t size;

        if (!end) {
            return false;
        }
        begin = memrchr(bytes, '\n', (size_t)(end - bytes));
        begin = begin ? begin + 1 : bytes;
        size = (size_t)(end - begin);
        if (size > 0 && size < sizeof line && !memchr(begin, '\0', size)) {
            memcpy(line, begin, size);
            return bl_progress_parse(line, out, NULL) == BL_OK;
        }
        length = (size_t)(end - bytes);
    }
    return false;
}
