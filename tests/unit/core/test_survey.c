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

/* A job of u1 is on the first of four GPUs with 60 of 64 CPUs. Rows are wishes, the GPUs found (0 =
 * none) and the most that could be had. */
static const struct {
    const char *line;
    uint64_t found;
    int32_t most;
} beside[] = {
    {"id=1 on=n1:1 from=1m for=1h user=u1", 0, 4}, {"id=1 on=n1:1-3 from=1m for=1h user=u1", 0, 4},
    {"id=1 on=n1:0 from=1m for=1h user=u1", 1, 4}, {"id=1 on=n1:0-1 from=1m for=1h user=u1", 3, 4},
    {"id=1 gpus=4 from=1m for=1h user=u1", 15, 4}, {"id=1 on=n1:0 from=1m for=1h user=u2", 0, 0},
    {"id=1 on=n1:0 from=2m for=1h user=u1", 0, 0},
};

static void a_users_own_job_is_in_the_way_with_what_the_slot_will_not_be_around(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        struct scene s = scene_new("1x4:A100", "fifo");
        struct bl_arena arena = {0};
        struct bl_booking_spec spec = spec_of(beside[i].line, &arena);
        struct bl_booking_wish wish = {.spec = &spec};
        struct bl_alloc alloc = {0};
        struct bl_survey *survey;
        bool is_found;

        scene_event(&s, "t=1m submit id=1 gpus=1 cpus=60 user=u1");
        survey = bl_survey_create(s.core, &wish, &arena);
        is_found = bl_survey_find(survey, spec.slot[0], spec.gpus, NULL, &alloc);
        if ((is_found ? bl_alloc_parts(&alloc)->gpu_mask : 0) != beside[i].found ||
            bl_survey_most(survey, spec.slot[0], NULL) != beside[i].most) {
            fail_msg("'%s': found %d, most %d", beside[i].line, (int)is_found,
                     (int)bl_survey_most(survey, spec.slot[0], NULL));
        }
        bl_arena_finish(&arena);
        scene_free(&s);
    }
}

/* The slot would hold 16 CPUs of the 4 that are left: who gives way would go for nothing. */
static void nobody_is_sent_off_for_what_the_users_own_job_keeps(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 cpus=60 user=u1");
    scene_event(&s, "t=0 submit id=2 gpus=1 cpus=2 class=preemptible user=u2");
    scene_event(&s, "t=1m reserve id=1 on=n1:3 from=1m for=1h user=u1");
    assert_string_equal(scene_booking(&s, 1), "");
    scene_event(&s, "t=2m round");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

/* Beside jobs 1 to 3 there are 15 CPUs, a GPU's share being 16: two GPUs are had around jobs 1 and
 * 2 alone, since around one of them the other has too much. */
static void gpus_are_had_around_jobs_that_would_be_in_the_way_beside_it(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_arena arena = {0};
    struct bl_booking_spec spec = spec_of("id=1 gpus=3 from=1m for=1h user=u1", &arena);
    struct bl_booking_wish wish = {.spec = &spec};
    struct bl_conflict conflict[4];
    struct bl_alloc alloc = {0};
    struct bl_survey *survey;

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=1 cpus=16 user=u1");
    scene_event(&s, "t=1m submit id=2 gpus=1 cpus=17 user=u1");
    scene_event(&s, "t=1m submit id=3 gpus=1 cpus=16 user=u2");
    survey = bl_survey_create(s.core, &wish, &arena);
    assert_true(bl_survey_find(survey, spec.slot[0], 2, NULL, &alloc));
    assert_int_equal(alloc.single.gpu_mask, 3);
    assert_false(bl_survey_find(survey, spec.slot[0], 4, NULL, &alloc));
    assert_int_equal(bl_survey_conflicts(survey, spec.slot[0], conflict, 4), 2);
    assert_int_equal(conflict[0].job, 2);
    assert_int_equal(conflict[1].job, 3);
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
        cmocka_unit_test(a_users_own_job_is_in_the_way_with_what_the_slot_will_not_be_around),
        cmocka_unit_test(nobody_is_sent_off_for_what_the_users_own_job_keeps),
        cmocka_unit_test(gpus_are_had_around_jobs_that_would_be_in_the_way_beside_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
