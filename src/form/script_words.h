/* The words of a line of flags, as sbatch splits them: at white space, with quotes of both kinds
 * and backslashes; an unquoted '#' begins a comment. */
#ifndef BL_FORM_SCRIPT_WORDS_H
#define BL_FORM_SCRIPT_WORDS_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

struct bl_script_words {
    const char **at; /* in the arena, NULL-terminated */
    size_t count;
};

/* Refuses a quote that is not closed. The line holds no line end and no zero byte. */
int bl_script_words_split(const char *line, size_t length, struct bl_arena *arena,
                          struct bl_script_words *out, struct bl_error *err);

#endif
