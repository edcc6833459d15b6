/* Growing text with a ceiling. A write that would pass the ceiling is dropped whole and remembered:
 * callers write freely and look once at the end. Zeroes are an empty buffer with the default
 * ceiling. The text always ends with a zero byte that `length` does not count. */
#ifndef BL_BASE_BUF_H
#define BL_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum { BL_BUF_DEFAULT_CEILING = 256 * 1024 * 1024 };

struct bl_buf {
    char *text; /* NULL until the first write */
    size_t length;
    size_t capacity;
    size_t ceiling; /* bytes; 0 means BL_BUF_DEFAULT_CEILING */
    bool overflowed;
};

void bl_buf_append(struct bl_buf *buf, const char *bytes, size_t length);
void bl_buf_append_text(struct bl_buf *buf, const char *text);
void bl_buf_append_char(struct bl_buf *buf, char c);
void bl_buf_printf(struct bl_buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bl_buf_vprintf(struct bl_buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Borrowed until the next write; "" when empty. */
const char *bl_buf_text(const struct bl_buf *buf);

/* The text, owned by the caller, who frees it; the buffer is empty afterwards. Never NULL. */
char *bl_buf_take(struct bl_buf *buf);

/* Empties and keeps the memory. */
void bl_buf_clear(struct bl_buf *buf);

void bl_buf_finish(struct bl_buf *buf);

#define BL_AUTO_BUF __attribute__((cleanup(bl_buf_finish))) struct bl_buf

#endif
