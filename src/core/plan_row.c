/* Amounts of all columns. Those of GPUs are gone through most of all: in loops of a length that the
 * compiler knows. */
#include "core/plan_parts.h"

enum { LANES = BL_PLAN_LANES };

struct bl_plan_row bl_plan_row_make(struct bl_arena *arena, int32_t columns)
{
    struct bl_plan_row row;

    row.gpus = bl_arena_alloc(arena, (size_t)columns * sizeof *row.gpus);
    row.side = bl_arena_alloc(arena, (size_t)columns * sizeof *row.side);
    return row;
}

void bl_plan_gpus_add(int32_t *restrict to, const int32_t *restrict more, int32_t count)
{
    for (int32_t i = 0; i < count; i += LANES) {
        for (int32_t k = 0; k < LANES; k++) {
            to[i + k] += more[i + k];
        }
    }
}

void bl_plan_gpus_subtract(int32_t *restrict from, const int32_t *restrict less, int32_t count)
{
    for (int32_t i = 0; i < count; i += LANES) {
        for (int32_t k = 0; k < LANES; k++) {
            from[i + k] -= less[i + k];
        }
    }
}

void bl_plan_gpus_narrow(int32_t *restrict window, const int32_t *restrict more, int32_t count)
{
    for (int32_t i = 0; i < count; i += LANES) {
        for (int32_t k = 0; k < LANES; k++) {
            window[i + k] = more[i + k] < window[i + k] ? more[i + k] : window[i + k];
        }
    }
}

int64_t bl_plan_gpus_count(const int32_t *gpus, int32_t count, int32_t least)
{
    int64_t sum = 0;

    for (int32_t i = 0; i < count; i += LANES) {
        int32_t here = 0;

        for (int32_t k = 0; k < LANES; k++) {
            here += gpus[i + k] >= least;
        }
        sum += here;
    }
    return sum;
}

int64_t bl_plan_gpus_sum(const int32_t *gpus, int32_t count, int32_t most)
{
    int64_t sum = 0;

    for (int32_t i = 0; i < count; i += LANES) {
        int32_t here = 0;

        for (int32_t k = 0; k < LANES; k++) {
            int32_t room = gpus[i + k] < most ? gpus[i + k] : most;

            here += room > 0 ? room : 0;
        }
        sum += here;
    }
    return sum;
}
