#include "sim/options.h"

#include "base/units.h"
#include "form/policyspec.h"
#include "form/tree.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum option_id {
    OPTION_CLUSTER = 256,
    OPTION_SLOTS,
    OPTION_TRACE,
    OPTION_FORMAT,
    OPTION_POLICY,
    OPTION_PROFILES,
    OPTION_ROUND,
    OPTION_SEED,
    OPTION_WAITS,
    OPTION_LOG,
    OPTION_JSON,
    OPTION_LENIENT,
    OPTION_VERBOSE,
    OPTION_CHECK,
    OPTION_BOUND,
    OPTION_ETA,
    OPTION_ORACLE,
    OPTION_LIST_POLICIES,
    OPTION_LIST_FORMATS,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option long_options[] = {
    {"cluster", required_argument, NULL, OPTION_CLUSTER},
    {"slots", required_argument, NULL, OPTION_SLOTS},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"policy", required_argument, NULL, OPTION_POLICY},
    {"profiles", required_argument, NULL, OPTION_PROFILES},
    {"round", required_argument, NULL, OPTION_ROUND},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"waits", required_argument, NULL, OPTION_WAITS},
    {"log", required_argument, NULL, OPTION_LOG},
    {"json", no_argument, NULL, OPTION_JSON},
    {"lenient", no_argument, NULL, OPTION_LENIENT},
    {"verbose", no_argument, NULL, OPTION_VERBOSE},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"list-policies", no_argument, NULL, OPTION_LIST_POLICIES},
    {"list-formats", no_argument, NULL, OPTION_LIST_FORMATS},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"oracle", no_argument, NULL, OPTION_ORACLE},
    {"bound", no_argument, NULL, OPTION_BOUND},
    {"eta", no_argument, NULL, OPTION_ETA},
    {NULL, 0, NULL, 0},
};

/* Later options are known, so that a typing mistake is not corrected into one of them. */
enum { OPTION_ROWS = sizeof long_options / sizeof long_options[0], DEFAULT_SLOTS_MIN = 1 };

static const char help[] =
    "Usage: baleen-sim [--cluster FILE | --slots N] --trace FILE|- [options]\n"
    "Replays a log of jobs on baleen's core and prints what each policy makes of it.\n"
    "\n"
    "  --trace FILE|-        the log; .gz and .zst are read as they are; - is standard input\n"
    "  --format FORMAT       auto (default), a name of --list-formats, or journal\n"
    "  --cluster FILE        the machine, as a cluster file\n"
    "  --slots N             a machine of N slots instead\n"
    "  --policy NAME[:KEY=VALUE,...]\n"
    "                        may be repeated; default easy. With a journal: what this policy\n"
    "                        would have made of it, beside what happened\n"
    "  --profiles DIR        how fast applications train: formats sia and pollux need it\n"
    "  --round event|TIME    decide at each event (default), or at multiples of TIME (5m);\n"
    "                        sia and pollux bring a clock of their own, 60s\n"
    "  --seed N              for random choices; the policies so far make none\n"
    "  --waits FILE          CSV id,submit,start,end of each job that ended (one policy)\n"
    "  --log FILE            JSON lines, one an event or action with its reasons (one policy)\n"
    "  --bound               also a bound: no policy can have a lower mean completion time\n"
    "  --eta                 also how well starts and run times were foreseen at submission\n"
    "  --oracle              sia: policies see true speeds and how much work there is\n"
    "  --json                an object, or an array for several policies, instead of a table\n"
    "  --lenient             skip jobs that are wrong, count them and say so\n"
    "  --verbose             tell the rounds as a story on standard error\n"
    "  --check               journal: stop at the first round that decides otherwise than noted\n"
    "  --list-policies, --list-formats, --help, --version\n"
    "\n"
    "Examples:\n"
    "  baleen sim --trace KTH-SP2.swf.gz --policy fifo --policy easy\n"
    "  baleen sim --trace log.swf --slots 64 --policy easy:order=shortest --json\n"
    "  baleen sim --cluster cluster.yaml --trace jobs.yaml --policy fifo --waits waits.csv\n"
    "  baleen sim --format journal --trace ~/.local/state/baleen --check\n"
    "  baleen sim --format journal --trace ~/.local/state/baleen --policy predictive --policy "
    "sjf\n";

void bl_sim_options_print_help(struct bl_buf *out)
{
    bl_buf_append_text(out, help);
}

static int fail_unknown(const char *word, struct bl_error *err)
{
    const char *names[OPTION_ROWS] = {NULL};
    char bare[64] = "";
    const char *nearest;

    for (size_t i = 0; long_options[i].name; i++) {
        names[i] = long_options[i].name;
    }
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    nearest = strncmp(bare, "--", 2) == 0 ? bl_nearest_word(bare + 2, names) : NULL;
    bl_fail(err, BL_EINVAL, "unknown option '%.100s'", word);
    return nearest ? bl_error_set_hint(err, "did you mean --%s?", nearest)
                   : bl_error_set_hint(err, "see --help");
}

/* Formats of this version have no options; the grammar is theirs to grow. */
static int read_format(const char *text, struct bl_sim_options *out, struct bl_error *err)
{
    const char *names[64] = {"auto", "journal"};
    size_t length = strcspn(text, ":");
    char name[64];
    const char *nearest;

    for (size_t i = 0; bl_trace_formats[i] && i + 3 < sizeof names / sizeof names[0]; i++) {
        names[i + 2] = bl_trace_formats[i]->name;
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    out->input = strcmp(name, "journal") == 0 ? BL_SIM_JOURNAL : BL_SIM_TRACE;
    out->format = bl_trace_format_find(name);
    if (!out->format && out->input == BL_SIM_TRACE && strcmp(name, "auto") != 0) {
        nearest = bl_nearest_word(name, names);
        bl_fail(err, BL_EINVAL, "--format: unknown format '%s'", name);
        return nearest ? bl_error_set_hint(err, "did you mean %s?", nearest)
                       : bl_error_set_hint(err, "see --list-formats");
    }
    if (text[length]) {
        return bl_fail(err, BL_EINVAL, "--format: the format %s has no options, found '%.100s'",
                       name, text + length + 1);
    }
    return BL_OK;
}

static int read_policy(const char *text, struct bl_sim_options *out, struct bl_error *err)
{
    struct bl_sim_policy policy = {.text = text};

    if (bl_policyspec_parse(text, &policy.choice, err) != BL_OK) {
        return bl_wrap(err, "--policy");
    }
    BL_VEC_PUSH(&out->policies, policy);
    return BL_OK;
}

static int read_round(const char *text, struct bl_sim_options *out, struct bl_error *err)
{
    out->has_round = true;
    if (strcmp(text, "event") == 0) {
        out->round = 0;
        return BL_OK;
    }
    if (bl_span_parse(text, &out->round, err) != BL_OK) {
        bl_wrap(err, "--round");
        return bl_error_set_hint(err, "write 'event' or a time like 5m");
    }
    if (out->round <= 0) {
        bl_fail(err, BL_EINVAL, "--round: expected a time above 0, found '%s'", text);
        return bl_error_set_hint(err, "write 'event' for a round at each event");
    }
    return BL_OK;
}

static int read_number(const char *name, int64_t low, int64_t high, int64_t *out,
                       struct bl_error *err)
{
    return bl_int_parse(optarg, low, high, out, err) == BL_OK ? BL_OK : bl_wrap(err, "%s", name);
}

/* Of an option without a value; NULL for any other. */
static bool *find_flag(int id, struct bl_sim_options *out)
{
    switch (id) {
    case OPTION_JSON:
        return &out->as_json;
    case OPTION_LENIENT:
        return &out->lenient;
    case OPTION_VERBOSE:
        return &out->verbose;
    case OPTION_CHECK:
        return &out->check;
    case OPTION_BOUND:
        return &out->with_bound;
    case OPTION_ETA:
        return &out->with_eta;
    case OPTION_ORACLE:
        return &out->with_oracle;
    default:
        return NULL;
    }
}

static int read_option(int id, struct bl_sim_options *out, struct bl_error *err)
{
    bool *flag = find_flag(id, out);
    int64_t seed;

    if (flag) {
        *flag = true;
        return BL_OK;
    }
    switch (id) {
    case OPTION_CLUSTER:
        out->cluster_path = optarg;
        return BL_OK;
    case OPTION_SLOTS:
        return read_number("--slots", DEFAULT_SLOTS_MIN, BL_NODE_COUNTED_GPUS_MAX, &out->slots,
                           err);
    case OPTION_TRACE:
        out->trace_path = optarg;
        return BL_OK;
    case OPTION_FORMAT:
        return read_format(optarg, out, err);
    case OPTION_POLICY:
        return read_policy(optarg, out, err);
    case OPTION_PROFILES:
        out->profiles_path = optarg;
        return BL_OK;
    case OPTION_ROUND:
        return read_round(optarg, out, err);
    case OPTION_SEED:
        return read_number("--seed", 0, INT64_MAX, &seed, err);
    case OPTION_WAITS:
        out->waits_path = optarg;
        return BL_OK;
    case OPTION_LOG:
        out->log_path = optarg;
        return BL_OK;
    case OPTION_LIST_POLICIES:
        out->task = BL_SIM_LIST_POLICIES;
        return BL_OK;
    case OPTION_LIST_FORMATS:
        out->task = BL_SIM_LIST_FORMATS;
        return BL_OK;
    case OPTION_VERSION:
        out->task = BL_SIM_VERSION;
        return BL_OK;
    default:
        out->task = BL_SIM_HELP;
        return BL_OK;
    }
}

static int check_journal(const struct bl_sim_options *options, struct bl_error *err)
{
    if (options->cluster_path || options->slots || options->has_round || options->waits_path ||
        options->profiles_path || options->with_bound || options->with_oracle ||
        options->with_eta) {
        return bl_fail(err, BL_EINVAL,
                       "--format journal repeats what happened: machine and rounds are in the "
                       "journal, so --cluster, --slots, --round, --waits, --profiles, --bound, "
                       "--eta and --oracle do not go with it");
    }
    if (options->policies.count && (options->check || options->log_path)) {
        return bl_fail(err, BL_EINVAL,
                       "--check and --log compare with what was decided, so they do not go with "
                       "another --policy");
    }
    return BL_OK;
}

/* Jobs of a format with a clock of its own do what profiles say, and nothing else has them. */
static int check_profiles(const struct bl_sim_options *options, struct bl_error *err)
{
    bool is_profiled = options->format && options->format->round > 0;

    if (is_profiled && !options->profiles_path) {
        bl_fail(err, BL_EINVAL, "--format %s does not say how fast its jobs are",
                options->format->name);
        return bl_error_set_hint(err, "give --profiles DIR");
    }
    if (!is_profiled && options->profiles_path) {
        bl_fail(err, BL_EINVAL, "--profiles goes with formats whose jobs are profiled");
        return bl_error_set_hint(err, "name one: --format sia or --format pollux");
    }
    if (is_profiled && options->has_round && options->round == 0) {
        return bl_fail(err, BL_EINVAL, "--format %s is timed in rounds, found --round event",
                       options->format->name);
    }
    return BL_OK;
}

/* What does not go together. */
static int check(struct bl_sim_options *options, struct bl_error *err)
{
    struct bl_policy_choice easy;
    int status;

    if (!options->trace_path) {
        bl_fail(err, BL_EINVAL, "no log was given");
        return bl_error_set_hint(err, "give --trace FILE, or --trace - for standard input");
    }
    if (options->input == BL_SIM_JOURNAL) {
        return check_journal(options, err);
    }
    status = check_profiles(options, err);
    if (status != BL_OK) {
        return status;
    }
    if (options->check) {
        return bl_fail(err, BL_EINVAL, "--check needs --format journal");
    }
    if (options->cluster_path && options->slots) {
        return bl_fail(err, BL_EINVAL, "--cluster and --slots both describe the machine");
    }
    if (options->policies.count == 0) {
        if (bl_policyspec_parse("easy", &easy, err) != BL_OK) {
            return err->status;
        }
        BL_VEC_PUSH(&options->policies, (struct bl_sim_policy){"easy", easy});
    }
    if (options->policies.count > 1 && (options->waits_path || options->log_path)) {
        return bl_fail(err, BL_EINVAL, "--waits and --log take one --policy, found %zu",
                       options->policies.count);
    }
    if (options->policies.count > 1 && strcmp(options->trace_path, "-") == 0) {
        return bl_fail(err, BL_EINVAL,
                       "standard input can be read once, so it takes one --policy, found %zu",
                       options->policies.count);
    }
    return BL_OK;
}

int bl_sim_options_parse(int argc, char *const *argv, struct bl_sim_options *out,
                         struct bl_error *err)
{
    int id;

    *out = (struct bl_sim_options){0};
    opterr = 0;
    optind = 0; /* begins anew, also within a word */
    while ((id = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        int status = BL_OK;

        if (id == '?') {
            return fail_unknown(argv[optind - 1], err);
        }
        if (id == ':') {
            return bl_fail(err, BL_EINVAL, "%s needs a value", argv[optind - 1]);
        }
        status = read_option(id, out, err);
        if (status != BL_OK) {
            return status;
        }
    }
    if (optind < argc) {
        bl_fail(err, BL_EINVAL, "unexpected argument '%.100s'", argv[optind]);
        return bl_error_set_hint(err, "give the log as --trace FILE");
    }
    return out->task == BL_SIM_REPLAY ? check(out, err) : BL_OK;
}

void bl_sim_options_finish(struct bl_sim_options *options)
{
    BL_VEC_FINISH(&options->policies);
}
