#include "core/bookings.h"

#include "bl_test.h"
#include "scene.h"

static void a_slot_begins_and_ends_at_its_instants(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h");
    assert_int_equal(bl_core_next_wake(s.core), BL_HOUR);
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_booking(&s, 1), "1 active 1h-2h n1:0,1");
    assert_int_equal(bl_core_next_wake(s.core), 2 * BL_HOUR);
    scene_event(&s, "t=2h round");
    assert_int_equal(bl_core_find_booking(s.core, 1)->occurrence[0].state, BL_OCCURRENCE_ENDED);
    assert_int_equal(bl_core_next_wake(s.core), BL_TIME_NEVER);
    scene_free(&s);
}

static void jobs_of_a_booking_run_in_its_slot_on_its_gpus_alone(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=2h");
    scene_event(&s, "t=0 submit id=1 gpus=1 reservation=1 run=30m limit=1h");
    scene_event(&s, "t=0 submit id=2 gpus=2 reservation=1 run=30m limit=1h");
    scene_event(&s, "t=0 submit id=3 gpus=2 run=10h limit=10h");
    assert_string_equal(scene_why_word(&s, 1), "for_reservation");
    assert_int_equal(scene_why(&s, 1).at, BL_HOUR);
    assert_string_equal(scene_where(&s, 3), "n1:2,3");
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_where(&s, 1), "n1:0");
    assert_string_equal(scene_why_word(&s, 1), "in_slot");
    assert_string_equal(scene_why_word(&s, 2), "in_reservation");
    assert_int_equal(scene_why(&s, 2).have, 1);
    assert_string_equal(scene_starts(&s), "3@0s 1@1h 2@1h30m");
    scene_free(&s);
}

static void a_job_of_a_booking_never_keeps_others_from_starting(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=10h for=2h");
    scene_event(&s, "t=0 submit id=1 gpus=4 reservation=1 run=1h");
    scene_event(&s, "t=0 submit id=2 gpus=4 run=1h limit=1h");
    assert_string_equal(scene_starts(&s), "2@0s 1@10h");
    scene_free(&s);
}

static void a_job_is_stopped_so_that_it_is_gone_when_its_slot_ends(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h");
    scene_event(&s, "t=0 submit id=1 gpus=1 reservation=1");
    scene_event(&s, "t=1h round");
    assert_int_equal(bl_core_next_wake(s.core), 2 * BL_HOUR - BL_SAVE_GRACE);
    scene_event(&s, "t=1h59m30s round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_why_word(&s, 1), "slot_over");
    scene_event(&s, "t=1h59m40s end id=1 signal=15");
    assert_string_equal(scene_state(&s, 1), "timeout");
    scene_free(&s);
}

static void a_job_that_no_slot_can_hold_waits_and_says_so(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h");
    scene_event(&s, "t=0 submit id=1 gpus=1 reservation=1 limit=61m run=1m");
    scene_event(&s, "t=0 submit id=2 gpus=3 reservation=1 limit=1h run=1m");
    scene_event(&s, "t=0 submit id=3 gpus=1 reservation=4 limit=1h run=1m");
    scene_event(&s, "t=0 submit id=4 gpus=1 reservation=1 limit=1h run=1m");
    assert_string_equal(scene_why_word(&s, 1), "slot_too_short");
    assert_int_equal(scene_why(&s, 1).need, 61 * 60);
    assert_int_equal(scene_why(&s, 1).have, 60 * 60);
    assert_string_equal(scene_why_word(&s, 2), "slot_too_small");
    assert_int_equal(scene_why(&s, 2).need, 3);
    assert_int_equal(scene_why(&s, 2).have, 2);
    assert_string_equal(scene_why_word(&s, 3), "reservation_over");
    assert_string_equal(scene_starts(&s), "4@1h");
    scene_free(&s);
}

static void jobs_wait_for_the_next_slot_of_a_series(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h every=10h times=2");
    scene_event(&s, "t=0 submit id=1 gpus=2 reservation=1 limit=1h run=50m");
    scene_event(&s, "t=3h submit id=2 gpus=2 reservation=1 limit=1h run=50m");
    assert_string_equal(scene_why_word(&s, 2), "for_reservation");
    assert_int_equal(scene_why(&s, 2).at, 11 * BL_HOUR);
    assert_string_equal(scene_starts(&s), "1@1h 2@11h");
    scene_free(&s);
}

static void what_is_left_of_a_slot_is_not_told_as_free_when_no_job_has_time_in_it(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=1h for=15s");
    scene_event(&s, "t=0 reserve id=2 gpus=4 from=2h for=15s times=2 every=1h");
    scene_event(&s, "t=0 submit id=1 gpus=4 reservation=1");
    scene_event(&s, "t=0 submit id=2 gpus=4 reservation=2");
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_why_word(&s, 1), "slot_no_time");
    assert_int_equal(scene_why(&s, 1).need, 30);
    assert_int_equal(scene_why(&s, 1).have, 15);
    scene_event(&s, "t=2h round");
    assert_string_equal(scene_why_word(&s, 2), "slot_no_time");
    scene_free(&s);
}

static void what_nobody_uses_is_given_up_after_a_while(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=1h for=5h release=15m");
    scene_event(&s, "t=0 reserve id=2 gpus=4 from=10h for=5h release=15m");
    scene_event(&s, "t=0 submit id=1 gpus=4 limit=3h run=2h");
    scene_event(&s, "t=0 submit id=2 gpus=2 reservation=2 run=10m");
    assert_string_equal(scene_why_word(&s, 1), "reserved");
    assert_int_equal(scene_why(&s, 1).at, BL_HOUR);
    scene_event(&s, "t=65m round");
    assert_string_equal(scene_why_word(&s, 1), "booked");
    assert_int_equal(scene_why(&s, 1).at, 6 * BL_HOUR);
    assert_string_equal(scene_starts(&s), "1@1h15m 2@10h");
    assert_int_equal(bl_core_find_booking(s.core, 1)->occurrence[0].state, BL_OCCURRENCE_RELEASED);
    assert_int_equal(bl_core_find_booking(s.core, 2)->occurrence[0].state, BL_OCCURRENCE_ENDED);
    scene_free(&s);
}

static void a_slot_that_is_cancelled_or_cut_stops_its_jobs(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=0s for=5h");
    scene_event(&s, "t=0 reserve id=2 gpus=1 from=0s for=5h");
    scene_event(&s, "t=0 submit id=1 gpus=1 reservation=1");
    scene_event(&s, "t=0 submit id=2 gpus=1 reservation=2");
    scene_event(&s, "t=1h unreserve id=1");
    scene_event(&s, "t=1h rebook id=2 gpus=1 from=0s for=2h");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_event(&s, "t=2h round");
    assert_string_equal(scene_state(&s, 2), "stopping");
    scene_free(&s);
}

static double idle_seconds(const struct scene *s)
{
    struct bl_figures figures;

    bl_metrics_figures(bl_core_metrics(s->core), &figures);
    return figures.reservation_idle_gpu_s;
}

static void gpus_that_are_left_idle_before_a_slot_are_counted_while_jobs_wait(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=3 from=2h for=1h");
    scene_event(&s, "t=1h submit id=1 gpus=2 limit=3h");
    scene_event(&s, "t=2h round");
    assert_true(idle_seconds(&s) == 3 * 3600.0);
    scene_event(&s, "t=3h round");
    assert_true(idle_seconds(&s) == 3 * 3600.0);
    scene_free(&s);
}

static void feed(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

static void reservations_come_back_from_a_snapshot_as_they_stood(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");
    struct bl_core *copy = bl_core_create(BL_KEEP_ENDED);
    size_t cursor = 0;

    (void)state;
    scene_event(&s, "t=0 reserve id=3 gpus=2 from=1h for=1h every=10h times=3 release=30m");
    scene_event(&s, "t=0 reserve id=4 on=n2:2-3 from=1h for=5h");
    scene_event(&s, "t=0 rebook id=4 on=n2:2-3 from=1h for=6h");
    scene_event(&s, "t=0 unreserve id=3 occurrence=2");
    scene_event(&s, "t=1h submit id=1 gpus=1 reservation=4");
    assert_true(bl_core_can_export(s.core));
    assert_false(bl_core_export(s.core, &cursor, SIZE_MAX, feed, copy));
    bl_core_destroy(s.core);
    s.core = copy;
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_booking(&s, 3), "1 active 1h-2h n1:0,1; 3 booked 21h-22h n1:0,1");
    assert_string_equal(scene_booking(&s, 4), "1 active 1h-7h n2:2,3");
    assert_int_equal(bl_core_find_booking(s.core, 4)->revision, 1);
    assert_int_equal(bl_core_last_booking(s.core), 4);
    assert_string_equal(scene_where(&s, 1), "n2:2");
    scene_event(&s, "t=90m round");
    assert_int_equal(bl_core_find_booking(s.core, 3)->occurrence[0].state, BL_OCCURRENCE_RELEASED);
    scene_event(&s, "t=7h round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slot_begins_and_ends_at_its_instants),
        cmocka_unit_test(jobs_of_a_booking_run_in_its_slot_on_its_gpus_alone),
        cmocka_unit_test(a_job_of_a_booking_never_keeps_others_from_starting),
        cmocka_unit_test(a_job_is_stopped_so_that_it_is_gone_when_its_slot_ends),
        cmocka_unit_test(a_job_that_no_slot_can_hold_waits_and_says_so),
        cmocka_unit_test(jobs_wait_for_the_next_slot_of_a_series),
        cmocka_unit_test(what_is_left_of_a_slot_is_not_told_as_free_when_no_job_has_time_in_it),
        cmocka_unit_test(what_nobody_uses_is_given_up_after_a_while),
        cmocka_unit_test(a_slot_that_is_cancelled_or_cut_stops_its_jobs),
        cmocka_unit_test(gpus_that_are_left_idle_before_a_slot_are_counted_while_jobs_wait),
        cmocka_unit_test(reservations_come_back_from_a_snapshot_as_they_stood),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
