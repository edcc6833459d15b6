/* How a job uses its GPUs. */
#include "base/own.h"
#include "daemon/api.h"

static const struct {
    const char *name, *text;
} lacks[BL_USE_LACK_COUNT] = {
    [BL_USE_NO_GPUS] = {"no_gpus", "the job has no GPUs"},
    [BL_USE_NOT_RUNNING] = {"not_running", "the job does not run; nothing is kept of runs that are "
                                           "over"},
    [BL_USE_DECLARED] = {"declared", "this machine's GPUs are declared, nothing measures them"},
    [BL_USE_NO_DRIVER] = {"no_driver", NULL},
    [BL_USE_SOON] = {"soon", "nothing was measured yet"},
};

static void write_busy(struct bl_json *json, const struct bl_use *use, size_t gpu)
{
    bl_json_key(json, "utilization");
    bl_json_open_array(json);
    for (size_t i = 0; i < use->count; i++) {
        float busy = bl_use_value(use, gpu, i)->busy;

        if (busy >= 0) {
            bl_json_double(json, (double)(int)(busy * 1000 + 0.5F) / 1000);
        } else {
            bl_json_null(json);
        }
    }
    bl_json_close_array(json);
}

static void write_memory(struct bl_json *json, const struct bl_use *use, size_t gpu)
{
    bl_json_key(json, "mem_used_bytes");
    bl_json_open_array(json);
    for (size_t i = 0; i < use->count; i++) {
        int64_t bytes = bl_use_value(use, gpu, i)->mem_bytes;

        if (bytes >= 0) {
            bl_json_int(json, bytes);
        } else {
            bl_json_null(json);
        }
    }
    bl_json_close_array(json);
}

static void write_gpu(struct bl_json *json, const struct bl_node *node, int32_t number)
{
    bl_json_put_text(json, "node", node->spec.name);
    bl_json_put_int(json, "gpu", number);
    if (node->spec.gpu_mem_bytes > 0) {
        bl_json_put_int(json, "mem_bytes", node->spec.gpu_mem_bytes);
    } else {
        bl_json_put_null(json, "mem_bytes");
    }
}

/* The attempt is the same as when it was measured, and so are its GPUs. */
static void write_gpus(struct bl_json *json, const struct bl_api *api, const struct bl_job *job,
                       const struct bl_use *use)
{
    const struct bl_cluster *cluster = bl_core_cluster(bl_driver_ledger(api->driver)->core);
    BL_AUTO_FREE struct bl_use_gpu *gpus = bl_realloc_array(NULL, use->gpu_count, sizeof *gpus);
    size_t count = bl_use_gpus(job, gpus, use->gpu_count);

    for (size_t i = 0; i < use->gpu_count && i < count; i++) {
        bl_json_open_object(json);
        write_gpu(json, &cluster->node[gpus[i].node], gpus[i].gpu);
        write_busy(json, use, i);
        write_memory(json, use, i);
        bl_json_close_object(json);
    }
}

static void write_points(struct bl_json *json, const struct bl_api *api, const struct bl_job *job,
                         const struct bl_use *use)
{
    if (use) {
        bl_json_put_seconds(json, "every_s", bl_use_keeper_step(api->uses, use));
    } else {
        bl_json_put_null(json, "every_s");
    }
    bl_json_key(json, "at");
    bl_json_open_array(json);
    for (size_t i = 0; use && i < use->count; i++) {
        bl_json_instant(json, use->at[i]);
    }
    bl_json_close_array(json);
    bl_json_key(json, "gpus");
    bl_json_open_array(json);
    if (use) {
        write_gpus(json, api, job, use);
    }
    bl_json_close_array(json);
}

static void answer(const struct bl_api *api, struct bl_request *request, const struct bl_job *job)
{
    const struct bl_use *use = NULL;
    const char *why = NULL;
    enum bl_use_lack lack = bl_use_keeper_find(api->uses, job, &use, &why);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "id", job->id);
    bl_json_put_int(&json, "attempt", job->attempt);
    write_points(&json, api, job, use);
    bl_json_put_text(&json, "reason", lacks[lack].name);
    bl_json_put_text(&json, "reason_text", why ? why : lacks[lack].text);
    bl_json_close_object(&json);
    bl_request_answer(request, 200, &body);
}

void bl_api_use(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    struct bl_api_target target;
    const struct bl_job *job;
    struct bl_job room;

    if (!bl_api_find_target(api, request, &target)) {
        return;
    }
    job = bl_api_look_up(bl_driver_ledger(api->driver)->core, target.id, &room);
    if (job) {
        answer(api, request, job);
    } else {
        bl_api_fail_no_job(request, bl_request_param(request));
    }
}
