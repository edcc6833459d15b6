#include "form/lines.h"
#include "form/script_parts.h"
#include "form/script_words.h"
#include "form/tree_make.h"
#include "form/tree_read.h"

#include <string.h>

static const char sbatch_mark[] = "#SBATCH";
static const char baleen_mark[] = "#BALEEN";

struct line {
    const char *text;
    size_t length; /* without its end */
};

/* The line at *at, and steps behind it; false at the end. */
static bool next_line(const char **at, struct line *out)
{
    if (!**at) {
        return false;
    }
    out->text = *at;
    out->length = strcspn(*at, "\n");
    *at += out->length + ((*at)[out->length] == '\n');
    return true;
}

static bool starts_with(const struct line *line, const char *mark)
{
    size_t length = strlen(mark);

    return line->length >= length && !memcmp(line->text, mark, length);
}

/* Neither empty nor a comment. */
static bool is_command(const struct line *line)
{
    size_t blanks = strspn(line->text, " \t\r\v\f");

    return blanks < line->length && line->text[blanks] != '#';
}

static int check_bytes(struct bl_script_reader *reader, const char *bytes, size_t length)
{
    if (length > BL_LAUNCH_SCRIPT_MAX - 1) {
        bl_fail(reader->err, BL_ETOOBIG, "%s: larger than %d bytes", reader->name,
                BL_LAUNCH_SCRIPT_MAX - 1);
        return BL_ETOOBIG;
    }
    if (memchr(bytes, '\0', length)) {
        return bl_fail(reader->err, BL_EINVAL, "%s: expected a script, found zero bytes in it",
                       reader->name);
    }
    if (!bl_is_utf8(bytes, length)) {
        bl_fail(reader->err, BL_EINVAL, "%s: expected UTF-8 text", reader->name);
        return bl_error_set_hint(reader->err, "convert it: iconv -f GB18030 -t UTF-8 FILE");
    }
    return BL_OK;
}

static bool is_python(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && strcmp(dot, ".py") == 0;
}

static int check_first_line(struct bl_script_reader *reader, const char *text)
{
    BL_AUTO_BUF found = {0};
    struct line line = {text, strcspn(text, "\r\n")};
    size_t blanks = 2;

    if (starts_with(&line, "#!")) {
        blanks += strspn(text + 2, " \t");
        if (text[blanks] == '/') {
            return BL_OK;
        }
    }
    bl_print_found(&found, line.text, line.length);
    bl_fail(reader->err, BL_EINVAL,
            "%s:1: expected '#!' and the path of an interpreter, found '%s'", reader->name,
            bl_buf_text(&found));
    return bl_error_set_hint(reader->err, "begin the script with %s",
                             is_python(reader->name) ? "#!/usr/bin/env python3" : "#!/bin/bash");
}

/* A copy without the CR of each CR LF. */
static char *drop_returns(struct bl_arena *arena, const char *text)
{
    char *copy = bl_arena_copy_text(arena, text);
    char *to = copy;

    for (const char *at = text; *at; at++) {
        if (at[0] != '\r' || at[1] != '\n') {
            *to++ = *at;
        }
    }
    *to = '\0';
    return copy;
}

/* The text to run, with zero behind it. */
static int read_text(struct bl_script_reader *reader, const char **out)
{
    const struct bl_script_request *request = reader->request;
    char *text;
    int status = check_bytes(reader, request->bytes, request->length);

    if (status != BL_OK) {
        return status;
    }
    text = bl_arena_alloc(reader->arena, request->length + 1);
    memcpy(text, request->bytes, request->length);
    status = check_first_line(reader, text);
    if (status == BL_OK && text[strcspn(text, "\n")] && text[strcspn(text, "\n") - 1] == '\r') {
        text = drop_returns(reader->arena, text);
        reader->line = 1;
        bl_script_warn(reader, "the lines end in CR LF; the job runs with LF");
    }
    *out = text;
    return status;
}

static int read_directive(struct bl_script_reader *reader, const struct line *line)
{
    bool is_sbatch = starts_with(line, sbatch_mark);
    size_t mark = strlen(is_sbatch ? sbatch_mark : baleen_mark);
    struct bl_script_words words = {0};
    struct bl_error cause = {0};

    if (bl_script_words_split(line->text + mark, line->length - mark, reader->arena, &words,
                              &cause) != BL_OK) {
        return bl_script_fail(reader, "%s", cause.text);
    }
    if (!is_sbatch) {
        return bl_script_flags_read(reader, &bl_script_baleen_flags, words.at);
    }
    reader->slurm.is_used = true;
    if (words.count && (!strcmp(words.at[0], "hetjob") || !strcmp(words.at[0], "packjob"))) {
        return bl_script_fail(reader,
                              "jobs of several parts are not supported by this version yet");
    }
    return bl_script_flags_read(reader, &bl_script_sbatch_flags, words.at);
}

/* Flags behind the first command are text: as sbatch, but said. */
static void warn_about_late_flags(struct bl_script_reader *reader, const char *at)
{
    struct line line;

    while (next_line(&at, &line)) {
        reader->line++;
        if (starts_with(&line, sbatch_mark) || starts_with(&line, baleen_mark)) {
            bl_script_warn(reader, "%.7s behind the first command is not read", line.text);
            return;
        }
    }
}

static int read_lines(struct bl_script_reader *reader, const char *text)
{
    struct line line;
    int status = BL_OK;

    reader->line = 0;
    while (status == BL_OK && next_line(&text, &line)) {
        reader->line++;
        if (is_command(&line)) {
            warn_about_late_flags(reader, text);
            return BL_OK;
        }
        if (starts_with(&line, sbatch_mark) || starts_with(&line, baleen_mark)) {
            status = read_directive(reader, &line);
        }
    }
    return status;
}

static int read_command_line(struct bl_script_reader *reader)
{
    const struct bl_script_request *request = reader->request;
    bool is_sbatch = request->dialect == BL_SCRIPT_SBATCH;

    reader->place = "command line";
    reader->line = 0;
    if (!request->words) {
        return BL_OK;
    }
    reader->slurm.is_used = reader->slurm.is_used || is_sbatch;
    return bl_script_flags_read(
        reader, is_sbatch ? &bl_script_sbatch_flags : &bl_script_baleen_flags, request->words);
}

/* The script, or what --wrap makes one. */
static int choose_text(struct bl_script_reader *reader, const char **text)
{
    if (reader->request->bytes) {
        return BL_OK;
    }
    if (!reader->wrap) {
        return bl_fail(reader->err, BL_EINVAL, "expected a script");
    }
    *text = bl_script_print(reader, "#!/bin/sh\n# made by --wrap\n\n%s\n", reader->wrap);
    return BL_OK;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static void offer(struct bl_script_reader *reader, const char *key, const char *value)
{
    if (!bl_tree_find(reader->job, key)) {
        bl_script_set(reader, key, value);
    }
}

/* What sbatch takes where nothing is said. */
static void set_defaults(struct bl_script_reader *reader)
{
    const struct bl_script_request *request = reader->request;
    const char *no_name = reader->wrap ? "wrap" : "script";

    reader->line = 0;
    offer(reader, "name", request->name ? last_part(request->name) : no_name);
    offer(reader, "workdir", request->directory);
    if (reader->slurm.is_used) {
        offer(reader, "log",
              bl_tree_find(reader->job, "array") ? "slurm-%A_%a.out" : "slurm-%j.out");
        offer(reader, "requeue", "yes");
        bl_script_set(reader, "slurm_env", "yes");
        bl_script_tell(reader, "SLURM_SUBMIT_DIR", request->directory);
    }
}

static void put_words(struct bl_script_reader *reader, struct bl_tree *job)
{
    struct bl_tree *list = bl_tree_create(reader->arena, BL_TREE_LIST);

    for (const char *const *word = reader->request->arguments; word && *word; word++) {
        bl_tree_append_text(reader->arena, list, *word, 0);
    }
    if (list->child_count) {
        bl_tree_put(reader->arena, job, "arguments", list, 0);
    }
}

/* A map of one key, for values that stand a level deeper in a job file. */
static void put_inside(struct bl_script_reader *reader, struct bl_tree *job, const char *key,
                       const char *inner, const struct bl_tree *value)
{
    struct bl_tree *map = bl_tree_create(reader->arena, BL_TREE_MAP);

    bl_tree_put(reader->arena, map, inner, value, value->line);
    bl_tree_put(reader->arena, job, key, map, value->line);
}

/* Where a key comes from, in the order in which a job file is written. */
static const struct {
    const char *key;    /* in the job file */
    const char *inner;  /* its one key, when it is a map of one */
    const char *source; /* key of reader->job */
} job_order[] = {
    {"name", NULL, "name"},
    {"project", NULL, "project"},
    {"class", NULL, "class"},
    {"kind", NULL, "kind"},
    {"pool", NULL, "pool"},
    {"resources", NULL, "resources"},
    {"time", "limit", "limit"},
    {"array", NULL, "array"},
    {"after", NULL, "after"},
    {"not_before", NULL, "not_before"},
    {"priority", NULL, "priority"},
    {"requeue", NULL, "requeue"},
    {"retries", NULL, "retries"},
    {"reservation", NULL, "reservation"},
    {"promise", NULL, "promise"},
    {"hold", NULL, "hold"},
    {"checkpoint", "signal", "signal"},
    {"params", NULL, "params"},
    {"labels", NULL, "labels"},
    {"env", NULL, "env"},
    {"inherit_env", NULL, "inherit_env"},
    {"slurm_env", NULL, "slurm_env"},
    {"workdir", NULL, "workdir"},
    {"log", NULL, "log"},
    {"error", NULL, "error"},
};

static void put_collections(struct bl_script_reader *reader)
{
    struct bl_arena *arena = reader->arena;
    const struct {
        struct bl_tree *into;
        const char *key;
        const struct bl_tree *value;
    } rows[] = {
        {reader->resources, "gpu", reader->gpu}, {reader->job, "resources", reader->resources},
        {reader->job, "after", reader->after},   {reader->job, "params", reader->params},
        {reader->job, "labels", reader->labels}, {reader->job, "env", reader->env}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value->child_count) {
            bl_tree_put(arena, rows[i].into, rows[i].key, rows[i].value,
                        rows[i].value->child[0].line);
        }
    }
}

/* Standard error that goes to the log's path goes to the log. */
static bool is_log_again(const struct bl_tree *job, const struct bl_tree *value)
{
    const struct bl_tree *log = bl_tree_find(job, "log");

    return log && log->text && value->text && !strcmp(log->text, value->text);
}

static struct bl_tree *make_job_file(struct bl_script_reader *reader, const char *text)
{
    struct bl_tree *job = bl_tree_create(reader->arena, BL_TREE_MAP);

    put_collections(reader);
    for (size_t i = 0; i < sizeof job_order / sizeof job_order[0]; i++) {
        const struct bl_tree *value = bl_tree_given(reader->job, job_order[i].source);

        if (!value || (!strcmp(job_order[i].key, "error") && is_log_again(job, value))) {
            continue;
        }
        if (job_order[i].inner) {
            put_inside(reader, job, job_order[i].key, job_order[i].inner, value);
        } else {
            bl_tree_put(reader->arena, job, job_order[i].key, value, value->line);
        }
    }
    put_words(reader, job);
    bl_tree_put_text(reader->arena, job, "run", text, 0);
    return job;
}

static int finish(struct bl_script_reader *reader, const char *text, struct bl_script *out)
{
    struct bl_script script = {.parsable = reader->parsable,
                               .test_only = reader->test_only,
                               .wait = reader->wait,
                               .warning_count = reader->warnings.count};
    struct bl_tree_source source = {reader->name, NULL, 0};
    int status = bl_script_finish_slurm(reader);

    if (status != BL_OK) {
        return status;
    }
    set_defaults(reader);
    script.tree = make_job_file(reader, text);
    status = bl_jobspec_read(&source, script.tree, BL_JOBSPEC_LIVE, reader->arena, &script.job,
                             reader->err);
    if (status != BL_OK) {
        return status;
    }
    script.warning =
        bl_arena_alloc(reader->arena, (script.warning_count + 1) * sizeof *script.warning);
    for (size_t i = 0; i < script.warning_count; i++) {
        script.warning[i] = reader->warnings.at[i];
    }
    *out = script;
    return BL_OK;
}

static int read_script(struct bl_script_reader *reader, struct bl_script *out)
{
    const char *text = NULL;
    int status = BL_OK;

    if (reader->request->bytes) {
        status = read_text(reader, &text);
        if (status == BL_OK) {
            status = read_lines(reader, text);
        }
    }
    if (status == BL_OK) {
        status = read_command_line(reader);
    }
    if (status == BL_OK) {
        status = choose_text(reader, &text);
    }
    return status == BL_OK ? finish(reader, text, out) : status;
}

static bool are_utf8(const char *const *words)
{
    for (; words && *words; words++) {
        if (!bl_is_utf8(*words, strlen(*words))) {
            return false;
        }
    }
    return true;
}

static int check_request(const struct bl_script_request *request, struct bl_error *err)
{
    const char *const texts[] = {request->directory, request->name, NULL};

    if (!are_utf8(texts) || !are_utf8(request->arguments) || !are_utf8(request->words)) {
        return bl_fail(err, BL_EINVAL,
                       "expected UTF-8 in the script's name, its directory, its arguments and "
                       "flags");
    }
    return BL_OK;
}

int bl_script_read(const struct bl_script_request *request, struct bl_arena *arena,
                   struct bl_script *out, struct bl_error *err)
{
    const char *name = request->name ? request->name : "standard input";
    struct bl_script_reader reader = {.request = request,
                                      .name = name,
                                      .place = name,
                                      .arena = arena,
                                      .err = err,
                                      .job = bl_tree_create(arena, BL_TREE_MAP),
                                      .resources = bl_tree_create(arena, BL_TREE_MAP),
                                      .gpu = bl_tree_create(arena, BL_TREE_MAP),
                                      .env = bl_tree_create(arena, BL_TREE_MAP),
                                      .params = bl_tree_create(arena, BL_TREE_MAP),
                                      .labels = bl_tree_create(arena, BL_TREE_MAP),
                                      .after = bl_tree_create(arena, BL_TREE_LIST)};
    int status = check_request(request, err);

    if (status == BL_OK) {
        status = read_script(&reader, out);
    }
    BL_VEC_FINISH(&reader.warnings);
    return status;
}
