#include "base/buf.h"
#include "bl_test.h"
#include "core/bound_options.h"
#include "near.h"

static const struct bl_node_spec nodes[] = {
    {.name = "a", .gpu_type = "A100", .gpus = 8, .gpu_mem_bytes = 80},
    {.name = "b", .gpu_type = "A100", .gpus = 8, .gpu_mem_bytes = 40},
    {.name = "c", .gpu_type = "V100", .gpus = 4, .gpu_mem_bytes = 16},
    {.name = "d", .gpu_type = "V100", .gpus = 4, .gpu_mem_bytes = 16, .pool = "other"},
    {.name = "e", .cpu_milli = 1000},
};

static const struct bl_curve_point bent[] = {{2, 1}, {4, 1.8}, {6, 1.9}, {8, 2.6}, {12, 2.5}};

static struct bl_cluster make_cluster(void)
{
    struct bl_cluster cluster = {0};

    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        assert_int_equal(bl_cluster_add_node(&cluster, &nodes[i]), (int32_t)i);
    }
    return cluster;
}

/* "TYPE:GPUSxSPEED …" */
static void expect_options(const struct bl_job_spec *spec, const char *expected)
{
    struct bl_cluster cluster = make_cluster();
    struct bl_job job = {.spec = *spec};
    struct bl_bound_machine machine;
    struct bl_bound_option option[256];
    BL_AUTO_BUF text = {0};
    size_t count;

    bl_job_resolve(&job, &cluster);
    bl_bound_machine_init(&machine, &cluster);
    assert_true(bl_bound_options_max(&machine) <= 256);
    count = bl_bound_options(&machine, &job, option);
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(&text, "%s%zu:%gx%g", i ? " " : "", option[i].type, option[i].gpus,
                      option[i].speed);
    }
    assert_string_equal(bl_buf_text(&text), expected);
    bl_bound_machine_finish(&machine);
    bl_cluster_finish(&cluster);
}

static void options_are_the_corners_of_what_a_job_could_hold(void **state)
{
    static const struct {
        struct bl_job_spec spec;
        const char *expected;
    } rows[] = {
        {{.gpus_min = 2, .gpus_max = 2}, "0:2x1 1:2x1 2:2x1"},
        {{.gpus_min = 2, .gpus_max = 2, .pool = "other"}, "2:2x1"},
        {{.gpus_min = 2, .gpus_max = 2, .gpu_type = {"V100"}, .gpu_type_count = 1}, "1:2x1 2:2x1"},
        {{.gpus_min = 2, .gpus_max = 2, .gpu_mem_bytes = 60}, "0:2x1"},
        {{.gpus_min = 5, .gpus_max = 5}, "0:5x1"},
        {{.gpus_min = 9, .gpus_max = 9, .nodes_max = 1}, ""},
        {{.gpus_min = 17, .gpus_max = 17}, ""},
        {{.gpus_min = 0, .gpus_max = 0}, "0:0x1"},
        /* Flat: more GPUs than the least are never better. */
        {{.gpus_min = 2, .gpus_max = 8}, "0:2x1 1:2x1 2:2x1"},
        /* A straight line through the origin needs its end alone. */
        {{.gpus_min = 2,
          .gpus_max = 8,
          .gpu_mem_bytes = 60,
          .curve = {.kind = BL_CURVE_EFFICIENCY, .efficiency = 1}},
         "0:8x4"},
        /* 6 lies below the line from 4 to 8, and 12 is slower than 8. */
        {{.gpus_min = 2,
          .gpus_max = 16,
          .gpu_mem_bytes = 60,
          .curve = {.kind = BL_CURVE_POINTS, .point_count = 5, .point = bent}},
         "0:2x1 0:4x1.8 0:8x2.6"},
        {{.gpus_min = 2,
          .gpus_max = 16,
          .nodes_max = 1,
          .pool = "other",
          .curve = {.kind = BL_CURVE_POINTS, .point_count = 5, .point = bent}},
         "2:2x1 2:4x1.8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_options(&rows[i].spec, rows[i].expected);
    }
}

static void a_machine_without_gpus_has_one_class_that_nobody_uses(void **state)
{
    struct bl_cluster cluster = {0};
    struct bl_bound_machine machine;

    (void)state;
    assert_int_equal(bl_cluster_add_node(&cluster, &nodes[4]), 0);
    bl_bound_machine_init(&machine, &cluster);
    assert_int_equal(machine.class_count, 1);
    assert_true(machine.capacity[0] > 0);
    bl_bound_machine_finish(&machine);
    bl_cluster_finish(&cluster);
}

static void only_listed_counts_are_options(void **state)
{
    static const int32_t counts[] = {2, 6, 8};
    const struct bl_job_spec spec = {
        .gpus_min = 2,
        .gpus_max = 8,
        .gpu_count = counts,
        .gpu_count_count = 3,
        .gpu_mem_bytes = 60,
        .curve = {.kind = BL_CURVE_POINTS, .point_count = 5, .point = bent}};

    (void)state;
    expect_options(&spec, "0:2x1 0:8x2.6");
}

/* 100 s at two GPUs, but it ends after 50 s on any. */
static void a_limit_ends_a_job_whatever_it_has_done(void **state)
{
    const struct bl_job_spec spec = {
        .gpus_min = 2,
        .gpus_max = 8,
        .work = 100 * BL_SECOND,
        .limit = 50 * BL_SECOND,
        .gpu_mem_bytes = 60,
        .curve = {.kind = BL_CURVE_POINTS, .point_count = 5, .point = bent}};

    (void)state;
    expect_options(&spec, "0:2x2 0:8x2.6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_the_corners_of_what_a_job_could_hold),
        cmocka_unit_test(a_machine_without_gpus_has_one_class_that_nobody_uses),
        cmocka_unit_test(only_listed_counts_are_options),
        cmocka_unit_test(a_limit_ends_a_job_whatever_it_has_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
