#include "os/log.h"

#include "base/buf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_LINE_MAX = 16 * 1024 };

static const char *const level_names[] = {
    [BL_LOG_DEBUG] = "debug",
    [BL_LOG_INFO] = "info",
    [BL_LOG_WARNING] = "warning",
    [BL_LOG_ERROR] = "error",
};

/* One line stays one line, whatever the message carries. */
static void append_quoted(struct bl_buf *line, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') {
            bl_buf_append_char(line, '\\');
            bl_buf_append_char(line, *c);
        } else if (*c == '\n') {
            bl_buf_append_text(line, "\\n");
        } else if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            bl_buf_append_char(line, '?');
        } else {
            bl_buf_append_char(line, *c);
        }
    }
}

void bl_log(enum bl_log_level level, const char *format, ...)
{
    BL_AUTO_BUF message = {.ceiling = LOG_LINE_MAX};
    BL_AUTO_BUF line = {.ceiling = (size_t)3 * LOG_LINE_MAX};
    va_list args;

    if (level == BL_LOG_DEBUG && !getenv("BALEEN_DEBUG")) {
        return;
    }
    va_start(args, format);
    bl_buf_vprintf(&message, format, args);
    va_end(args);
    bl_buf_printf(&line, "level=%s msg=\"", level_names[level]);
    append_quoted(&line, message.overflowed ? "(message too long)" : bl_buf_text(&message));
    bl_buf_append_text(&line, "\"\n");
    /* one write, so that lines of several processes on one terminal do not mix; a log that cannot
     * be written has nowhere to say so */
    if (write(STDERR_FILENO, bl_buf_text(&line), line.length) < 0) {
        return;
    }
}
