#include "bl_test.h"
#include "scene.h"

/* ann's jobs took a minute, bob's an hour; all ask for ten. */
static struct scene with_past(const char *policy)
{
    struct scene s = scene_new("1x8c", policy);

    scene_event(&s, "t=0 submit id=1 gpus=4 run=1m limit=10h user=ann");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=1h limit=10h user=bob");
    scene_event(&s, "t=2h submit id=3 gpus=4 run=1m limit=10h user=ann");
    scene_event(&s, "t=2h submit id=4 gpus=4 run=1h limit=10h user=bob");
    scene_event(&s, "t=4h submit id=5 gpus=8 run=10m limit=10h user=cy");
    scene_event(&s, "t=4h submit id=6 gpus=8 run=1h limit=10h user=bob");
    scene_event(&s, "t=4h submit id=7 gpus=8 run=1m limit=10h user=ann");
    return s;
}

static void A10_who_is_foreseen_to_take_less_goes_first_whatever_the_limits(void **state)
{
    static const char *const policies[] = {"predictive", "predictive:order=haste",
                                           "predictive:order=shortest", "predictive:guard=no"};

    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct scene s = with_past(policies[i]);

        assert_string_equal(scene_starts(&s), "1@0s 2@0s 3@2h 4@2h 5@4h 7@4h10m 6@4h11m");
        scene_free(&s);
    }
}

static void A10_with_no_wait_allowed_the_plan_by_limits_is_kept(void **state)
{
    struct scene s = with_past("predictive:wait=0s");

    (void)state;
    assert_string_equal(scene_starts(&s), "1@0s 2@0s 3@2h 4@2h 5@4h 6@4h10m 7@5h10m");
    scene_free(&s);
    s = scene_new("1x8c", "predictive:wait=0s");
    scene_event(&s, "t=0 submit id=1 gpus=8 run=1h limit=1h user=ann");
    scene_event(&s, "t=1m submit id=2 gpus=8 run=2h limit=2h user=bob");
    scene_event(&s, "t=2m submit id=3 gpus=8 run=1m limit=1h user=ann");
    assert_string_equal(scene_starts(&s), "1@0s 2@1h 3@3h");
    scene_free(&s);
}

static void backfilling_goes_by_what_is_foreseen(void **state)
{
    struct scene s = scene_new("1x8c", "predictive");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=4 run=1m limit=10h user=ann");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=1h limit=10h user=bob");
    scene_event(&s, "t=2h submit id=3 gpus=6 run=1h limit=10h user=bob");
    scene_event(&s, "t=2h submit id=4 gpus=8 run=1h limit=10h user=bob");
    scene_event(&s, "t=2h10m submit id=5 gpus=2 run=1m limit=10h user=ann");
    assert_string_equal(scene_state(&s, 5), "running");
    assert_string_equal(scene_state(&s, 4), "queued");
    assert_string_equal(scene_why_word(&s, 4), "resources");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A10_who_is_foreseen_to_take_less_goes_first_whatever_the_limits),
        cmocka_unit_test(A10_with_no_wait_allowed_the_plan_by_limits_is_kept),
        cmocka_unit_test(backfilling_goes_by_what_is_foreseen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
