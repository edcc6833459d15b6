/* predict: how long a job would take, and when it would start. */
#include "cli/predict.h"

static const struct bl_flag flags[] = {BL_FLAGS_JOB, BL_FLAGS_COMMON};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    return bl_job_flags_set(self, key, value, err);
}

static void finish(void *self)
{
    bl_job_flags_finish(self);
}

static int run_predict(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    (void)argc;
    return bl_predict_ask(cli, self, argv, BL_PREDICT_ITSELF, err);
}

const struct bl_verb bl_verb_predict = {
    .name = "predict",
    .usage = "predict [flags of run] [FILE | -- COMMAND…]",
    .summary = BL_SAY_HELP_PREDICT,
    .about = BL_SAY_ABOUT_PREDICT,
    .flag = flags,
    .order = BL_FLAGS_IN_FRONT,
    .set = set_flag,
    .self_size = sizeof(struct bl_job_flags),
    .finish = finish,
    .run = run_predict,
};
