#include "busy.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { BUSY = 400 };

const struct bench_kind bench_alike[] = {{125, 8, "A100", 128}, {0}};
const struct bench_kind bench_mixed[] = {
    {50, 8, "A100", 128}, {30, 8, "V100", 64}, {60, 4, "A40", 48}, {30, 4, "T4", 32}, {0}};

double bench_cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void add_nodes(struct bl_core *core, const struct bench_kind *kind)
{
    int count = 0;

    for (; kind->nodes; kind++) {
        for (int i = 0; i < kind->nodes; i++) {
            char name[16];
            struct bl_event event = {.kind = BL_EVENT_NODE_ADDED};

            snprintf(name, sizeof name, "n%d", ++count);
            event.u.node = (struct bl_node_spec){.name = name,
                                                 .gpu_type = kind->type,
                                                 .gpus = kind->gpus,
                                                 .gpu_mem_bytes = INT64_C(40) << 30,
                                                 .cpu_milli = kind->cpus * 1000,
                                                 .mem_bytes = INT64_C(512) << 30};
            bl_core_step(core, &event, NULL);
        }
    }
}

static bl_time draw_limit(struct bl_rng *rng)
{
    double radius = sqrt(-2 * log(1 - bl_rng_unit(rng)));
    double hours = 2 * exp(1.4 * radius * cos(6.283185307179586 * bl_rng_unit(rng)));

    return (bl_time)(fmin(fmax(hours, 0.1), 72) * 60) * BL_MINUTE;
}

static void submit(struct bl_core *core, struct bl_rng *rng, bl_job_id id,
                   const struct bench_queue *queue)
{
    static const int32_t sizes[] = {1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 16, 32};
    static const char *const types[] = {"A100", "V100", "A40"};
    int32_t gpus = sizes[bl_rng_between(rng, 0, 15)];
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = id};
    struct bl_job_spec *spec = &event.u.submitted;

    *spec =
        (struct bl_job_spec){.gpus_min = queue->is_elastic && gpus > 1 ? gpus / 2 : gpus,
                             .gpus_want = gpus,
                             .gpus_max = queue->is_elastic ? gpus * 2 : gpus,
                             .cpu_milli = {bl_rng_between(rng, 1, queue->cpus_max) * 1000, true},
                             .mem_bytes = {bl_rng_between(rng, 4, 32) << 30, true},
                             .limit = draw_limit(rng)};
    if (queue->kinds == bench_mixed && bl_rng_between(rng, 0, 1) == 0) {
        spec->gpu_type[0] = types[bl_rng_between(rng, 0, 2)];
        spec->gpu_type_count = 1;
    }
    bl_core_step(core, &event, NULL);
}

static void set_policy(struct bl_core *core, const char *name)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET};

    event.u.policy = bl_policy_default(bl_policy_find(name));
    bl_core_step(core, &event, NULL);
}

struct bl_core *bench_busy_core(const struct bench_queue *queue)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);
    struct bl_actions actions = {0};
    struct bl_rng rng;

    bl_rng_seed(&rng, 7);
    set_policy(core, "pack");
    add_nodes(core, queue->kinds);
    for (bl_job_id id = 1; id <= BUSY + queue->jobs; id++) {
        submit(core, &rng, id, queue);
        if (id == BUSY) {
            bl_core_step(core, &(struct bl_event){.kind = BL_EVENT_ROUND}, &actions);
        }
    }
    set_policy(core, "conservative");
    bl_actions_finish(&actions);
    return core;
}
