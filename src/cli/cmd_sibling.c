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
    BL_FAIL_SAYING(err, BL_ESYSTEM, BL_SAY_E_NO_PROGRAM_BESIDE, BL_T(places[0]));
    return bl_say_hint(err, BL_SAY_H_INSTALL_WHOLE, NULL);
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
    .summary = BL_SAY_HELP_DAEMON,
    .hand_over = hand_over_daemon,
};

const struct bl_verb bl_verb_sim = {
    .name = "sim",
    .usage = "sim --trace FILE --policy NAME [flags]",
    .summary = BL_SAY_HELP_SIM,
    .hand_over = hand_over_sim,
};
