/* The elements of an array as people write them: "0-9", "1,3,5", "0-15:4", "0-99%10". */
#ifndef BL_FORM_ARRAYSPEC_H
#define BL_FORM_ARRAYSPEC_H

#include "base/arena.h"
#include "base/buf.h"
#include "core/job.h"

/* Ranges in the order in which they were written; a single index is a range of one. */
struct bl_arrayspec {
    struct bl_array_range *range; /* in the arena */
    size_t count;
    int32_t running_max; /* what stood behind '%': elements at once; 0 = any */
};

/* Refuses an index that is given twice, more than BL_ARRAY_RANGES_MAX ranges and more than
 * BL_ARRAY_ELEMENTS_MAX elements. */
int bl_arrayspec_parse(const char *text, struct bl_arena *arena, struct bl_arrayspec *out,
                       struct bl_error *err);

/* Appends the text that parses back to the same ranges; nothing when the spec has no array. */
void bl_arrayspec_print(struct bl_buf *out, const struct bl_job_spec *spec);

#endif
