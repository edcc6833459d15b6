#include "engine/local_files.h"
#include "bl_test.h"

#include "base/own.h"
#include "os/fs.h"
#include "os/spawn_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char dir[32];
    struct bl_local_paths paths;
};

static int make_place(void **state)
{
    struct place *place = bl_alloc_zero(sizeof *place);

    memcpy(place->dir, "/tmp/baleen-files-XXXXXX", sizeof "/tmp/baleen-files-XXXXXX");
    assert_non_null(mkdtemp(place->dir));
    assert_int_equal(bl_local_files_prepare(place->dir, NULL), BL_OK);
    bl_local_paths_init(&place->paths, place->dir, 7, 2);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    struct place *place = *state;

    assert_int_equal(bl_fs_remove_tree(place->dir, NULL), BL_OK);
    bl_local_paths_finish(&place->paths);
    free(place);
    return 0;
}

static mode_t mode_of(const char *path)
{
    struct stat about;

    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 0777;
}

static void an_attempt_file_is_made_once_and_locked_until_all_let_go(void **state)
{
    const struct bl_local_paths *paths = &((struct place *)*state)->paths;
    int fd = -1;
    int other = -1;
    int heir;

    assert_int_equal(bl_local_files_make(paths, &fd), BL_LOCAL_MADE);
    assert_int_equal(bl_local_files_make(paths, &other), BL_LOCAL_EXISTS);
    assert_int_equal(other, -1);
    assert_true(bl_local_files_is_supervised(paths));
    assert_int_equal(bl_local_files_take(paths), -1);
    heir = dup(fd); /* as a supervisor inherits it */
    close(fd);
    assert_true(bl_local_files_is_supervised(paths));
    close(heir);
    assert_false(bl_local_files_is_supervised(paths));
    fd = bl_local_files_take(paths);
    assert_true(fd >= 0);
    assert_true(bl_local_files_is_supervised(paths));
    close(fd);
}

static void an_attempt_file_has_room_for_records_before_the_spec(void **state)
{
    const struct bl_local_paths *paths = &((struct place *)*state)->paths;
    struct bl_spawn_status status;
    BL_AUTO_BUF spec = {0};
    BL_AUTO_BUF all = {0};
    int fd = -1;

    assert_int_equal(bl_local_files_make(paths, &fd), BL_LOCAL_MADE);
    assert_int_equal(mode_of(bl_buf_text(&paths->attempt)), 0600);
    bl_buf_append(&spec, "longer", 6);
    assert_int_equal(bl_local_files_write_spec(fd, &spec), 0);
    bl_buf_clear(&spec);
    bl_buf_append(&spec, "a\0b", 3);
    assert_int_equal(bl_local_files_write_spec(fd, &spec), 0);
    assert_int_equal(pwrite(fd, "exited 3\n", 9, 0), 9);
    assert_true(bl_spawn_status_read(fd, &status));
    assert_int_equal(status.end, BL_SPAWN_EXITED);
    assert_int_equal(bl_fs_read(bl_buf_text(&paths->attempt), 65536, &all, NULL), BL_OK);
    assert_int_equal(all.length, BL_SPAWN_RECORDS_BYTES + 3);
    assert_memory_equal(all.text + BL_SPAWN_RECORDS_BYTES, "a\0b", 3);
    close(fd);
}

static void a_directory_in_the_way_is_refused(void **state)
{
    struct place *place = *state;
    int fd = -1;

    assert_int_equal(bl_fs_remove_tree(place->dir, NULL), BL_OK);
    assert_int_equal(bl_local_files_make(&place->paths, &fd), BL_LOCAL_REFUSED);
    assert_int_equal(fd, -1);
}

static void forgetting_removes_records_and_then_the_job(void **state)
{
    const struct bl_local_paths *paths = &((struct place *)*state)->paths;
    int fd = -1;

    assert_int_equal(bl_local_files_make(paths, &fd), BL_LOCAL_MADE);
    assert_int_equal(mkdir(bl_buf_text(&paths->directory), 0700), 0);
    bl_local_files_forget_attempt(paths);
    assert_int_equal(access(bl_buf_text(&paths->attempt), F_OK), -1);
    assert_true(bl_local_files_forget_job(paths));
    assert_int_equal(access(bl_buf_text(&paths->directory), F_OK), -1);
    assert_true(bl_local_files_forget_job(paths)); /* nothing there is fine */
    close(fd);
}

static void a_users_own_files_are_left_to_somebody_with_time(void **state)
{
    const struct bl_local_paths *paths = &((struct place *)*state)->paths;
    BL_AUTO_BUF mine = {0};

    assert_int_equal(mkdir(bl_buf_text(&paths->directory), 0700), 0);
    bl_buf_printf(&mine, "%s/checkpoint", bl_buf_text(&paths->directory));
    assert_int_equal(bl_fs_write_atomic(bl_buf_text(&mine), 0600, "x", 1, NULL), BL_OK);
    assert_false(bl_local_files_forget_job(paths));
    assert_int_equal(access(bl_buf_text(&mine), F_OK), 0);
}

static void a_closed_state_directory_is_opened_for_passing(void **state)
{
    struct place *place = *state;

    if (geteuid() != 0) {
        BL_SKIP("only root passes through a closed directory");
    }
    assert_int_equal(chmod(place->dir, 0700), 0);
    assert_int_equal(bl_local_files_prepare(place->dir, NULL), BL_OK);
    assert_int_equal(mode_of(place->dir), 0711);
}

#define IN_PLACE(claim) cmocka_unit_test_setup_teardown(claim, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_PLACE(an_attempt_file_is_made_once_and_locked_until_all_let_go),
        IN_PLACE(an_attempt_file_has_room_for_records_before_the_spec),
        IN_PLACE(a_directory_in_the_way_is_refused),
        IN_PLACE(forgetting_removes_records_and_then_the_job),
        IN_PLACE(a_users_own_files_are_left_to_somebody_with_time),
        IN_PLACE(a_closed_state_directory_is_opened_for_passing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
