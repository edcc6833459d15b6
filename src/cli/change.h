/* What `baleen set` may change of a job, as the body of a PATCH. */
#ifndef BL_CLI_CHANGE_H
#define BL_CLI_CHANGE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/span.h"

/* "time=2h", "priority=5", "gpus=2-4", "begin=tomorrow 09:00", "requeue=yes". */
struct bl_changes {
    const char *const *at;
    int count;
    bl_time now;
};

/* Appends the body; fails naming the word that is wrong and what may be set. */
int bl_change_write(struct bl_buf *out, const struct bl_changes *changes, struct bl_error *err);

#endif
