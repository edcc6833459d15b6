#include "base/buf.h"
#include "bl_test.h"
#include "engine/sim.h"

#include <string.h>

/* Writes reports as "started 1.1", "ended 1.1@9s", "stopped 1.1@5s", "; " between. */
struct host {
    struct bl_buf reports;
};

static void take_report(void *self, const struct bl_event *event)
{
    struct bl_buf *out = &((struct host *)self)->reports;
    const char *word = event->kind == BL_EVENT_JOB_STARTED        ? "started"
                       : event->kind == BL_EVENT_JOB_PROGRESS     ? "did"
                       : event->u.ended.cause == BL_END_SIGNALLED ? "stopped"
                       : event->u.ended.code == 85                ? "saved"
                                                                  : "ended";

    bl_buf_printf(out, "%s%s %lld.%d", out->length ? "; " : "", word, (long long)event->job,
                  event->attempt);
    if (event->kind == BL_EVENT_JOB_PROGRESS) {
        bl_buf_printf(out, " %g", event->u.progress.done / event->u.progress.total);
    }
    if (event->kind == BL_EVENT_JOB_ENDED) {
        bl_buf_append_char(out, '@');
        bl_span_print(out, event->at);
    }
}

static void *create(struct host *host)
{
    struct bl_engine_config config = {0};
    struct bl_engine_host reports = {host, take_report};
    void *engine = NULL;

    assert_int_equal(bl_engine_sim.create(&config, reports, &engine, NULL), BL_OK);
    return engine;
}

static void finish(void *engine, struct host *host)
{
    bl_engine_sim.destroy(engine);
    bl_buf_finish(&host->reports);
}

struct start {
    bl_job_id id;
    bl_time work, planned, limit;
};

static void start_job(void *engine, struct start start)
{
    struct bl_job job = {.id = start.id,
                         .attempt = 1,
                         .planned_end = start.planned,
                         .spec = {.gpus_min = 1,
                                  .gpus_want = 1,
                                  .gpus_max = 1,
                                  .work = start.work,
                                  .limit = start.limit}};
    struct bl_alloc alloc = {.part_count = 1, .single = {.gpus = 1}};
    struct bl_engine_job request = {.job = &job, .attempt = 1, .alloc = &alloc};

    bl_engine_sim.start(engine, &request);
}

/* Lets time pass to the end of all. */
static void run(void *engine)
{
    struct bl_sim_due due;

    bl_engine_sim_report_started(engine);
    while (bl_engine_sim_next(engine, &due)) {
        bl_engine_sim_set_time(engine, due.at);
        bl_engine_sim_report_end(engine);
    }
}

static void D4_jobs_live_at_once_and_end_after_their_work(void **state)
{
    struct host host = {0};
    void *engine = create(&host);

    (void)state;
    start_job(engine, (struct start){1, 9 * BL_SECOND, BL_TIME_NEVER, 0});
    start_job(engine, (struct start){2, 4 * BL_SECOND, BL_TIME_NEVER, 0});
    run(engine);
    assert_string_equal(bl_buf_text(&host.reports),
                        "started 1.1; started 2.1; ended 2.1@4s; ended 1.1@9s");
    finish(engine, &host);
}

/* What plans counted on goes first; within a rank whoever started first. */
static void ends_of_one_instant_have_an_order(void **state)
{
    struct host host = {0};
    void *engine = create(&host);
    struct bl_sim_due due = {0};

    (void)state;
    start_job(engine, (struct start){5, 9 * BL_SECOND, BL_TIME_NEVER, 0});
    start_job(engine, (struct start){4, 9 * BL_SECOND, 9 * BL_SECOND, 0});
    start_job(engine, (struct start){3, 9 * BL_SECOND, 10 * BL_SECOND, 0});
    start_job(engine, (struct start){2, 9 * BL_SECOND, BL_TIME_NEVER, 9 * BL_SECOND});
    assert_true(bl_engine_sim_next(engine, &due));
    assert_int_equal(due.at, 9 * BL_SECOND);
    assert_int_equal(due.rank, BL_SIM_EXPECTED);
    assert_int_equal(due.order, 1);
    run(engine);
    assert_string_equal(bl_buf_text(&host.reports),
                        "started 5.1; started 4.1; started 3.1; started 2.1; ended 4.1@9s; "
                        "ended 2.1@9s; ended 5.1@9s; ended 3.1@9s");
    finish(engine, &host);
}

static void a_stop_ends_the_job_now_and_a_second_one_does_no_harm(void **state)
{
    struct host host = {0};
    void *engine = create(&host);
    struct bl_sim_due due;

    (void)state;
    start_job(engine, (struct start){1, 9 * BL_SECOND, BL_TIME_NEVER, 0});
    bl_engine_sim_report_started(engine);
    bl_engine_sim_set_time(engine, 5 * BL_SECOND);
    bl_engine_sim.stop(engine, 1, 1);
    assert_true(bl_engine_sim_next(engine, &due));
    assert_int_equal(due.at, 5 * BL_SECOND);
    bl_engine_sim_report_end(engine);
    assert_string_equal(bl_buf_text(&host.reports), "started 1.1; stopped 1.1@5s");
    finish(engine, &host);
}

static void a_job_runs_as_fast_as_its_curve_says(void **state)
{
    struct host host = {0};
    void *engine = create(&host);
    struct bl_job job = {.id = 1,
                         .attempt = 1,
                         .planned_end = BL_TIME_NEVER,
                         .spec = {.gpus_min = 1,
                                  .gpus_want = 4,
                                  .gpus_max = 4,
                                  .work = 10 * BL_SECOND,
                                  .curve = {BL_CURVE_EFFICIENCY, .efficiency = 1}}};
    struct bl_alloc alloc = {.part_count = 1, .single = {.gpus = 2}};
    struct bl_engine_job request = {.job = &job, .attempt = 1, .alloc = &alloc};

    (void)state;
    bl_engine_sim.start(engine, &request);
    run(engine);
    assert_string_equal(bl_buf_text(&host.reports), "started 1.1; ended 1.1@5s");
    finish(engine, &host);
}

/* Ten seconds of work after two of restart, three quarters of it still to be done. */
static struct bl_job job_to_save(void)
{
    return (struct bl_job){
        .id = 1,
        .attempt = 2,
        .planned_end = BL_TIME_NEVER,
        .progress.begun_at = 0.25,
        .spec = {.gpus_min = 1, .gpus_max = 2, .work = 10 * BL_SECOND, .restart = 2 * BL_SECOND}};
}

static void A1_a_save_tells_how_far_the_job_came_and_ends_it(void **state)
{
    static const struct {
        bl_time at;
        const char *reports;
    } rows[] = {
        {1 * BL_SECOND, "started 1.2; did 1.2 0.25; saved 1.2@1s"},
        {2 * BL_SECOND, "started 1.2; did 1.2 0.25; saved 1.2@2s"},
        {7 * BL_SECOND, "started 1.2; did 1.2 0.75; saved 1.2@7s"},
        {9500 * BL_MILLISECOND, "started 1.2; did 1.2 1; ended 1.2@9.5s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct host host = {0};
        void *engine = create(&host);
        struct bl_job job = job_to_save();
        struct bl_alloc alloc = {.part_count = 1, .single = {.gpus = 1}};
        struct bl_engine_job request = {.job = &job, .attempt = 2, .alloc = &alloc};
        struct bl_sim_due due;

        bl_engine_sim.start(engine, &request);
        bl_engine_sim_report_started(engine);
        bl_engine_sim_set_time(engine, rows[i].at);
        bl_engine_sim.save(engine, &request);
        bl_engine_sim.save(engine, &request); /* asked twice: no harm */
        bl_engine_sim.stop(engine, 1, 2);
        assert_true(bl_engine_sim_next(engine, &due));
        assert_int_equal(due.at, rows[i].at);
        bl_engine_sim_report_end(engine);
        assert_string_equal(bl_buf_text(&host.reports), rows[i].reports);
        assert_false(bl_engine_sim_next(engine, &due)); /* nor does the end of the work come */
        finish(engine, &host);
    }
}

static void the_nodes_are_those_it_was_given(void **state)
{
    struct bl_node_spec node = {.name = "n1", .gpus = 8};
    struct bl_clusterspec declared = {&node, 1};
    struct bl_engine_config config = {.declared = &declared};
    struct host host = {0};
    struct bl_engine_host reports = {&host, take_report};
    struct bl_clusterspec found;
    void *engine = NULL;

    (void)state;
    assert_int_equal(bl_engine_sim.create(&config, reports, &engine, NULL), BL_OK);
    assert_int_equal(bl_engine_sim.discover(engine, &found, NULL), BL_OK);
    assert_int_equal(found.node_count, 1);
    assert_string_equal(found.node[0].name, "n1");
    finish(engine, &host);
    bl_engine_sim.destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D4_jobs_live_at_once_and_end_after_their_work),
        cmocka_unit_test(ends_of_one_instant_have_an_order),
        cmocka_unit_test(a_stop_ends_the_job_now_and_a_second_one_does_no_harm),
        cmocka_unit_test(a_job_runs_as_fast_as_its_curve_says),
        cmocka_unit_test(A1_a_save_tells_how_far_the_job_came_and_ends_it),
        cmocka_unit_test(the_nodes_are_those_it_was_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
