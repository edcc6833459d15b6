#include "bl_test.h"
#include "near.h"
#include "core/fragment.h"

#include <math.h>
#include <string.h>

struct bench {
    struct bl_cluster cluster;
    struct bl_fragment *fragment;
};

static void add_node(struct bench *bench, const struct bl_node_spec *spec)
{
    assert_true(bl_cluster_add_node(&bench->cluster, spec) >= 0);
    bl_fragment_note_books(bench->fragment, &bench->cluster, NULL);
}

/* Nodes of so many GPUs, 100 CPUs each. */
static struct bench bench_of(size_t count, const int32_t *gpus)
{
    static const char *const names[] = {"n1", "n2", "n3"};
    struct bench bench = {.fragment = bl_fragment_create()};

    for (size_t i = 0; i < count; i++) {
        add_node(&bench, &(struct bl_node_spec){.name = names[i],
                                                .gpu_type = "A100",
                                                .gpus = gpus[i],
                                                .cpu_milli = 100000,
                                                .gpu_mem_bytes = 80});
    }
    return bench;
}

static void bench_free(struct bench *bench)
{
    bl_fragment_destroy(bench->fragment);
    bl_cluster_finish(&bench->cluster);
}

static struct bl_job request_of(int32_t gpus)
{
    return (struct bl_job){.spec = {.gpus_min = gpus, .gpus_want = gpus, .gpus_max = gpus},
                           .pool = -1};
}

static void ask(struct bench *bench, bl_time at, int32_t gpus)
{
    struct bl_job job = request_of(gpus);

    bl_fragment_note_request(bench->fragment, at, &job);
}

static struct bl_alloc part_of(int32_t node, int32_t gpus, int64_t cpu_milli)
{
    uint64_t mask = (UINT64_C(1) << gpus) - 1;

    return (struct bl_alloc){
        .part_count = 1,
        .single = {.node = node, .gpus = gpus, .gpu_mask = mask, .cpu_milli = cpu_milli}};
}

static void take(struct bench *bench, struct bl_alloc alloc)
{
    bl_cluster_take(&bench->cluster, &alloc);
    bl_fragment_note_books(bench->fragment, &bench->cluster, &alloc);
}

static void give_back(struct bench *bench, struct bl_alloc alloc)
{
    bl_cluster_give_back(&bench->cluster, &alloc);
    bl_fragment_note_books(bench->fragment, &bench->cluster, &alloc);
}

/* One request of two GPUs, one of six: with four GPUs free half of the requests cannot use them. */
static void A16_what_typical_requests_cannot_use_is_weighed_by_time(void **state)
{
    struct bench bench = bench_of(1, (int32_t[]){8});

    (void)state;
    assert_true(isnan(bl_fragment_mean(bench.fragment)));
    ask(&bench, 0, 2);
    ask(&bench, 0, 6);
    bl_fragment_advance(bench.fragment, 0, 10 * BL_SECOND);
    assert_near(bl_fragment_ratio(bench.fragment), 0, 0);
    take(&bench, part_of(0, 4, 0));
    assert_near(bl_fragment_ratio(bench.fragment), 0.5, 1e-12);
    bl_fragment_advance(bench.fragment, 10 * BL_SECOND, 40 * BL_SECOND);
    assert_near(bl_fragment_mean(bench.fragment), 30 * 0.5 / 40, 1e-12);
    give_back(&bench, part_of(0, 4, 0));
    assert_near(bl_fragment_ratio(bench.fragment), 0, 0);
    bench_free(&bench);
}

static void nodes_are_looked_at_one_by_one(void **state)
{
    struct bench bench = bench_of(3, (int32_t[]){8, 4, 2});

    (void)state;
    ask(&bench, 0, 4);
    take(&bench, part_of(0, 5, 0)); /* three of n1 and two of n3 are no use */
    assert_near(bl_fragment_ratio(bench.fragment), 5.0 / 9, 1e-12);
    bl_cluster_set_state(&bench.cluster, 2, BL_NODE_DRAINED);
    bl_fragment_note_books(bench.fragment, &bench.cluster, NULL);
    assert_near(bl_fragment_ratio(bench.fragment), 3.0 / 7, 1e-12);
    bench_free(&bench);
}

static void a_request_without_gpus_leaves_all_of_them_unused(void **state)
{
    struct bench bench = bench_of(1, (int32_t[]){8});

    (void)state;
    ask(&bench, 0, 0);
    assert_near(bl_fragment_ratio(bench.fragment), 1, 0);
    ask(&bench, 0, 1);
    assert_near(bl_fragment_ratio(bench.fragment), 0.5, 1e-12);
    bench_free(&bench);
}

static void where_nothing_is_free_nothing_is_fragmented(void **state)
{
    struct bench bench = bench_of(1, (int32_t[]){8});

    (void)state;
    ask(&bench, 0, 8);
    take(&bench, part_of(0, 8, 0));
    assert_near(bl_fragment_ratio(bench.fragment), 0, 0);
    bench_free(&bench);
}

static void cpus_memory_type_pool_and_gpu_memory_bar_a_node(void **state)
{
    static const struct {
        const char *what;
        int64_t cpu_milli, gpu_mem_bytes;
        uint64_t type_mask;
        int32_t pool;
        double ratio;
    } rows[] = {
        {"fits", 50000, 80, 1, 0, 0},         {"CPUs", 50001, 0, 0, -1, 1},
        {"GPU memory", 0, 81, 0, -1, 1},      {"type", 0, 0, 2, -1, 1},
        {"one of two types", 0, 0, 3, -1, 0}, {"pool", 0, 0, 0, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench = bench_of(1, (int32_t[]){8});
        struct bl_job job = request_of(1);
        double ratio;

        take(&bench, part_of(0, 1, 50000));
        job.spec.cpu_milli.value = rows[i].cpu_milli;
        job.spec.gpu_mem_bytes = rows[i].gpu_mem_bytes;
        job.type_mask = rows[i].type_mask;
        job.pool = rows[i].pool;
        bl_fragment_note_request(bench.fragment, 0, &job);
        ratio = bl_fragment_ratio(bench.fragment);
        if (ratio != rows[i].ratio) {
            fail_msg("%s: %g", rows[i].what, ratio);
        }
        bench_free(&bench);
    }
}

static void
a_request_larger_than_a_node_asks_for_even_shares_unless_it_must_stay_on_one(void **state)
{
    struct bench bench = bench_of(2, (int32_t[]){8, 8});
    struct bl_job job = request_of(12); /* six on each of two */

    (void)state;
    bl_fragment_note_request(bench.fragment, 0, &job);
    take(&bench, part_of(0, 2, 0));
    assert_near(bl_fragment_ratio(bench.fragment), 0, 0);
    take(&bench, part_of(1, 3, 0));
    assert_near(bl_fragment_ratio(bench.fragment), 5.0 / 11, 1e-12);
    job.spec.nodes_max = 1;
    bl_fragment_note_request(bench.fragment, 0, &job);
    assert_near(bl_fragment_ratio(bench.fragment), (5 + 11) / 22.0, 1e-12);
    bench_free(&bench);
}

/* The mix moves on in whole hours, and what is older than seven days leaves it. */
static void requests_enter_with_the_next_hour_and_leave_after_seven_days(void **state)
{
    struct bench bench = bench_of(1, (int32_t[]){4});

    (void)state;
    take(&bench, part_of(0, 1, 0));
    ask(&bench, 0, 4);
    assert_near(bl_fragment_ratio(bench.fragment), 1, 0);
    bl_fragment_advance(bench.fragment, 0, 90 * BL_MINUTE);
    ask(&bench, 90 * BL_MINUTE, 1);
    assert_near(bl_fragment_ratio(bench.fragment), 1, 0);
    bl_fragment_advance(bench.fragment, 90 * BL_MINUTE, 2 * BL_HOUR);
    assert_near(bl_fragment_ratio(bench.fragment), 0.5, 1e-12);
    bl_fragment_advance(bench.fragment, 2 * BL_HOUR, 7 * BL_DAY + BL_HOUR);
    assert_near(bl_fragment_ratio(bench.fragment), 0, 0);
    /* Two hours of 1, 167 of 1/2. */
    assert_near(bl_fragment_mean(bench.fragment), (2 + 167 * 0.5) / 169, 1e-9);
    /* An hour later nobody has asked for anything, and time stops counting. */
    bl_fragment_advance(bench.fragment, 7 * BL_DAY + BL_HOUR, 400 * BL_DAY);
    assert_near(bl_fragment_mean(bench.fragment), (2 + 167 * 0.5) / 170, 1e-9);
    ask(&bench, 400 * BL_DAY, 4);
    bl_fragment_advance(bench.fragment, 400 * BL_DAY, 400 * BL_DAY + 2 * BL_HOUR);
    assert_near(bl_fragment_ratio(bench.fragment), 1, 0);
    bench_free(&bench);
}

static void more_kinds_of_requests_than_the_ceiling_do_no_harm(void **state)
{
    struct bench bench = bench_of(1, (int32_t[]){8});
    bl_time now = 0;

    (void)state;
    for (int hour = 0; hour < 400; hour++) {
        for (int i = 0; i < 20; i++) {
            struct bl_job job = request_of(1);

            job.spec.cpu_milli.value = hour * 20 + i; /* all of them fit */
            bl_fragment_note_request(bench.fragment, now, &job);
        }
        bl_fragment_advance(bench.fragment, now, now + BL_HOUR);
        now += BL_HOUR;
        assert_near(bl_fragment_ratio(bench.fragment), 0, 0);
    }
    for (int i = 0; i < 5000; i++) {
        ask(&bench, now, 9 + i % 2);
    }
    bl_fragment_advance(bench.fragment, now, now + 8 * BL_DAY);
    assert_near(bl_fragment_ratio(bench.fragment), 0, 0);
    bench_free(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A16_what_typical_requests_cannot_use_is_weighed_by_time),
        cmocka_unit_test(nodes_are_looked_at_one_by_one),
        cmocka_unit_test(a_request_without_gpus_leaves_all_of_them_unused),
        cmocka_unit_test(where_nothing_is_free_nothing_is_fragmented),
        cmocka_unit_test(cpus_memory_type_pool_and_gpu_memory_bar_a_node),
        cmocka_unit_test(
            a_request_larger_than_a_node_asks_for_even_shares_unless_it_must_stay_on_one),
        cmocka_unit_test(requests_enter_with_the_next_hour_and_leave_after_seven_days),
        cmocka_unit_test(more_kinds_of_requests_than_the_ceiling_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
