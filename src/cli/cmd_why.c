/* why: what a job waits for, from the daemon's numbers. */
#include "cli/cli.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/text.h"
#include "cli/why.h"
#include "os/clock.h"

#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static int get(struct bl_cli *cli, const char *folder, struct bl_job_ref ref,
               struct bl_reply *reply, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "/api/v1/%s/", folder);
    bl_ref_print(&path, ref);
    return bl_client_get(cli->client, bl_buf_text(&path), reply, err);
}

static int run_why(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    BL_AUTO_REPLY job = {0};
    BL_AUTO_REPLY why = {0};
    BL_AUTO_BUF out = {0};
    struct bl_job_ref ref = {0, -1};
    int status;

    (void)self;
    if (argc != 1) {
        BL_FAIL_SAYING(err, BL_EINVAL, argc ? BL_SAY_E_ONE_JOB : BL_SAY_E_WHICH_JOB, BL_T("why"));
        return bl_say_hint(err, BL_SAY_H_USAGE_WHY, NULL);
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    status = bl_cli_one_ref(cli, argv[0], &ref, err);
    status = status ? status : get(cli, "why", ref, &why, err);
    if (!status && cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&why.body));
    } else if (!status) {
        status = get(cli, "jobs", ref, &job, err);
    }
    if (!status && !cli->json) {
        const struct bl_why_scene scene = {job.tree, why.tree, bl_clock_wall()};

        bl_why_print(&out, &scene);
    }
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_why = {
    .name = "why",
    .usage = "why ID",
    .summary = BL_SAY_HELP_WHY,
    .about = BL_SAY_ABOUT_WHY,
    .flag = flags,
    .run = run_why,
};
