#include "daemon/options.h"

#include "base/own.h"
#include "base/vec.h"
#include "daemon/listen.h"
#include "form/policyspec.h"
#include "os/fs.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STANDARD_HTTP "127.0.0.1:7420"

static const char help_text[] =
    "Usage: baleend [flags]     (or: baleen daemon [flags])\n"
    "\n"
    "Runs the scheduler on this machine: queues jobs, gives them GPUs, starts and watches them.\n"
    "Jobs go on when the daemon stops; it takes them over when it starts again.\n"
    "\n"
    "  --config FILE     the configuration (root: /etc/baleen/baleen.yaml, where there is one);\n"
    "                    flags win over it\n"
    "  --check-config    say whether it and the flags are good, and end\n"
    "  --declared SPEC   pretend a node, as 8xA100:80GB[,cpus=N][,mem=SIZE]; again for more nodes\n"
    "  --cluster FILE    the nodes of a cluster file, declared\n"
    "                    (without either: the GPUs that are found)\n"
    "  --policy SPEC     how to decide, as NAME[:key=value,...] (easy)\n"
    "  --engine NAME     what runs the jobs (local)\n"
    "  --no-cgroup       do without control groups, even where they could be used\n"
    "  --state DIR       where the journal is kept\n"
    "                    (root: /var/lib/baleen; else ~/.local/state/baleen)\n"
    "  --socket PATH     where clients connect\n"
    "                    (root: /run/baleen/baleen.sock; else "
    "$XDG_RUNTIME_DIR/baleen/baleen.sock)\n"
    "  --http ADDR:PORT  listen there as well, for the page and requests that bear a token\n"
    "                    (" STANDARD_HTTP "); port 0 picks one, none: the socket alone\n"
    "  --foreground      stay in the terminal and log there; else the log is DIR/daemon.log\n"
    "  --version, --help\n"
    "\n"
    "Examples:\n"
    "  baleend                                    # this machine's GPUs\n"
    "  baleend --declared 8xA100:80GB             # a node to play with\n"
    "  baleend --foreground --declared 4xA100 --declared 8xH100:80GB,cpus=96,mem=1TB\n"
    "  baleend --policy easy:order=shortest\n";

enum flag {
    OPTION_STATE = 256,
    OPTION_SOCKET,
    OPTION_DECLARED,
    OPTION_CLUSTER,
    OPTION_POLICY,
    OPTION_ENGINE,
    OPTION_NO_CGROUP,
    OPTION_FOREGROUND,
    OPTION_HTTP,
    OPTION_CONFIG,
    OPTION_CHECK_CONFIG,
    OPTION_VERSION,
    OPTION_HELP
};

static const struct option long_options[] = {
    {"state", required_argument, NULL, OPTION_STATE},
    {"socket", required_argument, NULL, OPTION_SOCKET},
    {"declared", required_argument, NULL, OPTION_DECLARED},
    {"cluster", required_argument, NULL, OPTION_CLUSTER},
    {"policy", required_argument, NULL, OPTION_POLICY},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"no-cgroup", no_argument, NULL, OPTION_NO_CGROUP},
    {"foreground", no_argument, NULL, OPTION_FOREGROUND},
    {"http", required_argument, NULL, OPTION_HTTP},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"check-config", no_argument, NULL, OPTION_CHECK_CONFIG},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/* What is gathered while the flags are read. */
struct reading {
    struct bl_arena *arena;
    struct bl_options *out;
    struct bl_error *err;
    BL_VEC(struct bl_node_spec) declared;
    const char *cluster_file;
    bool has_said;
};

static int read_declared(struct reading *reading, const char *text)
{
    struct bl_node_spec node = {0};
    int index = (int)reading->declared.count + 1;
    int status = bl_declared_parse(text, index, reading->arena, &node, reading->err);

    if (status != BL_OK) {
        return bl_wrap(reading->err, "--declared %s", text);
    }
    BL_VEC_PUSH(&reading->declared, node);
    return BL_OK;
}

static int read_engine(struct reading *reading, const char *name)
{
    BL_AUTO_BUF names = {0};

    reading->out->engine = bl_engine_find(name);
    if (reading->out->engine) {
        return BL_OK;
    }
    bl_engine_print_names(&names);
    return bl_fail(reading->err, BL_EINVAL, "--engine: there is no engine '%s'; there are: %s",
                   name, bl_buf_text(&names));
}

static int read_policy(struct reading *reading, const char *text)
{
    int status = bl_policyspec_parse(text, &reading->out->policy, reading->err);

    return status == BL_OK ? BL_OK : bl_wrap(reading->err, "--policy");
}

static int read_http(struct reading *reading, const char *text)
{
    if (strcmp(text, "none") != 0 && !bl_config_is_address(text)) {
        return bl_fail(reading->err, BL_EINVAL,
                       "--http: expected an address like 127.0.0.1:7420, or none, found '%s'",
                       text);
    }
    reading->out->http = text;
    return BL_OK;
}

static int say(struct reading *reading, enum flag option)
{
    reading->has_said = true;
    if (option == OPTION_HELP) {
        fputs(help_text, stdout);
    } else {
        puts("baleend " BL_VERSION);
    }
    return BL_OK;
}

static int fail_option(struct reading *reading, int argc, char **argv)
{
    const char *names[sizeof long_options / sizeof long_options[0]] = {NULL};
    int index = optind > 0 && optind <= argc ? optind - 1 : 0;
    const char *given = argv[index] + strspn(argv[index], "-");
    char word[64];
    const char *near;

    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    for (size_t i = 0; long_options[i].name; i++) {
        names[i] = long_options[i].name;
        if (!strcmp(names[i], word)) {
            return bl_fail(reading->err, BL_EINVAL,
                           long_options[i].has_arg ? "--%s needs a value" : "--%s takes no value",
                           word);
        }
    }
    bl_fail(reading->err, BL_EINVAL, "unknown flag '%s'", argv[index]);
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): `word` releases itself */
    near = bl_nearest_word(word, names);
    if (near) {
        return bl_error_set_hint(reading->err, "did you mean --%s?", near);
    }
    return bl_error_set_hint(reading->err, "baleend --help lists them");
}

static int read_option(struct reading *reading, enum flag option, const char *text)
{
    switch (option) {
    case OPTION_STATE:
        reading->out->state_dir = text;
        return BL_OK;
    case OPTION_SOCKET:
        reading->out->socket = text;
        return BL_OK;
    case OPTION_DECLARED:
        return read_declared(reading, text);
    case OPTION_CLUSTER:
        reading->cluster_file = text;
        return BL_OK;
    case OPTION_POLICY:
        return read_policy(reading, text);
    case OPTION_ENGINE:
        return read_engine(reading, text);
    case OPTION_NO_CGROUP:
        reading->out->no_cgroup = true;
        return BL_OK;
    case OPTION_FOREGROUND:
        reading->out->foreground = true;
        return BL_OK;
    case OPTION_HTTP:
        return read_http(reading, text);
    case OPTION_CONFIG:
        reading->out->config_path = text;
        return BL_OK;
    case OPTION_CHECK_CONFIG:
        reading->out->checks_only = true;
        return BL_OK;
    case OPTION_VERSION:
    case OPTION_HELP:
        return say(reading, option);
    }
    return BL_OK;
}

static int read_cluster_file(struct reading *reading)
{
    if (reading->declared.count > 0) {
        return bl_fail(reading->err, BL_EINVAL, "give --declared or --cluster, not both");
    }
    return bl_options_read_cluster(reading->cluster_file, reading->arena, &reading->out->declared,
                                   reading->err);
}

static void keep_declared(struct reading *reading)
{
    size_t count = reading->declared.count;
    struct bl_node_spec *nodes = bl_arena_alloc(reading->arena, (count + 1) * sizeof *nodes);

    if (count > 0) {
        memcpy(nodes, reading->declared.at, count * sizeof *nodes);
        reading->out->declared = (struct bl_clusterspec){.node = nodes, .node_count = count};
    }
}

static int read_all(struct reading *reading, int argc, char **argv)
{
    int status = BL_OK;
    int found;

    opterr = 0;
    while (status == BL_OK && !reading->has_said &&
           (found = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        status = found == '?' ? fail_option(reading, argc, argv)
                              : read_option(reading, (enum flag)found, optarg);
    }
    if (status != BL_OK || reading->has_said) {
        return status;
    }
    if (optind < argc) {
        return bl_fail(reading->err, BL_EINVAL, "unexpected argument '%s'", argv[optind]);
    }
    keep_declared(reading);
    return reading->cluster_file ? read_cluster_file(reading) : BL_OK;
}

/* What neither says. */
static int fill_in(struct reading *reading)
{
    struct bl_options *out = reading->out;

    if (!out->http) {
        out->http = STANDARD_HTTP;
        out->http_is_standard = true;
    } else if (strcmp(out->http, "none") == 0) {
        out->http = NULL;
    }
    out->engine = out->engine ? out->engine : bl_engine_find("local");
    return out->policy.policy ? BL_OK : read_policy(reading, "easy");
}

enum bl_options_outcome bl_options_read(int argc, char **argv, struct bl_arena *arena,
                                        struct bl_options *out, struct bl_error *err)
{
    struct reading reading = {.arena = arena, .out = out, .err = err};
    int status;

    *out = (struct bl_options){.engine = NULL};
    status = read_all(&reading, argc, argv);
    BL_VEC_FINISH(&reading.declared);
    if (status == BL_OK && !reading.has_said) {
        status = bl_options_read_config(arena, out, err);
        status = status == BL_OK ? fill_in(&reading) : status;
    }
    if (status != BL_OK) {
        return BL_OPTIONS_USAGE;
    }
    return reading.has_said ? BL_OPTIONS_SAID : BL_OPTIONS_GO;
}

/* --- places ---------------------------------------------------------------------------------- */

static int default_state(struct bl_buf *out, struct bl_error *err)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    if (geteuid() == 0) {
        bl_buf_append_text(out, "/var/lib/baleen");
    } else if (state && state[0] == '/') {
        bl_buf_printf(out, "%s/baleen", state);
    } else if (home && home[0] == '/') {
        bl_buf_printf(out, "%s/.local/state/baleen", home);
    } else {
        return bl_fail(err, BL_EINVAL, "HOME is not set: say where to keep the state with --state");
    }
    return BL_OK;
}

/* The daemon leaves the directory that it was started in. */
static int make_absolute(struct bl_arena *arena, const char **path, struct bl_error *err)
{
    BL_AUTO_BUF text = {0};
    BL_AUTO_FREE char *here = NULL;

    if (**path == '/') {
        return BL_OK;
    }
    here = getcwd(NULL, 0);
    if (!here) {
        return bl_fail_sys(err, "cannot tell the working directory");
    }
    bl_buf_printf(&text, "%s/%s", here, *path);
    *path = bl_arena_copy_text(arena, bl_buf_text(&text));
    return BL_OK;
}

static int prepare_state(struct bl_options *options, struct bl_arena *arena, struct bl_error *err)
{
    BL_AUTO_BUF standard = {0};
    int status = BL_OK;

    if (!options->state_dir) {
        status = default_state(&standard, err);
        options->state_dir = bl_arena_copy_text(arena, bl_buf_text(&standard));
    }
    status = status == BL_OK ? make_absolute(arena, &options->state_dir, err) : status;
    return status == BL_OK ? bl_fs_make_dirs(options->state_dir, 0711, err) : status;
}

static int prepare_socket(struct bl_options *options, struct bl_arena *arena, struct bl_error *err)
{
    BL_AUTO_BUF standard = {0};
    int status = BL_OK;

    if (!options->socket) {
        status = bl_listen_default_path(&standard, err);
        options->socket = bl_arena_copy_text(arena, bl_buf_text(&standard));
    }
    return status == BL_OK ? make_absolute(arena, &options->socket, err) : status;
}

static void find_supervisor(struct bl_options *options, struct bl_arena *arena)
{
    static const char *const places[] = {"../supervisor/baleen-supervisor", /* of a build folder */
                                         BL_LIBEXEC_FROM_BIN "/baleen-supervisor",
                                         "baleen-supervisor", NULL};
    BL_AUTO_BUF path = {0};

    if (bl_fs_find_beside(places, &path)) {
        options->supervisor = bl_arena_copy_text(arena, bl_buf_text(&path));
    }
}

int bl_options_prepare(struct bl_options *options, struct bl_arena *arena, struct bl_error *err)
{
    int status = prepare_state(options, arena, err);

    find_supervisor(options, arena);
    return status == BL_OK ? prepare_socket(options, arena, err) : status;
}
