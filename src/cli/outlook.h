/* How many GPUs will be free, as a table with bars. */
#ifndef BL_CLI_OUTLOOK_H
#define BL_CLI_OUTLOOK_H

#include "base/buf.h"
#include "base/span.h"
#include "cli/table.h"
#include "form/tree.h"

struct bl_outlook_scene {
    const struct bl_tree *answer; /* of GET /api/v1/outlook */
    bl_time now;
    bl_time span; /* that is shown, in some thirty lines at the most */
    bool ascii;
    struct bl_table_look look;
};

void bl_outlook_print(struct bl_buf *out, const struct bl_outlook_scene *scene);

#endif
