#include "cli/cli.h"

#include "cli/job_source.h"
#include "cli/queued.h"

enum { KEY_WAIT = BL_KEY_OWN, KEY_PARSABLE };

struct run {
    struct bl_queued how;
    struct bl_job_flags job;
};

static const struct bl_flag flags[] = {
    BL_FLAGS_JOB,
    {"wait", 'w', BL_TAKES_NOTHING, KEY_WAIT, NULL, BL_SAY_FLAG_WAIT},
    {"parsable", 0, BL_TAKES_NOTHING, KEY_PARSABLE, NULL, BL_SAY_FLAG_PARSABLE},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct run *run = self;

    switch (key) {
    case KEY_WAIT:
        run->how.wait = true;
        return BL_OK;
    case KEY_PARSABLE:
        run->how.parsable = true;
        return BL_OK;
    default:
        return bl_job_flags_set(&run->job, key, value, err);
    }
}

static void finish(void *self)
{
    bl_job_flags_finish(&((struct run *)self)->job);
}

static int run_run(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct run *run = self;
    BL_AUTO_BUF body = {0};
    int status;

    if (argc == 0) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_NO_COMMAND, NULL);
        return bl_say_hint(err, BL_SAY_H_USAGE_RUN, NULL);
    }
    status = bl_job_source_write_command(cli, &run->job, (const char *const *)argv, &body, err);
    run->how.from_flags = true;
    return status ? status : bl_queued_post(cli, &run->how, bl_buf_text(&body), err);
}

const struct bl_verb bl_verb_run = {
    .name = "run",
    .usage = "run [flags] -- COMMAND…",
    .summary = BL_SAY_HELP_RUN,
    .about = BL_SAY_ABOUT_RUN,
    .flag = flags,
    .order = BL_FLAGS_IN_FRONT,
    .set = set_flag,
    .self_size = sizeof(struct run),
    .finish = finish,
    .run = run_run,
};
