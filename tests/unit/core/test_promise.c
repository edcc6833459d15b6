#include "bl_test.h"
#include "scene.h"

static bl_time promised(const struct scene *s, bl_job_id id)
{
    return bl_core_find_job(s->core, id)->promised_at;
}

static void a_promise_is_the_latest_start_by_limits(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h run=1h");
    scene_event(&s, "t=2m submit id=2 gpus=4 limit=3h run=1h");
    scene_event(&s, "t=3m submit id=3 gpus=2 limit=1h run=30m promise=1");
    assert_int_equal(promised(&s, 3), BL_MINUTE + 5 * BL_HOUR);
    assert_string_equal(scene_booking(&s, -3), "1 booked 5h1m-6h1m n1:0,1");
    assert_string_equal(scene_starts(&s), "1@1m 2@1h1m 3@2h1m");
    assert_int_equal(bl_core_find_booking(s.core, -3)->occurrence[0].state, BL_OCCURRENCE_ENDED);
    scene_free(&s);
}

static void who_waits_for_a_slot_to_pass_is_still_ahead(void **state)
{
    struct scene s = scene_new("1x4:A100", "easy");

    (void)state;
    scene_event(&s, "t=1m reserve id=1 gpus=2 from=2m for=2m");
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=1h run=1h");
    scene_event(&s, "t=1m submit id=2 gpus=4 limit=10m run=10m promise=1");
    assert_int_equal(promised(&s, 2), BL_HOUR + 4 * BL_MINUTE);
    scene_event(&s, "t=4m round");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_free(&s);
}

static void later_arrivals_and_reservations_do_not_break_it(void **state)
{
    struct scene s = scene_new("1x4:A100", "sjf");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h run=2h");
    scene_event(&s, "t=2m submit id=2 gpus=4 limit=4h run=4h promise=1");
    assert_int_equal(promised(&s, 2), BL_MINUTE + 2 * BL_HOUR);
    for (int id = 3; id < 9; id++) {
        char line[64];

        snprintf(line, sizeof line, "t=3m submit id=%d gpus=4 limit=1h run=1h", id);
        scene_event(&s, line);
    }
    scene_event(&s, "t=3m reserve id=1 gpus=1 from=3h for=1h");
    assert_null(bl_core_find_booking(s.core, 1));
    scene_event(&s, "t=2h1m round");
    assert_string_equal(scene_why_word(&s, 2), "promised");
    assert_string_equal(scene_why_word(&s, 3), "resources");
    scene_free(&s);
}

static void who_gives_way_makes_room_for_it(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 class=preemptible");
    scene_event(&s, "t=2m submit id=2 gpus=4 limit=1h run=1h promise=1");
    assert_int_equal(promised(&s, 2), 2 * BL_MINUTE + 30 * BL_SECOND);
    scene_event(&s, "t=2m30s round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_int_equal(scene_why(&s, 1).job, -2);
    scene_event(&s, "t=2m40s end id=1 code=85");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

static void without_a_limit_or_an_end_ahead_nothing_is_promised(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4");
    scene_event(&s, "t=2m submit id=2 gpus=4 promise=1");
    scene_event(&s, "t=2m submit id=3 gpus=4 limit=1h promise=1");
    assert_int_equal(promised(&s, 2), 0);
    assert_int_equal(promised(&s, 3), 0);
    assert_null(bl_core_find_booking(s.core, -3));
    scene_event(&s, "t=3m end id=1 code=0");
    scene_event(&s, "t=3m submit id=4 gpus=4 limit=1h promise=1");
    assert_int_equal(promised(&s, 4), 0);
    scene_free(&s);
}

static void a_promise_that_loses_its_gpus_moves_or_is_broken_with_a_reason(void **state)
{
    struct scene s = scene_new("3x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h");
    scene_event(&s, "t=1m submit id=2 gpus=4 limit=3h");
    scene_event(&s, "t=1m submit id=4 gpus=4 limit=2h");
    scene_event(&s, "t=2m submit id=3 gpus=4 limit=1h promise=1");
    assert_string_equal(scene_booking(&s, -3), "1 booked 2h1m-3h1m n1:0,1,2,3");
    scene_event(&s, "t=1h node name=n1 state=down");
    assert_string_equal(scene_booking(&s, -3), "1 booked 2h1m-3h1m n3:0,1,2,3");
    scene_event(&s, "t=1h node name=n3 state=down");
    assert_string_equal(scene_booking(&s, -3), "1 degraded booked 2h1m-3h1m n3:0,1,2,3");
    assert_string_equal(scene_why_word(&s, 3), "promise_broken");
    assert_int_equal(scene_why(&s, 3).at, BL_MINUTE + 2 * BL_HOUR);
    scene_event(&s, "t=90m end id=2 code=0");
    assert_string_equal(scene_state(&s, 3), "running");
    assert_string_equal(scene_where(&s, 3), "n2:0,1,2,3");
    scene_free(&s);
}

static void a_promise_that_is_made_anew_does_not_creep_into_who_runs(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h");
    scene_event(&s, "t=2m submit id=2 gpus=4 limit=1h promise=1");
    for (int i = 3; i < 9; i++) {
        char line[64];

        snprintf(line, sizeof line, "t=%dm change id=2 limit=%dh", i, i);
        scene_event(&s, line);
        assert_int_equal(promised(&s, 2), BL_MINUTE + 2 * BL_HOUR);
    }
    scene_free(&s);
}

static void a_slot_that_is_booked_anew_does_not_creep_into_who_runs(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h");
    scene_event(&s, "t=2m reserve id=1 gpus=4 from=2h1m for=1h");
    assert_string_equal(scene_booking(&s, 1), "1 booked 2h1m-3h1m n1:0,1,2,3");
    scene_event(&s, "t=3m rebook id=1 gpus=4 from=2h30s for=1h");
    assert_string_equal(scene_booking(&s, 1), "1 booked 2h1m-3h1m n1:0,1,2,3");
    scene_free(&s);
}

static void a_change_of_the_job_makes_the_promise_anew(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h");
    scene_event(&s, "t=1m reserve id=1 gpus=4 from=4h for=1h");
    scene_event(&s, "t=2m submit id=2 gpus=4 limit=1h promise=1");
    assert_int_equal(promised(&s, 2), BL_MINUTE + 2 * BL_HOUR);
    scene_event(&s, "t=3m change id=2 limit=2h");
    assert_int_equal(promised(&s, 2), 5 * BL_HOUR);
    scene_event(&s, "t=4m cancel id=2");
    assert_int_equal(bl_core_find_booking(s.core, -2)->occurrence[0].state, BL_OCCURRENCE_ENDED);
    scene_free(&s);
}

static void a_promise_is_void_while_its_job_is_held(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=2h");
    scene_event(&s, "t=2m submit id=2 gpus=4 limit=1h promise=1");
    assert_int_equal(promised(&s, 2), BL_MINUTE + 2 * BL_HOUR);
    scene_event(&s, "t=3m hold id=2");
    assert_int_equal(promised(&s, 2), 0);
    assert_null(bl_core_find_booking(s.core, -2));
    scene_event(&s, "t=3m reserve id=1 gpus=4 from=2h1m for=3h");
    assert_string_equal(scene_booking(&s, 1), "1 booked 2h1m-5h1m n1:0,1,2,3");
    scene_event(&s, "t=4m change id=2 limit=2h");
    assert_int_equal(promised(&s, 2), 0);
    scene_event(&s, "t=5m release id=2");
    assert_int_equal(promised(&s, 2), 5 * BL_HOUR + BL_MINUTE);
    assert_string_equal(scene_booking(&s, -2), "1 booked 5h1m-7h1m n1:0,1,2,3");
    scene_free(&s);
}

static void who_is_released_where_nothing_can_be_promised_is_promised_nothing(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 limit=1h");
    scene_event(&s, "t=2m submit id=2 gpus=4 limit=2h promise=1");
    scene_event(&s, "t=2m hold id=2");
    scene_event(&s, "t=3m submit id=3 gpus=4");
    scene_event(&s, "t=4m end id=1 code=0");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_event(&s, "t=5m release id=2");
    assert_int_equal(promised(&s, 2), 0);
    assert_null(bl_core_find_booking(s.core, -2));
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_promise_is_the_latest_start_by_limits),
        cmocka_unit_test(who_waits_for_a_slot_to_pass_is_still_ahead),
        cmocka_unit_test(later_arrivals_and_reservations_do_not_break_it),
        cmocka_unit_test(who_gives_way_makes_room_for_it),
        cmocka_unit_test(without_a_limit_or_an_end_ahead_nothing_is_promised),
        cmocka_unit_test(a_promise_that_loses_its_gpus_moves_or_is_broken_with_a_reason),
        cmocka_unit_test(a_promise_that_is_made_anew_does_not_creep_into_who_runs),
        cmocka_unit_test(a_slot_that_is_booked_anew_does_not_creep_into_who_runs),
        cmocka_unit_test(a_change_of_the_job_makes_the_promise_anew),
        cmocka_unit_test(a_promise_is_void_while_its_job_is_held),
        cmocka_unit_test(who_is_released_where_nothing_can_be_promised_is_promised_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
