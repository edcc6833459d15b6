/* What became of a job's attempts before the present or last one. */
#ifndef BL_CLI_ATTEMPTS_H
#define BL_CLI_ATTEMPTS_H

#include "base/buf.h"
#include "form/tree.h"

/* Appends a line for each, "1: put back to make room for job 4 after 2h on n1 gpu0-3", with
 * `indent` before all but the first; nothing where there was none. `job` is one of the API. */
void bl_attempts_print(struct bl_buf *out, const struct bl_tree *job, const char *indent);

#endif
