#include "record_test.h"

#define PAST(attempts)                                                                             \
    "{\"event\":\"job_restored\",\"at_us\":9,\"job\":7,\"attempt\":4,\"past\":{\"state\":"         \
    "\"resizing\",\"stop_as\":\"held\",\"reason\":\"resized\",\"attempts_left_out\":1,\"spec\":{"  \
    "\"class\":\"batch\",\"kind\":\"train\"},\"where\":[[0,2,\"3\",0,0]],\"next_where\":[[0,1,"    \
    "\"1\",0,0]],\"attempts\":[" attempts "]}}"

#define SECOND                                                                                     \
    "{\"number\":2,\"started_at_us\":3,\"running_at_us\":4,\"ended_at_us\":5,\"reason\":\"exit\"," \
    "\"reason_need\":7,\"exit_code\":7,\"has_exit_code\":true,\"where\":[[0,2,\"3\",1000,7]]}"
#define THIRD                                                                                      \
    "{\"number\":3,\"started_at_us\":6,\"ended_at_us\":8,\"reason\":\"preempted\",\"reason_job\":" \
    "9,"                                                                                           \
    "\"reason_at_us\":8,\"where\":[[0,1,\"2\",0,0]]}"
#define FOURTH "{\"number\":4,\"reason\":\"none\",\"where\":[[0,1,\"1\",0,0]]}"

static void attempts_are_read_and_written_byte_for_byte(void **state)
{
    static const char json[] = PAST(SECOND "," THIRD "," FOURTH);
    struct bl_arena arena = {0};
    struct bl_record record;
    struct bl_error err = {0};
    BL_AUTO_BUF again = {0};
    const struct bl_job_attempts *attempts;

    (void)state;
    if (bl_record_read("record", json, strlen(json), &arena, &record, &err)) {
        fail_msg("%s", err.text);
    }
    attempts = &record.event.u.restored->attempts;
    assert_int_equal(attempts->list.count, 3);
    assert_int_equal(attempts->left_out, 1);
    assert_int_equal(attempts->list.at[0].exit_code, 7);
    assert_int_equal(attempts->list.at[1].reason.job, 9);
    assert_int_equal(attempts->list.at[2].ended_at, 0);
    bl_record_write(&again, &record.event, NULL);
    assert_string_equal(bl_buf_text(&again), json);
    bl_arena_finish(&arena);
}

static const struct broken_record broken[] = {
    {PAST(FOURTH "," SECOND), "expected attempts in order of their numbers"},
    {PAST(SECOND "," SECOND), "expected attempts in order of their numbers"},
    {PAST("{\"number\":1,\"reason\":\"none\"}," SECOND), "each over before the next"},
    {PAST("{\"reason\":\"none\"}"), "expected the key 'number'"},
    {PAST("{\"number\":1,\"reason\":\"bored\"}"), "reason: expected one of none"},
    {PAST("{\"number\":1,\"reason\":\"none\",\"where\":[[0]]}"),
     "where: expected [NODE, GPUS, MASK, CPUS, MEMORY]"},
    {PAST("{\"number\":1,\"reason\":\"none\",\"why\":1}"), "why: unknown key"},
    {PAST("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"), "attempts: expected a list of at most 16"},
};

static void broken_attempts_are_refused_with_their_key(void **state)
{
    (void)state;
    expect_broken_records(broken, FORM_ROWS(broken));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attempts_are_read_and_written_byte_for_byte),
        cmocka_unit_test(broken_attempts_are_refused_with_their_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
