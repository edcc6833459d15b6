#include "cli/ids.h"

#include "base/buf.h"
#include "bl_test.h"

static void ids_ranges_and_the_last_job_are_read(void **state)
{
    static const char *const rows[][2] = {
        {"7", "7"},
        {"3-9", "3 4 5 6 7 8 9"},
        {"5-5", "5"},
        {"3,5", "3 5"},
        {"1-3,2,9", "1 2 3 9"},
        {"@", "0"},
        {"007", "7"},
        {"7_2", "7_2"},
        {"7_0", "7_0"},
        {"7_2-4,7,7_3", "7_2 7_3 7_4 7"},
        {"9223372036854775807", "9223372036854775807"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_ids ids = {0};
        struct bl_error err = {0};
        BL_AUTO_BUF out = {0};

        if (bl_ids_parse(rows[i][0], &ids, &err)) {
            fail_msg("'%s': %s", rows[i][0], err.text);
        }
        for (size_t j = 0; j < ids.count; j++) {
            bl_buf_append_text(&out, j ? " " : "");
            bl_ref_print(&out, ids.at[j]);
        }
        assert_string_equal(bl_buf_text(&out), rows[i][1]);
        bl_ids_finish(&ids);
    }
}

static void what_is_no_id_is_refused_with_a_sentence(void **state)
{
    static const char *const rows[] = {"",      "x",   "0",   "-3",      "3-",
                                       "9-3",   "1-",  "-",   "1,,2",    ",1",
                                       "1,",    "1.5", "@@",  "1-20000", "99999999999999999999",
                                       "1-2-3", "0-4", "7_",  "_3",      "7_-1",
                                       "7_4-2", "7_x", "@_2", "7__2"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_ids ids = {0};
        struct bl_error err = {0};

        if (bl_ids_parse(rows[i], &ids, &err) != BL_EINVAL || !err.text[0]) {
            fail_msg("'%s' was taken", rows[i]);
        }
        bl_ids_finish(&ids);
    }
}

static void one_command_names_ten_thousand_jobs_at_most(void **state)
{
    struct bl_ids ids = {0};

    (void)state;
    assert_int_equal(bl_ids_parse("1-10000", &ids, NULL), BL_OK);
    assert_int_equal(ids.count, BL_IDS_MAX);
    assert_int_equal(bl_ids_parse("10001", &ids, NULL), BL_EINVAL);
    bl_ids_finish(&ids);
}

static void a_command_about_one_job_takes_one_id(void **state)
{
    struct bl_job_ref ref = {5, -1};

    (void)state;
    assert_int_equal(bl_ids_parse_one("12", &ref, NULL), BL_OK);
    assert_int_equal(ref.id, 12);
    assert_int_equal(bl_ids_parse_one("1-2", &ref, NULL), BL_EINVAL);
    assert_int_equal(ref.id, 12);
    assert_int_equal(bl_ids_parse_one("7_3", &ref, NULL), BL_OK);
    assert_int_equal(ref.index, 3);
    assert_int_equal(bl_ids_parse_one("@", &ref, NULL), BL_OK);
    assert_int_equal(ref.id, BL_IDS_LAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_ranges_and_the_last_job_are_read),
        cmocka_unit_test(what_is_no_id_is_refused_with_a_sentence),
        cmocka_unit_test(one_command_names_ten_thousand_jobs_at_most),
        cmocka_unit_test(a_command_about_one_job_takes_one_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
