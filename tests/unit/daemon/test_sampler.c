#include "bl_test.h"
#include "core/whatif.h"
#include "daemon/sampler.h"
#include "records.h"

struct sampled {
    struct records records;
    struct bl_replica replica;
    struct bl_sampler sampler;
};

static bool never(void *self)
{
    (void)self;
    return false;
}

static bool always(void *self)
{
    (void)self;
    return true;
}

static const struct bl_sampler_stop go_on = {never, NULL};
static const struct bl_sampler_stop give_up = {always, NULL};

static void feed(struct sampled *s)
{
    for (size_t i = (size_t)s->replica.seq; i < s->records.list.count; i++) {
        bl_replica_apply(&s->replica, (int64_t)i + 1, s->records.list.at[i].bytes,
                         s->records.list.at[i].length);
    }
}

static void set_up(struct sampled *s, const char *policy, int jobs)
{
    *s = (struct sampled){0};
    bl_replica_init(&s->replica);
    records_queue(&s->records, policy, jobs);
    feed(s);
}

static void tear_down(struct sampled *s)
{
    bl_sampler_finish(&s->sampler);
    bl_replica_finish(&s->replica);
    records_free(&s->records);
}

static void sample(struct sampled *s, int runs)
{
    bl_sampler_begin(&s->sampler, &s->replica, s->replica.now);
    for (int i = 0; i < runs; i++) {
        assert_true(bl_sampler_run(&s->sampler, go_on));
    }
}

static void C2_the_quick_look_tells_of_all_and_runs_make_ranges_of_it(void **state)
{
    struct sampled s;
    struct bl_foretelling *told;

    (void)state;
    set_up(&s, "easy", 4);
    assert_true(bl_sampler_glance(&s.sampler, &s.replica, s.replica.now, go_on));
    told = bl_sampler_tell(&s.sampler);
    assert_int_equal(told->runs, 1);
    assert_int_equal(told->seq, s.replica.seq);
    assert_int_equal(told->table.count, 4);
    for (size_t i = 1; i < 4; i++) {
        const struct bl_range *start = &told->table.row[i].start;

        assert_true(start->p50 > told->made_at);
        assert_int_equal(start->p10, start->p90);
    }
    bl_foretelling_destroy(told);
    sample(&s, 16);
    told = bl_sampler_tell(&s.sampler);
    assert_int_equal(told->runs, 16);
    for (size_t i = 1; i < 4; i++) {
        assert_true(told->table.row[i].start.p10 < told->table.row[i].start.p90);
        assert_int_equal(told->table.row[i].runs, 16);
    }
    bl_foretelling_destroy(told);
    tear_down(&s);
}

/* Job 5 came after the ranges were made, and job 1 ended. */
static void what_stands_keeps_its_range_and_what_is_new_has_the_quick_look(void **state)
{
    struct sampled s;
    struct bl_foretelling *before;
    struct bl_foretelling *after;

    (void)state;
    set_up(&s, "fifo", 4);
    bl_sampler_glance(&s.sampler, &s.replica, s.replica.now, go_on);
    sample(&s, 8);
    before = bl_sampler_tell(&s.sampler);
    records_submit(&s.records, 5, 8, BL_HOUR, BL_MINUTE);
    records_about(&s.records, BL_EVENT_JOB_ENDED, 1, BL_MINUTE);
    records_round(&s.records, BL_MINUTE);
    feed(&s);
    bl_sampler_glance(&s.sampler, &s.replica, s.replica.now, go_on);
    after = bl_sampler_tell(&s.sampler);
    assert_int_equal(after->table.count, 4);
    assert_null(bl_foretold_find(&after->table, 1));
    assert_int_equal(bl_foretold_find(&after->table, 2)->runs, 1); /* it runs now */
    assert_int_equal(bl_foretold_find(&after->table, 2)->start.p90, BL_MINUTE);
    assert_int_equal(bl_foretold_find(&after->table, 3)->runs, 8);
    assert_memory_equal(&bl_foretold_find(&after->table, 3)->start,
                        &bl_foretold_find(&before->table, 3)->start, sizeof(struct bl_range));
    assert_int_equal(bl_foretold_find(&after->table, 5)->runs, 1);
    bl_foretelling_destroy(after);
    sample(&s, 4);
    after = bl_sampler_tell(&s.sampler);
    assert_int_equal(bl_foretold_find(&after->table, 5)->runs, 4);
    bl_foretelling_destroy(after);
    bl_foretelling_destroy(before);
    tear_down(&s);
}

static void assert_same(const struct bl_foretelling *left, const struct bl_foretelling *right)
{
    assert_int_equal(left->table.count, right->table.count);
    for (size_t i = 0; i < left->table.count; i++) {
        const struct bl_foretold_row *a = &left->table.row[i];
        const struct bl_foretold_row *b = &right->table.row[i];

        assert_int_equal(a->job, b->job);
        assert_memory_equal(&a->start, &b->start, sizeof a->start);
        assert_memory_equal(&a->end, &b->end, sizeof a->end);
    }
}

static void the_same_records_give_the_same_forecasts(void **state)
{
    struct sampled s[2];
    struct bl_foretelling *told[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        set_up(&s[i], "easy", 6);
        if (i == 1) { /* looks on the way change nothing */
            bl_sampler_glance(&s[i].sampler, &s[i].replica, s[i].replica.now, go_on);
            sample(&s[i], 3);
        }
        sample(&s[i], 8);
        told[i] = bl_sampler_tell(&s[i].sampler);
    }
    assert_same(told[0], told[1]);
    for (int i = 0; i < 2; i++) {
        bl_foretelling_destroy(told[i]);
        tear_down(&s[i]);
    }
}

static void a_run_that_is_given_up_counts_for_nothing(void **state)
{
    struct sampled s;
    struct bl_foretelling *told;

    (void)state;
    set_up(&s, "easy", 6);
    assert_false(bl_sampler_glance(&s.sampler, &s.replica, s.replica.now, give_up));
    sample(&s, 4);
    assert_false(bl_sampler_run(&s.sampler, give_up));
    told = bl_sampler_tell(&s.sampler);
    assert_int_equal(told->runs, 4);
    bl_foretelling_destroy(told);
    tear_down(&s);
}

/* A job's range rests on what has been learnt by now, not when it was submitted. */
static void C2_what_was_learnt_since_a_job_came_is_known(void **state)
{
    struct sampled s;
    struct bl_foretelling *told;

    (void)state;
    set_up(&s, "easy", 11);
    for (bl_job_id id = 1; id <= 8; id++) {
        bl_time at = BL_MINUTE * id;

        records_about(&s.records, BL_EVENT_JOB_ENDED, id, at);
        records_round(&s.records, at);
        records_about(&s.records, BL_EVENT_JOB_STARTED, id + 1, at);
        records_round(&s.records, at);
    }
    feed(&s);
    sample(&s, BL_SAMPLER_RUNS_MAX);
    told = bl_sampler_tell(&s.sampler);
    assert_int_equal(told->table.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_false(told->table.row[i].from_limits);
    }
    assert_true(told->table.row[2].start.p50 < 55 * BL_MINUTE); /* so few runs are doubted */
    bl_foretelling_destroy(told);
    tear_down(&s);
}

/* Short ones have come each minute, and more of them will be let past. */
static void C2_who_will_come_later_is_part_of_the_ranges(void **state)
{
    struct sampled s;
    struct bl_foretelling *alone;
    struct bl_foretelling *told;

    (void)state;
    set_up(&s, "sjf", 2);
    records_submit(&s.records, 3, 8, 10 * BL_HOUR, BL_MINUTE);
    for (bl_job_id id = 4; id <= 43; id++) {
        records_submit(&s.records, id, 8, 5 * BL_MINUTE, id * BL_MINUTE);
    }
    records_round(&s.records, BL_HOUR);
    feed(&s);
    bl_sampler_glance(&s.sampler, &s.replica, s.replica.now, go_on);
    alone = bl_sampler_tell(&s.sampler);
    sample(&s, 8);
    told = bl_sampler_tell(&s.sampler);
    assert_int_equal(told->table.count, alone->table.count);
    assert_int_equal(alone->arrivals, 0);
    assert_int_equal(told->arrivals, 43);
    assert_true(bl_foretold_find(&told->table, 3)->start.p50 >
                bl_foretold_find(&alone->table, 3)->start.p50 + BL_HOUR);
    bl_foretelling_destroy(alone);
    s.sampler.without_arrivals = true;
    sample(&s, 8);
    alone = bl_sampler_tell(&s.sampler);
    assert_int_equal(alone->arrivals, 0);
    assert_true(bl_foretold_find(&alone->table, 3)->start.p50 <
                bl_foretold_find(&told->table, 3)->start.p50);
    bl_foretelling_destroy(alone);
    bl_foretelling_destroy(told);
    tear_down(&s);
}

/* One after the other: told that it starts in one to five minutes, each starts after nine. */
static void tell_too_soon(struct records *records, int jobs)
{
    for (bl_job_id id = 2; id <= jobs; id++) {
        bl_time now = 9 * id * BL_MINUTE;
        struct bl_told_row row = {.job = id, .told = {.at = now, .basis = BL_TOLD_RUNS}};
        struct bl_event event = {.kind = BL_EVENT_FORETOLD, .at = now};

        row.told.start_runs.now = now;
        for (int i = 0; i < BL_OUTLINE_POINTS; i++) {
            row.told.start_runs.at[i] = now + (i + 1) * BL_MINUTE;
        }
        for (int i = 0; i < BL_TOLD_LEVELS; i++) {
            row.told.start[i] = row.told.start_runs.at[2 * i];
        }
        event.u.foretold.row = &row;
        event.u.foretold.count = 1;
        records_add(records, &event);
        records_about(records, BL_EVENT_JOB_ENDED, id - 1, now + 9 * BL_MINUTE);
        records_round(records, now + 9 * BL_MINUTE);
        records_about(records, BL_EVENT_JOB_STARTED, id, now + 9 * BL_MINUTE);
        records_round(records, now + 9 * BL_MINUTE);
    }
}

static void add_record(void *self, const struct bl_event *event)
{
    records_add(self, event);
}

/* As a daemon that is started anew: from a snapshot. */
static void start_anew(struct sampled *s, struct sampled *from)
{
    size_t cursor = 0;

    *s = (struct sampled){0};
    bl_replica_init(&s->replica);
    assert_true(bl_replica_can_fork(&from->replica));
    bl_core_export(from->replica.core, &cursor, SIZE_MAX, add_record, &s->records);
    records_round(&s->records, bl_core_now(from->replica.core));
    feed(s);
}

static void P16_ranges_are_read_where_starts_came_to_lie_and_after_a_restart_as_before(void **state)
{
    struct sampled s;
    struct sampled anew;
    struct bl_foretelling *told;
    struct bl_foretelling *again;

    (void)state;
    set_up(&s, "fifo", 42);
    tell_too_soon(&s.records, 40);
    feed(&s);
    sample(&s, 8);
    told = bl_sampler_tell(&s.sampler);
    for (bl_job_id id = 41; id <= 42; id++) {
        const struct bl_foretold_row *row = bl_foretold_find(&told->table, id);

        assert_true(row->start.p90 > row->start_runs.at[BL_OUTLINE_POINTS - 1]);
        assert_true(row->start.p10 <= row->start.p50 && row->start.p50 <= row->start.p90);
        assert_true(row->end.p10 >= row->start.p10 && row->end.p90 >= row->start.p90);
    }
    start_anew(&anew, &s);
    bl_sampler_begin(&anew.sampler, &anew.replica, s.replica.now);
    for (int i = 0; i < 8; i++) {
        assert_true(bl_sampler_run(&anew.sampler, go_on));
    }
    again = bl_sampler_tell(&anew.sampler);
    assert_same(again, told);
    bl_foretelling_destroy(told);
    bl_foretelling_destroy(again);
    tear_down(&s);
    tear_down(&anew);
}

/* The answer to what would be, and, once it is submitted, the range. */
static void A20_a_job_is_told_before_it_is_submitted_what_it_is_told_then(void **state)
{
    struct sampled s;
    struct bl_arena arena = {0};
    struct bl_whatif told;
    struct bl_foretelling *then;
    const struct bl_foretold_row *row;

    (void)state;
    set_up(&s, "fifo", 42);
    tell_too_soon(&s.records, 40);
    records_submit(&s.records, 43, 8, BL_HOUR, 400 * BL_MINUTE);
    s.records.list.count--; /* not yet */
    feed(&s);
    assert_true(bl_replica_can_fork(&s.replica));
    bl_whatif_submit(s.replica.core,
                     &(struct bl_job_spec){.user = "ann",
                                           .gpus_min = 8,
                                           .gpus_want = 8,
                                           .gpus_max = 8,
                                           .job_class = BL_CLASS_BATCH,
                                           .limit = BL_HOUR},
                     &(struct bl_whatif_effort){
                         .options = {.seed = BL_FORETELL_SEED, .at = 400 * BL_MINUTE}, .runs = 16},
                     &arena, &told);
    s.records.list.count++;
    records_round(&s.records, 400 * BL_MINUTE);
    feed(&s);
    s.sampler.without_arrivals = true; /* it is one of them then */
    sample(&s, 16);
    then = bl_sampler_tell(&s.sampler);
    row = bl_foretold_find(&then->table, 43);
    assert_memory_equal(&told.start, &row->start, sizeof told.start);
    assert_memory_equal(&told.end, &row->end, sizeof told.end);
    assert_true(row->start.p90 >
                row->start_runs.at[BL_OUTLINE_POINTS - 1]); /* something was learnt */
    bl_foretelling_destroy(then);
    bl_arena_finish(&arena);
    tear_down(&s);
}

/* The k-th run of a question, without what is asked about, is the k-th of the ranges. */
static void A20_questions_look_at_the_futures_that_ranges_rest_on(void **state)
{
    struct sampled s;
    struct bl_arena arena = {0};

    (void)state;
    set_up(&s, "easy", 30);
    for (bl_job_id id = 31; id <= 50; id++) {
        records_submit(&s.records, id, 2, BL_HOUR, id * BL_MINUTE);
    }
    records_round(&s.records, BL_HOUR);
    feed(&s);
    sample(&s, 6);
    for (size_t k = 1; k <= 6; k++) {
        const struct bl_whatif_effort effort = {
            .options = {.seed = BL_FORETELL_SEED,
                        .at = s.replica.now,
                        .grain = bl_foretell_grain(s.replica.core),
                        .of_late = bl_core_arrivals(s.replica.core)},
            .runs = 6};
        const struct bl_foretell_options options = bl_whatif_run(&effort, k);
        const struct bl_foretell_run run =
            bl_foretell_run_changed(bl_whatif_copy(s.replica.core), &options, &arena);

        assert_int_equal(run.count, 50);
        for (size_t i = 0; i < run.count; i++) {
            assert_int_equal(run.row[i].start, s.sampler.run[k - 1].row[i].start);
        }
    }
    bl_arena_finish(&arena);
    tear_down(&s);
}

/* Of what is past when ranges are asked for. */
struct odd_history {
    const char *what;
    int runs; /* that ended, */
    bl_time run;
    int32_t code;
    int users;
    char *params[3];
    bl_time jump; /* of the clock, while one runs, */
    bl_time age;  /* which has run for so long */
};

/* Whole machines, one after the other. */
static void submit_odd(struct records *records, const struct odd_history *odd, bl_job_id id,
                       bl_time at)
{
    static char word[] = "train";
    static char folder[] = "/";
    static char user[][4] = {"ann", "bob", "eve"};
    char *words[] = {word, NULL};
    char *params[3] = {odd->params[0], odd->params[1], odd->params[2]};
    const struct bl_launch launch = {.argv = words,
                                     .argc = 1,
                                     .workdir = folder,
                                     .params = {params, (odd->params[0] != NULL) * 2}};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .at = at, .job = id};

    event.u.submitted = (struct bl_job_spec){.user = user[id % odd->users],
                                             .gpus_min = 8,
                                             .gpus_want = 8,
                                             .gpus_max = 8,
                                             .job_class = BL_CLASS_BATCH,
                                             .limit = 730 * BL_DAY};
    records_add_launch(records, &event, &launch);
    records_round(records, at);
}

static void end_odd(struct records *records, const struct odd_history *odd, bl_job_id id,
                    bl_time at)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_ENDED, .job = id, .attempt = 1, .at = at};

    event.u.ended.cause = BL_END_EXITED;
    event.u.ended.code = odd->code;
    records_add(records, &event);
    records_round(records, at);
}

/* One runs and two wait. */
static void live_through(struct records *records, const struct odd_history *odd)
{
    struct bl_event jump = {.kind = BL_EVENT_CLOCK_JUMPED};
    bl_time now = BL_HOUR;
    bl_job_id id = 1;

    records_policy(records, "easy");
    records_node(records, 8);
    for (; id <= odd->runs; id++) {
        submit_odd(records, odd, id, now);
        records_about(records, BL_EVENT_JOB_STARTED, id, now);
        now += odd->run;
        end_odd(records, odd, id, now);
    }
    submit_odd(records, odd, id, now);
    records_about(records, BL_EVENT_JOB_STARTED, id, now);
    submit_odd(records, odd, id + 1, now);
    submit_odd(records, odd, id + 2, now);
    if (odd->jump) {
        jump.at = now + odd->jump;
        jump.u.jumped.by = odd->jump;
        records_add(records, &jump);
    }
    records_round(records, now + odd->jump + odd->age);
}

static void assert_sound(const struct bl_foretelling *told, const struct odd_history *odd)
{
    if (told->table.count != 3) {
        fail_msg("%s: %zu are told of", odd->what, told->table.count);
    }
    for (size_t i = 0; i < told->table.count; i++) {
        const struct bl_foretold_row *row = &told->table.row[i];
        const struct bl_range *start = &row->start;
        const struct bl_range *end = &row->end;
        bl_time most = told->made_at + 4000 * BL_DAY;

        if (!(start->p10 <= start->p50 && start->p50 <= start->p90 && end->p10 <= end->p50 &&
              end->p50 <= end->p90 && start->p90 < most && end->p90 < most &&
              (row->is_active || start->p10 >= told->made_at) && end->p10 >= told->made_at &&
              end->p10 >= start->p10 && end->p90 >= start->p90)) {
            fail_msg("%s, job %zu: %lld %lld %lld, %lld %lld %lld at %lld", odd->what, i,
                     (long long)start->p10, (long long)start->p50, (long long)start->p90,
                     (long long)end->p10, (long long)end->p50, (long long)end->p90,
                     (long long)told->made_at);
        }
    }
}

static void P16_odd_histories_leave_ranges_finite_in_order_and_after_now(void **state)
{
    static char model[] = "model=bert";
    static char layers[] = "layers=many";
    static char nothing[] = "epochs=0";
    static char huge[] = "batch=1e300";
    static const struct odd_history rows[] = {
        {.what = "no history", .users = 1},
        {.what = "one user", .runs = 20, .run = BL_HOUR, .users = 1, .age = BL_MINUTE},
        {.what = "all fail", .runs = 20, .run = BL_MINUTE, .code = 1, .users = 3},
        {.what = "no time at all", .runs = 20, .users = 3, .age = BL_MINUTE},
        {.what = "a microsecond", .runs = 20, .run = 1, .users = 3},
        {.what = "a year", .runs = 20, .run = 365 * BL_DAY, .users = 3, .age = BL_DAY},
        {.what = "a year, all fail", .runs = 20, .run = 365 * BL_DAY, .code = 1, .users = 1},
        {.what = "texts", .runs = 20, .run = BL_HOUR, .users = 3, .params = {model, layers}},
        {.what = "odd numbers", .runs = 20, .run = BL_HOUR, .users = 3, .params = {nothing, huge}},
        {.what = "a jump", .runs = 20, .run = BL_HOUR, .users = 3, .jump = 300 * BL_DAY},
        {.what = "a jump back", .runs = 20, .run = BL_HOUR, .users = 3, .jump = -10 * BL_HOUR},
        {.what = "past p90", .runs = 20, .run = BL_MINUTE, .users = 1, .age = 100 * BL_DAY},
        {.what = "past its limit", .runs = 9, .run = BL_MINUTE, .users = 1, .age = 731 * BL_DAY},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sampled s = {0};
        struct bl_foretelling *told;

        bl_replica_init(&s.replica);
        live_through(&s.records, &rows[i]);
        feed(&s);
        if (bl_replica_can_fork(&s.replica)) { /* not while one is stopped at its limit */
            assert_true(bl_sampler_glance(&s.sampler, &s.replica, s.replica.now, go_on));
            told = bl_sampler_tell(&s.sampler);
            assert_sound(told, &rows[i]);
            bl_foretelling_destroy(told);
            sample(&s, 8);
            told = bl_sampler_tell(&s.sampler);
            assert_sound(told, &rows[i]);
            bl_foretelling_destroy(told);
        } else {
            assert_string_equal(rows[i].what, "past its limit");
        }
        tear_down(&s);
    }
}

static void every_policy_can_be_looked_through(void **state)
{
    (void)state;
    for (size_t i = 0; bl_policies[i]; i++) {
        struct sampled s;
        struct bl_foretelling *told;

        set_up(&s, bl_policies[i]->name, 5);
        sample(&s, 4);
        told = bl_sampler_tell(&s.sampler);
        assert_int_equal(told->table.count, 5);
        for (size_t k = 0; k < 5; k++) {
            assert_true(told->table.row[k].end.p90 < BL_DAY);
        }
        bl_foretelling_destroy(told);
        tear_down(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C2_the_quick_look_tells_of_all_and_runs_make_ranges_of_it),
        cmocka_unit_test(what_stands_keeps_its_range_and_what_is_new_has_the_quick_look),
        cmocka_unit_test(the_same_records_give_the_same_forecasts),
        cmocka_unit_test(a_run_that_is_given_up_counts_for_nothing),
        cmocka_unit_test(C2_what_was_learnt_since_a_job_came_is_known),
        cmocka_unit_test(C2_who_will_come_later_is_part_of_the_ranges),
        cmocka_unit_test(
            P16_ranges_are_read_where_starts_came_to_lie_and_after_a_restart_as_before),
        cmocka_unit_test(A20_a_job_is_told_before_it_is_submitted_what_it_is_told_then),
        cmocka_unit_test(A20_questions_look_at_the_futures_that_ranges_rest_on),
        cmocka_unit_test(P16_odd_histories_leave_ranges_finite_in_order_and_after_now),
        cmocka_unit_test(every_policy_can_be_looked_through),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
