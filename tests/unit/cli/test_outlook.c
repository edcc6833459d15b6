#include "cli/outlook.h"

#include "client_text.h"

#define NOW (90000 * BL_SECOND)

static void print(struct bl_buf *out, const char *json, bl_time span)
{
    struct bl_outlook_scene scene = {.now = NOW, .span = span, .ascii = true};
    struct bl_arena arena = {0};

    scene.answer = read_tree(json, &arena);
    bl_outlook_print(out, &scene);
    bl_arena_finish(&arena);
}

static void free_gpus_are_drawn_as_bars_with_what_is_sure_in_front(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    print(
        &out,
        "{\"from_at\": 90000, \"step_s\": 3600, \"runs\": 16, \"gpus\": 12, \"used\": [12, 8, 2], "
        "\"types\": {\"A100\": {\"gpus\": 8, \"free\": [0, 4, 8], \"free_p10\": [0, 2, 8], "
        "\"free_p90\": [0, 8, 8]}, \"V100\": {\"gpus\": 4, \"free\": [0, 0, 2], \"free_p10\": [0, "
        "0, 1], \"free_p90\": [0, 0, 4]}}}",
        3 * BL_HOUR);
    assert_string_equal(
        bl_buf_text(&out),
        "free GPUs in the middle of 16 looks ahead (in 9 of 10 at least), every 1h\n"
        "WHEN   A100 / 8          V100 / 4          IN USE\n"
        "01:00  .......... 0      .......... 0          12\n"
        "02:00  ##+++..... 4 (2)  .......... 0           8\n"
        "03:00  ########## 8      ##+++..... 2 (1)       2\n");
}

static void a_long_time_is_told_in_some_thirty_lines(void **state)
{
    BL_AUTO_BUF json = {0};
    BL_AUTO_BUF out = {0};
    int lines = 0;

    (void)state;
    bl_buf_append_text(&json, "{\"from_at\": 90000, \"step_s\": 3600, \"runs\": 1, \"used\": [0");
    for (int i = 1; i < 168; i++) {
        bl_buf_append_text(&json, ",0");
    }
    bl_buf_append_text(&json, "], \"types\": {\"A100\": {\"gpus\": 8}}}");
    print(&out, bl_buf_text(&json), 7 * BL_DAY);
    for (const char *at = bl_buf_text(&out); *at; at++) {
        lines += *at == '\n';
    }
    assert_int_equal(lines, 2 + 28);
    assert_non_null(strstr(bl_buf_text(&out), "free GPUs by one look ahead, every 6h\n"));
}

static void an_answer_with_odd_fields_is_survived(void **state)
{
    static const char *const rows[] = {"{}", "{\"types\": []}",
                                       "{\"types\": {\"A\": 3}, \"step_s\": 1, \"used\": [1]}",
                                       "{\"types\": {\"A\": {}}, \"step_s\": 0, \"used\": [1]}",
                                       "{\"types\": {\"A\": {}}, \"step_s\": 1, \"used\": 4}"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        print(&out, rows[i], BL_DAY);
        assert_string_equal(bl_buf_text(&out), "no GPU is up\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_gpus_are_drawn_as_bars_with_what_is_sure_in_front),
        cmocka_unit_test(a_long_time_is_told_in_some_thirty_lines),
        cmocka_unit_test(an_answer_with_odd_fields_is_survived),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
