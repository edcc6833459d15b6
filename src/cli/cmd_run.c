#include "cli/cli.h"

#include "base/own.h"
#include "cli/job_flags.h"
#include "cli/queued.h"
#include "form/tree_make.h"

#include <stdlib.h>
#include <unistd.h>

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

static int queue(struct bl_cli *cli, struct run *run, struct bl_error *err)
{
    struct bl_arena arena = {0};
    struct bl_tree *tree = bl_tree_create(&arena, BL_TREE_MAP);
    const struct bl_submit_surroundings here = bl_submit_surroundings_now();
    BL_AUTO_BUF body = {0};

    bl_submit_apply(&arena, tree, &run->job.submit);
    bl_queued_tell_left_out(bl_submit_write(&body, tree, &here));
    bl_arena_finish(&arena);
    run->how.from_flags = true;
    return bl_queued_post(cli, &run->how, bl_buf_text(&body), err);
}

static int run_run(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct run *run = self;
    struct bl_submit *submit = &run->job.submit;
    BL_AUTO_FREE char *workdir = NULL;
    BL_AUTO_BUF name = {0};
    int status;

    if (argc == 0) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_NO_COMMAND, NULL);
        return bl_say_hint(err, BL_SAY_H_USAGE_RUN, NULL);
    }
    status = bl_job_flags_workdir(&run->job, &workdir, err);
    if (status) {
        return status;
    }
    submit->workdir = workdir;
    submit->command = (const char *const *)argv;
    if (!submit->name) {
        bl_submit_default_name(&name, submit->command);
        submit->name = bl_buf_text(&name);
    }
    status = bl_submit_check(submit, err);
    status = status ? status : bl_job_flags_resolve(cli, &run->job, err);
    return status ? status : queue(cli, run, err);
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
