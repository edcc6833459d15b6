/* Rules for people, in English and Chinese. */
#include "calendar_kit.h"

#include "calendar/rule.h"

static void rules_are_said_in_both_languages(void **state)
{
    static const struct {
        const char *text, *english, *chinese;
    } rows[] = {
        {"daily", "every day", "每天"},
        {"weekly", "every week", "每周"},
        {"weekdays", "every week on Mon-Fri", "每周，周一至周五"},
        {"monthly", "every month", "每月"},
        {"yearly", "every year", "每年"},
        {"weekly on mon,wed", "every week on Mon, Wed", "每周，周一、周三"},
        {"daily 10 times", "every day, 10 times", "每天，共 10 次"},
        {"daily until 2026-12-24", "every day until 2026-12-24", "每天，到 2026-12-24 为止"},
        {"daily until 2026-12-24 09:00", "every day until 2026-12-24 09:00",
         "每天，到 2026-12-24 09:00 为止"},
        {"FREQ=DAILY;INTERVAL=3", "every 3 days", "每 3 天"},
        {"FREQ=MONTHLY;INTERVAL=2", "every 2 months", "每 2 个月"},
        {"FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU", "every 2 weeks on Sat, Sun", "每 2 周，周六、周日"},
        {"FREQ=MONTHLY;BYMONTHDAY=1,15,-1", "every month on day 1, day 15, the last day",
         "每月，1 日、15 日、最后一天"},
        {"FREQ=MONTHLY;BYMONTHDAY=-2", "every month on the 2nd last day", "每月，倒数第 2 天"},
        {"FREQ=MONTHLY;BYDAY=2MO,-1FR", "every month on the last Fri, the 2nd Mon",
         "每月，最后一个周五、第 2 个周一"},
        {"FREQ=YEARLY;BYDAY=11MO,21TU,-23SU",
         "every year on the 23rd last Sun, the 11th Mon, the 21st Tue",
         "每年，倒数第 23 个周日、第 11 个周一、第 21 个周二"},
        {"FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "every month on day 13, if that is Fri",
         "每月，13 日（仅限周五）"},
        {"FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=MO,TU,WE,TH,FR",
         "every month on day 1, if that is Mon-Fri", "每月，1 日（仅限周一至周五）"},
        {"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
         "every month on Mon-Fri, of these days only the last",
         "每月，周一至周五（其中仅最后一个）"},
        {"FREQ=YEARLY;BYMONTH=3,6", "every year in Mar, Jun", "每年，3 月、6 月"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bl_rule rule = {0};
        BL_AUTO_BUF english = {0};
        BL_AUTO_BUF chinese = {0};

        assert_int_equal(bl_rule_read(rows[i].text, kit_berlin, &rule, NULL), BL_OK);
        bl_rule_words(&english, &rule, kit_berlin, BL_RULE_ENGLISH);
        bl_rule_words(&chinese, &rule, kit_berlin, BL_RULE_CHINESE);
        assert_string_equal(bl_buf_text(&english), rows[i].english);
        assert_string_equal(bl_buf_text(&chinese), rows[i].chinese);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_said_in_both_languages),
    };

    return cmocka_run_group_tests(tests, kit_set_up, kit_tear_down);
}
