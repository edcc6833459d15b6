#include "cli/range.h"

#include "cli/jobs.h"
#include "cli/say.h"
#include "cli/when.h"

#include <string.h>

bool bl_range_print(struct bl_buf *out, const struct bl_tree *range, bl_time now)
{
    bl_time middle = range && range->kind == BL_TREE_MAP ? bl_field_time(range, "p50") : 0;
    bl_time low = middle ? bl_field_time(range, "p10") : 0;
    bl_time high = middle ? bl_field_time(range, "p90") : 0;
    struct bl_buf text[3] = {{0}, {0}, {0}};

    if (middle <= 0) {
        return false;
    }
    bl_when_print(&text[0], middle, now);
    bl_when_print(&text[1], low > 0 ? low : middle, now);
    bl_when_print(&text[2], high > 0 ? high : middle, now);
    if (!strcmp(bl_buf_text(&text[1]), bl_buf_text(&text[2]))) {
        bl_buf_append_text(out, bl_buf_text(&text[0]));
    } else {
        BL_SAY(out, BL_SAY_ASK_RANGE, BL_T(bl_buf_text(&text[0])), BL_T(bl_buf_text(&text[1])),
               BL_T(bl_buf_text(&text[2])));
    }
    for (int i = 0; i < 3; i++) {
        bl_buf_finish(&text[i]);
    }
    return true;
}
