#include "bl_test.h"
#include "sim/options.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 32 };

/* Parses "a b c"; the strings stay valid until the next call. */
static int parse(const char *line, struct bl_sim_options *out, struct bl_error *err)
{
    static char text[512];
    char *argv[WORDS_MAX + 2] = {NULL};
    char *rest = text;
    int argc = 1;

    snprintf(text, sizeof text, "%s", line);
    argv[0] = text + sizeof text - 1;
    while (argc <= WORDS_MAX && rest) {
        argv[argc] = strsep(&rest, " ");
        argc += argv[argc][0] != '\0';
    }
    argv[argc] = NULL;
    return bl_sim_options_parse(argc, argv, out, err);
}

static void a_full_line_is_understood(void **state)
{
    struct bl_sim_options options;

    (void)state;
    assert_int_equal(
        parse("--trace t.swf --slots 64 --format swf --policy easy:order=shortest "
              "--round 5m --seed 3 --waits w --log l --json --lenient --verbose --bound --eta",
              &options, NULL),
        BL_OK);
    assert_string_equal(options.trace_path, "t.swf");
    assert_int_equal(options.slots, 64);
    assert_string_equal(options.format->name, "swf");
    assert_int_equal(options.policies.count, 1);
    assert_string_equal(options.policies.at[0].text, "easy:order=shortest");
    assert_int_equal(options.round, 5 * BL_MINUTE);
    assert_true(options.as_json && options.lenient && options.verbose && options.with_bound &&
                options.with_eta);
    bl_sim_options_finish(&options);
}

static void what_is_not_said_has_a_default(void **state)
{
    struct bl_sim_options options;

    (void)state;
    assert_int_equal(parse("--trace t", &options, NULL), BL_OK);
    assert_null(options.format);
    assert_int_equal(options.input, BL_SIM_TRACE);
    assert_int_equal(options.round, 0);
    assert_string_equal(options.policies.at[0].text, "easy");
    assert_string_equal(options.policies.at[0].choice.policy->name, "easy");
    bl_sim_options_finish(&options);
}

static void policies_keep_their_order(void **state)
{
    struct bl_sim_options options;

    (void)state;
    assert_int_equal(parse("--policy fifo --policy easy --trace t", &options, NULL), BL_OK);
    assert_string_equal(options.policies.at[0].text, "fifo");
    assert_string_equal(options.policies.at[1].text, "easy");
    bl_sim_options_finish(&options);
}

static const struct {
    const char *line;
    const char *message; /* its beginning */
    const char *hint;    /* NULL = any */
} mistakes[] = {
    {"", "no log was given", "give --trace FILE, or --trace - for standard input"},
    {"--policy easy", "no log was given", NULL},
    {"--trace", "--trace needs a value", NULL},
    {"--polcy easy --trace t", "unknown option '--polcy'", "did you mean --policy?"},
    {"-x --trace t", "unknown option '-x'", "see --help"},
    {"--trace t extra", "unexpected argument 'extra'", "give the log as --trace FILE"},
    {"--trace t --policy esay", "--policy: unknown policy 'esay'", NULL},
    {"--trace t --policy easy:ordr=fcfs", "--policy: ", NULL},
    {"--trace t --format swff", "--format: unknown format 'swff'", "did you mean swf?"},
    {"--trace t --format swf:x=1", "--format: the format swf has no options, found 'x=1'", NULL},
    {"--trace t --slots 0", "--slots: expected a whole number from 1 to 16777216, found '0'", NULL},
    {"--trace t --slots many", "--slots: expected a whole number, found 'many'", NULL},
    {"--trace t --slots 4 --cluster c", "--cluster and --slots both describe the machine", NULL},
    {"--trace t --round 0", "--round: expected a time above 0, found '0'", NULL},
    {"--trace t --round often", "--round: ", "write 'event' or a time like 5m"},
    {"--trace t --seed -1", "--seed: ", NULL},
    {"--trace t --policy easy --policy fifo --waits w", "--waits and --log take one --policy",
     NULL},
    {"--trace - --policy easy --policy fifo", "standard input can be read once", NULL},
    {"--trace t --format journal --eta", "--format journal repeats what happened", NULL},
    {"--trace t --profiles d", "--profiles goes with formats whose jobs are profiled",
     "name one: --format sia or --format pollux"},
    {"--trace t --format sia", "--format sia does not say how fast its jobs are",
     "give --profiles DIR"},
    {"--trace t --format pollux --profiles d --round event",
     "--format pollux is timed in rounds, found --round event", NULL},
    {"--trace t --format journal --profiles d", "--format journal repeats what happened", NULL},
    {"--trace t --check", "--check needs --format journal", NULL},
    {"--trace t --format journal --policy easy --check", "--check and --log compare with", NULL},
    {"--trace t --format journal --policy easy --log l", "--check and --log compare with", NULL},
    {"--trace t --format journal --policy easy --round 5m", "--format journal repeats what", NULL},
    {"--trace t --format journal --bound", "--format journal repeats what happened", NULL},
    {"--trace t --format journal --oracle", "--format journal repeats what happened", NULL},
};

static void mistakes_are_told_with_the_way_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct bl_sim_options options;
        struct bl_error err = {0};
        int status = parse(mistakes[i].line, &options, &err);

        if (status == BL_OK ||
            strncmp(err.text, mistakes[i].message, strlen(mistakes[i].message)) != 0 ||
            (mistakes[i].hint && strcmp(err.hint, mistakes[i].hint) != 0)) {
            fail_msg("'%s' gave: %s | %s", mistakes[i].line, err.text, err.hint);
        }
        bl_sim_options_finish(&options);
    }
}

static void tasks_need_no_log(void **state)
{
    static const struct {
        const char *line;
        enum bl_sim_task task;
    } rows[] = {
        {"--help", BL_SIM_HELP},
        {"-h", BL_SIM_HELP},
        {"--version", BL_SIM_VERSION},
        {"--list-policies", BL_SIM_LIST_POLICIES},
        {"--list-formats --json", BL_SIM_LIST_FORMATS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_sim_options options;

        assert_int_equal(parse(rows[i].line, &options, NULL), BL_OK);
        assert_int_equal(options.task, rows[i].task);
        bl_sim_options_finish(&options);
    }
}

static void the_help_shows_examples(void **state)
{
    BL_AUTO_BUF help = {0};

    (void)state;
    bl_sim_options_print_help(&help);
    assert_non_null(strstr(bl_buf_text(&help), "Examples:\n  baleen sim --trace"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_line_is_understood),
        cmocka_unit_test(what_is_not_said_has_a_default),
        cmocka_unit_test(policies_keep_their_order),
        cmocka_unit_test(mistakes_are_told_with_the_way_out),
        cmocka_unit_test(tasks_need_no_log),
        cmocka_unit_test(the_help_shows_examples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
