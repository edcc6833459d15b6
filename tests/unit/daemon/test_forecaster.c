#include "bl_test.h"
#include "daemon/forecaster.h"
#include "os/loop.h"
#include "records.h"

#include <string.h>

struct live {
    struct bl_loop *loop;
    struct bl_forecaster *forecaster;
    struct records records;
    size_t sent;
};

static void send(struct live *live)
{
    for (; live->sent < live->records.list.count; live->sent++) {
        bl_forecaster_take(live->forecaster, (int64_t)live->sent + 1,
                           live->records.list.at[live->sent].bytes,
                           live->records.list.at[live->sent].length);
    }
}

static void set_up(struct live *live, int jobs)
{
    *live = (struct live){.loop = bl_loop_create()};
    assert_int_equal(bl_forecaster_create(live->loop, &(struct bl_forecaster_rules){false},
                                          &live->forecaster, NULL),
                     BL_OK);
    records_queue(&live->records, "easy", jobs);
    send(live);
}

static void tear_down(struct live *live)
{
    bl_forecaster_destroy(live->forecaster);
    bl_loop_destroy(live->loop);
    records_free(&live->records);
}

static const struct bl_foretold_row *told_of(const struct live *live, bl_job_id job)
{
    return bl_foretold_find(&bl_forecaster_told(live->forecaster)->table, job);
}

/* The runner's time limit ends it else. */
static const struct bl_foretelling *wait_for(struct live *live, int64_t seq, int32_t runs)
{
    const struct bl_foretelling *told = bl_forecaster_told(live->forecaster);

    while (!told || told->seq < seq || told->runs < runs) {
        bl_loop_step(live->loop, BL_SECOND);
        told = bl_forecaster_told(live->forecaster);
    }
    return told;
}

static void C2_every_job_is_told_of_and_ranges_get_better_while_nothing_happens(void **state)
{
    struct live live;
    const struct bl_foretelling *told;

    (void)state;
    set_up(&live, 5);
    told = wait_for(&live, 10, BL_SAMPLER_RUNS_MAX);
    assert_int_equal(told->table.count, 5);
    assert_int_equal(told->runs, BL_SAMPLER_RUNS_MAX);
    for (bl_job_id id = 2; id <= 5; id++) {
        const struct bl_foretold_row *row = told_of(&live, id);

        assert_int_equal(row->runs, BL_SAMPLER_RUNS_MAX);
        assert_true(row->start.p10 < row->start.p50 && row->start.p50 < row->start.p90);
    }
    assert_null(told_of(&live, 6));
    tear_down(&live);
}

static void a_change_is_followed_by_another_forecast(void **state)
{
    struct live live;

    (void)state;
    set_up(&live, 3);
    wait_for(&live, 8, 4);
    records_about(&live.records, BL_EVENT_JOB_ENDED, 1, BL_MINUTE);
    records_submit(&live.records, 4, 8, BL_HOUR, BL_MINUTE);
    records_round(&live.records, BL_MINUTE);
    send(&live);
    wait_for(&live, 11, BL_SAMPLER_RUNS_MAX);
    assert_null(told_of(&live, 1));
    assert_int_equal(told_of(&live, 2)->start.p90, BL_MINUTE);
    assert_int_equal(told_of(&live, 4)->runs, BL_SAMPLER_RUNS_MAX);
    tear_down(&live);
}

static void two_forecasters_that_saw_the_same_say_the_same(void **state)
{
    struct live live[2];
    const struct bl_foretelling *told[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        set_up(&live[i], 6);
        told[i] = wait_for(&live[i], 11, BL_SAMPLER_RUNS_MAX);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_memory_equal(&told[0]->table.row[i].start, &told[1]->table.row[i].start,
                            sizeof(struct bl_range));
        assert_memory_equal(&told[0]->table.row[i].end, &told[1]->table.row[i].end,
                            sizeof(struct bl_range));
    }
    tear_down(&live[0]);
    tear_down(&live[1]);
}

struct question {
    bool is_late, is_worked, is_done, is_answered;
    size_t jobs;
    size_t kept; /* looks that were there */
    bl_time at;
};

static void work(void *self, const struct bl_forecaster_scene *scene)
{
    struct question *question = self;
    struct bl_core *fork = bl_core_fork(scene->core);

    question->is_worked = true;
    question->jobs = bl_core_job_count(fork);
    question->kept = scene->before->count++;
    question->at = scene->at;
    bl_core_destroy(fork);
}

static bool is_wanted(void *self)
{
    return !((struct question *)self)->is_late;
}

static void done(void *self, bool is_answered)
{
    struct question *question = self;

    question->is_done = true;
    question->is_answered = is_answered;
}

static struct bl_forecaster_question about(struct question *question)
{
    return (struct bl_forecaster_question){
        .self = question, .is_wanted = is_wanted, .work = work, .done = done, .is_free = true};
}

/* `asked` is about a question of the test. */
static void ask_to_the_end(const struct live *live, const struct bl_forecaster_question *asked)
{
    const struct question *question = asked->self;

    assert_int_equal(bl_forecaster_ask(live->forecaster, asked, NULL), BL_OK);
    while (!question->is_done) {
        bl_loop_step(live->loop, BL_SECOND);
    }
}

static void a_question_that_nobody_waits_for_any_more_is_not_looked_into(void **state)
{
    struct live live;
    struct question question = {.is_late = true};
    struct bl_forecaster_question asked = about(&question);

    (void)state;
    set_up(&live, 7);
    wait_for(&live, 12, 1);
    ask_to_the_end(&live, &asked);
    assert_false(question.is_worked || question.is_answered);
    tear_down(&live);
}

/* Where there is no policy questions wait for a while. */
static void one_user_does_not_keep_others_from_asking(void **state)
{
    static const struct {
        int64_t user;
        bool is_free, is_taken;
    } rows[] = {{1, false, true}, {1, false, true}, {1, false, false}, {2, false, true},
                {1, true, true},  {1, true, true},  {2, false, true},  {2, false, false}};
    struct live live = {.loop = bl_loop_create()};
    struct question question = {0};
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_forecaster_create(live.loop, &(struct bl_forecaster_rules){false},
                                          &live.forecaster, NULL),
                     BL_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_forecaster_question asked = about(&question);

        asked.user = rows[i].user;
        asked.is_free = rows[i].is_free;
        assert_int_equal(bl_forecaster_ask(live.forecaster, &asked, &err) == BL_OK,
                         rows[i].is_taken);
        assert_true(rows[i].is_taken || strstr(err.text, "2 of your questions"));
    }
    tear_down(&live);
}

static void a_question_is_answered_on_the_loop(void **state)
{
    struct live live;
    struct question question = {0};
    struct bl_forecaster_question asked = about(&question);

    (void)state;
    set_up(&live, 7);
    wait_for(&live, 12, 1);
    ask_to_the_end(&live, &asked);
    assert_true(question.is_worked && question.is_answered);
    assert_int_equal(question.jobs, 7);
    tear_down(&live);
}

static struct question ask_at(struct live *live, bl_time at)
{
    struct question question = {0};
    struct bl_forecaster_question asked = about(&question);

    asked.at = at;
    ask_to_the_end(live, &asked);
    return question;
}

/* Until something happens, or the present is another. */
static void questions_that_follow_one_another_compare_with_the_same_looks(void **state)
{
    static const struct {
        bl_time at, told_at;
        size_t kept;
    } rows[] = {{100, 100, 0}, {100, 100, 1}, {105, 100, 2}, {99, 99, 0}, {110, 110, 0}};
    struct live live;

    (void)state;
    set_up(&live, 7);
    wait_for(&live, 12, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct question question = ask_at(&live, rows[i].at * BL_SECOND);

        assert_int_equal(question.at, rows[i].told_at * BL_SECOND);
        assert_int_equal(question.kept, rows[i].kept);
    }
    records_submit(&live.records, 8, 8, BL_HOUR, BL_MINUTE);
    records_round(&live.records, BL_MINUTE);
    send(&live);
    wait_for(&live, 14, 1);
    assert_int_equal(ask_at(&live, 110 * BL_SECOND).kept, 0);
    tear_down(&live);
}

/* No policy: there is nothing to look through. */
static void a_question_is_given_up_when_there_is_nothing_to_look_through(void **state)
{
    struct live live = {.loop = bl_loop_create()};
    struct question question = {0};
    struct bl_forecaster_question asked = about(&question);

    (void)state;
    assert_int_equal(bl_forecaster_create(live.loop, &(struct bl_forecaster_rules){false},
                                          &live.forecaster, NULL),
                     BL_OK);
    ask_to_the_end(&live, &asked);
    assert_false(question.is_worked || question.is_answered);
    assert_null(bl_forecaster_told(live.forecaster));
    tear_down(&live);
}

static void too_many_questions_are_refused_and_a_stop_gives_up_those_that_wait(void **state)
{
    struct live live = {.loop = bl_loop_create()};
    struct question question[BL_FORECASTER_QUESTIONS_MAX + 1] = {0};
    struct bl_forecaster_question asked;
    struct bl_error err = {0};
    int refused = 0;

    (void)state;
    assert_int_equal(bl_forecaster_create(live.loop, &(struct bl_forecaster_rules){false},
                                          &live.forecaster, NULL),
                     BL_OK);
    for (int i = 0; i <= BL_FORECASTER_QUESTIONS_MAX; i++) {
        asked = about(&question[i]);
        refused += bl_forecaster_ask(live.forecaster, &asked, &err) != BL_OK;
    }
    assert_int_equal(refused, 1);
    assert_int_equal(err.status, BL_EREFUSED);
    bl_forecaster_stop(live.forecaster);
    for (int i = 0; i < BL_FORECASTER_QUESTIONS_MAX; i++) {
        assert_true(question[i].is_done && !question[i].is_answered);
    }
    assert_false(question[BL_FORECASTER_QUESTIONS_MAX].is_done);
    asked = about(question);
    assert_int_not_equal(bl_forecaster_ask(live.forecaster, &asked, NULL), BL_OK);
    tear_down(&live);
}

/* While much is to be applied and to be looked at. */
static void it_stops_at_once_whatever_it_does(void **state)
{
    struct live live;

    (void)state;
    set_up(&live, 3000);
    for (int i = 0; i < 5; i++) {
        records_submit(&live.records, 4000 + i, 8, BL_HOUR, BL_MINUTE);
        records_round(&live.records, BL_MINUTE);
        send(&live);
        bl_loop_step(live.loop, 0);
    }
    tear_down(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C2_every_job_is_told_of_and_ranges_get_better_while_nothing_happens),
        cmocka_unit_test(a_change_is_followed_by_another_forecast),
        cmocka_unit_test(two_forecasters_that_saw_the_same_say_the_same),
        cmocka_unit_test(a_question_is_answered_on_the_loop),
        cmocka_unit_test(a_question_that_nobody_waits_for_any_more_is_not_looked_into),
        cmocka_unit_test(one_user_does_not_keep_others_from_asking),
        cmocka_unit_test(questions_that_follow_one_another_compare_with_the_same_looks),
        cmocka_unit_test(a_question_is_given_up_when_there_is_nothing_to_look_through),
        cmocka_unit_test(too_many_questions_are_refused_and_a_stop_gives_up_those_that_wait),
        cmocka_unit_test(it_stops_at_once_whatever_it_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
