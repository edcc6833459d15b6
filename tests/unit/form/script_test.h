/* For the tests of src/form/script*.c: lines of flags in, what they make of the job file out. */
#ifndef BL_SCRIPT_TEST_H
#define BL_SCRIPT_TEST_H

#include "form/script.h"
#include "form/tree_out.h"
#include "form_test.h"

struct script_text {
    struct bl_buf text;
    struct bl_arena arena;
    struct bl_script script;
    struct bl_error err;
    int status;
};

/* A script s.sh with these lines between "#!/bin/sh" and its command. */
static inline void script_read_with(struct script_text *script, struct bl_script_request request,
                                    const char *lines)
{
    memset(script, 0, sizeof *script);
    bl_buf_printf(&script->text, "#!/bin/sh\n%s\nx\n", lines);
    request.name = "dir/s.sh";
    request.bytes = bl_buf_text(&script->text);
    request.length = script->text.length;
    request.directory = "/w";
    memset(&script->script, 0xA5, sizeof script->script); /* written on success alone */
    script->status = bl_script_read(&request, &script->arena, &script->script, &script->err);
}

static inline void script_read(struct script_text *script, const char *lines)
{
    script_read_with(script, (struct bl_script_request){0}, lines);
}

static inline void script_finish(struct script_text *script)
{
    bl_buf_finish(&script->text);
    bl_arena_finish(&script->arena);
}

/* Whether the value is what every script has that is read here. */
static inline bool script_is_standard(const struct bl_tree *value)
{
    static const struct {
        const char *key, *text;
    } rows[] = {{"name", "s.sh"},           {"workdir", "/w"},  {"log", "slurm-%j.out"},
                {"log", "slurm-%A_%a.out"}, {"requeue", "yes"}, {"slurm_env", "yes"},
                {"SLURM_SUBMIT_DIR", "/w"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(rows[i].key, value->key) && value->kind == BL_TREE_SCALAR &&
            !strcmp(rows[i].text, value->text)) {
            return true;
        }
    }
    if (value->kind == BL_TREE_MAP && value->child_count == 1) {
        return script_is_standard(&value->child[0]);
    }
    return !strcmp(value->key, "run");
}

static inline void script_put_others(struct bl_json *json, const struct bl_tree *map)
{
    for (size_t i = 0; i < map->child_count; i++) {
        const struct bl_tree *value = &map->child[i];

        if (script_is_standard(value)) {
            continue;
        }
        bl_json_key(json, value->key);
        if (value->kind == BL_TREE_MAP) {
            bl_json_open_object(json);
            script_put_others(json, value);
            bl_json_close_object(json);
        } else {
            bl_tree_put_json(json, value);
        }
    }
}

/* The job file without what is standard, in the least of JSON: {name:x,resources:{gpus:2}}. */
static inline void script_print(struct bl_buf *out, const struct bl_script *script)
{
    BL_AUTO_BUF text = {0};
    struct bl_json json;

    bl_json_init(&json, &text);
    bl_json_open_object(&json);
    script_put_others(&json, script->tree);
    bl_json_close_object(&json);
    for (const char *at = bl_buf_text(&text); *at; at++) {
        if (*at != '"') {
            bl_buf_append_char(out, *at);
        }
    }
    for (size_t i = 0; i < script->warning_count; i++) {
        bl_buf_printf(out, " | %s", script->warning[i]);
    }
}

static inline void script_expect_with(struct bl_script_request request, const char *lines,
                                      const char *expected)
{
    BL_AUTO_BUF printed = {0};
    struct script_text script;

    script_read_with(&script, request, lines);
    if (script.status != BL_OK) {
        fail_msg("'%s' was refused: %s", lines, script.err.text);
    }
    script_print(&printed, &script.script);
    if (strcmp(bl_buf_text(&printed), expected) != 0) {
        fail_msg("'%s' became '%s', expected '%s'", lines, bl_buf_text(&printed), expected);
    }
    script_finish(&script);
}

static inline void script_expect(const char *lines, const char *expected)
{
    script_expect_with((struct bl_script_request){0}, lines, expected);
}

static inline void script_expect_refusal(const char *lines, const char *message)
{
    struct bl_script untouched;
    struct script_text script;

    script_read(&script, lines);
    if (script.status == BL_OK) {
        fail_msg("'%s' was taken, expected '%s'", lines, message);
    }
    assert_int_equal(script.status, script.err.status);
    form_expect_message(&script.err, message, lines);
    memset(&untouched, 0xA5, sizeof untouched);
    assert_memory_equal(&script.script, &untouched, sizeof untouched);
    script_finish(&script);
}

struct script_row {
    const char *lines;
    const char *expected; /* the job file, or the message */
};

static inline void script_expect_rows(const struct script_row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        script_expect(row[i].lines, row[i].expected);
    }
}

static inline void script_refuse_rows(const struct script_row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        script_expect_refusal(row[i].lines, row[i].expected);
    }
}

#endif
