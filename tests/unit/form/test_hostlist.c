#include "form_test.h"

#include "form/hostlist.h"

static void lists_are_spread_in_the_order_written(void **state)
{
    static const struct {
        const char *text;
        const char *names;
    } rows[] = {
        {"n1", "n1 "},
        {"n[1-4]", "n1 n2 n3 n4 "},
        {"n[01-03,20]", "n01 n02 n03 n20 "},
        {"n[08-11]", "n08 n09 n10 n11 "},
        {"r[1-2]n[1-2].x", "r1n1.x r1n2.x r2n1.x r2n2.x "},
        {"[3]", "3 "},
        {"n[0-1]", "n0 n1 "},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_hostlist hosts = {0};
        BL_AUTO_BUF names = {0};

        assert_int_equal(bl_hostlist_expand(rows[i].text, 100, &arena, &hosts, NULL), BL_OK);
        for (size_t j = 0; j < hosts.count; j++) {
            bl_buf_printf(&names, "%s ", hosts.name[j]);
        }
        assert_string_equal(bl_buf_text(&names), rows[i].names);
        bl_arena_finish(&arena);
    }
}

static void what_is_no_list_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "expected a name like n1, n[1-4]"},
        {"a b", "expected a name like"},
        {"n[1-4", "expected a name like"},
        {"n[]", "expected a name like"},
        {"n[4-1]", "expected a name like"},
        {"n[1-]", "expected a name like"},
        {"n[1,]", "expected a name like"},
        {"n[a]", "expected a name like"},
        {"n[1;2]", "expected a name like"},
        {"n]1[", "expected a name like"},
        {"n[1234567890]", "expected a name like"},
        {"n[[1-2]]", "expected a name like"},
        {"[1][1][1][1][1]", "expected a name like"},
        {"n[1-101]", "expected at most 100 names"},
        {"n[1-999999999]", "expected at most 100 names"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_hostlist hosts = {0};
        struct bl_error err = {0};

        assert_int_not_equal(bl_hostlist_expand(rows[i].text, 100, &arena, &hosts, &err), BL_OK);
        form_expect_message(&err, rows[i].message, rows[i].text);
        assert_null(hosts.name);
        bl_arena_finish(&arena);
    }
}

static void names_over_the_ceiling_are_refused(void **state)
{
    char text[BL_HOSTLIST_NAME_MAX + 2];
    struct bl_arena arena = {0};
    struct bl_hostlist hosts = {0};

    (void)state;
    memset(text, 'n', sizeof text);
    text[BL_HOSTLIST_NAME_MAX + 1] = '\0';
    assert_int_equal(bl_hostlist_expand(text, 100, &arena, &hosts, NULL), BL_ETOOBIG);
    text[BL_HOSTLIST_NAME_MAX] = '\0';
    assert_int_equal(bl_hostlist_expand(text, 100, &arena, &hosts, NULL), BL_OK);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_spread_in_the_order_written),
        cmocka_unit_test(what_is_no_list_is_refused),
        cmocka_unit_test(names_over_the_ceiling_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
