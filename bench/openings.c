/* What a booking that conflicts with others costs: the answer with the nearest openings, on 1,000
 * busy GPUs with a queue of 10,000 jobs and two hundred bookings. Prints processor milliseconds,
 * the best of several; exit 1 when a limit is passed. */
#include "busy.h"

#include "base/arena.h"
#include "base/rng.h"
#include "core/reservation.h"

#include <math.h>
#include <stdio.h>

enum { REPEATS = 9, JOBS = 10000, BOOKINGS = 200, LIMIT_MS = 20 };

static int missed;

/* Of any size, within the next two weeks. */
static void book(struct bl_core *core, struct bl_rng *rng, int64_t id)
{
    bl_time start = bl_rng_between(rng, 1, INT64_C(14) * 24) * BL_HOUR;
    const struct bl_slot slot = {start, start + bl_rng_between(rng, 1, 24) * BL_HOUR};
    const struct bl_booking_spec spec = {.id = id,
                                         .user = "ann",
                                         .gpus = (int32_t)bl_rng_between(rng, 1, 200),
                                         .gpu_type = "A100",
                                         .slot = &slot,
                                         .slot_count = 1};

    bl_core_step(core, &(struct bl_event){.kind = BL_EVENT_RESERVED, .u.reserved = &spec}, NULL);
}

struct wish {
    const char *name;
    int32_t gpus;
    bl_time start, length;
    size_t slots; /* a week apart */
};

static const struct wish wishes[] = {
    {"all of a type for a day", 400, 2 * BL_DAY, BL_DAY, 1},
    {"half of it for a week", 200, BL_DAY, 7 * BL_DAY, 1},
    {"two thirds for an hour", 270, 3 * BL_DAY, BL_HOUR, 1},
    {"half of it, ten Mondays", 200, 3 * BL_DAY, 8 * BL_HOUR, 10},
};

static void show(const struct bl_core *core, const struct wish *wish)
{
    struct bl_slot slot[16];
    const struct bl_booking_spec spec = {.id = BOOKINGS + 1,
                                         .user = "bob",
                                         .gpus = wish->gpus,
                                         .gpu_type = "A100",
                                         .slot = slot,
                                         .slot_count = wish->slots};
    const struct bl_booking_wish asked = {.spec = &spec};
    struct bl_openings found = {0};
    struct bl_arena arena = {0};
    double best = INFINITY;

    for (size_t i = 0; i < wish->slots; i++) {
        bl_time start = wish->start + (bl_time)i * 7 * BL_DAY;

        slot[i] = (struct bl_slot){start, start + wish->length};
    }
    for (int i = 0; i < REPEATS; i++) {
        double began = bench_cpu_ms();

        bl_arena_reset(&arena);
        bl_openings_find(core, &asked, &arena, &found);
        best = fmin(best, bench_cpu_ms() - began);
    }
    missed += best > LIMIT_MS;
    printf("%-26s %8.2f ms, %zu openings, %zu in the way %s\n", wish->name, best,
           found.opening_count, found.conflict_count, best > LIMIT_MS ? "MISSED" : "ok");
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct bench_queue queue = {bench_mixed, false, 8, JOBS};
    struct bl_core *core = bench_busy_core(&queue);
    struct bl_rng rng;

    bl_rng_seed(&rng, 3);
    for (int64_t id = 1; id <= BOOKINGS; id++) {
        book(core, &rng, id);
    }
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        show(core, &wishes[i]);
    }
    bl_core_destroy(core);
    return missed > 0;
}
