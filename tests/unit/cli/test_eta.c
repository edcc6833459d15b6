#include "cli/eta.h"

#include "client_text.h"

#define NOW (54000 * BL_SECOND) /* 15:00 */

static void an_instant_is_followed_by_how_late_it_may_become(void **state)
{
    static const struct {
        int64_t at_s, by_s;
        const char *start, *end;
    } rows[] = {
        {54300, 55200, "15:05 (–15:20)", "15:05 (15:20)"},
        {54300, 54330, "15:05", "15:05"}, /* not a minute */
        {54300, 54300, "15:05", "15:05"},
        {54300, 0, "15:05", "15:05"}, /* no range is known */
        {86400, 90000, "tomorrow 00:00 (–01:00)", "tomorrow 00:00 (01:00)"},
        {54300, 90000, "15:05 (–tomorrow 01:00)", "15:05 (tomorrow 01:00)"},
        {0, 90000, "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_job_view job = {.starts_at = rows[i].at_s * BL_SECOND,
                                        .starts_by = rows[i].by_s * BL_SECOND,
                                        .ends_at = rows[i].at_s * BL_SECOND,
                                        .ends_by = rows[i].by_s * BL_SECOND};
        BL_AUTO_BUF start = {0};
        BL_AUTO_BUF end = {0};

        bl_eta_print_start(&start, &job, NOW);
        bl_eta_print_end(&end, &job, NOW);
        assert_string_equal(bl_buf_text(&start), rows[i].start);
        assert_string_equal(bl_buf_text(&end), rows[i].end);
    }
}

static void P16_what_it_rests_on_is_said(void **state)
{
    static const struct {
        const char *from;
        int64_t runs;
        const char *words;
    } rows[] = {
        {"limits", 0, " (by limits alone)"},
        {"limits", 32, " (by limits alone)"},
        {"median", 1, " (a first look)"},
        {"runs", 16, " (16 runs of the forecast)"},
        {"", 0, ""},
        {NULL, 0, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_job_view job = {.eta_from = rows[i].from, .eta_runs = rows[i].runs};
        BL_AUTO_BUF out = {0};

        bl_eta_print_source(&out, &job);
        assert_string_equal(bl_buf_text(&out), rows[i].words);
    }
}

static void a_job_is_sure_to_end_by_its_limit_whatever_is_foreseen(void **state)
{
    struct bl_job_view job = {.eta_from = "limits",
                              .started_at = NOW,
                              .limit = BL_HOUR,
                              .ends_at = NOW + BL_MINUTE,
                              .ends_by = NOW + 50 * BL_MINUTE};

    (void)state;
    assert_int_equal(bl_eta_sure_end(&job), NOW + BL_HOUR);
    job.eta_from = "runs";
    assert_int_equal(bl_eta_sure_end(&job), NOW + BL_HOUR);
    job.limit = 0;
    assert_int_equal(bl_eta_sure_end(&job), NOW + 50 * BL_MINUTE);
    job.ends_by = 0;
    assert_int_equal(bl_eta_sure_end(&job), 0);
    job = (struct bl_job_view){.eta_from = ""};
    assert_int_equal(bl_eta_sure_end(&job), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instant_is_followed_by_how_late_it_may_become),
        cmocka_unit_test(P16_what_it_rests_on_is_said),
        cmocka_unit_test(a_job_is_sure_to_end_by_its_limit_whatever_is_foreseen),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
