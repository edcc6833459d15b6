#include "form_test.h"

#include "form/policyspec.h"
#include "form/record.h"

static void expect_line(const struct bl_event *event, const struct bl_launch *launch,
                        const char *line)
{
    BL_AUTO_BUF out = {0};

    bl_record_write(&out, event, launch);
    assert_string_equal(bl_buf_text(&out), line);
}

static void what_is_zero_is_left_out(void **state)
{
    (void)state;
    expect_line(&(struct bl_event){.kind = BL_EVENT_ROUND}, NULL, "{\"event\":\"round\"}");
    expect_line(&(struct bl_event){.kind = BL_EVENT_JOB_CANCELLED, .at = 5, .job = 7}, NULL,
                "{\"event\":\"job_cancelled\",\"at_us\":5,\"job\":7}");
}

static void enums_are_written_as_words(void **state)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_START_FAILED, .at = 1, .job = 2, .attempt = 3};

    (void)state;
    event.u.start_failed.stage = BL_STAGE_EXEC;
    event.u.start_failed.error_number = 13;
    expect_line(&event, NULL,
                "{\"event\":\"job_start_failed\",\"at_us\":1,\"job\":2,\"attempt\":3,"
                "\"stage\":\"exec\",\"errno\":13}");
}

static void a_policy_is_written_with_every_option(void **state)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET};

    (void)state;
    assert_int_equal(bl_policyspec_parse("easy:order=shortest", &event.u.policy, NULL), BL_OK);
    expect_line(&event, NULL,
                "{\"event\":\"policy_set\",\"policy\":\"easy:durations=limit,order=shortest,"
                "predictor=mixture\"}");
}

static void a_submission_carries_its_launch_when_there_is_one(void **state)
{
    char program[] = "x";
    char workdir[] = "/w";
    char *argv[] = {program, NULL};
    struct bl_launch launch = {.argv = argv, .argc = 1, .workdir = workdir, .uid = 7};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = 1};

    (void)state;
    expect_line(&event, NULL,
                "{\"event\":\"job_submitted\",\"job\":1,\"spec\":{\"class\":\"interactive\","
                "\"kind\":\"train\"}}");
    expect_line(&event, &launch,
                "{\"event\":\"job_submitted\",\"job\":1,\"spec\":{\"class\":\"interactive\","
                "\"kind\":\"train\"},\"launch\":{\"workdir\":\"/w\",\"uid\":7,\"argv\":[\"x\"]}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_zero_is_left_out),
        cmocka_unit_test(enums_are_written_as_words),
        cmocka_unit_test(a_policy_is_written_with_every_option),
        cmocka_unit_test(a_submission_carries_its_launch_when_there_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
