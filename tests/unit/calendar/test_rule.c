/* Rules in words and as RRULE, and their ends. */
#include "calendar_kit.h"

#include "calendar/rule.h"

static void words_and_rrules_are_one_form(void **state)
{
    static const struct {
        const char *text, *printed;
    } rows[] = {
        {"daily", "FREQ=DAILY"},
        {"Weekly", "FREQ=WEEKLY"},
        {"weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
        {"monthly", "FREQ=MONTHLY"},
        {"yearly", "FREQ=YEARLY"},
        {"weekly on fri,Monday", "FREQ=WEEKLY;BYDAY=MO,FR"},
        {"weekly on sun until 2026-12-24", "FREQ=WEEKLY;UNTIL=20261224T225959Z;BYDAY=SU"},
        {"daily until 2026-07-24", "FREQ=DAILY;UNTIL=20260724T215959Z"},
        {"daily until 2026-12-24 09:00", "FREQ=DAILY;UNTIL=20261224T080000Z"},
        {"daily until 2026-12-24T09:00:00Z", "FREQ=DAILY;UNTIL=20261224T090000Z"},
        {"weekdays 10 times", "FREQ=WEEKLY;COUNT=10;BYDAY=MO,TU,WE,TH,FR"},
        {"FREQ=WEEKLY", "FREQ=WEEKLY"},
        {"RRULE:FREQ=WEEKLY", "FREQ=WEEKLY"},
        {"freq=weekly;byday=we,mo,we", "FREQ=WEEKLY;BYDAY=MO,WE"},
        {"INTERVAL=1;FREQ=DAILY;WKST=MO", "FREQ=DAILY"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_rule rule = {0};
        struct bl_rule again = {0};
        struct bl_error err = {0};
        BL_AUTO_BUF printed = {0};
        BL_AUTO_BUF twice = {0};

        if (bl_rule_read(rows[i].text, kit_berlin, &rule, &err)) {
            fail_msg("%s: %s", rows[i].text, err.text);
        }
        bl_rule_print(&printed, &rule);
        assert_string_equal(bl_buf_text(&printed), rows[i].printed);
        assert_int_equal(bl_rule_read(bl_buf_text(&printed), kit_berlin, &again, NULL), BL_OK);
        bl_rule_print(&twice, &again);
        assert_string_equal(bl_buf_text(&twice), rows[i].printed);
    }
}

static void other_words_are_refused(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "expected daily, weekdays"},
        {"   ", "expected daily, weekdays"},
        {"hourly", "found 'hourly'"},
        {"weekly on", "found 'weekly on'"},
        {"weekly on mo", "found 'weekly on mo'"},
        {"daily on mon", "expected 'until 2026-12-24'"},
        {"daily until", "expected 'until 2026-12-24'"},
        {"daily until tomorrow", "expected an instant"},
        {"daily until 16:00", "expected a date"},
        {"daily until 2h", "expected a date"},
        {"daily until 2026-02-30", "expected an instant"},
        {"daily until 2026-03-29 02:30", "never show"},
        {"daily 0 times", "N from 1 to 1000"},
        {"daily 1001 times", "N from 1 to 1000"},
        {"daily 99999999999999999999 times", "N from 1 to 1000"},
        {"daily -1 times", "N from 1 to 1000"},
        {"daily 10", "found '10'"},
        {"daily 10 times more", "N from 1 to 1000"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_rule rule = {.count = 77};
        struct bl_error err = {0};

        assert_int_equal(bl_rule_read(rows[i].text, kit_berlin, &rule, &err), BL_EINVAL);
        if (!strstr(err.text, rows[i].error)) {
            fail_msg("%s: %s", rows[i].text, err.text);
        }
        assert_string_equal(err.field, "every");
        assert_int_equal(rule.count, 77);
    }
}

static void an_overlong_rule_is_refused(void **state)
{
    char text[BL_RULE_TEXT_MAX + 2];
    struct bl_rule rule = {0};
    struct bl_error err = {0};

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(bl_rule_read(text, kit_berlin, &rule, &err), BL_EINVAL);
    assert_string_equal(err.text, "a rule of 513 bytes: expected at most 512");
}

static void a_rule_takes_one_end(void **state)
{
    struct bl_rule rule = {0};
    struct bl_error err = {0};
    BL_AUTO_BUF printed = {0};

    (void)state;
    assert_int_equal(bl_rule_read("weekly", kit_berlin, &rule, NULL), BL_OK);
    assert_int_equal(bl_rule_set_until(&rule, "soon", kit_berlin, &err), BL_EINVAL);
    assert_int_equal(bl_rule_set_until(&rule, "2027-03-28", kit_berlin, &err), BL_OK);
    bl_rule_print(&printed, &rule);
    assert_string_equal(bl_buf_text(&printed), "FREQ=WEEKLY;UNTIL=20270328T215959Z");
    assert_int_equal(bl_rule_set_until(&rule, "2027-03-28", kit_berlin, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "has an end already"));
    assert_int_equal(bl_rule_read("weekly 3 times", kit_berlin, &rule, NULL), BL_OK);
    assert_int_equal(bl_rule_set_until(&rule, "2027-03-28", kit_berlin, &err), BL_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_rrules_are_one_form),
        cmocka_unit_test(other_words_are_refused),
        cmocka_unit_test(an_overlong_rule_is_refused),
        cmocka_unit_test(a_rule_takes_one_end),
    };

    return cmocka_run_group_tests(tests, kit_set_up, kit_tear_down);
}
