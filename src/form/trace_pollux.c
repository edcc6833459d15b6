/* Pollux's simulator (Qiao et al., OSDI'21), its baselines: the batch stays that of the trace, and
 * every change of nodes is a restart. */
#include "form/trace_training.h"

const struct bl_trace_format bl_trace_format_pollux = {
    .name = "pollux",
    .summary = "the jobs of Pollux (OSDI'21): the batch is that of the trace",
    .round = BL_MINUTE,
    .open = bl_trace_training_open,
    .next = bl_trace_training_next,
    .cluster = bl_trace_training_cluster,
    .has_dependencies = bl_trace_training_has_dependencies,
    .notes = bl_trace_training_notes,
    .close = bl_trace_training_close,
    .sniff = bl_trace_training_sniff,
};
