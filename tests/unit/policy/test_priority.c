#include "bl_test.h"
#include "scene.h"

static void A10_the_highest_priority_goes_first_then_the_oldest(void **state)
{
    static const char *const policies[] = {"priority", "priority:backfill=none"};
    static const char *const starts[] = {"1@0s 5@3m 3@1h 4@2h 2@3h", "1@0s 3@1h 4@2h 2@3h 5@4h"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct scene s = scene_new("1x8:A100", policies[i]);

        scene_event(&s, "t=0 submit id=1 gpus=6 run=1h limit=1h");
        scene_event(&s, "t=1s submit id=2 gpus=8 run=1h limit=1h priority=-1");
        scene_event(&s, "t=2s submit id=3 gpus=8 run=1h limit=1h priority=7");
        scene_event(&s, "t=3s submit id=4 gpus=8 run=1h limit=1h priority=7");
        scene_event(&s, "t=3m submit id=5 gpus=2 run=10m limit=10m priority=-9");
        assert_string_equal(scene_starts(&s), starts[i]);
        scene_free(&s);
    }
}

static void a_changed_priority_counts_at_once(void **state)
{
    struct scene s = scene_new("1x8:A100", "priority");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=1s submit id=2 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=2s submit id=3 gpus=8 run=1h limit=1h");
    scene_event(&s, "t=3s change id=3 priority=1");
    assert_string_equal(scene_starts(&s), "1@0s 3@1h 2@2h");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A10_the_highest_priority_goes_first_then_the_oldest),
        cmocka_unit_test(a_changed_priority_counts_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
