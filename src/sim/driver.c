#include "sim/driver.h"

#include "engine/sim.h"
#include "os/clock.h"
#include "sim/rounds.h"
#include "sim/steps.h"

struct driver {
    struct bl_sim_steps steps;
    void *engine;
    struct bl_sim_due due; /* the engine's next end */
    bool has_due;
};

static void take_report(void *self, const struct bl_event *event)
{
    struct driver *driver = self;

    bl_sim_step(&driver->steps, event);
}

static void carry_out(struct driver *driver, const struct bl_action *action)
{
    const struct bl_engine *engine = &bl_engine_sim;
    struct bl_engine_job job = {.job = bl_core_find_job(driver->steps.core, action->job),
                                .attempt = action->attempt,
                                .alloc = action->alloc,
                                .cluster = bl_core_cluster(driver->steps.core)};

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

static void decide(struct driver *driver)
{
    struct bl_sim_steps *steps = &driver->steps;

    bl_sim_steps_decide(steps);
    if (steps->actions.list.count == 0) {
        return;
    }
    for (size_t i = 0; i < steps->actions.list.count; i++) {
        carry_out(driver, &steps->actions.list.at[i]);
    }
    bl_engine_sim_report_started(driver->engine);
    look_ahead(driver);
}

/* In event mode: only where something changed that could matter. */
static void decide_if_wanted(struct driver *driver)
{
    if (driver->steps.setup->round == 0 &&
        (bl_core_wants_round(driver->steps.core) ||
         bl_core_next_wake(driver->steps.core) <= driver->steps.now)) {
        decide(driver);
    }
}

static bool is_due(const struct driver *driver)
{
    return driver->has_due && driver->due.at <= driver->steps.now;
}

static void end_next(struct driver *driver)
{
    bl_engine_sim_report_end(driver->engine);
    look_ahead(driver);
}

static int submit_due(struct driver *driver, struct bl_error *err)
{
    int status = BL_OK;

    while (status == BL_OK && driver->steps.has_next &&
           driver->steps.next.submit <= driver->steps.now) {
        bl_sim_steps_submit(&driver->steps);
        decide_if_wanted(driver);
        status = bl_sim_steps_read(&driver->steps, err);
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

    bl_engine_sim_set_time(driver->engine, driver->steps.now);
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
    if (driver->steps.setup->round > 0 && driver->steps.now % driver->steps.setup->round == 0) {
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
    bl_time wake = bl_core_next_wake(driver->steps.core);

    if (driver->steps.setup->round == 0) {
        return wake;
    }
    if (bl_core_wants_round(driver->steps.core)) {
        return next_multiple(driver->steps.now, driver->steps.setup->round);
    }
    return wake == BL_TIME_NEVER ? wake : next_multiple(wake, driver->steps.setup->round);
}

/* The next instant at which anything happens; BL_TIME_NEVER at the end. */
static bl_time next_instant(const struct driver *driver)
{
    bl_time next = next_round(driver);

    if (driver->steps.has_next && driver->steps.next.submit < next) {
        next = driver->steps.next.submit;
    }
    if (driver->has_due && driver->due.at < next) {
        next = driver->due.at;
    }
    return next > driver->steps.now || next == BL_TIME_NEVER ? next : driver->steps.now;
}

static int begin(struct driver *driver, struct bl_error *err)
{
    driver->steps.now = driver->steps.has_next ? driver->steps.next.submit : 0;
    bl_engine_sim_set_time(driver->engine, driver->steps.now);
    return bl_sim_steps_begin(&driver->steps, err);
}

static int run(struct driver *driver, struct bl_error *err)
{
    int status = bl_sim_steps_read(&driver->steps, err);
    bl_time next;

    if (status != BL_OK) {
        return status;
    }
    status = begin(driver, err);
    while (status == BL_OK && (next = next_instant(driver)) != BL_TIME_NEVER) {
        driver->steps.now = next;
        status = pass_instant(driver, err);
    }
    return status;
}

/* Each job ends by the engine's clock. */
static int replay_events(struct driver *driver, struct bl_error *err)
{
    struct bl_engine_config config = {.declared = driver->steps.setup->cluster};
    struct bl_engine_host host = {driver, take_report};
    int status = bl_engine_sim.create(&config, host, &driver->engine, err);

    if (status == BL_OK) {
        status = run(driver, err);
    }
    bl_engine_sim.destroy(driver->engine);
    return status;
}

int bl_sim_replay(const struct bl_sim_setup *setup, struct bl_sim_result *out, struct bl_error *err)
{
    struct driver driver = {0};
    bl_time wall = bl_clock_monotonic();
    bl_time cpu = bl_clock_process_cpu();
    int status;

    bl_sim_steps_init(&driver.steps, setup);
    status = setup->world ? bl_sim_run_rounds(&driver.steps, err) : replay_events(&driver, err);
    if (status == BL_OK) {
        bl_sim_steps_fill(&driver.steps, out);
        out->wall = bl_clock_monotonic() - wall;
        out->cpu = bl_clock_process_cpu() - cpu;
        bl_sim_steps_bound(&driver.steps, out);
    }
    bl_sim_steps_finish(&driver.steps);
    return status;
}
