/* Completions of shells, made from the table of verbs. */
#ifndef BL_CLI_COMPLETION_H
#define BL_CLI_COMPLETION_H

#include "cli/cli.h"

/* "bash", "zsh" or "fish". */
int bl_completion_print(struct bl_buf *out, const char *shell, const struct bl_verb *const *verbs,
                        size_t count, struct bl_error *err);

#endif
