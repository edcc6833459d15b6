#include "engine/sim.h"

#include "base/heap.h"
#include "base/vec.h"

#include <assert.h>
#include <signal.h>
#include <stdint.h>

/* The rank stands above the order of starting in the heap's key. */
enum { RANK_SHIFT = 62 };

#define ORDER_MASK ((INT64_C(1) << RANK_SHIFT) - 1)

/* An end that is to come; the heap's value is its index + 1. */
struct end {
    bl_job_id job;
    int32_t attempt;
    bool is_stopped;
    size_t next_free; /* index + 1 of another place that is free */
};

struct started {
    bl_job_id job;
    int32_t attempt;
};

struct sim {
    struct bl_engine_host host;
    struct bl_clusterspec nodes; /* borrowed from the configuration */
    bl_time now;
    int64_t order; /* of the next end */
    struct bl_heap due;
    BL_VEC(struct end) ends;
    size_t first_free; /* index + 1 */
    BL_VEC(struct started) started;
    struct bl_event report; /* large, so that it is made once */
};

static int sim_create(const struct bl_engine_config *config, struct bl_engine_host host, void **out,
                      struct bl_error *err)
{
    struct sim *sim = bl_alloc_zero(sizeof *sim);

    (void)err;
    sim->host = host;
    if (config->declared) {
        sim->nodes = *config->declared;
    }
    *out = sim;
    return BL_OK;
}

static void sim_destroy(void *self)
{
    struct sim *sim = self;

    if (sim) {
        bl_heap_finish(&sim->due);
        BL_VEC_FINISH(&sim->ends);
        BL_VEC_FINISH(&sim->started);
        free(sim);
    }
}

static int sim_discover(void *self, struct bl_clusterspec *out, struct bl_error *err)
{
    const struct sim *sim = self;

    (void)err;
    *out = sim->nodes;
    return BL_OK;
}

static void push_end(struct sim *sim, bl_time at, enum bl_sim_rank rank, struct end end)
{
    size_t place = sim->first_free;

    if (place) {
        sim->first_free = sim->ends.at[place - 1].next_free;
        sim->ends.at[place - 1] = end;
    } else {
        BL_VEC_PUSH(&sim->ends, end);
        place = sim->ends.count;
    }
    bl_heap_push(&sim->due, (struct bl_heap_item){.time = at,
                                                  .key = (int64_t)rank << RANK_SHIFT | sim->order++,
                                                  .value = (void *)(uintptr_t)place});
}

static enum bl_sim_rank rank_of(const struct bl_job *job, bl_time end)
{
    bool is_at_limit = job->spec.limit > 0 && end >= job->started_at + job->spec.limit;

    return is_at_limit || end >= job->planned_end ? BL_SIM_EXPECTED : BL_SIM_UNEXPECTED;
}

static void sim_start(void *self, const struct bl_engine_job *job)
{
    struct sim *sim = self;
    bl_time run = bl_job_run_time(&job->job->spec, bl_alloc_gpus(job->alloc));

    BL_VEC_PUSH(&sim->started, (struct started){job->job->id, job->attempt});
    push_end(sim, sim->now + run, rank_of(job->job, sim->now + run),
             (struct end){.job = job->job->id, .attempt = job->attempt});
}

/* The end that was to come stays in line: by then the core knows that the attempt is over. */
static void sim_stop(void *self, bl_job_id job, int32_t attempt)
{
    struct sim *sim = self;

    push_end(sim, sim->now, BL_SIM_EXPECTED,
             (struct end){.job = job, .attempt = attempt, .is_stopped = true});
}

bool bl_engine_sim_next(const void *self, struct bl_sim_due *out)
{
    const struct sim *sim = self;
    const struct bl_heap_item *first = bl_heap_peek(&sim->due);

    if (!first) {
        return false;
    }
    out->at = first->time;
    out->rank = (enum bl_sim_rank)(first->key >> RANK_SHIFT);
    out->order = first->key & ORDER_MASK;
    return true;
}

void bl_engine_sim_set_time(void *self, bl_time now)
{
    struct sim *sim = self;

    assert(now >= sim->now);
    sim->now = now;
}

/* Reports may lead to further starts, which wait for the next call. */
void bl_engine_sim_report_started(void *self)
{
    struct sim *sim = self;
    size_t count = sim->started.count;

    for (size_t i = 0; i < count; i++) {
        sim->report.kind = BL_EVENT_JOB_STARTED;
        sim->report.at = sim->now;
        sim->report.job = sim->started.at[i].job;
        sim->report.attempt = sim->started.at[i].attempt;
        sim->report.u.started.pid = 0;
        sim->host.report(sim->host.self, &sim->report);
    }
    if (count == 0) {
        return;
    }
    sim->started.count -= count;
    memmove(sim->started.at, sim->started.at + count, sim->started.count * sizeof *sim->started.at);
}

void bl_engine_sim_report_end(void *self)
{
    struct sim *sim = self;
    struct bl_event *report = &sim->report;
    struct bl_heap_item item;
    bool has_end = bl_heap_pop(&sim->due, &item);
    struct end *end;

    assert(has_end);
    end = &sim->ends.at[(uintptr_t)item.value - 1];
    report->kind = BL_EVENT_JOB_ENDED;
    report->at = sim->now;
    report->job = end->job;
    report->attempt = end->attempt;
    report->u.ended.cause = end->is_stopped ? BL_END_SIGNALLED : BL_END_EXITED;
    report->u.ended.code = end->is_stopped ? SIGTERM : 0;
    end->next_free = sim->first_free;
    sim->first_free = (uintptr_t)item.value;
    sim->host.report(sim->host.self, report);
}

const struct bl_engine bl_engine_sim = {
    .name = "sim",
    .summary = "simulated jobs, for replays",
    .create = sim_create,
    .destroy = sim_destroy,
    .discover = sim_discover,
    .start = sim_start,
    .stop = sim_stop,
    .adopt = sim_start,
};
