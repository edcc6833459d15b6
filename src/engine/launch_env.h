/* The environment that a job was submitted with. It may hold secrets, so it stands apart from the
 * journal, in STATE/env/ID, for the daemon's user alone, and goes when the job ends. */
#ifndef BL_ENGINE_LAUNCH_ENV_H
#define BL_ENGINE_LAUNCH_ENV_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "core/reason.h"

/* Writes it whole or not at all. `environment`: "NAME=VALUE", NULL-terminated. The daemon calls
 * this before the submission goes to the journal. It is not forced to the disk: after a power cut
 * a job submitted in the last seconds may find it missing; its start then fails with
 * BL_STAGE_SPEC instead of running with a part of it. */
int bl_launch_env_write(const char *state_dir, bl_job_id job, const char *const *environment,
                        struct bl_error *err);

/* The same for one after the other: jobs that came with equal environments share one file, by
 * links. A file system takes much longer to make a file than a link, where many were removed
 * lately. Zeroes are the beginning. */
struct bl_launch_env_last {
    bl_job_id job; /* 0 = none */
    struct bl_buf bytes;
};
int bl_launch_env_write_next(const char *state_dir, struct bl_launch_env_last *last, bl_job_id job,
                             const char *const *environment, struct bl_error *err);
void bl_launch_env_last_finish(struct bl_launch_env_last *last);

/* NULL-terminated, in the arena. */
int bl_launch_env_read(const char *state_dir, bl_job_id job, struct bl_arena *arena, char ***out,
                       struct bl_error *err);

/* One that is not there is fine. */
void bl_launch_env_remove(const char *state_dir, bl_job_id job);

#endif
