/* What `baleen submit` is given: a job file, a pipeline, a script, or a reservation,
 * as trees. */
#ifndef BL_CLI_DOCUMENT_H
#define BL_CLI_DOCUMENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "form/tree.h"

#include <stdbool.h>

enum { BL_DOCUMENT_BYTES_MAX = 4 * 1024 * 1024, BL_DOCUMENT_JOBS_MAX = 10000 };

struct bl_document_source {
    const char *name; /* "-" for standard input */
    const char *bytes;
    size_t length;
    const char *directory;        /* absolute, where the jobs run unless they say otherwise */
    const char *const *argument;  /* of a script, NULL-terminated */
    const char *const *gpu_types; /* what the daemon has, NULL-terminated; NULL: not known */
    const char *const *pools;     /* likewise */
};

/* All memory is in the arena that it was read into. */
struct bl_document {
    struct bl_tree *tree; /* of the whole, for --export */
    struct bl_tree **job; /* one, or those of a pipeline; those come first that others wait for */
    size_t job_count;
    bool is_pipeline;
    struct bl_tree *reservation; /* of a file that books: its map; there is no job then */
    const char **warning;
    size_t warning_count;
    bool parsable, test_only, wait; /* what a script asked of whoever submits it */
};

/* Messages carry the file's name and line. */
int bl_document_read(const struct bl_document_source *source, struct bl_arena *arena,
                     struct bl_document *out, struct bl_error *err);

/* The bytes of a file, or of standard input for "-". */
int bl_document_load(const char *name, struct bl_buf *out, struct bl_error *err);

#endif
