#include "honest.h"

#include "base/own.h"
#include "core/foretell.h"

#include <stdlib.h>

enum { CODE_SAVED = 85, ROUNDS_AGAIN = 8 };

static void step(struct honest *honest, struct bl_event event)
{
    event.at = honest->now;
    bl_core_step(honest->core, &event, &honest->actions);
}

/* The middle of what is foreseen. */
static bl_time length_of(const struct honest *honest, const struct bl_job *job)
{
    return bl_foretell_length(job, honest->now, BL_DAY, .5).length;
}

static void set_end(struct honest *honest, const struct bl_job *job)
{
    bl_time from = job->running_at ? job->running_at : job->started_at;
    bl_time end = from + length_of(honest, job) - job->ran_before;

    if (end <= honest->began || job->state == BL_JOB_STOPPING) {
        end = honest->now + 1;
    }
    bl_heap_push(&honest->ends,
                 (struct bl_heap_item){end, job->id, (void *)(uintptr_t)job->attempt});
}

static void note_start(struct honest *honest, bl_job_id id, bl_time at)
{
    bl_time *start = bl_map_find(&honest->started, id);

    if (!start) {
        start = bl_alloc_zero(sizeof *start);
        *start = at;
        bl_map_insert(&honest->started, id, start);
    }
}

bl_time honest_started(const struct honest *honest, bl_job_id id)
{
    const bl_time *start = bl_map_find(&honest->started, id);

    return start ? *start : BL_TIME_NEVER;
}

static void tell(struct honest *honest, enum bl_event_kind kind, const struct bl_job *job,
                 int32_t code)
{
    struct bl_event event = {.kind = kind, .job = job->id, .attempt = job->attempt};

    if (kind == BL_EVENT_JOB_ENDED) {
        event.u.ended.code = code;
    }
    step(honest, event);
}

static void carry_out(struct honest *honest, const struct bl_action *action)
{
    const struct bl_job *job = bl_core_find_job(honest->core, action->job);

    if (action->kind == BL_ACTION_START) {
        note_start(honest, job->id, honest->now);
        if (job->array_job) {
            note_start(honest, job->array_job->id, honest->now);
        }
        tell(honest, BL_EVENT_JOB_STARTED, job, 0);
        set_end(honest, job);
    } else if (action->kind != BL_ACTION_SIGNAL) {
        tell(honest, BL_EVENT_JOB_ENDED, job, action->kind == BL_ACTION_STOP ? 1 : CODE_SAVED);
    }
}

static void decide_once(struct honest *honest)
{
    struct bl_actions actions;

    step(honest, (struct bl_event){.kind = BL_EVENT_ROUND});
    actions = honest->actions;
    honest->actions = (struct bl_actions){0};
    for (size_t i = 0; i < actions.list.count; i++) {
        carry_out(honest, &actions.list.at[i]);
    }
    bl_actions_finish(&actions);
}

/* Who has left made room for others. */
static void decide(struct honest *honest)
{
    decide_once(honest);
    for (int i = 0; i < ROUNDS_AGAIN && bl_core_wants_round(honest->core); i++) {
        decide_once(honest);
    }
}

struct honest honest_new(struct bl_core *fork)
{
    struct honest honest = {.core = fork, .began = bl_core_now(fork), .now = bl_core_now(fork)};
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(honest.core, &cursor))) {
        if (job->state == BL_JOB_STARTING) {
            tell(&honest, BL_EVENT_JOB_STARTED, job, 0);
        }
        if (bl_job_state_is_active(job->state)) {
            note_start(&honest, job->id, job->running_at);
            set_end(&honest, job);
        }
    }
    decide(&honest);
    return honest;
}

void honest_free(struct honest *honest)
{
    size_t cursor = 0;
    bl_time *start;

    bl_core_destroy(honest->core);
    bl_heap_finish(&honest->ends);
    bl_actions_finish(&honest->actions);
    while ((start = bl_map_next(&honest->started, &cursor))) {
        free(start);
    }
    bl_map_finish(&honest->started);
}

static void end_due(struct honest *honest)
{
    const struct bl_heap_item *first;

    while ((first = bl_heap_peek(&honest->ends)) && first->time <= honest->now) {
        const struct bl_job *job = bl_core_find_job(honest->core, first->key);

        if (job && job->attempt == (int32_t)(uintptr_t)first->value &&
            bl_job_state_is_active(job->state)) {
            tell(honest, BL_EVENT_JOB_ENDED, job, 0);
        }
        bl_heap_pop(&honest->ends, &(struct bl_heap_item){0});
    }
}

/* False when nothing happens any more. */
static bool pass(struct honest *honest, bl_time last)
{
    const struct bl_heap_item *first = bl_heap_peek(&honest->ends);
    bl_time wake = bl_core_next_wake(honest->core);
    bl_time next = first && first->time < wake ? first->time : wake;

    if (next > last) {
        return false;
    }
    honest->now = next > honest->now ? next : honest->now;
    end_due(honest);
    if (bl_core_wants_round(honest->core) || bl_core_next_wake(honest->core) <= honest->now) {
        decide(honest);
    }
    return true;
}

bl_time honest_start_of(struct honest *honest, bl_job_id id)
{
    bl_time last = honest->now + 366 * BL_DAY;

    while (honest_started(honest, id) == BL_TIME_NEVER && pass(honest, last)) {
    }
    return honest_started(honest, id);
}

void honest_run(struct honest *honest)
{
    bl_time last = honest->now + 366 * BL_DAY;

    while (pass(honest, last)) {
    }
}
