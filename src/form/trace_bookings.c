#include "form/trace_bookings.h"

#include "base/span.h"
#include "form/bookingspec.h"
#include "form/tree_read.h"

static const struct bl_tree *at_key(const struct bl_tree *tree, enum bl_booking_key key)
{
    return bl_tree_find(tree, bl_booking_key_name(key));
}

static int read_span(const struct bl_tree_reader *in, const struct bl_tree *at, const char *text,
                     bl_time *out)
{
    struct bl_error cause = {0};

    if (bl_span_parse(text, out, &cause) != BL_OK) {
        return bl_tree_fail(in->source, at, in->err,
                            "expected a time from the trace's beginning: %s", cause.text);
    }
    return BL_OK;
}

/* The first slot, then one each `every` that begins before `until`. */
static int make_slots(const struct bl_tree_reader *in, const struct bl_tree *tree,
                      struct bl_slot first, const bl_time series[2], struct bl_booking_spec *out)
{
    bl_time every = series[0];
    int64_t count = every > 0 ? (series[1] - first.start + every - 1) / every : 1;
    struct bl_slot *slot;

    if (count < 1 || count > BL_BOOKING_SLOTS_MAX) {
        return bl_tree_fail(in->source, tree, in->err, "expected 1 to %d occurrences, found %lld",
                            BL_BOOKING_SLOTS_MAX, (long long)count);
    }
    slot = bl_arena_alloc(in->arena, (size_t)count * sizeof *slot);
    for (int64_t i = 0; i < count; i++) {
        slot[i] = (struct bl_slot){first.start + i * every, first.end + i * every};
    }
    out->slot = slot;
    out->slot_count = (size_t)count;
    return BL_OK;
}

static int read_times(const struct bl_tree_reader *in, const struct bl_tree *tree,
                      const struct bl_bookingspec *spec, struct bl_booking_spec *out)
{
    struct bl_slot first = {0, 0};
    bl_time series[2] = {0, 0};
    int status = read_span(in, at_key(tree, BL_BOOKING_KEY_FROM), spec->from, &first.start);

    first.end = first.start + spec->duration;
    if (status == BL_OK && spec->until_at) {
        status = read_span(in, at_key(tree, BL_BOOKING_KEY_UNTIL_AT), spec->until_at, &first.end);
    }
    if (status == BL_OK && spec->every) {
        status = read_span(in, at_key(tree, BL_BOOKING_KEY_EVERY), spec->every, &series[0]);
    }
    if (status == BL_OK && spec->until) {
        status = read_span(in, at_key(tree, BL_BOOKING_KEY_UNTIL), spec->until, &series[1]);
    }
    if (status == BL_OK && !spec->every != !spec->until) {
        return bl_tree_fail(in->source, tree, in->err, "expected every and until together");
    }
    return status == BL_OK ? make_slots(in, tree, first, series, out) : status;
}

static int read_one(const struct bl_tree_reader *in, const struct bl_tree *tree,
                    struct bl_booking_spec *out)
{
    struct bl_bookingspec spec = {0};
    int status =
        bl_bookingspec_read(in->source, tree, BL_BOOKINGSPEC_NEW, in->arena, &spec, in->err);

    if (status != BL_OK) {
        return status;
    }
    for (size_t i = 0; i < spec.on_count; i++) {
        if (!spec.on[i].node) {
            return bl_tree_fail(in->source, at_key(tree, BL_BOOKING_KEY_ON), in->err,
                                "expected the name of a node before the GPUs");
        }
    }
    *out = (struct bl_booking_spec){.id = out->id,
                                    .name = spec.name,
                                    .user = spec.user,
                                    .project = spec.project,
                                    .gpus = spec.gpus,
                                    .gpu_type = spec.gpu_type,
                                    .pool = spec.pool,
                                    .on = spec.on,
                                    .on_count = spec.on_count,
                                    .flex = spec.flex,
                                    .release_after = spec.release_after};
    return read_times(in, tree, &spec, out);
}

int bl_trace_bookings_read(const struct bl_tree_source *source, const struct bl_tree *list,
                           struct bl_arena *arena, const struct bl_booking_spec **out,
                           size_t *count, struct bl_error *err)
{
    const struct bl_tree_reader in = {source, arena, err};
    struct bl_booking_spec *spec;
    int status = BL_OK;

    *count = 0;
    if (!list) {
        return BL_OK;
    }
    if (list->kind != BL_TREE_LIST || list->child_count > BL_BOOKING_SLOTS_MAX) {
        return bl_tree_fail(source, list, err, "expected a list of at most %d reservations",
                            BL_BOOKING_SLOTS_MAX);
    }
    spec = bl_arena_alloc(arena, (list->child_count + 1) * sizeof *spec);
    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        spec[i].id = (int64_t)i + 1;
        status = read_one(&in, &list->child[i], &spec[i]);
    }
    *out = spec;
    *count = list->child_count;
    return status;
}
