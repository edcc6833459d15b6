/* hold, release and requeue: one word about each job. */
#include "cli/control.h"

#include "cli/jobs.h"
#include "os/clock.h"

#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static void tell_held(struct bl_buf *out, const char *id, const struct bl_tree *answer)
{
    struct bl_job_view job;
    BL_AUTO_BUF said = {0};

    bl_job_view_read(answer, &job);
    BL_SAY(&said, BL_SAY_HELD_NOW, BL_T(id));
    bl_job_add_promise(&said, &job, bl_clock_wall());
    bl_control_answer(out, id, bl_buf_text(&said));
}

static void tell_standing(struct bl_buf *out, const char *id, const struct bl_tree *answer,
                          enum bl_message message)
{
    struct bl_job_view job;
    BL_AUTO_BUF standing = {0};
    BL_AUTO_BUF said = {0};

    bl_job_view_read(answer, &job);
    bl_job_print_standing(&standing, &job);
    BL_SAY(&said, message, BL_T(bl_buf_text(&standing)));
    bl_job_add_promise(&said, &job, bl_clock_wall());
    bl_control_answer(out, id, bl_buf_text(&said));
}

static void tell_released(struct bl_buf *out, const char *id, const struct bl_tree *answer)
{
    tell_standing(out, id, answer, BL_SAY_RELEASED);
}

static void tell_requeued(struct bl_buf *out, const char *id, const struct bl_tree *answer)
{
    const char *state = bl_field_text(answer, "state", "");
    bool is_stopping = !strcmp(state, "stopping");

    tell_standing(out, id, answer, is_stopping ? BL_SAY_REQUEUED_STOPPING : BL_SAY_REQUEUED);
}

static int run_hold(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    static const struct bl_control control = {"baleen hold 7", "hold", "", tell_held};
    const struct bl_words words = {argc, argv, control.example};

    (void)self;
    return bl_control_run(cli, &control, &words, err);
}

static int run_release(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    static const struct bl_control control = {"baleen release 7", "release", "", tell_released};
    const struct bl_words words = {argc, argv, control.example};

    (void)self;
    return bl_control_run(cli, &control, &words, err);
}

static int run_requeue(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    static const struct bl_control control = {"baleen requeue 7", "requeue", "", tell_requeued};
    const struct bl_words words = {argc, argv, control.example};

    (void)self;
    return bl_control_run(cli, &control, &words, err);
}

const struct bl_verb bl_verb_hold = {
    .name = "hold",
    .usage = "hold ID…",
    .summary = BL_SAY_HELP_HOLD,
    .about = BL_SAY_ABOUT_HOLD,
    .flag = flags,
    .run = run_hold,
};

const struct bl_verb bl_verb_release = {
    .name = "release",
    .usage = "release ID…",
    .summary = BL_SAY_HELP_RELEASE,
    .about = BL_SAY_ABOUT_RELEASE,
    .flag = flags,
    .run = run_release,
};

const struct bl_verb bl_verb_requeue = {
    .name = "requeue",
    .usage = "requeue ID…",
    .summary = BL_SAY_HELP_REQUEUE,
    .about = BL_SAY_ABOUT_REQUEUE,
    .flag = flags,
    .run = run_requeue,
};
