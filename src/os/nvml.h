/* NVIDIA GPUs of this machine, by the driver's management library, which is loaded when it is
 * there. */
#ifndef BL_OS_NVML_H
#define BL_OS_NVML_H

#include "base/buf.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdint.h>

enum { BL_NVML_TEXT_MAX = 96 };

struct bl_nvml_gpu {
    char name[BL_NVML_TEXT_MAX]; /* as the driver says it: "NVIDIA A100-SXM4-80GB" */
    char uuid[BL_NVML_TEXT_MAX];
    char bus_id[BL_NVML_TEXT_MAX];
    uint32_t domain, bus, device;
    int64_t mem_bytes; /* 0 = the driver does not tell */
};

/* Zeroes are an empty list. */
struct bl_nvml_list {
    BL_VEC(struct bl_nvml_gpu) gpus;
};

/* All GPUs in order of PCI bus, which is CUDA's with CUDA_DEVICE_ORDER=PCI_BUS_ID. A machine
 * without the library has none, which is no error; a library that cannot reach its driver is. */
int bl_nvml_list(struct bl_nvml_list *out, struct bl_error *err);
void bl_nvml_list_finish(struct bl_nvml_list *list);

/* What a GPU does now; -1 where the driver does not tell. */
struct bl_nvml_use {
    char uuid[BL_NVML_TEXT_MAX];
    int32_t busy_percent;
    int32_t temperature_c;
    int32_t power_mw;
    int64_t mem_used_bytes, mem_bytes;
};

struct bl_nvml_uses {
    BL_VEC(struct bl_nvml_use) gpus;
};

/* Asks about all GPUs; one that does not answer is left out. Without the library it is an error.
 * May take as long as the driver likes: not for a thread that others wait for. */
int bl_nvml_measure(struct bl_nvml_uses *out, struct bl_error *err);
void bl_nvml_uses_finish(struct bl_nvml_uses *uses);

/* Who computes on which GPU now. Zeroes are an empty list. */
struct bl_nvml_process {
    char uuid[BL_NVML_TEXT_MAX];
    int pid;
};

struct bl_nvml_processes {
    BL_VEC(struct bl_nvml_process) all;
};

/* As bl_nvml_list. A driver too old to tell names nobody. */
int bl_nvml_who(struct bl_nvml_processes *out, struct bl_error *err);
void bl_nvml_processes_finish(struct bl_nvml_processes *processes);

/* Appends the name people use for a model: "A100", "H200", "RTX4090", "RTX6000Ada". */
void bl_nvml_short_name(const char *name, struct bl_buf *out);

#endif
