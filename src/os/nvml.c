#include "os/nvml.h"

#include "base/sort.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The part of the library's interface that is used; there is no header in the distribution. */
struct pci_info {
    char bus_id_legacy[16];
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned pci_device_id;
    unsigned pci_subsystem_id;
    char bus_id[32];
};

struct memory_info {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct utilization_info {
    unsigned gpu; /* percent */
    unsigned memory;
};

/* Of the calls' versions 2 and 3. */
struct process_info {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance;
    unsigned compute_instance;
};

enum { SENSOR_OF_GPU = 0, RESULT_TOO_SMALL = 7, PROCESSES_SLACK = 16, PROCESSES_MAX = 1 << 16 };

typedef int (*plain_call)(void);
typedef const char *(*words_call)(int result);
typedef int (*count_call)(unsigned *count);
typedef int (*handle_call)(unsigned index, void **device);
typedef int (*text_call)(void *device, char *text, unsigned length);
typedef int (*pci_call)(void *device, struct pci_info *pci);
typedef int (*memory_call)(void *device, struct memory_info *memory);
typedef int (*utilization_call)(void *device, struct utilization_info *utilization);
typedef int (*temperature_call)(void *device, int sensor, unsigned *celsius);
typedef int (*power_call)(void *device, unsigned *milliwatt);
typedef int (*processes_call)(void *device, unsigned *count, struct process_info *process);

struct library {
    void *handle;
    plain_call init;
    plain_call shutdown;
    words_call words;
    count_call count;
    handle_call find;
    text_call name;
    text_call uuid;
    pci_call pci;
    memory_call memory;
    utilization_call utilization; /* these may be NULL: not every driver has them */
    temperature_call temperature;
    power_call power;
    processes_call processes;
};

static bool load(struct library *library, void *place, const char *symbol, struct bl_error *err)
{
    void *found = dlsym(library->handle, symbol);

    if (!found) {
        bl_fail(err, BL_ESYSTEM, "libnvidia-ml.so.1 has no function %s: update the driver", symbol);
        return false;
    }
    memcpy(place, &found, sizeof found); /* C has no cast from object to function pointer */
    return true;
}

static bool load_all(struct library *library, struct bl_error *err)
{
    return load(library, &library->init, "nvmlInit_v2", err) &&
           load(library, &library->shutdown, "nvmlShutdown", err) &&
           load(library, &library->words, "nvmlErrorString", err) &&
           load(library, &library->count, "nvmlDeviceGetCount_v2", err) &&
           load(library, &library->find, "nvmlDeviceGetHandleByIndex_v2", err) &&
           load(library, &library->name, "nvmlDeviceGetName", err) &&
           load(library, &library->uuid, "nvmlDeviceGetUUID", err) &&
           load(library, &library->pci, "nvmlDeviceGetPciInfo_v3", err) &&
           load(library, &library->memory, "nvmlDeviceGetMemoryInfo", err);
}

static int fail_call(const struct library *library, int result, struct bl_error *err,
                     const char *what)
{
    return bl_fail(err, BL_ESYSTEM, "NVML cannot %s: %s", what, library->words(result));
}

static int read_gpu(const struct library *library, unsigned index, struct bl_nvml_gpu *out,
                    struct bl_error *err)
{
    struct bl_nvml_gpu gpu = {0};
    struct pci_info pci = {0};
    struct memory_info memory = {0};
    void *device = NULL;
    int result = library->find(index, &device);

    if (!result) {
        result = library->name(device, gpu.name, sizeof gpu.name);
    }
    if (!result) {
        result = library->uuid(device, gpu.uuid, sizeof gpu.uuid);
    }
    if (!result) {
        result = library->pci(device, &pci);
    }
    if (result) {
        fail_call(library, result, err, "describe a GPU");
        return bl_wrap(err, "GPU %u", index);
    }
    if (library->memory(device, &memory) == 0 && memory.total < INT64_MAX) {
        gpu.mem_bytes = (int64_t)memory.total;
    }
    gpu.domain = pci.domain;
    gpu.bus = pci.bus;
    gpu.device = pci.device;
    memcpy(gpu.bus_id, pci.bus_id, sizeof pci.bus_id - 1);
    *out = gpu;
    return BL_OK;
}

static int compare_gpus(const void *left, const void *right)
{
    const struct bl_nvml_gpu *a = left;
    const struct bl_nvml_gpu *b = right;

    if (a->domain != b->domain) {
        return a->domain < b->domain ? -1 : 1;
    }
    if (a->bus != b->bus) {
        return a->bus < b->bus ? -1 : 1;
    }
    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    return strcmp(a->uuid, b->uuid);
}

static int list_gpus(const struct library *library, void *list, struct bl_error *err)
{
    struct bl_nvml_list *out = list;
    unsigned count = 0;
    int result = library->count(&count);

    if (result) {
        return fail_call(library, result, err, "count the GPUs");
    }
    for (unsigned i = 0; i < count; i++) {
        struct bl_nvml_gpu gpu;
        int status = read_gpu(library, i, &gpu, err);

        if (status) {
            return status;
        }
        BL_VEC_PUSH(&out->gpus, gpu);
    }
    if (count) {
        bl_sort(out->gpus.at, count, sizeof *out->gpus.at, compare_gpus);
    }
    return BL_OK;
}

static bool open_library(struct library *library)
{
    *library = (struct library){.handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)};
    return library->handle != NULL;
}

/* Reaches the driver, has it asked, and lets go of it and of the library. */
static int ask(struct library *library,
               int (*question)(const struct library *library, void *out, struct bl_error *err),
               void *out, struct bl_error *err)
{
    int status = BL_ESYSTEM;
    int result;

    if (load_all(library, err)) {
        result = library->init();
        status = result ? fail_call(library, result, err, "reach the driver")
                        : question(library, out, err);
        if (!result) {
            library->shutdown();
        }
    }
    dlclose(library->handle);
    return status;
}

int bl_nvml_list(struct bl_nvml_list *out, struct bl_error *err)
{
    struct library library;
    struct bl_nvml_list list = {0};
    int status = open_library(&library) ? ask(&library, list_gpus, &list, err) : BL_OK;

    if (status) {
        bl_nvml_list_finish(&list);
        return status;
    }
    *out = list;
    return BL_OK;
}

void bl_nvml_list_finish(struct bl_nvml_list *list)
{
    BL_VEC_FINISH(&list->gpus);
}

/* ---- what they do ---- */

static void find_optional(const struct library *library, void *place, const char *symbol)
{
    void *found = dlsym(library->handle, symbol);

    memcpy(place, &found, sizeof found);
}

static int32_t read_busy(const struct library *library, void *device)
{
    struct utilization_info now = {0};

    return library->utilization && !library->utilization(device, &now) && now.gpu <= 100
               ? (int32_t)now.gpu
               : -1;
}

static int32_t read_temperature(const struct library *library, void *device)
{
    unsigned celsius = 0;

    return library->temperature && !library->temperature(device, SENSOR_OF_GPU, &celsius) &&
                   celsius <= INT16_MAX
               ? (int32_t)celsius
               : -1;
}

static int32_t read_power(const struct library *library, void *device)
{
    unsigned milliwatt = 0;

    return library->power && !library->power(device, &milliwatt) && milliwatt <= INT32_MAX
               ? (int32_t)milliwatt
               : -1;
}

static void read_memory(const struct library *library, void *device, struct bl_nvml_use *out)
{
    struct memory_info memory = {0};

    if (!library->memory(device, &memory) && memory.total <= INT64_MAX &&
        memory.used <= memory.total) {
        out->mem_bytes = (int64_t)memory.total;
        out->mem_used_bytes = (int64_t)memory.used;
    }
}

static bool measure_gpu(const struct library *library, unsigned index, struct bl_nvml_use *out)
{
    void *device = NULL;

    *out = (struct bl_nvml_use){.mem_used_bytes = -1, .mem_bytes = -1};
    if (library->find(index, &device) || library->uuid(device, out->uuid, sizeof out->uuid)) {
        return false;
    }
    out->busy_percent = read_busy(library, device);
    out->temperature_c = read_temperature(library, device);
    out->power_mw = read_power(library, device);
    read_memory(library, device, out);
    return true;
}

static int measure_gpus(const struct library *library, void *list, struct bl_error *err)
{
    struct bl_nvml_uses *out = list;
    struct library whole = *library;
    unsigned count = 0;
    int result = library->count(&count);

    if (result) {
        return fail_call(library, result, err, "count the GPUs");
    }
    find_optional(library, &whole.utilization, "nvmlDeviceGetUtilizationRates");
    find_optional(library, &whole.temperature, "nvmlDeviceGetTemperature");
    find_optional(library, &whole.power, "nvmlDeviceGetPowerUsage");
    for (unsigned i = 0; i < count; i++) {
        struct bl_nvml_use use;

        if (measure_gpu(&whole, i, &use)) {
            BL_VEC_PUSH(&out->gpus, use);
        }
    }
    return BL_OK;
}

int bl_nvml_measure(struct bl_nvml_uses *out, struct bl_error *err)
{
    struct library library;
    struct bl_nvml_uses uses = {0};
    int status;

    if (!open_library(&library)) {
        return bl_fail(err, BL_ENOTFOUND, "libnvidia-ml.so.1 is not on this machine");
    }
    status = ask(&library, measure_gpus, &uses, err);
    if (status) {
        bl_nvml_uses_finish(&uses);
        return status;
    }
    *out = uses;
    return BL_OK;
}

void bl_nvml_uses_finish(struct bl_nvml_uses *uses)
{
    BL_VEC_FINISH(&uses->gpus);
}

/* ---- who uses them ---- */

/* Asks how many there are, then for them; more may have come meanwhile. */
static int list_processes(const struct library *library, void *device, const char *uuid,
                          struct bl_nvml_processes *out)
{
    unsigned count = 0;
    int result = library->processes(device, &count, NULL);
    struct process_info *process;

    if (result != RESULT_TOO_SMALL || count > PROCESSES_MAX) {
        return result;
    }
    count += PROCESSES_SLACK;
    process = bl_alloc_zero(count * sizeof *process);
    result = library->processes(device, &count, process);
    for (unsigned i = 0; !result && i < count; i++) {
        struct bl_nvml_process found = {.pid = (int)process[i].pid};

        memcpy(found.uuid, uuid, sizeof found.uuid);
        BL_VEC_PUSH(&out->all, found);
    }
    free(process);
    return result;
}

static int list_all_processes(const struct library *library, void *list, struct bl_error *err)
{
    struct library whole = *library;
    unsigned count = 0;
    int result = library->count(&count);

    find_optional(library, &whole.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    if (!whole.processes) {
        find_optional(library, &whole.processes, "nvmlDeviceGetComputeRunningProcesses_v2");
    }
    for (unsigned i = 0; whole.processes && !result && i < count; i++) {
        char uuid[BL_NVML_TEXT_MAX] = "";
        void *device = NULL;

        result = whole.find(i, &device);
        result = result ? result : whole.uuid(device, uuid, sizeof uuid);
        result = result ? result : list_processes(&whole, device, uuid, list);
    }
    return result ? fail_call(library, result, err, "tell who uses a GPU") : BL_OK;
}

int bl_nvml_who(struct bl_nvml_processes *out, struct bl_error *err)
{
    struct library library;
    struct bl_nvml_processes found = {0};
    int status = open_library(&library) ? ask(&library, list_all_processes, &found, err) : BL_OK;

    if (status) {
        bl_nvml_processes_finish(&found);
        return status;
    }
    *out = found;
    return BL_OK;
}

void bl_nvml_processes_finish(struct bl_nvml_processes *processes)
{
    BL_VEC_FINISH(&processes->all);
}

/* ---- short names ---- */

struct word {
    const char *at;
    size_t length;
};

static bool starts_with(struct word word, const char *start)
{
    size_t length = strlen(start);

    return word.length >= length && memcmp(word.at, start, length) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Words that tell maker, size, socket or edition, none of which people say. */
static bool says_nothing(struct word word)
{
    static const char *const starts[] = {
        "NVIDIA", "Tesla",  "GeForce",     "Quadro", "PCIe",    "PCIE",       "SXM",     "HBM",
        "NVL",    "Server", "Workstation", "Laptop", "Edition", "Generation", "with",    "GPU",
        "Max-Q",  "Design", "Super-chip",  "CUDA",   "MIG",     "Blackwell",  "Graphics"};

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (starts_with(word, starts[i])) {
            return true;
        }
    }
    return is_digit(word.at[0]) && word.at[word.length - 1] == 'B'; /* "80GB" */
}

static struct word next_word(const char **at)
{
    struct word word;

    *at += strspn(*at, " ");
    word.at = *at;
    word.length = strcspn(*at, " ");
    *at += word.length;
    return word;
}

void bl_nvml_short_name(const char *name, struct bl_buf *out)
{
    size_t before = out->length;

    for (const char *at = name; *at;) {
        struct word word = next_word(&at);
        const char *dash = memchr(word.at, '-', word.length);

        if (!word.length || says_nothing(word)) {
            continue;
        }
        if (dash && dash > word.at) { /* "A100-SXM4-80GB" */
            word.length = (size_t)(dash - word.at);
        }
        if (out->length == before + 3 && word.length > 1 && word.at[0] == 'A' &&
            is_digit(word.at[1]) && memcmp(out->text + before, "RTX", 3) == 0) {
            out->length = before; /* "RTX A6000" is called A6000 */
        }
        bl_buf_append(out, word.at, word.length);
    }
    if (out->length == before) {
        bl_buf_append_text(out, "GPU");
    }
}
