#include "os/spawn_spec.h"

#include "base/own.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>

enum { TITLE_BYTES = 160 };

const char *bl_spawn_mode_name(enum bl_spawn_mode mode)
{
    switch (mode) {
    case BL_SPAWN_RUN:
        return "run";
    case BL_SPAWN_ADOPT:
        return "adopt";
    case BL_SPAWN_SWEEP:
        return "sweep";
    case BL_SPAWN_REMOVE:
        return "remove";
    case BL_SPAWN_NURSERY:
        return "nursery";
    }
    return "";
}

static char *blank_text(size_t bytes)
{
    char *text = bl_alloc_zero(bytes + 1);

    memset(text, ' ', bytes);
    return text;
}

static int spawn_with(const struct bl_spawn_supervisor *supervisor,
                      posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                      pid_t *out)
{
    char name[] = "baleen-supervisor";
    char mode[16];
    /* A nursery shows in it what its supervisors are for. */
    char *path = supervisor->mode == BL_SPAWN_NURSERY ? blank_text(TITLE_BYTES)
                                                      : bl_copy_text(supervisor->path);
    char *argv[] = {name, mode, path, NULL};
    char *envp[] = {NULL};
    sigset_t all;
    int failed = 0;

    snprintf(mode, sizeof mode, "%s", bl_spawn_mode_name(supervisor->mode));
    sigfillset(&all);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(attributes, &all);
    if (supervisor->attempt_fd >= 0) {
        failed = posix_spawn_file_actions_adddup2(actions, supervisor->attempt_fd, BL_SPAWN_FD);
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
