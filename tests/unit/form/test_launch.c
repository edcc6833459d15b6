#include "form_test.h"

#include "base/own.h"
#include "form/launch.h"

static void the_log_pattern_is_expanded_below_the_working_directory(void **state)
{
    static const struct {
        const char *pattern;
        const char *workdir;
        const char *path;
    } rows[] = {
        {NULL, "/w", "/w/tiny-7.2.log"},
        {"%x-%j.%r.log", "/w/", "/w/tiny-7.2.log"},
        {"logs/%u/%N.log", "/w", "/w/logs/ann/n1.log"},
        {"/var/%j", "/w", "/var/7"},
        {"100%%-%j", "/", "/100%-7"},
        {"%q-%", "/w", "/w/%q-%"},
        {"%j", NULL, "7"},
    };
    static const struct bl_log_names names = {"tiny", "ann", "n1", 7, 2};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_launch launch = {.log_pattern = bl_copy_text(rows[i].pattern),
                                   .workdir = bl_copy_text(rows[i].workdir)};
        BL_AUTO_BUF path = {0};

        bl_launch_log_path(&path, &launch, &names);
        assert_string_equal(bl_buf_text(&path), rows[i].path);
        bl_launch_finish(&launch);
    }
}

static void a_name_cannot_leave_the_directory_of_the_log(void **state)
{
    static const struct {
        const char *name;
        const char *path;
    } rows[] = {
        {"../../etc/x", "/w/.._.._etc_x/7"},
        {"..", "/w/__/7"},
        {".", "/w/_/7"},
        {"a.b", "/w/a.b/7"},
        {NULL, "/w/job/7"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_launch launch = {.log_pattern = bl_copy_text("%x/%j"),
                                   .workdir = bl_copy_text("/w")};
        struct bl_log_names names = {.name = rows[i].name, .id = 7};
        BL_AUTO_BUF path = {0};

        bl_launch_log_path(&path, &launch, &names);
        assert_string_equal(bl_buf_text(&path), rows[i].path);
        bl_launch_finish(&launch);
    }
}

static void a_copy_owns_its_memory(void **state)
{
    char workdir[] = "/w";
    char program[] = "echo";
    char word[] = "hello";
    char *command[] = {program, word, NULL};
    struct bl_launch launch = {
        .argv = command, .argc = 2, .workdir = workdir, .uid = 7, .gid = 8, .grace = 9};
    struct bl_launch copy;

    (void)state;
    bl_launch_copy(&copy, &launch);
    workdir[1] = 'x';
    word[0] = 'x';
    assert_string_equal(copy.workdir, "/w");
    assert_string_equal(copy.argv[1], "hello");
    assert_null(copy.argv[2]);
    assert_null(copy.log_pattern);
    assert_int_equal(copy.uid, 7);
    assert_int_equal(copy.grace, 9);
    bl_launch_finish(&copy);
    assert_null(copy.argv);
    bl_launch_finish(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_pattern_is_expanded_below_the_working_directory),
        cmocka_unit_test(a_name_cannot_leave_the_directory_of_the_log),
        cmocka_unit_test(a_copy_owns_its_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
