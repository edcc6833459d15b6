#include "form_test.h"

#include "form/jobspec.h"

#include <math.h>

static void gpus_are_a_number_a_range_or_a_list(void **state)
{
    static const struct {
        const char *text;
        int32_t min, max; /* -1: refused */
        size_t count;
    } rows[] = {
        {"0", 0, 0, 0},
        {"4", 4, 4, 0},
        {"2-8", 2, 8, 0},
        {"3-3", 3, 3, 0},
        {"16777216", 16777216, 16777216, 0},
        {"16777217", -1, -1, 0},
        {"8-2", -1, -1, 0},
        {"0-4", -1, -1, 0},
        {"-4", -1, -1, 0},
        {"2-", -1, -1, 0},
        {"", -1, -1, 0},
        {"x", -1, -1, 0},
        {"2-8-9", -1, -1, 0},
        {"1.5", -1, -1, 0},
        {"2,4", 2, 4, 2},
        {"2,4,8", 2, 8, 3},
        {"4,", -1, -1, 0},
        {"4,2", -1, -1, 0},
        {"2,2", -1, -1, 0},
        {"0,2", -1, -1, 0},
        {"2,,4", -1, -1, 0},
        {"2-4,8", -1, -1, 0},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,"
         "33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,"
         "62,63,64,65",
         -1, -1, 0},
        {"99999999999999999999999999999999999999999999999999-4", -1, -1, 0},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_error err = {0};
        struct bl_gpu_counts gpus = {.min = -1, .max = -1};
        int status = bl_gpus_parse(rows[i].text, &gpus, &err);

        if (gpus.min != rows[i].min || gpus.max != rows[i].max || gpus.count != rows[i].count ||
            (status == BL_OK) != (gpus.max >= 0)) {
            fail_msg("'%s' became %d to %d: %s", rows[i].text, gpus.min, gpus.max, err.text);
        }
    }
}

static void a_list_of_gpus_is_kept_and_one_of_one_is_a_number(void **state)
{
    struct bl_arena arena = {0};
    struct bl_job_spec spec = {0};
    struct bl_gpu_counts gpus;

    (void)state;
    assert_int_equal(bl_gpus_parse("2,4,8", &gpus, NULL), BL_OK);
    bl_gpus_set(&spec, &gpus, &arena);
    assert_int_equal(spec.gpus_min * 100 + spec.gpus_want * 10 + spec.gpus_max, 288);
    assert_true(bl_job_is_legal_count(&spec, 4));
    assert_false(bl_job_is_legal_count(&spec, 3));
    gpus = (struct bl_gpu_counts){0};
    assert_true(bl_gpus_add(&gpus, 4));
    bl_gpus_set(&spec, &gpus, &arena);
    assert_int_equal(spec.gpus_min * 100 + spec.gpus_want * 10 + spec.gpus_max, 444);
    assert_int_equal(spec.gpu_count_count, 0);
    bl_arena_finish(&arena);
}

static void scaling_is_a_word_a_number_or_points(void **state)
{
    static const struct {
        const char *text;
        enum bl_curve_kind kind; /* FLAT with speed 0: refused */
        double speed_at_4;       /* of a job of at least two */
    } rows[] = {
        {"auto", BL_CURVE_FLAT, 1},
        {"1", BL_CURVE_EFFICIENCY, 2},
        {"0.5", BL_CURVE_EFFICIENCY, 1.5},
        {"2:2 4:3.5", BL_CURVE_POINTS, 1.75},
        {" 2:2  8:8 ", BL_CURVE_POINTS, 2},
        {"2:4 4:2", BL_CURVE_POINTS, 0.5}, /* one that falls is what it is */
        {"0", BL_CURVE_FLAT, 0},
        {"1.1", BL_CURVE_FLAT, 0},
        {"nan", BL_CURVE_FLAT, 0},
        {"inf", BL_CURVE_FLAT, 0},
        {"", BL_CURVE_FLAT, 0},
        {"2:nan", BL_CURVE_FLAT, 0},
        {"2:0", BL_CURVE_FLAT, 0},
        {"2:-1", BL_CURVE_FLAT, 0},
        {"2:1e300", BL_CURVE_FLAT, 0},
        {"4:1 2:2", BL_CURVE_FLAT, 0},
        {"2:1 2:2", BL_CURVE_FLAT, 0},
        {"2:1,4:2", BL_CURVE_FLAT, 0},
        {"0:1", BL_CURVE_FLAT, 0},
        {":1", BL_CURVE_FLAT, 0},
        {"2:", BL_CURVE_FLAT, 0},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_error err = {0};
        struct bl_curve curve = {.kind = BL_CURVE_FLAT};
        int status = bl_scaling_parse(rows[i].text, &arena, &curve, &err);
        double speed = status == BL_OK ? bl_curve_speed(&curve, 2, 4) : 0;

        if (curve.kind != rows[i].kind || !(fabs(speed - rows[i].speed_at_4) < 1e-9)) {
            fail_msg("'%s': kind %d, speed %g, %s", rows[i].text, (int)curve.kind, speed, err.text);
        }
        bl_arena_finish(&arena);
    }
}

typedef int (*parse_amount)(const char *text, struct bl_amount *out, struct bl_error *err);

static void amounts_are_flat_or_per_gpu(void **state)
{
    static const struct {
        parse_amount parse;
        const char *text;
        int64_t value; /* -1: refused */
        bool per_gpu;
    } rows[] = {
        {bl_cpus_parse, "8", 8000, false},
        {bl_cpus_parse, "1.5", 1500, false},
        {bl_cpus_parse, "8/gpu", 8000, true},
        {bl_cpus_parse, "0", 0, false},
        {bl_cpus_parse, "1048576", INT64_C(1048576000), false},
        {bl_cpus_parse, "1048577", -1, false},
        {bl_cpus_parse, "/gpu", -1, false},
        {bl_cpus_parse, "8/node", -1, false},
        {bl_cpus_parse, "-1", -1, false},
        {bl_cpus_parse, "", -1, false},
        {bl_cpus_parse, "00000000000000000000000000000000000000000000000001", -1, false},
        {bl_mem_parse, "64GB", INT64_C(64) << 30, false},
        {bl_mem_parse, "16GiB/gpu", INT64_C(16) << 30, true},
        {bl_mem_parse, "1048576", 1048576, false},
        {bl_mem_parse, "1P", INT64_C(1) << 50, false},
        {bl_mem_parse, "2P", -1, false},
        {bl_mem_parse, "1048575", -1, false}, /* a forgotten unit */
        {bl_mem_parse, "64", -1, false},
        {bl_mem_parse, "0", 0, false},
        {bl_mem_parse, "x", -1, false},
        {bl_mem_parse, "1e3", -1, false},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_error err = {0};
        struct bl_amount amount = {-1, false};
        int status = rows[i].parse(rows[i].text, &amount, &err);

        if (amount.value != rows[i].value || amount.per_gpu != rows[i].per_gpu ||
            (status == BL_OK) != (rows[i].value >= 0)) {
            fail_msg("'%s' became %lld: %s", rows[i].text, (long long)amount.value, err.text);
        }
    }
}

static void A7_a_dependency_is_a_job_and_a_kind(void **state)
{
    static const struct {
        const char *text;
        const char *target; /* NULL: refused */
        enum bl_dependency_kind kind;
        const char *hint;
    } rows[] = {
        {"17", "17", BL_AFTER_OK, ""},
        {"17:ok", "17", BL_AFTER_OK, ""},
        {"17:any", "17", BL_AFTER_ANY, ""},
        {"prep:fail", "prep", BL_AFTER_FAIL, ""},
        {"17:fali", NULL, BL_AFTER_OK, "write 'fail'"},
        {"17:", NULL, BL_AFTER_OK, ""},
        {":ok", NULL, BL_AFTER_OK, ""},
        {"", NULL, BL_AFTER_OK, ""},
    };
    struct bl_arena arena = {0};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_error err = {0};
        struct bl_jobspec_after after = {0};
        int status = bl_after_parse(rows[i].text, &arena, &after, &err);

        assert_int_equal(status, rows[i].target ? BL_OK : BL_EINVAL);
        assert_string_equal(err.hint, rows[i].hint);
        if (rows[i].target) {
            assert_string_equal(after.target, rows[i].target);
            assert_int_equal(after.kind, rows[i].kind);
        }
    }
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_are_a_number_a_range_or_a_list),
        cmocka_unit_test(a_list_of_gpus_is_kept_and_one_of_one_is_a_number),
        cmocka_unit_test(scaling_is_a_word_a_number_or_points),
        cmocka_unit_test(amounts_are_flat_or_per_gpu),
        cmocka_unit_test(A7_a_dependency_is_a_job_and_a_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
