#include "cli/server.h"

#include "bl_test.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char folder[] = "/tmp/baleen-test-server-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    unsetenv("BALEEN_SOCKET");
    unsetenv("BALEEN_SERVER");
    unsetenv("BALEEN_TOKEN");
    unsetenv("BALEEN_TOKEN_FILE");
    return mkdtemp(folder) && setenv("XDG_CONFIG_HOME", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return bl_fs_remove_tree(folder, NULL);
}

static void flags_win_over_the_environment_and_the_server_over_the_socket(void **state)
{
    static const struct {
        struct bl_server_wish wish;
        const char *server, *socket, *name;
    } rows[] = {
        {{NULL, NULL}, NULL, "/e.sock", "/e.sock"},
        {{NULL, NULL}, "h:1", "/e.sock", "http://h:1"},
        {{"/f.sock", NULL}, "h:1", "/e.sock", "/f.sock"},
        {{NULL, "https://gpu.example.org/"}, "h:1", NULL, "https://gpu.example.org"},
        {{NULL, "[::1]:7420"}, NULL, "/e.sock", "http://[::1]:7420"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_SERVER server = {.url = {0}};

        setenv("BALEEN_SERVER", rows[i].server ? rows[i].server : "", 1);
        setenv("BALEEN_SOCKET", rows[i].socket ? rows[i].socket : "", 1);
        assert_int_equal(bl_server_find(&rows[i].wish, &server, NULL), BL_OK);
        assert_string_equal(bl_server_name(&server), rows[i].name);
        assert_int_equal(server.token.length, 0);
    }
    unsetenv("BALEEN_SERVER");
    unsetenv("BALEEN_SOCKET");
}

static void what_is_no_server_is_refused(void **state)
{
    static const char *const rows[] = {"",        "ftp://h:1", "h:1/path", "http://",
                                       "u:p@h:1", "h:1?x",     "h 1",      "http://h\r\nX: y"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_server_wish wish = {NULL, rows[i]};
        struct bl_server server;
        struct bl_error err = {0};

        if (bl_server_find(&wish, &server, &err) != BL_EINVAL) {
            fail_msg("'%s' was taken", rows[i]);
        }
        assert_non_null(strstr(err.text, "expected a server like"));
    }
}

static void a_socket_and_a_server_together_are_refused(void **state)
{
    struct bl_server_wish wish = {"/s", "h:1"};
    struct bl_server server;
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_server_find(&wish, &server, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "not both"));
}

/* The status of a server with this token file; the token in `out`. */
static int find_with_file(const char *path, mode_t mode, const char *text, struct bl_buf *out)
{
    struct bl_server_wish wish = {NULL, "h:1"};
    struct bl_server server = {0};
    struct bl_error err = {0};
    int status;

    assert_int_equal(bl_fs_write_atomic(path, mode, text, strlen(text), NULL), BL_OK);
    status = bl_server_find(&wish, &server, &err);
    bl_buf_clear(out);
    bl_buf_append_text(out, bl_buf_text(&server.token));
    bl_server_finish(&server);
    return status;
}

static void the_token_comes_from_the_environment_or_a_file_of_the_user_alone(void **state)
{
    BL_AUTO_BUF own = {0};
    BL_AUTO_BUF named = {0};
    BL_AUTO_BUF token = {0};

    (void)state;
    bl_buf_printf(&own, "%s/baleen", folder);
    assert_int_equal(bl_fs_make_dirs(bl_buf_text(&own), 0700, NULL), BL_OK);
    bl_buf_append_text(&own, "/token");
    bl_buf_printf(&named, "%s/named", folder);
    assert_int_equal(find_with_file(bl_buf_text(&own), 0600, "bl_1_own\r\n", &token), BL_OK);
    assert_string_equal(bl_buf_text(&token), "bl_1_own");
    setenv("BALEEN_TOKEN_FILE", bl_buf_text(&named), 1);
    assert_int_equal(find_with_file(bl_buf_text(&named), 0600, "bl_2_named", &token), BL_OK);
    assert_string_equal(bl_buf_text(&token), "bl_2_named");
    assert_int_equal(find_with_file(bl_buf_text(&named), 0644, "bl_2_named", &token), BL_EREFUSED);
    assert_int_equal(find_with_file(bl_buf_text(&named), 0600, "two words", &token), BL_EINVAL);
    setenv("BALEEN_TOKEN", "bl_3_set", 1);
    assert_int_equal(find_with_file(bl_buf_text(&named), 0644, "bl_2_named", &token), BL_OK);
    assert_string_equal(bl_buf_text(&token), "bl_3_set");
    setenv("BALEEN_TOKEN", "bl_3\nX-Header: y", 1);
    assert_int_equal(find_with_file(bl_buf_text(&named), 0600, "x", &token), BL_EINVAL);
    unsetenv("BALEEN_TOKEN");
    unsetenv("BALEEN_TOKEN_FILE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_win_over_the_environment_and_the_server_over_the_socket),
        cmocka_unit_test(what_is_no_server_is_refused),
        cmocka_unit_test(a_socket_and_a_server_together_are_refused),
        cmocka_unit_test(the_token_comes_from_the_environment_or_a_file_of_the_user_alone),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
