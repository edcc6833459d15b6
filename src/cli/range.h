/* Instants that are told as a range: {p10, p50, p90} of the daemon's answers. */
#ifndef BL_CLI_RANGE_H
#define BL_CLI_RANGE_H

#include "base/buf.h"
#include "base/span.h"
#include "form/tree.h"

/* Appends "15:05 (14:40 – 16:20)", or the middle alone where the ends are the same or not known;
 * false, and nothing appended, where there is no instant. */
bool bl_range_print(struct bl_buf *out, const struct bl_tree *range, bl_time now);

#endif
