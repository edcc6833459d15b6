#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int status_of(const struct bl_error *err)
{
    return err ? (int)err->status : (int)BL_EINVAL;
}

int bl_vfail(struct bl_error *err, enum bl_status status, const char *format, va_list args)
{
    if (err) {
        err->status = status;
        err->field[0] = '\0';
        err->hint[0] = '\0';
        vsnprintf(err->text, sizeof err->text, format, args);
    }
    return (int)status;
}

int bl_fail(struct bl_error *err, enum bl_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bl_vfail(err, status, format, args);
    va_end(args);
    return (int)status;
}

int bl_fail_sys(struct bl_error *err, const char *format, ...)
{
    int saved = errno;
    va_list args;

    va_start(args, format);
    bl_vfail(err, BL_ESYSTEM, format, args);
    va_end(args);
    if (err) {
        size_t used = strlen(err->text);
        const char *words = strerror(saved);

        if (used + 3 < sizeof err->text) {
            strncat(err->text, ": ", sizeof err->text - used - 1);
            strncat(err->text, words, sizeof err->text - used - 3);
        }
    }
    return BL_ESYSTEM;
}

int bl_wrap(struct bl_error *err, const char *format, ...)
{
    char context[BL_ERROR_TEXT_MAX];
    va_list args;
    size_t used;
    size_t kept;

    if (!err) {
        return BL_EINVAL;
    }
    va_start(args, format);
    vsnprintf(context, sizeof context - 2, format, args);
    va_end(args);
    strncat(context, ": ", sizeof context - strlen(context) - 1);
    used = strlen(context);
    kept = strlen(err->text);
    if (used + kept >= sizeof err->text) {
        kept = sizeof err->text - 1 - used;
    }
    memmove(err->text + used, err->text, kept);
    memcpy(err->text, context, used);
    err->text[used + kept] = '\0';
    return status_of(err);
}

int bl_error_set_field(struct bl_error *err, const char *field)
{
    if (err) {
        err->field[0] = '\0';
        strncat(err->field, field, sizeof err->field - 1);
    }
    return status_of(err);
}

int bl_error_set_hint(struct bl_error *err, const char *format, ...)
{
    va_list args;

    if (err) {
        va_start(args, format);
        vsnprintf(err->hint, sizeof err->hint, format, args);
        va_end(args);
    }
    return status_of(err);
}
