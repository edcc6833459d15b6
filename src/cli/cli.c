#include "cli/cli.h"

#include "base/own.h"
#include "cli/jobs.h"
#include "cli/say.h"
#include "cli/text.h"
#include "form/tree.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct bl_verb *const verbs[] = {
    &bl_verb_run,     &bl_verb_submit, &bl_verb_adopt,   &bl_verb_q,        &bl_verb_show,
    &bl_verb_why,     &bl_verb_plan,   &bl_verb_predict, &bl_verb_calendar, &bl_verb_reserve,
    &bl_verb_res,     &bl_verb_log,    &bl_verb_cancel,  &bl_verb_hold,     &bl_verb_release,
    &bl_verb_requeue, &bl_verb_set,    &bl_verb_move,    &bl_verb_resize,   &bl_verb_progress,
    &bl_verb_top,     &bl_verb_gpus,   &bl_verb_nodes,   &bl_verb_report,   &bl_verb_drain,
    &bl_verb_resume,  &bl_verb_token,  &bl_verb_web,     &bl_verb_doctor,   &bl_verb_completion,
    &bl_verb_daemon,  &bl_verb_sim,    &bl_verb_profile,
};

enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

const struct bl_verb *const *bl_cli_verbs(size_t *count)
{
    *count = VERB_COUNT;
    return verbs;
}

static const struct bl_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (!strcmp(verbs[i]->name, name) ||
            (verbs[i]->other_name && !strcmp(verbs[i]->other_name, name))) {
            return verbs[i];
        }
    }
    return NULL;
}

/* Whoever reads no longer has seen enough. */
static void end_without_output(int reason)
{
    BL_AUTO_BUF text = {0};

    if (reason == EPIPE) {
        _exit(BL_EXIT_OK);
    }
    BL_SAY(&text, BL_SAY_E_OUTPUT, BL_T(strerror(reason)));
    bl_cli_warn(bl_buf_text(&text), NULL);
    _exit(BL_EXIT_FAILED);
}

void bl_cli_flush(struct bl_buf *out)
{
    const char *at = bl_buf_text(out);
    size_t left = out->length;

    while (left > 0) {
        ssize_t written = write(STDOUT_FILENO, at, left);

        if (written < 0 && errno != EINTR) {
            end_without_output(errno);
        }
        at += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    bl_buf_clear(out);
}

static void print_overview(void)
{
    BL_AUTO_BUF out = {0};

    bl_say(&out, BL_SAY_OVERVIEW);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (verbs[i]->summary) {
            bl_buf_printf(&out, "  %-8s ", verbs[i]->name);
            bl_say(&out, verbs[i]->summary);
            bl_buf_append_char(&out, '\n');
        }
    }
    bl_say(&out, BL_SAY_OVERVIEW_END);
    bl_cli_flush(&out);
}

static void print_version(void)
{
    BL_AUTO_BUF out = {0};

    bl_buf_append_text(&out, "baleen " BL_VERSION "\n");
    bl_cli_flush(&out);
}

static void print_verb(const struct bl_verb *verb)
{
    BL_AUTO_BUF out = {0};

    BL_SAY(&out, BL_SAY_USAGE, BL_T(verb->usage));
    bl_buf_append_text(&out, "\n\n");
    if (verb->summary) {
        bl_say(&out, verb->summary);
        bl_say(&out, BL_SAY_SENTENCE_END);
    }
    bl_say(&out, verb->about);
    bl_say(&out, BL_SAY_FLAGS_FOLLOW);
    bl_flags_print_help(&out, verb->flag);
    bl_cli_flush(&out);
}

static int exit_code_of(enum bl_status status)
{
    switch (status) {
    case BL_OK:
        return BL_EXIT_OK;
    case BL_EINVAL:
        return BL_EXIT_USAGE;
    case BL_ENOTFOUND:
        return BL_EXIT_NOT_FOUND;
    case BL_EREFUSED:
        return BL_EXIT_REFUSED;
    case BL_EUNREACHABLE:
        return BL_EXIT_UNREACHABLE;
    case BL_ETOOBIG:
    case BL_ESYSTEM:
        return BL_EXIT_FAILED;
    }
    return BL_EXIT_FAILED;
}

void bl_cli_warn(const char *text, const char *hint)
{
    BL_AUTO_BUF out = {0};

    bl_say(&out, BL_SAY_PREFIX);
    bl_text_escape(&out, text);
    if (hint && *hint) {
        bl_buf_append_text(&out, "\n  ");
        bl_say(&out, BL_SAY_HINT);
        bl_text_escape(&out, hint);
    }
    fprintf(stderr, "%s\n", bl_buf_text(&out));
}

int bl_cli_report(const struct bl_error *err)
{
    bl_cli_warn(err->text, err->hint);
    return exit_code_of(err->status);
}

struct bl_client *bl_cli_client(struct bl_cli *cli, struct bl_error *err)
{
    BL_AUTO_SERVER server = {.url = {0}};

    if (!cli->client && !bl_server_find(&cli->server, &server, err)) {
        cli->client = bl_client_create(&server);
    }
    return cli->client;
}

struct bl_table_look bl_cli_look(const struct bl_cli *cli)
{
    struct bl_table_look look = {.colour = cli->colour};
    struct winsize size = {0};

    if (cli->is_terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)) {
        look.columns = size.ws_col;
    }
    return look;
}

int bl_cli_refuse_words(const struct bl_cli *cli, int argc, char **argv, struct bl_error *err)
{
    if (argc == 0) {
        return BL_OK;
    }
    BL_FAIL_SAYING(err, BL_EINVAL, BL_SAY_E_NO_WORDS, BL_T(cli->verb->name), BL_T(argv[0]));
    return BL_HINT_SAYING(err, BL_SAY_USAGE, BL_T(cli->verb->usage));
}

/* The caller's first job with an id over `after`; 0 when there is none. */
static int job_after(struct bl_client *client, int64_t after, int64_t *out, struct bl_error *err)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_REPLY reply = {0};
    const struct bl_tree *jobs;
    int status;

    bl_buf_append_text(&path, "/api/v1/jobs?limit=1&user=%40");
    if (after > 0) {
        bl_buf_printf(&path, "&after=%lld", (long long)after);
    }
    status = bl_client_get(client, bl_buf_text(&path), &reply, err);
    if (status) {
        return status;
    }
    jobs = bl_field_list(reply.tree, "jobs");
    *out = jobs && jobs->child_count > 0 ? bl_field_int(&jobs->child[0], "id", 0) : 0;
    return BL_OK;
}

/* Lists come in rising order of id only, so the last one is searched: growing strides while they
 * hit, halved ones after the first miss. */
int bl_cli_last_job(struct bl_cli *cli, int64_t *out, struct bl_error *err)
{
    struct bl_client *client = bl_cli_client(cli, err);
    int64_t last = 0;
    bool grow = true;

    if (!client) {
        return err->status;
    }
    for (int64_t stride = 1; stride > 0;) {
        int64_t found = 0;
        int status = job_after(client, last + stride - 1, &found, err);

        if (status) {
            return status;
        }
        grow = grow && found > 0 && stride < INT64_MAX / 4;
        last = found > 0 ? found : last;
        stride = grow ? stride * 2 : stride / 2;
    }
    if (last == 0) {
        bl_say_fail(err, BL_ENOTFOUND, BL_SAY_E_NO_LAST_JOB, NULL);
        return bl_say_hint(err, BL_SAY_H_QUEUE_ONE, NULL);
    }
    *out = last;
    return BL_OK;
}

int bl_cli_one_ref(struct bl_cli *cli, const char *text, struct bl_job_ref *out,
                   struct bl_error *err)
{
    int status = bl_ids_parse_one(text, out, err);

    return !status && out->id == BL_IDS_LAST ? bl_cli_last_job(cli, &out->id, err) : status;
}

int bl_cli_one_job(struct bl_cli *cli, const char *text, int64_t *out, struct bl_error *err)
{
    struct bl_job_ref ref = {0, -1};
    BL_AUTO_BUF path = {0};
    BL_AUTO_REPLY reply = {0};
    int status = bl_cli_one_ref(cli, text, &ref, err);

    if (status || ref.index < 0) {
        *out = ref.id;
        return status;
    }
    if (!bl_cli_client(cli, err)) {
        return err->status;
    }
    bl_buf_append_text(&path, "/api/v1/jobs/");
    bl_ref_print(&path, ref);
    status = bl_client_get(cli->client, bl_buf_text(&path), &reply, err);
    if (!status) {
        *out = bl_field_int(reply.tree, "id", 0);
    }
    return status;
}

int bl_cli_read_ids(struct bl_cli *cli, const struct bl_words *words, struct bl_ids *ids,
                    struct bl_error *err)
{
    int status = BL_OK;

    if (words->count == 0) {
        bl_say_fail(err, BL_EINVAL, BL_SAY_E_WHICH_JOB, NULL);
        return BL_HINT_SAYING(err, BL_SAY_H_USAGE_EXAMPLE, BL_T(cli->verb->usage),
                              BL_T(words->example));
    }
    for (int i = 0; !status && i < words->count; i++) {
        status = bl_ids_parse(words->at[i], ids, err);
    }
    for (size_t i = 0; !status && i < ids->count; i++) {
        if (ids->at[i].id == BL_IDS_LAST) {
            status = bl_cli_last_job(cli, &ids->at[i].id, err);
        }
    }
    return status;
}

/* What the flag reader hands its values to. */
struct call {
    struct bl_cli *cli;
    void *self;
    bool help;
};

static int set_flag(void *self, int key, const char *value, struct bl_error *err)
{
    struct call *call = self;

    switch (key) {
    case BL_KEY_HELP:
        call->help = true;
        return BL_OK;
    case BL_KEY_JSON:
        call->cli->json = true;
        return BL_OK;
    case BL_KEY_SOCKET:
        call->cli->server.socket = value;
        return BL_OK;
    case BL_KEY_SERVER:
        call->cli->server.server = value;
        return BL_OK;
    default: /* a row of the verb */
        return call->cli->verb->set(call->self, key, value, err);
    }
}

static int run_with(struct call *call, int argc, char **argv, struct bl_error *err)
{
    const struct bl_verb *verb = call->cli->verb;
    const struct bl_flags flags = {verb->name, verb->flag, verb->order, set_flag, call};
    int first = 0;
    int status = bl_flags_read(&flags, argc, argv, &first, err);

    if (call->help) {
        print_verb(verb);
        return BL_OK;
    }
    return status ? status : verb->run(call->cli, call->self, argc - first, argv + first, err);
}

static int run_verb(struct bl_cli *cli, int argc, char **argv)
{
    BL_AUTO_FREE void *self = bl_alloc_zero(cli->verb->self_size + 1);
    struct call call = {cli, self, false};
    struct bl_error err = {0};
    int status = cli->verb->hand_over ? cli->verb->hand_over(argc, argv, &err)
                                      : run_with(&call, argc, argv, &err);

    if (cli->verb->finish) {
        cli->verb->finish(self);
    }
    bl_client_destroy(cli->client);
    return status ? bl_cli_report(&err) : cli->exit_code;
}

static int fail_unknown_verb(const char *word)
{
    const char *names[VERB_COUNT + 1] = {0};
    struct bl_error err = {0};
    const char *near;

    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[i] = verbs[i]->name;
    }
    near = bl_nearest_word(word, names);
    BL_FAIL_SAYING(&err, BL_EINVAL, BL_SAY_E_NO_VERB, BL_T(word));
    if (near) {
        BL_HINT_SAYING(&err, BL_SAY_H_MEANT_VERB, BL_T(near));
    } else {
        bl_say_hint(&err, BL_SAY_H_VERBS, NULL);
    }
    return bl_cli_report(&err);
}

static int run_help(int argc, char **argv)
{
    static char help[] = "--help";
    const struct bl_verb *verb = argc > 1 ? find_verb(argv[1]) : NULL;
    struct bl_cli cli = {.verb = verb};

    if (argc > 1 && !verb) {
        return fail_unknown_verb(argv[1]);
    }
    if (!verb) {
        print_overview();
        return BL_EXIT_OK;
    }
    return run_verb(&cli, 2, (char *[]){argv[1], help, NULL});
}

/* Flags that may stand before the verb. Answers the words that one takes up, 0 where it is none,
 * -1 where its value is missing. */
static int take_early_flag(int argc, char **argv, struct bl_server_wish *out)
{
    const struct {
        const char *name;
        const char **place;
    } rows[] = {{"--socket", &out->socket}, {"--server", &out->server}};

    for (size_t i = 0; argc > 0 && i < sizeof rows / sizeof rows[0]; i++) {
        size_t length = strlen(rows[i].name);

        if (!strcmp(argv[0], rows[i].name)) {
            *rows[i].place = argc > 1 ? argv[1] : NULL;
            return argc > 1 ? 2 : -1;
        }
        if (!strncmp(argv[0], rows[i].name, length) && argv[0][length] == '=') {
            *rows[i].place = argv[0] + length + 1;
            return 1;
        }
    }
    return 0;
}

static int fail_missing_value(const char *flag)
{
    struct bl_error err = {0};

    bl_say_fail(&err, BL_EINVAL,
                strcmp(flag, "--socket") ? BL_SAY_E_SERVER_VALUE : BL_SAY_E_SOCKET_PATH, NULL);
    return bl_cli_report(&err);
}

/* A terminal of the plain "C" locale is nearly always UTF-8 today, and widths need a table. */
static void choose_locale(void)
{
    setlocale(LC_ALL, "");
    if (MB_CUR_MAX == 1) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
}

int bl_cli_main(int argc, char **argv)
{
    struct bl_cli cli = {.is_terminal = isatty(STDOUT_FILENO)};
    const char *no_colour = getenv("NO_COLOR");
    int taken;

    choose_locale();
    cli.colour = cli.is_terminal && !(no_colour && *no_colour);
    while ((taken = take_early_flag(argc - 1, argv + 1, &cli.server))) {
        if (taken < 0) {
            return fail_missing_value(argv[1]);
        }
        argc -= taken;
        argv += taken;
    }
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_overview();
        return BL_EXIT_OK;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        print_version();
        return BL_EXIT_OK;
    }
    if (!strcmp(argv[1], "help")) {
        return run_help(argc - 1, argv + 1);
    }
    cli.verb = find_verb(argv[1]);
    return cli.verb ? run_verb(&cli, argc - 1, argv + 1) : fail_unknown_verb(argv[1]);
}
