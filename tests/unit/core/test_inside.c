/* Whoever books the GPUs that they use already. */
#include "bl_test.h"
#include "scene.h"

static void P11_one_books_the_gpus_on_which_one_runs_and_the_job_goes_on(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 user=u1");
    scene_event(&s, "t=0 submit id=2 gpus=1 user=u2");
    scene_event(&s, "t=1m reserve id=1 on=n1:0 from=1m for=1h user=u2");
    assert_string_equal(scene_booking(&s, 1), "");
    scene_event(&s, "t=1m reserve id=2 on=n1:0-1 from=1m for=1h user=u1");
    assert_string_equal(scene_booking(&s, 2), "");
    scene_event(&s, "t=1m reserve id=3 on=n1:0 from=1m for=1h release=10m user=u1");
    assert_string_equal(scene_booking(&s, 3), "1 active 1m-1h1m n1:0");
    assert_int_equal(bl_core_find_job(s.core, 1)->inside_at, BL_MINUTE);
    scene_event(&s, "t=30m round");
    assert_string_equal(scene_booking(&s, 3), "1 active 1m-1h1m n1:0");
    scene_event(&s, "t=2h round");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_booking(&s, 3), "");
    scene_free(&s);
}

static void a_booking_for_later_still_finds_its_users_own_job_in_the_way(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 user=u1");
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=1h for=1h user=u1");
    assert_string_equal(scene_booking(&s, 1), "");
    scene_event(&s, "t=0 reserve id=2 gpus=1 from=0 for=1h every=1d times=2 user=u1");
    assert_string_equal(scene_booking(&s, 2), "");
    scene_free(&s);
}

static void what_gives_way_is_not_sent_off_by_its_own_users_booking(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 class=preemptible user=u1");
    scene_event(&s, "t=1m reserve id=1 gpus=2 from=1m for=1h user=u1");
    scene_event(&s, "t=30m round");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_booking(&s, 1), "1 active 1m-1h1m n1:0,1");
    scene_event(&s, "t=30m submit id=2 gpus=1 reservation=1 user=u1");
    assert_string_equal(scene_where(&s, 2), "n1:1");
    scene_free(&s);
}

/* What was made before the job ran is another matter: it was lent, and is cleared. */
static void what_was_lent_to_its_own_user_is_cleared_as_ever(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=1h for=1h user=u1");
    scene_event(&s, "t=0 submit id=1 gpus=1 class=preemptible user=u1");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_free(&s);
}

static void others_book_beside_and_behind_it_as_if_the_gpus_were_counted_once(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=1 cpus=16 limit=2h user=u1");
    scene_event(&s, "t=1m reserve id=1 on=n1:0 from=1m for=1h user=u1");
    scene_event(&s, "t=1m reserve id=2 on=n1:1 from=1m for=1h user=u2");
    assert_string_equal(scene_booking(&s, 2), "1 active 1m-1h1m n1:1");
    scene_event(&s, "t=1m reserve id=3 on=n1:0 from=90m for=1h user=u2");
    assert_string_equal(scene_booking(&s, 3), "");
    scene_event(&s, "t=1m reserve id=4 on=n1:0 from=3h for=1h user=u2");
    assert_string_equal(scene_booking(&s, 4), "1 booked 3h-4h n1:0");
    scene_free(&s);
}

static void its_booking_can_be_made_longer_and_cancelled_around_it(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=1 user=u1");
    scene_event(&s, "t=1m reserve id=1 on=n1:0 from=1m for=1h user=u1");
    scene_event(&s, "t=10m rebook id=1 gpus=1 from=1m for=3h user=u1");
    assert_string_equal(scene_booking(&s, 1), "1 active 1m-3h1m n1:0");
    scene_event(&s, "t=2h unreserve id=1");
    assert_string_equal(scene_booking(&s, 1), "");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_free(&s);
}

static void what_has_no_user_is_nobodys_own(void **state)
{
    struct scene s = scene_new("1x1:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1");
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=0 for=1h");
    assert_string_equal(scene_booking(&s, 1), "");
    scene_free(&s);
}

static void one_job_may_be_inside_of_two_bookings(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=2 class=preemptible user=u1");
    scene_event(&s, "t=1m reserve id=1 on=n1:0 from=1m for=2h user=u1");
    scene_event(&s, "t=1h reserve id=2 on=n1:1 from=1h for=2h user=u1");
    scene_event(&s, "t=90m round");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_booking(&s, 1), "1 active 1m-2h1m n1:0");
    assert_string_equal(scene_booking(&s, 2), "1 active 1h-3h n1:1");
    scene_free(&s);
}

/* Two jobs in a slot of two GPUs of four, with a half of 64 CPUs: what both have beyond it is in
 * the way of others, who book a quarter. */
static void what_jobs_have_beyond_their_slot_is_added_up(void **state)
{
    static const struct {
        const char *cpus;
        const char *booked;
    } cases[] = {{"24", "1 active 1m-1h1m n1:2"}, {"25", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene s = scene_new("1x4:A100", "fifo");
        char line[64];

        for (int id = 1; id <= 2; id++) {
            snprintf(line, sizeof line, "t=1m submit id=%d gpus=1 cpus=%s user=u1", id,
                     cases[i].cpus);
            scene_event(&s, line);
        }
        scene_event(&s, "t=1m reserve id=1 on=n1:0-1 from=1m for=1h user=u1");
        assert_string_equal(scene_booking(&s, 1), "1 active 1m-1h1m n1:0,1");
        scene_event(&s, "t=1m reserve id=2 on=n1:2 from=1m for=1h user=u2");
        assert_string_equal(scene_booking(&s, 2), cases[i].booked);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P11_one_books_the_gpus_on_which_one_runs_and_the_job_goes_on),
        cmocka_unit_test(a_booking_for_later_still_finds_its_users_own_job_in_the_way),
        cmocka_unit_test(what_gives_way_is_not_sent_off_by_its_own_users_booking),
        cmocka_unit_test(what_was_lent_to_its_own_user_is_cleared_as_ever),
        cmocka_unit_test(others_book_beside_and_behind_it_as_if_the_gpus_were_counted_once),
        cmocka_unit_test(its_booking_can_be_made_longer_and_cancelled_around_it),
        cmocka_unit_test(what_has_no_user_is_nobodys_own),
        cmocka_unit_test(one_job_may_be_inside_of_two_bookings),
        cmocka_unit_test(what_jobs_have_beyond_their_slot_is_added_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
