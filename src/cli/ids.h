/* Job ids as people write them: "7", "3-9", "3,5", "@" for one's last job, "7_2" and "7_2-4" for
 * elements of an array. */
#ifndef BL_CLI_IDS_H
#define BL_CLI_IDS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdint.h>

enum { BL_IDS_MAX = 10000 }; /* in one command */

/* Stands for "@" until somebody has asked the daemon. */
#define BL_IDS_LAST INT64_C(0)

/* A job, or one element of an array. */
struct bl_job_ref {
    int64_t id;
    int64_t index; /* -1: no element */
};

struct bl_ids {
    struct bl_job_ref *at;
    size_t count;
    size_t capacity;
};

/* Adds what `text` names; a repeated id is kept once. */
int bl_ids_parse(const char *text, struct bl_ids *ids, struct bl_error *err);

/* For commands about one job. */
int bl_ids_parse_one(const char *text, struct bl_job_ref *out, struct bl_error *err);

/* Appends "7" or "7_2", as the API's paths have it. */
void bl_ref_print(struct bl_buf *out, struct bl_job_ref ref);

void bl_ids_finish(struct bl_ids *ids);

#endif
