#include "form/jobspec_parts.h"

#include <string.h>

int bl_job_read_keys(const struct bl_job_reader *reader, const struct bl_tree *map,
                     const struct bl_job_key *keys)
{
    int status = bl_tree_check_rows(&reader->in, map, &keys->name, sizeof *keys);

    for (; keys->name && status == BL_OK; keys++) {
        const struct bl_tree *at = bl_tree_given(map, keys->name);

        if (at) {
            status = keys->read ? keys->read(reader, at) : bl_tree_fail_later(&reader->in, at);
        }
    }
    return status;
}

static int read_name(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->core.name);
}

static int read_user(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (reader->use == BL_JOBSPEC_LIVE) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "a job belongs to whoever submits it: leave the key out");
    }
    return bl_tree_read_name(&reader->in, at, &reader->out->core.user);
}

static int read_project(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->core.project);
}

static int read_application(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->core.application);
}

static int read_pool(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_name(&reader->in, at, &reader->out->core.pool);
}

int bl_jobspec_read_class(const struct bl_tree_reader *in, const struct bl_tree *at,
                          enum bl_job_class *out)
{
    const char *words[BL_CLASS_COUNT + 1] = {NULL};
    int index = 0;
    int status;

    for (int i = 0; i < BL_CLASS_COUNT; i++) {
        words[i] = bl_job_class_name((enum bl_job_class)i);
    }
    status = bl_tree_read_word(in, at, words, &index);
    if (status == BL_OK) {
        *out = (enum bl_job_class)index;
    }
    return status;
}

static int read_class(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_jobspec_read_class(&reader->in, at, &reader->out->core.job_class);
}

static int read_kind(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    const char *words[BL_KIND_COUNT + 1] = {NULL};
    int index = 0;
    int status;

    for (int i = 0; i < BL_KIND_COUNT; i++) {
        words[i] = bl_job_kind_name((enum bl_job_kind)i);
    }
    status = bl_tree_read_word(&reader->in, at, words, &index);
    if (status == BL_OK) {
        reader->out->core.kind = (enum bl_job_kind)index;
    }
    return status;
}

static int read_limit(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_span(&reader->in, at, &reader->out->core.limit);
}

static int read_expect(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (at->kind == BL_TREE_SCALAR && !strcmp(at->text, "auto")) {
        return BL_OK;
    }
    return bl_tree_fail(
        reader->in.source, at, reader->in.err,
        "an expected time is not supported by this version yet: write auto or leave "
        "the key out");
}

static int read_time(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    static const struct bl_job_key keys[] = {
        {"limit", read_limit}, {"expect", read_expect}, {NULL, NULL}};

    return bl_job_read_keys(reader, at, keys);
}

static int read_one_after(const struct bl_job_reader *reader, const struct bl_tree *at,
                          struct bl_jobspec_after *out)
{
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "a job like 17 or prep:ok");
    }
    if (bl_after_parse(at->text, reader->in.arena, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    out->line = at->line;
    return BL_OK;
}

static int read_after(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    bool is_list = at->kind == BL_TREE_LIST;
    size_t count = is_list ? at->child_count : 1;
    struct bl_jobspec_after *after;

    if (count > BL_JOB_AFTER_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected at most %d jobs, found %zu", BL_JOB_AFTER_MAX, count);
    }
    after = bl_arena_alloc(reader->in.arena, count * sizeof *after);
    for (size_t i = 0; i < count; i++) {
        int status = read_one_after(reader, is_list ? &at->child[i] : at, &after[i]);

        if (status != BL_OK) {
            return status;
        }
    }
    reader->out->after = after;
    reader->out->after_count = count;
    return BL_OK;
}

static int read_launch(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (at->kind == BL_TREE_SCALAR && !strcmp(at->text, "none")) {
        return BL_OK;
    }
    return bl_tree_fail(reader->in.source, at, reader->in.err,
                        "launch other than none is not supported by this version yet");
}

static int read_slurm_env(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_bool(&reader->in, at, &reader->out->launch.slurm_env);
}

/* A key that is read together with another. */
static int read_later(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    (void)reader;
    (void)at;
    return BL_OK;
}

static int read_environment_key(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (reader->use == BL_JOBSPEC_TRACE) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "a job of a trace has no environment: leave the key out");
    }
    return BL_OK;
}

static int check_trace(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (reader->use == BL_JOBSPEC_LIVE) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "only the jobs of a trace have this key");
    }
    return BL_OK;
}

/* A time that may be 0, where other lengths must be over it. */
static int read_time_from_0(const struct bl_job_reader *reader, const struct bl_tree *at,
                            bl_time *out)
{
    struct bl_error cause = {0};
    int status = check_trace(reader, at);

    if (status == BL_OK && at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "a time like 2h30m");
    }
    if (status == BL_OK && bl_span_parse(at->text, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    return status;
}

static int read_submit(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    int status = read_time_from_0(reader, at, &reader->out->submit);

    reader->out->has_submit = status == BL_OK;
    return status;
}

static int read_work(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    int status = check_trace(reader, at);

    if (status == BL_OK) {
        status = bl_tree_read_span(&reader->in, at, &reader->out->core.work);
    }
    reader->out->has_work = status == BL_OK;
    return status;
}

static int read_told(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    int status = check_trace(reader, at);

    if (status == BL_OK && at->kind == BL_TREE_SCALAR && strcmp(at->text, "nothing") == 0) {
        reader->out->core.told = -1;
        return BL_OK;
    }
    return status == BL_OK ? bl_tree_read_span(&reader->in, at, &reader->out->core.told) : status;
}

static int read_restart(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return read_time_from_0(reader, at, &reader->out->core.restart);
}

static const struct bl_job_key job_keys[] = {
    {"name", read_name},
    {"user", read_user},
    {"project", read_project},
    {"application", read_application},
    {"class", read_class},
    {"resources", bl_job_read_resources},
    {"kind", read_kind},
    {"time", read_time},
    {"scaling", bl_job_read_scaling},
    {"after", read_after},
    {"pool", read_pool},
    {"launch", read_launch},
    {"command", bl_job_read_command},
    {"run", bl_job_read_run},
    {"workdir", bl_job_read_workdir},
    {"arguments", read_later},
    {"log", bl_job_read_log},
    {"error", bl_job_read_error},
    {"umask", bl_job_read_umask},
    {"slurm_env", read_slurm_env},
    {"env", read_later},
    {"inherit_env", read_later},
    {"environment", read_environment_key},
    {"submit", read_submit},
    {"work", read_work},
    {"told", read_told},
    {"restart", read_restart},
    {"array", bl_job_read_array},
    {"not_before", bl_job_read_not_before},
    {"priority", bl_job_read_priority},
    {"requeue", bl_job_read_requeue},
    {"retries", bl_job_read_retries},
    {"hold", bl_job_read_hold},
    {"checkpoint", bl_job_read_checkpoint},
    {"params", bl_job_read_params},
    {"labels", bl_job_read_labels},
    {"matrix", NULL},
    {"deadline", NULL},
    {"promise", bl_job_read_promise},
    {"notify", NULL},
    {"share", NULL},
    {"container", NULL},
    {"affinity", NULL},
    {"require", NULL},
    {"data", NULL},
    {"curve", NULL},
    {"jobs", NULL},
    {"reservation", bl_job_read_reservation},
    {NULL, NULL},
};

/* What a job asks for that asks for nothing. */
static void set_defaults(struct bl_jobspec *spec, enum bl_jobspec_use use)
{
    spec->core.job_class = BL_CLASS_BATCH;
    spec->core.kind = BL_KIND_CPU;
    spec->core.nodes_max = use == BL_JOBSPEC_LIVE ? 1 : 0;
    spec->core.cpu_milli = (struct bl_amount){1000, false};
    spec->core.mem_bytes = (struct bl_amount){INT64_C(1) << 30, false};
    spec->launch.mem_unasked = use == BL_JOBSPEC_LIVE;
}

/* Dependencies of element on element need elements. */
static int check_each(const struct bl_job_reader *reader, const struct bl_tree *tree)
{
    const struct bl_jobspec *spec = reader->out;

    for (size_t i = 0; i < spec->after_count && !spec->core.array_range_count; i++) {
        if (spec->after[i].kind == BL_AFTER_EACH) {
            return bl_tree_fail(reader->in.source, bl_tree_find(tree, "after"), reader->in.err,
                                "%s:each is for arrays: the job has no array",
                                spec->after[i].target);
        }
    }
    return BL_OK;
}

/* What is promised is a start by limits, of a job of its own. */
static int check_promise(const struct bl_job_reader *reader, const struct bl_tree *tree)
{
    const struct bl_job_spec *core = &reader->out->core;
    const char *missing = core->limit == 0          ? "a limit (time: {limit: 2h})"
                          : core->array_range_count ? "no array"
                          : core->reservation       ? "no reservation, which has its own start"
                                                    : NULL;

    if (core->promise && missing) {
        return bl_tree_fail(reader->in.source, bl_tree_find(tree, "promise"), reader->in.err,
                            "a latest start needs %s", missing);
    }
    return BL_OK;
}

static int finish_live(const struct bl_job_reader *reader, const struct bl_tree *tree)
{
    struct bl_launch *launch = &reader->out->launch;
    int status = check_each(reader, tree);

    status = status == BL_OK ? check_promise(reader, tree) : status;
    if (status != BL_OK) {
        return status;
    }

    if (!launch->argv) {
        return bl_tree_fail(
            reader->in.source, tree, reader->in.err,
            "expected a command: [PROGRAM, ARGUMENT, …], or run: with the text of a "
            "script");
    }
    if (!launch->workdir) {
        return bl_tree_fail(reader->in.source, tree, reader->in.err,
                            "expected workdir, the absolute path of the directory to run in");
    }
    status = bl_job_read_arguments(reader, tree);
    if (status != BL_OK) {
        return status;
    }
    if (!launch->log_pattern) {
        launch->log_pattern = bl_arena_copy_text(reader->in.arena, BL_LAUNCH_LOG_DEFAULT);
    }
    launch->uid = -1;
    launch->gid = -1;
    launch->grace = BL_JOBSPEC_GRACE;
    return bl_job_read_env(reader, tree);
}

static int finish_trace(const struct bl_job_reader *reader, const struct bl_tree *tree)
{
    if (!reader->out->has_work) {
        return bl_tree_fail(reader->in.source, tree, reader->in.err,
                            "expected work, the run time on the job's least GPUs");
    }
    bl_launch_clues(&reader->out->launch, &reader->out->core.clues);
    return BL_OK;
}

/* Keys that are looked for here and stand one level below. */
static int check_places(const struct bl_job_reader *reader, const struct bl_tree *tree)
{
    static const struct {
        const char *key, *place;
    } rows[] = {{"gpus", "resources"},   {"gpu", "resources"},   {"cpus", "resources"},
                {"mem", "resources"},    {"nodes", "resources"}, {"limit", "time"},
                {"signal", "checkpoint"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_tree *at =
            tree->kind == BL_TREE_MAP ? bl_tree_find(tree, rows[i].key) : NULL;

        if (at) {
            bl_tree_fail(reader->in.source, at, reader->in.err, "unknown key");
            return bl_error_set_hint(reader->in.err, "it stands below %s: %s: {%s: …}",
                                     rows[i].place, rows[i].place, rows[i].key);
        }
    }
    return BL_OK;
}

int bl_jobspec_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                    enum bl_jobspec_use use, struct bl_arena *arena, struct bl_jobspec *out,
                    struct bl_error *err)
{
    struct bl_jobspec spec = {.line = tree->line};
    struct bl_job_reader reader = {{source, arena, err}, use, &spec};
    int status;

    set_defaults(&spec, use);
    status = check_places(&reader, tree);
    status = status == BL_OK ? bl_job_read_keys(&reader, tree, job_keys) : status;
    if (status == BL_OK) {
        status = use == BL_JOBSPEC_LIVE ? finish_live(&reader, tree) : finish_trace(&reader, tree);
    }
    if (status == BL_OK) {
        *out = spec;
    }
    return status;
}
