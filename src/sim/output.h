/* Files that a replay writes as it goes: buffered, checked when closed. */
#ifndef BL_SIM_OUTPUT_H
#define BL_SIM_OUTPUT_H

#include "base/buf.h"
#include "base/error.h"

/* Zeroes write nowhere. `text` is appended to freely; bl_sim_output_flush_full looks at its size.
 */
struct bl_sim_output {
    const char *path;
    int fd_plus_one; /* 0 = closed */
    struct bl_buf text;
    int error_number; /* of the first write that failed */
};

/* "-" is standard output. */
int bl_sim_output_open(struct bl_sim_output *output, const char *path, struct bl_error *err);

/* Writes out what has gathered once it is enough. */
void bl_sim_output_flush_full(struct bl_sim_output *output);

/* Writes the rest; answers whether all was written. */
int bl_sim_output_close(struct bl_sim_output *output, struct bl_error *err);

#endif
