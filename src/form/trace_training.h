/* Traces of training jobs whose speed stands in profiles (form/profiles.h), not in the trace: a
 * header line and rows of name, time, application, num_replicas, batch_size. The formats of Sia and
 * Pollux differ only in what their simulators make of a job. */
#ifndef BL_FORM_TRACE_TRAINING_H
#define BL_FORM_TRACE_TRAINING_H

#include "form/trace.h"

int bl_trace_training_open(const struct bl_byte_source *source,
                           const struct bl_trace_options *options, struct bl_trace **out,
                           struct bl_error *err);
int bl_trace_training_next(struct bl_trace *trace, struct bl_trace_job *out, bool *has_job,
                           struct bl_error *err);
void bl_trace_training_cluster(struct bl_trace *trace, struct bl_clusterspec *out);
bool bl_trace_training_has_dependencies(const struct bl_trace *trace);
const struct bl_trace_notes *bl_trace_training_notes(const struct bl_trace *trace);
void bl_trace_training_close(struct bl_trace *trace);
/* Never sure: the formats look alike, so that they must be named. */
int bl_trace_training_sniff(const char *bytes, size_t length);

#endif
