#include "cli/cli.h"

#include "base/arena.h"
#include "base/own.h"
#include "base/units.h"
#include "cli/jobs.h"
#include "cli/submit.h"
#include "cli/text.h"
#include "cli/wait.h"
#include "form/jobspec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    KEY_WAIT = BL_KEY_OWN,
    KEY_PARSABLE,
    KEY_NAME,
    KEY_TIME,
    KEY_GPUS,
    KEY_GPU_TYPE,
    KEY_GPU_MEM,
    KEY_CPUS,
    KEY_MEM,
    KEY_NODES,
    KEY_PROJECT,
    KEY_CLASS,
    KEY_AFTER,
    KEY_LOG,
    KEY_CHDIR
};

struct run {
    bool wait;
    bool parsable;
    const char *chdir;
    struct bl_submit submit;
};

static const struct bl_flag flags[] = {
    {"gpus", 'g', BL_TAKES_VALUE, KEY_GPUS, "N|A-B",
     "GPUs: a number; of a range, the most are given"},
    {"gpu-type", 0, BL_TAKES_VALUE, KEY_GPU_TYPE, "T,…", "allowed types: A100,H100"},
    {"gpu-mem", 0, BL_TAKES_VALUE, KEY_GPU_MEM, "SIZE", "least memory of each GPU: 40GB"},
    {"cpus", 'c', BL_TAKES_VALUE, KEY_CPUS, "N", "CPUs: 8, or 4/gpu; default 1/gpu"},
    {"mem", 0, BL_TAKES_VALUE, KEY_MEM, "SIZE", "memory: 64GB, or 8GB/gpu; default 1GB/gpu"},
    {"nodes", 'N', BL_TAKES_VALUE, KEY_NODES, "N", "spread over at most N nodes; default 1"},
    {"time", 't', BL_TAKES_VALUE, KEY_TIME, "TIME",
     "longest run: 30 (minutes), 2h30m, 1:30:00, 1-12 (day-hours)"},
    {"name", 'J', BL_TAKES_VALUE, KEY_NAME, "NAME", "default: the program's name"},
    {"after", 'd', BL_TAKES_VALUE, KEY_AFTER, "ID[:ok|any|fail]",
     "wait for a job (@: your last); repeat, or 7,8:any"},
    {"project", 0, BL_TAKES_VALUE, KEY_PROJECT, "NAME", "project to count it under"},
    {"class", 0, BL_TAKES_VALUE, KEY_CLASS, "CLASS", "interactive, batch or preemptible"},
    {"log", 'o', BL_TAKES_VALUE, KEY_LOG, "PATTERN",
     "log file: %x name, %j id, %r attempt; default %x-%j.%r.log"},
    {"chdir", 'D', BL_TAKES_VALUE, KEY_CHDIR, "DIR", "run there; default: here"},
    {"wait", 'w', BL_TAKES_NOTHING, KEY_WAIT, NULL, "wait for the end; pass on its exit code"},
    {"parsable", 0, BL_TAKES_NOTHING, KEY_PARSABLE, NULL, "print the id alone"},
    BL_FLAGS_COMMON,
};

static int check_gpus(const char *value, struct bl_error *err)
{
    int32_t min;
    int32_t max;

    return bl_gpus_parse(value, &min, &max, err);
}

static int check_limit(const char *value, struct bl_error *err)
{
    bl_time limit;
    int status = bl_span_parse(value, &limit, err);

    if (!status && limit <= 0) {
        status = bl_fail(err, BL_EINVAL, "expected a time over zero, found '%s'", value);
    }
    return status;
}

static int check_class(const char *value, struct bl_error *err)
{
    static const char *const classes[] = {"interactive", "batch", "preemptible", NULL};

    for (size_t i = 0; classes[i]; i++) {
        if (!strcmp(classes[i], value)) {
            return BL_OK;
        }
    }
    return bl_fail(err, BL_EINVAL, "expected interactive, batch or preemptible, found '%s'", value);
}

static int check_nodes(const char *value, struct bl_error *err)
{
    int64_t nodes;

    return bl_int_parse(value, 1, INT32_MAX, &nodes, err);
}

static int check_size(const char *value, struct bl_error *err)
{
    int64_t bytes;

    return bl_size_parse(value, &bytes, err);
}

static int check_cpus(const char *value, struct bl_error *err)
{
    struct bl_amount amount;

    return bl_cpus_parse(value, &amount, err);
}

static int check_mem(const char *value, struct bl_error *err)
{
    struct bl_amount amount;

    return bl_mem_parse(value, &amount, err);
}

static int check_any(const char *value, struct bl_error *err)
{
    return *value ? BL_OK : bl_fail(err, BL_EINVAL, "expected a value, found ''");
}

/* A flag that goes into the request as it was given, once it has been checked. */
struct given {
    int key;
    size_t offset;
    int (*check)(const char *value, struct bl_error *err);
};

static const struct given given_rows[] = {
    {KEY_NAME, offsetof(struct bl_submit, name), check_any},
    {KEY_TIME, offsetof(struct bl_submit, limit), check_limit},
    {KEY_GPUS, offsetof(struct bl_submit, gpus), check_gpus},
    {KEY_GPU_TYPE, offsetof(struct bl_submit, gpu_types), check_any},
    {KEY_GPU_MEM, offsetof(struct bl_submit, gpu_mem), check_size},
    {KEY_CPUS, offsetof(struct bl_submit, cpus), check_cpus},
    {KEY_MEM, offsetof(struct bl_submit, mem), check_mem},
    {KEY_NODES, offsetof(struct bl_submit, nodes), check_nodes},
    {KEY_PROJECT, offsetof(struct bl_submit, project), check_any},
    {KEY_CLASS, offsetof(struct bl_submit, job_class), check_class},
    {KEY_LOG, offsetof(struct bl_submit, log), check_any},
};

static int set_given(struct bl_submit *submit, int key, const char *value, struct bl_error *err)
{
    for (size_t i = 0; i < sizeof given_rows / sizeof given_rows[0]; i++) {
        if (given_rows[i].key == key) {
            const char **place = (const char **)(void *)((char *)submit + given_rows[i].offset);
            int status = given_rows[i].check(value, err);

            *place = status ? *place : value;
            return status;
        }
    }
    return bl_fail(err, BL_EINVAL, "no such flag");
}

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct run *run = self;

    switch (key) {
    case KEY_WAIT:
        run->wait = true;
        return BL_OK;
    case KEY_PARSABLE:
        run->parsable = true;
        return BL_OK;
    case KEY_CHDIR:
        run->chdir = value;
        return BL_OK;
    case KEY_AFTER:
        return bl_submit_add_after(&run->submit, value, err);
    default:
        return set_given(&run->submit, key, value, err);
    }
}

static void finish(void *self)
{
    bl_submit_finish(&((struct run *)self)->submit);
}

/* The daemon names a field of the request; the user knows the flag. */
static const char *flag_of(const char *field)
{
    static const char *const rows[][2] = {
        {"gpus", "--gpus"},       {"gpu", "--gpu-type"},  {"type", "--gpu-type"},
        {"cpus", "--cpus"},       {"mem", "--mem"},       {"nodes", "--nodes"},
        {"limit", "--time"},      {"after", "--after"},   {"name", "--name"},
        {"project", "--project"}, {"class", "--class"},   {"log", "--log"},
        {"workdir", "--chdir"},   {"command", "command"}, {"environment", "environment"},
    };
    const char *dot = strrchr(field, '.');
    const char *last = dot ? dot + 1 : field;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(last, rows[i][0])) {
            return rows[i][1];
        }
    }
    return NULL;
}

/* "request body: name: …" becomes "--name: …". */
static void name_flag(struct bl_error *err)
{
    static const char body[] = "request body: ";
    const char *flag = flag_of(err->field);
    const char *rest = err->text;
    BL_AUTO_BUF text = {0};

    if (!flag) {
        return;
    }
    rest += strncmp(rest, body, sizeof body - 1) == 0 ? sizeof body - 1 : 0;
    if (!strncmp(rest, err->field, strlen(err->field)) && rest[strlen(err->field)] == ':') {
        rest += strlen(err->field) + 1;
        rest += strspn(rest, " ");
    }
    bl_buf_printf(&text, "%s: %s", flag, rest);
    snprintf(err->text, sizeof err->text, "%s", bl_buf_text(&text));
}

/* Whether more looks would tell nothing new. Before the first round has come over a new job, its
 * reason is only a guess from its place in line. */
static bool is_settled(const struct bl_job_view *job, int looks)
{
    enum { ROUND_LOOKS = 5 };
    bool is_undecided = !strcmp(job->reason, "undecided") || !*job->reason;

    if (bl_job_has_process(job) || bl_job_is_ended(job)) {
        return true;
    }
    if (bl_job_is_placed(job) || is_undecided) {
        return false;
    }
    return strcmp(job->state, "queued") != 0 || looks >= ROUND_LOOKS;
}

/* The answer comes when the job is on disk, mostly a moment before it is decided and lives: a few
 * short looks see it settle. */
static void look_again(struct bl_client *client, struct bl_reply *reply)
{
    enum { LOOKS = 40 };
    static const struct timespec pause = {.tv_nsec = 25000000};

    for (int i = 0; i < LOOKS; i++) {
        struct bl_job_view job;
        struct bl_reply before = *reply;
        BL_AUTO_REPLY later = {0};
        BL_AUTO_BUF path = {0};

        bl_job_view_read(reply->tree, &job);
        if (is_settled(&job, i)) {
            return;
        }
        nanosleep(&pause, NULL);
        bl_buf_printf(&path, "/api/v1/jobs/%lld", (long long)job.id);
        if (bl_client_get(client, bl_buf_text(&path), &later, NULL)) {
            return;
        }
        *reply = later;
        later = before;
    }
}

static void print_answer(const struct bl_cli *cli, const struct run *run,
                         const struct bl_reply *reply)
{
    BL_AUTO_BUF out = {0};
    struct bl_job_view job;

    bl_job_view_read(reply->tree, &job);
    if (run->parsable) {
        bl_buf_printf(&out, "%lld\n", (long long)job.id);
    } else if (cli->json && !run->wait) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply->body));
    } else if (!cli->json) {
        bl_job_print_title(&out, &job);
        bl_buf_append_text(&out, ": ");
        bl_job_print_standing(&out, &job);
        if (job.limit > 0) {
            bl_buf_append_text(&out, "; limit ");
            bl_text_span_words(&out, job.limit);
        }
        bl_buf_append_char(&out, '\n');
    }
    bl_cli_flush(&out);
}

static void tell_interrupted(int64_t id)
{
    fprintf(stderr,
            "\nbaleen: no longer waiting; job %lld goes on\n"
            "  hint: look at it with 'baleen show %lld' or 'baleen log -f %lld', end it with "
            "'baleen cancel %lld'\n",
            (long long)id, (long long)id, (long long)id, (long long)id);
}

static void tell_end(struct bl_cli *cli, const struct run *run, const struct bl_reply *reply)
{
    struct bl_job_view job;
    BL_AUTO_BUF out = {0};

    bl_job_view_read(reply->tree, &job);
    cli->exit_code = job.has_exit_code                     ? (int)job.exit_code
                     : strcmp(job.state, "completed") == 0 ? BL_EXIT_OK
                                                           : BL_EXIT_FAILED;
    /* a job that was ended by somebody did not succeed, whatever its last breath said */
    if (cli->exit_code == 0 && strcmp(job.state, "completed") != 0) {
        cli->exit_code = BL_EXIT_FAILED;
    }
    if (cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply->body));
    } else if (!run->parsable) {
        bl_job_print_title(&out, &job);
        bl_buf_append_text(&out, ": ");
        bl_job_print_standing(&out, &job);
        if (job.started_at > 0) {
            bl_buf_append_text(&out, "; log: ");
            bl_text_escape(&out, bl_field_text(job.tree, "log", "none"));
        }
        bl_buf_append_char(&out, '\n');
    }
    bl_cli_flush(&out);
}

static int wait_for_end(struct bl_cli *cli, const struct run *run, struct bl_reply *reply,
                        struct bl_error *err)
{
    struct bl_interrupt interrupt = {-1};
    struct bl_job_view job;
    bool interrupted = false;
    int64_t id;
    /* before the first line is printed: whoever has read it may break the waiting off */
    int status = bl_interrupt_init(&interrupt, err);

    bl_job_view_read(reply->tree, &job);
    id = job.id;
    print_answer(cli, run, reply);
    if (!status) {
        const struct bl_wait wait = {id, BL_WAIT_ENDED, &interrupt};

        status = bl_wait_job(cli, &wait, reply, &interrupted, err);
    }
    bl_interrupt_finish(&interrupt);
    if (interrupted) {
        tell_interrupted(id);
        cli->exit_code = 130; /* as a shell says it of ^C */
    } else if (!status) {
        tell_end(cli, run, reply);
    }
    return status;
}

static int post(struct bl_cli *cli, struct bl_submit *submit, struct bl_reply *reply,
                struct bl_error *err)
{
    struct bl_client *client = bl_cli_client(cli, err);
    BL_AUTO_BUF body = {0};
    size_t left_out;
    int64_t last = 0;
    int status = client ? BL_OK : (int)err->status;

    if (!status && bl_submit_names_last(submit)) {
        status = bl_cli_last_job(cli, &last, err);
        if (!status) {
            bl_submit_resolve_last(submit, last);
        }
    }
    if (status) {
        return status;
    }
    left_out = bl_submit_write(&body, submit);
    if (left_out > 0) {
        fprintf(stderr, "baleen: %zu environment variable%s left out: not UTF-8\n", left_out,
                left_out == 1 ? " is" : "s are");
    }
    status = bl_client_post(client, "/api/v1/jobs", bl_buf_text(&body), reply, err);
    if (status) {
        name_flag(err);
    }
    return status;
}

/* The directory as the user sees it: through links, where they lead to the same place. */
static int find_workdir(const char *given, char **out, struct bl_error *err)
{
    BL_AUTO_FREE char *here = get_current_dir_name();

    if (given && given[0] == '/') {
        *out = bl_copy_text(given);
        return BL_OK;
    }
    if (!here) {
        return bl_fail_sys(err, "cannot tell the current directory");
    }
    if (given) {
        BL_AUTO_BUF path = {0};

        bl_buf_printf(&path, "%s/%s", here, given);
        *out = bl_buf_take(&path);
    } else {
        *out = BL_TAKE(here);
    }
    return BL_OK;
}

static int run_run(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    struct run *run = self;
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_FREE char *workdir = NULL;
    BL_AUTO_BUF name = {0};
    int status;

    if (argc == 0) {
        bl_fail(err, BL_EINVAL, "there is no command to run");
        return bl_error_set_hint(err, "usage: baleen run [flags] -- COMMAND…, as in "
                                      "'baleen run --gpus 1 -- python train.py'");
    }
    status = find_workdir(run->chdir, &workdir, err);
    if (status) {
        return status;
    }
    run->submit.workdir = workdir;
    run->submit.command = (const char *const *)argv;
    run->submit.environment = (const char *const *)environ;
    if (!run->submit.name) {
        bl_submit_default_name(&name, run->submit.command);
        run->submit.name = bl_buf_text(&name);
    }
    status = bl_submit_check(&run->submit, err);
    status = status ? status : post(cli, &run->submit, &reply, err);
    if (status) {
        return status;
    }
    if (!run->parsable) {
        look_again(cli->client, &reply);
    }
    if (run->wait) {
        return wait_for_end(cli, run, &reply, err);
    }
    print_answer(cli, run, &reply);
    return BL_OK;
}

const struct bl_verb bl_verb_run = {
    .name = "run",
    .usage = "run [flags] -- COMMAND…",
    .summary = "queue a command",
    .about = "It runs here, with this environment, as soon as what it asks for is free.\n"
             "Flags stand before the command; what follows is the command's own.\n\n"
             "examples:\n"
             "  baleen run -- python train.py\n"
             "  baleen run --gpus 4 -t 2h -J big -- ./train.sh --epochs 3\n"
             "  baleen run -w --gpus 1 -- pytest && echo passed\n"
             "  baleen run --after @:ok -- python evaluate.py\n"
             "  id=$(baleen run --parsable -- make data); baleen run --after $id -- make model\n",
    .flag = flags,
    .order = BL_FLAGS_IN_FRONT,
    .set = set_flag,
    .self_size = sizeof(struct run),
    .finish = finish,
    .run = run_run,
};
