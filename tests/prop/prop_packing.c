/* Small jobs leave whole nodes to large ones, whatever policy serves them. */
#include "bl_test.h"
#include "prop.h"
#include "scene.h"

/* All but those that are as they were published. */
static const char *const packing[] = {"whale",    "easy",         "fifo", "pack",
                                      "priority", "conservative", "sjf",  "equal"};

enum { STEPS_MAX = 60, JOBS_MAX = STEPS_MAX + 1, LINE_MAX = 96 };

/* What the law is about. Nobody queues; jobs of one GPU come and go. */
struct bench {
    struct scene scene;
    int64_t nodes, gpus; /* GPUs a node */
    bl_job_id running[JOBS_MAX];
    int64_t count;
    bl_job_id last;
};

static struct bench bench_new(struct bl_prop *prop)
{
    struct bench bench = {.nodes = bl_prop_between(prop, 2, 20),
                          .gpus = bl_prop_between(prop, 1, 2) * 4};
    const char *policy = packing[bl_prop_between(prop, 0, sizeof packing / sizeof packing[0] - 1)];
    char line[LINE_MAX];

    snprintf(line, sizeof line, "%dx%d:A100", (int)bench.nodes, (int)bench.gpus);
    bl_prop_note(prop, "%s on %s", policy, line);
    bench.scene = scene_new(line, policy);
    return bench;
}

static int64_t empty_nodes(const struct bench *bench)
{
    const struct bl_cluster *cluster = bl_core_cluster(bench->scene.core);
    int64_t count = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        count += cluster->node[i].free.amount[BL_RESOURCE_GPU] == bench->gpus;
    }
    return count;
}

static bool has_begun_node(const struct bench *bench)
{
    const struct bl_cluster *cluster = bl_core_cluster(bench->scene.core);

    for (size_t i = 0; i < cluster->node_count; i++) {
        int64_t left = cluster->node[i].free.amount[BL_RESOURCE_GPU];

        if (left > 0 && left < bench->gpus) {
            return true;
        }
    }
    return false;
}

static bool submit(struct bl_prop *prop, struct bench *bench, const char *rest)
{
    char line[LINE_MAX];

    snprintf(line, sizeof line, "t=%dm submit id=%d %s", (int)(bench->scene.now / BL_MINUTE) + 1,
             (int)++bench->last, rest);
    bl_prop_note(prop, "%s", line);
    scene_event(&bench->scene, line);
    return strcmp(scene_state(&bench->scene, bench->last), "running") == 0;
}

/* It starts at once, and opens no further node while a begun one has room. */
static bool start_small(struct bl_prop *prop, struct bench *bench)
{
    bool is_begun = has_begun_node(bench);
    int64_t empty = empty_nodes(bench);
    bool is_started = submit(prop, bench, "gpus=1 limit=9h");

    bench->running[bench->count++] = bench->last;
    return is_started && empty_nodes(bench) == empty - !is_begun;
}

static void end_small(struct bl_prop *prop, struct bench *bench)
{
    int64_t which = bl_prop_between(prop, 0, bench->count - 1);
    char line[LINE_MAX];

    snprintf(line, sizeof line, "end id=%d", (int)bench->running[which]);
    bl_prop_note(prop, "%s", line);
    scene_event(&bench->scene, line);
    bench->running[which] = bench->running[--bench->count];
}

static bool small_jobs_are_packed(struct bl_prop *prop, void *context)
{
    struct bench bench = bench_new(prop);
    int64_t steps = bl_prop_between(prop, 0, STEPS_MAX - 1);
    char rest[LINE_MAX];
    bool held = true;

    (void)context;
    for (int64_t i = 0; i < steps && held; i++) {
        if (bench.count > 0 && bl_prop_chance(prop, 400)) {
            end_small(prop, &bench);
        } else if ((bench.count + 1) * 4 <= bench.nodes * bench.gpus) { /* 25 % */
            held = start_small(prop, &bench);
        }
    }
    snprintf(rest, sizeof rest, "gpus=%d nodes=1 limit=9h", (int)bench.gpus);
    for (int64_t empty = empty_nodes(&bench); empty >= 0 && held; empty--) {
        held = submit(prop, &bench, rest) == (empty > 0);
    }
    scene_free(&bench.scene);
    return held;
}

static void P19_small_jobs_are_packed_and_whole_nodes_start_at_once(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("small jobs are packed", 600, small_jobs_are_packed, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P19_small_jobs_are_packed_and_whole_nodes_start_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
