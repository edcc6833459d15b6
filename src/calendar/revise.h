/* A series that is booked, against what it is now: after a new edition of the time zone database,
 * and when the horizon has come closer. */
#ifndef BL_CALENDAR_REVISE_H
#define BL_CALENDAR_REVISE_H

#include "calendar/series.h"

/* An occurrence as it is booked. */
struct bl_revise_kept {
    int32_t number;
    bl_time start, end;
    bool is_fixed; /* somebody gave it times of its own, or it is over or cancelled: left alone */
};

enum bl_revise_edit_kind { BL_REVISE_MOVE, BL_REVISE_ADD, BL_REVISE_DROP };

struct bl_revise_edit {
    enum bl_revise_edit_kind kind;
    int32_t number;
    bl_time start, end; /* as it should be; of DROP as it is booked */
};

struct bl_revise_edits {
    BL_VEC(struct bl_revise_edit) edits; /* by number */
};

void bl_revise_edits_finish(struct bl_revise_edits *edits);

#define BL_AUTO_REVISE_EDITS __attribute__((cleanup(bl_revise_edits_finish))) struct bl_revise_edits

/* What is booked: the occurrences that the books still have, by number. Those that are missing
 * below the last one were given up and stay so. */
struct bl_revise_books {
    const struct bl_revise_kept *kept;
    size_t count;
};

/* What to change so that the books have the series in the window; what started at window->from or
 * before is left alone. `out` is empty before. Fails as bl_series_expand does. */
int bl_revise(const struct bl_series *series, const struct bl_tz *tz,
              const struct bl_series_window *window, const struct bl_revise_books *books,
              struct bl_revise_edits *out, struct bl_error *err);

#endif
