/* daemon and sim are programs of their own that lie beside this one. */
#include "cli/cli.h"

#include "os/fs.h"

#include <string.h>
#include <unistd.h>

/* Installed: beside this program, or in libexec. In the build tree: next door. */
static const char *const daemon_places[] = {"baleend", "../daemon/baleend",
                                            "../libexec/baleen/baleend", NULL};
static const char *const sim_places[] = {"baleen-sim", "../sim/baleen-sim",
                                         "../libexec/baleen/baleen-sim", NULL};

static int hand_over(const char *const *places, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_BUF folder = {0};
    int status = bl_fs_program_dir(&folder, err);

    (void)argc;
    for (size_t i = 0; !status && places[i]; i++) {
        BL_AUTO_BUF path = {0};

        bl_buf_printf(&path, "%s/%s", bl_buf_text(&folder), places[i]);
        if (!access(bl_buf_text(&path), X_OK)) {
            execv(bl_buf_text(&path), argv);
            return bl_fail_sys(err, "cannot run %s", bl_buf_text(&path));
        }
    }
    if (!status) {
        bl_fail(err, BL_ESYSTEM, "the program %s is not beside this one, in %s", places[0],
                bl_buf_text(&folder));
        status = bl_error_set_hint(err, "build or install baleen as a whole");
    }
    return status;
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
