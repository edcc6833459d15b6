/* Random numbers from an explicit state (xoshiro256**, Blackman and Vigna 2018; seeded by
 * splitmix64). The same seed gives the same numbers on every machine. */
#ifndef BL_BASE_RNG_H
#define BL_BASE_RNG_H

#include <stdint.h>

struct bl_rng {
    uint64_t state[4];
};

void bl_rng_seed(struct bl_rng *rng, uint64_t seed);
uint64_t bl_rng_next(struct bl_rng *rng);

/* Uniform in [low, high], both included; low <= high. */
int64_t bl_rng_between(struct bl_rng *rng, int64_t low, int64_t high);

/* Uniform in [0, 1). */
double bl_rng_unit(struct bl_rng *rng);

#endif
