/* The one resource vector: every resource that is booked is a component, always in this order. */
#ifndef BL_CORE_RESOURCES_H
#define BL_CORE_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

enum bl_resource {
    BL_RESOURCE_GPU, /* whole GPUs (an SWF processor is one) */
    BL_RESOURCE_CPU, /* thousandths of a CPU */
    BL_RESOURCE_MEM, /* bytes of host memory */
    BL_RESOURCE_COUNT
};

struct bl_resources {
    int64_t amount[BL_RESOURCE_COUNT];
};

static inline bool bl_resources_fit(const struct bl_resources *need,
                                    const struct bl_resources *available)
{
    for (int i = 0; i < BL_RESOURCE_COUNT; i++) {
        if (need->amount[i] > available->amount[i]) {
            return false;
        }
    }
    return true;
}

static inline void bl_resources_add(struct bl_resources *sum, const struct bl_resources *more)
{
    for (int i = 0; i < BL_RESOURCE_COUNT; i++) {
        sum->amount[i] += more->amount[i];
    }
}

static inline void bl_resources_subtract(struct bl_resources *sum, const struct bl_resources *less)
{
    for (int i = 0; i < BL_RESOURCE_COUNT; i++) {
        sum->amount[i] -= less->amount[i];
    }
}

#endif
