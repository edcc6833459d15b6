/* Inside of calendar/ical.h: content lines of RFC 5545, with text from anywhere made harmless. */
#ifndef BL_CALENDAR_ICAL_LINE_H
#define BL_CALENDAR_ICAL_LINE_H

#include "base/buf.h"
#include "base/span.h"

/* Appends a value of type TEXT: separators escaped, line breaks as \n, other control characters
 * left out, and what is not UTF-8 replaced. */
void bl_ical_escape(struct bl_buf *out, const char *text);

/* Appends the line and its end, folded so that no line has more than 75 bytes and no character is
 * cut. */
void bl_ical_fold(struct bl_buf *out, const char *line, size_t length);

/* Each appends one line: as printf would, a property of type TEXT, an instant in UTC. */
void bl_ical_put(struct bl_buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bl_ical_put_text(struct bl_buf *out, const char *name, const char *text);
void bl_ical_put_utc(struct bl_buf *out, const char *name, bl_time at);

#endif
