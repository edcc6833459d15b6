#include "cli/jobs.h"

#include "bl_test.h"

#include <string.h>

/* A job read from JSON, and the memory it lies in. */
struct sample {
    struct bl_arena arena;
    struct bl_job_view job;
};

static void read_sample(const char *json, struct sample *out)
{
    const struct bl_tree_source source = {"sample", json, strlen(json)};
    struct bl_tree *tree = NULL;
    struct bl_error err = {0};

    *out = (struct sample){0};
    if (bl_json_read(&source, &out->arena, &tree, &err)) {
        fail_msg("%s", err.text);
    }
    bl_job_view_read(tree, &out->job);
}

static void a_job_object_is_read_and_null_means_not_yet(void **state)
{
    struct sample sample;

    (void)state;
    read_sample(
        "{\"id\": 7, \"name\": \"tiny\", \"user\": \"me\", \"project\": null, "
        "\"state\": \"running\", \"gpus\": {\"min\": 2, \"want\": 4, \"max\": 8, \"now\": 3}, "
        "\"started_at\": 1796000000.25, \"ended_at\": null, \"limit_s\": 1800, "
        "\"exit_code\": null, \"attempt\": 1}",
        &sample);
    assert_int_equal(sample.job.id, 7);
    assert_string_equal(sample.job.name, "tiny");
    assert_string_equal(sample.job.project, "");
    assert_int_equal(sample.job.gpus_now, 3);
    assert_int_equal(sample.job.started_at, INT64_C(1796000000250000));
    assert_int_equal(sample.job.ended_at, 0);
    assert_int_equal(sample.job.limit, 30 * BL_MINUTE);
    assert_false(sample.job.has_exit_code);
    bl_arena_finish(&sample.arena);
}

static void a_job_object_without_or_with_wrong_fields_is_survived(void **state)
{
    static const char *const rows[] = {
        "{}",
        "{\"gpus\": 3, \"where\": 5}",
        "{\"where\": [1, {\"gpus\": [null, {}]}, []], \"state\": \"running\"}",
        "{\"id\": \"x\", \"state\": {}, \"name\": [], \"started_at\": 1e300}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        BL_AUTO_BUF out = {0};

        read_sample(rows[i], &sample);
        bl_job_print_title(&out, &sample.job);
        bl_job_print_standing(&out, &sample.job);
        bl_job_print_where(&out, &sample.job, BL_WHERE_SHORT);
        bl_job_print_gpus(&out, &sample.job);
        assert_true(out.length > 0);
        bl_arena_finish(&sample.arena);
    }
}

static void how_a_job_stands_is_one_sentence(void **state)
{
    static const char *const rows[][2] = {
        {"{\"state\": \"running\", \"where\": [{\"node\": \"node1\", \"gpus\": [0, 1, 2, 5]}]}",
         "running on node1 gpu0-2,5"},
        {"{\"state\": \"starting\", \"where\": [{\"node\": \"n1\", \"gpus\": [3]}, {\"node\": "
         "\"n2\", \"gpus\": null}]}",
         "starting on n1 gpu3, n2"},
        {"{\"state\": \"queued\", \"reason_text\": \"needs 4 GPUs, 2 are free\"}",
         "queued, needs 4 GPUs, 2 are free"},
        {"{\"state\": \"failed\", \"exit_code\": 3, \"reason\": \"exit\", \"reason_text\": "
         "\"exited "
         "with 3\", \"started_at\": 10, \"ended_at\": 75}",
         "failed, exit code 3 after 1 minute 5 seconds"},
        {"{\"state\": \"failed\", \"exit_code\": null, \"reason\": \"start_failed\", "
         "\"reason_text\": \"cannot enter /x\"}",
         "failed: cannot enter /x"},
        {"{\"state\": \"completed\", \"exit_code\": 0, \"reason\": \"exit\", \"started_at\": 10, "
         "\"ended_at\": 11}",
         "completed after 1 second"},
        {"{\"state\": \"cancelled\", \"reason\": \"user\", \"reason_text\": \"cancelled by "
         "\\u001b\"}",
         "cancelled: cancelled by \\x1b"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        BL_AUTO_BUF out = {0};

        read_sample(rows[i][0], &sample);
        bl_job_print_standing(&out, &sample.job);
        assert_string_equal(bl_buf_text(&out), rows[i][1]);
        bl_arena_finish(&sample.arena);
    }
}

static void a_job_held_by_its_failures_gave_up_and_one_held_by_a_user_did_not(void **state)
{
    static const struct {
        const char *json;
        bool expected;
    } rows[] = {
        {"{\"state\": \"held\", \"reason\": \"start_failed\"}", true},
        {"{\"state\": \"held\", \"reason\": \"crash_loop\"}", true},
        {"{\"state\": \"held\", \"reason\": \"held\"}", false},
        {"{\"state\": \"failed\", \"reason\": \"start_failed\"}", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;

        read_sample(rows[i].json, &sample);
        assert_int_equal(bl_job_gave_up(&sample.job), rows[i].expected);
        bl_arena_finish(&sample.arena);
    }
}

static void places_are_written_short_in_tables(void **state)
{
    static const char json[] =
        "{\"where\": [{\"node\": \"a\", \"gpus\": [0,1]}, "
        "{\"node\": \"b\", \"gpus\": [7]}, {\"node\": \"c\", \"gpus\": []}]}";
    struct sample sample;
    BL_AUTO_BUF several = {0};
    BL_AUTO_BUF one = {0};

    (void)state;
    read_sample(json, &sample);
    bl_job_print_where(&several, &sample.job, BL_WHERE_SHORT);
    bl_job_print_where(&one, &sample.job, BL_WHERE_ONE_NODE);
    assert_string_equal(bl_buf_text(&several), "a:0-1 b:7 c");
    assert_string_equal(bl_buf_text(&one), "gpu0-1 gpu7 c");
    bl_arena_finish(&sample.arena);
}

static void ranges_show_what_the_job_has_now(void **state)
{
    static const char *const rows[][2] = {
        {"{\"state\": \"queued\", \"gpus\": {\"min\": 4, \"max\": 4, \"now\": 0}}", "4"},
        {"{\"state\": \"queued\", \"gpus\": {\"min\": 2, \"max\": 8, \"now\": 0}}", "2-8"},
        {"{\"state\": \"running\", \"gpus\": {\"min\": 2, \"max\": 8, \"now\": 6}}", "6 (2-8)"},
        {"{\"state\": \"queued\", \"gpus\": {\"min\": 0, \"max\": 0, \"now\": 0}}", "0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        BL_AUTO_BUF out = {0};

        read_sample(rows[i][0], &sample);
        bl_job_print_gpus(&out, &sample.job);
        assert_string_equal(bl_buf_text(&out), rows[i][1]);
        bl_arena_finish(&sample.arena);
    }
}

static void states_have_slurms_letters_both_ways(void **state)
{
    static const char *const rows[][3] = {
        {"held", "PD", "held"},           {"waiting", "PD", "waiting"},
        {"queued", "PD", "queued"},       {"starting", "CF", "starting"},
        {"running", "R", "running"},      {"stopping", "CG", "stopping"},
        {"completed", "CD", "completed"}, {"failed", "F", "failed"},
        {"cancelled", "CA", "cancelled"}, {"timeout", "TO", "timeout"},
        {"lost", "NF", "lost"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(bl_job_letters(rows[i][0]), rows[i][1]);
        assert_string_equal(bl_job_states_of(rows[i][0]), rows[i][2]);
    }
    assert_string_equal(bl_job_states_of("pd"), "held,waiting,queued");
    assert_string_equal(bl_job_states_of("F"), "failed");
    assert_null(bl_job_states_of("happy"));
    assert_string_equal(bl_job_letters("from a newer daemon"), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_object_is_read_and_null_means_not_yet),
        cmocka_unit_test(a_job_object_without_or_with_wrong_fields_is_survived),
        cmocka_unit_test(how_a_job_stands_is_one_sentence),
        cmocka_unit_test(a_job_held_by_its_failures_gave_up_and_one_held_by_a_user_did_not),
        cmocka_unit_test(places_are_written_short_in_tables),
        cmocka_unit_test(ranges_show_what_the_job_has_now),
        cmocka_unit_test(states_have_slurms_letters_both_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
