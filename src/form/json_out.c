#include "form/json_out.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT_MAX = 32 };

void bl_json_init(struct bl_json *json, struct bl_buf *out)
{
    memset(json, 0, sizeof *json);
    json->out = out;
}

/* The comma before an item, when one is due. */
static void separate(struct bl_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->has_item[json->depth]) {
        bl_buf_append_char(json->out, ',');
    }
    json->has_item[json->depth] = true;
}

static void open_with(struct bl_json *json, char bracket)
{
    assert(json->depth + 1 < BL_JSON_DEPTH_MAX);
    separate(json);
    bl_buf_append_char(json->out, bracket);
    json->has_item[++json->depth] = false;
}

static void close_with(struct bl_json *json, char bracket)
{
    assert(json->depth > 0 && !json->after_key);
    json->depth--;
    bl_buf_append_char(json->out, bracket);
}

void bl_json_open_object(struct bl_json *json)
{
    open_with(json, '{');
}

void bl_json_close_object(struct bl_json *json)
{
    close_with(json, '}');
}

void bl_json_open_array(struct bl_json *json)
{
    open_with(json, '[');
}

void bl_json_close_array(struct bl_json *json)
{
    close_with(json, ']');
}

static bool is_tail_byte(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* Length of the UTF-8 character at `text` (zero-terminated), 0 when it is none: Unicode 15, table
 * 3-7 (no overlong forms, no surrogates, nothing over U+10FFFF). */
static size_t length_of_character(const unsigned char *text)
{
    if (text[0] < 0x80) {
        return 1;
    }
    if (text[0] >= 0xC2 && text[0] <= 0xDF) {
        return is_tail_byte(text[1]) ? 2 : 0;
    }
    if (text[0] >= 0xE0 && text[0] <= 0xEF) {
        unsigned char low = text[0] == 0xE0 ? 0xA0 : 0x80;
        unsigned char high = text[0] == 0xED ? 0x9F : 0xBF;

        return text[1] >= low && text[1] <= high && is_tail_byte(text[2]) ? 3 : 0;
    }
    if (text[0] >= 0xF0 && text[0] <= 0xF4) {
        unsigned char low = text[0] == 0xF0 ? 0x90 : 0x80;
        unsigned char high = text[0] == 0xF4 ? 0x8F : 0xBF;

        return text[1] >= low && text[1] <= high && is_tail_byte(text[2]) && is_tail_byte(text[3])
                   ? 4
                   : 0;
    }
    return 0;
}

static void append_control(struct bl_buf *out, unsigned char c)
{
    static const char *const short_forms[0x20] = {
        ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f", ['\r'] = "\\r"};

    if (short_forms[c]) {
        bl_buf_append_text(out, short_forms[c]);
    } else {
        bl_buf_printf(out, "\\u%04x", c);
    }
}

/* Length of the bytes that stand in JSON as they are. */
static size_t length_of_plain_run(const unsigned char *text)
{
    size_t length = 0;

    while (text[length] >= 0x20 && text[length] != '"' && text[length] != '\\') {
        size_t character = length_of_character(text + length);

        if (!character) {
            break;
        }
        length += character;
    }
    return length;
}

static void append_special(struct bl_buf *out, unsigned char c)
{
    if (c >= 0x80) {
        bl_buf_append_text(out, "\xEF\xBF\xBD");
    } else if (c < 0x20) {
        append_control(out, c);
    } else {
        bl_buf_append_char(out, '\\');
        bl_buf_append_char(out, (char)c);
    }
}

static void append_quoted(struct bl_buf *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    bl_buf_append_char(out, '"');
    while (*at) {
        size_t plain = length_of_plain_run(at);

        bl_buf_append(out, (const char *)at, plain);
        at += plain;
        if (!plain) {
            append_special(out, *at++);
        }
    }
    bl_buf_append_char(out, '"');
}

void bl_json_key(struct bl_json *json, const char *key)
{
    assert(json->depth > 0 && !json->after_key);
    separate(json);
    append_quoted(json->out, key);
    bl_buf_append_char(json->out, ':');
    json->after_key = true;
}

void bl_json_text(struct bl_json *json, const char *value)
{
    if (!value) {
        bl_json_null(json);
        return;
    }
    separate(json);
    append_quoted(json->out, value);
}

void bl_json_int(struct bl_json *json, int64_t value)
{
    separate(json);
    bl_buf_printf(json->out, "%lld", (long long)value);
}

void bl_json_double(struct bl_json *json, double value)
{
    char text[NUMBER_TEXT_MAX] = "";

    if (!isfinite(value)) {
        bl_json_null(json);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    separate(json);
    bl_buf_append_text(json->out, text);
}

void bl_json_bool(struct bl_json *json, bool value)
{
    separate(json);
    bl_buf_append_text(json->out, value ? "true" : "false");
}

void bl_json_null(struct bl_json *json)
{
    separate(json);
    bl_buf_append_text(json->out, "null");
}

void bl_json_raw(struct bl_json *json, const char *bytes, size_t length)
{
    separate(json);
    bl_buf_append(json->out, bytes, length);
}

void bl_json_seconds(struct bl_json *json, bl_time value)
{
    separate(json);
    bl_seconds_print(json->out, value);
}

void bl_json_instant(struct bl_json *json, bl_time value)
{
    if (value == 0 || value == BL_TIME_NEVER) {
        bl_json_null(json);
    } else {
        bl_json_seconds(json, value);
    }
}

void bl_json_put_text(struct bl_json *json, const char *key, const char *value)
{
    bl_json_key(json, key);
    bl_json_text(json, value);
}

void bl_json_put_int(struct bl_json *json, const char *key, int64_t value)
{
    bl_json_key(json, key);
    bl_json_int(json, value);
}

void bl_json_put_double(struct bl_json *json, const char *key, double value)
{
    bl_json_key(json, key);
    bl_json_double(json, value);
}

void bl_json_put_bool(struct bl_json *json, const char *key, bool value)
{
    bl_json_key(json, key);
    bl_json_bool(json, value);
}

void bl_json_put_null(struct bl_json *json, const char *key)
{
    bl_json_key(json, key);
    bl_json_null(json);
}

void bl_json_put_seconds(struct bl_json *json, const char *key, bl_time value)
{
    bl_json_key(json, key);
    bl_json_seconds(json, value);
}

void bl_json_put_instant(struct bl_json *json, const char *key, bl_time value)
{
    bl_json_key(json, key);
    bl_json_instant(json, value);
}
