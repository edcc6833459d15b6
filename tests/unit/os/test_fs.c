#include "bl_test.h"
#include "os/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char path[64];
};

static int make_folder(void **state)
{
    static struct folder folder;

    strncpy(folder.path, "/tmp/baleen-fs-XXXXXX", sizeof folder.path);
    *state = &folder;
    return mkdtemp(folder.path) ? 0 : -1;
}

static int remove_folder(void **state)
{
    struct folder *folder = *state;

    return bl_fs_remove_tree(folder->path, NULL);
}

/* "FOLDER/NAME" in one of a few static places. */
static const char *in(void **state, const char *name)
{
    static char path[4][256];
    static size_t next;
    const struct folder *folder = *state;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder->path, name);
    return path[next];
}

static void what_was_written_is_read_back_with_its_mode(void **state)
{
    BL_AUTO_BUF text = {0};
    struct stat about;

    assert_int_equal(bl_fs_write_atomic(in(state, "a"), 0600, "one\0two", 7, NULL), BL_OK);
    assert_int_equal(bl_fs_write_atomic(in(state, "a"), 0640, "three", 5, NULL), BL_OK);
    assert_int_equal(bl_fs_read(in(state, "a"), 5, &text, NULL), BL_OK);
    assert_string_equal(bl_buf_text(&text), "three");
    assert_int_equal(stat(in(state, "a"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

static void a_failed_write_leaves_the_old_file_and_nothing_beside_it(void **state)
{
    struct bl_error err = {0};

    assert_int_equal(bl_fs_make_dirs(in(state, "b"), 0700, NULL), BL_OK);
    assert_int_equal(bl_fs_write_atomic(in(state, "b"), 0600, "x", 1, &err), BL_ESYSTEM);
    assert_non_null(strstr(err.text, "cannot write"));
    assert_int_equal(rmdir(in(state, "b")), 0);
    assert_int_equal(rmdir(((struct folder *)*state)->path), 0);
    assert_int_equal(bl_fs_make_dirs(((struct folder *)*state)->path, 0700, NULL), BL_OK);
}

static void a_file_over_the_ceiling_is_refused(void **state)
{
    BL_AUTO_BUF text = {0};
    struct bl_error err = {0};

    assert_int_equal(bl_fs_write_atomic(in(state, "a"), 0600, "12345", 5, NULL), BL_OK);
    assert_int_equal(bl_fs_read(in(state, "a"), 4, &text, &err), BL_ETOOBIG);
    assert_non_null(strstr(err.text, "larger than the 4 bytes"));
}

static void a_missing_file_is_not_found(void **state)
{
    BL_AUTO_BUF text = {0};
    struct bl_error err = {0};

    assert_int_equal(bl_fs_read(in(state, "none"), 10, &text, &err), BL_ENOTFOUND);
    assert_int_equal(err.status, BL_ENOTFOUND);
    assert_non_null(strstr(err.text, "No such file"));
}

static void directories_are_made_in_depth_and_twice_is_fine(void **state)
{
    struct stat about;

    assert_int_equal(bl_fs_make_dirs(in(state, "d/e//f/"), 0700, NULL), BL_OK);
    assert_int_equal(bl_fs_make_dirs(in(state, "d/e/f"), 0700, NULL), BL_OK);
    assert_int_equal(stat(in(state, "d/e/f"), &about), 0);
    assert_true(S_ISDIR(about.st_mode));
}

static void a_file_in_the_way_of_a_directory_is_named(void **state)
{
    struct bl_error err = {0};

    assert_int_equal(bl_fs_write_atomic(in(state, "a"), 0600, "", 0, NULL), BL_OK);
    assert_int_equal(bl_fs_make_dirs(in(state, "a/b"), 0700, &err), BL_ESYSTEM);
    assert_non_null(strstr(err.text, "/a: Not a directory"));
}

static void removing_a_tree_does_not_follow_links(void **state)
{
    assert_int_equal(bl_fs_make_dirs(in(state, "tree/sub"), 0700, NULL), BL_OK);
    assert_int_equal(bl_fs_make_dirs(in(state, "outside"), 0700, NULL), BL_OK);
    assert_int_equal(bl_fs_write_atomic(in(state, "outside/kept"), 0600, "x", 1, NULL), BL_OK);
    assert_int_equal(bl_fs_write_atomic(in(state, "tree/sub/file"), 0600, "x", 1, NULL), BL_OK);
    assert_int_equal(symlink(in(state, "outside"), in(state, "tree/sub/link")), 0);
    assert_int_equal(symlink(in(state, "outside"), in(state, "link")), 0);
    assert_int_equal(bl_fs_remove_tree(in(state, "tree"), NULL), BL_OK);
    assert_int_equal(bl_fs_remove_tree(in(state, "link"), NULL), BL_OK);
    assert_int_equal(bl_fs_remove_tree(in(state, "never was"), NULL), BL_OK);
    assert_int_equal(access(in(state, "tree"), F_OK), -1);
    assert_int_equal(access(in(state, "outside/kept"), F_OK), 0);
}

static void the_directory_of_the_program_holds_it(void **state)
{
    BL_AUTO_BUF dir = {0};

    (void)state;
    assert_int_equal(bl_fs_program_dir(&dir, NULL), BL_OK);
    bl_buf_append_text(&dir, "/test_os_fs");
    assert_int_equal(access(bl_buf_text(&dir), X_OK), 0);
}

#define ROW(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROW(what_was_written_is_read_back_with_its_mode),
        ROW(a_failed_write_leaves_the_old_file_and_nothing_beside_it),
        ROW(a_file_over_the_ceiling_is_refused),
        ROW(a_missing_file_is_not_found),
        ROW(directories_are_made_in_depth_and_twice_is_fine),
        ROW(a_file_in_the_way_of_a_directory_is_named),
        ROW(removing_a_tree_does_not_follow_links),
        ROW(the_directory_of_the_program_holds_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
