/* Jobs as processes of this machine, each under its own supervisor (src/supervisor). */
#include "engine/launch_env.h"
#include "engine/local_inside.h"
#include "engine/local_signal.h"
#include "engine/local_tidy.h"
#include "os/fs.h"
#include "os/loop.h"
#include "os/proc.h"

#include <stdlib.h>
#include <unistd.h>

static void local_start(void *self, const struct bl_engine_job *job)
{
    bl_local_take_up(self, job);
}

static void local_adopt(void *self, const struct bl_engine_job *job)
{
    bl_local_take_up(self, job);
}

static void local_stop(void *self, bl_job_id job, int32_t number)
{
    struct bl_local *local = self;
    struct bl_attempt *attempt = bl_local_find_attempt(local, job, number);

    if (attempt) {
        attempt->stop_asked = true;
        bl_attempt_tell_stop(attempt);
        bl_watch_arm(local->idle, 0);
    }
}

static void local_save(void *self, const struct bl_engine_job *job)
{
    struct bl_local *local = self;
    struct bl_attempt *attempt = bl_local_find_attempt(local, job->job->id, job->attempt);

    if (attempt) {
        attempt->save_asked = true;
        bl_attempt_tell_save(attempt);
        bl_watch_arm(local->idle, 0);
    }
}

static void local_signal(void *self, bl_job_id job, int32_t number, int signal, bool shell_only)
{
    struct bl_local *local = self;
    const struct bl_attempt *attempt = bl_local_find_attempt(local, job, number);

    if (!attempt || !attempt->status.pid) {
        return;
    }
    if (shell_only) {
        bl_proc_signal(attempt->status.pid, attempt->status.pid_start, signal);
    } else {
        bl_local_signal_handlers(attempt->status.supervisor, signal);
    }
}

static void local_forget(void *self, bl_job_id job, int32_t number)
{
    const struct bl_local *local = self;
    BL_AUTO_PATHS paths;

    bl_local_paths_init(&paths, local->site.state_dir, job, number);
    if (!bl_local_find_attempt(local, job, number)) {
        bl_local_files_forget_attempt(&paths);
    }
}

static void local_forget_job(void *self, bl_job_id job)
{
    struct bl_local *local = self;
    BL_AUTO_PATHS paths;

    bl_local_paths_init(&paths, local->site.state_dir, job, 0);
    if (bl_map_find(&local->attempts, job)) {
        return;
    }
    bl_launch_env_remove(local->site.state_dir, job);
    if (!bl_local_files_forget_job(&paths)) { /* the user's own files: that can take long */
        struct bl_spawn_supervisor remover = {
            .mode = BL_SPAWN_REMOVE, .path = bl_buf_text(&paths.directory), .attempt_fd = -1};

        bl_nursery_start(local->nursery, &remover);
    }
}

static void local_tidy(void *self, const struct bl_engine_needs *needs)
{
    const struct bl_local *local = self;
    bl_local_names stale = {0};

    bl_local_tidy_find(local->site.state_dir, needs, &stale);
    for (size_t i = 0; i < stale.count; i++) {
        const struct bl_local_name *name = &stale.at[i];

        if (name->place == BL_LOCAL_ATTEMPTS) {
            local_forget(self, name->job, name->attempt);
        } else if (name->place == BL_LOCAL_JOBS) {
            local_forget_job(self, name->job);
        } else {
            bl_launch_env_remove(local->site.state_dir, name->job);
        }
    }
    BL_VEC_FINISH(&stale);
}

static int local_examine(void *self, const struct bl_engine_asker *asker,
                         const struct bl_sight *seen, struct bl_arena *arena,
                         struct bl_engine_process *out, struct bl_error *err)
{
    return bl_local_examine(self, asker, seen, arena, out, err);
}

static int local_discover(void *self, struct bl_clusterspec *out, struct bl_error *err)
{
    struct bl_local *local = self;

    (void)err;
    out->node_count = local->site.nodes.count;
    out->node = bl_arena_alloc(&local->site.nodes.arena, out->node_count * sizeof *out->node);
    for (size_t i = 0; i < out->node_count; i++) {
        out->node[i] = local->site.nodes.node[i].spec;
    }
    return BL_OK;
}

/* ---- creation ---- */

static int open_nursery(struct bl_local *local, const struct bl_engine_config *config,
                        struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    if (config->supervisor) {
        bl_buf_append_text(&path, config->supervisor);
    } else {
        if (bl_fs_program_dir(&path, err)) {
            return (int)err->status;
        }
        bl_buf_append_text(&path, "/baleen-supervisor");
    }
    if (access(bl_buf_text(&path), X_OK) != 0) {
        bl_fail_sys(err, "cannot execute the supervisor %s", bl_buf_text(&path));
        return bl_error_set_hint(err, "install baleen as a whole");
    }
    local->nursery = bl_nursery_create(bl_buf_text(&path));
    return BL_OK;
}

static void local_destroy(void *self)
{
    struct bl_local *local = self;

    if (!local) {
        return;
    }
    if (local->site.has_groups && !local->attempts.count) { /* else one may be about to use it */
        rmdir(bl_buf_text(&local->site.groups.path));
    }
    bl_map_finish_owned(&local->attempts);
    bl_map_finish(&local->watched);
    bl_watch_destroy(local->inotify_watch);
    bl_watch_destroy(local->timer);
    bl_watch_destroy(local->idle);
    if (local->inotify >= 0) {
        close(local->inotify);
    }
    bl_nursery_destroy(local->nursery);
    bl_local_health_destroy(local->health);
    BL_VEC_FINISH(&local->reports);
    bl_local_site_finish(&local->site);
    free(local);
}

static int local_create(const struct bl_engine_config *config, struct bl_engine_host host,
                        void **out, struct bl_error *err)
{
    struct bl_local *local = bl_alloc_zero(sizeof *local);
    int status;

    local->loop = config->loop;
    local->host = host;
    local->inotify = -1;
    status = open_nursery(local, config, err);
    if (!status) {
        status = bl_local_site_open(&local->site, config, err);
    }
    if (status) {
        local_destroy(local);
        return status;
    }
    bl_local_open_watches(local);
    local->health = bl_local_health_create(&(struct bl_local_health_parts){
        local->loop, host, &local->site.nodes, local->site.state_dir, NULL});
    *out = local;
    return BL_OK;
}

static const char *local_gpu_uuid(void *self, const char *node, int32_t gpu)
{
    const struct bl_local *local = self;

    return bl_local_nodes_uuid(&local->site.nodes, node, gpu);
}

const struct bl_engine bl_engine_local = {
    .name = "local",
    .summary = "processes of this machine, each under a supervisor that outlives the daemon",
    .create = local_create,
    .destroy = local_destroy,
    .discover = local_discover,
    .start = local_start,
    .stop = local_stop,
    .save = local_save,
    .signal = local_signal,
    .adopt = local_adopt,
    .forget = local_forget,
    .forget_job = local_forget_job,
    .examine = local_examine,
    .tidy = local_tidy,
    .gpu_uuid = local_gpu_uuid,
};
