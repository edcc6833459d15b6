#include "core/bookings.h"

#include "bl_test.h"
#include "scene.h"

static void what_is_not_over_stands_in_order_and_on_its_nodes(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");
    const struct bl_bookings *bookings = s.core->bookings;

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=8 from=5h for=1h every=10h times=2");
    scene_event(&s, "t=0 reserve id=2 gpus=1 from=3h for=1h");
    scene_event(&s, "t=0 unreserve id=1 occurrence=1");
    bl_core_refresh_live(s.core);
    assert_int_equal(bookings->live.count, 2);
    assert_int_equal(bl_live_occurrence(&bookings->live.at[0])->start, 3 * BL_HOUR);
    assert_int_equal(bl_live_occurrence(&bookings->live.at[1])->start, 15 * BL_HOUR);
    assert_int_equal(bookings->holds.count, 3);
    assert_null(bl_holds_of(&s.core->cluster, 2));
    assert_int_equal(bookings->holds.node[0].count, 2);
    assert_int_equal(bookings->holds.node[1].count, 1);
    scene_free(&s);
}

static void a_job_is_gone_by_its_limit_or_as_soon_as_it_can_give_way(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1 limit=5h");
    scene_event(&s, "t=0 submit id=2 gpus=1");
    scene_event(&s, "t=0 submit id=3 gpus=1 class=preemptible limit=5h");
    scene_event(&s, "t=0 submit id=4 gpus=1-2");
    scene_event(&s, "t=1h round");
    assert_int_equal(bl_core_job_until(s.core, bl_core_find_job(s.core, 1)), 5 * BL_HOUR);
    assert_int_equal(bl_core_job_until(s.core, bl_core_find_job(s.core, 2)), BL_TIME_NEVER);
    assert_int_equal(bl_core_job_until(s.core, bl_core_find_job(s.core, 3)),
                     BL_HOUR + BL_SAVE_GRACE);
    assert_int_equal(bl_core_job_until(s.core, bl_core_find_job(s.core, 4)),
                     BL_HOUR + BL_SAVE_GRACE);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_over_stands_in_order_and_on_its_nodes),
        cmocka_unit_test(a_job_is_gone_by_its_limit_or_as_soon_as_it_can_give_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
