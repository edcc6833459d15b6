#include "core/application.h"

#include <string.h>

static size_t append(char *out, size_t length, const char *text, size_t count)
{
    size_t room = BL_APPLICATION_MAX - 1 - length;

    count = count < room ? count : room;
    memcpy(out + length, text, count);
    out[length + count] = '\0';
    return length + count;
}

/* "train-017" and "train.18" are runs of "train"; "017" is a name like any other. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);
    size_t stem = length;

    while (stem > 0 && strchr("0123456789-_.", name[stem - 1])) {
        stem--;
    }
    return stem > 0 ? stem : length;
}

bool bl_application_of(const struct bl_job_spec *spec, char out[BL_APPLICATION_MAX])
{
    size_t length = 0;

    if (spec->application && *spec->application) {
        append(out, 0, spec->application, strlen(spec->application));
        return true;
    }
    if (!spec->name || !*spec->name) {
        return false;
    }
    if (spec->user) {
        length = append(out, 0, spec->user, strlen(spec->user));
    }
    length = append(out, length, "/", 1);
    append(out, length, spec->name, stem_length(spec->name));
    return true;
}

void bl_application_alone(bl_job_id job, char out[BL_APPLICATION_MAX])
{
    char digits[24];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + job % 10);
        job /= 10;
    } while (job > 0);
    digits[--at] = '@';
    append(out, 0, digits + at, sizeof digits - at);
}
