/* doctor: whether this machine gives baleen what it needs. */
#include "cli/cli.h"

#include "cli/doctor.h"

enum { KEY_STATE = BL_KEY_OWN };

struct doctor {
    const char *state;
};

static const struct bl_flag flags[] = {
    {"state", 0, BL_TAKES_VALUE, KEY_STATE, "DIR", BL_SAY_FLAG_DOCTOR_STATE},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    (void)key;
    (void)err;
    ((struct doctor *)self)->state = value;
    return BL_OK;
}

static int run_doctor(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct bl_findings findings = {0};
    struct bl_doctor_scene scene = {.state = ((struct doctor *)self)->state};
    BL_AUTO_SERVER server = {.url = {0}};
    BL_AUTO_BUF out = {0};
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    status = status ? status : bl_server_find(&cli->server, &server, err);
    if (status) {
        return status;
    }
    scene.server = &server;
    bl_doctor_look(&scene, &findings);
    if (cli->json) {
        bl_doctor_print_json(&out, &findings);
    } else {
        bl_doctor_print(&out, &findings);
    }
    cli->exit_code = bl_doctor_is_well(&findings) ? BL_EXIT_OK : BL_EXIT_FAILED;
    bl_cli_flush(&out);
    bl_findings_finish(&findings);
    return BL_OK;
}

const struct bl_verb bl_verb_doctor = {
    .name = "doctor",
    .usage = "doctor [--state DIR]",
    .summary = BL_SAY_HELP_DOCTOR,
    .about = BL_SAY_ABOUT_DOCTOR,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct doctor),
    .run = run_doctor,
};
