#include "bl_test.h"
#include "scene.h"

static void a_booking_gets_gpus_of_its_own_or_nothing(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=3 from=1h for=2h");
    scene_event(&s, "t=0 reserve id=2 gpus=4 from=2h for=2h");
    scene_event(&s, "t=0 reserve id=3 gpus=2 from=2h for=30m");
    scene_event(&s, "t=0 reserve id=4 gpus=2 from=3h for=30m");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-3h n1:0,1,2");
    assert_string_equal(scene_booking(&s, 2), "1 booked 2h-4h n2:0,1,2,3");
    assert_null(bl_core_find_booking(s.core, 3));
    assert_string_equal(scene_booking(&s, 4), "1 booked 3h-3h30m n1:0,1");
    assert_int_equal(bl_core_last_booking(s.core), 4);
    scene_free(&s);
}

static void a_series_is_booked_as_a_whole_or_not_at_all(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=30h for=1h");
    scene_event(&s, "t=0 reserve id=2 gpus=3 from=6h for=1h every=24h times=3");
    assert_null(bl_core_find_booking(s.core, 2));
    scene_event(&s, "t=0 reserve id=3 gpus=2 from=6h for=1h every=24h times=2");
    assert_string_equal(scene_booking(&s, 3), "1 booked 6h-7h n1:0,1; 2 booked 1d6h-1d7h n1:2,3");
    scene_free(&s);
}

static void the_occurrences_of_a_series_do_not_share_gpus_where_they_overlap(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=3h every=2h times=2");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-4h n1:0,1; 2 booked 3h-6h n1:2,3");
    scene_event(&s, "t=0 reserve id=2 gpus=2 from=10h for=5h every=2h times=3");
    assert_null(bl_core_find_booking(s.core, 2));
    scene_free(&s);
}

static void flex_moves_an_occurrence_to_the_first_instant_at_which_it_fits(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 from=1h for=1h");
    scene_event(&s, "t=0 reserve id=2 gpus=1 from=90m for=2h flex=15m");
    scene_event(&s, "t=0 reserve id=3 gpus=1 from=90m for=2h flex=1h");
    assert_null(bl_core_find_booking(s.core, 2));
    assert_string_equal(scene_booking(&s, 3), "1 booked 2h-4h n1:0");
    assert_int_equal(bl_core_find_booking(s.core, 3)->occurrence[0].asked_start, 90 * BL_MINUTE);
    scene_free(&s);
}

static void named_gpus_are_booked_as_they_are_named(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 on=n2:1-2 from=1h for=2h");
    scene_event(&s, "t=0 reserve id=2 on=n2 from=1h for=2h");
    scene_event(&s, "t=0 reserve id=3 on=n1 from=1h for=2h");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-3h n2:1,2");
    assert_null(bl_core_find_booking(s.core, 2));
    assert_string_equal(scene_booking(&s, 3), "1 booked 1h-3h n1:0,1,2,3");
    scene_free(&s);
}

static void a_change_is_whole_counts_up_and_keeps_the_gpus_if_it_can(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h");
    scene_event(&s, "t=0 reserve id=2 gpus=2 from=1h for=1h");
    scene_event(&s, "t=0 rebook id=2 gpus=3 from=90m for=1h");
    assert_string_equal(scene_booking(&s, 2), "1 booked 1h-2h n1:2,3");
    assert_int_equal(bl_core_find_booking(s.core, 2)->revision, 0);
    scene_event(&s, "t=0 rebook id=2 gpus=2 from=90m for=3h");
    assert_string_equal(scene_booking(&s, 2), "1 booked 1h30m-4h30m n1:2,3");
    assert_int_equal(bl_core_find_booking(s.core, 2)->revision, 1);
    scene_free(&s);
}

static void one_occurrence_or_all_that_follow_are_changed_or_cancelled(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=1h for=1h every=10h times=4");
    scene_event(&s, "t=0 rebook id=1 first=2 only=1 gpus=2 from=12h for=2h");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n1:0; 2 booked 12h-14h n1:0,1; "
                                              "3 booked 21h-22h n1:0; 4 booked 1d7h-1d8h n1:0");
    scene_event(&s, "t=0 rebook id=1 first=3 gpus=1 from=50h for=1h every=1h times=2");
    scene_event(&s, "t=0 unreserve id=1 occurrence=2");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n1:0; "
                                              "3 booked 2d2h-2d3h n1:0; 4 booked 2d3h-2d4h n1:0");
    scene_event(&s, "t=0 unreserve id=1 occurrence=3 following=1");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n1:0");
    scene_event(&s, "t=0 unreserve id=1");
    assert_string_equal(scene_booking(&s, 1), "");
    assert_int_equal(bl_core_find_booking(s.core, 1)->occurrence[1].state, BL_OCCURRENCE_CANCELLED);
    scene_event(&s, "t=0 reserve id=2 gpus=4 from=1h for=60h");
    assert_non_null(bl_core_find_booking(s.core, 2));
    scene_free(&s);
}

static void ids_rise_and_an_old_one_books_nothing(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=7 gpus=1 from=1h for=1h");
    scene_event(&s, "t=0 reserve id=7 gpus=1 from=5h for=1h");
    scene_event(&s, "t=0 reserve id=6 gpus=1 from=5h for=1h");
    assert_string_equal(scene_booking(&s, 7), "1 booked 1h-2h n1:0");
    assert_null(bl_core_find_booking(s.core, 6));
    scene_free(&s);
}

static void count(void *self, const struct bl_booking *booking,
                  const struct bl_occurrence *occurrence)
{
    *(int64_t *)self = *(int64_t *)self * 100 + booking->spec.id * 10 + occurrence->number;
}

static void views_see_what_overlaps_their_window(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    int64_t seen = 0;

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=1h for=1h every=10h times=3");
    scene_event(&s, "t=0 reserve id=2 gpus=1 from=12h for=1h");
    bl_core_each_occurrence(s.core, 2 * BL_HOUR, 13 * BL_HOUR, count, &seen);
    assert_int_equal(seen, 1221);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_booking_gets_gpus_of_its_own_or_nothing),
        cmocka_unit_test(a_series_is_booked_as_a_whole_or_not_at_all),
        cmocka_unit_test(the_occurrences_of_a_series_do_not_share_gpus_where_they_overlap),
        cmocka_unit_test(flex_moves_an_occurrence_to_the_first_instant_at_which_it_fits),
        cmocka_unit_test(named_gpus_are_booked_as_they_are_named),
        cmocka_unit_test(a_change_is_whole_counts_up_and_keeps_the_gpus_if_it_can),
        cmocka_unit_test(one_occurrence_or_all_that_follow_are_changed_or_cancelled),
        cmocka_unit_test(ids_rise_and_an_old_one_books_nothing),
        cmocka_unit_test(views_see_what_overlaps_their_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
