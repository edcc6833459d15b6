#include "cli/report.h"

#include "client_text.h"

#define FIGURES                                                                                    \
    "\"jobs\": 3, \"gpu_hours\": 12.25, \"share_ratio\": 0.5, \"wait_mean_s\": 90, "               \
    "\"wait_p50_s\": 60, \"wait_p90_s\": 4200, \"bounded_slowdown\": 1.5, \"failed\": 1, "         \
    "\"timeout\": 1, \"lost\": 0, \"preemptions\": 2"
#define NOTHING                                                                                    \
    "\"jobs\": 1, \"gpu_hours\": 0, \"share_ratio\": null, \"wait_mean_s\": null, "                \
    "\"wait_p50_s\": null, \"wait_p90_s\": null, \"bounded_slowdown\": null, \"failed\": 0, "      \
    "\"timeout\": 0, \"lost\": 0, \"preemptions\": 0"

static void check(const char *json, const char *expected)
{
    expect_table(bl_report_print, json, expected);
}

static void C6_rows_end_with_one_for_all_together(void **state)
{
    (void)state;
    check(
        "{\"by\": [\"user\"], \"complete\": true, \"whole_since\": null, \"rows\": ["
        "{\"user\": \"ann\", " FIGURES "}, {\"user\": null, " NOTHING "}], \"total\": {" FIGURES
        "}}",
        "USER  JOBS  GPU-HOURS  SHARE   WAIT  P50    P90  SLOWDOWN  FAILED  PREEMPTED\n"
        "ann      3       12.2   50 %  1m30s   1m  1h10m      1.50       2          2\n"
        "\xe2\x80\x93        1        0.0      \xe2\x80\x93      \xe2\x80\x93    \xe2\x80\x93      "
        "\xe2\x80\x93         \xe2\x80\x93       0          0\n"
        "all      3       12.2   50 %  1m30s   1m  1h10m      1.50       2          2\n");
}

static void columns_that_nobody_needs_are_left_out_and_others_are_there(void **state)
{
    (void)state;
    check("{\"by\": [\"project\", \"node_type\"], \"complete\": true, \"rows\": ["
          "{\"project\": \"nlp\", \"node_type\": \"A100\", " NOTHING
          ", \"cost\": 1.5, \"reserved_gpu_hours\": 4, \"reserved_idle_gpu_hours\": 1}], "
          "\"total\": {" NOTHING
          ", \"cost\": 1.5, \"reserved_gpu_hours\": 4, \"reserved_idle_gpu_hours\": 1}}",
          "PROJECT  NODE TYPE  JOBS  GPU-HOURS  SHARE  COST  WAIT  P50  P90  SLOWDOWN  FAILED  "
          "PREEMPTED  RESERVED  UNUSED\n"
          "nlp      A100          1        0.0      \xe2\x80\x93  1.50     \xe2\x80\x93    "
          "\xe2\x80\x93 "
          "   \xe2\x80\x93         \xe2\x80\x93       0          0       4.0     1.0\n"
          "all                    1        0.0      \xe2\x80\x93  1.50     \xe2\x80\x93    "
          "\xe2\x80\x93 "
          "   \xe2\x80\x93         \xe2\x80\x93       0          0       4.0     1.0\n");
}

static void P16_scores_are_told_with_time_that_was_foreseen_for_first_starts(void **state)
{
    static const char json[] =
        "{\"untold\": 1, \"rows\": ["
        "{\"policy\": \"easy\", \"basis\": \"runs\", \"told\": \"range\", \"of\": \"start\", "
        "\"horizon_from_s\": 0, \"horizon_to_s\": null, \"count\": 8, \"coverage_ratio\": 0.75, "
        "\"error_median_s\": 90, \"bias_s\": -2.25, \"pinball_s\": 12}, "
        "{\"policy\": \"easy\", \"basis\": \"runs\", \"told\": \"range\", \"of\": \"start\", "
        "\"horizon_from_s\": 64, \"horizon_to_s\": 128, \"count\": 8, \"coverage_ratio\": 0.75, "
        "\"error_median_s\": 90, \"bias_s\": 200, \"pinball_s\": 12}, "
        "{\"policy\": \"easy\", \"basis\": \"runs\", \"told\": \"last\", \"of\": \"start\", "
        "\"horizon_from_s\": 64, \"horizon_to_s\": 128, \"count\": 8, \"coverage_ratio\": 0.75, "
        "\"error_median_s\": 90, \"bias_s\": 200, \"pinball_s\": 12}]}";
    const struct bl_tree_source source = {"sample", json, strlen(json)};
    const struct bl_table_look look = {0};
    struct bl_arena arena = {0};
    struct bl_tree *tree = NULL;
    BL_AUTO_BUF out = {0};

    (void)state;
    assert_int_equal(bl_json_read(&source, &arena, &tree, NULL), BL_OK);
    bl_report_print_eta(&out, tree, &look);
    assert_string_equal(
        bl_buf_text(&out),
        "POLICY  BASIS  TOLD   OF     FORESEEN  SCORED  IN P10-P90  ERROR P50   BIAS  PINBALL\n"
        "easy    runs   range  start  all            8      75.0 %      1m30s  -2.2s      12s\n"
        "easy    runs   range  start  1m4s+          8      75.0 %      1m30s  3m20s      12s\n"
        "1 job waited and started before anything was told of it\n");
    bl_arena_finish(&arena);
}

static void csv_quotes_what_needs_it_and_steers_no_terminal(void **state)
{
    static const struct {
        const char *json, *csv;
    } rows[] = {
        {"{\"rows\": []}", ""},
        {"{\"rows\": [{\"user\": \"ann\", \"jobs\": 3, \"cost\": null}]}",
         "user,jobs,cost\r\nann,3,\r\n"},
        {"{\"rows\": [{\"user\": \"a,b\"}, {\"user\": \"say \\\"x\\\"\"}]}",
         "user\r\n\"a,b\"\r\n\"say \"\"x\"\"\"\r\n"},
        {"{\"rows\": [{\"user\": \"a\\u001b[2J\"}]}", "user\r\na\\x1b[2J\r\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_tree_source source = {"sample", rows[i].json, strlen(rows[i].json)};
        struct bl_arena arena = {0};
        struct bl_tree *tree = NULL;
        BL_AUTO_BUF out = {0};

        assert_int_equal(bl_json_read(&source, &arena, &tree, NULL), BL_OK);
        bl_report_print_csv(&out, bl_tree_find(tree, "rows"));
        assert_string_equal(bl_buf_text(&out), rows[i].csv);
        bl_arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C6_rows_end_with_one_for_all_together),
        cmocka_unit_test(columns_that_nobody_needs_are_left_out_and_others_are_there),
        cmocka_unit_test(P16_scores_are_told_with_time_that_was_foreseen_for_first_starts),
        cmocka_unit_test(csv_quotes_what_needs_it_and_steers_no_terminal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
