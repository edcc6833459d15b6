#include "cli/text.h"

#include "cli/say.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

/* One character of UTF-8: its number and its bytes; a byte that starts none has number -1. */
struct glyph {
    int32_t point;
    size_t bytes;
};

static struct glyph longer_glyph(const unsigned char *at, size_t bytes, int32_t least)
{
    int32_t point = at[0] & (0x7F >> bytes);

    for (size_t i = 1; i < bytes; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            return (struct glyph){-1, 1};
        }
        point = (point << 6) | (at[i] & 0x3F);
    }
    if (point < least || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) {
        return (struct glyph){-1, 1};
    }
    return (struct glyph){point, bytes};
}

static struct glyph next_glyph(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    if (at[0] < 0x80) {
        return (struct glyph){at[0], 1};
    }
    if (at[0] >= 0xC2 && at[0] < 0xE0) {
        return longer_glyph(at, 2, 0x80);
    }
    if (at[0] >= 0xE0 && at[0] < 0xF0) {
        return longer_glyph(at, 3, 0x800);
    }
    if (at[0] >= 0xF0 && at[0] < 0xF5) {
        return longer_glyph(at, 4, 0x10000);
    }
    return (struct glyph){-1, 1};
}

/* Controls, and the marks that can make a line read other than it is. */
static bool is_unsafe(int32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) ||
           (point >= 0x200E && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069) || point == 0xFEFF;
}

static void escape_glyph(struct bl_buf *out, const char *at, struct glyph glyph)
{
    if (glyph.point == '\n') {
        bl_buf_append_text(out, "\\n");
    } else if (glyph.point == '\t') {
        bl_buf_append_text(out, "\\t");
    } else if (glyph.point == '\r') {
        bl_buf_append_text(out, "\\r");
    } else if (glyph.point < 0x80) {
        bl_buf_printf(out, "\\x%02x", (unsigned char)at[0]);
    } else {
        bl_buf_printf(out, "\\u%04x", (unsigned)glyph.point);
    }
}

void bl_text_escape(struct bl_buf *out, const char *text)
{
    for (const char *at = text; *at;) {
        struct glyph glyph = next_glyph(at);

        if (glyph.point < 0 || is_unsafe(glyph.point)) {
            escape_glyph(out, at, glyph);
        } else {
            bl_buf_append(out, at, glyph.bytes);
        }
        at += glyph.bytes;
    }
}

static size_t glyph_width(struct glyph glyph)
{
    int width = glyph.point < 0 ? 1 : wcwidth((wchar_t)glyph.point);

    return width < 0 ? 1 : (size_t)width;
}

size_t bl_text_width(const char *text)
{
    size_t columns = 0;

    for (const char *at = text; *at;) {
        struct glyph glyph = next_glyph(at);

        columns += glyph_width(glyph);
        at += glyph.bytes;
    }
    return columns;
}

size_t bl_text_letter(const char *text, size_t *columns)
{
    size_t bytes = 0;

    *columns = 0;
    while (text[bytes]) {
        struct glyph glyph = next_glyph(text + bytes);
        size_t width = glyph_width(glyph);

        if (bytes > 0 && width > 0) {
            break;
        }
        *columns += width;
        bytes += glyph.bytes;
    }
    return bytes;
}

void bl_text_cut(struct bl_buf *out, const char *text, size_t columns)
{
    size_t used = 0;

    if (bl_text_width(text) <= columns) {
        bl_buf_append_text(out, text);
        return;
    }
    for (const char *at = text; *at;) {
        struct glyph glyph = next_glyph(at);

        used += glyph_width(glyph);
        if (used + 1 > columns) {
            break;
        }
        bl_buf_append(out, at, glyph.bytes);
        at += glyph.bytes;
    }
    if (columns > 0) {
        bl_buf_append_text(out, "…");
    }
}

bool bl_text_is_utf8(const char *text)
{
    for (const char *at = text; *at;) {
        struct glyph glyph = next_glyph(at);

        if (glyph.point < 0) {
            return false;
        }
        at += glyph.bytes;
    }
    return true;
}

struct unit {
    bl_time length;
    enum bl_message words;
    char letter;
};

static const struct unit units[] = {
    {BL_DAY, BL_SAY_DAYS, 'd'},
    {BL_HOUR, BL_SAY_HOURS, 'h'},
    {BL_MINUTE, BL_SAY_MINUTES, 'm'},
    {BL_SECOND, BL_SAY_SECONDS, 's'},
};

enum { UNIT_COUNT = sizeof units / sizeof units[0] };

void bl_text_span_words(struct bl_buf *out, bl_time span)
{
    bool any = false;

    for (size_t i = 0; i < UNIT_COUNT; i++) {
        int64_t count = span / units[i].length;

        span -= count * units[i].length;
        if (count > 0) {
            bl_buf_append_text(out, any ? " " : "");
            BL_SAY(out, units[i].words, BL_N(count));
            any = true;
        }
    }
    if (!any) {
        if (span > 0) {
            bl_say(out, BL_SAY_UNDER_A_SECOND);
        } else {
            BL_SAY(out, BL_SAY_SECONDS, BL_N(0));
        }
    }
}

void bl_text_span_short(struct bl_buf *out, bl_time span)
{
    int printed = 0;

    for (size_t i = 0; i < UNIT_COUNT && printed < 2; i++) {
        int64_t count = span / units[i].length;

        span -= count * units[i].length;
        if (count > 0) {
            bl_buf_printf(out, "%" PRId64 "%c", count, units[i].letter);
        }
        printed += count > 0 || printed > 0;
    }
    if (!printed) {
        bl_buf_append_text(out, "0s");
    }
}

static bool is_bare(const char *argument)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "@%+=:,./-_";

    return *argument && strspn(argument, safe) == strlen(argument);
}

void bl_text_quote(struct bl_buf *out, const char *argument)
{
    if (is_bare(argument)) {
        bl_buf_append_text(out, argument);
        return;
    }
    bl_buf_append_char(out, '\'');
    for (const char *at = argument; *at; at++) {
        if (*at == '\'') {
            bl_buf_append_text(out, "'\\''");
        } else {
            bl_buf_append_char(out, *at);
        }
    }
    bl_buf_append_char(out, '\'');
}
