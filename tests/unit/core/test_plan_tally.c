#include "bl_test.h"
#include "core/plan_parts.h"

#include <stdio.h>

/* Three nodes of four A100, two of four V100. */
struct bench {
    struct bl_cluster cluster;
    struct bl_arena arena;
    struct bl_plan_columns columns;
    struct bl_plan_scope scope;
    struct bl_plan_row row;
    struct bl_plan_request request;
};

static void bench_make(struct bench *b)
{
    *b = (struct bench){0};
    for (int i = 0; i < 5; i++) {
        char name[8];
        struct bl_node_spec spec = {.name = name, .gpu_type = i < 3 ? "A100" : "V100", .gpus = 4};

        snprintf(name, sizeof name, "n%d", i);
        bl_cluster_add_node(&b->cluster, &spec);
    }
    b->request = (struct bl_plan_request){.kind = {.pool = -1, .has_gpus = true}};
    b->row = bl_plan_row_make(&b->arena, 2 * BL_PLAN_LANES);
}

/* The scope of the request at an instant, with its nodes as they stand. */
static void bench_scope(struct bench *b, bl_time at)
{
    b->columns = bl_plan_columns_make(&b->cluster, &b->arena);
    bl_plan_scope_init(&b->scope, &b->columns, &b->arena);
    bl_plan_scope_ask(&b->scope, &b->request, b->request.need.amount[BL_RESOURCE_CPU] > 0);
    bl_plan_scope_set(&b->scope, at);
}

static void bench_free(struct bench *b)
{
    bl_arena_finish(&b->arena);
    bl_cluster_finish(&b->cluster);
}

struct row {
    const char *name;
    int32_t gpus, nodes_max;
    int64_t cpus;
    int32_t free_gpus[5];
    int64_t free_cpus[5];
    int64_t whole;
    bool fits;
};

static void check(struct bench *b, const struct row *row)
{
    struct bl_plan_tally tally;

    b->request.need = (struct bl_resources){{row->gpus, row->cpus, 0}};
    b->request.kind.nodes_max = row->nodes_max;
    b->request.may_spread = row->nodes_max != 1 && row->gpus > 1;
    bench_scope(b, 0);
    for (int i = 0; i < 5; i++) {
        int32_t column = b->columns.of_node[i];

        b->row.gpus[column] = row->free_gpus[i];
        b->row.side[column].cpu_milli = row->free_cpus[i];
    }
    bl_plan_tally_count(&tally, &b->scope, &b->row);
    if (tally.whole != row->whole || bl_plan_tally_fits(&tally, &b->scope, &b->row) != row->fits) {
        fail_msg("%s: %lld nodes hold it", row->name, (long long)tally.whole);
    }
}

static void a_job_fits_whole_or_over_nodes_of_one_type(void **state)
{
    static const struct row rows[] = {
        {"on two nodes", 3, 1, 0, {3, 2, 4, 0, 2}, {0}, 2, true},
        {"on none", 4, 1, 0, {3, 2, 3, 3, 3}, {0}, 0, false},
        {"a gang over three nodes", 8, 0, 0, {3, 2, 3, 3, 3}, {0}, 0, true},
        {"never over two types", 9, 0, 0, {3, 2, 3, 3, 3}, {0}, 0, false},
        {"not over so few nodes", 8, 2, 0, {3, 2, 3, 3, 3}, {0}, 0, false},
        {"over the two with most", 6, 2, 0, {3, 2, 3, 1, 1}, {0}, 0, true},
        {"CPUs too few", 2, 1, 8, {2, 2, 2, 2, 2}, {7, 7, 7, 7, 7}, 0, false},
        {"CPUs enough on one", 2, 1, 8, {2, 2, 2, 1, 2}, {7, 7, 8, 8, 7}, 1, true},
        {"CPUs for half of it each", 2, 0, 8, {2, 2, 2, 2, 2}, {4, 4, 0, 0, 0}, 0, true},
        {"less than nothing of GPUs", 6, 0, 0, {-9, 3, 3, 0, 0}, {0}, 0, true},
    };
    struct bench b;

    (void)state;
    bench_make(&b);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check(&b, &rows[i]);
    }
    bench_free(&b);
}

static void a_change_of_one_column_counts_as_counting_anew(void **state)
{
    struct bench b;
    struct bl_plan_tally tally;
    struct bl_plan_tally anew;

    (void)state;
    bench_make(&b);
    b.request.need.amount[BL_RESOURCE_GPU] = 3;
    b.request.may_spread = true;
    bench_scope(&b, 0);
    bl_plan_tally_count(&tally, &b.scope, &b.row);
    for (int32_t i = 0; i < 60; i++) {
        int32_t column = b.columns.of_node[i * 7 % 5];
        int32_t gpus = i * 11 % 7 - 1;

        bl_plan_tally_change_gpus(&tally, &b.scope, bl_plan_scope_slot(&b.scope, column),
                                  b.row.gpus[column], gpus);
        b.row.gpus[column] = gpus;
        bl_plan_tally_count(&anew, &b.scope, &b.row);
        assert_int_equal(tally.whole, anew.whole);
        assert_int_equal(tally.sum[0], anew.sum[0]);
        assert_int_equal(tally.sum[1], anew.sum[1]);
    }
    bench_free(&b);
}

static void the_scope_loses_nodes_that_are_drained_too_early(void **state)
{
    struct bench b;

    (void)state;
    bench_make(&b);
    bl_cluster_set_drain(&b.cluster, 3, 100);
    b.request.longest = 40;
    b.request.kind.type_mask = 2;
    bench_scope(&b, 60);
    assert_int_equal(b.scope.range_count, 1);
    assert_int_equal(b.scope.range[0].end - b.scope.range[0].first, 2 * BL_PLAN_LANES);
    assert_false(bl_plan_scope_set(&b.scope, 60));
    assert_true(bl_plan_scope_set(&b.scope, 61));
    assert_int_equal(b.scope.range[0].end - b.scope.range[0].first, BL_PLAN_LANES);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_fits_whole_or_over_nodes_of_one_type),
        cmocka_unit_test(a_change_of_one_column_counts_as_counting_anew),
        cmocka_unit_test(the_scope_loses_nodes_that_are_drained_too_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
