#include "cli/use.h"

#include "client_text.h"

static void check(const char *json, const char *expected)
{
    struct bl_arena arena = {0};
    BL_AUTO_BUF out = {0};

    bl_use_print(&out, read_tree(json, &arena), "  ");
    assert_string_equal(bl_buf_text(&out), expected);
    bl_arena_finish(&arena);
}

static void each_gpu_has_its_line_with_now_and_the_average(void **state)
{
    (void)state;
    check("{\"gpus\": [{\"node\": \"n1\", \"gpu\": 0, \"mem_bytes\": 2147483648, \"utilization\": "
          "[0.5, null, 0.93], \"mem_used_bytes\": [null, 1, 1073741824]}, {\"node\": \"n1\", "
          "\"gpu\": 3, "
          "\"mem_bytes\": null, \"utilization\": [1], \"mem_used_bytes\": [512]}]}",
          "n1 gpu0: 93 % now, 72 % on average, 1GiB of 2GiB\n"
          "  n1 gpu3: 100 % now, 100 % on average, 512B of memory\n");
}

static void what_the_driver_does_not_tell_is_not_made_up(void **state)
{
    (void)state;
    check("{\"gpus\": [{\"node\": \"n1\", \"gpu\": 0, \"mem_bytes\": 1, \"utilization\": [0.5, "
          "null], "
          "\"mem_used_bytes\": [1, null]}]}",
          "n1 gpu0: not told by the driver\n");
    check("{\"gpus\": [{\"node\": \"n1\", \"gpu\": 0}]}", "n1 gpu0: not told by the driver\n");
}

static void where_nothing_was_measured_nothing_is_said(void **state)
{
    (void)state;
    check("{\"gpus\": [], \"reason\": \"declared\"}", "");
    check("{}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_gpu_has_its_line_with_now_and_the_average),
        cmocka_unit_test(what_the_driver_does_not_tell_is_not_made_up),
        cmocka_unit_test(where_nothing_was_measured_nothing_is_said),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
