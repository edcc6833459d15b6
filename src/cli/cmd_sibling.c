/* daemon and sim are programs of their own that lie beside this one. */
#include "cli/cli.h"

#include "os/fs.h"

#include <string.h>
#include <unistd.h>

/* Installed: beside this program. In the build tree: next door. */
static const char *const daemon_places[] = {"baleend", "../daemon/baleend", NULL};
static const char *const sim_places[] = {"baleen-sim", "../sim/baleen-sim", NULL};

static int hand_over(const char *const *places, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    (void)argc;
    if (bl_fs_find_beside(places, &path)) {
        execv(bl_buf_text(&path), argv);
        return bl_fail_sys(err, "cannot run %s", bl_buf_text(&path));
    }
    bl_fail(err, BL_ESYSTEM, "the program %s is not beside this one", places[0]);
    return bl_error_set_hint(err, "build or install baleen as a whole");
}

static int hand_over_daemon(int argc, char **argv, struct bl_error *err)
{
    return hand_over(daemon_places, argc, argv, err);
}

static int hand_over_sim(int argc, char **argv, struct bl_error *err)
{
    return hand_over(sim_places, argc, argv, err);
}

const struct bl_verb bl_verb_daemon = {
    .name = "daemon",
    .usage = "daemon [flags]",
    .summary = "start the scheduler on this machine",
    .hand_over = hand_over_daemon,
};

const struct bl_verb bl_verb_sim = {
    .name = "sim",
    .usage = "sim --trace FILE --policy NAME [flags]",
    .summary = "replay a log of jobs under one or more policies",
    .hand_over = hand_over_sim,
};
