#include "cli/control.h"

#include "cli/jobs.h"

#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

/* An array is shown as running while its elements are being stopped. */
static void tell(struct bl_buf *out, const char *id, const struct bl_tree *answer)
{
    struct bl_job_view job;
    BL_AUTO_BUF word = {0};
    BL_AUTO_BUF said = {0};

    bl_job_view_read(answer, &job);
    bl_job_print_state(&word, bl_job_is_placed(&job) ? "stopping" : job.state);
    if (bl_job_is_ended(&job) && strcmp(job.state, "cancelled") != 0) {
        BL_SAY(&said, BL_SAY_NOTHING_TO_CANCEL, BL_T(bl_buf_text(&word)));
    } else {
        bl_buf_append_text(&said, bl_buf_text(&word));
    }
    bl_control_answer(out, id, bl_buf_text(&said));
}

static int run_cancel(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    static const struct bl_control control = {"baleen cancel 7 9-12", "cancel", "", tell};
    const struct bl_words words = {argc, argv, control.example};

    (void)self;
    return bl_control_run(cli, &control, &words, err);
}

const struct bl_verb bl_verb_cancel = {
    .name = "cancel",
    .usage = "cancel ID…",
    .summary = BL_SAY_HELP_CANCEL,
    .about = BL_SAY_ABOUT_CANCEL,
    .flag = flags,
    .run = run_cancel,
};
