#include "os/spawn_spec.h"

#include "base/own.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>

static const char *mode_word(enum bl_spawn_mode mode)
{
    switch (mode) {
    case BL_SPAWN_RUN:
        return "run";
    case BL_SPAWN_SWEEP:
        return "sweep";
    case BL_SPAWN_REMOVE:
        return "remove";
    }
    return "";
}

static int spawn_with(const struct bl_spawn_supervisor *supervisor,
                      posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                      pid_t *out)
{
    char name[] = "baleen-supervisor";
    char mode[16];
    char *path = bl_copy_text(supervisor->path);
    char *argv[] = {name, mode, path, NULL};
    char *envp[] = {NULL};
    sigset_t all;
    int failed = 0;

    snprintf(mode, sizeof mode, "%s", mode_word(supervisor->mode));
    sigfillset(&all);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(attributes, &all);
    if (supervisor->status_fd >= 0) {
        failed =
            posix_spawn_file_actions_adddup2(actions, supervisor->status_fd, BL_SPAWN_STATUS_FD);
    }
    if (!failed) {
        failed = posix_spawn(out, supervisor->program, actions, attributes, argv, envp);
    }
    free(path);
    return failed;
}

int bl_spawn_supervisor(const struct bl_spawn_supervisor *supervisor, pid_t *out)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed;

    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    failed = spawn_with(supervisor, &actions, &attributes, out);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}
