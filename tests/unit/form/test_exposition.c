#include "base/own.h"
#include "bl_test.h"
#include "form/exposition.h"

#include <math.h>

static void samples_stand_behind_their_family(void **state)
{
    static const struct bl_label labels[] = {{"pool", "main"}, {"type", NULL}, {NULL, NULL}};
    BL_AUTO_BUF out = {0};
    struct bl_exposition to = {.out = &out};

    (void)state;
    bl_exposition_family(&to, "baleen_gpus", BL_FAMILY_GAUGE, "GPUs there are.");
    bl_exposition_int(&to, labels, 8);
    bl_exposition_family(&to, "baleen_run_seconds_total", BL_FAMILY_COUNTER, "Time.");
    bl_exposition_seconds(&to, NULL, 1500 * BL_MILLISECOND);
    assert_string_equal(bl_buf_text(&out), "# HELP baleen_gpus GPUs there are.\n"
                                           "# TYPE baleen_gpus gauge\n"
                                           "baleen_gpus{pool=\"main\",type=\"\"} 8\n"
                                           "# HELP baleen_run_seconds_total Time.\n"
                                           "# TYPE baleen_run_seconds_total counter\n"
                                           "baleen_run_seconds_total 1.5\n");
}

static void values_of_labels_cannot_leave_their_quotes(void **state)
{
    static const struct {
        const char *value, *written;
    } rows[] = {
        {"a\"b", "x{l=\"a\\\"b\"} 1\n"},
        {"a\\", "x{l=\"a\\\\\"} 1\n"},
        {"a\nb 2", "x{l=\"a\\nb 2\"} 1\n"},
        {"\xe5\xbc\xa0", "x{l=\"\xe5\xbc\xa0\"} 1\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_label labels[] = {{"l", rows[i].value}, {NULL, NULL}};
        BL_AUTO_BUF out = {0};
        struct bl_exposition to = {.out = &out, .family = "x"};

        bl_exposition_int(&to, labels, 1);
        assert_string_equal(bl_buf_text(&out), rows[i].written);
    }
}

static void numbers_have_the_words_of_the_format(void **state)
{
    static const struct {
        double value;
        const char *written;
    } rows[] = {{0, "x 0\n"},           {.25, "x 0.25\n"},
                {1e300, "x 1e+300\n"},  {(double)NAN, "x NaN\n"},
                {INFINITY, "x +Inf\n"}, {-INFINITY, "x -Inf\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};
        struct bl_exposition to = {.out = &out, .family = "x"};

        bl_exposition_double(&to, NULL, rows[i].value);
        assert_string_equal(bl_buf_text(&out), rows[i].written);
    }
}

static void buckets_of_a_histogram_add_up(void **state)
{
    static const struct bl_bounds bounds = {2, {BL_SECOND / 2, 2 * BL_SECOND}};
    struct bl_histogram histogram = {0};
    BL_AUTO_BUF out = {0};
    struct bl_exposition to = {.out = &out};

    (void)state;
    bl_histogram_note(&histogram, &bounds, BL_SECOND);
    bl_histogram_note(&histogram, &bounds, BL_SECOND / 4);
    bl_histogram_note(&histogram, &bounds, 5 * BL_SECOND);
    bl_exposition_family(&to, "w_seconds", BL_FAMILY_HISTOGRAM, "Waits.");
    bl_exposition_histogram(&to, &bounds, &histogram);
    assert_string_equal(bl_buf_text(&out), "# HELP w_seconds Waits.\n"
                                           "# TYPE w_seconds histogram\n"
                                           "w_seconds_bucket{le=\"0.5\"} 1\n"
                                           "w_seconds_bucket{le=\"2\"} 2\n"
                                           "w_seconds_bucket{le=\"+Inf\"} 3\n"
                                           "w_seconds_sum 6.25\n"
                                           "w_seconds_count 3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_stand_behind_their_family),
        cmocka_unit_test(values_of_labels_cannot_leave_their_quotes),
        cmocka_unit_test(numbers_have_the_words_of_the_format),
        cmocka_unit_test(buckets_of_a_histogram_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
