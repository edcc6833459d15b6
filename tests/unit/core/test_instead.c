#include "bl_test.h"
#include "core/instead.h"
#include "core/reservation.h"
#include "scene.h"

enum { TEXT_MAX = 400 };

static void print_change(char *out, const struct bl_instead *instead)
{
    const struct bl_job_change *change = &instead->change;
    size_t length = strlen(out);

    if (change->set_gpus) {
        snprintf(out + length, TEXT_MAX - length, "gpus=%d", (int)change->gpus_max);
    } else if (change->set_gpu_types) {
        snprintf(out + length, TEXT_MAX - length, "type=%s", change->gpu_type[0]);
    } else if (change->set_limit) {
        snprintf(out + length, TEXT_MAX - length, "limit=%dm", (int)(change->limit / BL_MINUTE));
    } else if (change->set_nodes) {
        snprintf(out + length, TEXT_MAX - length, "nodes=%d", (int)change->nodes_max);
    } else if (change->set_class) {
        snprintf(out + length, TEXT_MAX - length, "class=%s", bl_job_class_name(change->job_class));
    }
}

/* "gpus=3 now, limit=115m now before 1, type=V100 @120m". Minutes are rounded. */
static const char *told(const struct scene *scene, bl_job_id job, size_t runs)
{
    static char out[TEXT_MAX];
    const struct bl_whatif_effort effort = {.options.seed = 7, .runs = runs};
    struct bl_insteads insteads;

    out[0] = '\0';
    bl_insteads_find(scene->core, job, &effort, &insteads);
    for (size_t i = 0; i < insteads.count; i++) {
        const struct bl_instead *instead = &insteads.at[i];
        bl_time minutes = (instead->start.p50 + BL_MINUTE / 2) / BL_MINUTE;
        size_t length;

        snprintf(out + strlen(out), TEXT_MAX - strlen(out), "%s", i ? ", " : "");
        print_change(out, instead);
        length = strlen(out);
        if (instead->is_now) {
            snprintf(out + length, TEXT_MAX - length, " now");
        } else {
            snprintf(out + length, TEXT_MAX - length, " @%dm", (int)minutes);
        }
        length = strlen(out);
        if (instead->before) {
            snprintf(out + length, TEXT_MAX - length, " before %d", (int)instead->before);
        }
        assert_true(instead->start.p10 <= instead->start.p50 &&
                    instead->start.p50 <= instead->start.p90);
    }
    return out;
}

/* Half of its limit is what a job is taken to run for where nothing is known of others. */
static const struct {
    const char *nodes, *policy;
    const char *line[4];
    int job;
    const char *expected;
} rows[] = {
    /* the largest number that starts at once */
    {"1x8:A100",
     "easy",
     {"t=1m submit id=1 gpus=5 limit=4h", "t=1m submit id=2 gpus=8 limit=2h"},
     2,
     "gpus=3 now"},
    /* what fewer GPUs bring later, and still fewer sooner */
    {"1x8:A100",
     "easy",
     {"t=1m submit id=1 gpus=6 limit=4h", "t=1m submit id=2 gpus=2 limit=20h",
      "t=1m submit id=3 gpus=8 limit=2h"},
     3,
     "gpus=6 @121m"},
    {"1x4:A100 1x4:V100",
     "fifo",
     {"t=1m submit id=1 gpus=4 type=A100 limit=4h", "t=1m submit id=2 gpus=4 type=A100 limit=2h"},
     2,
     "type=V100 now"},
    /* a slot that begins in two hours */
    {"1x4:A100",
     "easy",
     {"t=1m reserve id=1 gpus=4 from=121m for=1h", "t=1m submit id=1 gpus=4 limit=4h"},
     1,
     "limit=115m now before 1"},
    {"1x4:A100",
     "easy",
     {"t=1m reserve id=1 gpus=4 from=121m for=1h", "t=1m submit id=1 gpus=4 limit=4h warn=1m"},
     1,
     "limit=115m now before 1, class=preemptible now"},
    /* a job of two nodes that could be on more */
    {"3x1:A100 1x2:A100",
     "easy",
     {"t=1m submit id=1 gpus=2 nodes=1 limit=4h", "t=1m submit id=2 gpus=3 nodes=2 limit=4h"},
     2,
     "nodes=0 now, gpus=2 now"},
    /* legal counts alone */
    {"1x8:A100",
     "fifo",
     {"t=1m submit id=1 gpus=3 limit=4h", "t=1m submit id=2 gpus=2,4,8 limit=2h"},
     2,
     "gpus=4 now"},
    /* nothing that it may change helps */
    {"1x2:A100",
     "easy",
     {"t=1m submit id=1 gpus=2 limit=4h", "t=1m submit id=2 gpus=1 limit=2h"},
     2,
     ""},
    /* not in line: it waits for another, or runs */
    {"1x4:A100",
     "easy",
     {"t=1m submit id=1 gpus=2 limit=4h", "t=1m submit id=2 gpus=4 limit=2h after=1"},
     2,
     ""},
    {"1x4:A100", "easy", {"t=1m submit id=1 gpus=2 limit=4h"}, 1, ""},
};

static void A20_a_job_that_waits_is_told_what_would_start_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new(rows[i].nodes, rows[i].policy);

        for (size_t k = 0; k < 4 && rows[i].line[k]; k++) {
            scene_event(&s, rows[i].line[k]);
        }
        if (strcmp(told(&s, rows[i].job, 0), rows[i].expected) != 0) {
            fail_msg("row %d: '%s'", (int)i, told(&s, rows[i].job, 0));
        }
        scene_free(&s);
    }
}

static bool is_enough_after(void *self)
{
    int *left = self;

    return (*left)-- <= 0;
}

/* Three ways, of which one helps: what was not tried is told. */
static void what_there_was_no_time_to_try_is_told(void **state)
{
    static const struct {
        int more;
        size_t count, untried;
    } cases[] = {{0, 0, 3}, {1, 0, 2}, {2, 0, 1}, {3, 1, 0}, {100, 1, 0}};
    struct scene s = scene_new("1x4:A100", "easy");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=3 limit=4h");
    scene_event(&s, "t=1m submit id=2 gpus=4 limit=2h");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int left = cases[i].more;
        const struct bl_whatif_effort effort = {.is_enough = is_enough_after, .judge = &left};
        struct bl_insteads found;

        bl_insteads_find(s.core, 2, &effort, &found);
        assert_int_equal(found.count, cases[i].count);
        assert_int_equal(found.untried, cases[i].untried);
    }
    scene_free(&s);
}

/* A job is as it stands in what others compared with. */
static void looks_that_were_made_for_others_serve_as_well(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");
    struct bl_whatif_before before = {.count = 0};
    const struct bl_whatif_effort effort = {.runs = 4, .before = &before};
    const struct bl_whatif_effort alone = {.runs = 4};
    struct bl_insteads found;
    struct bl_insteads expected;
    struct bl_arena arena = {0};
    struct bl_job_spec spec = scene_spec("gpus=1 limit=1h", &arena);
    struct bl_whatif told;

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=3 limit=4h");
    scene_event(&s, "t=1m submit id=2 gpus=4 limit=2h");
    bl_whatif_submit(s.core, &spec, &effort, &arena, &told);
    assert_int_equal(before.count, 5);
    bl_insteads_find(s.core, 2, &effort, &found);
    bl_insteads_find(s.core, 2, &alone, &expected);
    assert_int_equal(found.count, 1);
    assert_int_equal(expected.count, 1);
    assert_int_equal(found.at[0].start.p50, expected.at[0].start.p50);
    assert_int_equal(found.at[0].runs, expected.at[0].runs);
    bl_whatif_before_finish(&before);
    bl_arena_finish(&arena);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A20_a_job_that_waits_is_told_what_would_start_it),
        cmocka_unit_test(what_there_was_no_time_to_try_is_told),
        cmocka_unit_test(looks_that_were_made_for_others_serve_as_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
