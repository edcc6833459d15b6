#include "os/spawn_spec.h"
#include "bl_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void records_tell_how_far_an_attempt_came(void **state)
{
    static const struct {
        const char *text;
        struct bl_spawn_status expected;
    } rows[] = {
        {"", {0}},
        {"supervisor 12 345\n", {.supervisor = 12, .supervisor_start = 345}},
        {"supervisor 12 345\nstarted 13 346\n",
         {.supervisor = 12, .supervisor_start = 345, .pid = 13, .pid_start = 346}},
        {"started 13 346\nexited 7\n",
         {.pid = 13, .pid_start = 346, .end = BL_SPAWN_EXITED, .code = 7}},
        {"signalled 9\n", {.end = BL_SPAWN_SIGNALLED, .code = 9}},
        {"failed workdir 2\n", {.end = BL_SPAWN_FAILED, .stage = BL_SPAWN_WORKDIR, .code = 2}},
        {"failed exec 13\n", {.end = BL_SPAWN_FAILED, .stage = BL_SPAWN_EXEC, .code = 13}},
        {"supervisor 1 2\nsupervisor 3 4\nlost\n",
         {.supervisor = 3, .supervisor_start = 4, .end = BL_SPAWN_LOST}},
        {"started 1 2\ngone\n", {.pid = 1, .pid_start = 2, .end = BL_SPAWN_GONE}},
        /* not whole, not known, not numbers: passed over */
        {"supervisor 1 2\nexited 0", {.supervisor = 1, .supervisor_start = 2}},
        {"supervisor 1 2\nexi", {.supervisor = 1, .supervisor_start = 2}},
        {"exited x\nexited -1\nexited 99999999999\nsignalled\nfailed nowhere 2\nlost x\n", {0}},
        {"supervisor -1 2\nstarted 5\nstarted x y\nexitedx 1\n", {0}},
        {"\n\n\n", {0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_spawn_status status;
        const struct bl_spawn_status *expected = &rows[i].expected;

        bl_spawn_status_parse(rows[i].text, strlen(rows[i].text), &status);
        if (status.supervisor != expected->supervisor ||
            status.supervisor_start != expected->supervisor_start || status.pid != expected->pid ||
            status.pid_start != expected->pid_start || status.end != expected->end ||
            status.stage != expected->stage || status.code != expected->code) {
            fail_msg("row %zu: '%s'", i, rows[i].text);
        }
    }
}

static void records_are_shortened_to_what_counts(void **state)
{
    static const char *const rows[][2] = {
        {"", ""},
        {"started 13 346\n", "started 13 346\n"},
        {"supervisor 1 2\n", "supervisor 1 2\n"},
        {"supervisor 1 2\nstarted 3 4\nsupervisor 5 6\nx\nsupervisor 7",
         "supervisor 5 6\nstarted 3 4\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[BL_SPAWN_RECORDS_BYTES] = "";
        char expected[BL_SPAWN_RECORDS_BYTES] = "";

        snprintf(text, sizeof text, "%s", rows[i][0]);
        snprintf(expected, sizeof expected, "%s", rows[i][1]);
        assert_int_equal(bl_spawn_status_shorten(text), strlen(expected));
        assert_memory_equal(text, expected, sizeof text);
    }
}

static void any_bytes_are_taken(void **state)
{
    char bytes[BL_SPAWN_RECORDS_BYTES];
    struct bl_spawn_status status;

    (void)state;
    for (int fill = 0; fill < 256; fill++) {
        memset(bytes, fill, sizeof bytes);
        bl_spawn_status_parse(bytes, sizeof bytes, &status);
        assert_int_equal(status.end, BL_SPAWN_NOT_ENDED);
    }
}

static void a_file_is_read_from_its_start_again_and_again(void **state)
{
    char path[] = "/tmp/baleen-status-XXXXXX";
    struct bl_spawn_status status;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_true(bl_spawn_status_read(fd, &status));
    assert_int_equal(status.supervisor, 0);
    assert_int_equal(pwrite(fd, "token=x", 8, BL_SPAWN_RECORDS_BYTES), 8);
    assert_true(bl_spawn_status_read(fd, &status));
    assert_int_equal(status.supervisor, 0);
    assert_int_equal(write(fd, "supervisor 1 2\n", 15), 15);
    assert_true(bl_spawn_status_read(fd, &status));
    assert_int_equal(status.supervisor, 1);
    assert_int_equal(write(fd, "exited 4\n", 9), 9);
    assert_true(bl_spawn_status_read(fd, &status));
    assert_int_equal(status.supervisor, 1);
    assert_int_equal(status.code, 4);
    close(fd);
    unlink(path);
    assert_false(bl_spawn_status_read(fd, &status));
}

static void each_stage_has_its_own_word(void **state)
{
    (void)state;
    for (int i = 0; i < BL_SPAWN_STAGE_COUNT; i++) {
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(bl_spawn_stage_name((enum bl_spawn_stage)i),
                                    bl_spawn_stage_name((enum bl_spawn_stage)j));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_tell_how_far_an_attempt_came),
        cmocka_unit_test(records_are_shortened_to_what_counts),
        cmocka_unit_test(any_bytes_are_taken),
        cmocka_unit_test(a_file_is_read_from_its_start_again_and_again),
        cmocka_unit_test(each_stage_has_its_own_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
