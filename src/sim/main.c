/* baleen-sim: replays a log on the core. Exit 0 ok, 1 failed, 2 usage. */
#include "form/clusterspec.h"
#include "os/fs.h"
#include "sim/journal.h"
#include "sim/options.h"
#include "sim/otherwise.h"
#include "sim/profiles_dir.h"
#include "sim/report.h"
#include "sim/source.h"
#include "sim/world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE };

#ifndef BALEEN_VERSION
#error "the build names the version"
#endif

static int tell(const struct bl_error *err, int code)
{
    fprintf(stderr, "baleen-sim: %s\n", err->text);
    if (err->hint[0]) {
        fprintf(stderr, "  %s\n", err->hint);
    }
    return code;
}

/* What was skipped or changed is never silent. */
static void tell_notes(const struct bl_trace_notes *notes)
{
    if (notes->skipped > 0) {
        fprintf(stderr, "baleen-sim: skipped %lld jobs; the first: %s\n", (long long)notes->skipped,
                notes->first_skipped);
    }
    if (notes->clamped > 0) {
        fprintf(stderr, "baleen-sim: %lld jobs ran longer than their limit; they end at it\n",
                (long long)notes->clamped);
    }
}

static int read_cluster(const char *path, struct bl_arena *arena, struct bl_clusterspec *out,
                        struct bl_error *err)
{
    BL_AUTO_BUF text = {0};
    struct bl_tree_source source = {.name = path};
    struct bl_tree *tree;
    int status = bl_fs_read(path, BL_TREE_BYTES_MAX, &text, err);

    if (status != BL_OK) {
        return status;
    }
    source.bytes = bl_buf_text(&text);
    source.length = text.length;
    status = bl_yaml_read(&source, arena, &tree, err);
    return status == BL_OK ? bl_clusterspec_read(&source, tree, arena, out, err) : status;
}

/* The machine: the cluster file, else what the trace brings, else --slots. */
struct machine {
    struct bl_clusterspec file;
    struct bl_node_spec slots;
    struct bl_clusterspec used;
};

static void prepare_machine(const struct bl_sim_options *options, struct machine *machine,
                            struct bl_trace_options *out)
{
    out->lenient = options->lenient;
    out->slots = options->slots;
    if (options->slots) {
        machine->slots = bl_slots_node(options->slots);
    }
    if (options->cluster_path) {
        out->cluster = &machine->file;
    }
}

static int choose_machine(const struct bl_sim_options *options, const struct bl_sim_source *source,
                          struct machine *machine, struct bl_error *err)
{
    struct bl_clusterspec own = {0};

    source->format->cluster(source->trace, &own);
    if (options->cluster_path) {
        machine->used = machine->file;
    } else if (own.node_count > 0) {
        machine->used = own;
    } else if (options->slots) {
        machine->used = (struct bl_clusterspec){&machine->slots, 1};
    } else {
        bl_fail(err, BL_EINVAL, "the log does not say on which machine it runs");
        return bl_error_set_hint(err, "give --cluster FILE or --slots N");
    }
    return BL_OK;
}

/* What jobs do, where it stands in profiles. They are read once for all policies. */
struct worlds {
    struct bl_profiles profiles;
    bool is_read;
};

static int make_world(const struct bl_sim_options *options, struct worlds *worlds,
                      struct bl_sim_setup *setup, struct bl_error *err)
{
    struct bl_sim_world_setup world = {setup->format, &worlds->profiles, setup->cluster,
                                       options->with_oracle};
    int status = BL_OK;

    if (!options->profiles_path) {
        return BL_OK;
    }
    if (!worlds->is_read) {
        status =
            bl_sim_read_profiles(options->profiles_path, setup->cluster, &worlds->profiles, err);
        worlds->is_read = true;
    }
    if (status == BL_OK) {
        setup->world = bl_sim_world_create(&world);
        setup->round = options->has_round ? options->round : setup->format->round;
    }
    return status;
}

/* Where speeds are not learnt there is nothing to know better. */
static int check_oracle(const struct bl_sim_options *options, const struct bl_sim_setup *setup,
                        struct bl_error *err)
{
    if (options->with_oracle && !(setup->world && bl_sim_world_oracle(setup->world))) {
        bl_fail(err, BL_EINVAL, "--oracle: jobs of the format %s do not learn how fast they are",
                setup->format->name);
        return bl_error_set_hint(err, "it goes with the format sia and --profiles DIR");
    }
    return BL_OK;
}

struct outputs {
    struct bl_sim_output waits, log, story;
};

static int open_outputs(const struct bl_sim_options *options, struct outputs *outputs,
                        struct bl_sim_setup *setup, struct bl_error *err)
{
    int status = BL_OK;

    if (options->waits_path) {
        status = bl_sim_output_open(&outputs->waits, options->waits_path, err);
        setup->waits = &outputs->waits;
    }
    if (status == BL_OK && options->log_path) {
        status = bl_sim_output_open(&outputs->log, options->log_path, err);
        setup->log = &outputs->log;
    }
    if (options->verbose) {
        outputs->story =
            (struct bl_sim_output){.path = "standard error", .fd_plus_one = STDERR_FILENO + 1};
        setup->story = &outputs->story;
    }
    return status;
}

/* The first failure counts. */
static int close_outputs(struct outputs *outputs, int status, struct bl_error *err)
{
    struct bl_error later;
    struct bl_sim_output *const all[] = {&outputs->waits, &outputs->log, &outputs->story};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (bl_sim_output_close(all[i], &later) != BL_OK && status == BL_OK) {
            *err = later;
            status = later.status;
        }
    }
    return status;
}

struct where {
    struct machine machine;
    struct worlds worlds;
};

static int replay_one(const struct bl_sim_options *options, const struct bl_sim_policy *policy,
                      struct where *where, struct bl_sim_result *out, struct bl_error *err)
{
    struct bl_trace_options trace_options = {0};
    struct bl_sim_source source = {0};
    struct outputs outputs = {0};
    struct bl_sim_setup setup = {.choice = policy->choice,
                                 .round = options->round,
                                 .with_bound = options->with_bound,
                                 .with_eta = options->with_eta};
    int status;

    prepare_machine(options, &where->machine, &trace_options);
    status = bl_sim_source_open(&source, options->trace_path, options->format, &trace_options, err);
    if (status != BL_OK) {
        return status;
    }
    status = choose_machine(options, &source, &where->machine, err);
    if (status == BL_OK) {
        status = open_outputs(options, &outputs, &setup, err);
    }
    if (status == BL_OK) {
        setup.cluster = &where->machine.used;
        setup.format = source.format;
        setup.trace = source.trace;
        status = make_world(options, &where->worlds, &setup, err);
    }
    if (status == BL_OK) {
        status = check_oracle(options, &setup, err);
    }
    if (status == BL_OK) {
        status = bl_sim_replay(&setup, out, err);
    }
    bl_sim_world_destroy(setup.world);
    status = close_outputs(&outputs, status, err);
    if (status == BL_OK && policy == options->policies.at) {
        tell_notes(source.format->notes(source.trace));
    }
    bl_sim_source_close(&source);
    return status;
}

static int print_rows(const struct bl_sim_options *options, const struct bl_sim_row *rows,
                      size_t count, struct bl_error *err)
{
    struct bl_sim_output out = {0};

    bl_sim_output_open(&out, "-", NULL);
    if (options->as_json) {
        bl_sim_print_json(&out.text, rows, count);
    } else {
        bl_sim_print_table(&out.text, rows, count);
    }
    return bl_sim_output_close(&out, err);
}

/* Where all jobs ended the rows bound the same mean, each by prices of its own: the best holds for
 * all. */
static void share_bounds(struct bl_sim_row *rows, size_t count)
{
    double best = 0;

    for (size_t i = 0; i < count; i++) {
        if (rows[i].result.figures.done == rows[i].result.figures.jobs &&
            rows[i].result.bound_s > best) {
            best = rows[i].result.bound_s;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].result.figures.done == rows[i].result.figures.jobs &&
            rows[i].result.bound_s < best) {
            rows[i].result.bound_s = best;
        }
    }
}

static void tell_left(const struct bl_sim_row *row)
{
    if (row->result.left > 0) {
        fprintf(stderr, "baleen-sim: %s: %lld jobs never ended\n", row->policy,
                (long long)row->result.left);
    }
}

static int replay_all(const struct bl_sim_options *options, struct bl_error *err)
{
    BL_AUTO_FREE struct bl_sim_row *rows = bl_alloc_zero(options->policies.count * sizeof *rows);
    struct bl_arena arena = {0};
    struct where where = {0};
    int status = BL_OK;

    if (options->cluster_path) {
        status = read_cluster(options->cluster_path, &arena, &where.machine.file, err);
    }
    for (size_t i = 0; status == BL_OK && i < options->policies.count; i++) {
        const struct bl_sim_policy *policy = &options->policies.at[i];

        rows[i].policy = policy->text;
        status = replay_one(options, policy, &where, &rows[i].result, err);
        tell_left(&rows[i]);
    }
    share_bounds(rows, options->policies.count);
    bl_profiles_finish(&where.worlds.profiles);
    bl_arena_finish(&arena);
    return status == BL_OK ? print_rows(options, rows, options->policies.count, err) : status;
}

/* The first line of the two texts that is not the same. */
static void tell_difference(const struct bl_sim_journal_result *found)
{
    const char *noted = bl_buf_text(&found->noted);
    const char *decided = bl_buf_text(&found->decided);

    while (*noted && *decided) {
        size_t length = strcspn(noted, "\n") + 1;

        if (strncmp(noted, decided, length) != 0) {
            break;
        }
        noted += length;
        decided += length;
    }
    fprintf(stderr, "  noted:   %.*s\n  decided: %.*s\n", *noted ? (int)strcspn(noted, "\n") : 7,
            *noted ? noted : "nothing", *decided ? (int)strcspn(decided, "\n") : 7,
            *decided ? decided : "nothing");
}

static int judge_journal(const struct bl_sim_options *options,
                         const struct bl_sim_journal_result *found, struct bl_error *err)
{
    if (found->different > 0) {
        tell_difference(found);
        return bl_fail(err, BL_EREFUSED,
                       "%s: the actions of journal record %lld are not those that were noted%s",
                       options->trace_path, (long long)found->first_different,
                       options->check ? "" : "; see --log for all");
    }
    if (found->unnoted > 0) {
        fprintf(stderr, "baleen-sim: the last %lld rounds had no actions noted to compare with\n",
                (long long)found->unnoted);
    }
    if (options->check) {
        fprintf(stderr, "baleen-sim: %lld rounds decide as they did\n", (long long)found->compared);
    }
    return BL_OK;
}

static int replay_journal(const struct bl_sim_options *options, struct bl_error *err)
{
    struct outputs outputs = {0};
    struct bl_sim_setup opened = {0};
    struct bl_sim_journal_result found = {0};
    struct bl_sim_row row;
    int status = open_outputs(options, &outputs, &opened, err);

    if (status == BL_OK) {
        struct bl_sim_journal setup = {options->trace_path, opened.log, opened.story,
                                       options->check};

        status = bl_sim_replay_journal(&setup, &found, err);
    }
    status = close_outputs(&outputs, status, err);
    if (status == BL_OK) {
        status = judge_journal(options, &found, err);
    }
    if (status == BL_OK) {
        row = (struct bl_sim_row){found.policy.length ? bl_buf_text(&found.policy) : "none",
                                  found.result};
        status = print_rows(options, &row, 1, err);
    }
    bl_sim_journal_result_finish(&found);
    return status;
}

static int replay_otherwise(const struct bl_sim_options *options, struct bl_error *err)
{
    size_t count = options->policies.count + 1;
    BL_AUTO_FREE struct bl_sim_row *rows = bl_alloc_zero(count * sizeof *rows);
    BL_AUTO_BUF as_it_was = {0};
    struct bl_sim_past *past = NULL;
    struct outputs outputs = {0};
    struct bl_sim_setup opened = {0};
    int status = open_outputs(options, &outputs, &opened, err);

    bl_buf_append_text(&as_it_was, "as it was: ");
    if (status == BL_OK) {
        status = bl_sim_past_read(options->trace_path, &past, &rows[0].result, &as_it_was, err);
    }
    rows[0].policy = bl_buf_text(&as_it_was);
    for (size_t i = 1; i < count && status == BL_OK; i++) {
        const struct bl_sim_policy *policy = &options->policies.at[i - 1];

        rows[i].policy = policy->text;
        status = bl_sim_replay_otherwise(past, &policy->choice, opened.story, &rows[i].result, err);
        tell_left(&rows[i]);
    }
    if (status == BL_OK && bl_sim_past_unended(past) > 0) {
        fprintf(stderr,
                "baleen-sim: %lld jobs of the journal have not ended: they run as foreseen\n",
                (long long)bl_sim_past_unended(past));
    }
    bl_sim_past_destroy(past);
    status = close_outputs(&outputs, status, err);
    return status == BL_OK ? print_rows(options, rows, count, err) : status;
}

static void print_words(struct bl_buf *out, const struct bl_option *option)
{
    for (size_t i = 0; option->words[i]; i++) {
        bl_buf_printf(out, "%s%s", i ? "|" : "", option->words[i]);
    }
}

static void print_option(struct bl_buf *out, const struct bl_option *option)
{
    bl_buf_printf(out, "    %s=", option->name);
    switch (option->kind) {
    case BL_OPTION_WORD:
        print_words(out, option);
        bl_buf_printf(out, " (default %s)", option->words[option->standard]);
        break;
    case BL_OPTION_INT:
        bl_buf_printf(out, "%lld...%lld (default %lld)", (long long)option->low,
                      (long long)option->high, (long long)option->standard);
        break;
    case BL_OPTION_SPAN:
        bl_buf_append_text(out, "TIME (default ");
        bl_span_print(out, option->standard);
        bl_buf_append_char(out, ')');
        break;
    case BL_OPTION_BOOL:
        bl_buf_printf(out, "yes|no (default %s)", option->standard ? "yes" : "no");
        break;
    }
    bl_buf_printf(out, ": %s\n", option->help);
}

static void print_policies(struct bl_buf *out)
{
    for (const struct bl_policy *const *at = bl_policies; *at; at++) {
        bl_buf_printf(out, "%s: %s\n", (*at)->name, (*at)->summary);
        for (size_t i = 0; i < (*at)->option_count; i++) {
            print_option(out, &(*at)->option[i]);
        }
    }
}

static void print_formats(struct bl_buf *out)
{
    for (const struct bl_trace_format *const *at = bl_trace_formats; *at; at++) {
        bl_buf_printf(out, "%s: %s\n", (*at)->name, (*at)->summary);
    }
    bl_buf_append_text(out, "journal: a daemon's state directory, repeated event by event\n");
}

static int print_task(const struct bl_sim_options *options, struct bl_error *err)
{
    struct bl_sim_output out = {0};

    bl_sim_output_open(&out, "-", NULL);
    if (options->task == BL_SIM_HELP) {
        bl_sim_options_print_help(&out.text);
    } else if (options->task == BL_SIM_VERSION) {
        bl_buf_append_text(&out.text, "baleen-sim " BALEEN_VERSION "\n");
    } else if (options->task == BL_SIM_LIST_POLICIES) {
        print_policies(&out.text);
    } else {
        print_formats(&out.text);
    }
    return bl_sim_output_close(&out, err);
}

static int run_task(const struct bl_sim_options *options, struct bl_error *err)
{
    if (options->task != BL_SIM_REPLAY) {
        return print_task(options, err);
    }
    if (options->input == BL_SIM_TRACE) {
        return replay_all(options, err);
    }
    return options->policies.count > 0 ? replay_otherwise(options, err)
                                       : replay_journal(options, err);
}

int main(int argc, char **argv)
{
    struct bl_sim_options options;
    struct bl_error err = {0};
    int code = EXIT_OK;

    if (bl_sim_options_parse(argc, argv, &options, &err) != BL_OK) {
        code = tell(&err, EXIT_USAGE);
    } else if (run_task(&options, &err) != BL_OK) {
        code = tell(&err, EXIT_FAILED);
    }
    bl_sim_options_finish(&options);
    return code;
}
