/* completion: for whoever packages baleen. Not listed: it has no summary. */
#include "cli/cli.h"

#include "cli/completion.h"

static const struct bl_flag flags[] = {BL_FLAGS_COMMON};

static int run_completion(struct bl_cli *cli, void *self, int argc, char **argv,
                          struct bl_error *err)
{
    BL_AUTO_BUF out = {0};
    size_t count = 0;
    const struct bl_verb *const *verbs = bl_cli_verbs(&count);
    int status;

    (void)self;
    (void)cli;
    if (argc != 1) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHICH_SHELL, NULL);
    }
    status = bl_completion_print(&out, argv[0], verbs, count, err);
    bl_cli_flush(&out);
    return status;
}

const struct bl_verb bl_verb_completion = {
    .name = "completion",
    .usage = "completion bash|zsh|fish",
    .about = BL_SAY_ABOUT_COMPLETION,
    .flag = flags,
    .run = run_completion,
};
