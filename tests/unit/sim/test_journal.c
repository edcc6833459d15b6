#include "bl_test.h"
#include "core/core.h"
#include "form/policyspec.h"
#include "form/record.h"
#include "os/fs.h"
#include "sim/journal.h"
#include "store/journal.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS = 9 };

/* Four GPUs; job 1 takes three, job 2 waits for two until job 1 has ended. */
static void make_events(struct bl_event *events)
{
    static const struct {
        enum bl_event_kind kind;
        bl_time at;
        bl_job_id job;
    } rows[EVENTS] = {
        {BL_EVENT_POLICY_SET, 0, 0}, {BL_EVENT_NODE_ADDED, 0, 0},   {BL_EVENT_JOB_SUBMITTED, 10, 1},
        {BL_EVENT_ROUND, 10, 0},     {BL_EVENT_JOB_STARTED, 11, 1}, {BL_EVENT_JOB_SUBMITTED, 20, 2},
        {BL_EVENT_ROUND, 20, 0},     {BL_EVENT_JOB_ENDED, 30, 1},   {BL_EVENT_ROUND, 30, 0},
    };

    for (size_t i = 0; i < EVENTS; i++) {
        events[i] = (struct bl_event){
            .kind = rows[i].kind, .at = rows[i].at * BL_SECOND, .job = rows[i].job, .attempt = 1};
        if (rows[i].kind == BL_EVENT_JOB_SUBMITTED) {
            int32_t gpus = rows[i].job == 1 ? 3 : 2;

            events[i].u.submitted = (struct bl_job_spec){.user = "ada",
                                                         .job_class = BL_CLASS_BATCH,
                                                         .gpus_min = gpus,
                                                         .gpus_want = gpus,
                                                         .gpus_max = gpus};
        }
    }
    assert_int_equal(bl_policyspec_parse("easy", &events[0].u.policy, NULL), BL_OK);
    events[1].u.node = (struct bl_node_spec){
        .name = "n1", .gpu_type = "A100", .gpus = 4, .cpu_milli = 64000, .mem_bytes = 1 << 30};
}

/* Writes what a daemon would: the records, and with them the actions that their rounds led to. */
struct writer {
    struct bl_journal *journal;
    struct bl_core *core;
    struct bl_actions actions;
    bool notes_last; /* else it died before it could */
};

static void write_event(struct writer *writer, const struct bl_event *event, bool is_last)
{
    BL_AUTO_BUF record = {0};
    BL_AUTO_BUF actions = {0};
    int64_t seq;

    bl_record_write(&record, event, NULL);
    seq = bl_journal_append(writer->journal, bl_buf_text(&record), record.length);
    bl_core_step(writer->core, event, &writer->actions);
    if (event->kind != BL_EVENT_ROUND || (is_last && !writer->notes_last)) {
        return;
    }
    for (size_t i = 0; i < writer->actions.list.count; i++) {
        bl_record_write_action(&actions, event->at, &writer->actions.list.at[i],
                               bl_core_cluster(writer->core));
    }
    if (actions.length > 0) {
        bl_journal_append_actions(writer->journal, seq, bl_buf_text(&actions), actions.length);
    }
}

/* As if the journal held `written` where the daemon had seen `seen`. */
static void write_journal(const char *dir, const struct bl_event *seen,
                          const struct bl_event *written, bool notes_last)
{
    struct writer writer = {.core = bl_core_create(BL_KEEP_ENDED), .notes_last = notes_last};
    struct bl_error err = {0};

    if (bl_journal_open(dir, &writer.journal, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    for (size_t i = 0; i < EVENTS; i++) {
        /* NOLINTNEXTLINE(*-memory-comparison,cert-*): one is a copy of the other, byte for byte */
        if (memcmp(&seen[i], &written[i], sizeof seen[i]) == 0) {
            write_event(&writer, &seen[i], i + 1 == EVENTS);
        } else {
            BL_AUTO_BUF record = {0};

            bl_record_write(&record, &written[i], NULL);
            bl_journal_append(writer.journal, bl_buf_text(&record), record.length);
            bl_core_step(writer.core, &seen[i], &writer.actions);
        }
    }
    bl_journal_close(writer.journal);
    bl_actions_finish(&writer.actions);
    bl_core_destroy(writer.core);
}

struct repeated {
    struct bl_sim_journal_result result;
    struct bl_sim_output log;
};

static struct repeated repeat(const struct bl_event *seen, const struct bl_event *written,
                              bool notes_last, bool stop)
{
    char dir[] = "/tmp/baleen-replay-XXXXXX";
    struct repeated repeated = {0};
    struct bl_sim_journal setup = {
        .state_dir = dir, .log = &repeated.log, .stop_at_difference = stop};
    struct bl_error err = {0};

    assert_non_null(mkdtemp(dir));
    write_journal(dir, seen, written, notes_last);
    if (bl_sim_replay_journal(&setup, &repeated.result, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    bl_fs_remove_tree(dir, NULL);
    return repeated;
}

static void repeated_free(struct repeated *repeated)
{
    bl_sim_journal_result_finish(&repeated->result);
    bl_buf_finish(&repeated->log.text);
}

static void D4_a_journal_repeated_gives_the_actions_that_were_noted(void **state)
{
    struct bl_event events[EVENTS];
    struct repeated repeated;
    const char *log;

    (void)state;
    memset(events, 0, sizeof events);
    make_events(events);
    repeated = repeat(events, events, true, false);
    log = bl_buf_text(&repeated.log.text);
    assert_int_equal(repeated.result.compared, 2);
    assert_int_equal(repeated.result.different, 0);
    assert_int_equal(repeated.result.unnoted, 0);
    assert_int_equal(repeated.result.result.figures.jobs, 2);
    assert_int_equal(repeated.result.result.figures.done, 1);
    assert_string_equal(bl_buf_text(&repeated.result.policy),
                        "easy:durations=limit,order=fcfs,predictor=mixture");
    assert_non_null(strstr(log, "\"job\":1"));
    assert_non_null(strstr(log, "\"job\":2"));
    repeated_free(&repeated);
}

static void rounds_whose_actions_were_not_noted_at_the_end_are_no_difference(void **state)
{
    struct bl_event events[EVENTS];
    struct repeated repeated;

    (void)state;
    memset(events, 0, sizeof events);
    make_events(events);
    repeated = repeat(events, events, false, false);
    assert_int_equal(repeated.result.compared, 1);
    assert_int_equal(repeated.result.unnoted, 1);
    assert_int_equal(repeated.result.different, 0);
    repeated_free(&repeated);
}

/* Each of these makes another schedule. */
static void an_event_that_was_changed_is_found_and_its_round_named(void **state)
{
    static const struct {
        size_t event;
        int64_t different, first;
    } rows[] = {{2, 3, 4}, {5, 2, 7}, {7, 1, 9}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_event seen[EVENTS];
        struct bl_event written[EVENTS];
        struct repeated repeated;

        memset(seen, 0, sizeof seen);
        make_events(seen);
        memcpy(written, seen, sizeof seen);
        if (written[rows[i].event].kind == BL_EVENT_JOB_ENDED) {
            written[rows[i].event].job = 2;
        } else {
            struct bl_job_spec *spec = &written[rows[i].event].u.submitted;

            spec->gpus_min = spec->gpus_want = spec->gpus_max = 1;
        }
        repeated = repeat(seen, written, true, false);
        assert_int_equal(repeated.result.different, rows[i].different);
        assert_int_equal(repeated.result.first_different, rows[i].first);
        repeated_free(&repeated);
        repeated = repeat(seen, written, true, true);
        assert_int_equal(repeated.result.different, 1);
        repeated_free(&repeated);
    }
}

static void a_directory_without_a_journal_is_an_error(void **state)
{
    struct bl_sim_journal setup = {.state_dir = "/dev/null"};
    struct bl_sim_journal_result result;
    struct bl_error err = {0};

    (void)state;
    assert_int_not_equal(bl_sim_replay_journal(&setup, &result, &err), BL_OK);
    assert_non_null(strstr(err.text, "/dev/null"));
    bl_sim_journal_result_finish(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D4_a_journal_repeated_gives_the_actions_that_were_noted),
        cmocka_unit_test(rounds_whose_actions_were_not_noted_at_the_end_are_no_difference),
        cmocka_unit_test(an_event_that_was_changed_is_found_and_its_round_named),
        cmocka_unit_test(a_directory_without_a_journal_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
