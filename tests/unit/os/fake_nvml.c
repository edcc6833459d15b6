/* Plays the driver's library for tests: FAKE_NVML describes the GPUs in the library's order, one
 * a line, "DOMAIN:BUS:DEVICE|NAME|UUID|BYTES"; bytes of -1 mean that memory is not told, a name of
 * "lost" a GPU that does not answer. FAKE_NVML_INIT is what initialisation answers. FAKE_NVML_USE
 * names a file that tells what they do, "UUID PERCENT USED CELSIUS MILLIWATT" a line; with a line
 * "hang" the driver answers no more until it is another file. FAKE_NVML_WHO tells who computes, or
 * names a file that does: "UUID PID" a line. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { GPUS_MAX = 80, UNKNOWN = 999, NOT_SUPPORTED = 3, TOO_SMALL = 7, GPU_IS_LOST = 15 };

struct gpu {
    unsigned domain, bus, device;
    char name[96];
    char uuid[96];
    long long bytes;
};

struct pci {
    char bus_id_legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char bus_id[32];
};

struct memory {
    unsigned long long total, free, used;
};

struct utilization {
    unsigned gpu, memory;
};

struct use {
    unsigned percent, celsius, milliwatt;
    unsigned long long used;
};

struct process {
    unsigned pid;
    unsigned long long used;
    unsigned gpu_instance, compute_instance;
};

static struct gpu gpus[GPUS_MAX];
static unsigned gpu_count;
static int open_count;

EXPORT int nvmlInit_v2(void);
EXPORT int nvmlShutdown(void);
EXPORT const char *nvmlErrorString(int result);
EXPORT int nvmlDeviceGetCount_v2(unsigned *count);
EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
EXPORT int nvmlDeviceGetName(const struct gpu *gpu, char *text, unsigned length);
EXPORT int nvmlDeviceGetUUID(const struct gpu *gpu, char *text, unsigned length);
EXPORT int nvmlDeviceGetPciInfo_v3(const struct gpu *gpu, struct pci *pci);
EXPORT int nvmlDeviceGetMemoryInfo(const struct gpu *gpu, struct memory *memory);
EXPORT int nvmlDeviceGetUtilizationRates(const struct gpu *gpu, struct utilization *now);
EXPORT int nvmlDeviceGetTemperature(const struct gpu *gpu, int sensor, unsigned *celsius);
EXPORT int nvmlDeviceGetPowerUsage(const struct gpu *gpu, unsigned *milliwatt);
EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(const struct gpu *gpu, unsigned *count,
                                                   struct process *process);

/* False when the file tells nothing of it. */
static bool read_use(const struct gpu *gpu, struct use *out, bool *hangs)
{
    const char *path = getenv("FAKE_NVML_USE");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[256];
    char uuid[96];
    bool is_told = false;

    *hangs = false;
    while (file && fgets(line, sizeof line, file)) {
        *hangs = *hangs || strcmp(line, "hang\n") == 0;
        is_told = is_told || (sscanf(line, "%95s %u %llu %u %u", uuid, &out->percent, &out->used,
                                     &out->celsius, &out->milliwatt) == 5 &&
                              strcmp(uuid, gpu->uuid) == 0);
    }
    if (file) {
        fclose(file);
    }
    return is_told;
}

static bool wait_for_use(const struct gpu *gpu, struct use *out)
{
    bool hangs;
    bool is_told;

    while ((is_told = read_use(gpu, out, &hangs)), hangs) {
        usleep(1000);
    }
    return is_told;
}

/* Copies up to the mark and steps over it. */
static const char *take_text(const char *at, char *out, size_t room)
{
    size_t length = strcspn(at, "|\n");

    snprintf(out, room, "%.*s", (int)length, at);
    return at + length + (at[length] != '\0');
}

static const char *take_number(const char *at, unsigned *out)
{
    char *end;

    *out = (unsigned)strtoul(at, &end, 16);
    return *end ? end + 1 : end;
}

int nvmlInit_v2(void)
{
    const char *result = getenv("FAKE_NVML_INIT");
    const char *at = getenv("FAKE_NVML");

    if (result) {
        return (int)strtol(result, NULL, 10);
    }
    open_count++;
    for (gpu_count = 0; at && *at && gpu_count < GPUS_MAX; gpu_count++) {
        struct gpu *gpu = &gpus[gpu_count];
        char *end;

        at = take_number(take_number(take_number(at, &gpu->domain), &gpu->bus), &gpu->device);
        at = take_text(take_text(at, gpu->name, sizeof gpu->name), gpu->uuid, sizeof gpu->uuid);
        gpu->bytes = strtoll(at, &end, 10);
        at = *end ? end + 1 : end;
    }
    return 0;
}

int nvmlShutdown(void)
{
    return open_count-- > 0 ? 0 : UNKNOWN;
}

const char *nvmlErrorString(int result)
{
    return result == GPU_IS_LOST ? "GPU is lost" : "Driver Not Loaded";
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = gpu_count;
    return open_count ? 0 : UNKNOWN;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    *device = &gpus[index];
    return strcmp(gpus[index].name, "lost") == 0 ? GPU_IS_LOST : 0;
}

int nvmlDeviceGetName(const struct gpu *gpu, char *text, unsigned length)
{
    snprintf(text, length, "%s", gpu->name);
    return 0;
}

int nvmlDeviceGetUUID(const struct gpu *gpu, char *text, unsigned length)
{
    snprintf(text, length, "%s", gpu->uuid);
    return 0;
}

int nvmlDeviceGetPciInfo_v3(const struct gpu *gpu, struct pci *pci)
{
    memset(pci, 0, sizeof *pci);
    pci->domain = gpu->domain;
    pci->bus = gpu->bus;
    pci->device = gpu->device;
    snprintf(pci->bus_id, sizeof pci->bus_id, "%08X:%02X:%02X.0", gpu->domain, gpu->bus & 0xff,
             gpu->device & 0xff);
    return 0;
}

int nvmlDeviceGetMemoryInfo(const struct gpu *gpu, struct memory *memory)
{
    struct use use;

    if (gpu->bytes < 0) {
        return NOT_SUPPORTED;
    }
    memset(memory, 0, sizeof *memory);
    memory->total = (unsigned long long)gpu->bytes;
    memory->used = wait_for_use(gpu, &use) ? use.used : 0;
    return 0;
}

int nvmlDeviceGetUtilizationRates(const struct gpu *gpu, struct utilization *now)
{
    struct use use;
    bool is_told = wait_for_use(gpu, &use);

    now->gpu = is_told ? use.percent : 0;
    now->memory = 0;
    return is_told ? 0 : NOT_SUPPORTED;
}

int nvmlDeviceGetTemperature(const struct gpu *gpu, int sensor, unsigned *celsius)
{
    struct use use;
    bool is_told = sensor == 0 && wait_for_use(gpu, &use);

    *celsius = is_told ? use.celsius : 0;
    return is_told ? 0 : NOT_SUPPORTED;
}

int nvmlDeviceGetPowerUsage(const struct gpu *gpu, unsigned *milliwatt)
{
    struct use use;
    bool is_told = wait_for_use(gpu, &use);

    *milliwatt = is_told ? use.milliwatt : 0;
    return is_told ? 0 : NOT_SUPPORTED;
}

/* The text itself, or the file that it names. */
static const char *read_who(char *room, size_t bytes)
{
    const char *text = getenv("FAKE_NVML_WHO");
    FILE *file = text && text[0] == '/' ? fopen(text, "r") : NULL;

    if (!file) {
        return text && text[0] != '/' ? text : "";
    }
    room[fread(room, 1, bytes - 1, file)] = '\0';
    fclose(file);
    return room;
}

int nvmlDeviceGetComputeRunningProcesses_v3(const struct gpu *gpu, unsigned *count,
                                            struct process *process)
{
    char room[4096];
    char uuid[96];
    unsigned most = *count;
    unsigned pid;
    int length;

    *count = 0;
    for (const char *at = read_who(room, sizeof room);
         sscanf(at, " %95s %u%n", uuid, &pid, &length) == 2; at += length) {
        if (strcmp(uuid, gpu->uuid) == 0) {
            if (process && *count < most) {
                process[*count] = (struct process){.pid = pid};
            }
            (*count)++;
        }
    }
    return *count > most ? TOO_SMALL : 0;
}
