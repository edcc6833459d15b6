/* Verbs that do the same to each of several jobs, and the answers they print. */
#ifndef BL_CLI_CONTROL_H
#define BL_CLI_CONTROL_H

#include "cli/cli.h"

/* One verb's work on each job. */
struct bl_control {
    const char *example; /* "baleen cancel 7 9-12" */
    const char *action;  /* last word of the path: "cancel"; NULL: the job itself, by PATCH */
    const char *body;
    /* Appends what the answer means for people; `id` as it was given. */
    void (*tell)(struct bl_buf *out, const char *id, const struct bl_tree *answer);
};

/* Each id is tried, whatever came of those before it; the last failure gives the exit code. */
int bl_control_run(struct bl_cli *cli, const struct bl_control *control,
                   const struct bl_words *words, struct bl_error *err);

/* "job 7: …" with the words of a message about it. */
void bl_control_answer(struct bl_buf *out, const char *id, const char *words);

#endif
