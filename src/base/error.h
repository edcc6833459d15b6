/* Errors: whoever detects a failure says what was expected and what was found; callers add where.
 *
 * A function that can fail for a reason outside the program returns 0 or a bl_status and takes
 * `struct bl_error *err` last. `err` may be NULL where the caller needs only the status. */
#ifndef BL_BASE_ERROR_H
#define BL_BASE_ERROR_H

#include <stdarg.h>

enum bl_status {
    BL_OK = 0,
    BL_EINVAL,      /* a value from outside is wrong */
    BL_ENOTFOUND,   /* the named thing does not exist */
    BL_EREFUSED,    /* rights, conflict, or a request that cannot be met */
    BL_ETOOBIG,     /* over a documented ceiling */
    BL_ESYSTEM,     /* the operating system said no */
    BL_EUNREACHABLE /* the peer does not answer */
};

enum { BL_ERROR_TEXT_MAX = 640, BL_ERROR_FIELD_MAX = 64, BL_ERROR_HINT_MAX = 256 };

/* `field` names the input field at fault, `hint` the way out; both may be empty. */
struct bl_error {
    enum bl_status status;
    char text[BL_ERROR_TEXT_MAX];
    char field[BL_ERROR_FIELD_MAX];
    char hint[BL_ERROR_HINT_MAX];
};

/* Each fills *err (when not NULL), clears field and hint, and returns the status. */
int bl_fail(struct bl_error *err, enum bl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int bl_vfail(struct bl_error *err, enum bl_status status, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* As bl_fail with BL_ESYSTEM, and adds ": " and the words for the current errno. */
int bl_fail_sys(struct bl_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "CONTEXT: " before the text and returns the status already there. */
int bl_wrap(struct bl_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Both return the status already there, so that they can stand behind a bl_fail. */
int bl_error_set_field(struct bl_error *err, const char *field);
int bl_error_set_hint(struct bl_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
