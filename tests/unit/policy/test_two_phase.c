#include "bl_test.h"
#include "scene.h"

static void A11_the_least_counts_go_to_who_ends_soonest(void **state)
{
    struct scene s = scene_new("1x4:A100", "two_phase");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 class=preemptible run=10h");
    scene_event(&s, "t=10m submit id=2 gpus=4 class=preemptible run=1h");
    scene_event(&s, "t=20m submit id=3 gpus=4 class=preemptible run=2h");
    assert_string_equal(scene_state(&s, 1), "queued");
    assert_string_equal(scene_why_word(&s, 3), "resources");
    assert_string_equal(scene_starts(&s), "1@0s 2@10m 3@1h10m 1@3h10m");
    scene_free(&s);
}

/* By area a long job on one GPU goes before a shorter one on four. */
static void A11_time_by_gpus_can_be_what_counts(void **state)
{
    static const char *const rows[][2] = {{"two_phase", "2@1m 1@1h1m"},
                                          {"two_phase:order=area", "1@1m 2@2h1m"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x4:A100", rows[i][0]);

        scene_event(&s, "t=0 submit id=9 gpus=4 run=1m");
        scene_event(&s, "t=1s submit id=1 gpus=1 run=2h");
        scene_event(&s, "t=1s submit id=2 gpus=4 run=1h");
        assert_string_equal(scene_starts(&s) + strlen("9@0s "), rows[i][1]);
        scene_free(&s);
    }
}

static void A11_what_is_left_goes_to_who_gains_most(void **state)
{
    struct scene s = scene_new("1x8:A100", "two_phase");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1-8 run=10h efficiency=0.1");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    scene_event(&s, "t=1m submit id=2 gpus=1-8 run=10h efficiency=0.9");
    assert_string_equal(scene_where(&s, 1), "n1:0");
    assert_string_equal(scene_where(&s, 2), "n1:1,2,3,4,5,6,7");
    scene_free(&s);
}

/* By time a long job gains from what helps a short one as much by speed. */
static void A11_gain_is_by_speed_or_by_time(void **state)
{
    static const char *const rows[][2] = {{"two_phase", "n1:0,1"}, {"two_phase:gain=time", "n1:0"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x4:A100", rows[i][0]);

        scene_event(&s, "t=0 submit id=1 gpus=1-4 run=1h efficiency=0.9");
        scene_event(&s, "t=1s submit id=2 gpus=1-4 run=100h efficiency=0.9");
        assert_string_equal(scene_where(&s, 1), rows[i][1]);
        scene_free(&s);
    }
}

/* Two GPUs more would save 50 s of the 100 s that are left. */
static void A14_nobody_is_moved_for_less_than_a_restart(void **state)
{
    static const struct {
        const char *job;
        const char *where;
    } rows[] = {
        {"t=0 submit id=2 gpus=2-4 run=200s efficiency=1 cost=40s", "n1:0,1,2,3"},
        {"t=0 submit id=2 gpus=2-4 run=200s efficiency=1 cost=60s", "n1:2,3"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x4:A100", "two_phase");

        scene_event(&s, "t=0 submit id=1 gpus=2 run=150s");
        scene_event(&s, rows[i].job);
        scene_event(&s, "t=160s round");
        assert_string_equal(scene_where(&s, 2), rows[i].where);
        scene_free(&s);
    }
}

static void A11_what_may_not_be_moved_stays(void **state)
{
    struct scene s = scene_new("1x4:A100", "two_phase");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=3 run=10h");
    scene_event(&s, "t=1m submit id=2 gpus=1-4 run=1m efficiency=0.9");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_where(&s, 2), "n1:3");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A11_the_least_counts_go_to_who_ends_soonest),
        cmocka_unit_test(A11_time_by_gpus_can_be_what_counts),
        cmocka_unit_test(A11_what_is_left_goes_to_who_gains_most),
        cmocka_unit_test(A11_gain_is_by_speed_or_by_time),
        cmocka_unit_test(A14_nobody_is_moved_for_less_than_a_restart),
        cmocka_unit_test(A11_what_may_not_be_moved_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
