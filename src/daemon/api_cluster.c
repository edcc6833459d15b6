/* The machine: nodes, GPUs, health. */
#include "daemon/api.h"

static void put_cpus(struct bl_json *json, const char *key, int64_t milli)
{
    if (milli % 1000 == 0) {
        bl_json_put_int(json, key, milli / 1000);
    } else {
        bl_json_put_double(json, key, (double)milli / 1000);
    }
}

void bl_api_write_node_keys(struct bl_json *json, const struct bl_ledger *ledger, int32_t index)
{
    const struct bl_node *node = &bl_core_cluster(ledger->core)->node[index];
    const struct bl_node_spec *spec = &node->spec;

    bl_json_put_text(json, "name", spec->name);
    bl_json_put_text(json, "pool", spec->pool ? spec->pool : "default");
    bl_json_put_text(json, "state", bl_node_state_name(node->state));
    bl_json_put_instant(json, "drain_at", node->drain_at);
    bl_json_put_text(json, "gpu_type", spec->gpu_type);
    bl_json_put_int(json, "gpus", spec->gpus);
    bl_json_put_int(json, "gpus_free", node->free.amount[BL_RESOURCE_GPU]);
    bl_json_key(json, "gpus_lost");
    bl_json_open_array(json);
    for (int gpu = 0; gpu < spec->gpus && !spec->counted; gpu++) {
        if (node->lost >> gpu & 1) {
            bl_json_int(json, gpu);
        }
    }
    bl_json_close_array(json);
    bl_json_put_int(json, "gpu_mem_bytes", spec->gpu_mem_bytes);
    put_cpus(json, "cpus", spec->cpu_milli);
    put_cpus(json, "cpus_free", node->free.amount[BL_RESOURCE_CPU]);
    bl_json_put_int(json, "mem_bytes", spec->mem_bytes);
    bl_json_put_int(json, "mem_free_bytes", node->free.amount[BL_RESOURCE_MEM]);
    bl_json_key(json, "jobs");
    bl_json_open_array(json);
    for (size_t i = 0; i < ledger->active.count; i++) {
        const struct bl_ledger_job *entry = bl_ledger_get(ledger, ledger->active.at[i]);

        if (bl_alloc_part_on(&entry->alloc, index)) {
            bl_json_int(json, ledger->active.at[i]);
        }
    }
    bl_json_close_array(json);
}

void bl_api_nodes(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!bl_api_admit(request)) {
        return;
    }
    bl_api_open_list(&json, &body, "nodes");
    for (size_t n = 0; n < bl_core_cluster(ledger->core)->node_count; n++) {
        bl_json_open_object(&json);
        bl_api_write_node_keys(&json, ledger, (int32_t)n);
        bl_json_close_object(&json);
    }
    bl_api_answer_list(request, 200, &json);
}

/* --- GPUs ------------------------------------------------------------------------------------ */

/* The job that holds this GPU, or NULL. */
static const struct bl_job *holder_of(const struct bl_ledger *ledger, int32_t node, int gpu)
{
    for (size_t i = 0; i < ledger->active.count; i++) {
        const struct bl_alloc *alloc = &bl_ledger_get(ledger, ledger->active.at[i])->alloc;

        const struct bl_alloc_part *part = bl_alloc_part_on(alloc, node);

        if (part && (part->gpu_mask >> gpu & 1)) {
            return bl_core_find_job(ledger->core, ledger->active.at[i]);
        }
    }
    return NULL;
}

static void put_known(struct bl_json *json, const char *key, int64_t value)
{
    if (value >= 0) {
        bl_json_put_int(json, key, value);
    } else {
        bl_json_put_null(json, key);
    }
}

/* -1 is what nobody measures. */
static void write_measured(struct bl_json *json, const struct bl_nvml_use *seen)
{
    if (seen && seen->busy_percent >= 0) {
        bl_json_put_double(json, "utilization", (double)seen->busy_percent / 100);
    } else {
        bl_json_put_null(json, "utilization");
    }
    put_known(json, "mem_used_bytes", seen ? seen->mem_used_bytes : -1);
    put_known(json, "temperature_c", seen ? seen->temperature_c : -1);
    if (seen && seen->power_mw >= 0) {
        bl_json_put_double(json, "power_w", (double)seen->power_mw / 1000);
    } else {
        bl_json_put_null(json, "power_w");
    }
}

static void write_gpu(struct bl_json *json, const struct bl_api *api, const struct bl_node *node,
                      int gpu, const struct bl_job *holder)
{
    const char *idle = node->state == BL_NODE_DOWN ? "down" : "free";

    bl_json_open_object(json);
    bl_json_put_text(json, "node", node->spec.name);
    bl_json_put_int(json, "gpu", gpu);
    bl_json_put_text(json, "type", node->spec.gpu_type);
    bl_json_put_int(json, "mem_bytes", node->spec.gpu_mem_bytes);
    bl_json_put_text(json, "uuid", bl_driver_gpu_uuid(api->driver, node->spec.name, gpu));
    bl_json_put_text(json, "state", node->lost >> gpu & 1 ? "down" : holder ? "busy" : idle);
    if (holder) {
        bl_json_put_int(json, "job", holder->id);
        bl_json_put_text(json, "user", holder->spec.user);
    } else {
        bl_json_put_null(json, "job");
        bl_json_put_null(json, "user");
    }
    write_measured(json, bl_use_keeper_gpu(api->uses, node->spec.name, gpu));
    bl_json_close_object(json);
}

/* GPUs that are only counted have no identity to list. */
static void write_gpus_of(struct bl_json *json, const struct bl_api *api, int32_t index)
{
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    const struct bl_node *node = &bl_core_cluster(ledger->core)->node[index];

    for (int g = 0; g < node->spec.gpus && !node->spec.counted; g++) {
        write_gpu(json, api, node, g, holder_of(ledger, index, g));
    }
}

void bl_api_gpus(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!bl_api_admit(request)) {
        return;
    }
    bl_use_keeper_wish(api->uses);
    bl_api_open_list(&json, &body, "gpus");
    for (size_t n = 0; n < bl_core_cluster(ledger->core)->node_count; n++) {
        write_gpus_of(&json, api, (int32_t)n);
    }
    bl_api_answer_list(request, 200, &json);
}

/* --- health ---------------------------------------------------------------------------------- */

void bl_api_health(void *self, struct bl_request *request)
{
    const struct bl_api *api = self;
    const struct bl_ledger *ledger = bl_driver_ledger(api->driver);
    BL_AUTO_BUF body = {0};
    struct bl_json json;
    struct bl_error err;

    if (!bl_api_admit(request)) {
        return;
    }
    if (bl_driver_check(api->driver, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
        return;
    }
    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_text(&json, "status", "ok");
    bl_json_put_text(&json, "version", BL_VERSION);
    bl_json_put_int(&json, "seq", ledger->seq);
    bl_json_put_int(&json, "jobs", (int64_t)bl_core_job_count(ledger->core));
    bl_json_put_text(&json, "engine", bl_driver_engine_name(api->driver));
    bl_json_put_text(&json, "policy", bl_core_policy(ledger->core)->policy->name);
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}
