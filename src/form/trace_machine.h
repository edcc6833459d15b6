/* The machine that a trace's jobs must fit on, where it is known while reading. */
#ifndef BL_FORM_TRACE_MACHINE_H
#define BL_FORM_TRACE_MACHINE_H

#include "base/buf.h"
#include "core/cluster.h"
#include "form/trace.h"

enum { BL_TRACE_SHAPES = 64 };

/* Of a job of which only the counts matter. */
struct bl_trace_shape {
    int32_t gpus_min, gpus_want, nodes_max;
    struct bl_amount cpu_milli, mem_bytes;
    bool fits; /* false where nothing is kept */
};

/* Zeroes are an unknown machine, on which everything fits. */
struct bl_trace_machine {
    struct bl_cluster cluster;
    struct bl_trace_shape shape[BL_TRACE_SHAPES]; /* that fitted: logs ask for the same again */
};

/* From the cluster or the slots of the options. */
void bl_trace_machine_init(struct bl_trace_machine *machine,
                           const struct bl_trace_options *options);

/* Whether the empty machine could hold the job; else what is in the way, as the end of "job X …":
 * "needs 9 GPUs, the machine can give it at most 8". */
bool bl_trace_machine_check(struct bl_trace_machine *machine, const struct bl_job_spec *spec,
                            struct bl_buf *why);

void bl_trace_machine_finish(struct bl_trace_machine *machine);

#endif
