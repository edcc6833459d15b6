#include "cli/jobs.h"
#include "core/reason.h"

#include "client_text.h"

/* What is said of a job that is given as JSON. */
static void say(struct bl_buf *out, const char *json)
{
    struct bl_arena arena = {0};
    struct bl_job_view job;

    bl_job_view_read(read_tree(json, &arena), &job);
    bl_job_print_reason(out, &job);
    bl_arena_finish(&arena);
}

static void every_reason_of_the_scheduler_is_worded_in_both_languages(void **state)
{
    (void)state;
    for (int code = BL_REASON_NONE + 1; code < BL_REASON_COUNT; code++) {
        BL_AUTO_BUF json = {0};
        BL_AUTO_BUF en = {0};
        BL_AUTO_BUF zh = {0};

        bl_buf_printf(&json,
                      "{\"reason\": \"%s\", \"reason_text\": \"\", \"reason_numbers\": {\"job\": "
                      "7, \"need\": 2, \"have\": 1, \"at\": null}}",
                      bl_reason_name((enum bl_reason_code)code));
        setenv("LC_ALL", "C.UTF-8", 1);
        say(&en, bl_buf_text(&json));
        setenv("LC_ALL", "zh_CN.UTF-8", 1);
        say(&zh, bl_buf_text(&json));
        if (!en.length || !strcmp(bl_buf_text(&en), bl_buf_text(&zh))) {
            fail_msg("'%s' has no words: '%s', '%s'", bl_reason_name((enum bl_reason_code)code),
                     bl_buf_text(&en), bl_buf_text(&zh));
        }
    }
}

static void numbers_stand_where_they_belong(void **state)
{
    static const struct {
        const char *code, *numbers, *en, *zh;
    } rows[] = {
        {"resources", "\"need\": 4, \"have\": 2", "needs 4 GPUs, 2 of the suitable ones are free",
         "需要 4 块 GPU，合适的空闲 2 块"},
        {"resources", "\"need\": 0, \"have\": 0", "needs more CPUs or memory than is free",
         "空闲的 CPU 或内存不足"},
        {"priority", "\"job\": 3, \"need\": 1", "behind job 3", "排在作业 3 之后"},
        {"user", "\"need\": 1042", "cancelled by the user with uid 1042",
         "由 uid 为 1042 的用户取消"},
        {"outbid", "\"need\": 4", "needs 4 GPUs; others do more with them",
         "需要 4 块 GPU；其他作业能更好地利用它们"},
        {"for_more", "\"need\": 0", "waits for more GPUs; a start on fewer now would not pay",
         "等待更多 GPU；现在用较少的启动并不划算"},
        {"joint", "\"need\": 7", "part of the best choice for 7 jobs together",
         "7 个作业的联合最优选择之一"},
        {"exit", "\"need\": 3", "ended with exit code 3", "退出码 3"},
        {"shrunk_for", "\"job\": 9, \"need\": 2, \"have\": 4",
         "resized from 4 to 2 GPUs to make room for job 9",
         "为给作业 9 腾出空间，GPU 由 4 块调整为 2 块"},
        {"preempted", "\"job\": 0", "put back to make room for others",
         "为给其他作业腾出空间而放回队列"},
        {"requeue", "\"need\": -1", "asked to be put back", "作业自己要求放回队列"},
        {"crash_loop", "\"need\": 3, \"have\": 9", "failed 3 times in a row, last with exit code 9",
         "连续失败 3 次，最后的退出码 9"},
        {"in_reservation", "\"job\": 17, \"need\": 2, \"have\": 1",
         "needs 2 GPUs of reservation r17, 1 is free", "需要预约 r17 的 2 块 GPU，空闲 1 块"},
        {"cleared", "\"job\": 17, \"need\": 2, \"have\": 4",
         "resized from 4 to 2 GPUs to clear reservation r17",
         "为清空预约 r17，GPU 由 4 块调整为 2 块"},
        {"cleared", "\"job\": -9, \"need\": 2, \"have\": 4",
         "resized from 4 to 2 GPUs to clear the GPUs promised to job 9",
         "为腾出承诺给作业 9 的 GPU，GPU 由 4 块调整为 2 块"},
        {"preempted", "\"job\": 17, \"at\": 7", "put back to clear reservation r17",
         "为清空预约 r17 而放回队列"},
        {"start_failed", "\"need\": 4, \"have\": 0", "cannot enter the working directory",
         "无法进入工作目录"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF json = {0};
        BL_AUTO_BUF en = {0};
        BL_AUTO_BUF zh = {0};

        bl_buf_printf(&json, "{\"reason\": \"%s\", \"reason_numbers\": {%s}}", rows[i].code,
                      rows[i].numbers);
        setenv("LC_ALL", "C.UTF-8", 1);
        say(&en, bl_buf_text(&json));
        setenv("LC_ALL", "zh_CN.UTF-8", 1);
        say(&zh, bl_buf_text(&json));
        assert_string_equal(bl_buf_text(&en), rows[i].en);
        assert_string_equal(bl_buf_text(&zh), rows[i].zh);
    }
}

static void a_reason_of_a_newer_daemon_is_given_in_its_own_words(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    setenv("LC_ALL", "zh_CN.UTF-8", 1);
    say(&out, "{\"reason\": \"weather\", \"reason_text\": \"it rains\\u001b\"}");
    assert_string_equal(bl_buf_text(&out), "it rains\\x1b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reason_of_the_scheduler_is_worded_in_both_languages),
        cmocka_unit_test(numbers_stand_where_they_belong),
        cmocka_unit_test(a_reason_of_a_newer_daemon_is_given_in_its_own_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
