#include "form/lines.h"

#include "base/own.h"

#include <string.h>

enum { FIRST_CAPACITY = 128 * 1024, FOUND_MAX = 40 };

/* Moves the rest to the front and reads on behind it. */
static int read_more(struct bl_lines *lines, struct bl_error *err)
{
    int64_t got;

    if (lines->at > 0) {
        lines->length -= lines->at;
        memmove(lines->buffer, lines->buffer + lines->at, lines->length);
        lines->at = 0;
    }
    if (lines->length > BL_TRACE_LINE_MAX) {
        return bl_fail(err, BL_ETOOBIG, "%s:%u: the line is longer than %d bytes",
                       lines->source.name, lines->number + 1, BL_TRACE_LINE_MAX);
    }
    if (lines->capacity < lines->length * 2 || lines->capacity < FIRST_CAPACITY) {
        lines->capacity = lines->length * 2 > FIRST_CAPACITY ? lines->length * 2 : FIRST_CAPACITY;
        lines->buffer = bl_realloc_array(lines->buffer, lines->capacity + 1, 1);
    }
    got = lines->source.read(lines->source.self, lines->buffer + lines->length,
                             lines->capacity - lines->length, err);
    if (got < 0) {
        return (int)-got;
    }
    lines->ended = got == 0;
    lines->length += (size_t)got;
    return BL_OK;
}

int bl_lines_next(struct bl_lines *lines, char **text, size_t *length, struct bl_error *err)
{
    size_t seen = 0;
    char *start;
    char *end;

    for (;;) {
        size_t left = lines->length - lines->at;
        int status;

        start = left ? lines->buffer + lines->at : NULL;
        end = left ? memchr(start + seen, '\n', left - seen) : NULL;
        if (end || lines->ended) {
            break;
        }
        seen = left;
        status = read_more(lines, err);
        if (status != BL_OK) {
            return status;
        }
    }
    *text = start;
    if (!start) {
        return BL_OK;
    }
    lines->number++;
    lines->at = end ? (size_t)(end - lines->buffer) + 1 : lines->length;
    *length = end ? (size_t)(end - start) : lines->length - (size_t)(start - lines->buffer);
    if (*length > BL_TRACE_LINE_MAX) {
        return bl_fail(err, BL_ETOOBIG, "%s:%u: the line is longer than %d bytes",
                       lines->source.name, lines->number, BL_TRACE_LINE_MAX);
    }
    if (*length > 0 && start[*length - 1] == '\r') {
        --*length;
    }
    return BL_OK;
}

void bl_lines_finish(struct bl_lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
    lines->at = 0;
    lines->length = 0;
}

/* Length of the UTF-8 sequence at `at`, 0 when there is none (RFC 3629). */
static size_t sequence_length(const unsigned char *at, size_t left)
{
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (at[0] < rows[i].first_low || at[0] > rows[i].first_high) {
            continue;
        }
        if (left < rows[i].length ||
            (rows[i].length > 1 && (at[1] < rows[i].second_low || at[1] > rows[i].second_high))) {
            return 0;
        }
        for (size_t b = 2; b < rows[i].length; b++) {
            if ((at[b] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return rows[i].length;
    }
    return 0;
}

bool bl_is_utf8(const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes;

    for (size_t i = 0; i < length;) {
        size_t step = sequence_length(at + i, length - i);

        if (step == 0) {
            return false;
        }
        i += step;
    }
    return true;
}

void bl_print_found(struct bl_buf *out, const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t shown = 0;

    while (shown < length && shown < FOUND_MAX) {
        size_t step = sequence_length(at + shown, length - shown);

        if (step == 0 || at[shown] < 0x20 || at[shown] == 0x7f) {
            bl_buf_printf(out, "\\x%02x", at[shown]);
            step = 1;
        } else {
            bl_buf_append(out, bytes + shown, step);
        }
        shown += step;
    }
    if (shown < length) {
        bl_buf_append_text(out, "...");
    }
}
