#include "sim/otherwise.h"

#include "os/fs.h"
#include "recorder.h"

static struct bl_job_spec gpus4(const char *user, bl_time limit)
{
    return (struct bl_job_spec){
        .user = user, .gpus_min = 4, .gpus_want = 4, .gpus_max = 4, .limit = limit};
}

static bl_time at(bl_time offset)
{
    return BL_DAY + offset;
}

static struct bl_figures replay(const struct recorder *recorder, const char *policy,
                                struct bl_figures *as_it_was)
{
    struct bl_sim_past *past = NULL;
    struct bl_sim_result was;
    struct bl_sim_result result;
    struct bl_policy_choice choice;
    struct bl_error err = {0};
    BL_AUTO_BUF name = {0};

    if (bl_sim_past_read(recorder->dir, &past, &was, &name, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(bl_policyspec_parse(policy, &choice, NULL), BL_OK);
    assert_int_equal(bl_sim_replay_otherwise(past, &choice, NULL, &result, &err), BL_OK);
    bl_sim_past_destroy(past);
    *as_it_was = was.figures;
    return result.figures;
}

/* Three that take the whole machine: a long one is passed by a short one. */
static struct recorder three_in_a_row(void)
{
    struct recorder recorder;
    struct bl_job_spec hours = gpus4("ann", 10 * BL_HOUR);
    struct bl_job_spec hour = gpus4("bob", BL_HOUR);

    recorder_begin(&recorder, "fifo", 4);
    recorder_submit(&recorder, 1, at(0), &hours, BL_HOUR);
    recorder_submit(&recorder, 2, at(BL_MINUTE), &hours, 9 * BL_HOUR);
    recorder_submit(&recorder, 3, at(2 * BL_MINUTE), &hour, 10 * BL_MINUTE);
    recorder_pass(&recorder, at(20 * BL_HOUR));
    return recorder;
}

static void finish(struct recorder *recorder)
{
    bl_fs_remove_tree(recorder->dir, NULL);
}

static void A20_the_same_policy_makes_the_same_of_a_journal_and_another_another(void **state)
{
    struct recorder recorder = three_in_a_row();
    struct bl_figures was;
    struct bl_figures found;

    (void)state;
    recorder_close(&recorder);
    found = replay(&recorder, "fifo", &was);
    assert_int_equal(was.done, 3);
    assert_int_equal((int)was.max_wait_s, 10 * 3600 - 120);
    assert_int_equal(found.done, 3);
    assert_int_equal((int)found.max_wait_s, (int)was.max_wait_s);
    assert_int_equal((int)found.makespan_s, (int)was.makespan_s);
    found = replay(&recorder, "sjf", &was);
    assert_int_equal((int)found.max_wait_s, 70 * 60 - 60);
    assert_int_equal((int)found.makespan_s, (int)was.makespan_s);
    finish(&recorder);
}

/* The short one's limit says nothing, and its user's history all. */
static void A20_durations_are_predicted_from_what_ended_before(void **state)
{
    struct bl_job_spec ann = gpus4("ann", 10 * BL_HOUR);
    struct bl_job_spec bob = gpus4("bob", 10 * BL_HOUR);
    struct recorder recorder;
    struct bl_figures was;
    struct bl_figures found;

    (void)state;
    recorder_begin(&recorder, "fifo", 4);
    for (bl_job_id id = 1; id <= 20; id++) {
        bl_time from = at((bl_time)id * 10 * BL_HOUR);

        recorder_submit(&recorder, id, from, id % 2 ? &ann : &bob,
                        id % 2 ? 9 * BL_HOUR : 10 * BL_MINUTE);
    }
    recorder_submit(&recorder, 21, at(300 * BL_HOUR), &ann, BL_HOUR);
    recorder_submit(&recorder, 22, at(301 * BL_HOUR - BL_MINUTE), &ann, 9 * BL_HOUR);
    recorder_submit(&recorder, 23, at(301 * BL_HOUR - BL_SECOND), &bob, 10 * BL_MINUTE);
    recorder_pass(&recorder, at(400 * BL_HOUR));
    recorder_close(&recorder);
    found = replay(&recorder, "sjf:durations=predict", &was);
    assert_int_equal((int)was.max_wait_s, 9 * 3600 + 1);
    assert_int_equal((int)found.max_wait_s, 60 + 600);
    finish(&recorder);
}

static void jobs_end_as_they_did_and_cancelled_ones_do_not_come_back(void **state)
{
    struct bl_job_spec spec = gpus4("ann", 10 * BL_HOUR);
    struct recorder recorder;
    struct bl_figures was;
    struct bl_figures found;

    (void)state;
    recorder_begin(&recorder, "fifo", 4);
    spec.retries_max = 3;
    recorder.code[1] = 7;
    recorder_submit(&recorder, 1, at(0), &spec, BL_HOUR);
    spec.retries_max = 0;
    recorder_submit(&recorder, 2, at(10 * BL_MINUTE), &spec, 5 * BL_HOUR);
    recorder_submit(&recorder, 3, at(20 * BL_MINUTE), &spec, BL_HOUR);
    recorder_submit(&recorder, 4, at(30 * BL_MINUTE), &spec, BL_HOUR);
    recorder_event(
        &recorder,
        &(struct bl_event){.kind = BL_EVENT_JOB_CANCELLED, .at = at(40 * BL_MINUTE), .job = 3});
    recorder_event(&recorder, &(struct bl_event){
                                  .kind = BL_EVENT_JOB_CANCELLED, .at = at(2 * BL_HOUR), .job = 2});
    recorder_pass(&recorder, at(100 * BL_HOUR));
    recorder_close(&recorder);
    found = replay(&recorder, "fifo", &was); /* the first one is held after its failure */
    assert_int_equal(was.cancelled, 2);
    assert_int_equal(found.cancelled, 2);
    assert_int_equal(found.done, was.done);
    assert_int_equal(found.failed, was.failed);
    assert_int_equal((int)found.makespan_s, (int)was.makespan_s);
    finish(&recorder);
}

static void what_has_not_ended_runs_as_is_foreseen(void **state)
{
    struct bl_job_spec spec = gpus4("ann", 10 * BL_HOUR);
    struct recorder recorder;
    struct bl_figures was;
    struct bl_figures found;

    (void)state;
    recorder_begin(&recorder, "fifo", 4);
    for (bl_job_id id = 1; id <= 10; id++) {
        recorder_submit(&recorder, id, at((bl_time)id * 2 * BL_HOUR), &spec, BL_HOUR);
    }
    recorder_submit(&recorder, 11, at(30 * BL_HOUR), &spec, BL_HOUR);
    recorder_close(&recorder);
    found = replay(&recorder, "easy", &was);
    assert_int_equal(was.done, 10);
    assert_int_equal(found.done, 11);
    assert_in_range((int)found.makespan_s, 28 * 3600 + 3500, 28 * 3600 + 3700);
    finish(&recorder);
}

static void a_node_that_went_down_takes_its_jobs_along(void **state)
{
    struct bl_job_spec spec = gpus4("ann", 10 * BL_HOUR);
    struct bl_event down = {.kind = BL_EVENT_NODE_STATE, .at = at(BL_HOUR)};
    struct recorder recorder;
    struct bl_figures was;
    struct bl_figures found;

    (void)state;
    recorder_begin(&recorder, "fifo", 4);
    spec.may_restart = true;
    recorder_submit(&recorder, 1, at(0), &spec, 2 * BL_HOUR);
    down.u.node_state.name = "n1";
    down.u.node_state.state = BL_NODE_DOWN;
    recorder_write(&recorder, &down);
    recorder_write(&recorder, &(struct bl_event){.kind = BL_EVENT_JOB_ENDED,
                                                 .at = at(BL_HOUR),
                                                 .job = 1,
                                                 .attempt = 1,
                                                 .u.ended = {BL_END_LOST, 0}});
    recorder_decide(&recorder, at(BL_HOUR));
    down.at = at(3 * BL_HOUR);
    down.u.node_state.state = BL_NODE_UP;
    recorder_event(&recorder, &down);
    recorder_pass(&recorder, at(100 * BL_HOUR));
    recorder_close(&recorder);
    found = replay(&recorder, "easy", &was);
    assert_int_equal(was.done, 1);
    assert_int_equal(found.done, 1);
    assert_int_equal((int)found.makespan_s, (int)was.makespan_s);
    finish(&recorder);
}

/* Twice the GPUs, as was seen, are 1.6 times as fast. */
static void A20_learnt_speeds_say_how_long_a_job_takes_on_other_gpus(void **state)
{
    struct bl_job_spec spec = {.user = "ann",
                               .name = "net",
                               .gpus_min = 2,
                               .gpus_want = 2,
                               .gpus_max = 4,
                               .limit = 100 * BL_HOUR};
    struct recorder recorder;
    struct bl_figures was;
    struct bl_figures found;

    (void)state;
    recorder_begin(&recorder, "fifo", 4);
    for (int32_t gpus = 2; gpus <= 4; gpus += 2) {
        struct bl_event event = {.kind = BL_EVENT_CURVE_LEARNED, .at = at(0)};

        event.u.curve.gpu_type = "A100";
        event.u.curve.lesson = (struct bl_lesson){
            .kind = BL_LESSON_POINT,
            .application = "ann/net",
            .count = 40,
            .point = {.gpus = gpus, .nodes = 1, .iter_s = gpus == 2 ? .1 : .0625}};
        recorder_write(&recorder, &event);
    }
    recorder_submit(&recorder, 1, at(0), &spec, 8 * BL_HOUR);
    recorder_pass(&recorder, at(100 * BL_HOUR));
    recorder_close(&recorder);
    found = replay(&recorder, "equal", &was);
    assert_int_equal((int)was.makespan_s, 8 * 3600);
    assert_in_range((int)found.makespan_s, 4.9 * 3600, 5.3 * 3600);
    finish(&recorder);
}

static void a_directory_without_a_journal_is_an_error(void **state)
{
    struct bl_sim_past *past = NULL;
    struct bl_sim_result was;
    struct bl_error err = {0};
    BL_AUTO_BUF name = {0};

    (void)state;
    assert_int_not_equal(bl_sim_past_read("/dev/null", &past, &was, &name, &err), BL_OK);
    assert_non_null(strstr(err.text, "/dev/null"));
    assert_null(past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A20_the_same_policy_makes_the_same_of_a_journal_and_another_another),
        cmocka_unit_test(A20_durations_are_predicted_from_what_ended_before),
        cmocka_unit_test(jobs_end_as_they_did_and_cancelled_ones_do_not_come_back),
        cmocka_unit_test(what_has_not_ended_runs_as_is_foreseen),
        cmocka_unit_test(a_node_that_went_down_takes_its_jobs_along),
        cmocka_unit_test(A20_learnt_speeds_say_how_long_a_job_takes_on_other_gpus),
        cmocka_unit_test(a_directory_without_a_journal_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
