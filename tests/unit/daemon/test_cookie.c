#include "daemon/cookie.h"

#include "bl_test.h"

#include <string.h>

static void the_cookie_of_the_port_that_the_browser_sees_is_found(void **state)
{
    static const struct {
        const char *header, *host, *value; /* NULL: none */
    } rows[] = {
        {"baleen-7420=bl_1_x", "127.0.0.1:7420", "bl_1_x"},
        {"a=b; baleen-7420=bl_1_x; c=d", "localhost:7420", "bl_1_x"},
        {"baleen-7421=bl_2_y; baleen-7420=bl_1_x", "[::1]:7420", "bl_1_x"},
        {"baleen=bl_3_z; baleen-7420=bl_1_x", "gpu.example.org", "bl_3_z"},
        {"baleen=bl_3_z", NULL, "bl_3_z"},
        {"baleen-7420=", "127.0.0.1:7420", ""},
        {"baleen-7420=x=y", "127.0.0.1:7420", "x=y"},
        {"baleen-7420=1; baleen-7420=2", "127.0.0.1:7420", "1"},
        {"baleen-7421=bl_2_y", "127.0.0.1:7420", NULL},
        {"baleen-74200=x", "127.0.0.1:7420", NULL},
        {"xbaleen-7420=x", "127.0.0.1:7420", NULL},
        {"baleen-7420", "127.0.0.1:7420", NULL},
        {"Baleen-7420=x", "127.0.0.1:7420", NULL},
        {"; ;;  ", "127.0.0.1:7420", NULL},
        {"", "127.0.0.1:7420", NULL},
        {NULL, "127.0.0.1:7420", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char value[BL_COOKIE_ROOM] = "";
        bool is_found = bl_cookie_find(rows[i].header, rows[i].host, value);

        if (is_found != (rows[i].value != NULL) ||
            (is_found && strcmp(value, rows[i].value) != 0)) {
            fail_msg("row %zu: '%s'", i, is_found ? value : "not found");
        }
    }
}

static void a_value_that_is_too_long_is_none(void **state)
{
    char header[BL_COOKIE_ROOM + 16] = "baleen=";
    char value[BL_COOKIE_ROOM];

    (void)state;
    memset(header + 7, 'x', BL_COOKIE_ROOM - 1);
    header[7 + BL_COOKIE_ROOM - 1] = '\0';
    assert_true(bl_cookie_find(header, NULL, value));
    assert_int_equal(strlen(value), BL_COOKIE_ROOM - 1);
    header[7 + BL_COOKIE_ROOM - 1] = 'x';
    header[7 + BL_COOKIE_ROOM] = '\0';
    assert_false(bl_cookie_find(header, NULL, value));
}

static void it_is_for_this_site_and_for_no_script(void **state)
{
    static const struct {
        struct bl_cookie cookie;
        const char *text;
    } rows[] = {
        {{"127.0.0.1:7420", "bl_1_x", 90 * BL_SECOND, false},
         "baleen-7420=bl_1_x; Path=/; Max-Age=90; HttpOnly; SameSite=Strict"},
        {{"gpu.example.org", "bl_1_x", BL_DAY, true},
         "baleen=bl_1_x; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict; Secure"},
        {{"x:7;evil", "", 0, false}, "baleen=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF text = {0};

        bl_cookie_print(&text, &rows[i].cookie);
        assert_string_equal(bl_buf_text(&text), rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cookie_of_the_port_that_the_browser_sees_is_found),
        cmocka_unit_test(a_value_that_is_too_long_is_none),
        cmocka_unit_test(it_is_for_this_site_and_for_no_script),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
