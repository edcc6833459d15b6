#include "bl_test.h"
#include "scene.h"

struct row {
    const char *nodes;
    const char *policy;
    const char *jobs[5];
    const char *starts;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct scene s = scene_new(rows[i].nodes, rows[i].policy);

        for (int j = 0; j < 5 && rows[i].jobs[j]; j++) {
            char line[128];

            snprintf(line, sizeof line, "t=0 submit id=%d %s", j + 1, rows[i].jobs[j]);
            scene_event(&s, line);
        }
        if (strcmp(scene_starts(&s), rows[i].starts) != 0) {
            fail_msg("row %zu: %s, expected %s", i, scene_starts(&s), rows[i].starts);
        }
        scene_free(&s);
    }
}

static void A10_later_jobs_pass_only_if_they_do_not_delay_the_head(void **state)
{
    static const struct row rows[] = {
        /* ends before the shadow */
        {"1x8c",
         "easy",
         {"gpus=6 run=1h limit=1h", "gpus=8 run=1h limit=1h", "gpus=2 run=1h limit=1h"},
         "1@0s 3@0s 2@1h"},
        /* would end after it */
        {"1x8c",
         "easy",
         {"gpus=6 run=1h limit=1h", "gpus=8 run=1h limit=1h", "gpus=2 run=1h limit=2h"},
         "1@0s 2@1h 3@2h"},
        /* beside the head: of the two that the head leaves, only one job can have them */
        {"1x8c",
         "easy",
         {"gpus=6 run=1h limit=1h", "gpus=6 run=1h limit=1h", "gpus=2 run=5h limit=5h",
          "gpus=2 run=5h limit=5h"},
         "1@0s 3@0s 2@1h 4@2h"},
        /* a shorter run than its limit lets the head start early */
        {"1x8c",
         "easy",
         {"gpus=6 run=30m limit=1h", "gpus=8 run=1h limit=1h", "gpus=2 run=10m limit=1h"},
         "1@0s 3@0s 2@30m"},
        /* without a limit a job never looks as if it ended soon */
        {"1x8c",
         "easy",
         {"gpus=6 run=1h limit=1h", "gpus=8 run=1h", "gpus=2 run=1m"},
         "1@0s 2@1h 3@2h"},
        /* exact durations see what limits hide */
        {"1x8c",
         "easy:durations=exact",
         {"gpus=6 run=1h limit=9h", "gpus=8 run=1h limit=9h", "gpus=2 run=1h limit=9h"},
         "1@0s 3@0s 2@1h"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void A10_shortest_first_decides_who_passes(void **state)
{
    static const struct {
        const char *policy;
        const char *starts;
    } rows[] = {
        {"easy", "1@0s 2@1h 4@1h 3@4h 5@5h 6@5h"},
        {"easy:order=shortest", "1@0s 2@1h 5@1h 3@4h 4@5h 6@5h"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8c", rows[i].policy);

        scene_event(&s, "t=0 submit id=1 gpus=8 run=1h limit=1h");
        scene_event(&s, "t=1m submit id=2 gpus=6 run=3h limit=3h");
        scene_event(&s, "t=2m submit id=3 gpus=8 run=1h limit=1h");
        scene_event(&s, "t=3m submit id=4 gpus=2 run=3h limit=3h");
        scene_event(&s, "t=4m submit id=5 gpus=2 run=2h limit=2h");
        scene_event(&s, "t=5m submit id=6 gpus=2 run=2h limit=2h");
        assert_string_equal(scene_starts(&s), rows[i].starts);
        scene_free(&s);
    }
}

static void A10_on_several_nodes_a_candidate_must_leave_the_head_its_node(void **state)
{
    static const struct row rows[] = {
        /* the head needs a whole node: the candidate may have the other one for longer */
        {"2x4:A100",
         "easy",
         {"gpus=4 run=1h limit=1h nodes=1", "gpus=2 run=9h limit=9h nodes=1",
          "gpus=4 run=1h limit=1h nodes=1", "gpus=2 run=9h limit=9h nodes=1"},
         "1@0s 2@0s 4@0s 3@1h"},
        /* best fit alone would choose the node with two left, which the head will need */
        {"2x4:A100",
         "easy",
         {"gpus=3 run=1h limit=1h nodes=1", "gpus=3 run=9h limit=9h nodes=1",
          "gpus=4 run=1h limit=1h nodes=1", "gpus=1 run=5h limit=5h nodes=1"},
         "1@0s 2@0s 4@0s 3@1h"},
        /* both nodes: nothing may stay beyond the shadow */
        {"2x4:A100",
         "easy",
         {"gpus=4 run=1h limit=1h nodes=1", "gpus=2 run=2h limit=2h nodes=1",
          "gpus=8 run=1h limit=1h", "gpus=2 run=9h limit=9h nodes=1"},
         "1@0s 2@0s 3@2h 4@3h"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void a_head_that_waits_for_a_node_stops_nobody(void **state)
{
    struct scene s = scene_new("1x8:A100 1x4:V100", "easy");

    (void)state;
    scene_event(&s, "t=0 node name=n2 state=down");
    scene_event(&s, "submit id=1 gpus=4 type=V100");
    scene_event(&s, "submit id=2 gpus=8 type=A100");
    assert_string_equal(scene_state(&s, 1), "queued");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

static void an_overdue_job_is_expected_any_moment(void **state)
{
    struct scene s = scene_new("1x8c", "easy");

    (void)state;
    scene_event(&s, "t=0 submit id=1 gpus=6 limit=1h");
    scene_event(&s, "t=90m submit id=2 gpus=8 limit=1h");
    scene_event(&s, "t=90m submit id=3 gpus=2 limit=1m");
    assert_string_equal(scene_state(&s, 1), "stopping");
    assert_string_equal(scene_state(&s, 3), "queued");
    assert_int_equal(scene_why(&s, 2).at, 90 * BL_MINUTE);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A10_later_jobs_pass_only_if_they_do_not_delay_the_head),
        cmocka_unit_test(A10_shortest_first_decides_who_passes),
        cmocka_unit_test(A10_on_several_nodes_a_candidate_must_leave_the_head_its_node),
        cmocka_unit_test(a_head_that_waits_for_a_node_stops_nobody),
        cmocka_unit_test(an_overdue_job_is_expected_any_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
