#include "cli/flags.h"

#include "base/buf.h"
#include "base/units.h"
#include "bl_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 16 };

static const struct bl_flag rows_of_flags[] = {
    {"gpus", 'g', BL_TAKES_VALUE, 'g', "N", BL_SAY_FLAG_JOB_GPUS},
    {"gpu-type", 0, BL_TAKES_VALUE, 't', "T", BL_SAY_FLAG_JOB_GPU_TYPE},
    {"wait", 'w', BL_TAKES_NOTHING, 'w', NULL, BL_SAY_FLAG_WAIT},
    {"watch", 0, BL_TAKES_NUMBER_MAYBE, 'l', "SECONDS", BL_SAY_FLAG_Q_WATCH},
    {0},
};

/* Writes "g=4 w" down. */
static int note(void *self, int key, const char *value, struct bl_error *err)
{
    struct bl_buf *out = self;
    int64_t number = 0;

    if (key == 'g' && bl_int_parse(value, 0, 64, &number, err)) {
        return BL_EINVAL;
    }
    bl_buf_printf(out, "%c%s%s ", key, value ? "=" : "", value ? value : "");
    return BL_OK;
}

/* Splits `line` at blanks, reads it, and tells what came: flags, then "|", then the words. */
static int read_line(const char *line, enum bl_flags_order order, struct bl_buf *out,
                     struct bl_error *err)
{
    char text[128];
    char *argv[WORDS_MAX] = {text};
    int argc = 1;
    int first = 0;
    const struct bl_flags flags = {"verb", rows_of_flags, order, note, out};
    int status;

    snprintf(text, sizeof text, "%s", line);
    for (char *at = text; (at = strchr(at, ' '));) {
        *at++ = '\0';
        argv[argc++] = at;
    }
    status = bl_flags_read(&flags, argc, argv, &first, err);
    bl_buf_append_text(out, "|");
    for (int i = first; !status && i < argc; i++) {
        bl_buf_printf(out, " %s", argv[i]);
    }
    return status;
}

static void flags_are_told_from_the_command_and_its_flags(void **state)
{
    static const char *const rows[][2] = {
        {"v -- python x.py -w", "| python x.py -w"},
        {"v python x.py -w", "| python x.py -w"},
        {"v -w --gpus 2 python --gpus 9", "w g=2 | python --gpus 9"},
        {"v -g4 -w -- -x", "g=4 w | -x"},
        {"v --gpus=4", "g=4 |"},
        {"v", "|"},
        {"v --wai -- a", "w | a"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        BL_AUTO_BUF out = {0};

        if (read_line(rows[i][0], BL_FLAGS_IN_FRONT, &out, &err)) {
            fail_msg("'%s': %s", rows[i][0], err.text);
        }
        assert_string_equal(bl_buf_text(&out), rows[i][1]);
    }
}

static void elsewhere_flags_may_follow_the_words(void **state)
{
    static const char *const rows[][2] = {
        {"v 7 -w 9", "w | 7 9"},      {"v --watch", "l |"},     {"v --watch 5", "l=5 |"},
        {"v --watch=0.5", "l=0.5 |"}, {"v --watch x", "l | x"}, {"v 7 -- -w", "| 7 -w"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        BL_AUTO_BUF out = {0};

        if (read_line(rows[i][0], BL_FLAGS_ANYWHERE, &out, &err)) {
            fail_msg("'%s': %s", rows[i][0], err.text);
        }
        assert_string_equal(bl_buf_text(&out), rows[i][1]);
    }
}

static void wrong_flags_are_named_with_the_way_out(void **state)
{
    static const char *const rows[][3] = {
        {"v --gpsu 4", "no flag '--gpsu'", "did you mean --gpus?"},
        {"v --zzzzzzzz", "no flag '--zzzzzzzz'", "verb --help"},
        {"v -z", "no flag '-z'", "verb --help"},
        {"v --gpus", "--gpus needs a value: N", ""},
        {"v -g", "--gpus needs a value: N", ""},
        {"v --gpu 4", "'--gpu' could mean several", "write it out"},
        {"v --wait=3", "--wait takes no value", ""},
        {"v --gpus four", "--gpus: expected a whole number, found 'four'", ""},
        {"v --gpus 99", "--gpus: expected a whole number from 0 to 64", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        BL_AUTO_BUF out = {0};

        if (read_line(rows[i][0], BL_FLAGS_IN_FRONT, &out, &err) != BL_EINVAL ||
            !strstr(err.text, rows[i][1]) || !strstr(err.hint, rows[i][2])) {
            fail_msg("'%s': '%s', hint '%s'", rows[i][0], err.text, err.hint);
        }
    }
}

static void the_help_has_a_line_for_each_flag(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    setenv("LC_ALL", "C", 1);
    bl_flags_print_help(&out, rows_of_flags);
    assert_string_equal(
        bl_buf_text(&out),
        "  -g, --gpus N                  GPUs: a number; of a range, the most are given\n"
        "      --gpu-type T              allowed types: A100,H100\n"
        "  -w, --wait                    wait for the end; pass on its exit code\n"
        "      --watch [SECONDS]         show it anew, until ^C; usually 2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_are_told_from_the_command_and_its_flags),
        cmocka_unit_test(elsewhere_flags_may_follow_the_words),
        cmocka_unit_test(wrong_flags_are_named_with_the_way_out),
        cmocka_unit_test(the_help_has_a_line_for_each_flag),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
