/* A daemon in small that writes a journal: jobs start at once, and end after the run that a test
 * gives them. */
#ifndef BL_KIT_RECORDER_H
#define BL_KIT_RECORDER_H

#include "base/heap.h"
#include "bl_test.h"
#include "core/core.h"
#include "form/policyspec.h"
#include "form/record.h"
#include "store/journal.h"

#include <stdlib.h>

enum { RECORDER_JOBS_MAX = 64 };

struct recorder {
    char dir[32];
    struct bl_journal *journal;
    struct bl_core *core;
    struct bl_actions actions;
    struct bl_heap ends;
    bl_time run[RECORDER_JOBS_MAX];  /* by id */
    int32_t code[RECORDER_JOBS_MAX]; /* with which it exits */
};

static inline void recorder_write(struct recorder *recorder, const struct bl_event *event)
{
    BL_AUTO_BUF record = {0};

    bl_record_write(&record, event, NULL);
    bl_journal_append(recorder->journal, bl_buf_text(&record), record.length);
    bl_core_step(recorder->core, event, &recorder->actions);
}

static inline void recorder_decide(struct recorder *recorder, bl_time now)
{
    while (bl_core_wants_round(recorder->core) || bl_core_next_wake(recorder->core) <= now) {
        recorder_write(recorder, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = now});
        for (size_t i = 0; i < recorder->actions.list.count; i++) {
            struct bl_action action = recorder->actions.list.at[i];
            struct bl_event event = {.at = now, .job = action.job, .attempt = action.attempt};

            event.kind = action.kind == BL_ACTION_START ? BL_EVENT_JOB_STARTED : BL_EVENT_JOB_ENDED;
            event.u.ended.cause = BL_END_SIGNALLED;
            event.u.ended.code = 15;
            if (event.kind == BL_EVENT_JOB_STARTED) {
                event.u.started.pid = 1;
                bl_heap_push(&recorder->ends,
                             (struct bl_heap_item){now + recorder->run[action.job], action.job,
                                                   (void *)(uintptr_t)action.attempt});
            }
            recorder_write(recorder, &event);
        }
    }
}

/* Time passes; jobs end in it. */
static inline void recorder_pass(struct recorder *recorder, bl_time until)
{
    struct bl_heap_item item;

    while (bl_heap_peek(&recorder->ends) && bl_heap_peek(&recorder->ends)->time <= until) {
        struct bl_event event = {.kind = BL_EVENT_JOB_ENDED};

        bl_heap_pop(&recorder->ends, &item);
        event.at = item.time;
        event.job = item.key;
        event.attempt = (int32_t)(uintptr_t)item.value;
        event.u.ended.code = recorder->code[item.key];
        recorder_write(recorder, &event);
        recorder_decide(recorder, item.time);
    }
}

static inline void recorder_event(struct recorder *recorder, const struct bl_event *event)
{
    recorder_pass(recorder, event->at);
    recorder_write(recorder, event);
    recorder_decide(recorder, event->at);
}

static inline void recorder_submit(struct recorder *recorder, bl_job_id id, bl_time at,
                                   const struct bl_job_spec *spec, bl_time run)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .at = at, .job = id};

    event.u.submitted = *spec;
    recorder->run[id] = run;
    recorder_event(recorder, &event);
}

/* One node with so many GPUs. */
static inline void recorder_begin(struct recorder *recorder, const char *policy, int32_t gpus)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET, .at = BL_DAY};
    struct bl_error err = {0};

    *recorder = (struct recorder){.dir = "/tmp/bl-recorder-XXXXXX"};
    assert_non_null(mkdtemp(recorder->dir));
    recorder->core = bl_core_create(BL_KEEP_ENDED);
    if (bl_journal_open(recorder->dir, &recorder->journal, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(bl_policyspec_parse(policy, &event.u.policy, NULL), BL_OK);
    recorder_write(recorder, &event);
    event.kind = BL_EVENT_NODE_ADDED;
    event.u.node = (struct bl_node_spec){
        .name = "n1", .gpu_type = "A100", .gpus = gpus, .cpu_milli = 64000, .mem_bytes = 1 << 30};
    recorder_write(recorder, &event);
}

/* The journal is complete from here on. */
static inline void recorder_close(struct recorder *recorder)
{
    bl_journal_close(recorder->journal);
    bl_actions_finish(&recorder->actions);
    bl_heap_finish(&recorder->ends);
    bl_core_destroy(recorder->core);
}

#endif
