/* plan: what runs and what will, as a text Gantt. */
#include "cli/cli.h"

#include "base/units.h"
#include "cli/jobs.h"
#include "cli/plan.h"
#include "os/clock.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_NEXT = BL_KEY_OWN, KEY_ASCII };

struct plan {
    bl_time span; /* 0: the usual */
    bool ascii;
};

static const struct bl_flag flags[] = {
    {"next", 'n', BL_TAKES_VALUE, KEY_NEXT, "TIME", BL_SAY_FLAG_PLAN_NEXT},
    {"ascii", 0, BL_TAKES_NOTHING, KEY_ASCII, NULL, BL_SAY_FLAG_PLAN_ASCII},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct plan *plan = self;
    int status;

    if (key == KEY_ASCII) {
        plan->ascii = true;
        return BL_OK;
    }
    status = bl_span_parse(value, &plan->span, err);
    if (!status && (plan->span < BL_MINUTE || plan->span > 366 * BL_DAY)) {
        status = BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_PLAN_SPAN, BL_T(value));
    }
    return status;
}

static int print_plan(struct bl_cli *cli, const struct plan *plan, const struct bl_job_list *jobs,
                      struct bl_error *err)
{
    enum { COLUMNS = 100 };
    BL_AUTO_REPLY gpus = {0};
    BL_AUTO_BUF out = {0};
    struct bl_table_look look = bl_cli_look(cli);
    int status = bl_client_get(cli->client, "/api/v1/gpus", &gpus, err);

    if (!status) {
        const struct bl_plan_scene scene = {
            .jobs = jobs,
            .gpus = gpus.tree,
            .now = bl_clock_wall(),
            .span = plan->span ? plan->span : 8 * BL_HOUR,
            .columns = look.columns ? look.columns : COLUMNS,
            .ascii = plan->ascii,
        };

        bl_plan_print(&out, &scene);
        bl_cli_flush(&out);
    }
    return status;
}

static int run_plan(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct bl_job_list jobs = {0};
    BL_AUTO_BUF out = {0};
    int status = bl_cli_refuse_words(cli, argc, argv, err);

    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : bl_job_list_fetch(cli->client, "state=active", &jobs, err);
    if (!status && cli->json) {
        bl_job_list_print_json(&out, &jobs);
        bl_cli_flush(&out);
    } else if (!status) {
        status = print_plan(cli, self, &jobs, err);
    }
    bl_job_list_finish(&jobs);
    return status;
}

const struct bl_verb bl_verb_plan = {
    .name = "plan",
    .usage = "plan [--next TIME] [--ascii]",
    .summary = BL_SAY_HELP_PLAN,
    .about = BL_SAY_ABOUT_PLAN,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct plan),
    .run = run_plan,
};
