/* The two forms of the format `baleen`: a YAML document and CSV rows. */
#ifndef BL_FORM_TRACE_BALEEN_PARTS_H
#define BL_FORM_TRACE_BALEEN_PARTS_H

#include "form/trace.h"

/* One form; `self` is its reader. */
struct bl_trace_form {
    int (*open)(const struct bl_byte_source *source, const struct bl_trace_options *options,
                void **self, struct bl_error *err);
    int (*next)(void *self, struct bl_trace_job *out, bool *has_job, struct bl_error *err);
    bool (*has_dependencies)(const void *self);
    const struct bl_trace_notes *(*notes)(const void *self);
    size_t (*bookings)(const void *self, const struct bl_booking_spec **out); /* NULL = none */
    void (*close)(void *self);
};

extern const struct bl_trace_form bl_trace_form_yaml;
extern const struct bl_trace_form bl_trace_form_csv;

/* Run time on the GPUs it wants, and the limit over it: a longer run ends at the limit. */
void bl_trace_clamp(struct bl_trace_job *job, struct bl_trace_notes *notes);

#endif
