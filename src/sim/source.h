/* Opens the log and finds out its format; opens again for each policy. */
#ifndef BL_SIM_SOURCE_H
#define BL_SIM_SOURCE_H

#include "form/trace.h"
#include "os/fs.h"

enum { BL_SIM_SNIFF_BYTES = 4096 };

/* Zeroes are closed. Must not move while open. */
struct bl_sim_source {
    struct bl_reader *reader;
    char first[BL_SIM_SNIFF_BYTES]; /* read to know the format, given before the rest */
    size_t first_length, first_at;
    const struct bl_trace_format *format;
    struct bl_trace *trace;
};

/* `format` NULL = told by the first bytes. */
int bl_sim_source_open(struct bl_sim_source *source, const char *path,
                       const struct bl_trace_format *format, const struct bl_trace_options *options,
                       struct bl_error *err);
void bl_sim_source_close(struct bl_sim_source *source);

#endif
