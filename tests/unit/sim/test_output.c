#include "bl_test.h"
#include "os/fs.h"
#include "sim/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void what_is_appended_is_in_the_file_once_closed(void **state)
{
    char path[] = "/tmp/baleen-output-XXXXXX";
    struct bl_sim_output output = {0};
    BL_AUTO_BUF found = {0};

    (void)state;
    close(mkstemp(path));
    assert_int_equal(bl_sim_output_open(&output, path, NULL), BL_OK);
    for (int i = 0; i < 20000; i++) {
        bl_buf_printf(&output.text, "line %d\n", i);
        bl_sim_output_flush_full(&output);
        assert_true(output.text.length < 65536);
    }
    assert_int_equal(bl_sim_output_close(&output, NULL), BL_OK);
    assert_int_equal(bl_fs_read(path, 1 << 20, &found, NULL), BL_OK);
    unlink(path);
    assert_int_equal(strncmp(bl_buf_text(&found), "line 0\nline 1\n", 14), 0);
    assert_string_equal(bl_buf_text(&found) + found.length - 11, "line 19999\n");
}

static void a_full_disk_is_told(void **state)
{
    struct bl_sim_output output = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_sim_output_open(&output, "/dev/full", NULL), BL_OK);
    bl_buf_append_text(&output.text, "x");
    assert_int_equal(bl_sim_output_close(&output, &err), BL_ESYSTEM);
    assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
}

static void a_file_that_cannot_be_made_is_named(void **state)
{
    struct bl_sim_output output = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_sim_output_open(&output, "/dev/null/x", &err), BL_ESYSTEM);
    assert_string_equal(err.text, "cannot create /dev/null/x: Not a directory");
    assert_int_equal(bl_sim_output_close(&output, NULL), BL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_appended_is_in_the_file_once_closed),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(a_file_that_cannot_be_made_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
