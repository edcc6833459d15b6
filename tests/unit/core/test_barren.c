#include "bl_test.h"
#include "core/barren.h"
#include "scene.h"

static struct bl_job make(int64_t cpus, int32_t pool)
{
    struct bl_job job = {.pool = pool};

    job.spec.gpus_min = job.spec.gpus_want = job.spec.gpus_max = 2;
    job.spec.cpu_milli = (struct bl_amount){cpus * 1000, true};
    return job;
}

static void who_asks_for_the_same_is_known_to_be_in_vain(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_barren barren;
    struct bl_job job = make(4, -1);
    struct bl_job other = make(5, -1);
    struct bl_job elsewhere = make(4, 0);

    (void)state;
    bl_barren_init(&barren, bl_core_cluster(s.core));
    assert_false(bl_barren_has(&barren, &job, 2, false));
    bl_barren_note(&barren, &job, 2, false);
    assert_true(bl_barren_has(&barren, &job, 2, false));
    assert_true(bl_barren_has(&barren, &job, 2, true));
    assert_false(bl_barren_has(&barren, &job, 3, false));
    assert_false(bl_barren_has(&barren, &other, 2, false));
    assert_false(bl_barren_has(&barren, &elsewhere, 2, false));
    bl_barren_clear(&barren);
    assert_false(bl_barren_has(&barren, &job, 2, false));
    scene_free(&s);
}

static void a_short_one_is_tried_although_a_long_one_was_in_vain(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_barren barren;
    struct bl_job job = make(4, -1);

    (void)state;
    bl_barren_init(&barren, bl_core_cluster(s.core));
    bl_barren_note(&barren, &job, 2, true);
    assert_true(bl_barren_has(&barren, &job, 2, true));
    assert_false(bl_barren_has(&barren, &job, 2, false));
    scene_free(&s);
}

static void assert_nothing_is_remembered(const struct scene *s)
{
    struct bl_barren barren;
    struct bl_job job = make(4, -1);

    bl_barren_init(&barren, bl_core_cluster(s->core));
    bl_barren_note(&barren, &job, 2, false);
    assert_false(bl_barren_has(&barren, &job, 2, false));
}

static void nothing_is_remembered_where_limits_decide_about_places(void **state)
{
    struct scene held = scene_new("1x8c", "easy");
    struct scene drained = scene_new("1x8c", "easy");
    struct bl_event drain = {.kind = BL_EVENT_NODE_STATE, .at = BL_MINUTE};

    (void)state;
    scene_event(&held, "t=1m reserve id=1 gpus=4 from=5h for=1h");
    assert_nothing_is_remembered(&held);
    drain.u.node_state.name = "n1";
    drain.u.node_state.state = BL_NODE_DRAINED;
    drain.u.node_state.from = 5 * BL_HOUR;
    scene_step(&drained, &drain);
    assert_nothing_is_remembered(&drained);
    scene_free(&held);
    scene_free(&drained);
}

static void what_is_remembered_has_a_ceiling(void **state)
{
    struct scene s = scene_new("1x8c", "easy");
    struct bl_barren barren;
    struct bl_job job = make(4, -1);

    (void)state;
    bl_barren_init(&barren, bl_core_cluster(s.core));
    for (int32_t gpus = 1; gpus <= BL_BARREN_MAX + 5; gpus++) {
        bl_barren_note(&barren, &job, gpus, false);
    }
    assert_int_equal(barren.count, BL_BARREN_MAX);
    assert_true(bl_barren_has(&barren, &job, BL_BARREN_MAX, false));
    assert_false(bl_barren_has(&barren, &job, BL_BARREN_MAX + 1, false));
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_asks_for_the_same_is_known_to_be_in_vain),
        cmocka_unit_test(a_short_one_is_tried_although_a_long_one_was_in_vain),
        cmocka_unit_test(nothing_is_remembered_where_limits_decide_about_places),
        cmocka_unit_test(what_is_remembered_has_a_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
