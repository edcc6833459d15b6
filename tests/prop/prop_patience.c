/* Nobody starves under `whale`: what it promises of the option `patience`, whatever stream of short
 * jobs passes by. */
#include "bl_test.h"
#include "prop.h"
#include "scene.h"

enum { TYPES_MAX = 3, LONG_MAX = 3, EARLY_MAX = 4, LINE_MAX = 200, REST_MAX = 120 };

/* Minutes. `owed` sums up what the promise leaves to others: the jobs that become due before, and
 * what was started before and may not be put back. */
struct bench {
    struct scene scene;
    int64_t nodes, types, node_gpus;
    int64_t patience, longest; /* of a short job */
    int64_t gap;               /* between two short jobs at most */
    int64_t owed;
    bl_job_id last;
};

static struct bench bench_new(struct bl_prop *prop)
{
    static const char *const types[TYPES_MAX] = {"A100", "V100", "T4"};
    struct bench bench = {.nodes = bl_prop_between(prop, 1, 3),
                          .types = bl_prop_between(prop, 1, TYPES_MAX),
                          .node_gpus = bl_prop_between(prop, 2, 8),
                          .patience = bl_prop_between(prop, 1, 3) * 60,
                          .longest = bl_prop_between(prop, 5, 20)};
    char nodes[LINE_MAX] = "";
    char policy[LINE_MAX];

    for (int64_t i = 0; i < TYPES_MAX && i < bench.types; i++) {
        size_t length = strlen(nodes);

        snprintf(nodes + length, sizeof nodes - length, " %dx%d:%s", (int)bench.nodes,
                 (int)bench.node_gpus, types[i]);
    }
    snprintf(policy, sizeof policy, "whale:patience=%dm", (int)bench.patience);
    bl_prop_note(prop, "%s on%s", policy, nodes);
    bench.scene = scene_new(nodes, policy);
    /* more work comes in than the machine can do */
    bench.gap = 1 + bench.longest / (2 * bench.nodes * bench.types);
    return bench;
}

static void submit(struct bl_prop *prop, struct bench *bench, int64_t at, const char *rest)
{
    char line[LINE_MAX];

    snprintf(line, sizeof line, "t=%dm submit id=%d %s", (int)at, (int)++bench->last, rest);
    bl_prop_note(prop, "%s", line);
    scene_event(&bench->scene, line);
}

/* Rigid, preemptible and elastic ones, for any type or one of them. */
static void submit_short(struct bl_prop *prop, struct bench *bench, int64_t at)
{
    static const char *const types[] = {"", "type=A100", "type=V100", "type=T4"};
    int64_t gpus = bl_prop_between(prop, 1, bench->node_gpus);
    int64_t more =
        bl_prop_chance(prop, 300) ? bl_prop_between(prop, 0, bench->node_gpus - gpus) : 0;
    int64_t run = bl_prop_between(prop, 1, bench->longest);
    char rest[REST_MAX];

    snprintf(
        rest, sizeof rest, "gpus=%d-%d efficiency=0.9 run=%dm limit=%dm class=%s %s %s", (int)gpus,
        (int)(gpus + more), (int)run, (int)run, bl_prop_chance(prop, 300) ? "preemptible" : "batch",
        bl_prop_chance(prop, 300) ? "nodes=1" : "", types[bl_prop_between(prop, 0, bench->types)]);
    submit(prop, bench, at, rest);
}

/* Never worth as much as a short one: on one node, or up to all GPUs of a type. */
static void submit_long(struct bl_prop *prop, struct bench *bench, int64_t at)
{
    bool is_on_one = bl_prop_chance(prop, 500);
    int64_t all = bench->node_gpus * (is_on_one ? 1 : bench->nodes);
    int64_t run = bl_prop_between(prop, 2, 5) * 60;
    char rest[REST_MAX];

    snprintf(rest, sizeof rest, "gpus=%d run=%dm limit=%dm %s %s",
             (int)bl_prop_between(prop, 1, all), (int)run, (int)run, is_on_one ? "nodes=1" : "",
             bl_prop_chance(prop, 500) ? "type=A100" : "");
    submit(prop, bench, at, rest);
    bench->owed += run;
}

/* The stream goes on until the promise to the last long job must have been kept. */
static bool nobody_waits_longer_than_promised(struct bl_prop *prop, void *context)
{
    struct bench bench = bench_new(prop);
    int64_t count = bl_prop_between(prop, 1, LONG_MAX);
    int64_t early = bl_prop_between(prop, 0, EARLY_MAX);
    int64_t bound;
    bool held = true;

    (void)context;
    for (int64_t i = 0; i < early; i++) {
        submit_short(prop, &bench, 0);
    }
    for (int64_t i = 0; i < count; i++) {
        submit_long(prop, &bench, 1);
    }
    bench.owed += (early + 1) * bench.longest + bench.gap + 1;
    bound = 1 + bench.patience + bench.owed;
    for (int64_t at = 1; at <= bound; at += bl_prop_between(prop, 1, bench.gap)) {
        submit_short(prop, &bench, at);
    }
    for (bl_job_id id = early + 1; id <= early + count; id++) {
        const struct bl_job *job = bl_core_find_job(bench.scene.core, id);

        held = held && job->first_started_at > 0 &&
               job->first_started_at <= (bound - job->spec.limit / BL_MINUTE) * BL_MINUTE;
    }
    scene_free(&bench.scene);
    return held;
}

static void A22_under_an_endless_stream_nobody_waits_longer_than_promised(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("nobody starves", 60, nobody_waits_longer_than_promised, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A22_under_an_endless_stream_nobody_waits_longer_than_promised),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
