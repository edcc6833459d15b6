/* resize: a fixed size for an elastic job, or its freedom back. */
#include "cli/control.h"

#include "base/units.h"
#include "cli/jobs.h"

#include <string.h>

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static void tell_size(struct bl_buf *out, const char *id, const struct bl_tree *answer)
{
    struct bl_job_view job;
    BL_AUTO_BUF gpus = {0};
    BL_AUTO_BUF standing = {0};
    BL_AUTO_BUF said = {0};

    bl_job_view_read(answer, &job);
    bl_job_print_gpus(&gpus, &job);
    bl_job_print_standing(&standing, &job);
    BL_SAY(&said, BL_SAY_RESIZE_NOTED, BL_T(bl_buf_text(&standing)), BL_T(bl_buf_text(&gpus)));
    bl_control_answer(out, id, bl_buf_text(&said));
}

static int run_resize(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct bl_control control = {"baleen resize 7 4", "resize", NULL, tell_size};
    struct bl_words words = {argc - 1, argv, control.example};
    BL_AUTO_BUF body = {0};
    int64_t gpus = 0;

    (void)self;
    if (argc < 2) {
        bl_say_fail(err, BL_EINVAL, argc ? BL_SAY_E_WHAT_SIZE : BL_SAY_E_WHICH_JOB, NULL);
        return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                              BL_T(control.example));
    }
    if (strcmp(argv[argc - 1], "auto") != 0 &&
        bl_int_parse(argv[argc - 1], 1, INT32_MAX, &gpus, err) != BL_OK) {
        return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                              BL_T(control.example));
    }
    bl_buf_printf(&body, "{\"gpus\": %lld}", (long long)gpus);
    control.body = bl_buf_text(&body);
    return bl_control_run(cli, &control, &words, err);
}

const struct bl_verb bl_verb_resize = {
    .name = "resize",
    .usage = "resize ID… GPUS",
    .summary = BL_SAY_HELP_RESIZE,
    .about = BL_SAY_ABOUT_RESIZE,
    .flag = flags,
    .run = run_resize,
};
