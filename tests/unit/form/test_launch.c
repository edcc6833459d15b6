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
        {"%A_%a", "/w", "/w/7_0"},
        {"%4j.%03r.%2x", "/w", "/w/0007.002.tiny"},
        {"%10j", "/w", "/w/0000000007"},
        {"%11j%4", "/w", "/w/%11j%4"},
    };
    static const struct bl_log_names names = {
        .name = "tiny", .user = "ann", .node = "n1", .id = 7, .attempt = 2};

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

static void A7_an_element_has_its_array_and_its_index_in_the_log_path(void **state)
{
    static const struct bl_log_names names = {
        .name = "tiny", .id = 12, .array_id = 7, .array_index = 4, .attempt = 1};
    char pattern[] = "slurm-%A_%3a.%j";
    struct bl_launch launch = {.log_pattern = pattern};
    BL_AUTO_BUF path = {0};

    (void)state;
    bl_launch_log_path(&path, &launch, &names);
    assert_string_equal(bl_buf_text(&path), "slurm-7_004.12");
}

static void standard_error_has_a_path_of_its_own_only_when_asked_for(void **state)
{
    static const struct bl_log_names names = {.name = "tiny", .id = 7};
    char workdir[] = "/w";
    char pattern[] = "%j.err";
    struct bl_launch launch = {.workdir = workdir};
    BL_AUTO_BUF path = {0};

    (void)state;
    assert_false(bl_launch_error_path(&path, &launch, &names));
    assert_int_equal(path.length, 0);
    launch.error_pattern = pattern;
    assert_true(bl_launch_error_path(&path, &launch, &names));
    assert_string_equal(bl_buf_text(&path), "/w/7.err");
}

static void patterns_with_unknown_letters_are_not_good(void **state)
{
    static const char *const good[] = {"", "x", "%x-%j.%r.log", "%A_%a", "%u%N%%", "%04a", "%10j"};
    static const char *const bad[] = {"%",    "%q",   "a%",  "%4",
                                      "%11j", "%-4j", "%%%", "%99999999999j"};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(good); i++) {
        if (!bl_launch_pattern_is_good(good[i])) {
            fail_msg("'%s' should be good", good[i]);
        }
    }
    for (size_t i = 0; i < FORM_ROWS(bad); i++) {
        if (bl_launch_pattern_is_good(bad[i])) {
            fail_msg("'%s' should not be good", bad[i]);
        }
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
    char script[] = "#!/bin/sh";
    char note[] = "layers=32";
    char *notes[] = {note, NULL};
    struct bl_launch launch = {.argv = command,
                               .argc = 2,
                               .script = script,
                               .workdir = workdir,
                               .slurm_env = true,
                               .params = {notes, 1},
                               .uid = 7,
                               .gid = 8,
                               .grace = 9};
    struct bl_launch copy;

    (void)state;
    bl_launch_copy(&copy, &launch);
    workdir[1] = 'x';
    word[0] = 'x';
    script[0] = 'x';
    note[0] = 'x';
    assert_string_equal(copy.workdir, "/w");
    assert_string_equal(copy.argv[1], "hello");
    assert_null(copy.argv[2]);
    assert_null(copy.log_pattern);
    assert_null(copy.error_pattern);
    assert_string_equal(copy.script, "#!/bin/sh");
    assert_string_equal(copy.params.at[0], "layers=32");
    assert_null(copy.params.at[1]);
    assert_null(copy.labels.at);
    assert_true(copy.slurm_env);
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
        cmocka_unit_test(A7_an_element_has_its_array_and_its_index_in_the_log_path),
        cmocka_unit_test(standard_error_has_a_path_of_its_own_only_when_asked_for),
        cmocka_unit_test(patterns_with_unknown_letters_are_not_good),
        cmocka_unit_test(a_name_cannot_leave_the_directory_of_the_log),
        cmocka_unit_test(a_copy_owns_its_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
