#include "calendar/revise.h"

/* No clocks are put forward or back further: what a window misses at its ends is within. */
#define MARGIN (2 * BL_DAY)

void bl_revise_moves_finish(struct bl_revise_moves *moves)
{
    BL_VEC_FINISH(&moves->moves);
}

/* The number in the series of the occurrence with just these times; 0 where there is none. Both
 * lists rise: *next walks along. */
static int32_t find_number(const struct bl_series_slots *slots, const struct bl_revise_kept *kept,
                           size_t *next)
{
    const struct bl_series_slot *slot;

    while (*next < slots->slots.count && slots->slots.at[*next].start < kept->start) {
        ++*next;
    }
    slot = *next < slots->slots.count ? &slots->slots.at[*next] : NULL;
    return slot && slot->start == kept->start && slot->end == kept->end ? slot->number : 0;
}

static const struct bl_series_slot *find_slot(const struct bl_series_slots *slots, int32_t number)
{
    int64_t index = slots->slots.count ? number - (int64_t)slots->slots.at[0].number : -1;

    return index >= 0 && index < (int64_t)slots->slots.count ? &slots->slots.at[index] : NULL;
}

void bl_revise(const struct bl_series *series, const struct bl_revise_zone *zone,
               const struct bl_series_window *window, const struct bl_revise_kept *kept,
               size_t count, struct bl_revise_moves *out)
{
    const struct bl_series_window wide = {window->from - MARGIN, window->horizon + MARGIN};
    BL_AUTO_SERIES_SLOTS before = {0};
    BL_AUTO_SERIES_SLOTS after = {0};
    size_t next = 0;

    if (bl_series_expand(series, zone->before, &wide, &before, NULL) ||
        bl_series_expand(series, zone->after, &wide, &after, NULL)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t number = find_number(&before, &kept[i], &next);
        const struct bl_series_slot *slot = number ? find_slot(&after, number) : NULL;
        bool is_meant = kept[i].start > window->from && kept[i].start < window->horizon;

        if (is_meant && slot && (slot->start != kept[i].start || slot->end != kept[i].end)) {
            BL_VEC_PUSH(&out->moves,
                        (struct bl_revise_kept){kept[i].number, slot->start, slot->end});
        }
    }
}
