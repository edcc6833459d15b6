#include "engine/launch_env.h"
#include "bl_test.h"

#include "base/own.h"
#include "os/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_state(void **state)
{
    char *dir = bl_copy_text("/tmp/baleen-env-XXXXXX");

    assert_non_null(mkdtemp(dir));
    *state = dir;
    return 0;
}

static int remove_state(void **state)
{
    assert_int_equal(bl_fs_remove_tree(*state, NULL), BL_OK);
    free(*state);
    return 0;
}

static void file_of(const char *dir, char path[128])
{
    snprintf(path, 128, "%s/env/7", dir);
}

static void what_was_written_is_read_back(void **state)
{
    static const char *const environment[] = {"A=1", "EMPTY=", "LINES=a\nb", "=odd", NULL};
    struct bl_arena arena = {0};
    char **back = NULL;

    assert_int_equal(bl_launch_env_write(*state, 7, environment, NULL), BL_OK);
    assert_int_equal(bl_launch_env_read(*state, 7, &arena, &back, NULL), BL_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(back[i], environment[i]);
    }
    assert_null(back[4]);
    bl_arena_finish(&arena);
}

static void an_empty_environment_is_one(void **state)
{
    static const char *const environment[] = {NULL};
    struct bl_arena arena = {0};
    char **back = NULL;

    assert_int_equal(bl_launch_env_write(*state, 7, environment, NULL), BL_OK);
    assert_int_equal(bl_launch_env_read(*state, 7, &arena, &back, NULL), BL_OK);
    assert_null(back[0]);
    bl_arena_finish(&arena);
}

static void nobody_else_may_read_it(void **state)
{
    static const char *const environment[] = {"SECRET=1", NULL};
    struct stat about;
    char path[128];

    assert_int_equal(bl_launch_env_write(*state, 7, environment, NULL), BL_OK);
    file_of(*state, path);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

static void a_file_cut_at_any_byte_is_refused(void **state)
{
    static const char *const environment[] = {"A=1", "B=22", NULL};
    char path[128];

    file_of(*state, path);
    for (off_t length = 0; length < 10; length++) { /* "A=1.B=22.." */
        struct bl_arena arena = {0};
        char **back = NULL;

        assert_int_equal(bl_launch_env_write(*state, 7, environment, NULL), BL_OK);
        assert_int_equal(truncate(path, length), 0);
        if (bl_launch_env_read(*state, 7, &arena, &back, NULL) == BL_OK) {
            fail_msg("%d bytes were taken for all", (int)length);
        }
        assert_null(back);
        bl_arena_finish(&arena);
    }
}

static void a_missing_one_is_an_error_that_names_the_file(void **state)
{
    struct bl_arena arena = {0};
    struct bl_error err = {0};
    char **back = NULL;
    char path[128];

    file_of(*state, path);
    assert_int_not_equal(bl_launch_env_read(*state, 7, &arena, &back, &err), BL_OK);
    assert_non_null(strstr(err.text, path));
    bl_arena_finish(&arena);
}

static void a_removed_one_is_gone_and_removing_twice_is_fine(void **state)
{
    static const char *const environment[] = {"A=1", NULL};
    char path[128];

    file_of(*state, path);
    assert_int_equal(bl_launch_env_write(*state, 7, environment, NULL), BL_OK);
    bl_launch_env_remove(*state, 7);
    assert_int_equal(access(path, F_OK), -1);
    bl_launch_env_remove(*state, 7);
}

static void one_over_the_ceiling_is_refused_and_leaves_no_file(void **state)
{
    enum { BYTES = 9 * 1024 * 1024 };
    char *large = bl_alloc_zero(BYTES);
    const char *environment[] = {large, NULL};
    char path[128];

    memset(large, 'x', BYTES - 1);
    file_of(*state, path);
    assert_int_equal(bl_launch_env_write(*state, 7, environment, NULL), BL_ETOOBIG);
    assert_int_equal(access(path, F_OK), -1);
    free(large);
}

static void write_next(const char *state, struct bl_launch_env_last *last, bl_job_id job,
                       const char *value)
{
    const char *environment[] = {value, "B=2", NULL};

    assert_int_equal(bl_launch_env_write_next(state, last, job, environment, NULL), BL_OK);
}

/* The inode of a job's file. */
static ino_t file_number(const char *state, bl_job_id job)
{
    char path[128];
    struct stat info;

    snprintf(path, sizeof path, "%s/env/%lld", state, (long long)job);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    return info.st_ino;
}

static void expect_first(const char *state, bl_job_id job, const char *value)
{
    struct bl_arena arena = {0};
    char **back = NULL;

    assert_int_equal(bl_launch_env_read(state, job, &arena, &back, NULL), BL_OK);
    assert_string_equal(back[0], value);
    assert_string_equal(back[1], "B=2");
    bl_arena_finish(&arena);
}

static void equal_ones_in_a_row_share_a_file_and_each_keeps_it_when_others_go(void **state)
{
    struct bl_launch_env_last last = {0};

    write_next(*state, &last, 1, "A=1");
    write_next(*state, &last, 2, "A=1");
    write_next(*state, &last, 3, "A=3");
    assert_int_equal(file_number(*state, 1), file_number(*state, 2));
    assert_int_not_equal(file_number(*state, 2), file_number(*state, 3));
    bl_launch_env_remove(*state, 1);
    expect_first(*state, 2, "A=1");
    write_next(*state, &last, 3, "A=4"); /* what stands there is not changed for the others */
    write_next(*state, &last, 4, "A=4");
    write_next(*state, &last, 4, "A=5");
    expect_first(*state, 3, "A=4");
    expect_first(*state, 4, "A=5");
    bl_launch_env_remove(*state, 4);
    write_next(*state, &last, 5, "A=5"); /* the one it could share is gone */
    expect_first(*state, 5, "A=5");
    bl_launch_env_last_finish(&last);
}

#define IN_STATE(claim) cmocka_unit_test_setup_teardown(claim, make_state, remove_state)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_STATE(what_was_written_is_read_back),
        IN_STATE(an_empty_environment_is_one),
        IN_STATE(nobody_else_may_read_it),
        IN_STATE(a_file_cut_at_any_byte_is_refused),
        IN_STATE(a_missing_one_is_an_error_that_names_the_file),
        IN_STATE(a_removed_one_is_gone_and_removing_twice_is_fine),
        IN_STATE(equal_ones_in_a_row_share_a_file_and_each_keeps_it_when_others_go),
        IN_STATE(one_over_the_ceiling_is_refused_and_leaves_no_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
