/* How a job uses its GPUs, as the daemon has measured it. */
#ifndef BL_CLI_USE_H
#define BL_CLI_USE_H

#include "base/buf.h"
#include "form/tree.h"

/* Appends a line a GPU, "node1 gpu0: 93 % now, 88 % on average, 40GiB of 80GiB", with `indent`
 * before all but the first; nothing where nothing was measured. `use` is an answer of the API. */
void bl_use_print(struct bl_buf *out, const struct bl_tree *use, const char *indent);

#endif
