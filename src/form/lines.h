/* Lines of a byte source, one at a time, each at most BL_TRACE_LINE_MAX bytes. */
#ifndef BL_FORM_LINES_H
#define BL_FORM_LINES_H

#include "base/buf.h"
#include "form/trace.h"

#include <stdint.h>

/* Zeroes and a source are a reader that has read nothing. */
struct bl_lines {
    struct bl_byte_source source;
    char *buffer;
    size_t at, length, capacity;
    uint32_t number; /* of the line given last, from 1 */
    bool ended;
};

/* A line without its end ("\n" or "\r\n"); *text is borrowed until the next call, and a zero byte
 * may be written at text[length]. BL_OK with *text NULL at the end. */
int bl_lines_next(struct bl_lines *lines, char **text, size_t *length, struct bl_error *err);

void bl_lines_finish(struct bl_lines *lines);

/* Appends bytes from outside for a message: at most 40 of them, what is not printable ASCII or
 * UTF-8 as \xNN. */
void bl_print_found(struct bl_buf *out, const char *bytes, size_t length);

/* Whether all bytes are UTF-8 (no surrogates, nothing overlong). */
bool bl_is_utf8(const char *bytes, size_t length);

#endif
