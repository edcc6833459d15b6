/* adopt: a process that runs already becomes a job. */
#include "cli/cli.h"

#include "base/own.h"
#include "base/units.h"
#include "cli/jobs.h"
#include "cli/text.h"
#include "form/json_out.h"

#include <inttypes.h>
#include <string.h>

enum {
    KEY_GPU = BL_KEY_OWN,
    KEY_GPUS,
    KEY_CPUS,
    KEY_MEM,
    KEY_TIME,
    KEY_NAME,
    KEY_PROJECT,
    KEY_CLASS,
    KEY_PARSABLE,
    KEY_COUNT
};

struct adopt {
    const char *value[KEY_COUNT];
    bool parsable;
};

static const struct bl_flag flags[] = {
    {"gpu", 0, BL_TAKES_VALUE, KEY_GPU, "GPUS", BL_SAY_FLAG_ADOPT_GPU},
    {"gpus", 'g', BL_TAKES_VALUE, KEY_GPUS, "N", BL_SAY_FLAG_ADOPT_GPUS},
    {"cpus", 'c', BL_TAKES_VALUE, KEY_CPUS, "N", BL_SAY_FLAG_JOB_CPUS},
    {"mem", 0, BL_TAKES_VALUE, KEY_MEM, "SIZE", BL_SAY_FLAG_JOB_MEM},
    {"time", 't', BL_TAKES_VALUE, KEY_TIME, "TIME", BL_SAY_FLAG_ADOPT_TIME},
    {"name", 'J', BL_TAKES_VALUE, KEY_NAME, "NAME", BL_SAY_FLAG_ADOPT_NAME},
    {"project", 0, BL_TAKES_VALUE, KEY_PROJECT, "NAME", BL_SAY_FLAG_JOB_PROJECT},
    {"class", 0, BL_TAKES_VALUE, KEY_CLASS, "CLASS", BL_SAY_FLAG_JOB_CLASS},
    {"parsable", 0, BL_TAKES_NOTHING, KEY_PARSABLE, NULL, BL_SAY_FLAG_PARSABLE},
    BL_FLAGS_COMMON,
};

/* The keys of the API, and the flags' names for messages, in the order of the flags. */
static const char *const keys[] = {"on",    "gpus", "cpus",    "mem",
                                   "limit", "name", "project", "class"};

_Static_assert(sizeof keys / sizeof keys[0] == (size_t)KEY_PARSABLE - (size_t)KEY_GPU,
               "a key for each flag with a value");

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct adopt *adopt = self;

    (void)err;
    if (key == KEY_PARSABLE) {
        adopt->parsable = true;
    } else {
        adopt->value[key] = value;
    }
    return BL_OK;
}

static int read_pid(const struct bl_cli *cli, int argc, char **argv, int64_t *pid,
                    struct bl_error *err)
{
    if (argc == 1 && bl_int_parse(argv[0], 1, INT32_MAX, pid, NULL) == BL_OK) {
        return BL_OK;
    }
    if (argc == 1) {
        BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_PID, BL_T(argv[0]));
    } else {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHICH_PROCESS, NULL);
    }
    return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                          BL_T("baleen adopt 4711"));
}

/* "0,2" and "0-3" are short for "gpu0,2": GPUs of the only node. */
static void put_places(struct bl_json *json, const char *value)
{
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&text, "%s%s", value[strspn(value, "0123456789,-")] ? "" : "gpu", value);
    bl_json_put_text(json, "on", bl_buf_text(&text));
}

static void write_body(struct bl_buf *body, const struct adopt *adopt, int64_t pid)
{
    struct bl_json json;

    bl_json_init(&json, body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "pid", pid);
    for (int key = KEY_GPU; key < KEY_PARSABLE; key++) {
        if (key == KEY_GPU && adopt->value[key]) {
            put_places(&json, adopt->value[key]);
        } else if (adopt->value[key]) {
            bl_json_put_text(&json, keys[key - KEY_GPU], adopt->value[key]);
        }
    }
    bl_json_close_object(&json);
}

/* The daemon names a key, the user knows a flag. */
static void name_flag(struct bl_error *err)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (!strcmp(err->field, keys[i])) {
            BL_AUTO_BUF word = {0};

            bl_buf_printf(&word, "--%s", flags[i].name);
            bl_client_name_field(err, bl_buf_text(&word));
            return;
        }
    }
    if (!strcmp(err->field, "pid")) {
        bl_client_name_field(err, "PID");
    }
}

static void tell(struct bl_buf *out, const struct bl_tree *answer, int64_t pid)
{
    struct bl_job_view job;
    BL_AUTO_BUF where = {0};
    BL_AUTO_BUF name = {0};

    bl_job_view_read(answer, &job);
    bl_job_print_where(&where, &job, BL_WHERE_WORDS);
    bl_text_escape(&name, job.name);
    BL_SAY(out, job.gpus_now > 0 ? BL_SAY_ADOPTED_ON : BL_SAY_ADOPTED, BL_N(job.id), BL_N(pid),
           BL_T(bl_buf_text(&name)), BL_T(bl_buf_text(&where)));
    if (job.limit > 0) {
        BL_AUTO_BUF span = {0};

        bl_text_span_words(&span, job.limit);
        BL_SAY(out, BL_SAY_LIMIT_IS, BL_T(bl_buf_text(&span)));
    }
    bl_buf_append_char(out, '\n');
}

static int run_adopt(struct bl_cli *cli, void *self, int argc, char **argv, struct bl_error *err)
{
    const struct adopt *adopt = self;
    BL_AUTO_REPLY reply = {0};
    BL_AUTO_BUF body = {0};
    BL_AUTO_BUF out = {0};
    int64_t pid = 0;
    int status = read_pid(cli, argc, argv, &pid, err);

    if (!status && !bl_cli_client(cli, err)) {
        status = (int)err->status;
    }
    if (status) {
        return status;
    }
    write_body(&body, adopt, pid);
    status = bl_client_post(cli->client, "/api/v1/jobs/adopt", bl_buf_text(&body), &reply, err);
    if (status) {
        name_flag(err);
        return status;
    }
    if (cli->json) {
        bl_buf_printf(&out, "%s\n", bl_buf_text(&reply.body));
    } else if (adopt->parsable) {
        bl_buf_printf(&out, "%" PRId64 "\n", bl_field_int(reply.tree, "id", 0));
    } else {
        tell(&out, reply.tree, pid);
    }
    bl_cli_flush(&out);
    return BL_OK;
}

const struct bl_verb bl_verb_adopt = {
    .name = "adopt",
    .usage = "adopt PID [--gpu GPUS | --gpus N] [-t TIME]",
    .summary = BL_SAY_HELP_ADOPT,
    .about = BL_SAY_ABOUT_ADOPT,
    .flag = flags,
    .set = set_flag,
    .self_size = sizeof(struct adopt),
    .run = run_adopt,
};
