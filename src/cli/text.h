/* Text for a terminal: nothing that came from outside may steer it, columns are counted as they
 * are drawn, and lengths of time are said in words. */
#ifndef BL_CLI_TEXT_H
#define BL_CLI_TEXT_H

#include "base/buf.h"
#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends `text`; control characters, marks that turn the writing direction, and bytes that are
 * not UTF-8 become "\n", "\x1b", "\u202e". */
void bl_text_escape(struct bl_buf *out, const char *text);

/* Columns that an escaped text takes: wide characters count two, combining ones none. */
size_t bl_text_width(const char *text);

/* The bytes of the first letter of an escaped text, together with the combining ones behind it, and
 * the columns that they take; 0 bytes at its end. */
size_t bl_text_letter(const char *text, size_t *columns);

/* Appends `text` cut to `columns`, the last of them "…" when something is missing. */
void bl_text_cut(struct bl_buf *out, const char *text, size_t columns);

/* Whether all of it is well-formed UTF-8. */
bool bl_text_is_utf8(const char *text);

/* Appends "30 minutes", "2 hours 30 minutes", "1 day 12 hours 5 seconds". */
void bl_text_span_words(struct bl_buf *out, bl_time span);

/* Appends the two largest units: "3h12m", "45s", "2d4h"; under a second "0s". */
void bl_text_span_short(struct bl_buf *out, bl_time span);

/* Appends `argument` as a shell would read it back: bare, or between single quotes. */
void bl_text_quote(struct bl_buf *out, const char *argument);

#endif
