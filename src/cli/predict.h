/* What the daemon foresees of a job that is not submitted, and whom it would delay. */
#ifndef BL_CLI_PREDICT_H
#define BL_CLI_PREDICT_H

#include "cli/job_flags.h"

enum bl_predict_about { BL_PREDICT_ITSELF, BL_PREDICT_AND_OTHERS };

/* Asks about a job file (the first word; "-" reads standard input), or the command that the words
 * are: so where "--" stands before them, or no such file is there. */
int bl_predict_ask(struct bl_cli *cli, struct bl_job_flags *flags, char **words,
                   enum bl_predict_about about, struct bl_error *err);

struct bl_predict_scene {
    const struct bl_tree *answer; /* of POST /api/v1/plan */
    enum bl_predict_about about;
    bl_time now;
};
void bl_predict_print(struct bl_buf *out, const struct bl_predict_scene *scene);

#endif
