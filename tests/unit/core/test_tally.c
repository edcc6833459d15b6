#include "bl_test.h"
#include "scene.h"

#include "core/tally.h"

#include <string.h>

static void take(void *to, const struct bl_kept *kept)
{
    bl_tally_take(to, kept);
}

static void what_is_exported_is_taken_in_whole(void **state)
{
    struct bl_tally tally = {
        .count = {[BL_COUNT_STARTS] = 7, [BL_COUNT_HELD_IDLE] = INT64_C(1) << 50}};
    struct bl_tally copy = {0};

    (void)state;
    bl_histogram_note(&tally.waits, &bl_bounds_of_waits, BL_HOUR);
    bl_histogram_note(&tally.runs, &bl_bounds_of_waits, BL_DAY);
    bl_tally_export(&tally, take, &copy);
    assert_memory_equal(&tally, &copy, sizeof tally);
}

static void what_is_not_known_changes_nothing(void **state)
{
    static const int64_t value[] = {1, 2, 3};
    static const struct bl_kept rows[] = {
        {"starts", NULL, value, 0}, {"starts", NULL, value, 2}, {"laps", NULL, value, 1},
        {"waits", NULL, value, 3},  {"runs", NULL, value, 0},
    };
    struct bl_tally nothing = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_tally tally = {0};

        bl_tally_take(&tally, &rows[i]);
        assert_memory_equal(&tally, &nothing, sizeof tally);
    }
}

static void every_end_has_its_count(void **state)
{
    int64_t seen = 0;

    (void)state;
    for (int as = 0; as < BL_JOB_STATE_COUNT; as++) {
        if (bl_job_state_is_ended(as)) {
            int64_t bit = INT64_C(1) << bl_count_of_end(as);

            assert_int_equal(seen & bit, 0);
            seen |= bit;
        }
    }
}

/* Two GPUs: job 1 takes one from 0 to 10 s, job 2 asks for two at 2 s and has them from 10 to 30.
 */
static void A16_counts_are_those_of_the_story(void **state)
{
    struct scene scene = scene_new("1x2:A100", "fifo");
    struct bl_tally tally;

    (void)state;
    scene_event(&scene, "t=0s submit id=1 gpus=1 run=10s");
    scene_event(&scene, "t=2s submit id=2 gpus=2 run=20s");
    scene_starts(&scene);
    bl_metrics_tally(bl_core_metrics(scene.core), bl_core_now(scene.core), &tally);
    assert_int_equal(tally.count[BL_COUNT_SUBMITTED], 2);
    assert_int_equal(tally.count[BL_COUNT_STARTS], 2);
    assert_int_equal(tally.count[BL_COUNT_COMPLETED], 2);
    assert_int_equal(tally.count[BL_COUNT_USED], 50 * BL_SECOND);
    assert_int_equal(tally.count[BL_COUNT_IDLE], 10 * BL_SECOND);
    assert_int_equal(tally.waits.sum, 8 * BL_SECOND);
    assert_int_equal(tally.runs.sum, 30 * BL_SECOND);
    bl_metrics_tally(bl_core_metrics(scene.core), bl_core_now(scene.core) + BL_MINUTE, &tally);
    assert_int_equal(tally.count[BL_COUNT_IDLE], 130 * BL_SECOND);
    scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_exported_is_taken_in_whole),
        cmocka_unit_test(what_is_not_known_changes_nothing),
        cmocka_unit_test(every_end_has_its_count),
        cmocka_unit_test(A16_counts_are_those_of_the_story),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
