#include "form_test.h"

#include "form/progress.h"

static void a_line_says_steps_and_what_was_observed(void **state)
{
    static const struct {
        const char *text;
        double done, total, rate; /* done -1: refused */
        const char *message;
    } rows[] = {
        {"120/1000", 120, 1000, 0, NULL},
        {"5", 5, 0, 0, NULL},
        {"0.5/2 rate=3.1k", 0.5, 2, 3100, NULL},
        {"1k/2M  iter=0.25 batch=32\taccumulation=2 rate=7", 1000, 2e6, 7, NULL},
        {"", -1, 0, 0, "expected STEP/TOTAL, or STEP alone, as in 120/1000, found ''"},
        {"x/3", -1, 0, 0, "found 'x/3'"},
        {"5/", -1, 0, 0, "found '5/'"},
        {"5/0", -1, 0, 0, "found '5/0'"},
        {"-5/7", -1, 0, 0, "found '-5/7'"},
        {"nan/7", -1, 0, 0, "found 'nan/7'"},
        {"1e400/7", -1, 0, 0, "found '1e400/7'"},
        {"5/7 speed=3", -1, 0, 0, "expected one of the keys rate, batch, accumulation"},
        {"5/7 rate", -1, 0, 0, "expected a key with a number like rate=3.1k, found 'rate'"},
        {"5/7 rate=fast", -1, 0, 0, "found 'rate=fast'"},
        {"5/7 accumulation=1e17", -1, 0, 0, "expected one of the keys"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_progress_report report = {.done = -1};
        struct bl_error err = {0};
        int status = bl_progress_parse(rows[i].text, &report, &err);

        if (report.done != rows[i].done || report.total != rows[i].total ||
            report.observation.rate != rows[i].rate || (status == BL_OK) != !rows[i].message ||
            (rows[i].message && !strstr(err.text, rows[i].message))) {
            fail_msg("'%s': %g of %g at %g, %s", rows[i].text, report.done, report.total,
                     report.observation.rate, err.text);
        }
    }
}

static void the_last_complete_line_counts(void **state)
{
    static const struct {
        const char *text;
        double done; /* -1: nothing is said */
    } rows[] = {
        {"1/9\n2/9\n", 2}, {"1/9\n2/", 1},       {"1/9\n\n\n", 1}, {"1/9", -1},
        {"", -1},          {"1/9\nwhat?\n", -1}, {"\n", -1},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_progress_report report = {.done = -1};
        bool found = bl_progress_find(rows[i].text, strlen(rows[i].text), &report);

        assert_int_equal(found, rows[i].done >= 0);
        assert_true(report.done == rows[i].done);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_says_steps_and_what_was_observed),
        cmocka_unit_test(the_last_complete_line_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
