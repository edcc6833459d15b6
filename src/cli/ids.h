/* Job ids as people write them: "7", "3-9", "3,5", "@" for one's last job. */
#ifndef BL_CLI_IDS_H
#define BL_CLI_IDS_H

#include "base/error.h"
#include "base/vec.h"

#include <stdint.h>

enum { BL_IDS_MAX = 10000 }; /* in one command */

/* Stands for "@" until somebody has asked the daemon. */
#define BL_IDS_LAST INT64_C(0)

struct bl_ids {
    int64_t *at;
    size_t count;
    size_t capacity;
};

/* Adds what `text` names; a repeated id is kept once. */
int bl_ids_parse(const char *text, struct bl_ids *ids, struct bl_error *err);

/* For commands about one job. */
int bl_ids_parse_one(const char *text, int64_t *out, struct bl_error *err);

void bl_ids_finish(struct bl_ids *ids);

#endif
