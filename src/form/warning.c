#include "form/warning.h"

#include "base/units.h"
#include "form/tree.h"

#include <string.h>
#include <strings.h>

/* The kernel's numbers on x86 and ARM: this code asks no system for them. KILL and STOP are left
 * out. */
static const struct {
    const char *name;
    int32_t number;
} signals[] = {
    {"HUP", 1},    {"INT", 2},   {"QUIT", 3},  {"ILL", 4},   {"TRAP", 5},    {"ABRT", 6},
    {"BUS", 7},    {"FPE", 8},   {"USR1", 10}, {"SEGV", 11}, {"USR2", 12},   {"PIPE", 13},
    {"ALRM", 14},  {"TERM", 15}, {"CHLD", 17}, {"CONT", 18}, {"TSTP", 20},   {"TTIN", 21},
    {"TTOU", 22},  {"URG", 23},  {"XCPU", 24}, {"XFSZ", 25}, {"VTALRM", 26}, {"PROF", 27},
    {"WINCH", 28}, {"IO", 29},   {"PWR", 30},  {"SYS", 31},
};

enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0], SIGNAL_LAST = 31, TEXT_MAX = 64 };

/* The place in the table, SIGNAL_COUNT where there is none. */
static size_t find_number(int64_t number)
{
    size_t at = 0;

    while (at < SIGNAL_COUNT && signals[at].number != number) {
        at++;
    }
    return at;
}

const char *bl_signal_name(int32_t number)
{
    size_t at = find_number(number);

    return at < SIGNAL_COUNT ? signals[at].name : NULL;
}

/* Nobody mistyped these: they are signals, which no program can handle. */
static bool is_beyond_handling(const char *name)
{
    return strcasecmp(name, "KILL") == 0 || strcasecmp(name, "STOP") == 0;
}

static int fail_signal(const char *name, struct bl_error *err)
{
    const char *words[SIGNAL_COUNT + 1] = {NULL};
    const char *nearest;

    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        words[i] = signals[i].name;
    }
    bl_fail(err, BL_EINVAL,
            "expected a signal that a program can handle, like USR1, found '%.100s'", name);
    nearest = is_beyond_handling(name) ? NULL : bl_nearest_word(name, words);
    return nearest ? bl_error_set_hint(err, "write '%s'", nearest) : (int)BL_EINVAL;
}

int bl_signal_parse(const char *text, int32_t *out, struct bl_error *err)
{
    const char *name = strncasecmp(text, "SIG", 3) == 0 ? text + 3 : text;
    int64_t number = 0;

    if (bl_int_parse(text, 1, SIGNAL_LAST, &number, NULL) == BL_OK &&
        find_number(number) < SIGNAL_COUNT) {
        *out = (int32_t)number;
        return BL_OK;
    }
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        if (!strcasecmp(signals[i].name, name)) {
            *out = signals[i].number;
            return BL_OK;
        }
    }
    return fail_signal(name, err);
}

static int parse_lead(const char *text, bl_time *out, struct bl_error *err)
{
    int64_t seconds = 0;
    bl_time lead = 0;

    if (text[strspn(text, "0123456789")]) {
        if (bl_span_parse(text, &lead, err) != BL_OK) {
            return BL_EINVAL;
        }
    } else if (bl_int_parse(text, 1, BL_SPAN_MAX / BL_SECOND, &seconds, NULL) == BL_OK) {
        lead = seconds * BL_SECOND;
    }
    if (!lead) {
        return bl_fail(err, BL_EINVAL,
                       "expected seconds or a time like 2m behind the '@', found '%.100s'", text);
    }
    *out = lead;
    return BL_OK;
}

int bl_warning_parse(const char *text, struct bl_warning *out, struct bl_error *err)
{
    struct bl_warning warning = {.lead = BL_WARNING_LEAD,
                                 .shell_only = !strncasecmp(text, "B:", 2)};
    const char *name = warning.shell_only ? text + 2 : text;
    const char *at = strchr(name, '@');
    size_t length = at ? (size_t)(at - name) : strlen(name);
    char signal[TEXT_MAX] = "";

    if (length >= sizeof signal) {
        return bl_fail(err, BL_EINVAL, "expected a signal like USR1 or B:USR1@90, found '%.100s'",
                       text);
    }
    strncat(signal, name, length);
    if (bl_signal_parse(signal, &warning.signal, err) != BL_OK ||
        (at && parse_lead(at + 1, &warning.lead, err) != BL_OK)) {
        return BL_EINVAL;
    }
    *out = warning;
    return BL_OK;
}
