/* The flags of sbatch that are small languages: --dependency, --begin, --export. */
#include "base/units.h"
#include "form/script_parts.h"
#include "form/tree_make.h"

#include <string.h>
#include <strings.h>

static int add_dependencies(struct bl_script_reader *reader, const char *ids, const char *kind)
{
    for (const char *at = ids; *at;) {
        size_t length = strcspn(at, ":");
        const char *id = bl_script_print(reader, "%.*s", (int)length, at);
        int64_t number = 0;

        if (bl_int_parse(id, 1, INT64_MAX, &number, NULL) != BL_OK) {
            return bl_script_fail(reader, "expected the id of a job, found '%.100s'", id);
        }
        bl_tree_append_text(reader->arena, reader->after,
                            bl_script_print(reader, "%s:%s", id, kind), reader->line);
        at += length + (at[length] == ':');
    }
    return BL_OK;
}

/* "afterok:12:13" */
static int add_dependency(struct bl_script_reader *reader, const char *text)
{
    static const struct {
        const char *name, *kind;
    } rows[] = {
        {"afterok", "ok"}, {"afterany", "any"}, {"afternotok", "fail"}, {"aftercorr", "each"}};
    static const char *const names[] = {"afterok", "afterany", "afternotok", "aftercorr", NULL};
    size_t length = strcspn(text, ":");
    const char *name = bl_script_print(reader, "%.*s", (int)length, text);
    const char *nearest = bl_nearest_word(name, names);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(rows[i].name, name) && text[length] && text[length + 1]) {
            return add_dependencies(reader, text + length + 1, rows[i].kind);
        }
    }
    bl_script_fail(
        reader, "expected afterok:ID, afterany:ID, afternotok:ID or aftercorr:ID, found '%.100s'",
        text);
    return nearest ? bl_error_set_hint(reader->err, "write '%s:ID'", nearest) : (int)BL_EINVAL;
}

int bl_slurm_read_dependency(struct bl_script_reader *reader, const char *value)
{
    if (strchr(value, '?')) {
        return bl_script_fail(reader, "one of several dependencies ('?') is not supported by this "
                                      "version yet");
    }
    for (const char *at = value; *at;) {
        size_t length = strcspn(at, ",");
        int status = add_dependency(reader, bl_script_print(reader, "%.*s", (int)length, at));

        if (status != BL_OK) {
            return status;
        }
        at += length + (at[length] == ',');
    }
    return *value ? BL_OK : add_dependency(reader, value);
}

/* "+1hour" behind "now": our form of it, or NULL. A bare number counts seconds. */
static const char *convert_offset(struct bl_script_reader *reader, const char *text)
{
    static const char *const units[] = {"seconds", "minutes", "hours", "days", "weeks"};
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;

    if (!digits) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (!strncasecmp(units[i], unit, strlen(unit))) {
            return bl_script_print(reader, "%.*s%c", (int)digits, text, units[i][0]);
        }
    }
    return NULL;
}

/* Our form of an instant of Slurm's; the same text where there is no other. */
static const char *convert_instant(struct bl_script_reader *reader, const char *value)
{
    static const struct {
        const char *word, *clock;
    } rows[] = {{"midnight", "00:00"},
                {"noon", "12:00"},
                {"elevenses", "11:00"},
                {"fika", "15:00"},
                {"teatime", "16:00"}};
    const char *offset = NULL;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcasecmp(rows[i].word, value)) {
            return rows[i].clock;
        }
    }
    if (!strncasecmp(value, "now+", 4)) {
        offset = convert_offset(reader, value + 4);
    }
    if (strspn(value, "0123456789") == 1 && value[1] == ':') {
        return bl_script_print(reader, "0%s", value);
    }
    return offset ? offset : value;
}

int bl_slurm_read_begin(struct bl_script_reader *reader, const char *value)
{
    struct bl_instant instant = {0};
    struct bl_error cause = {0};
    const char *text;

    if (!strcasecmp(value, "now")) {
        bl_script_set(reader, "not_before", NULL);
        return BL_OK;
    }
    text = convert_instant(reader, value);
    if (!strspn(text, "0123456789") || bl_instant_parse(text, &instant, &cause) != BL_OK) {
        bl_script_fail(reader,
                       "expected an instant like 16:00, 2026-12-01T08:30 or now+2hours, "
                       "found '%.100s'",
                       value);
        return bl_error_set_hint(reader->err, "write the date as YYYY-MM-DDTHH:MM");
    }
    bl_script_set(reader, "not_before", text);
    return BL_OK;
}

/* One of the words between commas: a variable to set, or one to let in. */
static int read_export_word(struct bl_script_reader *reader, const char *word,
                            struct bl_tree *inherited)
{
    if (strchr(word, '=')) {
        return bl_script_set_pair(reader, reader->env, word);
    }
    bl_tree_append_text(reader->arena, inherited, word, reader->line);
    return BL_OK;
}

static int read_export_words(struct bl_script_reader *reader, const char *value,
                             struct bl_tree *inherited, bool *has_all)
{
    int status = BL_OK;

    for (const char *at = value; *at && status == BL_OK;) {
        size_t length = strcspn(at, ",");
        const char *word = bl_script_print(reader, "%.*s", (int)length, at);

        if (!strcasecmp(word, "ALL")) {
            *has_all = true;
        } else if (*word) {
            status = read_export_word(reader, word, inherited);
        }
        at += length + (at[length] == ',');
    }
    return status;
}

int bl_slurm_read_export(struct bl_script_reader *reader, const char *value)
{
    struct bl_tree *inherited = bl_tree_create(reader->arena, BL_TREE_LIST);
    bool has_all = false;
    int status;

    if (!strcasecmp(value, "NONE") || !strcasecmp(value, "NIL")) {
        bl_script_set(reader, "inherit_env", "no");
        return BL_OK;
    }
    status = read_export_words(reader, value, inherited, &has_all);
    if (status == BL_OK && has_all) {
        bl_script_set(reader, "inherit_env", "yes");
    } else if (status == BL_OK) {
        bl_tree_put(reader->arena, reader->job, "inherit_env", inherited, reader->line);
    }
    return status;
}
