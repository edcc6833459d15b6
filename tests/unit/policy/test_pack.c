#include "bl_test.h"
#include "scene.h"

static void A10_whatever_fits_starts(void **state)
{
    struct scene s = scene_new("1x8:A100", "pack");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 run=1h");
    scene_event(&s, "t=0 submit id=2 gpus=8 run=1h");
    scene_event(&s, "t=0 submit id=3 gpus=2 run=9h");
    assert_string_equal(scene_why_word(&s, 2), "resources");
    assert_string_equal(scene_starts(&s), "1@0s 3@0s 2@9h");
    scene_free(&s);
}

static void A10_best_fit_leaves_least_room_first_fit_takes_the_first_node(void **state)
{
    static const char *const policies[] = {"pack", "pack:fit=first"};
    static const char *const where[] = {"n2:0,1", "n1:0,1"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct scene s = scene_new("1x8:A100 1x2:A100", policies[i]);

        scene_event(&s, "t=0 submit id=1 gpus=2");
        assert_string_equal(scene_where(&s, 1), where[i]);
        scene_event(&s, "t=0 submit id=2 gpus=8 nodes=2");
        assert_string_equal(scene_state(&s, 2), "running");
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A10_whatever_fits_starts),
        cmocka_unit_test(A10_best_fit_leaves_least_room_first_fit_takes_the_first_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
