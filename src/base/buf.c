#include "base/buf.h"

#include "base/own.h"

#include <stdio.h>
#include <string.h>

/* Makes room for `more` bytes and the zero; false when the ceiling forbids it. */
static bool make_room(struct bl_buf *buf, size_t more)
{
    size_t ceiling = buf->ceiling ? buf->ceiling : BL_BUF_DEFAULT_CEILING;
    size_t needed = buf->length + more + 1;

    if (buf->overflowed || more > ceiling || buf->length + more > ceiling) {
        buf->overflowed = true;
        return false;
    }
    if (buf->capacity < needed) {
        size_t grown = buf->capacity ? buf->capacity * 2 : 256;

        if (grown < needed) {
            grown = needed;
        }
        buf->text = bl_realloc_array(buf->text, grown, 1);
        buf->capacity = grown;
    }
    return true;
}

void bl_buf_append(struct bl_buf *buf, const char *bytes, size_t length)
{
    if (length && make_room(buf, length)) {
        memcpy(buf->text + buf->length, bytes, length);
        buf->length += length;
        buf->text[buf->length] = '\0';
    }
}

void bl_buf_append_text(struct bl_buf *buf, const char *text)
{
    bl_buf_append(buf, text, strlen(text));
}

void bl_buf_append_char(struct bl_buf *buf, char c)
{
    bl_buf_append(buf, &c, 1);
}

void bl_buf_vprintf(struct bl_buf *buf, const char *format, va_list args)
{
    va_list again;
    int length;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length >= 0 && make_room(buf, (size_t)length)) {
        vsnprintf(buf->text + buf->length, (size_t)length + 1, format, args);
        buf->length += (size_t)length;
    }
}

void bl_buf_printf(struct bl_buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bl_buf_vprintf(buf, format, args);
    va_end(args);
}

const char *bl_buf_text(const struct bl_buf *buf)
{
    return buf->text ? buf->text : "";
}

char *bl_buf_take(struct bl_buf *buf)
{
    char *text = buf->text ? BL_TAKE(buf->text) : bl_copy_text("");

    buf->length = 0;
    buf->capacity = 0;
    buf->overflowed = false;
    return text;
}

void bl_buf_clear(struct bl_buf *buf)
{
    buf->length = 0;
    buf->overflowed = false;
    if (buf->text) {
        buf->text[0] = '\0';
    }
}

void bl_buf_finish(struct bl_buf *buf)
{
    free(buf->text);
    *buf = (struct bl_buf){.ceiling = buf->ceiling};
}
