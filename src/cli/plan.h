/* The daemon's timeline as a picture: a line for each GPU, or lines for each user or project. */
#ifndef BL_CLI_PLAN_H
#define BL_CLI_PLAN_H

#include "cli/client.h"
#include "cli/gantt.h"
#include "form/tree.h"

enum bl_plan_by { BL_PLAN_BY_GPU, BL_PLAN_BY_USER, BL_PLAN_BY_PROJECT };

struct bl_plan_scene {
    const struct bl_tree *timeline; /* the answer of /timeline */
    enum bl_plan_by by;
    struct bl_gantt_look look;
};

void bl_plan_print(struct bl_buf *out, const struct bl_plan_scene *scene);

/* Asks for what lies in [from, to). */
int bl_plan_fetch(struct bl_client *client, bl_time from, bl_time to, struct bl_reply *out,
                  struct bl_error *err);

#endif
