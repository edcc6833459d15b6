#include "form_test.h"

#include "form/jobspec.h"

static void gpus_are_a_number_or_a_range(void **state)
{
    static const struct {
        const char *text;
        int32_t min, max; /* -1: refused */
    } rows[] = {
        {"0", 0, 0},
        {"4", 4, 4},
        {"2-8", 2, 8},
        {"3-3", 3, 3},
        {"16777216", 16777216, 16777216},
        {"16777217", -1, -1},
        {"8-2", -1, -1},
        {"0-4", -1, -1},
        {"-4", -1, -1},
        {"2-", -1, -1},
        {"", -1, -1},
        {"x", -1, -1},
        {"2-8-9", -1, -1},
        {"1.5", -1, -1},
        {"2,4", -1, -1},
        {"99999999999999999999999999999999999999999999999999-4", -1, -1},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_error err = {0};
        int32_t min = -1;
        int32_t max = -1;
        int status = bl_gpus_parse(rows[i].text, &min, &max, &err);

        if (min != rows[i].min || max != rows[i].max || (status == BL_OK) != (max >= 0)) {
            fail_msg("'%s' became %d to %d: %s", rows[i].text, min, max, err.text);
        }
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
        cmocka_unit_test(gpus_are_a_number_or_a_range),
        cmocka_unit_test(amounts_are_flat_or_per_gpu),
        cmocka_unit_test(A7_a_dependency_is_a_job_and_a_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
