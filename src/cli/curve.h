/* A speed curve (GET /api/v1/jobs/ID/curve) as a table. */
#ifndef BL_CLI_CURVE_H
#define BL_CLI_CURVE_H

#include "cli/table.h"
#include "form/tree.h"

/* Appends where the curve comes from and a row for each count that is a power of two, the first or
 * the last of its type; nothing when nothing is known. */
void bl_curve_print(struct bl_buf *out, const struct bl_tree *curve,
                    const struct bl_table_look *look);

/* The first count that was measured; NULL when none was. */
const struct bl_tree *bl_curve_find_measured(const struct bl_tree *curve);

#endif
