#include "bl_test.h"
#include "scene.h"

static void A10_nobody_passes_the_head_of_the_queue(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 run=1h");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=1h");
    scene_event(&s, "t=0 submit id=3 gpus=1 run=1h");
    assert_string_equal(scene_starts(&s), "1@0s 2@1h 3@1h");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(A10_nobody_passes_the_head_of_the_queue)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
