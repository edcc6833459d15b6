#include "core/cluster.h"

#include "base/own.h"

#include <string.h>

int32_t bl_alloc_gpus(const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    int32_t gpus = 0;

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        gpus += part[i].gpus;
    }
    return gpus;
}

struct bl_resources bl_alloc_resources(const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    struct bl_resources sum = {0};

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        bl_resources_add(
            &sum, &(struct bl_resources){{part[i].gpus, part[i].cpu_milli, part[i].mem_bytes}});
    }
    return sum;
}

void bl_alloc_copy(struct bl_alloc *to, const struct bl_alloc *from)
{
    *to = *from;
    if (from->part_count > 1) {
        to->many = bl_realloc_array(NULL, from->part_count, sizeof *to->many);
        memcpy(to->many, from->many, from->part_count * sizeof *to->many);
    }
}

void bl_alloc_finish(struct bl_alloc *alloc)
{
    if (alloc->part_count > 1) {
        free(alloc->many);
    }
    *alloc = (struct bl_alloc){0};
}

const struct bl_alloc_part *bl_alloc_part_on(const struct bl_alloc *alloc, int32_t node)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (part[i].node == node) {
            return &part[i];
        }
    }
    return NULL;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct bl_alloc_part join_parts(const struct bl_alloc_part *a, const struct bl_alloc_part *b)
{
    uint64_t mask = a->gpu_mask | b->gpu_mask;

    return (struct bl_alloc_part){
        .node = a->node,
        .gpus = mask ? __builtin_popcountll(mask) : (int32_t)larger(a->gpus, b->gpus),
        .gpu_mask = mask,
        .cpu_milli = larger(a->cpu_milli, b->cpu_milli),
        .mem_bytes = larger(a->mem_bytes, b->mem_bytes),
    };
}

static struct bl_alloc_part part_beyond(const struct bl_alloc_part *of,
                                        const struct bl_alloc_part *less)
{
    uint64_t mask = of->gpu_mask & ~less->gpu_mask;

    return (struct bl_alloc_part){
        .node = of->node,
        .gpus =
            of->gpu_mask ? __builtin_popcountll(mask) : (int32_t)larger(of->gpus - less->gpus, 0),
        .gpu_mask = mask,
        .cpu_milli = larger(of->cpu_milli - less->cpu_milli, 0),
        .mem_bytes = larger(of->mem_bytes - less->mem_bytes, 0),
    };
}

/* Room for parts to come; the first one stands in `single`. */
static void add_part(struct bl_alloc *to, struct bl_alloc_part part, uint32_t most)
{
    if (to->part_count == 0) {
        to->single = part;
    } else {
        if (to->part_count == 1) {
            to->many = bl_realloc_array(NULL, most, sizeof *to->many);
            to->many[0] = to->single;
        }
        to->many[to->part_count] = part;
    }
    to->part_count++;
}

void bl_alloc_join(const struct bl_alloc *a, const struct bl_alloc *b, struct bl_alloc *out)
{
    const struct bl_alloc_part *part = bl_alloc_parts(a);
    uint32_t most = a->part_count + b->part_count;

    *out = (struct bl_alloc){0};
    for (uint32_t i = 0; i < a->part_count; i++) {
        const struct bl_alloc_part *other = bl_alloc_part_on(b, part[i].node);

        add_part(out, other ? join_parts(&part[i], other) : part[i], most);
    }
    part = bl_alloc_parts(b);
    for (uint32_t i = 0; i < b->part_count; i++) {
        if (!bl_alloc_part_on(a, part[i].node)) {
            add_part(out, part[i], most);
        }
    }
}

static bool is_empty(const struct bl_alloc_part *part)
{
    return part->gpus == 0 && part->cpu_milli == 0 && part->mem_bytes == 0;
}

void bl_alloc_beyond(const struct bl_alloc *of, const struct bl_alloc *less, struct bl_alloc *out)
{
    const struct bl_alloc_part *part = bl_alloc_parts(of);

    *out = (struct bl_alloc){0};
    for (uint32_t i = 0; i < of->part_count; i++) {
        const struct bl_alloc_part *other = bl_alloc_part_on(less, part[i].node);
        struct bl_alloc_part rest = other ? part_beyond(&part[i], other) : part[i];

        if (!is_empty(&rest)) {
            add_part(out, rest, of->part_count);
        }
    }
}

bool bl_alloc_shares_named(const struct bl_alloc *a, const struct bl_alloc *b)
{
    for (uint32_t i = 0; i < a->part_count; i++) {
        for (uint32_t k = 0; k < b->part_count; k++) {
            const struct bl_alloc_part *x = &bl_alloc_parts(a)[i];
            const struct bl_alloc_part *y = &bl_alloc_parts(b)[k];

            if (x->node == y->node && (x->gpu_mask & y->gpu_mask) != 0) {
                return true;
            }
        }
    }
    return false;
}
