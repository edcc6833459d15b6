#include "engine/local_env.h"

#include "form/json_out.h"

#include <stdlib.h>
#include <string.h>

/* Device numbers are absolute: nothing hides the other devices from a job here. Two layers of a
 * ROCm program each take a mask; the lower one gets the absolute numbers and renumbers, so the
 * upper one gets 0 … n-1, and HIP_VISIBLE_DEVICES keeps it from taking CUDA's. */
enum device_form {
    NUMBERS,         /* "4,7"; "-1" when there is none */
    RENUMBERED,      /* "0,1"; "-1" when there is none */
    UUIDS,           /* "GPU-a,GPU-b"; empty when there is none */
    UUIDS_OR_NUMBERS /* made-up UUIDs would mislead a container runtime; "void" for none */
};

static const struct {
    const char *name;
    enum device_form form;
} device_variables[] = {
    {"BALEEN_GPU_UUIDS", UUIDS},
    {"CUDA_VISIBLE_DEVICES", NUMBERS},
    {"NVIDIA_VISIBLE_DEVICES", UUIDS_OR_NUMBERS},
    {"ROCR_VISIBLE_DEVICES", NUMBERS},
    {"HIP_VISIBLE_DEVICES", RENUMBERED},
    {"ASCEND_RT_VISIBLE_DEVICES", NUMBERS},
};

enum { DEVICE_VARIABLE_COUNT = sizeof device_variables / sizeof device_variables[0] };

/* Taken from the submitter's environment and, where not among the variables above, not replaced. */
static const char *const dropped[] = {
    "BALEEN_JOB_TOKEN",   "BALEEN_JOB_ID",       "BALEEN_ATTEMPT",    "BALEEN_ARRAY_JOB_ID",
    "BALEEN_ARRAY_INDEX", "BALEEN_GPUS",         "BALEEN_DIR",        "BALEEN_PROGRESS",
    "BALEEN_RESUME",      "BALEEN_CHECKPOINT_S", "CUDA_DEVICE_ORDER", "GPU_DEVICE_ORDINAL",
    "ZE_AFFINITY_MASK",
};

static bool is_named(const char *entry, const char *name)
{
    size_t length = strlen(name);

    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static bool is_dropped(const char *entry)
{
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        if (is_named(entry, dropped[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < DEVICE_VARIABLE_COUNT; i++) {
        if (is_named(entry, device_variables[i].name)) {
            return true;
        }
    }
    return false;
}

static const char *word_for_none(enum device_form form)
{
    switch (form) {
    case NUMBERS:
    case RENUMBERED:
        return "-1";
    case UUIDS:
        return "";
    case UUIDS_OR_NUMBERS:
        return "void";
    }
    return "";
}

static void append_device(struct bl_buf *out, const bl_local_devices *devices, size_t index,
                          enum device_form form)
{
    const struct bl_local_device *device = &devices->at[index];

    if (form == UUIDS || (form == UUIDS_OR_NUMBERS && !device->declared)) {
        bl_buf_append_text(out, device->uuid);
    } else if (form == RENUMBERED) {
        bl_buf_printf(out, "%zu", index);
    } else {
        bl_buf_printf(out, "%d", device->number);
    }
}

static void append_devices(struct bl_buf *out, const bl_local_devices *devices,
                           enum device_form form)
{
    if (!devices->count) {
        bl_buf_append_text(out, word_for_none(form));
    }
    for (size_t i = 0; i < devices->count; i++) {
        if (i) {
            bl_buf_append_char(out, ',');
        }
        append_device(out, devices, i, form);
    }
}

struct env_list {
    char **at;
    size_t count;
    struct bl_arena *arena;
    struct bl_buf text;
};

/* Adds what was written to the text. */
static void add(struct env_list *list)
{
    list->at[list->count++] = bl_arena_copy_text(list->arena, bl_buf_text(&list->text));
    bl_buf_clear(&list->text);
}

/* Empty for the first attempt, which has nothing to go on from. */
static void add_checkpoint(struct env_list *list, const struct bl_local_setting *setting)
{
    const struct bl_launch *launch = setting->launch;

    if (launch && launch->resume) {
        bl_buf_printf(&list->text, "BALEEN_RESUME=%s", setting->attempt > 1 ? launch->resume : "");
        add(list);
    }
    if (launch && launch->checkpoint_every) {
        bl_buf_printf(&list->text, "BALEEN_CHECKPOINT_S=%g",
                      (double)launch->checkpoint_every / BL_SECOND);
        add(list);
    }
}

static void add_contract(struct env_list *list, const struct bl_local_setting *setting)
{
    struct bl_buf *text = &list->text;

    bl_buf_append_text(text, setting->token);
    add(list);
    bl_buf_printf(text, "BALEEN_JOB_ID=%lld", (long long)setting->job);
    add(list);
    bl_buf_printf(text, "BALEEN_ATTEMPT=%d", setting->attempt);
    add(list);
    if (setting->array) {
        bl_buf_printf(text, "BALEEN_ARRAY_JOB_ID=%lld", (long long)setting->array);
        add(list);
        bl_buf_printf(text, "BALEEN_ARRAY_INDEX=%d", setting->array_index);
        add(list);
    }
    bl_buf_printf(text, "BALEEN_GPUS=%zu", setting->devices->count);
    add(list);
    bl_buf_printf(text, "BALEEN_DIR=%s", setting->directory);
    add(list);
    bl_buf_printf(text, "BALEEN_PROGRESS=%s/progress", setting->directory);
    add(list);
    add_checkpoint(list, setting);
    bl_buf_append_text(text, "CUDA_DEVICE_ORDER=PCI_BUS_ID");
    add(list);
    for (size_t i = 0; i < DEVICE_VARIABLE_COUNT; i++) {
        bl_buf_printf(text, "%s=", device_variables[i].name);
        append_devices(text, setting->devices, device_variables[i].form);
        add(list);
    }
}

static bool wants_slurm(const struct bl_local_setting *setting)
{
    return setting->launch && setting->launch->slurm_env;
}

static void add_int(struct env_list *list, const char *name, int64_t value)
{
    bl_buf_printf(&list->text, "%s=%lld", name, (long long)value);
    add(list);
}

static void add_slurm_array(struct env_list *list, const struct bl_local_setting *setting)
{
    const struct bl_job_spec *spec = setting->array_spec;
    int32_t least = INT32_MAX;
    int32_t most = 0;

    for (size_t i = 0; i < spec->array_range_count; i++) {
        const struct bl_array_range *range = &spec->array[i];
        int32_t last = range->last - (range->last - range->first) % range->step;

        least = range->first < least ? range->first : least;
        most = last > most ? last : most;
    }
    add_int(list, "SLURM_ARRAY_JOB_ID", setting->array);
    add_int(list, "SLURM_ARRAY_TASK_ID", setting->array_index);
    add_int(list, "SLURM_ARRAY_TASK_COUNT", bl_array_count(spec));
    add_int(list, "SLURM_ARRAY_TASK_MIN", least);
    add_int(list, "SLURM_ARRAY_TASK_MAX", most);
    add_int(list, "SLURM_ARRAY_TASK_STEP", spec->array[0].step);
}

static void add_slurm_nodes(struct env_list *list, const struct bl_local_setting *setting)
{
    const struct bl_alloc_part *parts = bl_alloc_parts(setting->alloc);
    struct bl_buf names = {0};

    for (uint32_t i = 0; i < setting->alloc->part_count; i++) {
        bl_buf_printf(&names, "%s%s", i ? "," : "",
                      setting->cluster->node[parts[i].node].spec.name);
    }
    add_int(list, "SLURM_JOB_NUM_NODES", setting->alloc->part_count);
    add_int(list, "SLURM_NNODES", setting->alloc->part_count);
    add_int(list, "SLURM_CPUS_ON_NODE", (parts[0].cpu_milli + 999) / 1000);
    add_int(list, "SLURM_JOB_CPUS_PER_NODE", (parts[0].cpu_milli + 999) / 1000);
    bl_buf_printf(&list->text, "SLURM_JOB_NODELIST=%s", bl_buf_text(&names));
    add(list);
    bl_buf_printf(&list->text, "SLURM_NODELIST=%s", bl_buf_text(&names));
    add(list);
    bl_buf_printf(&list->text, "SLURMD_NODENAME=%s",
                  setting->alloc->part_count ? setting->cluster->node[parts[0].node].spec.name
                                             : "");
    add(list);
    bl_buf_finish(&names);
}

/* What scripts with #SBATCH lines look at. One task on one node is what they get. */
static void add_slurm(struct env_list *list, const struct bl_local_setting *setting)
{
    const struct bl_job_spec *spec = setting->job_spec;

    add_int(list, "SLURM_JOB_ID", setting->job);
    add_int(list, "SLURM_JOBID", setting->job);
    bl_buf_printf(&list->text, "SLURM_JOB_NAME=%s", spec->name ? spec->name : "job");
    add(list);
    bl_buf_printf(&list->text, "SLURM_SUBMIT_DIR=%s", setting->launch->workdir);
    add(list);
    bl_buf_printf(&list->text, "SLURM_JOB_USER=%s", spec->user ? spec->user : "");
    add(list);
    bl_buf_printf(&list->text, "SLURM_JOB_PARTITION=%s", spec->pool ? spec->pool : "default");
    add(list);
    bl_buf_printf(&list->text, "SLURM_CLUSTER_NAME=baleen");
    add(list);
    add_int(list, "SLURM_NTASKS", 1);
    add_int(list, "SLURM_NPROCS", 1);
    add_int(list, "SLURM_PROCID", 0);
    add_int(list, "SLURM_LOCALID", 0);
    add_int(list, "SLURM_NODEID", 0);
    add_int(list, "SLURM_GPUS", (int64_t)setting->devices->count);
    add_int(list, "SLURM_GPUS_ON_NODE", (int64_t)setting->devices->count);
    add_int(list, "SLURM_RESTART_COUNT", setting->attempt - 1);
    if (setting->devices->count) {
        bl_buf_append_text(&list->text, "SLURM_JOB_GPUS=");
        append_devices(&list->text, setting->devices, NUMBERS);
        add(list);
    }
    add_slurm_nodes(list, setting);
    if (setting->array_spec) {
        add_slurm_array(list, setting);
    }
}

static bool is_slurm(const char *entry)
{
    return strncmp(entry, "SLURM_", 6) == 0 || strncmp(entry, "SLURMD_", 7) == 0;
}

/* What a script's flags say goes before what follows from the allocation. */
static bool is_asked(const char *entry)
{
    static const char *const asked[] = {"SLURM_GPUS", "SLURM_JOB_PARTITION", "SLURM_NPROCS",
                                        "SLURM_NTASKS", "SLURM_SUBMIT_DIR"};

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        if (is_named(entry, asked[i])) {
            return true;
        }
    }
    return false;
}

/* A variable of Slurm's among those submitted: beside ours, in place of one, or left out. */
static void take_slurm(struct env_list *list, char *entry)
{
    size_t length = strcspn(entry, "=") + 1;

    for (size_t i = 0; i < list->count; i++) {
        if (strncmp(list->at[i], entry, length) == 0) {
            list->at[i] = is_asked(entry) ? entry : list->at[i];
            return;
        }
    }
    list->at[list->count++] = entry;
}

char **bl_local_env_build(const struct bl_local_setting *setting, char *const *submitted,
                          struct bl_arena *arena)
{
    enum { CONTRACT_MAX = 48 + DEVICE_VARIABLE_COUNT };
    struct env_list list = {.arena = arena};
    bool has_path = false;
    size_t count = 0;

    while (submitted[count]) {
        count++;
    }
    list.at = bl_arena_alloc(arena, (count + CONTRACT_MAX) * sizeof *list.at);
    add_contract(&list, setting);
    if (wants_slurm(setting)) {
        add_slurm(&list, setting);
    }
    for (size_t i = 0; i < count; i++) {
        if (wants_slurm(setting) && is_slurm(submitted[i])) {
            take_slurm(&list, submitted[i]);
        } else if (!is_dropped(submitted[i])) {
            list.at[list.count++] = submitted[i];
            has_path = has_path || is_named(submitted[i], "PATH");
        }
    }
    if (!has_path) {
        bl_buf_append_text(&list.text, "PATH=/usr/local/bin:/usr/bin:/bin");
        add(&list);
    }
    bl_buf_finish(&list.text);
    return list.at;
}

/* ---- alloc.json ---- */

static void print_part(struct bl_json *json, const struct bl_local_setting *setting,
                       const struct bl_alloc_part *part)
{
    const char *name = setting->cluster->node[part->node].spec.name;

    bl_json_open_object(json);
    bl_json_put_text(json, "node", name);
    bl_json_key(json, "cpus");
    bl_json_double(json, (double)part->cpu_milli / 1000);
    bl_json_put_int(json, "mem_bytes", part->mem_bytes);
    bl_json_key(json, "gpus");
    bl_json_open_array(json);
    for (size_t i = 0; i < setting->devices->count; i++) {
        const struct bl_local_device *device = &setting->devices->at[i];

        if (strcmp(device->node, name) == 0) {
            bl_json_open_object(json);
            bl_json_put_int(json, "gpu", device->gpu);
            bl_json_put_int(json, "device", device->number);
            bl_json_put_text(json, "uuid", device->uuid);
            bl_json_close_object(json);
        }
    }
    bl_json_close_array(json);
    bl_json_close_object(json);
}

void bl_local_env_print_alloc(const struct bl_local_setting *setting, struct bl_buf *out)
{
    const struct bl_alloc_part *parts = bl_alloc_parts(setting->alloc);
    struct bl_json json;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "job", setting->job);
    bl_json_put_int(&json, "attempt", setting->attempt);
    bl_json_put_int(&json, "gpus", (int64_t)setting->devices->count);
    bl_json_key(&json, "nodes");
    bl_json_open_array(&json);
    for (uint32_t i = 0; i < setting->alloc->part_count; i++) {
        print_part(&json, setting, &parts[i]);
    }
    bl_json_close_array(&json);
    bl_json_close_object(&json);
    bl_buf_append_char(out, '\n');
}
