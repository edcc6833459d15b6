#include "sim/story.h"

#include "form/reason_text.h"

static void tell_nodes(struct bl_buf *out, const struct bl_cluster *cluster,
                       const struct bl_alloc *alloc)
{
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        const struct bl_alloc_part *part = &bl_alloc_parts(alloc)[i];

        bl_buf_printf(out, ", %d GPU%s on %s", part->gpus, part->gpus == 1 ? "" : "s",
                      cluster->node[part->node].spec.name);
    }
}

static void tell_action(struct bl_buf *out, const struct bl_core *core,
                        const struct bl_action *action)
{
    const struct bl_job *job = bl_core_find_job(core, action->job);

    bl_buf_printf(out, "    %ss job %lld", bl_action_name(action->kind), (long long)action->job);
    if (job && job->spec.name) {
        bl_buf_printf(out, " (%s)", job->spec.name);
    }
    if (action->alloc) {
        tell_nodes(out, bl_core_cluster(core), action->alloc);
    }
    bl_buf_append_text(out, ": ");
    bl_reason_print(out, &action->reason, NULL);
    bl_buf_append_char(out, '\n');
}

void bl_sim_tell_round(struct bl_sim_output *out, const struct bl_core *core, bl_time now,
                       const struct bl_actions *actions)
{
    bl_span_print(&out->text, now);
    bl_buf_printf(&out->text, ": %lld of %lld GPUs are free after this round\n",
                  (long long)bl_core_cluster(core)->free.amount[BL_RESOURCE_GPU],
                  (long long)bl_core_cluster(core)->capacity.amount[BL_RESOURCE_GPU]);
    for (size_t i = 0; i < actions->list.count; i++) {
        tell_action(&out->text, core, &actions->list.at[i]);
    }
    bl_sim_output_flush_full(out);
}
