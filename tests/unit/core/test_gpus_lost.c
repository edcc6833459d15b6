#include "bl_test.h"
#include "scene.h"

/* GPUs of n1 in the books: "free 3 of 4, mask 7". */
static void check_books(const struct scene *s, int64_t free_gpus, int64_t capacity, uint64_t mask)
{
    const struct bl_cluster *cluster = bl_core_cluster(s->core);

    assert_int_equal(cluster->node[0].free.amount[BL_RESOURCE_GPU], free_gpus);
    if (cluster->node_count == 1) {
        assert_int_equal(cluster->free.amount[BL_RESOURCE_GPU], free_gpus);
    }
    assert_int_equal(cluster->capacity.amount[BL_RESOURCE_GPU], capacity);
    assert_int_equal(cluster->node[0].free_gpu_mask, mask);
}

static void P21_a_lost_gpu_leaves_the_books_and_comes_back(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m lose name=n1 mask=8");
    check_books(&s, 3, 3, 7);
    assert_int_equal(bl_core_cluster(s.core)->node[0].lost_since, BL_MINUTE);
    scene_event(&s, "t=1m submit id=1 gpus=4");
    assert_string_equal(scene_state(&s, 1), "queued");
    scene_event(&s, "t=1m submit id=2 gpus=3");
    scene_event(&s, "t=2m cancel id=1");
    scene_event(&s, "t=2m round");
    assert_string_equal(scene_where(&s, 2), "n1:0,1,2");
    scene_event(&s, "t=3m end id=2 code=0");
    scene_event(&s, "t=3m lose name=n1 mask=8");
    scene_event(&s, "t=3m lose name=n9 mask=1");
    check_books(&s, 3, 3, 7);
    assert_int_equal(bl_core_cluster(s.core)->node[0].lost_since, BL_MINUTE);
    scene_event(&s, "t=4m lose name=n1 mask=0");
    check_books(&s, 4, 4, 15);
    assert_int_equal(bl_core_cluster(s.core)->node[0].lost_since, 0);
    scene_free(&s);
}

static void P21_its_job_is_put_back_elsewhere_with_no_failure_counted(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m submit id=1 gpus=4 nodes=1 retries=3");
    scene_event(&s, "t=1m submit id=2 gpus=2");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    scene_event(&s, "t=2m lose name=n1 mask=4");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_why_word(&s, 1), "gpu_lost");
    assert_int_equal(scene_why(&s, 1).need, 2);
    assert_string_equal(scene_state(&s, 2), "running");
    scene_event(&s, "t=3m end id=1 code=1");
    assert_string_equal(scene_state(&s, 1), "queued");
    assert_int_equal(bl_core_find_job(s.core, 1)->failures, 0);
    check_books(&s, 3, 7, 11);
    scene_event(&s, "t=4m end id=2 code=0");
    assert_string_equal(scene_where(&s, 1), "n2:0,1,2,3");
    scene_free(&s);
}

static void P13_of_a_reservation_only_the_lost_gpu_moves_else_it_is_degraded(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m reserve id=1 on=n1:0-5 from=1h for=1h");
    scene_event(&s, "t=2m lose name=n1 mask=2");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n1:0,2,3,4,5,6");
    assert_true(bl_core_find_booking(s.core, 1)->occurrence[0].is_moved);
    scene_event(&s, "t=3m lose name=n1 mask=c2");
    assert_string_equal(scene_booking(&s, 1), "1 degraded booked 1h-2h n1:0,2,3,4,5,6");
    scene_event(&s, "t=4m lose name=n1 mask=2");
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n1:0,2,3,4,5,6");
    scene_event(&s, "t=5m reserve id=2 gpus=2 from=1h for=1h");
    assert_null(bl_core_find_booking(s.core, 2));
    scene_event(&s, "t=5m reserve id=2 gpus=1 from=1h for=1h");
    assert_string_equal(scene_booking(&s, 2), "1 booked 1h-2h n1:7");
    scene_free(&s);
}

static void P13_jobs_of_a_reservation_start_again_on_its_gpus_alone(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 on=n1:0-1 from=1m for=1h");
    scene_event(&s, "t=0 submit id=1 gpus=2 reservation=1 limit=30m");
    scene_event(&s, "t=1m round");
    assert_string_equal(scene_where(&s, 1), "n1:0,1");
    scene_event(&s, "t=2m lose name=n1 mask=1");
    scene_event(&s, "t=3m end id=1 signal=15");
    scene_event(&s, "t=3m round");
    assert_string_equal(scene_where(&s, 1), "n1:1,2");
    scene_event(&s, "t=4m lose name=n1 mask=fd");
    assert_string_equal(scene_state(&s, 1), "stopping");
    scene_event(&s, "t=4m end id=1 signal=15");
    scene_event(&s, "t=5m submit id=2 gpus=1");
    assert_string_equal(scene_state(&s, 1), "queued");
    assert_string_equal(scene_why_word(&s, 1), "in_reservation");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P21_a_lost_gpu_leaves_the_books_and_comes_back),
        cmocka_unit_test(P21_its_job_is_put_back_elsewhere_with_no_failure_counted),
        cmocka_unit_test(P13_of_a_reservation_only_the_lost_gpu_moves_else_it_is_degraded),
        cmocka_unit_test(P13_jobs_of_a_reservation_start_again_on_its_gpus_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
