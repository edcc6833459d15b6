#include "form/launch.h"

#include "base/buf.h"
#include "base/own.h"
#include "core/predict_traits.h"

#include <string.h>

static char **copy_texts(char *const *texts, size_t count)
{
    char **copy = NULL;

    if (texts) {
        copy = bl_alloc_zero((count + 1) * sizeof *copy);
        for (size_t i = 0; i < count; i++) {
            copy[i] = bl_copy_text(texts[i]);
        }
    }
    return copy;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++) {
        free(texts[i]);
    }
    free(texts);
}

void bl_launch_copy(struct bl_launch *to, const struct bl_launch *from)
{
    *to = *from;
    to->argv = copy_texts(from->argv, from->argc);
    to->script = bl_copy_text(from->script);
    to->workdir = bl_copy_text(from->workdir);
    to->log_pattern = bl_copy_text(from->log_pattern);
    to->error_pattern = bl_copy_text(from->error_pattern);
    to->resume = bl_copy_text(from->resume);
    to->boot = bl_copy_text(from->boot);
    to->params.at = copy_texts(from->params.at, from->params.count);
    to->labels.at = copy_texts(from->labels.at, from->labels.count);
}

void bl_launch_finish(struct bl_launch *launch)
{
    free_texts(launch->argv, launch->argc);
    free_texts(launch->params.at, launch->params.count);
    free_texts(launch->labels.at, launch->labels.count);
    free(launch->script);
    free(launch->workdir);
    free(launch->log_pattern);
    free(launch->error_pattern);
    free(launch->resume);
    free(launch->boot);
    *launch = (struct bl_launch){0};
}

void bl_launch_clues(const struct bl_launch *launch, struct bl_clues *out)
{
    *out = (struct bl_clues){0};
    bl_clues_set_command(out, launch->argv, launch->argc);
    for (size_t i = 0; i < launch->params.count; i++) {
        bl_clues_add_param(out, launch->params.at[i]);
    }
}

/* What stands behind a '%': a letter, and before it the digits that a number is padded to. */
struct letter {
    char letter;
    int pad;
    size_t length; /* of both, without the '%' */
};

static struct letter read_letter(const char *text)
{
    struct letter letter = {.length = strspn(text, "0123456789")};

    for (size_t i = 0; i < letter.length && letter.pad <= BL_LAUNCH_PAD_MAX; i++) {
        letter.pad = letter.pad * 10 + (text[i] - '0');
    }
    if (letter.pad <= BL_LAUNCH_PAD_MAX) {
        letter.letter = text[letter.length++];
    }
    return letter;
}

bool bl_launch_pattern_is_good(const char *pattern)
{
    for (const char *at = strchr(pattern, '%'); at; at = strchr(at, '%')) {
        struct letter letter = read_letter(at + 1);

        if (!letter.letter || !strchr("xjAaruN%", letter.letter)) {
            return false;
        }
        at += 1 + letter.length;
    }
    return true;
}

/* A name as part of a path: it can neither leave its directory nor stand for one. */
static void append_name(struct bl_buf *out, const char *name)
{
    bool only_dots = name[strspn(name, ".")] == '\0';

    for (; *name; name++) {
        bl_buf_append_char(out, *name == '/' || only_dots ? '_' : *name);
    }
}

static void append_number(struct bl_buf *out, const struct letter *letter, int64_t number)
{
    bl_buf_printf(out, "%0*lld", letter->pad, (long long)number);
}

/* False when the letter stands for nothing. */
static bool append_expanded(struct bl_buf *out, const struct letter *letter,
                            const struct bl_log_names *names)
{
    switch (letter->letter) {
    case 'x':
        append_name(out, names->name ? names->name : "job");
        return true;
    case 'u':
        append_name(out, names->user ? names->user : "user");
        return true;
    case 'N':
        append_name(out, names->node ? names->node : "node");
        return true;
    case 'j':
        append_number(out, letter, names->id);
        return true;
    case 'A':
        append_number(out, letter, names->array_id ? names->array_id : names->id);
        return true;
    case 'a':
        append_number(out, letter, names->array_id ? names->array_index : 0);
        return true;
    case 'r':
        append_number(out, letter, names->attempt);
        return true;
    case '%':
        bl_buf_append_char(out, '%');
        return true;
    default:
        return false;
    }
}

static void append_path(struct bl_buf *out, const char *pattern, const char *workdir,
                        const struct bl_log_names *names)
{
    if (pattern[0] != '/' && workdir) {
        bl_buf_append_text(out, workdir);
        if (workdir[0] && workdir[strlen(workdir) - 1] != '/') {
            bl_buf_append_char(out, '/');
        }
    }
    while (*pattern) {
        struct letter letter = {0};

        if (*pattern == '%') {
            letter = read_letter(pattern + 1);
        }
        if (letter.letter && append_expanded(out, &letter, names)) {
            pattern += 1 + letter.length;
        } else {
            bl_buf_append_char(out, *pattern++);
        }
    }
}

void bl_launch_log_path(struct bl_buf *out, const struct bl_launch *launch,
                        const struct bl_log_names *names)
{
    append_path(out, launch->log_pattern ? launch->log_pattern : BL_LAUNCH_LOG_DEFAULT,
                launch->workdir, names);
}

bool bl_launch_error_path(struct bl_buf *out, const struct bl_launch *launch,
                          const struct bl_log_names *names)
{
    if (launch->error_pattern) {
        append_path(out, launch->error_pattern, launch->workdir, names);
    }
    return launch->error_pattern != NULL;
}
