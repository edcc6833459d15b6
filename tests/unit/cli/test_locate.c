#include "cli/client.h"

#include "bl_test.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/baleen-test-locate-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    unsetenv("BALEEN_SOCKET");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return bl_fs_remove_tree(folder, NULL);
}

static void a_flag_wins_over_the_environment_which_wins_over_the_folders(void **state)
{
    BL_AUTO_BUF given = {0};
    BL_AUTO_BUF set = {0};

    (void)state;
    setenv("BALEEN_SOCKET", "/somewhere/b.sock", 1);
    assert_int_equal(bl_client_find_socket("/x/a.sock", &given, NULL), BL_OK);
    assert_int_equal(bl_client_find_socket(NULL, &set, NULL), BL_OK);
    unsetenv("BALEEN_SOCKET");
    assert_string_equal(bl_buf_text(&given), "/x/a.sock");
    assert_string_equal(bl_buf_text(&set), "/somewhere/b.sock");
}

static void the_runtime_directory_is_looked_at_first(void **state)
{
    BL_AUTO_BUF socket = {0};
    BL_AUTO_BUF dir = {0};
    BL_AUTO_BUF path = {0};

    (void)state;
    bl_buf_printf(&dir, "%s/baleen", folder);
    bl_buf_printf(&path, "%s/baleen.sock", bl_buf_text(&dir));
    assert_int_equal(bl_fs_make_dirs(bl_buf_text(&dir), 0700, NULL), BL_OK);
    assert_int_equal(bl_fs_write_atomic(bl_buf_text(&path), 0600, "", 0, NULL), BL_OK);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    assert_int_equal(bl_client_find_socket(NULL, &socket, NULL), BL_OK);
    unsetenv("XDG_RUNTIME_DIR");
    assert_string_equal(bl_buf_text(&socket), bl_buf_text(&path));
}

static void a_path_that_no_socket_can_have_is_refused(void **state)
{
    char path[200];
    BL_AUTO_BUF socket = {0};
    struct bl_error err = {0};

    (void)state;
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    assert_int_equal(bl_client_find_socket(path, &socket, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "107 bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flag_wins_over_the_environment_which_wins_over_the_folders),
        cmocka_unit_test(the_runtime_directory_is_looked_at_first),
        cmocka_unit_test(a_path_that_no_socket_can_have_is_refused),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
