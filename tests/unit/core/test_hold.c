#include "core/hold.h"

#include "core/bookings.h"

#include "bl_test.h"
#include "scene.h"

static uint64_t mask_of(struct scene *s, struct bl_job *job)
{
    bl_core_refresh_live(s->core);
    return bl_hold_mask(&s->core->cluster, job, s->core->now, 0);
}

static void gpus_are_held_from_who_may_be_there_when_the_slot_begins(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_job job = {.id = 7, .spec = {.gpus_min = 1, .gpus_want = 1, .gpus_max = 1}};

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=2h for=1h");
    job.spec.limit = 2 * BL_HOUR;
    assert_int_equal(mask_of(&s, &job), 15);
    job.spec.limit++;
    assert_int_equal(mask_of(&s, &job), 12);
    job.spec.limit = 0;
    assert_int_equal(mask_of(&s, &job), 12);
    job.spec.job_class = BL_CLASS_PREEMPTIBLE;
    assert_int_equal(mask_of(&s, &job), 15);
    scene_event(&s, "t=1h59m31s round");
    assert_int_equal(mask_of(&s, &job), 12);
    scene_free(&s);
}

static void a_job_of_a_booking_has_its_gpus_alone_and_only_in_the_slot(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_job job = {.id = 7, .spec = {.gpus_want = 1, .gpus_max = 1, .reservation = 1}};
    struct bl_resources all = {{4, 64000, INT64_C(512) << 30}};
    struct bl_resources room;

    (void)state;
    assert_int_equal(mask_of(&s, &job), 0);
    room = bl_hold_room(&s.core->cluster, &job, 0, 0, &all);
    assert_int_equal(room.amount[BL_RESOURCE_GPU], 0);
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h");
    assert_int_equal(mask_of(&s, &job), 0);
    scene_free(&s);
}

static void cpus_and_memory_are_held_with_the_gpus(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");
    struct bl_job job = {.id = 7, .spec = {.gpus_want = 1, .gpus_max = 1}};
    struct bl_resources all = {{4, 64000, INT64_C(512) << 30}};
    struct bl_resources room;

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=1h for=1h every=1d times=9");
    scene_event(&s, "t=0 reserve id=2 gpus=2 from=90m for=1h");
    bl_core_refresh_live(s.core);
    room = bl_hold_room(&s.core->cluster, &job, 0, 0, &all);
    assert_int_equal(room.amount[BL_RESOURCE_GPU], 1);
    assert_int_equal(room.amount[BL_RESOURCE_CPU], 16000);
    assert_int_equal(room.amount[BL_RESOURCE_MEM], INT64_C(128) << 30);
    scene_free(&s);
}

static void counted_gpus_are_held_by_number_and_who_is_gone_by_then_is_no_loss(void **state)
{
    struct scene s = scene_new("1x10c", "fifo");
    struct bl_job job = {.id = 7, .spec = {.gpus_want = 1, .gpus_max = 1}};
    struct bl_resources left = {{4, 0, 0}};

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 limit=30m");
    scene_event(&s, "t=0 reserve id=1 gpus=7 from=1h for=1h");
    bl_core_refresh_live(s.core);
    bl_core_cover_holds(s.core);
    left = bl_hold_room(&s.core->cluster, &job, 0, 0, &left);
    assert_int_equal(left.amount[BL_RESOURCE_GPU], 3);
    scene_free(&s);
}

static void the_first_reservation_in_a_jobs_way_is_named(void **state)
{
    struct scene s = scene_new("1x4:A100 1x4:V100", "fifo");
    struct bl_job job = {.id = 7, .pool = -1, .spec = {.gpus_want = 1, .gpus_max = 1}};
    const struct bl_hold *hold;

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=4 type=V100 from=1h for=1h");
    scene_event(&s, "t=0 reserve id=2 gpus=4 type=A100 from=3h for=1h");
    job.spec.limit = 2 * BL_HOUR;
    hold = bl_hold_in_the_way(&s.core->cluster, &job, INT64_MIN);
    assert_int_equal(hold ? hold->booking : 0, 1);
    assert_null(bl_hold_in_the_way(&s.core->cluster, &job, 2 * BL_HOUR));
    job.type_mask = 1;
    assert_null(bl_hold_in_the_way(&s.core->cluster, &job, INT64_MIN));
    job.spec.limit = 0;
    hold = bl_hold_in_the_way(&s.core->cluster, &job, INT64_MIN);
    assert_int_equal(hold ? hold->booking : 0, 2);
    scene_free(&s);
}

static void gpus_of_a_slot_that_begins_are_closed_to_all_others(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=3 from=1h for=1h");
    scene_event(&s, "t=59m29s round");
    assert_int_equal(bl_hold_open(&s.core->cluster, 0), 4);
    scene_event(&s, "t=59m31s round");
    assert_int_equal(bl_hold_open(&s.core->cluster, 0), 1);
    scene_event(&s, "t=1h submit id=1 gpus=2 reservation=1");
    assert_int_equal(bl_hold_open(&s.core->cluster, 0), 3);
    scene_event(&s, "t=1h node name=n1 state=down");
    assert_int_equal(bl_hold_open(&s.core->cluster, 0), 0);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_are_held_from_who_may_be_there_when_the_slot_begins),
        cmocka_unit_test(a_job_of_a_booking_has_its_gpus_alone_and_only_in_the_slot),
        cmocka_unit_test(cpus_and_memory_are_held_with_the_gpus),
        cmocka_unit_test(the_first_reservation_in_a_jobs_way_is_named),
        cmocka_unit_test(gpus_of_a_slot_that_begins_are_closed_to_all_others),
        cmocka_unit_test(counted_gpus_are_held_by_number_and_who_is_gone_by_then_is_no_loss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
