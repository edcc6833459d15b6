#include "bl_test.h"
#include "scene.h"

static void A1_two_elastic_jobs_share_and_the_last_one_gets_it_all(void **state)
{
    struct scene s = scene_new("1x8:A100", "equal:hold=0");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=1-8 run=8h efficiency=1");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    scene_event(&s, "t=30m submit id=2 gpus=1-8 run=8h efficiency=1");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    assert_string_equal(scene_where(&s, 2), "n1:4,5,6,7");
    assert_string_equal(scene_why_word(&s, 1), "shrunk_for");
    assert_int_equal(scene_why(&s, 1).job, 2);
    /* half of the first was done in 30 minutes, the other half takes an hour on four */
    assert_string_equal(scene_starts(&s), "1@0s 1@30m 2@30m 2@1h30m");
    assert_int_equal(bl_core_find_job(s.core, 1)->ended_at, 90 * BL_MINUTE);
    assert_int_equal(bl_core_find_job(s.core, 2)->ended_at, 120 * BL_MINUTE);
    scene_free(&s);
}

/* Each row: who comes in this order, and on how many GPUs each runs then; 0 = it waits. */
static void shares_follow_from_who_is_there(void **state)
{
    static const struct {
        const char *nodes;
        const char *submit[4];
        int32_t gpus[4];
    } rows[] = {
        {"1x8:A100", {"gpus=2-8", "gpus=2-8", "gpus=2-8"}, {3, 3, 2}},
        {"1x8:A100", {"gpus=2,4,8", "gpus=2,4,8", "gpus=2,4,8"}, {4, 2, 2}},
        {"1x8:A100", {"gpus=1-2", "gpus=1-8"}, {2, 6}},
        /* one that is not elastic has what it wants, the others share the rest */
        {"1x8:A100", {"gpus=1-8", "gpus=4", "gpus=1-8"}, {2, 4, 2}},
        /* least counts come first, and the head of the queue blocks */
        {"1x8:A100", {"gpus=4-8", "gpus=3-8", "gpus=2-8", "gpus=1-8"}, {4, 4, 0, 0}},
        {"1x8:A100", {"gpus=8", "gpus=1-8"}, {8, 0}},
        {"2x8:A100", {"gpus=2-16"}, {16}},
        /* more would make it slower */
        {"2x8:A100", {"gpus=2-16 points=2:1,8:4,16:3", "gpus=1-16"}, {8, 8}},
        {"2x8:A100", {"gpus=1,2,4 points=1:1,2:0.9,4:2", "gpus=1-16"}, {1, 15}},
        {"2x8:A100", {"gpus=1-16 nodes=1", "gpus=1-16 nodes=1"}, {8, 8}},
        {"1x100c", {"gpus=10-100", "gpus=10-100"}, {64, 32}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new(rows[i].nodes, "equal:hold=0");
        char line[128];

        for (int id = 1; id <= 4 && rows[i].submit[id - 1]; id++) {
            snprintf(line, sizeof line, "t=%dm submit id=%d run=99h %s", id, id,
                     rows[i].submit[id - 1]);
            scene_event(&s, line);
        }
        for (int id = 1; id <= 4 && rows[i].submit[id - 1]; id++) {
            int32_t gpus = bl_alloc_gpus(&bl_core_find_job(s.core, id)->alloc);

            if (gpus != rows[i].gpus[id - 1]) {
                fail_msg("row %zu: job %d has %d GPUs", i, id, (int)gpus);
            }
        }
        scene_free(&s);
    }
}

/* P7: the machine could not give the third its two V100s even if all others shrank. */
static void P7_nobody_is_shrunk_for_a_job_that_could_not_start_then(void **state)
{
    struct scene s = scene_new("1x8:A100 1x2:V100", "equal:hold=0");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 run=99h type=A100");
    scene_event(&s, "t=0 submit id=2 gpus=2 run=99h type=V100");
    scene_event(&s, "t=1m submit id=3 gpus=2 run=99h type=V100");
    assert_string_equal(scene_state(&s, 3), "queued");
    assert_int_equal(bl_core_find_job(s.core, 1)->restarts, 0);
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5,6,7");
    scene_free(&s);
}

static void a_job_keeps_its_size_for_a_while(void **state)
{
    struct scene s = scene_new("1x8:A100", "equal:hold=10m");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 run=99h");
    scene_event(&s, "t=4m submit id=2 gpus=2-8 run=99h");
    assert_string_equal(scene_state(&s, 2), "queued");
    assert_string_equal(scene_why_word(&s, 2), "resources");
    assert_int_equal(scene_why(&s, 2).need, 2);
    scene_event(&s, "t=9m round");
    assert_string_equal(scene_state(&s, 2), "queued");
    assert_int_equal(bl_core_next_wake(s.core), 10 * BL_MINUTE);
    scene_event(&s, "t=10m round");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    assert_string_equal(scene_where(&s, 2), "n1:4,5,6,7");
    scene_free(&s);
}

static void a_size_that_somebody_wished_is_left_alone(void **state)
{
    struct scene s = scene_new("1x8:A100", "equal:hold=0");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-8 run=99h");
    scene_event(&s, "t=1m resize id=1 gpus=6");
    scene_event(&s, "t=2m submit id=2 gpus=2-8 run=99h");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3,4,5");
    assert_string_equal(scene_where(&s, 2), "n1:6,7");
    scene_event(&s, "t=3m resize id=1 gpus=0");
    assert_string_equal(scene_where(&s, 1), "n1:0,1,2,3");
    scene_free(&s);
}

/* The grower waits until what it grows onto is free: the job on it takes its time. */
static void a_job_grows_only_onto_what_has_been_left(void **state)
{
    struct scene s = scene_new("1x8:A100", "equal:hold=0");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2-6");
    scene_event(&s, "t=0 submit id=2 gpus=2-6");
    assert_string_equal(scene_state(&s, 1), "resizing");
    assert_string_equal(scene_state(&s, 2), "queued");
    scene_event(&s, "t=1m end id=1 code=85");
    assert_string_equal(scene_where(&s, 2), "n1:4,5,6,7");
    scene_event(&s, "t=2m end id=1");
    assert_string_equal(scene_state(&s, 2), "resizing");
    assert_string_equal(scene_where(&s, 2), "n1:0,1,4,5,6,7");
    scene_event(&s, "t=2m submit id=3 gpus=4-6");
    assert_string_equal(scene_state(&s, 3), "queued");
    scene_event(&s, "t=3m end id=2 code=85");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_event(&s, "t=3m round");
    assert_string_equal(scene_state(&s, 2), "resizing");
    assert_string_equal(scene_state(&s, 3), "queued");
    scene_event(&s, "t=4m end id=2 code=85");
    assert_string_equal(scene_state(&s, 3), "running");
    scene_free(&s);
}

static void elements_of_an_array_start_together(void **state)
{
    struct scene s = scene_new("1x8:A100", "equal:hold=0");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=2 run=1h array=0-4");
    assert_string_equal(scene_starts(&s), "2@0s 3@0s 4@0s 5@0s 6@1h");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A1_two_elastic_jobs_share_and_the_last_one_gets_it_all),
        cmocka_unit_test(shares_follow_from_who_is_there),
        cmocka_unit_test(P7_nobody_is_shrunk_for_a_job_that_could_not_start_then),
        cmocka_unit_test(a_job_keeps_its_size_for_a_while),
        cmocka_unit_test(a_size_that_somebody_wished_is_left_alone),
        cmocka_unit_test(a_job_grows_only_onto_what_has_been_left),
        cmocka_unit_test(elements_of_an_array_start_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
