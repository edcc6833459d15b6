#include "daemon/use.h"

#include "base/own.h"

#include <assert.h>

struct bl_use *bl_use_create(bl_job_id job, int32_t attempt, size_t gpus)
{
    struct bl_use *use =
        bl_alloc_zero(sizeof *use + gpus * BL_USE_POINTS_MAX * sizeof use->value[0]);

    use->job = job;
    use->attempt = attempt;
    use->gpu_count = gpus;
    use->stride = 1;
    return use;
}

static struct bl_use_value *value_of(struct bl_use *use, size_t gpu, size_t point)
{
    return &use->value[gpu * BL_USE_POINTS_MAX + point];
}

const struct bl_use_value *bl_use_value(const struct bl_use *use, size_t gpu, size_t point)
{
    assert(gpu < use->gpu_count && point < use->count);
    return &use->value[gpu * BL_USE_POINTS_MAX + point];
}

/* `weight` measurements were known before to one now. */
static struct bl_use_value merge(struct bl_use_value before, float weight, struct bl_use_value now)
{
    struct bl_use_value both = before;

    if (before.busy < 0) {
        both.busy = now.busy;
    } else if (now.busy >= 0) {
        both.busy = (before.busy * weight + now.busy) / (weight + 1);
    }
    both.mem_bytes = before.mem_bytes > now.mem_bytes ? before.mem_bytes : now.mem_bytes;
    return both;
}

/* Two points become one. */
static void thin_out(struct bl_use *use)
{
    size_t half = use->count / 2;

    for (size_t point = 0; point < half; point++) {
        use->at[point] = use->at[2 * point];
        for (size_t gpu = 0; gpu < use->gpu_count; gpu++) {
            *value_of(use, gpu, point) =
                merge(*value_of(use, gpu, 2 * point), 1, *value_of(use, gpu, 2 * point + 1));
        }
    }
    use->count = half;
    use->stride *= 2;
}

static void begin_point(struct bl_use *use, bl_time at, const struct bl_use_value *values)
{
    if (use->count == BL_USE_POINTS_MAX) {
        thin_out(use);
    }
    use->at[use->count] = at;
    for (size_t gpu = 0; gpu < use->gpu_count; gpu++) {
        *value_of(use, gpu, use->count) = values[gpu];
    }
    use->count++;
}

void bl_use_add(struct bl_use *use, bl_time at, const struct bl_use_value *values)
{
    if (use->pending == 0) {
        begin_point(use, at, values);
    } else {
        for (size_t gpu = 0; gpu < use->gpu_count; gpu++) {
            struct bl_use_value *last = value_of(use, gpu, use->count - 1);

            *last = merge(*last, (float)use->pending, values[gpu]);
        }
    }
    use->pending = (use->pending + 1) % use->stride;
}
