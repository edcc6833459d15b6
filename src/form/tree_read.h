/* Typed reading of a tree's values, for the files that give a tree its meaning. A failure names
 * file, line and key, what was expected and what was found. */
#ifndef BL_FORM_TREE_READ_H
#define BL_FORM_TREE_READ_H

#include "base/span.h"
#include "form/tree.h"

#include <stdbool.h>

enum { BL_TREE_NAME_MAX = 255 }; /* bytes of a name, user, project, pool, GPU type */

struct bl_tree_reader {
    const struct bl_tree_source *source;
    struct bl_arena *arena;
    struct bl_error *err;
};

struct bl_int_range {
    int64_t low, high;
};

/* The child with this key; NULL when it is absent or empty (null). */
const struct bl_tree *bl_tree_given(const struct bl_tree *map, const char *key);

/* Refuses keys of the map that no row of a table names. The rows are `row_bytes` apart, begin with
 * their name (the first is *names), and end with one without. */
int bl_tree_check_rows(const struct bl_tree_reader *reader, const struct bl_tree *map,
                       const char *const *names, size_t row_bytes);

/* Fails: the key belongs to the contract, and this version does not have it. */
int bl_tree_fail_later(const struct bl_tree_reader *reader, const struct bl_tree *at);

/* Fails with "expected WHAT, found …" and what stands there. */
int bl_tree_fail_kind(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char *expected);

/* Fails with BL_ETOOBIG and "WHAT is over MOST bytes". */
int bl_tree_fail_size(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char *what, size_t most);

/* Puts the place before a failure that a parser of base left in `cause`. */
int bl_tree_fail_cause(const struct bl_tree_reader *reader, const struct bl_tree *at,
                       const struct bl_error *cause);

/* Any text, borrowed from the tree. */
int bl_tree_read_text(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char **out);
/* A text of 1 to BL_TREE_NAME_MAX bytes without control characters. */
int bl_tree_read_name(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char **out);
int bl_tree_read_int(const struct bl_tree_reader *reader, const struct bl_tree *at,
                     struct bl_int_range range, int64_t *out);
/* A finite number. */
int bl_tree_read_double(const struct bl_tree_reader *reader, const struct bl_tree *at, double *out);
/* yes, no, true, false. */
int bl_tree_read_bool(const struct bl_tree_reader *reader, const struct bl_tree *at, bool *out);
/* The grammar of `-t`; at least one microsecond. */
int bl_tree_read_span(const struct bl_tree_reader *reader, const struct bl_tree *at, bl_time *out);
/* A size of at most `most` bytes. */
int bl_tree_read_size(const struct bl_tree_reader *reader, const struct bl_tree *at, int64_t most,
                      int64_t *out);
/* The index of a word in the NULL-terminated list. */
int bl_tree_read_word(const struct bl_tree_reader *reader, const struct bl_tree *at,
                      const char *const *words, int *out);

#endif
