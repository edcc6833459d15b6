/* Structured log of a daemon: logfmt lines on standard error, `level=… msg="…"`. */
#ifndef BL_OS_LOG_H
#define BL_OS_LOG_H

enum bl_log_level { BL_LOG_DEBUG, BL_LOG_INFO, BL_LOG_WARNING, BL_LOG_ERROR };

void bl_log(enum bl_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
