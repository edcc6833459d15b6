#include "form/jobspec_parts.h"

#include <stdlib.h>
#include <string.h>

#define SCRIPT_NAME "script"

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

/* A text that says what reads it is run from a file; any other one goes to the shell at once. The
 * arguments come behind later. */
static int set_script(const struct bl_job_reader *reader, const char *text)
{
    struct bl_arena *arena = reader->in.arena;
    struct bl_launch *launch = &reader->out->launch;
    char *copy = bl_arena_copy_text(arena, text);

    launch->argv = bl_arena_alloc(arena, 4 * sizeof *launch->argv);
    if (!strncmp(text, "#!", 2)) {
        launch->script = copy;
        launch->argv[launch->argc++] = bl_arena_copy_text(arena, SCRIPT_NAME);
        return BL_OK;
    }
    launch->argv[launch->argc++] = bl_arena_copy_text(arena, "/bin/sh");
    launch->argv[launch->argc++] = bl_arena_copy_text(arena, "-c");
    launch->argv[launch->argc++] = copy;
    return BL_OK;
}

static int check_shebang(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    const char *word = at->text + 2 + strspn(at->text + 2, " \t");
    size_t length = strcspn(word, "\n");

    if (*word != '/') {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected '#!' and the path of an interpreter in the first line, like "
                            "#!/bin/bash");
    }
    if (length && word[length - 1] == '\r') {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "the lines of the script end in CR LF: no interpreter would be found");
    }
    return BL_OK;
}

int bl_job_read_run(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    const char *text = NULL;
    int status = refuse_second_command(reader, at);
    bool is_file;
    size_t most;

    if (status != BL_OK || reader->use == BL_JOBSPEC_TRACE) {
        return status;
    }
    status = bl_tree_read_text(&reader->in, at, &text);
    if (status != BL_OK) {
        return status;
    }
    is_file = !strncmp(text, "#!", 2);
    most = is_file ? BL_LAUNCH_SCRIPT_MAX : BL_LAUNCH_ARG_BYTES_MAX;
    if (strlen(text) >= most) {
        return bl_tree_fail_size(&reader->in, at, "the script", most);
    }
    if (!text[strspn(text, " \t\r\n")]) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected the text of a script, found nothing but blanks");
    }
    status = is_file ? check_shebang(reader, at) : BL_OK;
    return status == BL_OK ? set_script(reader, text) : status;
}

static int check_argument_list(const struct bl_job_reader *reader, const struct bl_tree *map,
                               const struct bl_tree *list)
{
    size_t most = BL_LAUNCH_ARGS_MAX - reader->out->launch.argc - 1;

    if (!bl_tree_given(map, "run")) {
        return bl_tree_fail(reader->in.source, list, reader->in.err,
                            "arguments are for run: write them into command");
    }
    if (list->kind != BL_TREE_LIST) {
        return bl_tree_fail_kind(&reader->in, list, "a list like [--epochs, 3]");
    }
    if (list->child_count > most) {
        return bl_tree_fail(reader->in.source, list, reader->in.err,
                            "expected at most %zu arguments, found %zu", most, list->child_count);
    }
    return check_arguments(reader, list);
}

int bl_job_read_arguments(const struct bl_job_reader *reader, const struct bl_tree *map)
{
    const struct bl_tree *list = bl_tree_given(map, "arguments");
    struct bl_launch *launch = &reader->out->launch;
    bool is_resumed = launch->resume && bl_tree_given(map, "run");
    size_t listed = list ? list->child_count : 0;
    size_t count = launch->argc;
    char **argv;
    int status = list ? check_argument_list(reader, map, list) : BL_OK;

    if (status != BL_OK || (!list && !is_resumed)) {
        return status;
    }
    argv = bl_arena_alloc(reader->in.arena, (count + listed + 2) * sizeof *argv);
    memcpy(argv, launch->argv, count * sizeof *argv);
    if (!launch->script) {
        argv[count++] = bl_arena_copy_text(reader->in.arena, SCRIPT_NAME); /* the shell's $0 */
    }
    for (size_t i = 0; i < listed; i++) {
        argv[count++] = bl_arena_copy_text(reader->in.arena, list->child[i].text);
    }
    launch->argv = argv;
    launch->argc = count;
    return BL_OK;
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

static int read_pattern(const struct bl_job_reader *reader, const struct bl_tree *at, char **out)
{
    char *pattern = NULL;
    int status = read_path(reader, at, &pattern);

    if (pattern && !bl_launch_pattern_is_good(pattern)) {
        return bl_tree_fail_kind(&reader->in, at, "a path with " BL_LAUNCH_LOG_WORDS " alone");
    }
    *out = pattern;
    return status;
}

int bl_job_read_log(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return read_pattern(reader, at, &reader->out->launch.log_pattern);
}

int bl_job_read_error(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return read_pattern(reader, at, &reader->out->launch.error_pattern);
}

/* "0027", as a shell says it. */
int bl_job_read_umask(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    const char *text = at->kind == BL_TREE_SCALAR ? at->text : "";
    size_t digits = strspn(text, "01234567");
    long value = strtol(text, NULL, 8);

    if (!digits || text[digits] || digits > 4 || value > BL_LAUNCH_UMASK_MAX) {
        return bl_tree_fail_kind(&reader->in, at, "an octal number from 000 to 777, like 0022");
    }
    reader->out->launch.has_umask = true;
    reader->out->launch.umask = (int32_t)value;
    return BL_OK;
}
