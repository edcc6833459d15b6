#include "cli/submit.h"

#include "bl_test.h"
#include "form/tree_make.h"

#include <string.h>

/* The request that the flags make of an empty job file; answers the variables left out. */
static size_t write_request(struct bl_buf *out, const struct bl_submit *submit,
                            const char *const *environment)
{
    struct bl_arena arena = {0};
    struct bl_tree *tree = bl_tree_create(&arena, BL_TREE_MAP);
    size_t left_out;

    bl_submit_apply(&arena, tree, submit);
    left_out = bl_submit_write(
        out, tree,
        &(const struct bl_submit_surroundings){.environment = environment, .umask = 027});
    bl_arena_finish(&arena);
    return left_out;
}

static void what_was_asked_is_what_the_request_says(void **state)
{
    const char *command[] = {"python3", "train.py", "--name=\"x\"", NULL};
    const char *environment[] = {"PATH=/usr/bin:/bin", "EMPTY=", "LANG=zh_CN.UTF-8", NULL};
    struct bl_submit submit = {
        .name = "tiny",
        .project = "nlp",
        .job_class = "batch",
        .limit = "30",
        .gpus = "2-8",
        .gpu_types = "A100,H100",
        .gpu_mem = "40GB",
        .cpus = "4/gpu",
        .mem = "64GB",
        .nodes = "2",
        .workdir = "/home/me/训练",
        .command = command,
    };
    BL_AUTO_BUF out = {0};

    (void)state;
    assert_int_equal(bl_submit_add_after(&submit, "12:ok,13", NULL), BL_OK);
    assert_int_equal(write_request(&out, &submit, environment), 0);
    assert_string_equal(
        bl_buf_text(&out),
        "{\"name\":\"tiny\",\"project\":\"nlp\",\"class\":\"batch\",\"resources\":{\"gpus\":\"2-"
        "8\","
        "\"gpu\":{\"type\":[\"A100\",\"H100\"],\"mem\":\"40GB\"},\"cpus\":\"4/gpu\","
        "\"mem\":\"64GB\",\"nodes\":\"2\"},\"time\":{\"limit\":\"30\"},\"after\":[\"12:ok\",\"13\"]"
        ","
        "\"workdir\":\"/home/me/训练\",\"command\":[\"python3\",\"train.py\",\"--name=\\\"x\\\"\"],"
        "\"umask\":\"0027\",\"environment\":[\"PATH=/usr/bin:/"
        "bin\",\"EMPTY=\",\"LANG=zh_CN.UTF-8\"]}");
    bl_submit_finish(&submit);
}

static void what_a_job_wants_of_its_start_is_said_in_the_words_of_a_job_file(void **state)
{
    const char *command[] = {"true", NULL};
    const char *environment[] = {NULL};
    const struct bl_submit submit = {
        .array = "0-9%2",
        .priority = "-5",
        .requeue = "yes",
        .retries = "3",
        .warning = "B:USR1@90",
        .not_before = "2026-12-01T08:30:00Z",
        .hold = true,
        .command = command,
    };
    BL_AUTO_BUF out = {0};

    (void)state;
    write_request(&out, &submit, environment);
    assert_string_equal(
        bl_buf_text(&out),
        "{\"array\":\"0-9%2\",\"priority\":\"-5\",\"requeue\":\"yes\",\"retries\":\"3\","
        "\"not_before\":\"2026-12-01T08:30:00Z\",\"hold\":\"yes\","
        "\"checkpoint\":{\"signal\":\"B:USR1@90\"},\"command\":[\"true\"],\"umask\":\"0027\","
        "\"environment\":[]}");
}

static void flags_win_over_what_stands_in_a_file(void **state)
{
    static const char text[] = "name: a\nresources: {gpus: 4, gpu: {type: A100, mem: 40GB}}\n"
                               "time: {limit: 1h}\nrun: 'true'\n";
    const struct bl_tree_source source = {"job.yaml", text, sizeof text - 1};
    const struct bl_submit submit = {.name = "b", .gpus = "2", .gpu_types = "H100", .limit = "30"};
    struct bl_arena arena = {0};
    struct bl_tree *tree = NULL;
    BL_AUTO_BUF out = {0};
    const char *environment[] = {NULL};

    (void)state;
    assert_int_equal(bl_yaml_read(&source, &arena, &tree, NULL), BL_OK);
    bl_submit_apply(&arena, tree, &submit);
    bl_submit_write(&out, tree, &(const struct bl_submit_surroundings){environment, 022});
    assert_string_equal(
        bl_buf_text(&out),
        "{\"name\":\"b\",\"resources\":{\"gpus\":\"2\",\"gpu\":{\"type\":[\"H100\"],"
        "\"mem\":\"40GB\"}},\"time\":{\"limit\":\"30\"},\"run\":\"true\",\"umask\":\"0022\","
        "\"environment\":[]}");
    bl_arena_finish(&arena);
}

static void variables_that_json_cannot_carry_are_left_out_and_counted(void **state)
{
    const char *command[] = {"true", NULL};
    const char *environment[] = {"A=1", "B=caf\xe9", "novalue", NULL};
    const struct bl_submit submit = {.command = command};
    BL_AUTO_BUF out = {0};

    (void)state;
    assert_int_equal(write_request(&out, &submit, environment), 2);
    assert_non_null(strstr(bl_buf_text(&out), "\"environment\":[\"A=1\"]"));
}

static void dependencies_are_checked_where_they_are_written(void **state)
{
    static const char *const good[] = {"7", "7:ok", "7:any,8:fail", "7:each", "@", "@:any"};
    static const char *const bad[] = {"",     "x", "7:", "7:never", ":ok",
                                      "7,,8", "0", "-1", "7:okay",  "123456789012345678901234"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct bl_submit submit = {0};

        assert_int_equal(bl_submit_add_after(&submit, good[i], NULL), BL_OK);
        bl_submit_finish(&submit);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bl_submit submit = {0};
        struct bl_error err = {0};

        if (bl_submit_add_after(&submit, bad[i], &err) != BL_EINVAL || !err.text[0]) {
            fail_msg("'%s' was taken", bad[i]);
        }
        bl_submit_finish(&submit);
    }
}

static void the_last_job_is_put_in_by_its_id(void **state)
{
    struct bl_submit submit = {0};

    (void)state;
    bl_submit_add_after(&submit, "3,@:any,@", NULL);
    assert_true(bl_submit_names_last(&submit));
    bl_submit_resolve_last(&submit, 41);
    assert_false(bl_submit_names_last(&submit));
    assert_string_equal(submit.after[0], "3");
    assert_string_equal(submit.after[1], "41:any");
    assert_string_equal(submit.after[2], "41");
    bl_submit_finish(&submit);
}

static void a_job_without_a_name_is_called_after_its_program(void **state)
{
    static const struct {
        const char *command[4];
        const char *expected;
    } rows[] = {
        {{"./train.sh", "x", NULL}, "train.sh"},
        {{"/usr/bin/python3", "src/train.py", NULL}, "train.py"},
        {{"python3.11", "train.py", NULL}, "train.py"},
        {{"python", "-m", "train", NULL}, "python"},
        {{"bash", "-c", "sleep 1", NULL}, "bash"},
        {{"python", NULL}, "python"},
        {{"my tool", NULL}, "my_tool"},
        {{"/", NULL}, "_"},
        {{"python3x", "a", NULL}, "python3x"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};

        bl_submit_default_name(&out, rows[i].command);
        assert_string_equal(bl_buf_text(&out), rows[i].expected);
    }
}

static void what_cannot_be_meant_is_refused_before_it_is_sent(void **state)
{
    static const struct {
        const char *command[3];
        const char *name;
        const char *expected;
    } rows[] = {
        {{"", NULL}, NULL, "empty word"},
        {{"python train.py --lr 0.1", NULL}, NULL, "no program called"},
        {{"caf\xe9", NULL}, NULL, "not UTF-8"},
        {{"true", NULL}, "\xff", "--name is not UTF-8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_submit submit = {.command = rows[i].command, .name = rows[i].name};
        struct bl_error err = {0};

        if (bl_submit_check(&submit, &err) != BL_EINVAL || !strstr(err.text, rows[i].expected)) {
            fail_msg("'%s': '%s'", rows[i].command[0], err.text);
        }
    }
}

static void ordinary_commands_pass(void **state)
{
    const char *one[] = {"true", NULL};
    const char *shell[] = {"bash", "-c", "sleep 1; echo a b", NULL};
    const struct bl_submit rows[] = {{.command = one, .name = "训练"}, {.command = shell}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(bl_submit_check(&rows[i], NULL), BL_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_asked_is_what_the_request_says),
        cmocka_unit_test(what_a_job_wants_of_its_start_is_said_in_the_words_of_a_job_file),
        cmocka_unit_test(flags_win_over_what_stands_in_a_file),
        cmocka_unit_test(variables_that_json_cannot_carry_are_left_out_and_counted),
        cmocka_unit_test(dependencies_are_checked_where_they_are_written),
        cmocka_unit_test(the_last_job_is_put_in_by_its_id),
        cmocka_unit_test(a_job_without_a_name_is_called_after_its_program),
        cmocka_unit_test(what_cannot_be_meant_is_refused_before_it_is_sent),
        cmocka_unit_test(ordinary_commands_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
