#include "base/rng.h"

#include <assert.h>

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

void bl_rng_seed(struct bl_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t mixed;

        seed += UINT64_C(0x9E3779B97F4A7C15);
        mixed = seed;
        mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
        rng->state[i] = mixed ^ (mixed >> 31);
    }
}

uint64_t bl_rng_next(struct bl_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t carried = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= carried;
    s[3] = rotate_left(s[3], 45);
    return result;
}

int64_t bl_rng_between(struct bl_rng *rng, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t limit;
    uint64_t drawn;

    assert(low <= high);
    if (span == 0) {
        return (int64_t)bl_rng_next(rng);
    }
    limit = UINT64_MAX - UINT64_MAX % span;
    do {
        drawn = bl_rng_next(rng);
    } while (drawn >= limit);
    return (int64_t)((uint64_t)low + drawn % span);
}

double bl_rng_unit(struct bl_rng *rng)
{
    return (double)(bl_rng_next(rng) >> 11) * 0x1.0p-53;
}
