#include "form/jobspec_parts.h"

#include <string.h>

enum { SHEBANG_WORDS_MAX = 8 };

static int refuse_second_command(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (reader->out->launch.argv) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected command or run, found both");
    }
    return BL_OK;
}

static int check_arguments(const struct bl_job_reader *reader, const struct bl_tree *list)
{
    size_t total = 0;

    for (size_t i = 0; i < list->child_count; i++) {
        const struct bl_tree *at = &list->child[i];
        const char *text = NULL;
        int status = bl_tree_read_text(&reader->in, at, &text);

        if (status != BL_OK) {
            return status;
        }
        total += strlen(text) + 1;
        if (strlen(text) >= BL_LAUNCH_ARG_BYTES_MAX) {
            return bl_tree_fail_size(&reader->in, at, "an argument", BL_LAUNCH_ARG_BYTES_MAX);
        }
        if (total > BL_LAUNCH_BYTES_MAX) {
            return bl_tree_fail_size(&reader->in, at, "the command", BL_LAUNCH_BYTES_MAX);
        }
    }
    return BL_OK;
}

int bl_job_read_command(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_launch *launch = &reader->out->launch;
    int status = refuse_second_command(reader, at);

    if (status != BL_OK || reader->use == BL_JOBSPEC_TRACE) {
        return status;
    }
    if (at->kind != BL_TREE_LIST) {
        return bl_tree_fail_kind(
            &reader->in, at, "a list like [python3, train.py] (run takes the text of a script)");
    }
    if (at->child_count > BL_LAUNCH_ARGS_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected at most %d arguments, found %zu", BL_LAUNCH_ARGS_MAX,
                            at->child_count);
    }
    if (at->child_count == 0 || (at->child[0].kind == BL_TREE_SCALAR && !at->child[0].text[0])) {
        return bl_tree_fail(reader->in.source, at, reader->in.err, "expected a program to run");
    }
    status = check_arguments(reader, at);
    if (status != BL_OK) {
        return status;
    }
    launch->argc = at->child_count;
    launch->argv = bl_arena_alloc(reader->in.arena, (launch->argc + 1) * sizeof *launch->argv);
    for (size_t i = 0; i < launch->argc; i++) {
        launch->argv[i] = bl_arena_copy_text(reader->in.arena, at->child[i].text);
    }
    return BL_OK;
}

/* The words of the line "#! …" in the arena; 0 when there are none or too many. */
static size_t split_shebang(struct bl_arena *arena, const char *text,
                            char *words[SHEBANG_WORDS_MAX])
{
    static const char blanks[] = " \t\r";
    size_t length = strcspn(text, "\n");
    size_t count = 0;
    char *line = bl_arena_alloc(arena, length + 1);

    memcpy(line, text, length);
    for (;;) {
        line += strspn(line, blanks);
        if (!*line) {
            return count;
        }
        if (count == SHEBANG_WORDS_MAX) {
            return 0;
        }
        words[count++] = line;
        line += strcspn(line, blanks);
        if (*line) {
            *line++ = '\0';
        }
    }
}

static bool is_shell(const char *path)
{
    static const char *const shells[] = {"sh", "bash", "dash", "zsh", "ksh"};
    const char *slash = strrchr(path, '/');

    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (!strcmp(slash ? slash + 1 : path, shells[i])) {
            return true;
        }
    }
    return false;
}

static bool is_shell_line(char *const *words, size_t count)
{
    static const char *const env = "/usr/bin/env";

    if (count > 1 && !strcmp(words[0], env)) {
        return is_shell(words[1]);
    }
    return count > 0 && words[0][0] == '/' && is_shell(words[0]);
}

/* The interpreter's words, then "-c" and the text: no file has to be written for it. */
static int set_script(const struct bl_job_reader *reader, const struct bl_tree *at,
                      const char *text)
{
    struct bl_launch *launch = &reader->out->launch;
    char *words[SHEBANG_WORDS_MAX] = {NULL};
    size_t count = 1;

    words[0] = bl_arena_copy_text(reader->in.arena, "/bin/sh");
    if (!strncmp(text, "#!", 2)) {
        count = split_shebang(reader->in.arena, text + 2, words);
        if (!is_shell_line(words, count)) {
            bl_tree_fail(reader->in.source, at, reader->in.err,
                         "expected a script for sh, bash, dash, zsh or ksh, found '%.*s'",
                         (int)(strcspn(text, "\r\n") < 100 ? strcspn(text, "\r\n") : 100), text);
            return bl_error_set_hint(reader->in.err,
                                     "write the script to a file and name it in command");
        }
    }
    launch->argv = bl_arena_alloc(reader->in.arena, (count + 3) * sizeof *launch->argv);
    memcpy(launch->argv, words, count * sizeof *words);
    launch->argv[count] = bl_arena_copy_text(reader->in.arena, "-c");
    launch->argv[count + 1] = bl_arena_copy_text(reader->in.arena, text);
    launch->argc = count + 2;
    return BL_OK;
}

int bl_job_read_run(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    const char *text = NULL;
    int status = refuse_second_command(reader, at);

    if (status != BL_OK || reader->use == BL_JOBSPEC_TRACE) {
        return status;
    }
    status = bl_tree_read_text(&reader->in, at, &text);
    if (status != BL_OK) {
        return status;
    }
    if (strlen(text) >= BL_LAUNCH_ARG_BYTES_MAX) {
        return bl_tree_fail_size(&reader->in, at, "the script", BL_LAUNCH_ARG_BYTES_MAX);
    }
    if (!text[strspn(text, " \t\r\n")]) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected the text of a script, found nothing but blanks");
    }
    return set_script(reader, at, text);
}

static int read_path(const struct bl_job_reader *reader, const struct bl_tree *at, char **out)
{
    const char *text = NULL;
    int status = bl_tree_read_text(&reader->in, at, &text);

    if (status != BL_OK) {
        return status;
    }
    if (!*text) {
        return bl_tree_fail(reader->in.source, at, reader->in.err, "expected a path, found ''");
    }
    if (strlen(text) >= BL_LAUNCH_PATH_MAX) {
        return bl_tree_fail_size(&reader->in, at, "the path", BL_LAUNCH_PATH_MAX - 1);
    }
    *out = bl_arena_copy_text(reader->in.arena, text);
    return BL_OK;
}

int bl_job_read_workdir(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    char *path = NULL;
    int status = read_path(reader, at, &path);

    if (path && path[0] != '/' && reader->use == BL_JOBSPEC_LIVE) {
        return bl_tree_fail_kind(&reader->in, at, "an absolute path");
    }
    reader->out->launch.workdir = path;
    return status;
}

int bl_job_read_log(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    char *pattern = NULL;
    int status = read_path(reader, at, &pattern);

    if (!pattern) {
        return status;
    }
    for (const char *c = strchr(pattern, '%'); c; c = strchr(c + 2, '%')) {
        if (!c[1] || !strchr(BL_LAUNCH_LOG_LETTERS, c[1])) {
            return bl_tree_fail_kind(&reader->in, at,
                                     "a path with %x, %j, %r, %u, %N and %% alone");
        }
    }
    reader->out->launch.log_pattern = pattern;
    return BL_OK;
}
