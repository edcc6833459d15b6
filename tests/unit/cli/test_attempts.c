#include "cli/attempts.h"

#include "client_text.h"

static void check(const char *json, const char *expected)
{
    struct bl_arena arena = {0};
    BL_AUTO_BUF out = {0};

    bl_attempts_print(&out, read_tree(json, &arena), "   ");
    assert_string_equal(bl_buf_text(&out), expected);
    bl_arena_finish(&arena);
}

#define PREEMPTED                                                                                  \
    "{\"attempt\": 1, \"outcome\": \"preempted\", \"reason\": \"preempted\", \"reason_text\": "    \
    "\"x\", "                                                                                      \
    "\"reason_numbers\": {\"job\": 4, \"need\": 0, \"have\": 0, \"at\": null}, "                   \
    "\"started_at\": 1000, \"ended_at\": 8500.5, \"exit_code\": 0, \"gpus\": 4, "                  \
    "\"where\": [{\"node\": \"n1\", \"gpus\": [0, 1, 2, 3]}]}"
#define UNSTARTED                                                                                  \
    "{\"attempt\": 2, \"outcome\": \"start_failed\", \"reason\": \"start_failed\", "               \
    "\"reason_text\": \"cannot enter /w\", \"reason_numbers\": {\"job\": 0, \"need\": 4, "         \
    "\"have\": 2, "                                                                                \
    "\"at\": null}, \"started_at\": null, \"ended_at\": 9000, \"where\": []}"
#define NOW "{\"attempt\": 3, \"outcome\": null, \"started_at\": 9500, \"ended_at\": null}"
#define LAST                                                                                       \
    "{\"attempt\": 3, \"outcome\": \"failed\", \"reason\": \"exit\", \"started_at\": 9500, "       \
    "\"ended_at\": 9600}"

static void each_attempt_before_the_present_one_has_its_line(void **state)
{
    (void)state;
    check("{\"state\": \"running\", \"attempt\": 3, \"attempts\": [" PREEMPTED ", " UNSTARTED
          ", " NOW "]}",
          "1: put back to make room for job 4 after 2 hours 5 minutes on n1 gpu0-3\n"
          "   2: cannot enter /w\n");
}

static void the_one_that_the_job_itself_tells_of_has_none(void **state)
{
    (void)state;
    check("{\"state\": \"running\", \"attempt\": 3, \"attempts\": [" NOW "]}", "");
    check("{\"state\": \"failed\", \"attempt\": 3, \"ended_at\": 9600, \"attempts\": [" PREEMPTED
          ", " LAST "]}",
          "1: put back to make room for job 4 after 2 hours 5 minutes on n1 gpu0-3\n");
    check("{\"state\": \"queued\", \"attempt\": 1, \"attempts\": [" PREEMPTED "]}",
          "1: put back to make room for job 4 after 2 hours 5 minutes on n1 gpu0-3\n");
    check("{\"state\": \"cancelled\", \"attempt\": 1, \"ended_at\": 9999, \"attempts\": [" PREEMPTED
          "]}",
          "1: put back to make room for job 4 after 2 hours 5 minutes on n1 gpu0-3\n");
    check("{\"state\": \"running\"}", "");
}

static void P16_the_lines_are_in_the_language_of_the_environment(void **state)
{
    (void)state;
    setenv("LC_ALL", "zh_CN.UTF-8", 1);
    check("{\"state\": \"queued\", \"attempt\": 1, \"attempts\": [" PREEMPTED "]}",
          "1：为给作业 4 腾出空间而放回队列，历时 2 小时 5 分钟，位于 n1 gpu0-3\n");
    setenv("LC_ALL", "C.UTF-8", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_attempt_before_the_present_one_has_its_line),
        cmocka_unit_test(the_one_that_the_job_itself_tells_of_has_none),
        cmocka_unit_test(P16_the_lines_are_in_the_language_of_the_environment),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
