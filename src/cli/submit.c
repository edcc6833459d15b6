#include "cli/submit.h"

#include "base/own.h"
#include "base/units.h"
#include "cli/text.h"
#include "cli/say.h"
#include "form/tree_make.h"
#include "form/tree_out.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const interpreters[] = {"python", "python3", "bash", "sh",      "zsh",
                                           "perl",   "ruby",    "node", "Rscript", "julia"};

static bool is_word_of(const char *word, size_t length, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i]) == length && !strncmp(words[i], word, length)) {
            return true;
        }
    }
    return false;
}

static int add_one_after(struct bl_submit *submit, const char *word, size_t length,
                         struct bl_error *err)
{
    static const char *const kinds[] = {"ok", "any", "fail", "each"};
    const char *colon = memchr(word, ':', length);
    size_t id_length = colon ? (size_t)(colon - word) : length;
    char id[24] = "";
    int64_t value;

    if (id_length < sizeof id) {
        memcpy(id, word, id_length);
    }
    if ((strcmp(id, "@") != 0 && bl_int_parse(id, 1, INT64_MAX, &value, NULL)) ||
        (colon && !is_word_of(colon + 1, length - id_length - 1, kinds, 4))) {
        char shown[65];

        snprintf(shown, sizeof shown, "%.*s", (int)(length < 64 ? length : 64), word);
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_AFTER, BL_T(shown));
    }
    if (submit->after_count == BL_SUBMIT_AFTER_MAX) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_MANY_AFTER, BL_N(BL_SUBMIT_AFTER_MAX));
    }
    if (submit->after_count == submit->after_capacity) {
        submit->after_capacity = submit->after_capacity ? submit->after_capacity * 2 : 4;
        submit->after =
            bl_realloc_array(submit->after, submit->after_capacity, sizeof *submit->after);
    }
    submit->after[submit->after_count++] = bl_copy_part(word, length);
    return BL_OK;
}

int bl_submit_add_after(struct bl_submit *submit, const char *text, struct bl_error *err)
{
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        int status = add_one_after(submit, at, length, err);

        at += length;
        if (status || !*at) {
            return status;
        }
    }
}

bool bl_submit_names_last(const struct bl_submit *submit)
{
    for (size_t i = 0; i < submit->after_count; i++) {
        if (submit->after[i][0] == '@') {
            return true;
        }
    }
    return false;
}

void bl_submit_resolve_last(struct bl_submit *submit, int64_t id)
{
    for (size_t i = 0; i < submit->after_count; i++) {
        if (submit->after[i][0] == '@') {
            struct bl_buf text = {0};

            bl_buf_printf(&text, "%" PRId64 "%s", id, submit->after[i] + 1);
            free(submit->after[i]);
            submit->after[i] = bl_buf_take(&text);
        }
    }
}

static int check_text(const char *what, const char *text, struct bl_error *err)
{
    if (text && !bl_text_is_utf8(text)) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NOT_UTF8, BL_T(what), BL_T(text));
    }
    return BL_OK;
}

/* "python train.py" as one word: no file is called so, and no shell would split it. */
static int check_one_word(const char *const *command, struct bl_error *err)
{
    const char *blank = strchr(command[0], ' ');

    if (command[1] || !blank || !access(command[0], F_OK)) {
        return BL_OK;
    }
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NO_PROGRAM, BL_T(command[0]));
    return bl_say_hint(err, BL_SAY_H_QUOTES, NULL);
}

int bl_submit_check(const struct bl_submit *submit, struct bl_error *err)
{
    const struct {
        const char *what;
        const char *text;
    } rows[] = {{"--name", submit->name},       {"--project", submit->project},
                {"--class", submit->job_class}, {"--gpu-type", submit->gpu_types},
                {"--log", submit->log},         {"the directory", submit->workdir}};
    int status = BL_OK;

    if (submit->command && !submit->command[0][0]) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_EMPTY_COMMAND, NULL);
    }
    for (size_t i = 0; !status && i < sizeof rows / sizeof rows[0]; i++) {
        status = check_text(rows[i].what, rows[i].text, err);
    }
    for (size_t i = 0; !status && submit->command && submit->command[i]; i++) {
        status = check_text("a word of the command", submit->command[i], err);
    }
    return status || !submit->command ? status : check_one_word(submit->command, err);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

void bl_submit_default_name(struct bl_buf *out, const char *const *command)
{
    enum { NAME_MAX_BYTES = 64 };
    const char *name = base_name(command[0]);
    size_t word = strcspn(name, "0123456789.");
    bool is_python = word == 6 && !strncmp(name, "python", 6) &&
                     strspn(name + 6, "0123456789.") == strlen(name + 6);

    if ((is_word_of(name, strlen(name), interpreters,
                    sizeof interpreters / sizeof interpreters[0]) ||
         is_python) &&
        command[1] && command[1][0] != '-') {
        name = base_name(command[1]);
    }
    for (const char *at = name; *at && at - name < NAME_MAX_BYTES; at++) {
        bool is_plain = (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
                        (*at >= 'a' && *at <= 'z') || strchr("._+-", *at);

        bl_buf_append_char(out, is_plain ? *at : '_');
    }
}

/* --- into a job file's tree ------------------------------------------------------------------ */

static void put(struct bl_arena *arena, struct bl_tree *map, const char *key, const char *text)
{
    if (text) {
        bl_tree_put_text(arena, map, key, text, 0);
    }
}

/* The map under `key`; what stood there as something else is replaced. */
static struct bl_tree *open_map(struct bl_arena *arena, struct bl_tree *tree, const char *key)
{
    const struct bl_tree *found = bl_tree_find(tree, key);

    if (found && found->kind == BL_TREE_MAP) {
        return bl_tree_put(arena, tree, key, found, found->line);
    }
    return bl_tree_put(arena, tree, key, bl_tree_create(arena, BL_TREE_MAP), 0);
}

static void put_list(struct bl_arena *arena, struct bl_tree *map, const char *key,
                     const struct bl_tree *list)
{
    bl_tree_put(arena, map, key, list, 0);
}

static const char *copy_piece(struct bl_arena *arena, const char *at, size_t length)
{
    char *text = bl_arena_alloc(arena, length + 1);

    memcpy(text, at, length);
    text[length] = '\0';
    return text;
}

static void put_gpu(struct bl_arena *arena, struct bl_tree *resources,
                    const struct bl_submit *submit)
{
    struct bl_tree *gpu = open_map(arena, resources, "gpu");

    if (submit->gpu_types) {
        struct bl_tree *types = bl_tree_create(arena, BL_TREE_LIST);

        for (const char *at = submit->gpu_types; *at;) {
            size_t length = strcspn(at, ",");

            bl_tree_append_text(arena, types, copy_piece(arena, at, length), 0);
            at += length + (at[length] == ',');
        }
        put_list(arena, gpu, "type", types);
    }
    put(arena, gpu, "mem", submit->gpu_mem);
}

static void put_resources(struct bl_arena *arena, struct bl_tree *tree,
                          const struct bl_submit *submit)
{
    struct bl_tree *resources = open_map(arena, tree, "resources");

    put(arena, resources, "gpus", submit->gpus);
    if (submit->gpu_types || submit->gpu_mem) {
        put_gpu(arena, resources, submit);
    }
    put(arena, resources, "cpus", submit->cpus);
    put(arena, resources, "mem", submit->mem);
    put(arena, resources, "nodes", submit->nodes);
}

static void put_start(struct bl_arena *arena, struct bl_tree *tree, const struct bl_submit *submit)
{
    put(arena, tree, "array", submit->array);
    put(arena, tree, "priority", submit->priority);
    put(arena, tree, "requeue", submit->requeue);
    put(arena, tree, "retries", submit->retries);
    put(arena, tree, "reservation", submit->reservation);
    put(arena, tree, "not_before", submit->not_before);
    put(arena, tree, "hold", submit->hold ? "yes" : NULL);
    put(arena, tree, "promise", submit->promise ? "yes" : NULL);
    if (submit->warning) {
        put(arena, open_map(arena, tree, "checkpoint"), "signal", submit->warning);
    }
}

void bl_submit_apply(struct bl_arena *arena, struct bl_tree *tree, const struct bl_submit *submit)
{
    put(arena, tree, "name", submit->name);
    put(arena, tree, "project", submit->project);
    put(arena, tree, "class", submit->job_class);
    if (submit->gpus || submit->gpu_types || submit->gpu_mem || submit->cpus || submit->mem ||
        submit->nodes) {
        put_resources(arena, tree, submit);
    }
    if (submit->limit) {
        put(arena, open_map(arena, tree, "time"), "limit", submit->limit);
    }
    if (submit->after_count) {
        struct bl_tree *after = bl_tree_create(arena, BL_TREE_LIST);

        for (size_t i = 0; i < submit->after_count; i++) {
            bl_tree_append_text(arena, after, submit->after[i], 0);
        }
        put_list(arena, tree, "after", after);
    }
    put_start(arena, tree, submit);
    put(arena, tree, "workdir", submit->workdir);
    put(arena, tree, "log", submit->log);
    if (submit->command) {
        struct bl_tree *command = bl_tree_create(arena, BL_TREE_LIST);

        for (size_t i = 0; submit->command[i]; i++) {
            bl_tree_append_text(arena, command, submit->command[i], 0);
        }
        put_list(arena, tree, "command", command);
    }
}

struct bl_submit_surroundings bl_submit_surroundings_now(void)
{
    mode_t mask = umask(0); /* there is no other way to ask for it */

    umask(mask);
    return (struct bl_submit_surroundings){(const char *const *)environ, mask};
}

static size_t put_environment(struct bl_json *json, const char *const *environment)
{
    size_t left_out = 0;

    bl_json_key(json, "environment");
    bl_json_open_array(json);
    for (size_t i = 0; environment[i]; i++) {
        if (!strchr(environment[i], '=') || !bl_text_is_utf8(environment[i])) {
            left_out++;
        } else {
            bl_json_text(json, environment[i]);
        }
    }
    bl_json_close_array(json);
    return left_out;
}

size_t bl_submit_put_members(struct bl_json *json, const struct bl_tree *tree,
                             const struct bl_submit_surroundings *surroundings)
{
    bl_tree_put_json_members(json, tree);
    if (!bl_tree_find(tree, "umask")) {
        char text[8];

        snprintf(text, sizeof text, "%04o", surroundings->umask & 0777);
        bl_json_put_text(json, "umask", text);
    }
    return put_environment(json, surroundings->environment);
}

size_t bl_submit_write(struct bl_buf *out, const struct bl_tree *tree,
                       const struct bl_submit_surroundings *surroundings)
{
    struct bl_json json;
    size_t left_out;

    bl_json_init(&json, out);
    bl_json_open_object(&json);
    left_out = bl_submit_put_members(&json, tree, surroundings);
    bl_json_close_object(&json);
    return left_out;
}

void bl_submit_finish(struct bl_submit *submit)
{
    for (size_t i = 0; i < submit->after_count; i++) {
        free(submit->after[i]);
    }
    free(submit->after);
    *submit = (struct bl_submit){0};
}
