#include "form/trace_machine.h"

#include "base/units.h"
#include "core/place.h"

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

/* Where a job of this shape would be kept; NULL when more than counts matter. */
static struct bl_trace_shape *find_shape(struct bl_trace_machine *machine,
                                         const struct bl_job_spec *spec)
{
    uint64_t hash = (uint64_t)spec->gpus_want * UINT64_C(0x9E3779B97F4A7C15) +
                    (uint64_t)spec->cpu_milli.value * UINT64_C(0xC2B2AE3D27D4EB4F) +
                    (uint64_t)spec->mem_bytes.value * UINT64_C(0x165667B19E3779F9);

    return spec->pool || spec->gpu_type_count > 0 || spec->gpu_mem_bytes > 0
               ? NULL
               : &machine->shape[(hash >> 40) % BL_TRACE_SHAPES];
}

static bool is_shape_of(const struct bl_trace_shape *shape, const struct bl_job_spec *spec)
{
    return shape->fits && shape->gpus_min == spec->gpus_min &&
           shape->gpus_want == spec->gpus_want && shape->nodes_max == spec->nodes_max &&
           shape->cpu_milli.value == spec->cpu_milli.value &&
           shape->cpu_milli.per_gpu == spec->cpu_milli.per_gpu &&
           shape->mem_bytes.value == spec->mem_bytes.value &&
           shape->mem_bytes.per_gpu == spec->mem_bytes.per_gpu;
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
    struct bl_trace_shape *shape = find_shape(machine, spec);
    struct bl_misfit_report report;

    if (machine->cluster.node_count == 0 || (shape && is_shape_of(shape, spec))) {
        return true;
    }
    report = bl_place_check(&machine->cluster, spec);
    if (report.kind != BL_MISFIT_NONE) {
        print_misfit(why, spec, report);
        return false;
    }
    if (shape) {
        *shape = (struct bl_trace_shape){spec->gpus_min,  spec->gpus_want, spec->nodes_max,
                                         spec->cpu_milli, spec->mem_bytes, true};
    }
    return true;
}

void bl_trace_machine_finish(struct bl_trace_machine *machine)
{
    bl_cluster_finish(&machine->cluster);
}
