#include "calendar/ical_line.h"

#include "form/instant.h"

#include <string.h>

enum { LINE_BYTES = 75, LONGEST_CHARACTER = 4, DELETE = 0x7F, FIRST_LATIN = 0xA0 };

/* --- text ------------------------------------------------------------------------------------ */

/* Bytes of the UTF-8 character at `text`, its number in *out; 0 for what is none. */
static size_t decode(const unsigned char *text, uint32_t *out)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } form[] = {{0x80, 0, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    size_t length = 0;
    uint32_t value;

    while (length < LONGEST_CHARACTER && (text[0] & form[length].mask) != form[length].lead) {
        length++;
    }
    if (length == LONGEST_CHARACTER) {
        return 0;
    }
    value = text[0] & (unsigned char)~form[length].mask;
    for (size_t i = 1; i <= length; i++) {
        if ((text[i] & 0xC0U) != 0x80) {
            return 0;
        }
        value = (value << 6U) | (text[i] & 0x3FU);
    }
    if (value < form[length].least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    *out = value;
    return length + 1;
}

static bool is_control(uint32_t character)
{
    return character < ' ' || (character >= DELETE && character < FIRST_LATIN);
}

static void escape_one(struct bl_buf *out, const char *text, size_t length, uint32_t character)
{
    if (character == '\n') {
        bl_buf_append_text(out, "\\n");
    } else if (character == '\t') {
        bl_buf_append_char(out, ' ');
    } else if (character < DELETE && character && strchr("\\;,", (int)character)) {
        bl_buf_append_char(out, '\\');
        bl_buf_append_char(out, (char)character);
    } else if (!is_control(character)) {
        bl_buf_append(out, text, length);
    }
}

void bl_ical_escape(struct bl_buf *out, const char *text)
{
    while (*text) {
        uint32_t character = 0;
        size_t length = decode((const unsigned char *)text, &character);

        if (length) {
            escape_one(out, text, length, character);
        } else {
            bl_buf_append_text(out, "\xEF\xBF\xBD"); /* U+FFFD */
        }
        text += length ? length : 1;
    }
}

/* --- lines ----------------------------------------------------------------------------------- */

/* The longest beginning of at most `room` bytes that ends between characters. */
static size_t whole_characters(const char *line, size_t length, size_t room)
{
    size_t end = length < room ? length : room;

    while (end > room - LONGEST_CHARACTER && end < length &&
           ((unsigned char)line[end] & 0xC0U) == 0x80) {
        end--;
    }
    return end;
}

void bl_ical_fold(struct bl_buf *out, const char *line, size_t length)
{
    size_t room = LINE_BYTES;

    while (length > room) {
        size_t end = whole_characters(line, length, room);

        bl_buf_append(out, line, end);
        bl_buf_append_text(out, "\r\n ");
        line += end;
        length -= end;
        room = LINE_BYTES - 1;
    }
    bl_buf_append(out, line, length);
    bl_buf_append_text(out, "\r\n");
}

void bl_ical_put(struct bl_buf *out, const char *format, ...)
{
    BL_AUTO_BUF line = {0};
    va_list args;

    va_start(args, format);
    bl_buf_vprintf(&line, format, args);
    va_end(args);
    bl_ical_fold(out, bl_buf_text(&line), line.length);
}

void bl_ical_put_text(struct bl_buf *out, const char *name, const char *text)
{
    BL_AUTO_BUF line = {0};

    bl_buf_printf(&line, "%s:", name);
    bl_ical_escape(&line, text);
    bl_ical_fold(out, bl_buf_text(&line), line.length);
}

void bl_ical_put_utc(struct bl_buf *out, const char *name, bl_time at)
{
    struct bl_civil civil;

    bl_zone_utc.to_civil(NULL, at, &civil);
    bl_ical_put(out, "%s:%04d%02d%02dT%02d%02d%02dZ", name, civil.year, civil.month, civil.day,
                civil.hour, civil.minute, civil.second);
}
