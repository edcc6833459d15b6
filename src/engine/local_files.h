/* Where the local engine keeps what it knows of its jobs:
 *
 *     STATE/attempts/ID.ATTEMPT     0600, the daemon's: spec and records (os/spawn_spec.h)
 *     STATE/jobs/ID/                0700, the job's user's: BALEEN_DIR
 *
 * STATE and STATE/jobs let others pass (not read) where jobs run as other users. */
#ifndef BL_ENGINE_LOCAL_FILES_H
#define BL_ENGINE_LOCAL_FILES_H

#include "base/buf.h"
#include "base/error.h"
#include "core/reason.h"

#include <stdbool.h>

struct bl_local_paths {
    struct bl_buf directory;
    struct bl_buf attempt;
};

void bl_local_paths_init(struct bl_local_paths *paths, const char *state_dir, bl_job_id job,
                         int32_t attempt);
void bl_local_paths_finish(struct bl_local_paths *paths);

#define BL_AUTO_PATHS __attribute__((cleanup(bl_local_paths_finish))) struct bl_local_paths

/* Makes STATE/attempts and STATE/jobs and sees to the rights. */
int bl_local_files_prepare(const char *state_dir, struct bl_error *err);

enum bl_local_opening {
    BL_LOCAL_MADE,   /* it was not there; now it is */
    BL_LOCAL_EXISTS, /* it is there; no descriptor */
    BL_LOCAL_REFUSED /* errno tells why; no descriptor */
};

/* Makes the attempt file, open for writing and locked. */
enum bl_local_opening bl_local_files_make(const struct bl_local_paths *paths, int *fd);

/* An existing attempt file, open for writing and locked; -1 with errno. */
int bl_local_files_take(const struct bl_local_paths *paths);

/* Whether a supervisor lives: whether somebody else has the attempt file's lock. */
bool bl_local_files_is_supervised(const struct bl_local_paths *paths);

/* Replaces what the file holds by room for the records and the spec. 0 or an errno. */
int bl_local_files_write_spec(int fd, const struct bl_buf *spec);

void bl_local_files_forget_attempt(const struct bl_local_paths *paths);

/* Removes the job's directory with what the engine put there. False when something else is left
 * in it: it is then to be removed by somebody with time. */
bool bl_local_files_forget_job(const struct bl_local_paths *paths);

#endif
