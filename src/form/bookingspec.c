#include "form/bookingspec.h"

#include "base/own.h"
#include "base/units.h"
#include "base/vec.h"
#include "form/hostlist.h"
#include "form/tree_read.h"

#include <string.h>

struct reader {
    struct bl_tree_reader in;
    struct bl_bookingspec *out;
};

struct row {
    const char *name;
    int (*read)(const struct reader *reader, const struct bl_tree *at);
    bool is_edit; /* belongs to edits alone */
};

/* --- places ---------------------------------------------------------------------------------- */

enum { WORDS_MAX = 1024 };

typedef BL_VEC(struct bl_booking_place) places;

static int fail_places(const char *text, struct bl_error *err)
{
    bl_fail(err, BL_EINVAL, "expected nodes or GPUs like 'n1', 'n[1-4]', 'n1:0-3', found '%s'",
            text);
    return bl_error_set_hint(err, "several stand between blanks: 'n1:0-3 n2:0,4'; 'gpu0-3' is of "
                                  "the only node");
}

/* "0-3" of "0-3,5": its bits; false where it is none. */
static bool read_gpu_range(const char *text, uint64_t *mask)
{
    const char *dash = strchr(text, '-');
    BL_AUTO_FREE char *first_text = bl_copy_part(text, dash ? (size_t)(dash - text) : strlen(text));
    int64_t first = 0;
    int64_t last = 0;
    int64_t most = BL_NODE_NAMED_GPUS_MAX - 1;

    if (bl_int_parse(first_text, 0, most, &first, NULL) != BL_OK ||
        bl_int_parse(dash ? dash + 1 : first_text, first, most, &last, NULL) != BL_OK) {
        return false;
    }
    for (int64_t gpu = first; gpu <= last; gpu++) {
        *mask |= UINT64_C(1) << gpu;
    }
    return true;
}

static bool read_gpus(const char *text, uint64_t *mask)
{
    BL_AUTO_FREE char *copy = bl_copy_text(text);
    char *rest = copy;
    const char *word;

    *mask = 0;
    while ((word = strsep(&rest, ","))) {
        if (!read_gpu_range(word, mask)) {
            return false;
        }
    }
    return true;
}

/* "n[1-4]", "n1:0-3", "gpu0-3". */
static bool read_place(char *word, struct bl_arena *arena, places *out)
{
    char *colon = strchr(word, ':');
    struct bl_hostlist nodes = {0};
    uint64_t mask = 0;

    if (!colon && strncmp(word, "gpu", 3) == 0 && read_gpus(word + 3, &mask)) {
        BL_VEC_PUSH(out, (struct bl_booking_place){NULL, mask});
        return true;
    }
    if (colon) {
        *colon = '\0';
        if (!read_gpus(colon + 1, &mask)) {
            return false;
        }
    }
    if (bl_hostlist_expand(word, BL_BOOKING_ON_MAX - out->count, arena, &nodes, NULL) != BL_OK) {
        return false;
    }
    for (size_t i = 0; i < nodes.count; i++) {
        BL_VEC_PUSH(out, (struct bl_booking_place){nodes.name[i], mask});
    }
    return true;
}

int bl_booking_places_read(const char *text, struct bl_arena *arena,
                           const struct bl_booking_place **out, size_t *count, struct bl_error *err)
{
    BL_AUTO_FREE char *copy = bl_copy_text(text);
    char *rest = copy;
    char *word;
    places found = {0};
    struct bl_booking_place *kept;
    bool is_good = true;

    while (is_good && (word = strsep(&rest, " \t"))) {
        is_good = !word[0] || (found.count < BL_BOOKING_ON_MAX && read_place(word, arena, &found));
    }
    if (!is_good || found.count == 0) {
        BL_VEC_FINISH(&found);
        return fail_places(text, err);
    }
    kept = bl_arena_alloc(arena, found.count * sizeof *kept);
    memcpy(kept, found.at, found.count * sizeof *kept);
    *out = kept;
    *count = found.count;
    BL_VEC_FINISH(&found);
    return BL_OK;
}

/* A text, or a list of texts, which is read as one with blanks between. */
static int read_places_text(const struct reader *reader, const struct bl_tree *at,
                            struct bl_buf *out)
{
    int status = BL_OK;

    if (at->kind == BL_TREE_SCALAR) {
        bl_buf_append_text(out, at->text);
        return BL_OK;
    }
    if (at->kind != BL_TREE_LIST || at->child_count > WORDS_MAX) {
        return bl_tree_fail_kind(&reader->in, at, "nodes or GPUs like 'n1:0-3', or a list of them");
    }
    for (size_t i = 0; i < at->child_count && status == BL_OK; i++) {
        const char *word = "";

        status = bl_tree_read_text(&reader->in, &at->child[i], &word);
        bl_buf_printf(out, "%s%s", i ? " " : "", word);
    }
    return status;
}

static int read_on(const struct reader *reader, const struct bl_tree *at)
{
    BL_AUTO_BUF text = {0};
    struct bl_error cause = {0};
    int status = read_places_text(reader, at, &text);

    if (status != BL_OK) {
        return status;
    }
    if (reader->out->on_count > 0) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected either 'nodes' or 'on'");
    }
    if (bl_booking_places_read(bl_buf_text(&text), reader->in.arena, &reader->out->on,
                               &reader->out->on_count, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    return BL_OK;
}

/* --- keys ------------------------------------------------------------------------------------ */

static int read_count(const struct reader *reader, const struct bl_tree *at, int64_t most,
                      int32_t *out)
{
    int64_t value = 0;
    int status = bl_tree_read_int(&reader->in, at, (struct bl_int_range){1, most}, &value);

    *out = status == BL_OK ? (int32_t)value : *out;
    return status;
}

static int read_gpu_count(const struct reader *reader, const struct bl_tree *at)
{
    return read_count(reader, at, BL_NODE_COUNTED_GPUS_MAX, &reader->out->gpus);
}

static int read_occurrence(const struct reader *reader, const struct bl_tree *at)
{
    return read_count(reader, at, BL_OCCURRENCE_NUMBER_MAX, &reader->out->occurrence);
}

static int read_gpu_type(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->gpu_type);
}

static int read_pool(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->pool);
}

static int read_instant(const struct reader *reader, const struct bl_tree *at, const char **out)
{
    return at->kind == BL_TREE_SCALAR && !at->text[0]
               ? bl_tree_fail_kind(&reader->in, at,
                                   "an instant like 2026-12-01T08:30, 16:00, 2h (from now) or now")
               : bl_tree_read_name(&reader->in, at, out);
}

static int read_from(const struct reader *reader, const struct bl_tree *at)
{
    return read_instant(reader, at, &reader->out->from);
}

static int read_until_at(const struct reader *reader, const struct bl_tree *at)
{
    return read_instant(reader, at, &reader->out->until_at);
}

static int read_short_span(const struct reader *reader, const struct bl_tree *at, bl_time *out)
{
    int status = bl_tree_read_span(&reader->in, at, out);

    if (status == BL_OK && *out > BL_BOOKING_HORIZON) {
        return bl_tree_fail(reader->in.source, at, reader->in.err, "expected at most 400 days");
    }
    return status;
}

static int read_for(const struct reader *reader, const struct bl_tree *at)
{
    return read_short_span(reader, at, &reader->out->duration);
}

/* 0 means never, or not at all. */
static int read_span_or_none(const struct reader *reader, const struct bl_tree *at, bl_time *out)
{
    if (at->kind == BL_TREE_SCALAR && strcmp(at->text, "0") == 0) {
        *out = 0;
        return BL_OK;
    }
    return read_short_span(reader, at, out);
}

static int read_flex(const struct reader *reader, const struct bl_tree *at)
{
    return read_span_or_none(reader, at, &reader->out->flex);
}

static int read_release_after(const struct reader *reader, const struct bl_tree *at)
{
    return read_span_or_none(reader, at, &reader->out->release_after);
}

static int read_long_text(const struct reader *reader, const struct bl_tree *at, const char **out)
{
    int status = bl_tree_read_text(&reader->in, at, out);

    if (status == BL_OK && (strlen(*out) >= BL_BOOKING_TEXT_MAX / 2 || !**out)) {
        *out = NULL;
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected a text of 1 to %d bytes", BL_BOOKING_TEXT_MAX / 2 - 1);
    }
    return status;
}

static int read_every(const struct reader *reader, const struct bl_tree *at)
{
    return read_long_text(reader, at, &reader->out->every);
}

static int read_until(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->until);
}

static int read_zone(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->zone);
}

static int read_fold(const struct reader *reader, const struct bl_tree *at)
{
    static const char *const words[] = {"first", "second", NULL};
    int word = 0;
    int status = bl_tree_read_word(&reader->in, at, words, &word);

    reader->out->fold = word ? BL_BOOKING_FOLD_SECOND : BL_BOOKING_FOLD_FIRST;
    return status;
}

static int read_name(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->name);
}

static int read_user(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->user);
}

static int read_project(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->project);
}

static int read_following(const struct reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_bool(&reader->in, at, &reader->out->following);
}

static const struct row rows[BL_BOOKING_KEY_COUNT + 1] = {
    [BL_BOOKING_KEY_GPUS] = {"gpus", read_gpu_count, false},
    [BL_BOOKING_KEY_NODES] = {"nodes", read_on, false},
    [BL_BOOKING_KEY_ON] = {"on", read_on, false},
    [BL_BOOKING_KEY_GPU_TYPE] = {"gpu_type", read_gpu_type, false},
    [BL_BOOKING_KEY_POOL] = {"pool", read_pool, false},
    [BL_BOOKING_KEY_FROM] = {"from", read_from, false},
    [BL_BOOKING_KEY_FOR] = {"for", read_for, false},
    [BL_BOOKING_KEY_UNTIL_AT] = {"until_at", read_until_at, false},
    [BL_BOOKING_KEY_EVERY] = {"every", read_every, false},
    [BL_BOOKING_KEY_UNTIL] = {"until", read_until, false},
    [BL_BOOKING_KEY_FLEX] = {"flex", read_flex, false},
    [BL_BOOKING_KEY_ZONE] = {"zone", read_zone, false},
    [BL_BOOKING_KEY_FOLD] = {"fold", read_fold, false},
    [BL_BOOKING_KEY_NAME] = {"name", read_name, false},
    [BL_BOOKING_KEY_USER] = {"user", read_user, false},
    [BL_BOOKING_KEY_PROJECT] = {"project", read_project, false},
    [BL_BOOKING_KEY_RELEASE_AFTER] = {"release_after", read_release_after, false},
    [BL_BOOKING_KEY_OCCURRENCE] = {"occurrence", read_occurrence, true},
    [BL_BOOKING_KEY_FOLLOWING] = {"following", read_following, true},
};

const char *bl_booking_key_name(enum bl_booking_key key)
{
    return rows[key].name;
}

/* --- all of it ------------------------------------------------------------------------------- */

static int read_keys(const struct reader *reader, const struct bl_tree *tree,
                     enum bl_bookingspec_use use)
{
    int status = bl_tree_check_rows(&reader->in, tree, &rows[0].name, sizeof rows[0]);

    for (int k = 0; k < BL_BOOKING_KEY_COUNT && status == BL_OK; k++) {
        const struct bl_tree *at = bl_tree_find(tree, rows[k].name);

        if (at && rows[k].is_edit && use != BL_BOOKINGSPEC_EDIT) {
            return bl_tree_fail(reader->in.source, at, reader->in.err,
                                "expected only where a booking is changed");
        }
        reader->out->has[k] = at != NULL;
        if (at && at->kind != BL_TREE_NULL) {
            status = rows[k].read(reader, at);
        }
    }
    return status;
}

static int fail_missing(const struct reader *reader, const struct bl_tree *tree,
                        enum bl_booking_key key, const char *expected)
{
    bl_tree_fail(reader->in.source, tree, reader->in.err, "expected %s", expected);
    return bl_error_set_field(reader->in.err, rows[key].name);
}

static int check_whole(const struct reader *reader, const struct bl_tree *tree,
                       enum bl_bookingspec_use use)
{
    const struct bl_bookingspec *out = reader->out;
    bool is_new = use == BL_BOOKINGSPEC_NEW;

    if (out->gpus > 0 && out->on_count > 0) {
        return fail_missing(reader, tree, BL_BOOKING_KEY_GPUS, "either 'gpus', or 'nodes' or 'on'");
    }
    if (is_new && out->gpus == 0 && out->on_count == 0) {
        return fail_missing(reader, tree, BL_BOOKING_KEY_GPUS,
                            "'gpus', a number, or 'on', the GPUs that are meant");
    }
    if (is_new && !out->from) {
        return fail_missing(reader, tree, BL_BOOKING_KEY_FROM, "'from', when it begins");
    }
    if (out->duration > 0 && out->until_at) {
        return fail_missing(reader, tree, BL_BOOKING_KEY_FOR, "either 'for' or 'until_at'");
    }
    if (is_new && out->duration == 0 && !out->until_at) {
        return fail_missing(reader, tree, BL_BOOKING_KEY_FOR,
                            "'for', how long it is, or 'until_at', when it ends");
    }
    if (is_new && out->until && !out->every) {
        return fail_missing(reader, tree, BL_BOOKING_KEY_UNTIL, "'every' beside 'until'");
    }
    return BL_OK;
}

int bl_bookingspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                        enum bl_bookingspec_use use, struct bl_arena *arena,
                        struct bl_bookingspec *out, struct bl_error *err)
{
    struct bl_bookingspec spec = {0};
    struct reader reader = {{source, arena, err}, &spec};
    int status;

    if (tree->kind != BL_TREE_MAP) {
        return bl_tree_fail_kind(&reader.in, tree, "a map like {gpus: 4, from: 14:00, for: 3h}");
    }
    status = read_keys(&reader, tree, use);
    status = status == BL_OK ? check_whole(&reader, tree, use) : status;
    if (status == BL_OK) {
        *out = spec;
    }
    return status;
}

bool bl_booking_id_parse(const char *text, int64_t *id, int32_t *occurrence)
{
    const char *dot = strchr(text, '.');
    BL_AUTO_FREE char *number = NULL;
    int64_t found = 0;
    int64_t part = 0;

    if (text[0] != 'r') {
        return false;
    }
    number = bl_copy_part(text + 1, dot ? (size_t)(dot - text - 1) : strlen(text + 1));
    if (bl_int_parse(number, 1, INT64_MAX - 1, &found, NULL) != BL_OK ||
        (dot && bl_int_parse(dot + 1, 1, BL_OCCURRENCE_NUMBER_MAX, &part, NULL) != BL_OK)) {
        return false;
    }
    *id = found;
    *occurrence = (int32_t)part;
    return true;
}
