#include "core/survey.h"

#include "bl_test.h"
#include "scene.h"

static struct bl_booking_spec spec_of(const char *line, struct bl_arena *arena)
{
    return scene_wish(line, arena);
}

static void gpus_that_nobody_is_on_are_chosen_first(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = spec_of("id=1 gpus=2 from=1h for=1h", &arena);
    struct bl_booking_wish wish = {.spec = &spec};
    struct bl_alloc alloc = {0};
    struct bl_survey *survey;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 class=preemptible");
    scene_event(&s, "t=0 round");
    survey = bl_survey_create(s.core, &wish, &arena);
    assert_true(bl_survey_find(survey, spec.slot[0], 2, NULL, &alloc));
    assert_int_equal(alloc.single.gpu_mask, 6);
    assert_true(bl_survey_find(survey, spec.slot[0], 4, NULL, &alloc));
    assert_int_equal(alloc.single.gpu_mask, 15);
    assert_int_equal(bl_survey_most(survey, spec.slot[0], NULL), 4);
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void a_gpu_takes_its_share_of_cpus_and_memory(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = spec_of("id=1 gpus=1 from=1h for=1h", &arena);
    struct bl_booking_wish wish = {.spec = &spec};
    struct bl_alloc alloc = {0};
    struct bl_survey *survey;

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 cpus=40 limit=9h");
    survey = bl_survey_create(s.core, &wish, &arena);
    assert_int_equal(bl_survey_most(survey, spec.slot[0], NULL), 1);
    assert_true(bl_survey_find(survey, spec.slot[0], 1, NULL, &alloc));
    assert_int_equal(alloc.single.cpu_milli, 16000);
    assert_int_equal(alloc.single.mem_bytes, INT64_C(128) << 30);
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void nodes_that_are_drained_before_the_end_have_nothing(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = spec_of("id=1 gpus=1 from=1h for=1h", &arena);
    struct bl_booking_wish wish = {.spec = &spec};
    struct bl_survey *survey;

    (void)state;
    scene_event(&s, "t=0 node name=n1 state=down");
    scene_event(&s, "t=0 node name=n2 state=drained from=90m");
    survey = bl_survey_create(s.core, &wish, &arena);
    assert_int_equal(bl_survey_most(survey, spec.slot[0], NULL), 0);
    assert_int_equal(bl_survey_most(survey, (struct bl_slot){0, BL_HOUR}, NULL), 4);
    bl_arena_finish(&arena);
    scene_free(&s);
}

static void what_was_taken_for_one_slot_is_gone_for_those_that_overlap_it(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = spec_of("id=1 gpus=3 from=1h for=1h", &arena);
    struct bl_booking_wish wish = {.spec = &spec};
    struct bl_alloc alloc = {0};
    struct bl_survey *survey = bl_survey_create(s.core, &wish, &arena);

    (void)state;
    assert_true(bl_survey_find(survey, spec.slot[0], 3, NULL, &alloc));
    bl_survey_take(survey, spec.slot[0], &alloc);
    assert_false(bl_survey_has(survey, spec.slot[0], &alloc));
    assert_int_equal(bl_survey_most(survey, spec.slot[0], NULL), 1);
    assert_true(bl_survey_has(survey, (struct bl_slot){2 * BL_HOUR, 3 * BL_HOUR}, &alloc));
    bl_survey_ask(survey, &spec);
    assert_true(bl_survey_has(survey, spec.slot[0], &alloc));
    bl_arena_finish(&arena);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_that_nobody_is_on_are_chosen_first),
        cmocka_unit_test(a_gpu_takes_its_share_of_cpus_and_memory),
        cmocka_unit_test(nodes_that_are_drained_before_the_end_have_nothing),
        cmocka_unit_test(what_was_taken_for_one_slot_is_gone_for_those_that_overlap_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
