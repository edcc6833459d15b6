/* A page that is shown anew again and again, until ^C. */
#ifndef BL_CLI_LIVE_H
#define BL_CLI_LIVE_H

#include "base/span.h"
#include "cli/cli.h"

struct bl_live {
    bl_time interval;
    int (*print)(struct bl_cli *cli, const void *self, struct bl_buf *out, struct bl_error *err);
    const void *self;
};

/* Goes on while a daemon that has answered once is away. */
int bl_live_run(struct bl_cli *cli, const struct bl_live *live, struct bl_error *err);

/* "2", "0.5": seconds between two pages; NULL is the usual. */
int bl_live_parse(const char *text, bl_time *out, struct bl_error *err);

#endif
