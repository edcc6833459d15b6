#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECIMALS_MAX = 9 };

#define SCALED_MAX (INT64_C(1) << 53)

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int bl_int_parse(const char *text, int64_t low, int64_t high, int64_t *out, struct bl_error *err)
{
    char *end = NULL;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (!(is_digit(text[0]) || (text[0] == '-' && is_digit(text[1]))) || *end) {
        return bl_fail(err, BL_EINVAL, "expected a whole number, found '%s'", text);
    }
    if (errno == ERANGE || value < low || value > high) {
        return bl_fail(err, BL_EINVAL, "expected a whole number from %lld to %lld, found '%s'",
                       (long long)low, (long long)high, text);
    }
    *out = value;
    return BL_OK;
}

/* Reads digits [. digits] exactly, as an integer and a power of ten; NULL when there is no digit
 * or it is too long. */
static const char *read_decimal(const char *text, int64_t *digits, int64_t *divisor)
{
    int64_t value = 0;
    int64_t power = 1;
    const char *at = text;
    int decimals = 0;

    if (!is_digit(*at)) {
        return NULL;
    }
    for (; is_digit(*at) || (*at == '.' && power == 1 && decimals == 0); at++) {
        if (*at == '.') {
            if (!is_digit(at[1])) {
                return NULL;
            }
            decimals = 1;
            continue;
        }
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *at - '0', &value)) {
            return NULL;
        }
        if (decimals) {
            power *= 10;
            if (decimals++ > DECIMALS_MAX) {
                return NULL;
            }
        }
    }
    *digits = value;
    *divisor = power;
    return at;
}

static int scale_exactly(int64_t digits, int64_t divisor, int64_t scale, int64_t *out)
{
    __extension__ typedef __int128 wide;
    wide product = (wide)digits * scale + divisor / 2;

    product /= divisor;
    if (product > SCALED_MAX) {
        return 0;
    }
    *out = (int64_t)product;
    return 1;
}

int bl_scaled_parse(const char *text, int64_t scale, int64_t *out, struct bl_error *err)
{
    int64_t digits = 0;
    int64_t divisor = 1;
    const char *end = read_decimal(text, &digits, &divisor);

    if (!end || *end || !scale_exactly(digits, divisor, scale, out)) {
        return bl_fail(err, BL_EINVAL, "expected a number like 4 or 1.5, found '%s'", text);
    }
    return BL_OK;
}

/* The power of 1024 that a unit letter stands for, or -1. */
static int power_of_unit(char letter)
{
    static const char letters[] = "KMGTP";
    const char *found =
        letter ? strchr(letters, letter >= 'a' ? letter - 'a' + 'A' : letter) : NULL;

    return found ? (int)(found - letters) + 1 : -1;
}

static int is_unit_tail(const char *tail)
{
    return !*tail || !strcmp(tail, "B") || !strcmp(tail, "iB") || !strcmp(tail, "b") ||
           !strcmp(tail, "ib") || !strcmp(tail, "i");
}

int bl_size_parse(const char *text, int64_t *out, struct bl_error *err)
{
    int64_t digits = 0;
    int64_t divisor = 1;
    int64_t scale = 1;
    const char *end = read_decimal(text, &digits, &divisor);

    if (end && *end && strcmp(end, "B") != 0) {
        int power = power_of_unit(*end);

        if (power < 0 || !is_unit_tail(end + 1)) {
            end = NULL;
        } else {
            scale = INT64_C(1) << (10 * power);
        }
    }
    if (!end || !scale_exactly(digits, divisor, scale, out)) {
        return bl_fail(err, BL_EINVAL, "expected a size like 512M, 40GB or 1.5TiB, found '%s'",
                       text);
    }
    return BL_OK;
}

void bl_size_print(struct bl_buf *out, int64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;
    double value = (double)bytes;

    /* What would be rounded to 1024 of a unit is said in the next. */
    while (value >= 1023.95 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1024;
        unit++;
    }
    bl_buf_printf(out, "%.*f%s", fabs(value - round(value)) < 0.05 ? 0 : 1, value, units[unit]);
}
