#include "bl_test.h"
#include "form/trace_machine.h"

#include <string.h>

static struct bl_job_spec spec_of(int32_t gpus)
{
    return (struct bl_job_spec){.gpus_min = gpus, .gpus_want = gpus, .gpus_max = gpus};
}

static void what_is_in_the_way_is_named(void **state)
{
    struct bl_node_spec nodes[] = {{.name = "n1",
                                    .pool = "main",
                                    .gpu_type = "A100",
                                    .gpus = 8,
                                    .gpu_mem_bytes = INT64_C(80) << 30,
                                    .cpu_milli = 64000,
                                    .mem_bytes = INT64_C(1) << 40}};
    struct bl_clusterspec cluster = {nodes, 1};
    struct bl_trace_options options = {.cluster = &cluster};
    struct bl_trace_machine machine;
    struct {
        struct bl_job_spec spec;
        const char *why; /* NULL = fits */
    } rows[] = {
        {spec_of(8), NULL},
        {spec_of(9), "needs 9 GPUs, the machine can give it at most 8"},
        {spec_of(1), "needs a GPU type that no node has"},
        {spec_of(1), "needs the pool far, which no node is in"},
        {spec_of(1), "needs more memory a GPU than the largest suitable one has: 80GiB"},
        {spec_of(1), "needs more CPUs than the largest suitable node has: 64"},
        {spec_of(1), "needs more memory than the largest suitable node has: 1TiB"},
        {spec_of(8), NULL},
    };

    (void)state;
    rows[2].spec.gpu_type[0] = "H100";
    rows[2].spec.gpu_type_count = 1;
    rows[3].spec.pool = "far";
    rows[4].spec.gpu_mem_bytes = INT64_C(81) << 30;
    rows[5].spec.cpu_milli.value = 64001;
    rows[6].spec.mem_bytes.value = (INT64_C(1) << 40) + 1;
    bl_trace_machine_init(&machine, &options);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int again = 0; again < 2; again++) {
            BL_AUTO_BUF why = {0};
            bool fits = bl_trace_machine_check(&machine, &rows[i].spec, &why);

            assert_int_equal(fits, rows[i].why == NULL);
            assert_string_equal(bl_buf_text(&why), rows[i].why ? rows[i].why : "");
        }
    }
    bl_trace_machine_finish(&machine);
}

static void slots_are_a_machine_and_nothing_is_one_on_which_all_fits(void **state)
{
    struct bl_trace_options slots = {.slots = 4};
    struct bl_trace_options none = {0};
    struct bl_job_spec five = spec_of(5);
    struct bl_trace_machine machine;
    BL_AUTO_BUF why = {0};

    (void)state;
    bl_trace_machine_init(&machine, &slots);
    assert_false(bl_trace_machine_check(&machine, &five, &why));
    bl_trace_machine_finish(&machine);
    bl_trace_machine_init(&machine, &none);
    assert_true(bl_trace_machine_check(&machine, &five, &why));
    bl_trace_machine_finish(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_the_way_is_named),
        cmocka_unit_test(slots_are_a_machine_and_nothing_is_one_on_which_all_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
