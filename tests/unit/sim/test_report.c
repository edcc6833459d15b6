#include "bl_test.h"
#include "form/tree.h"
#include "sim/report.h"

#include <math.h>
#include <string.h>

static struct bl_sim_row row_of(const char *policy)
{
    struct bl_sim_row row = {.policy = policy, .result = {.events = 9, .wall = 1500}};

    row.result.figures = (struct bl_figures){.jobs = 12345,
                                             .done = 12344,
                                             .avg_jct_s = 1234567.5,
                                             .avg_bounded_slowdown = 92.576,
                                             .gpu_utilization = 0.6856,
                                             .fragmentation = NAN,
                                             .cost_micros = 12500000,
                                             .worst_ftf_rho = NAN};
    return row;
}

/* The contract: these keys, in this order. */
static void D4_the_object_has_the_keys_of_the_contract_in_their_order(void **state)
{
    static const char *const keys[] = {"policy",
                                       "jobs",
                                       "done",
                                       "avg_jct_s",
                                       "p50_jct_s",
                                       "p99_jct_s",
                                       "makespan_s",
                                       "avg_wait_s",
                                       "p99_wait_s",
                                       "max_wait_s",
                                       "avg_bounded_slowdown",
                                       "throughput_jobs_h",
                                       "gpu_utilization",
                                       "fragmentation",
                                       "unallocated_ratio",
                                       "gpu_hours",
                                       "reservation_idle_gpu_h",
                                       "cost",
                                       "restarts",
                                       "preemptions",
                                       "fairness_drf_min_max",
                                       "fairness_jain",
                                       "worst_ftf_rho",
                                       "deadline_met_ratio",
                                       "rounds",
                                       "round_p50_s",
                                       "round_p99_s",
                                       "max_gap",
                                       "events",
                                       "wall_s",
                                       "cpu_s"};
    struct bl_sim_row row = row_of("easy:order=shortest");
    struct bl_arena arena = {0};
    BL_AUTO_BUF out = {0};
    struct bl_tree *tree = NULL;

    (void)state;
    bl_sim_print_json(&out, &row, 1);
    assert_int_equal(
        bl_json_read(&(struct bl_tree_source){"out", out.text, out.length}, &arena, &tree, NULL),
        BL_OK);
    assert_int_equal(tree->child_count, sizeof keys / sizeof keys[0]);
    for (size_t i = 0; i < tree->child_count; i++) {
        assert_string_equal(tree->child[i].key, keys[i]);
    }
    assert_string_equal(bl_tree_find(tree, "policy")->text, "easy:order=shortest");
    assert_string_equal(bl_tree_find(tree, "cost")->text, "12.5");
    assert_string_equal(bl_tree_find(tree, "wall_s")->text, "0.0015");
    assert_int_equal(bl_tree_find(tree, "fragmentation")->kind, BL_TREE_NULL);
    assert_int_equal(bl_tree_find(tree, "max_gap")->kind, BL_TREE_NULL);
    bl_arena_finish(&arena);
}

static void D4_what_was_foreseen_has_the_keys_of_the_contract(void **state)
{
    static const char *const keys[] = {
        "eta_jobs",     "eta_median_error_s",     "eta_mae_s",     "eta_bias_s",
        "eta_coverage", "eta_coverage_of_tenths", "eta_pinball_s", "pred_accuracy",
        "pred_mae_s",   "pred_coverage"};
    struct bl_sim_row row = row_of("easy");
    BL_AUTO_BUF out = {0};
    const char *at;

    (void)state;
    row.result.has_eta = true;
    bl_sim_print_json(&out, &row, 1);
    at = bl_buf_text(&out);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        at = strstr(at, keys[i]);
        assert_non_null(at);
    }
}

static void several_policies_are_an_array_in_their_order(void **state)
{
    struct bl_sim_row rows[] = {row_of("fifo"), row_of("easy")};
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_sim_print_json(&out, rows, 2);
    assert_int_equal(strncmp(bl_buf_text(&out), "[{\"policy\":\"fifo\"", 17), 0);
    assert_non_null(strstr(bl_buf_text(&out), "},{\"policy\":\"easy\""));
    assert_string_equal(bl_buf_text(&out) + out.length - 3, "}]\n");
}

static void the_table_lines_up_and_groups_digits(void **state)
{
    struct bl_sim_row rows[] = {row_of("fifo"), row_of("easy:order=shortest")};
    BL_AUTO_BUF out = {0};
    const char *second;
    const char *third;

    (void)state;
    bl_sim_print_table(&out, rows, 2);
    second = strchr(bl_buf_text(&out), '\n') + 1;
    third = strchr(second, '\n') + 1;
    assert_int_equal(strncmp(bl_buf_text(&out), "policy               ", 21), 0);
    assert_int_equal(strncmp(second, "fifo                 12,345  12,344   1,234,568", 46), 0);
    assert_int_equal(third - second, second - bl_buf_text(&out));
    assert_int_equal(strlen(third), third - second);
    assert_non_null(strstr(third, "  92.58  "));
    assert_non_null(strstr(third, "  68.6  "));
}

static void a_bound_is_told_where_it_was_asked_for(void **state)
{
    static const struct {
        double bound_s;
        const char *json, *cell;
    } rows[] = {{1234.875, ",\"bound_avg_jct_s\":1234.875}", "  1,234\n"},
                {NAN, ",\"bound_avg_jct_s\":null}", "  -\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_sim_row row = row_of("fifo");
        BL_AUTO_BUF json = {0};
        BL_AUTO_BUF table = {0};

        row.result.has_bound = true;
        row.result.bound_s = rows[i].bound_s;
        bl_sim_print_json(&json, &row, 1);
        bl_sim_print_table(&table, &row, 1);
        assert_non_null(strstr(bl_buf_text(&json), rows[i].json));
        assert_non_null(strstr(bl_buf_text(&table), "  bound JCT s\n"));
        assert_string_equal(bl_buf_text(&table) + table.length - strlen(rows[i].cell),
                            rows[i].cell);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D4_the_object_has_the_keys_of_the_contract_in_their_order),
        cmocka_unit_test(D4_what_was_foreseen_has_the_keys_of_the_contract),
        cmocka_unit_test(several_policies_are_an_array_in_their_order),
        cmocka_unit_test(the_table_lines_up_and_groups_digits),
        cmocka_unit_test(a_bound_is_told_where_it_was_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
