#include "sim/driver.h"

#include "base/vec.h"
#include "core/core.h"
#include "engine/sim.h"
#include "form/record.h"
#include "os/clock.h"
#include "sim/story.h"

/* Looking at the clock costs as much as a small round: after the first rounds only a few are
 * timed. */
enum { ROUNDS_TIMED_FIRST = 1024, ROUNDS_TIMED_EACH = 32 };

struct driver {
    const struct bl_sim_setup *setup;
    struct bl_core *core;
    void *engine;
    struct bl_actions actions;
    bl_time now;
    struct bl_trace_job next; /* the job to be submitted next */
    bool has_next;
    struct bl_sim_due due; /* the engine's next end */
    bool has_due;
    struct bl_event round, submission; /* large, so that they are made once */
    int64_t events, rounds;
    BL_VEC(bl_time) round_times;
};

static void step(struct driver *driver, const struct bl_event *event)
{
    driver->events++;
    if (driver->setup->log) {
        bl_record_write(&driver->setup->log->text, event, NULL);
        bl_buf_append_char(&driver->setup->log->text, '\n');
        bl_sim_output_flush_full(driver->setup->log);
    }
    bl_core_step(driver->core, event, NULL);
}

static void write_wait(struct driver *driver, const struct bl_job *job)
{
    struct bl_buf *out = &driver->setup->waits->text;

    bl_buf_printf(out, "%lld,", (long long)job->id);
    bl_seconds_print(out, job->submitted_at);
    bl_buf_append_char(out, ',');
    bl_seconds_print(out, job->first_started_at);
    bl_buf_append_char(out, ',');
    bl_seconds_print(out, driver->now);
    bl_buf_append_char(out, '\n');
    bl_sim_output_flush_full(driver->setup->waits);
}

static void take_report(void *self, const struct bl_event *event)
{
    struct driver *driver = self;
    const struct bl_job *job = bl_core_find_job(driver->core, event->job);
    bool was_active = job && bl_job_state_is_active(job->state);

    step(driver, event);
    /* One that the core has forgotten can still be looked at until its next step. */
    if (driver->setup->waits && was_active && bl_job_state_is_ended(job->state)) {
        write_wait(driver, job);
    }
}

static void carry_out(struct driver *driver, const struct bl_action *action)
{
    const struct bl_engine *engine = &bl_engine_sim;
    struct bl_engine_job job = {.job = bl_core_find_job(driver->core, action->job),
                                .attempt = action->attempt,
                                .alloc = action->alloc,
                                .cluster = bl_core_cluster(driver->core)};

    if (driver->setup->log) {
        bl_record_write_action(&driver->setup->log->text, driver->now, action, job.cluster);
        bl_sim_output_flush_full(driver->setup->log);
    }
    switch (action->kind) {
    case BL_ACTION_START:
        engine->start(driver->engine, &job);
        break;
    case BL_ACTION_STOP:
        engine->stop(driver->engine, action->job, action->attempt);
        break;
    case BL_ACTION_RESIZE:
    case BL_ACTION_PREEMPT:
        engine->save(driver->engine, &job);
        break;
    case BL_ACTION_SIGNAL: /* a traced job has nothing to save */
    case BL_ACTION_COUNT:
        break;
    }
}

static void look_ahead(struct driver *driver)
{
    driver->has_due = bl_engine_sim_next(driver->engine, &driver->due);
}

static void time_round(struct driver *driver)
{
    bl_time began = bl_clock_monotonic();

    bl_core_step(driver->core, &driver->round, &driver->actions);
    BL_VEC_PUSH(&driver->round_times, bl_clock_monotonic() - began);
}

static void decide(struct driver *driver)
{
    driver->round.at = driver->now;
    if (driver->rounds < ROUNDS_TIMED_FIRST || driver->rounds % ROUNDS_TIMED_EACH == 0) {
        time_round(driver);
    } else {
        bl_core_step(driver->core, &driver->round, &driver->actions);
    }
    driver->rounds++;
    if (driver->actions.list.count == 0) {
        return;
    }
    if (driver->setup->story) {
        bl_sim_tell_round(driver->setup->story, driver->core, driver->now, &driver->actions);
    }
    for (size_t i = 0; i < driver->actions.list.count; i++) {
        carry_out(driver, &driver->actions.list.at[i]);
    }
    bl_engine_sim_report_started(driver->engine);
    look_ahead(driver);
}

/* In event mode: only where something changed that could matter. */
static void decide_if_wanted(struct driver *driver)
{
    if (driver->setup->round == 0 &&
        (bl_core_wants_round(driver->core) || bl_core_next_wake(driver->core) <= driver->now)) {
        decide(driver);
    }
}

static int read_next(struct driver *driver, struct bl_error *err)
{
    return driver->setup->format->next(driver->setup->trace, &driver->next, &driver->has_next, err);
}

static bool is_due(const struct driver *driver)
{
    return driver->has_due && driver->due.at <= driver->now;
}

static void end_next(struct driver *driver)
{
    bl_engine_sim_report_end(driver->engine);
    look_ahead(driver);
}

static int submit_due(struct driver *driver, struct bl_error *err)
{
    int status = BL_OK;

    while (status == BL_OK && driver->has_next && driver->next.submit <= driver->now) {
        driver->submission.at = driver->now;
        driver->submission.job = driver->next.id;
        driver->submission.u.submitted = driver->next.spec;
        step(driver, &driver->submission);
        decide_if_wanted(driver);
        status = read_next(driver, err);
    }
    return status;
}

/* Ends as planned free what they hold. Answers the order of the first of them, or `none`. */
static int64_t end_expected(struct driver *driver, int64_t none)
{
    int64_t first = none;

    while (is_due(driver) && driver->due.rank == BL_SIM_EXPECTED) {
        first = driver->due.order < first ? driver->due.order : first;
        end_next(driver);
    }
    return first;
}

static int pass_instant(struct driver *driver, struct bl_error *err)
{
    int64_t first_expected;
    int status;

    bl_engine_sim_set_time(driver->engine, driver->now);
    first_expected = end_expected(driver, INT64_MAX);
    status = submit_due(driver, err);
    /* A round for those that have left comes before the ends of jobs that started later; after an
     * end of one that started earlier there is a round anyway. */
    if (!is_due(driver) || first_expected < driver->due.order) {
        decide_if_wanted(driver);
    }
    while (status == BL_OK && is_due(driver)) {
        end_next(driver);
        end_expected(driver, INT64_MAX); /* stops that a round decided: all before the next one */
        decide_if_wanted(driver);
    }
    if (driver->setup->round > 0 && driver->now % driver->setup->round == 0) {
        decide(driver);
    }
    return status;
}

static bl_time next_multiple(bl_time at, bl_time period)
{
    bl_time past = at % period;

    return past ? at + (period - past) : at;
}

/* When a round is due although no event comes. */
static bl_time next_round(const struct driver *driver)
{
    bl_time wake = bl_core_next_wake(driver->core);

    if (driver->setup->round == 0) {
        return wake;
    }
    if (bl_core_wants_round(driver->core)) {
        return next_multiple(driver->now, driver->setup->round);
    }
    return wake == BL_TIME_NEVER ? wake : next_multiple(wake, driver->setup->round);
}

/* The next instant at which anything happens; BL_TIME_NEVER at the end. */
static bl_time next_instant(const struct driver *driver)
{
    bl_time next = next_round(driver);

    if (driver->has_next && driver->next.submit < next) {
        next = driver->next.submit;
    }
    if (driver->has_due && driver->due.at < next) {
        next = driver->due.at;
    }
    return next > driver->now || next == BL_TIME_NEVER ? next : driver->now;
}

static void begin(struct driver *driver)
{
    struct bl_event policy = {.kind = BL_EVENT_POLICY_SET, .u.policy = driver->setup->choice};

    driver->round.kind = BL_EVENT_ROUND;
    driver->submission.kind = BL_EVENT_JOB_SUBMITTED;
    driver->now = driver->has_next ? driver->next.submit : 0;
    bl_engine_sim_set_time(driver->engine, driver->now);
    policy.at = driver->now;
    step(driver, &policy);
    for (size_t i = 0; i < driver->setup->cluster->node_count; i++) {
        struct bl_event node = {.kind = BL_EVENT_NODE_ADDED, .at = driver->now};

        node.u.node = driver->setup->cluster->node[i];
        step(driver, &node);
    }
}

static int run(struct driver *driver, struct bl_error *err)
{
    int status = read_next(driver, err);
    bl_time next;

    if (status != BL_OK) {
        return status;
    }
    begin(driver);
    while (status == BL_OK && (next = next_instant(driver)) != BL_TIME_NEVER) {
        driver->now = next;
        status = pass_instant(driver, err);
    }
    return status;
}

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

bl_time bl_sim_percentile(bl_time *sample, size_t count, int percent)
{
    size_t rank = (count * (size_t)percent + 99) / 100;

    if (count == 0) {
        return 0;
    }
    qsort(sample, count, sizeof *sample, compare_times);
    return sample[rank > 0 ? rank - 1 : 0];
}

static void fill_result(struct driver *driver, struct bl_sim_result *out)
{
    size_t count = driver->round_times.count;

    bl_metrics_figures(bl_core_metrics(driver->core), &out->figures);
    out->events = driver->events;
    out->left =
        out->figures.jobs - out->figures.done - out->figures.failed - out->figures.cancelled;
    out->round_p50 = bl_sim_percentile(driver->round_times.at, count, 50);
    out->round_p99 = bl_sim_percentile(driver->round_times.at, count, 99);
}

int bl_sim_replay(const struct bl_sim_setup *setup, struct bl_sim_result *out, struct bl_error *err)
{
    struct driver driver = {.setup = setup};
    struct bl_engine_config config = {.declared = setup->cluster};
    struct bl_engine_host host = {&driver, take_report};
    bl_time wall = bl_clock_monotonic();
    bl_time cpu = bl_clock_process_cpu();
    int status = bl_engine_sim.create(&config, host, &driver.engine, err);

    if (status != BL_OK) {
        return status;
    }
    driver.core = bl_core_create(setup->format->has_dependencies(setup->trace) ? BL_KEEP_ENDED
                                                                               : BL_FORGET_ENDED);
    if (setup->waits) {
        bl_buf_append_text(&setup->waits->text, "id,submit,start,end\n");
    }
    status = run(&driver, err);
    if (status == BL_OK) {
        fill_result(&driver, out);
        out->wall = bl_clock_monotonic() - wall;
        out->cpu = bl_clock_process_cpu() - cpu;
    }
    bl_actions_finish(&driver.actions);
    BL_VEC_FINISH(&driver.round_times);
    bl_core_destroy(driver.core);
    bl_engine_sim.destroy(driver.engine);
    return status;
}
