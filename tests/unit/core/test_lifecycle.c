#include "bl_test.h"
#include "scene.h"

enum { CHAIN = 50000 };

static void A7_a_long_chain_of_dependents_ends_without_recursion(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");
    struct bl_event submit = {.kind = BL_EVENT_JOB_SUBMITTED};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1");
    for (int64_t id = 2; id <= CHAIN; id++) {
        struct bl_dependency after = {id - 1, BL_AFTER_OK};

        submit.job = id;
        submit.u.submitted.after = &after;
        submit.u.submitted.after_count = 1;
        scene_step(&s, &submit);
    }
    scene_event(&s, "end id=1 code=1");
    assert_string_equal(scene_state(&s, CHAIN), "cancelled");
    scene_free(&s);
}

static void a_job_with_two_wishes_waits_for_both(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_dependency after[] = {{1, BL_AFTER_OK}, {2, BL_AFTER_ANY}};
    struct bl_event submit = {.kind = BL_EVENT_JOB_SUBMITTED, .job = 3};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1");
    scene_event(&s, "t=0 submit id=2 gpus=1");
    submit.u.submitted.after = after;
    submit.u.submitted.after_count = 2;
    scene_step(&s, &submit);
    scene_event(&s, "end id=2 code=1");
    assert_string_equal(scene_state(&s, 3), "waiting");
    assert_int_equal(scene_why(&s, 3).job, 1);
    scene_event(&s, "end id=1 code=0");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A7_a_long_chain_of_dependents_ends_without_recursion),
        cmocka_unit_test(a_job_with_two_wishes_waits_for_both),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
