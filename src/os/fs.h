/* Files: whole reads with a ceiling, atomic writes, directories, and transparent decompression. */
#ifndef BL_OS_FS_H
#define BL_OS_FS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

#include <stdint.h>
#include <sys/types.h>

/* The whole file, "-" being standard input; more than `ceiling` bytes is BL_ETOOBIG. */
int bl_fs_read(const char *path, size_t ceiling, struct bl_buf *out, struct bl_error *err);

/* Writes beside it, syncs, renames over it. */
int bl_fs_write_atomic(const char *path, mode_t mode, const char *bytes, size_t length,
                       struct bl_error *err);

/* mkdir -p. */
int bl_fs_make_dirs(const char *path, mode_t mode, struct bl_error *err);

/* Removes a tree without following links out of it; a missing one is fine. */
int bl_fs_remove_tree(const char *path, struct bl_error *err);

/* Appends the directory of this program's own file. */
int bl_fs_program_dir(struct bl_buf *out, struct bl_error *err);
/* Appends the first of the places that can be executed: paths from the folder of this program, or
 * absolute, behind the last of them NULL. False where there is none. */
bool bl_fs_find_beside(const char *const *places, struct bl_buf *out);

/* A stream of bytes; .gz and .zst are told by their first bytes, whatever the name says. "-" is
 * standard input. A file cut short is an error, never a silent end. */
struct bl_reader;
int bl_reader_open(const char *path, struct bl_reader **out, struct bl_error *err);
/* > 0 bytes read, 0 at the end, < 0 with *err set. */
int64_t bl_reader_read(struct bl_reader *reader, char *into, size_t room, struct bl_error *err);
void bl_reader_close(struct bl_reader *reader);

#endif
