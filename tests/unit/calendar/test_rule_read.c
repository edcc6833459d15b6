/* The grammar of RRULE: what is kept in one order, and what is refused with the part at fault. */
#include "calendar_kit.h"

#include "calendar/rule.h"

static void parts_are_kept_in_one_order(void **state)
{
    static const struct {
        const char *text, *printed;
    } rows[] = {
        {"BYSETPOS=-1,2,1;BYDAY=FR,-1MO,2TU;BYMONTHDAY=31,-1,1;BYMONTH=12,1;WKST=SU;COUNT=5;"
         "INTERVAL=3;"
         "FREQ=MONTHLY",
         "FREQ=MONTHLY;INTERVAL=3;COUNT=5;WKST=SU;BYMONTH=1,12;BYMONTHDAY=1,31,-1;BYDAY=-1MO,FR,"
         "2TU;"
         "BYSETPOS=-1,1,2"},
        {"FREQ=WEEKLY;UNTIL=20261224", "FREQ=WEEKLY;UNTIL=20261224T225959Z"},
        {"FREQ=WEEKLY;UNTIL=20261224T090000", "FREQ=WEEKLY;UNTIL=20261224T080000Z"},
        {"FREQ=WEEKLY;UNTIL=20261224T090000Z", "FREQ=WEEKLY;UNTIL=20261224T090000Z"},
        {"FREQ=YEARLY;BYDAY=+20MO", "FREQ=YEARLY;BYDAY=20MO"},
        {"FREQ=MONTHLY;BYMONTHDAY=+3", "FREQ=MONTHLY;BYMONTHDAY=3"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_rule rule = {0};
        struct bl_error err = {0};
        BL_AUTO_BUF printed = {0};

        if (bl_rule_read(rows[i].text, kit_berlin, &rule, &err)) {
            fail_msg("%s: %s", rows[i].text, err.text);
        }
        bl_rule_print(&printed, &rule);
        assert_string_equal(bl_buf_text(&printed), rows[i].printed);
    }
}

static const struct {
    const char *text, *error;
} wrong[] = {
    {"FREQ=SECONDLY", "FREQ: expected DAILY, WEEKLY, MONTHLY or YEARLY, found 'SECONDLY'"},
    {"FREQ=MINUTELY", "FREQ: expected"},
    {"FREQ=HOURLY", "FREQ: expected"},
    {"FREQ=", "FREQ: expected"},
    {"INTERVAL=2", "FREQ is missing"},
    {"FREQ=DAILY;FREQ=WEEKLY", "FREQ stands twice"},
    {"FREQ=DAILY;", "expected a part like"},
    {";FREQ=DAILY", "expected a part like"},
    {"FREQ=DAILY;HELLO=1", "found 'HELLO'"},
    {"FREQ=DAILY;BYDAY", "found 'BYDAY'"},
    {"FREQ=DAILY;INTERVAL=0", "INTERVAL: expected a number from 1 to 1000, found '0'"},
    {"FREQ=DAILY;INTERVAL=1001", "INTERVAL: expected"},
    {"FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL: expected"},
    {"FREQ=DAILY;INTERVAL=-1", "INTERVAL: expected"},
    {"FREQ=DAILY;COUNT=0", "COUNT: expected"},
    {"FREQ=DAILY;COUNT=1000000", "COUNT: expected a number from 1 to 1000, found '1000000'"},
    {"FREQ=DAILY;COUNT=2;UNTIL=20261224", "COUNT and UNTIL are two ends"},
    {"FREQ=DAILY;UNTIL=20261224;COUNT=2", "COUNT and UNTIL are two ends"},
    {"FREQ=DAILY;UNTIL=2026-12-24", "UNTIL: expected"},
    {"FREQ=DAILY;UNTIL=20261324", "UNTIL: expected"},
    {"FREQ=DAILY;UNTIL=20261224T0900", "UNTIL: expected"},
    {"FREQ=DAILY;UNTIL=20261224T090000X", "UNTIL: expected"},
    {"FREQ=DAILY;UNTIL=20260329T023000", "UNTIL: expected an end"},
    {"FREQ=DAILY;WKST=XX", "WKST: expected a weekday"},
    {"FREQ=DAILY;WKST=1MO", "WKST: expected a weekday"},
    {"FREQ=DAILY;BYMONTH=0", "BYMONTH: expected months from 1 to 12, found '0'"},
    {"FREQ=DAILY;BYMONTH=13", "BYMONTH: expected"},
    {"FREQ=DAILY;BYMONTH=1,,2", "BYMONTH: expected"},
    {"FREQ=DAILY;BYMONTH=1,", "BYMONTH: expected"},
    {"FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY: expected"},
    {"FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY: expected"},
    {"FREQ=MONTHLY;BYMONTHDAY=-32", "BYMONTHDAY: expected"},
    {"FREQ=WEEKLY;BYMONTHDAY=3", "BYMONTHDAY does not go with FREQ=WEEKLY"},
    {"FREQ=MONTHLY;BYDAY=", "BYDAY: expected"},
    {"FREQ=MONTHLY;BYDAY=M", "BYDAY: expected"},
    {"FREQ=MONTHLY;BYDAY=XY", "BYDAY: expected"},
    {"FREQ=MONTHLY;BYDAY=0MO", "BYDAY: expected"},
    {"FREQ=MONTHLY;BYDAY=54MO", "BYDAY: expected"},
    {"FREQ=MONTHLY;BYDAY=6MO", "no month has more than five"},
    {"FREQ=YEARLY;BYMONTH=3;BYDAY=6MO", "no month has more than five"},
    {"FREQ=WEEKLY;BYDAY=1MO", "needs FREQ=MONTHLY or YEARLY"},
    {"FREQ=DAILY;BYDAY=-1MO", "needs FREQ=MONTHLY or YEARLY"},
    {"FREQ=MONTHLY;BYDAY=111111111111MO", "BYDAY: expected"},
    {"FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS chooses among days"},
    {"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", "BYSETPOS: expected"},
    {"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", "BYSETPOS: expected"},
    {"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
     "BYSETPOS: expected at most 16"},
    {"FREQ=DAILY;BYHOUR=1,2,3", "BYHOUR is not supported"},
    {"FREQ=DAILY;BYMINUTE=1", "BYMINUTE is not supported"},
    {"FREQ=DAILY;BYSECOND=1", "BYSECOND is not supported"},
    {"FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO is not supported"},
    {"FREQ=YEARLY;BYYEARDAY=-1", "BYYEARDAY is not supported"},
    {"RSCALE=CHINESE;FREQ=YEARLY", "RSCALE is not supported"},
    {"RRULE:", "expected a part like"},
    {"RRULE:daily", "found 'daily'"},
    {"FREQ=DAILY\r\nRRULE:FREQ=WEEKLY", "FREQ: expected"},
};

static void wrong_parts_are_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bl_rule rule = {0};
        struct bl_error err = {0};

        if (bl_rule_read(wrong[i].text, kit_berlin, &rule, &err) != BL_EINVAL ||
            !strstr(err.text, wrong[i].error)) {
            fail_msg("%s: %s", wrong[i].text, err.text);
        }
        assert_string_equal(err.field, "every");
    }
}

static void lists_end_at_their_ceilings(void **state)
{
    struct bl_rule rule = {0};
    BL_AUTO_BUF text = {0};

    (void)state;
    bl_buf_append_text(&text, "FREQ=YEARLY;BYDAY=1MO");
    for (int nth = 2; nth <= BL_RULE_DAYS_MAX; nth++) {
        bl_buf_printf(&text, ",%dMO", nth);
    }
    assert_int_equal(bl_rule_read(bl_buf_text(&text), kit_berlin, &rule, NULL), BL_OK);
    assert_int_equal(rule.day_count, BL_RULE_DAYS_MAX);
    bl_buf_append_text(&text, ",1TU");
    assert_int_equal(bl_rule_read(bl_buf_text(&text), kit_berlin, &rule, NULL), BL_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_kept_in_one_order),
        cmocka_unit_test(wrong_parts_are_refused_by_name),
        cmocka_unit_test(lists_end_at_their_ceilings),
    };

    return cmocka_run_group_tests(tests, kit_set_up, kit_tear_down);
}
