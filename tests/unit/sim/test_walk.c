#include "sim/walk.h"

#include "os/fs.h"
#include "recorder.h"

struct seen {
    int64_t last;
    int events, restored;
    int end_at; /* the walk ends with this event */
};

static int meet(void *self, int64_t seq, const struct bl_event *event)
{
    struct seen *seen = self;

    assert_true(event->kind < BL_EVENT_COUNT);
    assert_int_equal(seq, seen->last + 1);
    seen->last = seq;
    return ++seen->events == seen->end_at ? BL_EINVAL : BL_OK;
}

static int restore(void *self, const struct bl_event *event)
{
    struct seen *seen = self;

    assert_true(event->kind < BL_EVENT_COUNT);
    seen->restored++;
    return BL_OK;
}

static int walk(const char *dir, struct seen *seen, struct bl_error *err)
{
    struct bl_sim_walk how = {seen, restore, meet};
    struct bl_journal *journal = NULL;
    int status = bl_journal_open_reader(dir, &journal, err);

    if (status == BL_OK) {
        assert_int_equal(bl_sim_walk_begin(journal), 0);
        status = bl_sim_walk(journal, &how, err);
        bl_journal_close(journal);
    }
    return status;
}

static void every_record_is_met_in_order_until_somebody_has_enough(void **state)
{
    struct bl_job_spec spec = {.user = "ann", .gpus_min = 1, .gpus_want = 1, .gpus_max = 1};
    struct recorder recorder;
    struct bl_error err = {0};
    struct seen all = {0};
    struct seen some = {.end_at = 3};

    (void)state;
    recorder_begin(&recorder, "fifo", 4);
    recorder_submit(&recorder, 1, 2 * BL_DAY, &spec, BL_HOUR);
    recorder_pass(&recorder, 3 * BL_DAY);
    recorder_close(&recorder);
    assert_int_equal(walk(recorder.dir, &all, &err), BL_OK);
    assert_int_equal(all.events, 7); /* policy, node, job, round, start, end, round */
    assert_int_equal(all.restored, 0);
    assert_int_equal(walk(recorder.dir, &some, &err), BL_EINVAL);
    assert_int_equal(some.events, 3);
    bl_fs_remove_tree(recorder.dir, NULL);
}

static void a_record_that_is_none_is_named(void **state)
{
    struct recorder recorder;
    struct bl_error err = {0};
    struct seen seen = {0};

    (void)state;
    recorder_begin(&recorder, "fifo", 4);
    bl_journal_append(recorder.journal, "{\"event\":\"dance\"}", 17);
    recorder_close(&recorder);
    assert_int_equal(walk(recorder.dir, &seen, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "journal record 3"));
    bl_fs_remove_tree(recorder.dir, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record_is_met_in_order_until_somebody_has_enough),
        cmocka_unit_test(a_record_that_is_none_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
