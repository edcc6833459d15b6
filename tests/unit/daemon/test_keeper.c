#include "bl_test.h"
#include "base/sort.h"
#include "daemon/keeper.h"
#include "form/record.h"

#include <stdlib.h>

static int64_t feed(struct bl_ledger *ledger, struct bl_event event, const struct bl_launch *launch)
{
    BL_AUTO_BUF record = {0};
    int64_t seq = ledger->seq + 1;

    bl_record_write(&record, &event, launch);
    assert_int_equal(bl_ledger_apply(ledger, seq, bl_buf_text(&record), record.length, NULL),
                     BL_OK);
    return seq;
}

static void round_at(struct bl_ledger *ledger, bl_time at)
{
    feed(ledger, (struct bl_event){.kind = BL_EVENT_ROUND, .at = at}, NULL);
}

static struct bl_event about(enum bl_event_kind kind, bl_job_id job, bl_time at)
{
    return (struct bl_event){.kind = kind, .job = job, .attempt = 1, .at = at};
}

static struct bl_event submission(bl_job_id job, int32_t gpus, bl_time at)
{
    struct bl_event event = about(BL_EVENT_JOB_SUBMITTED, job, at);

    event.attempt = 0;
    event.u.submitted = (struct bl_job_spec){.name = "train",
                                             .user = "ann",
                                             .gpus_min = gpus,
                                             .gpus_want = gpus,
                                             .gpus_max = gpus,
                                             .limit = BL_HOUR};
    return event;
}

static char program[] = "python";
static char script[] = "train.py";
static char folder[] = "/tmp";
static char *words[] = {program, script};

/* Job 1 has ended, 2 runs as process 77, 3 waits. */
static struct bl_ledger *new_ledger(void)
{
    struct bl_ledger *ledger = bl_ledger_create();
    struct bl_launch launch = {.uid = 1000, .argv = words, .argc = 2, .workdir = folder};
    struct bl_event node = {.kind = BL_EVENT_NODE_ADDED, .at = 1};
    struct bl_event policy = {.kind = BL_EVENT_POLICY_SET, .at = 1};
    struct bl_event started = about(BL_EVENT_JOB_STARTED, 2, 20 * BL_SECOND);

    policy.u.policy.policy = bl_policy_find("fifo");
    node.u.node = (struct bl_node_spec){
        .name = "n1", .gpus = 4, .cpu_milli = 8000, .mem_bytes = INT64_C(1) << 34};
    started.u.started.pid = 77;
    feed(ledger, policy, NULL);
    feed(ledger, node, NULL);
    feed(ledger, submission(1, 1, BL_SECOND), &launch);
    round_at(ledger, BL_SECOND);
    feed(ledger, about(BL_EVENT_JOB_STARTED, 1, 2 * BL_SECOND), NULL);
    feed(ledger, about(BL_EVENT_JOB_ENDED, 1, 10 * BL_SECOND), NULL);
    feed(ledger, submission(2, 3, 11 * BL_SECOND), &launch);
    feed(ledger, submission(3, 4, 12 * BL_SECOND), &launch);
    round_at(ledger, 12 * BL_SECOND);
    feed(ledger, started, NULL);
    round_at(ledger, 20 * BL_SECOND);
    return ledger;
}

static struct bl_keeper new_keeper(void)
{
    return (struct bl_keeper){.rules = {.records = 10,
                                        .time = BL_HOUR,
                                        .history = BL_DAY,
                                        .ended = BL_MINUTE,
                                        .ended_max = 100}};
}

static int compare_rows(const void *a, const void *b)
{
    int64_t first = ((const struct bl_snapshot_row *)a)->place;
    int64_t second = ((const struct bl_snapshot_row *)b)->place;

    return (first > second) - (first < second);
}

static struct bl_ledger *restored(struct bl_snapshot *snapshot)
{
    struct bl_ledger *ledger = bl_ledger_create();

    bl_sort(snapshot->rows.at, snapshot->rows.count, sizeof *snapshot->rows.at, compare_rows);
    for (size_t i = 0; i < snapshot->rows.count; i++) {
        const struct bl_snapshot_row *row = &snapshot->rows.at[i];
        struct bl_error err = {0};

        if (bl_ledger_restore(ledger, snapshot->seq, row->bytes, row->length, &err) != BL_OK) {
            fail_msg("%s", err.text);
        }
    }
    return ledger;
}

static void a_ledger_comes_back_from_its_snapshot_with_all_that_a_daemon_knows(void **state)
{
    struct bl_ledger *ledger = new_ledger();
    struct bl_keeper keeper = new_keeper();
    struct bl_snapshot *snapshot;
    struct bl_ledger *copy;

    (void)state;
    assert_true(bl_keeper_is_due(&keeper, ledger));
    snapshot = bl_keeper_make(&keeper, ledger, SIZE_MAX);
    copy = restored(snapshot);
    assert_int_equal(copy->seq, ledger->seq);
    assert_int_equal(copy->last_id, 3);
    assert_int_equal(copy->active.count, 1);
    assert_int_equal(copy->active.at[0], 2);
    assert_int_equal(bl_ledger_get(copy, 2)->pid, 77);
    assert_int_equal(bl_ledger_get(copy, 2)->launch.argc, 2);
    assert_string_equal(bl_ledger_get(copy, 3)->launch.argv[1], "train.py");
    assert_int_equal(bl_core_find_job(copy->core, 1)->state, BL_JOB_COMPLETED);
    assert_int_equal(bl_alloc_gpus(&bl_ledger_get(copy, 1)->alloc), 1);
    assert_int_equal(bl_core_find_job(copy->core, 2)->state, BL_JOB_RUNNING);
    assert_int_equal(bl_core_find_job(copy->core, 2)->running_at, 20 * BL_SECOND);
    assert_int_equal(bl_core_find_job(copy->core, 3)->state, BL_JOB_QUEUED);
    bl_snapshot_destroy(snapshot);
    bl_ledger_destroy(copy);
    bl_ledger_destroy(ledger);
}

static size_t rows_of(const struct bl_snapshot *snapshot, bl_job_id job)
{
    size_t count = 0;

    for (size_t i = 0; i < snapshot->rows.count; i++) {
        count += snapshot->rows.at[i].place / 2 == job;
    }
    return count;
}

static void an_ended_job_is_written_once_unless_that_failed(void **state)
{
    static const struct {
        int status;
        size_t rows;
    } rows[] = {{BL_OK, 0}, {BL_ESYSTEM, 1}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bl_ledger *ledger = new_ledger();
        struct bl_keeper keeper = new_keeper();
        struct bl_snapshot *snapshot = bl_keeper_make(&keeper, ledger, SIZE_MAX);

        assert_int_equal(rows_of(snapshot, 1), 1);
        bl_snapshot_destroy(snapshot);
        bl_keeper_done(&keeper, ledger, rows[i].status);
        snapshot = bl_keeper_make(&keeper, ledger, SIZE_MAX);
        assert_int_equal(rows_of(snapshot, 1), rows[i].rows);
        assert_int_equal(rows_of(snapshot, 2), 2);
        bl_snapshot_destroy(snapshot);
        bl_ledger_destroy(ledger);
    }
}

static void in_parts_a_snapshot_has_the_same_rows(void **state)
{
    (void)state;
    for (size_t jobs = 1; jobs <= 4; jobs++) {
        struct bl_ledger *ledger = new_ledger();
        struct bl_ledger *twin = new_ledger();
        struct bl_keeper keeper = new_keeper();
        struct bl_keeper other = new_keeper();
        struct bl_snapshot *whole = bl_keeper_make(&other, twin, SIZE_MAX);
        struct bl_snapshot *snapshot = NULL;
        size_t parts = 0;

        while (!snapshot) {
            snapshot = bl_keeper_make(&keeper, ledger, jobs);
            assert_true(keeper.is_busy);
            parts++;
        }
        assert_int_equal(parts, 3 / jobs + 1);
        assert_int_equal(snapshot->rows.count, whole->rows.count);
        for (size_t i = 0; i < whole->rows.count; i++) {
            assert_int_equal(snapshot->rows.at[i].place, whole->rows.at[i].place);
            assert_string_equal(snapshot->rows.at[i].bytes, whole->rows.at[i].bytes);
        }
        bl_snapshot_destroy(whole);
        bl_snapshot_destroy(snapshot);
        bl_ledger_destroy(ledger);
        bl_ledger_destroy(twin);
    }
}

static void one_that_is_not_whole_can_be_given_up(void **state)
{
    struct bl_ledger *ledger = new_ledger();
    struct bl_keeper keeper = new_keeper();

    (void)state;
    assert_null(bl_keeper_make(&keeper, ledger, 1));
    bl_keeper_finish(&keeper);
    bl_keeper_finish(&keeper);
    bl_ledger_destroy(ledger);
}

static void a_snapshot_is_due_after_enough_records_or_time_and_not_while_one_is_made(void **state)
{
    struct bl_ledger *ledger = new_ledger();
    struct bl_keeper keeper = new_keeper();

    (void)state;
    keeper.at = 20 * BL_SECOND;
    keeper.rules.records = ledger->seq + 1;
    assert_false(bl_keeper_is_due(&keeper, ledger));
    keeper.rules.records = ledger->seq;
    assert_true(bl_keeper_is_due(&keeper, ledger));
    keeper.is_busy = true;
    assert_false(bl_keeper_is_due(&keeper, ledger));
    keeper = new_keeper();
    keeper.rules.records = 1000;
    keeper.at = 20 * BL_SECOND - BL_HOUR;
    assert_true(bl_keeper_is_due(&keeper, ledger));
    keeper.seq = ledger->seq;
    assert_false(bl_keeper_is_due(&keeper, ledger));
    keeper.seq = 0;
    feed(ledger, about(BL_EVENT_JOB_ENDED, 2, 21 * BL_SECOND), NULL);
    assert_false(bl_keeper_is_due(&keeper, ledger)); /* a round is due first */
    bl_ledger_destroy(ledger);
}

static void ended_jobs_leave_by_age_and_by_number(void **state)
{
    static const struct {
        bl_time now, ended;
        int64_t most;
        bl_time before;
    } rows[] = {
        {60 * BL_SECOND, BL_MINUTE, 100, 0},
        {70 * BL_SECOND, BL_MINUTE, 100, 0},
        {71 * BL_SECOND, BL_MINUTE, 100, 11 * BL_SECOND},
        {60 * BL_SECOND, BL_MINUTE, 1, 0},
        {60 * BL_SECOND, BL_MINUTE, 0, 10 * BL_SECOND + 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_ledger *ledger = new_ledger();
        struct bl_keeper keeper = new_keeper();

        round_at(ledger, rows[i].now);
        keeper.rules.ended = rows[i].ended;
        keeper.rules.ended_max = rows[i].most;
        assert_int_equal(bl_keeper_forget_before(&keeper, ledger), rows[i].before);
        bl_ledger_destroy(ledger);
    }
}

static void a_job_that_leaves_memory_leaves_the_next_snapshot(void **state)
{
    struct bl_ledger *ledger = new_ledger();
    struct bl_keeper keeper = new_keeper();
    struct bl_event forget = {.kind = BL_EVENT_JOBS_FORGOTTEN, .at = BL_MINUTE};
    struct bl_snapshot *snapshot = bl_keeper_make(&keeper, ledger, SIZE_MAX);

    (void)state;
    bl_snapshot_destroy(snapshot);
    bl_keeper_done(&keeper, ledger, BL_OK);
    forget.u.forgotten.before = BL_MINUTE;
    feed(ledger, forget, NULL);
    assert_null(bl_map_find(&ledger->jobs, 1));
    snapshot = bl_keeper_make(&keeper, ledger, SIZE_MAX);
    assert_int_equal(snapshot->gone.count, 2);
    assert_int_equal(snapshot->gone.at[0], 2);
    assert_int_equal(snapshot->last_job, 3);
    bl_snapshot_destroy(snapshot);
    bl_keeper_done(&keeper, ledger, BL_OK);
    assert_int_equal(ledger->gone.count, 0);
    bl_ledger_destroy(ledger);
}

static void configuration_and_environment_set_the_rules_and_a_wrong_value_is_named(void **state)
{
    static const struct {
        const char *name, *value;
    } wrong[] = {{"BALEEN_SNAPSHOT_RECORDS", "0"},
                 {"BALEEN_SNAPSHOT_TIME", "soon"},
                 {"BALEEN_HISTORY", "-1d"}};
    const struct bl_config_retention retention = {.keep = 2 * BL_HOUR, .jobs = 7};
    struct bl_keeper_rules rules = {0};

    (void)state;
    assert_int_equal(bl_keeper_read_rules(&retention, &rules, NULL), BL_OK);
    assert_int_equal(rules.records, 20000);
    assert_int_equal(rules.history, 90 * BL_DAY);
    assert_int_equal(rules.ended, 2 * BL_HOUR);
    assert_int_equal(rules.ended_max, 7);
    setenv("BALEEN_HISTORY", "2d", 1);
    assert_int_equal(bl_keeper_read_rules(&retention, &rules, NULL), BL_OK);
    assert_int_equal(rules.history, 2 * BL_DAY);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct bl_error err = {0};

        setenv(wrong[i].name, wrong[i].value, 1);
        assert_int_equal(bl_keeper_read_rules(&retention, &rules, &err), BL_EINVAL);
        assert_ptr_equal(strstr(err.text, wrong[i].name), err.text);
        unsetenv(wrong[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ledger_comes_back_from_its_snapshot_with_all_that_a_daemon_knows),
        cmocka_unit_test(an_ended_job_is_written_once_unless_that_failed),
        cmocka_unit_test(in_parts_a_snapshot_has_the_same_rows),
        cmocka_unit_test(one_that_is_not_whole_can_be_given_up),
        cmocka_unit_test(a_snapshot_is_due_after_enough_records_or_time_and_not_while_one_is_made),
        cmocka_unit_test(ended_jobs_leave_by_age_and_by_number),
        cmocka_unit_test(a_job_that_leaves_memory_leaves_the_next_snapshot),
        cmocka_unit_test(configuration_and_environment_set_the_rules_and_a_wrong_value_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
