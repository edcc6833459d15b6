/* profile: the same command on one number of GPUs after the other. */
#include "cli/cli.h"

#include "base/own.h"
#include "cli/curve.h"
#include "cli/job_flags.h"
#include "cli/jobs.h"
#include "cli/queued.h"
#include "cli/text.h"
#include "cli/wait.h"
#include "form/jobspec.h"
#include "form/json_out.h"
#include "form/tree_make.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY_WORK = BL_KEY_OWN };

/* One run, and what it showed; rate 0 = it was not measured. */
struct profiled {
    int64_t job;
    int32_t gpus;
    bl_time took;
    double rate;
    char type[64];
};

struct profile {
    struct bl_job_flags job;
    double work; /* 0 = not given: 1 */
    struct bl_gpu_counts counts;
    struct profiled run[BL_JOB_COUNTS_MAX];
    size_t run_count;
    bool has_given_up; /* its command cannot be started, on whatever GPUs */
};

static const struct bl_flag flags[] = {
    BL_FLAGS_JOB,
    {"work", 0, BL_TAKES_VALUE, KEY_WORK, "N", BL_SAY_FLAG_PROFILE_WORK},
    BL_FLAGS_COMMON,
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct profile *profile = self;
    char *end = NULL;

    if (key != KEY_WORK) {
        return bl_job_flags_set(&profile->job, key, value, err);
    }
    profile->work = strtod(value, &end);
    if (end == value || *end || !(profile->work >= 1e-6 && profile->work <= 1e9)) {
        return BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_WORK, BL_T(value));
    }
    return BL_OK;
}

static void finish(void *self)
{
    bl_job_flags_finish(&((struct profile *)self)->job);
}

/* Powers of two between the ends, and both ends. */
static void list_range(struct bl_gpu_counts *counts)
{
    int32_t max = counts->max;

    bl_gpus_add(counts, counts->min);
    for (int32_t power = 1; power < max && power > 0; power *= 2) {
        bl_gpus_add(counts, power);
    }
    bl_gpus_add(counts, max);
}

static int most_of_a_node(struct bl_cli *cli, int32_t *out, struct bl_error *err)
{
    BL_AUTO_REPLY reply = {0};
    int status = bl_client_get(cli->client, "/api/v1/nodes", &reply, err);
    const struct bl_tree *nodes = status ? NULL : bl_field_list(reply.tree, "nodes");

    *out = 0;
    for (size_t i = 0; nodes && i < nodes->child_count; i++) {
        int64_t gpus = bl_field_int(&nodes->child[i], "gpus", 0);

        *out = gpus > *out ? (int32_t)gpus : *out;
    }
    if (!status && *out == 0) {
        status = bl_say_fail(err, BL_EREFUSED, BL_SAY_E_NO_GPUS, NULL);
    }
    return status;
}

static int find_counts(struct bl_cli *cli, struct profile *profile, struct bl_error *err)
{
    struct bl_gpu_counts *counts = &profile->counts;
    int status = BL_OK;

    if (profile->job.submit.gpus) {
        status = bl_gpus_parse(profile->job.submit.gpus, counts, err);
    } else {
        counts->min = 1;
        status = most_of_a_node(cli, &counts->max, err);
    }
    if (!status && counts->count == 0) {
        list_range(counts);
    }
    return status;
}

static int submit(struct bl_cli *cli, struct profile *profile, int32_t gpus, int64_t *job,
                  struct bl_error *err)
{
    const struct bl_submit_surroundings here = bl_submit_surroundings_now();
    struct bl_arena arena = {0};
    struct bl_tree *tree = bl_tree_create(&arena, BL_TREE_MAP);
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF body = {0};
    BL_AUTO_BUF text = {0};
    int status;

    bl_buf_printf(&text, "%d", (int)gpus);
    profile->job.submit.gpus = bl_buf_text(&text);
    bl_submit_apply(&arena, tree, &profile->job.submit);
    bl_submit_write(&body, tree, &here);
    profile->job.submit.gpus = NULL;
    bl_arena_finish(&arena);
    status = bl_client_post(cli->client, "/api/v1/jobs", bl_buf_text(&body), &reply, err);
    if (status) {
        bl_job_flags_name(err);
        return status;
    }
    *job = bl_field_int(reply.tree, "id", 0);
    return BL_OK;
}

/* A run that ended well tells its rate, unless the job reports its own; the daemon knows. */
static int measure(struct bl_cli *cli, const struct profile *profile,
                   const struct bl_job_view *view, struct profiled *run, struct bl_error *err)
{
    double seconds = fmax((double)run->took / BL_SECOND, 1e-3);
    const struct bl_tree *measured;
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF body = {0};
    int status;

    bl_buf_printf(&path, "/api/v1/jobs/%lld/curve", (long long)run->job);
    if (strcmp(view->state, "completed") == 0) {
        bl_buf_printf(&body, "{\"rate\": %.9g}", (profile->work > 0 ? profile->work : 1) / seconds);
        status = bl_client_post(cli->client, bl_buf_text(&path), bl_buf_text(&body), &reply, err);
    } else {
        status = bl_client_get(cli->client, bl_buf_text(&path), &reply, err);
    }
    measured = status ? NULL : bl_curve_find_measured(reply.tree);
    if (measured) {
        run->rate = bl_field_double(measured, "rate", 0);
        snprintf(run->type, sizeof run->type, "%s", bl_field_text(measured, "gpu_type", ""));
    }
    return status;
}

static void tell_failed(const struct profiled *run, const struct bl_job_view *view)
{
    BL_AUTO_BUF out = {0};
    BL_AUTO_BUF text = {0};

    if (bl_job_gave_up(view)) {
        bl_job_print_reason(&text, view);
        BL_SAY(&out, BL_SAY_PROFILE_NOT_STARTED, BL_N(run->gpus), BL_N(run->job),
               BL_T(bl_buf_text(&text)));
    } else {
        bl_job_print_state(&text, view->state);
        BL_SAY(&out, BL_SAY_PROFILE_FAILED, BL_N(run->gpus), BL_N(run->job),
               BL_T(bl_buf_text(&text)));
    }
    bl_cli_warn(bl_buf_text(&out), NULL);
}

static void tell_run(const struct bl_cli *cli, const struct profiled *run,
                     const struct bl_job_view *view)
{
    BL_AUTO_BUF out = {0};
    BL_AUTO_BUF text = {0};

    if (run->rate <= 0) {
        tell_failed(run, view);
        return;
    }
    bl_text_span_short(&text, run->took);
    BL_SAY(&out, BL_SAY_PROFILE_TOOK, BL_N(run->gpus), BL_T(bl_buf_text(&text)), BL_N(run->job));
    bl_buf_append_char(&out, '\n');
    if (!cli->json) {
        bl_cli_flush(&out);
    }
}

static int run_one(struct bl_cli *cli, struct profile *profile, int32_t gpus,
                   const struct bl_interrupt *interrupt, struct bl_error *err)
{
    struct profiled *run = &profile->run[profile->run_count];
    struct bl_wait wait = {0, BL_WAIT_ENDED, interrupt};
    BL_AUTO_REPLY reply = {0};
    struct bl_job_view view;
    bool interrupted = false;
    int status;

    *run = (struct profiled){.gpus = gpus};
    status = submit(cli, profile, gpus, &run->job, err);
    wait.id = run->job;
    status = status ? status : bl_wait_job(cli, &wait, &reply, &interrupted, err);
    if (interrupted) {
        bl_queued_tell_interrupted(run->job);
        cli->exit_code = 130;
    }
    if (status || interrupted) {
        return status;
    }
    bl_job_view_read(reply.tree, &view);
    run->took = view.started_at > 0 ? view.ended_at - view.started_at : 0;
    status = view.started_at > 0 ? measure(cli, profile, &view, run, err) : BL_OK;
    if (!status) {
        tell_run(cli, run, &view);
        profile->run_count++;
        profile->has_given_up = bl_job_gave_up(&view);
    }
    return status;
}

/* Speeds against the first run that was measured. */
static void print_table(struct bl_cli *cli, const struct profile *profile)
{
    static const enum bl_message header[] = {BL_SAY_CURVE_GPUS,   BL_SAY_CURVE_TYPE,
                                             BL_SAY_PROFILE_TIME, BL_SAY_CURVE_RATE,
                                             BL_SAY_CURVE_SPEED,  BL_SAY_CURVE_GAIN};
    struct bl_table_look look = bl_cli_look(cli);
    struct bl_table table = {0};
    const struct profiled *first = NULL;
    const struct profiled *before = NULL;
    BL_AUTO_BUF out = {0};

    for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) {
        bl_table_add_column(&table, bl_message_text(header[i], bl_language_now()),
                            i == 1 ? BL_ALIGN_LEFT : BL_ALIGN_RIGHT);
    }
    for (size_t i = 0; i < profile->run_count; i++) {
        const struct profiled *run = &profile->run[i];
        BL_AUTO_BUF span = {0};

        if (run->rate <= 0) {
            continue;
        }
        first = first ? first : run;
        bl_text_span_short(&span, run->took);
        bl_table_addf(&table, "%d", (int)run->gpus);
        bl_table_add(&table, run->type, BL_TINT_NONE);
        bl_table_add(&table, bl_buf_text(&span), BL_TINT_NONE);
        bl_table_addf(&table, "%.3g", run->rate);
        bl_table_addf(&table, "%.2f", run->rate / first->rate);
        if (before) {
            bl_table_addf(&table, "%+.2f",
                          (run->rate - before->rate) / first->rate / (run->gpus - before->gpus));
        } else {
            bl_table_add(&table, NULL, BL_TINT_NONE);
        }
        before = run;
    }
    bl_table_print(&out, &table, &look);
    bl_table_finish(&table);
    bl_cli_flush(&out);
}

static void print_json(const struct profile *profile)
{
    BL_AUTO_BUF out = {0};
    struct bl_json json;

    bl_json_init(&json, &out);
    bl_json_open_object(&json);
    bl_json_key(&json, "runs");
    bl_json_open_array(&json);
    for (size_t i = 0; i < profile->run_count; i++) {
        const struct profiled *run = &profile->run[i];

        bl_json_open_object(&json);
        bl_json_put_int(&json, "job", run->job);
        bl_json_put_int(&json, "gpus", run->gpus);
        bl_json_put_text(&json, "gpu_type", *run->type ? run->type : NULL);
        bl_json_put_seconds(&json, "took_s", run->took);
        if (run->rate > 0) {
            bl_json_put_double(&json, "rate", run->rate);
        } else {
            bl_json_put_null(&json, "rate");
        }
        bl_json_close_object(&json);
    }
    bl_json_close_array(&json);
    bl_json_close_object(&json);
    bl_buf_append_char(&out, '\n');
    bl_cli_flush(&out);
}

static int tell_all(struct bl_cli *cli, const struct profile *profile, struct bl_error *err)
{
    size_t measured = 0;

    for (size_t i = 0; i < profile->run_count; i++) {
        measured += profile->run[i].rate > 0;
    }
    if (cli->json) {
        print_json(profile);
    } else if (measured) {
        print_table(cli, profile);
    }
    if (!measured && cli->exit_code == 0) {
        bl_say_fail(err, BL_EREFUSED, BL_SAY_E_PROFILE_NONE, NULL);
        return bl_say_hint(err, BL_SAY_H_PROFILE_NONE, NULL);
    }
    if (measured < profile->run_count && cli->exit_code == 0) {
        cli->exit_code = BL_EXIT_FAILED;
    }
    return BL_OK;
}

static int run_all(struct bl_cli *cli, struct profile *profile, struct bl_error *err)
{
    struct bl_interrupt interrupt = {-1};
    int status = bl_interrupt_init(&interrupt, err);

    for (size_t i = 0;
         !status && cli->exit_code == 0 && !profile->has_given_up && i < profile->counts.count;
         i++) {
        status = run_one(cli, profile, profile->counts.at[i], &interrupt, err);
    }
    bl_interrupt_finish(&interrupt);
    return status ? status : tell_all(cli, profile, err);
}

static int run_profile(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct profile *profile = self;
    struct bl_submit *asked = &profile->job.submit;
    BL_AUTO_FREE char *workdir = NULL;
    BL_AUTO_BUF name = {0};
    int status;

    if (argc == 0) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_NO_COMMAND, NULL);
        return bl_say_hint(err, BL_SAY_H_USAGE_PROFILE, NULL);
    }
    if (asked->array) {
        return bl_say_fail(err, BL_EINVAL, BL_SAY_E_PROFILE_ARRAY, NULL);
    }
    status = bl_job_flags_workdir(&profile->job, &workdir, err);
    asked->workdir = workdir;
    asked->command = (const char *const *)argv;
    if (!asked->name) {
        bl_submit_default_name(&name, asked->command);
        asked->name = bl_buf_text(&name);
    }
    status = status ? status : bl_submit_check(asked, err);
    status = status ? status : bl_job_flags_resolve(cli, &profile->job, err);
    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    status = status ? status : find_counts(cli, profile, err);
    return status ? status : run_all(cli, profile, err);
}

const struct bl_verb bl_verb_profile = {
    .name = "profile",
    .usage = "profile [flags] -- COMMAND…",
    .summary = BL_SAY_HELP_PROFILE,
    .about = BL_SAY_ABOUT_PROFILE,
    .flag = flags,
    .order = BL_FLAGS_IN_FRONT,
    .set = set_flag,
    .self_size = sizeof(struct profile),
    .finish = finish,
    .run = run_profile,
};
