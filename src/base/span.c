#include "base/span.h"

#include "base/units.h"

#include <assert.h>
#include <string.h>

enum { PIECE_MAX = 24 };

static int fail_grammar(const char *text, struct bl_error *err)
{
    return bl_fail(err, BL_EINVAL,
                   "expected a time like 30 (minutes), 2h30m, 90s, 3d, 1:30:00 or 1-12 "
                   "(days-hours), found '%s'",
                   text);
}

/* Adds number * unit to *sum; false on overflow or over the ceiling. */
static int add_piece(bl_time *sum, const char *digits, bl_time unit)
{
    int64_t piece = 0;

    return bl_scaled_parse(digits, unit, &piece, NULL) == BL_OK &&
           !__builtin_add_overflow(*sum, piece, sum) && *sum <= BL_SPAN_MAX;
}

static bl_time unit_of(const char *letters, size_t length)
{
    static const struct {
        const char *name;
        bl_time unit;
    } units[] = {{"d", BL_DAY},    {"h", BL_HOUR}, {"m", BL_MINUTE},       {"min", BL_MINUTE},
                 {"s", BL_SECOND}, {"us", 1},      {"ms", BL_MILLISECOND}, {"w", 7 * BL_DAY}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strlen(units[i].name) == length && !memcmp(units[i].name, letters, length)) {
            return units[i].unit;
        }
    }
    return 0;
}

/* "2h30m", "1.5h", "90s": numbers each followed by a unit, the units in falling order. */
static int parse_with_units(const char *text, bl_time *out)
{
    bl_time sum = 0;
    bl_time last_unit = BL_TIME_NEVER;

    while (*text) {
        char digits[PIECE_MAX] = "";
        size_t length = strspn(text, "0123456789.");
        size_t letters = strspn(text + length, "abcdefghijklmnopqrstuvwxyz");
        bl_time unit = unit_of(text + length, letters);

        if (!length || length >= sizeof digits || !unit || unit >= last_unit) {
            return 0;
        }
        memcpy(digits, text, length);
        if (!add_piece(&sum, digits, unit)) {
            return 0;
        }
        last_unit = unit;
        text += length + letters;
    }
    *out = sum;
    return 1;
}

/* Splits at ':' into at most three whole numbers; the count, or 0 when it is anything else. */
static int split_clock(const char *text, char piece[3][PIECE_MAX])
{
    int count = 0;

    for (;;) {
        size_t length = strspn(text, "0123456789");

        if (!length || length >= PIECE_MAX || count == 3) {
            return 0;
        }
        memcpy(piece[count], text, length);
        piece[count][length] = '\0';
        count++;
        if (!text[length]) {
            return count;
        }
        if (text[length] != ':') {
            return 0;
        }
        text += length + 1;
    }
}

/* Slurm: minutes, minutes:seconds, hours:minutes:seconds; after "days-": hours, hours:minutes,
 * hours:minutes:seconds. */
static int parse_slurm(const char *text, bl_time *out)
{
    static const bl_time plain[3][3] = {
        {BL_MINUTE}, {BL_MINUTE, BL_SECOND}, {BL_HOUR, BL_MINUTE, BL_SECOND}};
    static const bl_time after_days[3][3] = {
        {BL_HOUR}, {BL_HOUR, BL_MINUTE}, {BL_HOUR, BL_MINUTE, BL_SECOND}};
    const char *dash = strchr(text, '-');
    char piece[3][PIECE_MAX];
    bl_time sum = 0;
    int count;

    if (dash) {
        char days[PIECE_MAX] = "";

        if (dash == text || (size_t)(dash - text) >= sizeof days) {
            return 0;
        }
        memcpy(days, text, (size_t)(dash - text));
        if (strspn(days, "0123456789") != strlen(days) || !add_piece(&sum, days, BL_DAY)) {
            return 0;
        }
    }
    count = split_clock(dash ? dash + 1 : text, piece);
    for (int i = 0; i < count; i++) {
        if (!add_piece(&sum, piece[i], dash ? after_days[count - 1][i] : plain[count - 1][i])) {
            return 0;
        }
    }
    if (count > 0) {
        *out = sum;
    }
    return count > 0;
}

int bl_span_parse(const char *text, bl_time *out, struct bl_error *err)
{
    size_t length = strlen(text);
    int has_unit = length > 0 && text[length - 1] >= 'a' && text[length - 1] <= 'z';

    if (!length || !(has_unit ? parse_with_units(text, out) : parse_slurm(text, out))) {
        return fail_grammar(text, err);
    }
    return BL_OK;
}

void bl_seconds_print(struct bl_buf *out, bl_time span)
{
    uint64_t size = span < 0 ? 0 - (uint64_t)span : (uint64_t)span;
    unsigned fraction = (unsigned)(size % (uint64_t)BL_SECOND);
    char digits[8] = "";
    size_t length = 6;

    bl_buf_printf(out, "%s%llu", span < 0 ? "-" : "",
                  (unsigned long long)(size / (uint64_t)BL_SECOND));
    if (fraction) {
        for (size_t i = 6; i-- > 0; fraction /= 10) {
            digits[i] = (char)('0' + fraction % 10);
        }
        while (digits[length - 1] == '0') {
            length--;
        }
        bl_buf_append_char(out, '.');
        bl_buf_append(out, digits, length);
    }
}

void bl_span_print(struct bl_buf *out, bl_time span)
{
    static const struct {
        bl_time unit;
        char letter;
    } units[] = {{BL_DAY, 'd'}, {BL_HOUR, 'h'}, {BL_MINUTE, 'm'}};
    size_t before = out->length;

    assert(span >= 0);
    if (span > 0 && span < BL_SECOND && span % BL_MILLISECOND == 0) {
        bl_buf_printf(out, "%lldms", (long long)(span / BL_MILLISECOND));
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (span >= units[i].unit) {
            bl_buf_printf(out, "%lld%c", (long long)(span / units[i].unit), units[i].letter);
            span %= units[i].unit;
        }
    }
    if (span || out->length == before) {
        bl_seconds_print(out, span);
        bl_buf_append_char(out, 's');
    }
}
