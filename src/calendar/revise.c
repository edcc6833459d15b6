#include "calendar/revise.h"

void bl_revise_edits_finish(struct bl_revise_edits *edits)
{
    BL_VEC_FINISH(&edits->edits);
}

static void add(struct bl_revise_edits *out, enum bl_revise_edit_kind kind, int32_t number,
                const struct bl_revise_kept *times)
{
    BL_VEC_PUSH(&out->edits, (struct bl_revise_edit){kind, number, times->start, times->end});
}

/* One booked occurrence; `slot` is it as it should be, NULL where the series has it no more. */
static void revise_kept(const struct bl_revise_kept *kept, const struct bl_series_slot *slot,
                        bl_time from, struct bl_revise_edits *out)
{
    if (kept->is_fixed || kept->start <= from) {
        return;
    }
    if (!slot) {
        add(out, BL_REVISE_DROP, kept->number, kept);
    } else if (slot->start != kept->start || slot->end != kept->end) {
        add(out, BL_REVISE_MOVE, kept->number,
            &(struct bl_revise_kept){.start = slot->start, .end = slot->end});
    }
}

/* Both lists rise by number: one walk over them together. */
static void compare(const struct bl_series_slots *slots, const struct bl_revise_books *books,
                    const struct bl_series_window *window, struct bl_revise_edits *out)
{
    int32_t last = books->count ? books->kept[books->count - 1].number : 0;
    size_t next = 0;

    for (size_t i = 0; i < books->count; i++) {
        const struct bl_series_slot *slot = NULL;

        while (next < slots->slots.count && slots->slots.at[next].number < books->kept[i].number) {
            next++;
        }
        if (next < slots->slots.count && slots->slots.at[next].number == books->kept[i].number) {
            slot = &slots->slots.at[next];
        }
        revise_kept(&books->kept[i], slot, window->from, out);
    }
    for (size_t i = next; i < slots->slots.count; i++) {
        const struct bl_series_slot *slot = &slots->slots.at[i];

        if (slot->number > last && slot->start > window->from) {
            add(out, BL_REVISE_ADD, slot->number,
                &(struct bl_revise_kept){.start = slot->start, .end = slot->end});
        }
    }
}

int bl_revise(const struct bl_series *series, const struct bl_tz *tz,
              const struct bl_series_window *window, const struct bl_revise_books *books,
              struct bl_revise_edits *out, struct bl_error *err)
{
    BL_AUTO_SERIES_SLOTS slots = {0};
    int status = bl_series_expand(series, tz, window, &slots, err);

    if (!status) {
        compare(&slots, books, window, out);
    }
    return status;
}
