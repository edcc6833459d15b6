#include "base/buf.h"
#include "form/jobspec_parts.h"

#include <string.h>

static bool has_control(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7F) {
            return true;
        }
    }
    return false;
}

static int read_note(const struct bl_job_reader *reader, const struct bl_tree *at, char **out)
{
    const char *value = at->kind == BL_TREE_SCALAR ? at->text : "";
    BL_AUTO_BUF note = {0};

    if (at->kind != BL_TREE_SCALAR && at->kind != BL_TREE_NULL) {
        return bl_tree_fail_kind(&reader->in, at, "a text or a number");
    }
    if (!at->key[0] || strchr(at->key, '=') || has_control(at->key) || has_control(value)) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected a name without '=' and a value, both without control "
                            "characters");
    }
    bl_buf_printf(&note, "%s=%s", at->key, value);
    if (note.length > BL_LAUNCH_NOTE_BYTES_MAX) {
        return bl_tree_fail_size(&reader->in, at, "the name with its value",
                                 BL_LAUNCH_NOTE_BYTES_MAX);
    }
    *out = bl_arena_copy_text(reader->in.arena, bl_buf_text(&note));
    return BL_OK;
}

static int read_notes(const struct bl_job_reader *reader, const struct bl_tree *at,
                      struct bl_launch_notes *out)
{
    struct bl_launch_notes notes = {.count = at->child_count};

    if (at->kind != BL_TREE_MAP) {
        return bl_tree_fail_kind(&reader->in, at, "a map like {layers: 32}");
    }
    if (notes.count > BL_LAUNCH_NOTES_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected at most %d names, found %zu", BL_LAUNCH_NOTES_MAX,
                            notes.count);
    }
    notes.at = bl_arena_alloc(reader->in.arena, (notes.count + 1) * sizeof *notes.at);
    for (size_t i = 0; i < notes.count; i++) {
        int status = read_note(reader, &at->child[i], &notes.at[i]);

        if (status != BL_OK) {
            return status;
        }
    }
    *out = notes;
    return BL_OK;
}

int bl_job_read_params(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return read_notes(reader, at, &reader->out->launch.params);
}

int bl_job_read_labels(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return read_notes(reader, at, &reader->out->launch.labels);
}
