#include "engine/sim.h"

#include "base/heap.h"
#include "base/map.h"
#include "base/vec.h"

#include <assert.h>
#include <signal.h>
#include <stdint.h>

/* The rank stands above the order of starting in the heap's key. */
enum { RANK_SHIFT = 62 };

enum { EXIT_SAVED = 85 }; /* "checkpointed, put me back" */

#define ORDER_MASK ((INT64_C(1) << RANK_SHIFT) - 1)

enum end_kind {
    END_OF_WORK,
    END_STOPPED,
    END_SAVED /* progress is told first */
};

/* An end that is to come; the heap's value is its index + 1. */
struct end {
    bl_job_id job;
    int32_t attempt; /* 0: it does not come any more */
    enum end_kind kind;
    bl_time work_from, at; /* of the work: it goes on evenly between these */
    double done_from;      /* how much of it was done before */
    size_t next_free;      /* index + 1 of another place that is free */
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
    size_t first_free;  /* index + 1 */
    struct bl_map live; /* job id -> index + 1 of its end */
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
        bl_map_finish(&sim->live);
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

static void free_end(struct sim *sim, size_t place)
{
    sim->ends.at[place - 1].attempt = 0;
    sim->ends.at[place - 1].next_free = sim->first_free;
    sim->first_free = place;
}

/* The end that is to come of a job; NULL when there is none. */
static struct end *find_end(const struct sim *sim, bl_job_id job)
{
    size_t place = (uintptr_t)bl_map_find(&sim->live, job);

    return place ? &sim->ends.at[place - 1] : NULL;
}

/* In place of the one that the job had. */
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
    bl_map_remove(&sim->live, end.job);
    bl_map_insert(&sim->live, end.job, (void *)(uintptr_t)place);
    bl_heap_push(&sim->due, (struct bl_heap_item){.time = at,
                                                  .key = (int64_t)rank << RANK_SHIFT | sim->order++,
                                                  .value = (void *)(uintptr_t)place});
}

static enum bl_sim_rank rank_of(const struct bl_job *job, bl_time end)
{
    bool is_at_limit = job->spec.limit > 0 && end >= job->started_at + bl_job_longest_left(job);

    return is_at_limit || end >= job->planned_end ? BL_SIM_EXPECTED : BL_SIM_UNEXPECTED;
}

static void sim_start(void *self, const struct bl_engine_job *job)
{
    struct sim *sim = self;
    const struct end *live = find_end(sim, job->job->id);
    bl_time run = bl_job_attempt_time(job->job, bl_alloc_gpus(job->alloc));
    bl_time end = sim->now + run;
    bl_time delay = job->job->spec.restart < run ? job->job->spec.restart : run;

    if (live) { /* asked twice */
        assert(live->attempt == job->attempt);
        return;
    }
    BL_VEC_PUSH(&sim->started, (struct started){job->job->id, job->attempt});
    push_end(sim, end, rank_of(job->job, end),
             (struct end){.job = job->job->id,
                          .attempt = job->attempt,
                          .work_from = sim->now + delay,
                          .at = end,
                          .done_from = job->job->progress.begun_at});
}

/* What does not come any more gets out of the way. */
static void drop_void(struct sim *sim)
{
    const struct bl_heap_item *first;
    struct bl_heap_item item;

    while ((first = bl_heap_peek(&sim->due)) &&
           sim->ends.at[(uintptr_t)first->value - 1].attempt == 0) {
        bl_heap_pop(&sim->due, &item);
        free_end(sim, (uintptr_t)item.value);
    }
}

static void end_now(struct sim *sim, bl_job_id job, int32_t attempt, enum end_kind kind)
{
    struct end *end = find_end(sim, job);
    struct end now;

    if (!end || end->attempt != attempt || end->kind != END_OF_WORK) {
        return;
    }
    now = *end;
    now.kind = kind;
    end->attempt = 0;
    push_end(sim, sim->now, BL_SIM_EXPECTED, now);
    drop_void(sim);
}

static void sim_stop(void *self, bl_job_id job, int32_t attempt)
{
    end_now(self, job, attempt, END_STOPPED);
}

static void sim_save(void *self, const struct bl_engine_job *job)
{
    end_now(self, job->job->id, job->attempt, END_SAVED);
}

static void sim_adopt(void *self, const struct bl_engine_job *job)
{
    sim_start(self, job);
    if (job->stopping) {
        sim_stop(self, job->job->id, job->attempt);
    } else if (job->saving) {
        sim_save(self, job);
    }
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

static double done_at(const struct end *end, bl_time now)
{
    double part;

    if (now >= end->at) {
        return 1;
    }
    part = now > end->work_from
               ? (double)(now - end->work_from) / (double)(end->at - end->work_from)
               : 0;
    return end->done_from + (1 - end->done_from) * part;
}

static void report_progress(struct sim *sim, const struct end *end, double done)
{
    struct bl_event *report = &sim->report;

    report->kind = BL_EVENT_JOB_PROGRESS;
    report->u.progress.done = done;
    report->u.progress.total = 1;
    report->u.progress.has_observation = false;
    report->u.progress.gpu_type = NULL;
    report->job = end->job;
    report->attempt = end->attempt;
    report->at = sim->now;
    sim->host.report(sim->host.self, report);
}

/* A job that saved its work leaves with the exit code for that, unless it came to its end. */
static void report_ended(struct sim *sim, const struct end *end, double done)
{
    static const int32_t codes[] = {
        [END_OF_WORK] = 0, [END_STOPPED] = SIGTERM, [END_SAVED] = EXIT_SAVED};
    struct bl_event *report = &sim->report;

    report->kind = BL_EVENT_JOB_ENDED;
    report->at = sim->now;
    report->job = end->job;
    report->attempt = end->attempt;
    report->u.ended.cause = end->kind == END_STOPPED ? BL_END_SIGNALLED : BL_END_EXITED;
    report->u.ended.code = end->kind == END_SAVED && done >= 1 ? 0 : codes[end->kind];
    sim->host.report(sim->host.self, report);
}

void bl_engine_sim_report_end(void *self)
{
    struct sim *sim = self;
    struct bl_heap_item item;
    bool has_end = bl_heap_pop(&sim->due, &item);
    struct end end;
    double done = 0;

    assert(has_end);
    end = sim->ends.at[(uintptr_t)item.value - 1];
    free_end(sim, (uintptr_t)item.value);
    bl_map_remove(&sim->live, end.job);
    drop_void(sim);
    if (end.kind == END_SAVED) {
        done = done_at(&end, sim->now);
        report_progress(sim, &end, done);
    }
    report_ended(sim, &end, done);
}

const struct bl_engine bl_engine_sim = {
    .name = "sim",
    .summary = "simulated jobs, for replays",
    .create = sim_create,
    .destroy = sim_destroy,
    .discover = sim_discover,
    .start = sim_start,
    .stop = sim_stop,
    .save = sim_save,
    .adopt = sim_adopt,
};
