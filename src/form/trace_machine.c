#include "form/trace_machine.h"

#include "base/units.h"
#include "core/place.h"

#include <string.h>

void bl_trace_machine_init(struct bl_trace_machine *machine, const struct bl_trace_options *options)
{
    struct bl_node_spec slots = bl_slots_node(options->slots);

    *machine = (struct bl_trace_machine){0};
    if (options->cluster) {
        for (size_t i = 0; i < options->cluster->node_count; i++) {
            bl_cluster_add_node(&machine->cluster, &options->cluster->node[i]);
        }
    } else if (options->slots > 0) {
        bl_cluster_add_node(&machine->cluster, &slots);
    }
}

/* Jobs of which only the counts matter, and they are those of the last one. */
static bool is_like_last(const struct bl_trace_machine *machine, const struct bl_job_spec *spec)
{
    const struct bl_job_spec *last = &machine->last;

    return machine->has_last && !spec->pool && spec->gpu_type_count == 0 &&
           spec->gpu_mem_bytes == 0 && spec->gpus_min == last->gpus_min &&
           spec->gpus_want == last->gpus_want && spec->nodes_max == last->nodes_max &&
           spec->cpu_milli.value == last->cpu_milli.value &&
           spec->cpu_milli.per_gpu == last->cpu_milli.per_gpu &&
           spec->mem_bytes.value == last->mem_bytes.value &&
           spec->mem_bytes.per_gpu == last->mem_bytes.per_gpu;
}

static void print_misfit(struct bl_buf *why, const struct bl_job_spec *spec,
                         struct bl_misfit_report report)
{
    switch (report.kind) {
    case BL_MISFIT_NONE:
        break;
    case BL_MISFIT_GPUS:
        bl_buf_printf(why, "needs %d GPUs, the machine can give it at most %lld", spec->gpus_want,
                      (long long)report.most);
        break;
    case BL_MISFIT_GPU_TYPE:
        bl_buf_append_text(why, "needs a GPU type that no node has");
        break;
    case BL_MISFIT_POOL:
        bl_buf_printf(why, "needs the pool %s, which no node is in", spec->pool);
        break;
    case BL_MISFIT_GPU_MEM:
        bl_buf_append_text(why, "needs more memory a GPU than the largest suitable one has: ");
        bl_size_print(why, report.most);
        break;
    case BL_MISFIT_CPU:
        bl_buf_printf(why, "needs more CPUs than the largest suitable node has: %g",
                      (double)report.most / 1000);
        break;
    case BL_MISFIT_MEM:
        bl_buf_append_text(why, "needs more memory than the largest suitable node has: ");
        bl_size_print(why, report.most);
        break;
    }
}

bool bl_trace_machine_check(struct bl_trace_machine *machine, const struct bl_job_spec *spec,
                            struct bl_buf *why)
{
    struct bl_misfit_report report;

    if (machine->cluster.node_count == 0 || is_like_last(machine, spec)) {
        return true;
    }
    report = bl_place_check(&machine->cluster, spec);
    if (report.kind != BL_MISFIT_NONE) {
        print_misfit(why, spec, report);
        return false;
    }
    /* Only counts are compared, so that nothing borrowed is kept. */
    machine->has_last = !spec->pool && spec->gpu_type_count == 0 && spec->gpu_mem_bytes == 0;
    machine->last = (struct bl_job_spec){.gpus_min = spec->gpus_min,
                                         .gpus_want = spec->gpus_want,
                                         .nodes_max = spec->nodes_max,
                                         .cpu_milli = spec->cpu_milli,
                                         .mem_bytes = spec->mem_bytes};
    return true;
}

void bl_trace_machine_finish(struct bl_trace_machine *machine)
{
    bl_cluster_finish(&machine->cluster);
}
