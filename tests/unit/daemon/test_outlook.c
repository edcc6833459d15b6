#include "bl_test.h"
#include "core/policy.h"
#include "daemon/outlook.h"
#include "os/loop.h"
#include "records.h"

static struct bl_core *core_with_a_node(void)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);
    struct bl_event policy = {.kind = BL_EVENT_POLICY_SET,
                              .at = BL_SECOND,
                              .u.policy = {.policy = bl_policy_find("fifo")}};
    struct bl_event node = {.kind = BL_EVENT_NODE_ADDED,
                            .at = BL_SECOND,
                            .u.node = {.name = "n1",
                                       .gpu_type = "A100",
                                       .gpus = 1,
                                       .cpu_milli = 8000,
                                       .mem_bytes = INT64_C(1) << 40}};

    bl_core_step(core, &policy, NULL);
    bl_core_step(core, &node, NULL);
    return core;
}

static void submit(struct bl_core *core, bl_job_id id)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_SUBMITTED,
        .at = BL_SECOND,
        .job = id,
        .u.submitted = {.gpus_min = 1, .gpus_want = 1, .gpus_max = 1, .limit = BL_HOUR}};

    bl_core_step(core, &event, NULL);
}

static void a_job_has_its_row_and_one_that_is_not_there_has_none(void **state)
{
    struct bl_core *core = core_with_a_node();
    struct bl_outlook *outlook = bl_outlook_create();
    const struct bl_foretold_row *row;

    (void)state;
    submit(core, 1);
    submit(core, 2);
    row = bl_outlook_find(outlook, core, 4, 2);
    assert_non_null(row);
    assert_int_equal(row->start.p50, BL_SECOND + BL_HOUR);
    assert_int_equal(row->end.p50, BL_SECOND + 2 * BL_HOUR);
    assert_null(bl_outlook_find(outlook, core, 4, 3));
    bl_outlook_destroy(outlook);
    bl_core_destroy(core);
}

static void what_came_since_is_seen_before_long(void **state)
{
    struct bl_core *core = core_with_a_node();
    struct bl_outlook *outlook = bl_outlook_create();

    (void)state;
    assert_null(bl_outlook_find(outlook, core, 2, 1));
    submit(core, 1);
    while (!bl_outlook_find(outlook, core, 3, 1)) { /* the runner's time limit ends it else */
    }
    bl_outlook_destroy(outlook);
    bl_core_destroy(core);
}

static void forecast(struct bl_loop *loop, const struct bl_forecaster *forecaster, int32_t runs)
{
    const struct bl_foretelling *told = bl_forecaster_told(forecaster);

    while (!told || told->runs < runs) { /* the runner's time limit ends it else */
        bl_loop_step(loop, BL_SECOND);
        told = bl_forecaster_told(forecaster);
    }
}

/* A core and a forecaster that stand at the same record. */
struct both {
    struct bl_loop *loop;
    struct bl_forecaster *forecaster;
    struct bl_replica own;
    struct bl_outlook *outlook;
};

static void set_up(struct both *both, const struct records *records)
{
    *both = (struct both){.loop = bl_loop_create(), .outlook = bl_outlook_create()};
    assert_int_equal(bl_forecaster_create(both->loop, &(struct bl_forecaster_rules){false},
                                          &both->forecaster, NULL),
                     BL_OK);
    bl_outlook_attach(both->outlook, both->forecaster);
    bl_replica_init(&both->own);
    for (size_t i = 0; i < records->list.count; i++) {
        const struct record_bytes *record = &records->list.at[i];

        bl_replica_apply(&both->own, (int64_t)i + 1, record->bytes, record->length);
        bl_forecaster_take(both->forecaster, (int64_t)i + 1, record->bytes, record->length);
    }
    forecast(both->loop, both->forecaster, BL_SAMPLER_RUNS_MAX);
}

static void tear_down(struct both *both)
{
    bl_outlook_destroy(both->outlook);
    bl_forecaster_destroy(both->forecaster);
    bl_loop_destroy(both->loop);
    bl_replica_finish(&both->own);
}

/* To the core alone: the forecaster has not heard of it yet. */
static void happen(const struct both *both, enum bl_event_kind kind, bl_job_id id, bl_time at)
{
    struct bl_actions actions = {0};
    struct bl_event event = {.kind = kind, .at = at, .job = id, .attempt = 1};

    bl_core_step(both->own.core, &event, NULL);
    bl_core_step(both->own.core, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = at}, &actions);
    bl_actions_finish(&actions);
}

static const struct bl_foretold_row *find(const struct both *both, bl_job_id id)
{
    return bl_outlook_find(both->outlook, both->own.core, 100, id);
}

static void C2_ranges_are_brought_up_to_date_with_what_has_happened_since(void **state)
{
    struct both both;
    struct records records = {0};
    struct bl_range end;

    (void)state;
    records_queue(&records, "fifo", 3);
    set_up(&both, &records);
    assert_int_equal(find(&both, 2)->runs, BL_SAMPLER_RUNS_MAX);
    assert_true(find(&both, 2)->start.p10 < find(&both, 2)->start.p90);
    end = find(&both, 2)->end;
    happen(&both, BL_EVENT_JOB_ENDED, 1, BL_MINUTE);
    assert_int_equal(find(&both, 2)->start.p10, BL_MINUTE);
    assert_int_equal(find(&both, 2)->start.p90, BL_MINUTE);
    assert_true(find(&both, 2)->end.p50 > BL_MINUTE && find(&both, 2)->end.p50 < end.p50);
    assert_null(find(&both, 1));
    tear_down(&both);
    records_free(&records);
}

static void nothing_is_told_before_the_present(void **state)
{
    struct both both;
    struct records records = {0};

    (void)state;
    records_queue(&records, "fifo", 3);
    set_up(&both, &records);
    happen(&both, BL_EVENT_JOB_PROGRESS, 1, 50 * BL_MINUTE);
    assert_int_equal(find(&both, 1)->start.p50, 2 * BL_SECOND);
    assert_int_equal(find(&both, 1)->end.p10, 50 * BL_MINUTE);
    assert_int_equal(find(&both, 2)->start.p10, 50 * BL_MINUTE);
    assert_true(find(&both, 2)->start.p90 >= find(&both, 2)->start.p50);
    tear_down(&both);
    records_free(&records);
}

static void P16_a_job_that_is_new_is_planned_by_limits_and_says_so(void **state)
{
    struct both both;
    struct records records = {0};

    (void)state;
    records_queue(&records, "fifo", 1);
    set_up(&both, &records);
    submit(both.own.core, 2);
    assert_int_equal(find(&both, 2)->runs, 0);
    assert_true(find(&both, 2)->from_limits);
    assert_int_equal(find(&both, 2)->start.p50, BL_HOUR + 2 * BL_SECOND);
    assert_true(find(&both, 2)->start.p90 == BL_TIME_NEVER);
    tear_down(&both);
    records_free(&records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(C2_ranges_are_brought_up_to_date_with_what_has_happened_since),
        cmocka_unit_test(nothing_is_told_before_the_present),
        cmocka_unit_test(P16_a_job_that_is_new_is_planned_by_limits_and_says_so),
        cmocka_unit_test(a_job_has_its_row_and_one_that_is_not_there_has_none),
        cmocka_unit_test(what_came_since_is_seen_before_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
