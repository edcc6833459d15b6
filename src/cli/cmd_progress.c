/* progress: from inside a job, how far it is. It goes into the file that the job's environment
 * names, so that it works where no socket reaches, and costs the daemon nothing. */
#include "cli/cli.h"

#include "form/progress.h"
#include "os/fs.h"

#include <stdlib.h>

enum { KEY_RATE = BL_KEY_OWN, FILE_MODE = 0644 };

struct progress {
    const char *rate;
};

static const struct bl_flag flags[] = {
    {"rate", 0, BL_TAKES_VALUE, KEY_RATE, "NUMBER", BL_SAY_FLAG_RATE}, BL_FLAGS_COMMON};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    (void)key;
    (void)err;
    ((struct progress *)self)->rate = value;
    return BL_OK;
}

static int run_progress(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct progress *progress = self;
    const char *path = getenv("BALEEN_PROGRESS");
    struct bl_progress_report report;
    BL_AUTO_BUF line = {.ceiling = BL_PROGRESS_LINE_MAX};

    if (argc == 0) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_HOW_FAR, NULL);
        return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                              BL_T("baleen progress 120/1000 --rate 3.1k"));
    }
    for (int i = 0; i < argc; i++) {
        bl_buf_printf(&line, "%s%s", i ? " " : "", argv[i]);
    }
    if (progress->rate) {
        bl_buf_printf(&line, " rate=%s", progress->rate);
    }
    if (bl_progress_parse(bl_buf_text(&line), &report, err) != BL_OK) {
        return BL_EINVAL;
    }
    if (!path || !*path) {
        bl_say_fail(err, BL_EREFUSED, BL_SAY_E_NOT_IN_A_JOB, NULL);
        return bl_say_hint(err, BL_SAY_H_IN_A_JOB, NULL);
    }
    bl_buf_append_char(&line, '\n');
    return bl_fs_write_atomic(path, FILE_MODE, bl_buf_text(&line), line.length, err);
}

const struct bl_verb bl_verb_progress = {
    .name = "progress",
    .usage = "progress STEP/TOTAL [KEY=NUMBER…]",
    .summary = BL_SAY_HELP_PROGRESS,
    .about = BL_SAY_ABOUT_PROGRESS,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct progress),
    .run = run_progress,
};
