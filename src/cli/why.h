/* Why a job waits, as a few lines for people. */
#ifndef BL_CLI_WHY_H
#define BL_CLI_WHY_H

#include "base/buf.h"
#include "base/span.h"
#include "form/tree.h"

/* The answers of /jobs/ID and /why/ID. */
struct bl_why_scene {
    const struct bl_tree *job;
    const struct bl_tree *why;
    bl_time now;
};

void bl_why_print(struct bl_buf *out, const struct bl_why_scene *scene);

#endif
