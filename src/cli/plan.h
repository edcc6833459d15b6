/* The plan as a picture: a line for each GPU, time from left to right. What runs stands on the GPUs
 * it has, until its forecast end. What waits has no GPUs yet: it is sketched on lines that are free
 * then, and named below where there are none. */
#ifndef BL_CLI_PLAN_H
#define BL_CLI_PLAN_H

#include "cli/jobs.h"

enum { BL_PLAN_LANES_MAX = 4096 };

struct bl_plan_scene {
    const struct bl_job_list *jobs; /* that have not ended */
    const struct bl_tree *gpus;     /* the answer of /gpus */
    bl_time now;
    bl_time span;   /* how far it looks ahead */
    size_t columns; /* of the terminal */
    bool ascii;
};

void bl_plan_print(struct bl_buf *out, const struct bl_plan_scene *scene);

#endif
