/* Pages that more than one verb shows. */
#ifndef BL_CLI_PAGES_H
#define BL_CLI_PAGES_H

#include "cli/cli.h"

/* The table of GPUs; with --json the daemon's answer. */
int bl_gpus_print(struct bl_cli *cli, struct bl_buf *out, struct bl_error *err);

/* The queue with its usual columns and the line below; with --json the jobs. */
int bl_queue_print(struct bl_cli *cli, struct bl_buf *out, struct bl_error *err);

#endif
