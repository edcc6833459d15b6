/* What cannot be short in a plan. */
#include "core/plan_parts.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Rounded up; what is taken without GPUs counts as too much. */
static int64_t beside_each(int64_t amount, int64_t gpus)
{
    if (amount <= 0) {
        return 0;
    }
    return gpus > 0 ? amount / gpus + (amount % gpus != 0) : INT64_MAX;
}

void bl_plan_light_note(struct bl_plan_columns *columns, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        int32_t column = columns->of_node[part[i].node];

        if (column >= 0) {
            struct bl_plan_side *most = &columns->group[columns->group_of[column]].most_each;

            most->cpu_milli = larger(most->cpu_milli, beside_each(part[i].cpu_milli, part[i].gpus));
            most->mem_bytes = larger(most->mem_bytes, beside_each(part[i].mem_bytes, part[i].gpus));
        }
    }
}

static bool may_suit(const struct bl_plan_group *group, const struct bl_plan_kind *kind)
{
    return group->type >= 0 && (kind->type_mask == 0 || ((kind->type_mask >> group->type) & 1));
}

struct bl_plan_request bl_plan_light_request(const struct bl_plan_columns *columns,
                                             const struct bl_plan_request *request)
{
    struct bl_plan_request light = *request;
    int64_t *need = light.need.amount;
    int64_t cpus = beside_each(need[BL_RESOURCE_CPU], need[BL_RESOURCE_GPU]);
    int64_t mem = beside_each(need[BL_RESOURCE_MEM], need[BL_RESOURCE_GPU]);
    bool is_cpu_short = false;
    bool is_mem_short = false;

    if (need[BL_RESOURCE_GPU] == 0) {
        return light;
    }
    for (size_t i = 0; i < columns->group_count; i++) {
        const struct bl_plan_group *group = &columns->group[i];

        if (may_suit(group, &request->kind)) {
            is_cpu_short = is_cpu_short ||
                           larger(cpus, group->most_each.cpu_milli) > group->least_each.cpu_milli;
            is_mem_short = is_mem_short ||
                           larger(mem, group->most_each.mem_bytes) > group->least_each.mem_bytes;
        }
    }
    need[BL_RESOURCE_CPU] = is_cpu_short ? need[BL_RESOURCE_CPU] : 0;
    need[BL_RESOURCE_MEM] = is_mem_short ? need[BL_RESOURCE_MEM] : 0;
    return light;
}
