#include "base/units.h"
#include "form/script_parts.h"

#include <string.h>

enum { COUNT_MAX = 1000000 };

static int read_number(struct bl_script_reader *reader, const char *value,
                       struct bl_script_value *out)
{
    struct bl_error cause = {0};

    if (bl_int_parse(value, 1, COUNT_MAX, &out->number, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    out->text = value;
    out->line = reader->line;
    return BL_OK;
}

/* -N: nodes that there must be, and may be. */
int bl_slurm_read_nodes(struct bl_script_reader *reader, const char *value)
{
    const char *dash = strchr(value, '-');
    const char *most = dash ? dash + 1 : value;
    struct bl_error cause = {0};
    int64_t least = 0;
    int64_t nodes = 0;

    if (bl_int_parse(bl_script_print(reader, "%.*s", (int)strcspn(value, "-"), value), 1, COUNT_MAX,
                     &least, &cause) != BL_OK ||
        bl_int_parse(most, least, COUNT_MAX, &nodes, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    if (least > 1) {
        bl_script_fail(reader,
                       "a job that must have %lld nodes is not supported by this version "
                       "yet",
                       (long long)least);
        return bl_error_set_hint(reader->err,
                                 "write --nodes=1, or --nodes=1-%lld if it may be "
                                 "spread",
                                 (long long)nodes);
    }
    bl_script_set_resource(reader, "nodes", bl_script_print(reader, "%lld", (long long)nodes));
    return BL_OK;
}

int bl_slurm_read_ntasks(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_NTASKS", value);
    bl_script_tell(reader, "SLURM_NPROCS", value);
    return read_number(reader, value, &reader->slurm.tasks);
}

int bl_slurm_read_ntasks_per_node(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_NTASKS_PER_NODE", value);
    return read_number(reader, value, &reader->slurm.tasks_per_node);
}

int bl_slurm_read_cpus_per_task(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_CPUS_PER_TASK", value);
    return read_number(reader, value, &reader->slurm.cpus_per_task);
}

int bl_slurm_read_cpus_per_gpu(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_CPUS_PER_GPU", value);
    return read_number(reader, value, &reader->slurm.cpus_per_gpu);
}

static int read_gpu_count(struct bl_script_reader *reader, const char *text,
                          struct bl_script_value *out)
{
    struct bl_error cause = {0};

    if (bl_int_parse(text, 0, BL_JOBSPEC_GPUS_MAX, &out->number, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    out->text = text;
    out->line = reader->line;
    return BL_OK;
}

/* "2", "a100:2". */
static int read_typed_gpus(struct bl_script_reader *reader, const char *value,
                           struct bl_script_value *out)
{
    const char *colon = strchr(value, ':');
    int status;

    if (strchr(value, ',')) {
        return bl_script_fail(reader, "GPUs of several types at once are not supported by this "
                                      "version yet");
    }
    status = read_gpu_count(reader, colon ? colon + 1 : value, out);
    if (status == BL_OK && colon) {
        status = bl_script_set_gpu_types(
            reader, bl_script_print(reader, "%.*s", (int)(colon - value), value));
    }
    return status;
}

int bl_slurm_read_gpus(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_GPUS", value);
    return read_typed_gpus(reader, value, &reader->slurm.gpus);
}

int bl_slurm_read_gpus_per_node(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_GPUS_PER_NODE", value);
    return read_typed_gpus(reader, value, &reader->slurm.gpus_per_node);
}

int bl_slurm_read_gpus_per_task(struct bl_script_reader *reader, const char *value)
{
    bl_script_tell(reader, "SLURM_GPUS_PER_TASK", value);
    return read_typed_gpus(reader, value, &reader->slurm.gpus_per_task);
}

/* "gpu", "gpu:2", "gpu:a100", "gpu:a100:2"; sockets behind a '(' are left out. */
int bl_slurm_read_gres(struct bl_script_reader *reader, const char *value)
{
    const char *text = !strncmp(value, "gres/", 5) ? value + 5 : value;
    const char *rest;

    if (!strcmp(text, "none")) {
        return read_gpu_count(reader, "0", &reader->slurm.gpus_per_node);
    }
    if (strncmp(text, "gpu", 3) != 0 || (text[3] && text[3] != ':') || strchr(text, ',')) {
        return bl_script_fail(reader, "expected gpu[:TYPE][:COUNT] alone, found '%.100s'", value);
    }
    rest = text[3] ? bl_script_print(reader, "%.*s", (int)strcspn(text + 4, "("), text + 4) : "1";
    if (!strchr(rest, ':') && rest[strspn(rest, "0123456789")]) {
        rest = bl_script_print(reader, "%s:1", rest);
    }
    return read_typed_gpus(reader, rest, &reader->slurm.gpus_per_node);
}

/* A bare number is MiB, as Slurm's. */
static int read_memory(struct bl_script_reader *reader, const char *value,
                       struct bl_script_value *out)
{
    bool has_unit = value[strspn(value, "0123456789")] != '\0';
    const char *text = has_unit ? value : bl_script_print(reader, "%sMiB", value);
    struct bl_error cause = {0};

    if (bl_size_parse(text, &out->number, &cause) != BL_OK) {
        return bl_script_fail_cause(reader, &cause);
    }
    if (!out->number) {
        return bl_script_fail(reader, "all the memory of a node is not supported by this version "
                                      "yet: write how much");
    }
    out->text = text;
    out->line = reader->line;
    return BL_OK;
}

int bl_slurm_read_mem(struct bl_script_reader *reader, const char *value)
{
    return read_memory(reader, value, &reader->slurm.mem);
}

int bl_slurm_read_mem_per_cpu(struct bl_script_reader *reader, const char *value)
{
    return read_memory(reader, value, &reader->slurm.mem_per_cpu);
}

int bl_slurm_read_mem_per_gpu(struct bl_script_reader *reader, const char *value)
{
    return read_memory(reader, value, &reader->slurm.mem_per_gpu);
}

/* Slurm tells memory in MiB. */
static const char *in_mebibytes(struct bl_script_reader *reader,
                                const struct bl_script_value *value)
{
    return bl_script_print(reader, "%lld", (long long)(value->number >> 20));
}

static void set_number(struct bl_script_reader *reader, const char *key, int64_t number,
                       const char *tail)
{
    bl_script_offer_resource(reader, key,
                             bl_script_print(reader, "%lld%s", (long long)number, tail));
}

/* The place of a flag that was read before. */
static void return_to(struct bl_script_reader *reader, const char *flag,
                      const struct bl_script_value *value)
{
    reader->flag = flag;
    reader->line = value->line;
    reader->place = value->line ? reader->name : reader->place;
}

/* Tasks on the job's one node. */
static int count_tasks(struct bl_script_reader *reader, int64_t *out)
{
    const struct bl_script_slurm *slurm = &reader->slurm;
    int64_t tasks = slurm->tasks.text ? slurm->tasks.number : slurm->tasks_per_node.number;

    if (slurm->tasks_per_node.text && tasks > slurm->tasks_per_node.number) {
        return_to(reader, "--ntasks-per-node", &slurm->tasks_per_node);
        return bl_script_fail(reader,
                              "%lld tasks, %lld on each node, need several nodes: that is "
                              "not supported by this version yet",
                              (long long)tasks, (long long)slurm->tasks_per_node.number);
    }
    if (slurm->tasks_per_node.text && !slurm->tasks.text) {
        bl_script_tell(reader, "SLURM_NTASKS", slurm->tasks_per_node.text);
        bl_script_tell(reader, "SLURM_NPROCS", slurm->tasks_per_node.text);
    }
    *out = tasks ? tasks : 1;
    return BL_OK;
}

/* What each of the three flags for GPUs makes them; they must agree. */
static int finish_gpus(struct bl_script_reader *reader, int64_t tasks, int64_t *out)
{
    const struct bl_script_slurm *slurm = &reader->slurm;
    const struct {
        const char *flag;
        const struct bl_script_value *value;
        int64_t times;
    } rows[] = {{"--gpus", &slurm->gpus, 1},
                {"--gpus-per-node", &slurm->gpus_per_node, 1},
                {"--gpus-per-task", &slurm->gpus_per_task, tasks}};
    int64_t total = -1;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t gpus = rows[i].value->number * rows[i].times;

        if (!rows[i].value->text) {
            continue;
        }
        return_to(reader, rows[i].flag, rows[i].value);
        if (total >= 0 && gpus != total) {
            return bl_script_fail(reader, "it makes %lld GPUs, where another flag makes %lld",
                                  (long long)gpus, (long long)total);
        }
        if (gpus > BL_JOBSPEC_GPUS_MAX) {
            return bl_script_fail(reader, "expected at most %d GPUs, found %lld",
                                  BL_JOBSPEC_GPUS_MAX, (long long)gpus);
        }
        total = gpus;
        set_number(reader, "gpus", gpus, "");
    }
    *out = total > 0 ? total : 0;
    return BL_OK;
}

/* CPUs of the whole job; 0 when nothing was said. */
static int finish_cpus(struct bl_script_reader *reader, int64_t tasks, int64_t gpus, int64_t *out)
{
    const struct bl_script_slurm *slurm = &reader->slurm;
    bool has_tasks = slurm->tasks.text || slurm->tasks_per_node.text || slurm->cpus_per_task.text;

    *out = 0;
    if (slurm->cpus_per_gpu.text && !slurm->cpus_per_task.text) {
        return_to(reader, "--cpus-per-gpu", &slurm->cpus_per_gpu);
        if (!gpus) {
            return bl_script_fail(reader, "the job asks for no GPU");
        }
        set_number(reader, "cpus", slurm->cpus_per_gpu.number, "/gpu");
        *out = slurm->cpus_per_gpu.number * gpus;
    } else if (has_tasks) {
        return_to(reader, "--cpus-per-task",
                  slurm->cpus_per_task.text ? &slurm->cpus_per_task : &slurm->tasks);
        *out = tasks * (slurm->cpus_per_task.text ? slurm->cpus_per_task.number : 1);
        set_number(reader, "cpus", *out, "");
    }
    return BL_OK;
}

static int finish_mem(struct bl_script_reader *reader, int64_t cpus)
{
    const struct bl_script_slurm *slurm = &reader->slurm;
    int given = (slurm->mem.text != NULL) + (slurm->mem_per_cpu.text != NULL) +
                (slurm->mem_per_gpu.text != NULL);
    int64_t bytes = 0;

    if (given > 1) {
        return_to(reader, "--mem", slurm->mem.text ? &slurm->mem : &slurm->mem_per_cpu);
        return bl_script_fail(reader, "expected one of --mem, --mem-per-cpu and --mem-per-gpu");
    }
    if (slurm->mem.text) {
        return_to(reader, "--mem", &slurm->mem);
        bl_script_tell(reader, "SLURM_MEM_PER_NODE", in_mebibytes(reader, &slurm->mem));
        bl_script_offer_resource(reader, "mem", slurm->mem.text);
    }
    if (slurm->mem_per_gpu.text) {
        return_to(reader, "--mem-per-gpu", &slurm->mem_per_gpu);
        bl_script_tell(reader, "SLURM_MEM_PER_GPU", in_mebibytes(reader, &slurm->mem_per_gpu));
        bl_script_offer_resource(reader, "mem",
                                 bl_script_print(reader, "%s/gpu", slurm->mem_per_gpu.text));
    }
    if (slurm->mem_per_cpu.text) {
        return_to(reader, "--mem-per-cpu", &slurm->mem_per_cpu);
        bl_script_tell(reader, "SLURM_MEM_PER_CPU", in_mebibytes(reader, &slurm->mem_per_cpu));
        if (__builtin_mul_overflow(slurm->mem_per_cpu.number, cpus ? cpus : 1, &bytes) ||
            bytes > BL_JOBSPEC_MEM_MAX) {
            return bl_script_fail(reader, "%s for %lld CPUs is more than any machine has",
                                  slurm->mem_per_cpu.text, (long long)cpus);
        }
        set_number(reader, "mem", bytes, "");
    }
    return BL_OK;
}

int bl_script_finish_slurm(struct bl_script_reader *reader)
{
    int64_t tasks = 0;
    int64_t gpus = 0;
    int64_t cpus = 0;
    int status = count_tasks(reader, &tasks);

    if (status == BL_OK) {
        status = finish_gpus(reader, tasks, &gpus);
    }
    if (status == BL_OK) {
        status = finish_cpus(reader, tasks, gpus, &cpus);
    }
    if (status == BL_OK) {
        status = finish_mem(reader, cpus);
    }
    reader->flag = NULL;
    return status;
}
