/* Sia's simulator (Jayaram Subramanya et al., SOSP'23): each job tunes its batch, and moving to
 * other nodes with the same shape is free. */
#include "form/trace_training.h"

const struct bl_trace_format bl_trace_format_sia = {
    .name = "sia",
    .summary = "the jobs of Sia (SOSP'23): the batch is tuned by each job",
    .round = BL_MINUTE,
    .open = bl_trace_training_open,
    .next = bl_trace_training_next,
    .cluster = bl_trace_training_cluster,
    .has_dependencies = bl_trace_training_has_dependencies,
    .notes = bl_trace_training_notes,
    .close = bl_trace_training_close,
    .sniff = bl_trace_training_sniff,
};
