/* A job file, a pipeline or a script, read with what the daemon has, and the flags over it. */
#ifndef BL_CLI_JOB_SOURCE_H
#define BL_CLI_JOB_SOURCE_H

#include "cli/document.h"
#include "cli/job_flags.h"

struct bl_job_source {
    const char *name;            /* of the file; "-" for standard input */
    const char *const *argument; /* of a script, NULL-terminated */
    struct bl_job_flags *flags;
    bool without_daemon;    /* its types and pools are not asked for where it does not answer */
    struct bl_arena *arena; /* holds all that is read */
};

int bl_job_source_read(struct bl_cli *cli, const struct bl_job_source *from,
                       struct bl_document *out, struct bl_error *err);

/* Times of day become instants of whoever submits: the daemon may live in another zone. */
void bl_job_source_fix_times(const struct bl_document *document, struct bl_arena *arena);

/* Appends the body of POST /api/v1/jobs; answers how many variables were left out. */
size_t bl_job_source_write(struct bl_buf *out, const struct bl_document *document);

/* The same of a command with the flags over it; its words end with NULL, none stands for a command
 * that does nothing. Warns of variables that were left out. */
int bl_job_source_write_command(struct bl_cli *cli, struct bl_job_flags *flags,
                                const char *const *command, struct bl_buf *out,
                                struct bl_error *err);

#endif
