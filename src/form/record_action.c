#include "form/json_out.h"
#include "form/record.h"

static void put_reason(struct bl_json *json, const struct bl_reason *reason)
{
    bl_json_key(json, "reason");
    bl_json_open_object(json);
    bl_json_put_text(json, "code", bl_reason_name(reason->code));
    if (reason->job) {
        bl_json_put_int(json, "job", reason->job);
    }
    if (reason->need) {
        bl_json_put_int(json, "need", reason->need);
    }
    if (reason->have) {
        bl_json_put_int(json, "have", reason->have);
    }
    if (reason->at == BL_TIME_NEVER) {
        bl_json_put_null(json, "at");
    } else if (reason->at) {
        bl_json_put_seconds(json, "at", reason->at);
    }
    bl_json_close_object(json);
}

static void put_gpus(struct bl_json *json, const struct bl_alloc_part *part)
{
    bl_json_key(json, "gpus");
    if (part->gpus && !part->gpu_mask) {
        bl_json_null(json);
        return;
    }
    bl_json_open_array(json);
    for (int gpu = 0; gpu < BL_NODE_NAMED_GPUS_MAX; gpu++) {
        if (part->gpu_mask >> gpu & 1) {
            bl_json_int(json, gpu);
        }
    }
    bl_json_close_array(json);
}

static void put_part(struct bl_json *json, const struct bl_alloc_part *part,
                     const struct bl_cluster *cluster)
{
    bl_json_open_object(json);
    bl_json_put_text(json, "node", cluster->node[part->node].spec.name);
    put_gpus(json, part);
    bl_json_put_int(json, "gpu_count", part->gpus);
    bl_json_put_int(json, "cpu_milli", part->cpu_milli);
    bl_json_put_int(json, "mem_bytes", part->mem_bytes);
    bl_json_close_object(json);
}

void bl_record_write_action(struct bl_buf *out, bl_time at, const struct bl_action *action,
                            const struct bl_cluster *cluster)
{
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "action", bl_action_name(action->kind));
    bl_json_put_seconds(&json, "at", at);
    bl_json_put_int(&json, "job", action->job);
    bl_json_put_int(&json, "attempt", action->attempt);
    put_reason(&json, &action->reason);
    if (action->kind == BL_ACTION_SIGNAL) {
        bl_json_put_int(&json, "signal", action->signal);
        bl_json_put_bool(&json, "shell_only", action->shell_only);
    }
    if (action->alloc) {
        const struct bl_alloc_part *part = bl_alloc_parts(action->alloc);

        bl_json_key(&json, "where");
        bl_json_open_array(&json);
        for (uint32_t i = 0; i < action->alloc->part_count; i++) {
            put_part(&json, &part[i], cluster);
        }
        bl_json_close_array(&json);
    }
    bl_json_close_object(&json);
    bl_buf_append_char(out, '\n');
}
