#include "cli/flags.h"

#include "cli/text.h"
#include "form/tree.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { LONG_BASE = 1000, HELP_COLUMN = 32 };

/* The table in the two forms that getopt wants. */
struct prepared {
    struct option longs[BL_FLAGS_MAX + 1];
    char shorts[3 * BL_FLAGS_MAX + 3];
};

static void prepare(const struct bl_flags *flags, struct prepared *out)
{
    static const char *const colons[] = {"", ":", "::"};
    static const int arguments[] = {no_argument, required_argument, optional_argument};
    size_t used = 0;

    *out = (struct prepared){0};
    /* '+' ends at the first word that is no flag; ':' tells a missing value from a wrong flag */
    used += (size_t)snprintf(out->shorts, sizeof out->shorts,
                             "%s:", flags->order == BL_FLAGS_IN_FRONT ? "+" : "");
    for (int i = 0; flags->flag[i].name; i++) {
        const struct bl_flag *flag = &flags->flag[i];

        assert(i < BL_FLAGS_MAX);
        out->longs[i] = (struct option){flag->name, arguments[flag->takes], NULL, LONG_BASE + i};
        if (flag->letter) {
            used += (size_t)snprintf(out->shorts + used, sizeof out->shorts - used, "%c%s",
                                     flag->letter, colons[flag->takes]);
        }
    }
}

/* The row that getopt's answer stands for, or NULL. */
static const struct bl_flag *find_row(const struct bl_flag *flag, int code)
{
    for (int i = 0; flag[i].name; i++) {
        if (code == LONG_BASE + i || (code && code == flag[i].letter)) {
            return &flag[i];
        }
    }
    return NULL;
}

static int fail_unknown(const struct bl_flags *flags, const char *word, struct bl_error *err)
{
    const char *names[BL_FLAGS_MAX + 1] = {0};
    char name[64] = "";
    size_t length = strcspn(word + 2, "=");
    size_t alike = 0;
    const char *near;

    snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
    for (size_t i = 0; flags->flag[i].name; i++) {
        names[i] = flags->flag[i].name;
        alike += !strncmp(names[i], name, strlen(name));
    }
    if (alike > 1) {
        BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_FLAG_AMBIGUOUS, BL_T(name), BL_T(flags->verb));
        return BL_HINT_SAYING(err, BL_SAY_H_WRITE_OUT, BL_T(flags->verb));
    }
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NO_FLAG, BL_T(flags->verb), BL_T(name));
    near = bl_nearest_word(name, names);
    return near ? BL_HINT_SAYING(err, BL_SAY_H_MEANT_FLAG, BL_T(near))
                : BL_HINT_SAYING(err, BL_SAY_H_FLAGS, BL_T(flags->verb));
}

/* What getopt could not take: an unknown flag, or a value for a flag that has none. */
static int fail_flag(const struct bl_flags *flags, char *const *argv, struct bl_error *err)
{
    const struct bl_flag *row = find_row(flags->flag, optopt);
    const char letter[] = {(char)optopt, '\0'};

    if (row) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_FLAG_NO_VALUE, BL_T(row->name));
    }
    if (!optopt) {
        return fail_unknown(flags, argv[optind - 1], err);
    }
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NO_LETTER, BL_T(flags->verb), BL_T(letter));
    return BL_HINT_SAYING(
        err, flags->order == BL_FLAGS_IN_FRONT ? BL_SAY_H_FLAGS_IN_FRONT : BL_SAY_H_FLAGS,
        BL_T(flags->verb));
}

static bool is_number(const char *text)
{
    return text && *text && strspn(text, "0123456789.") == strlen(text);
}

static int set_flag(const struct bl_flags *flags, const struct bl_flag *row, int argc, char **argv,
                    struct bl_error *err)
{
    const char *value = optarg;
    int status;

    if (row->takes == BL_TAKES_NUMBER_MAYBE && !value && optind < argc && is_number(argv[optind])) {
        value = argv[optind++];
    }
    status = flags->set(flags->self, row->key, value, err);
    if (status && err && !err->field[0]) {
        char flag[BL_ERROR_FIELD_MAX];

        snprintf(flag, sizeof flag, "--%s", row->name);
        bl_wrap(err, "%s", flag);
        bl_error_set_field(err, flag);
    }
    return status;
}

int bl_flags_read(const struct bl_flags *flags, int argc, char **argv, int *first,
                  struct bl_error *err)
{
    struct prepared prepared;
    int status = BL_OK;

    prepare(flags, &prepared);
    optind = 0; /* glibc: start anew */
    opterr = 0;
    for (int code; !status;) {
        const struct bl_flag *row;

        code = getopt_long(argc, argv, prepared.shorts, prepared.longs, NULL);
        if (code == -1) {
            break;
        }
        row = find_row(flags->flag, code == ':' ? optopt : code);
        if (!row) {
            status = fail_flag(flags, argv, err);
        } else if (code == ':') {
            status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_FLAG_VALUE, BL_T(row->name),
                                    BL_T(row->value));
        } else {
            status = set_flag(flags, row, argc, argv, err);
        }
    }
    *first = optind;
    return status;
}

static void print_one(struct bl_buf *out, const struct bl_flag *flag)
{
    BL_AUTO_BUF left = {0};

    if (flag->letter) {
        bl_buf_printf(&left, "  -%c, ", flag->letter);
    } else {
        bl_buf_append_text(&left, "      ");
    }
    bl_buf_printf(&left, "--%s", flag->name);
    if (flag->takes != BL_TAKES_NOTHING) {
        bl_buf_printf(&left, flag->takes == BL_TAKES_VALUE ? " %s" : " [%s]", flag->value);
    }
    do {
        bl_buf_append_char(&left, ' ');
    } while (bl_text_width(bl_buf_text(&left)) < HELP_COLUMN);
    bl_buf_append_text(out, bl_buf_text(&left));
    bl_say(out, flag->help);
    bl_buf_append_char(out, '\n');
}

void bl_flags_print_help(struct bl_buf *out, const struct bl_flag *flag)
{
    for (; flag->name; flag++) {
        print_one(out, flag);
    }
}
