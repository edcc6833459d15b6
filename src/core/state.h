/* Inside of the core, shared by core.c, apply.c, decide.c and explain.c only. */
#ifndef BL_CORE_STATE_H
#define BL_CORE_STATE_H

#include "base/arena.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/arrivals.h"
#include "core/core.h"
#include "core/graph.h"
#include "core/predictions.h"
#include "core/scores.h"
#include "core/view.h"

#include <stdint.h>

/* What an instant is waited for. The subject is a job's id; for a drain a node's index. */
enum bl_timer {
    BL_TIMER_LIMIT,   /* a running job is over its limit */
    BL_TIMER_WARNING, /* the signal before that */
    BL_TIMER_READY,   /* a waiting job may start from now on */
    BL_TIMER_DRAIN,
    BL_TIMER_COUNT
};

struct bl_queue {
    struct bl_queue_entry *at;
    size_t count;
    size_t capacity;
};

struct bl_core {
    enum bl_retention retention;
    bl_time now;
    bool wants_round;
    struct bl_cluster cluster;
    struct bl_policy_choice choice; /* choice.policy is NULL before POLICY_SET */
    void *policy_self;
    struct bl_map jobs; /* id -> struct bl_job *, owned */
    struct bl_graph graph;
    struct bl_queue queue;                   /* by (order_at, order_rank, id) */
    struct bl_queue booked;                  /* the same, of jobs that run in a reservation alone:
                                                policies do not see them */
    BL_VEC(struct bl_running_entry) running; /* by (planned_end, id) */
    struct bl_heap timers;                   /* rows that no longer matter are skipped */
    BL_VEC(bl_job_id) to_stop;               /* to be stopped, the engine not yet told */
    BL_VEC(bl_job_id) to_start;              /* resized, to be started again, likewise */
    bl_time wake_at;                         /* the policy wants a round then; 0 = no wish */
    bool has_wishes;                         /* somebody once asked for a size */
    struct bl_job *forgotten; /* freed at the next step: callers may still look at it */
    struct bl_arena scratch;
    struct bl_memo memo; /* of explanations; every step forgets it */
    struct bl_metrics *metrics;
    struct bl_scores *scores;
    struct bl_predictions *predictions;
    struct bl_arrivals *arrivals;
    struct bl_curves *curves;
    const struct bl_oracle *oracle; /* or NULL */
    struct bl_bookings *bookings;   /* core/bookings.h */
    bool is_fork;
    bool learns; /* off where nobody asks for predictions: replays of large logs */
};

struct bl_decision {
    struct bl_core *core;
    struct bl_view *view;
    struct bl_actions *actions;
    size_t started;
};

/* An element of an array that ended, or never will start. */
struct bl_news {
    bl_job_id array_job;
    int32_t position;
};

/* What ended in this step and whose dependents are still to be told, in order: a list and not
 * recursion, for chains may be long. */
struct bl_endings {
    BL_VEC(struct bl_job *) list;
    BL_VEC(struct bl_news) news;
};

/* apply.c, decide.c */
void bl_core_apply(struct bl_core *core, const struct bl_event *event);
void bl_core_decide(struct bl_core *core, struct bl_actions *actions);
struct bl_view bl_core_view(struct bl_core *core);
/* The job, which queues, holds all of this from now on; the engine is not told here. */
void bl_core_book(struct bl_core *core, struct bl_job *job, const struct bl_alloc *alloc,
                  const struct bl_reason *reason, bl_time planned_end);
/* Starts what stands at the entry of either queue; as bl_decision_start otherwise. */
void bl_core_start_entry(struct bl_decision *decision, struct bl_queue_entry *entry,
                         const struct bl_alloc *alloc, const struct bl_reason *reason);
/* Entries whose job has started leave the queue. */
void bl_queue_drop_started(struct bl_queue *queue);

/* adopt.c: a process that runs already, booked where it runs; nothing when that cannot be. */
void bl_core_adopt(struct bl_core *core, const struct bl_event *event);

/* calendar.c: reservations as time goes on. In a round, in this order: states turn; who gives way
 * does; what has its slot starts. */
void bl_core_turn_calendar(struct bl_core *core);
void bl_core_start_slots(struct bl_core *core, struct bl_decision *decision);
/* After a round: when the next one is due for a reservation, and what is idle for one. */
void bl_core_settle_calendar(struct bl_core *core);
/* Nodes came or went: what is held there moves to equal GPUs, or is degraded. */
void bl_core_rehome(struct bl_core *core);
/* Why a job of a booking waits. */
struct bl_reason bl_core_explain_booked(const struct bl_core *core, const struct bl_job *job);

/* promise.c */
/* Gives a job that asked for it its latest start, anew if it has one; nothing when none can be
 * given, as to a job that is held. */
void bl_core_promise(struct bl_core *core, struct bl_job *job);
/* What is held for it is lost, or its instant has passed. */
bool bl_core_is_promise_broken(const struct bl_core *core, const struct bl_job *job);

/* gpus_lost.c: some came back, or were lost, and who is on them is put back. */
void bl_core_gpus_lost(struct bl_core *core, const struct bl_event *event);

/* clearing.c */
void bl_core_clear_slots(struct bl_core *core, struct bl_decision *decision);

/* job_memory.c */
struct bl_job *bl_job_create(const struct bl_event *event);
struct bl_job *bl_job_create_element(struct bl_job *array_job, int32_t position);
void bl_job_destroy(struct bl_job *job);

/* lifecycle.c: every change of a job's state. */
/* Whether anybody will ask for attempts that are over. */
bool bl_core_keeps_attempts(const struct bl_core *core);
void bl_job_set_state(struct bl_job *job, enum bl_job_state state);
/* Held, waiting or queued, by what stands in its way. */
void bl_core_line_up(struct bl_core *core, struct bl_job *job);
/* Takes a queued, waiting or held job out of its line; it stays in that state. */
void bl_core_step_out(struct bl_core *core, struct bl_job *job);
/* Stops an active job, or notes what it is to become when it is stopped already. */
void bl_core_stop_job(struct bl_core *core, struct bl_job *job, enum bl_job_state as);
/* Resources back, and to the end of its life, or back in line. */
void bl_core_end_job(struct bl_core *core, struct bl_job *job, enum bl_job_state as,
                     struct bl_endings *endings);
void bl_core_put_back(struct bl_core *core, struct bl_job *job);
/* What predictions learn: failures, cancellations and limits are part of how long jobs run. One
 * that was lost says nothing, and one that failed before any time passed says 0. */
bl_time bl_job_length_of_run(const struct bl_job *job);
void bl_core_settle_endings(struct bl_core *core, struct bl_endings *endings);

/* retry.c: what follows when an attempt ended otherwise than well. */
void bl_core_attempt_ended(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                           struct bl_endings *endings);
void bl_core_start_failed(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                          struct bl_endings *endings);

/* resize.c: running jobs that change their size. */
/* Adds up what it held so far; before its allocation changes. */
void bl_core_settle_held(struct bl_core *core, struct bl_job *job);
/* The attempt that was to save its work has ended: how long that took. */
void bl_core_note_saved(const struct bl_core *core, struct bl_job *job);
/* Its attempt is over: it starts again on its new GPUs, or goes back when they went down. */
void bl_core_resize_ended(struct bl_core *core, struct bl_job *job);
/* It is to start again, but no engine knows of that attempt yet. */
bool bl_core_is_untold(const struct bl_core *core, const struct bl_job *job);
void bl_core_push_restarts(struct bl_core *core, struct bl_actions *actions);
void bl_core_grant_wishes(struct bl_core *core, struct bl_decision *decision);

/* control.c: what people ask for. */
void bl_core_control(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                     struct bl_endings *endings);

/* array.c */
struct bl_array *bl_array_create(const struct bl_job_spec *spec);
void bl_array_destroy(struct bl_array *array);
/* The position of the element that would start next, -1 when none may now. */
int32_t bl_array_peek(const struct bl_job *array_job);
/* Makes that element a job of its own, queued but in no line. */
struct bl_job *bl_array_take(struct bl_core *core, struct bl_job *array_job);
void bl_array_note_ended(struct bl_core *core, struct bl_job *element, struct bl_endings *endings);
/* Cancels what has not started; ends the array when nothing of it is active. */
void bl_array_cancel(struct bl_core *core, struct bl_job *array_job, struct bl_endings *endings);
/* Cancels the element with that id, which has not started; nothing when there is none. */
void bl_array_cancel_pending(struct bl_core *core, bl_job_id id, struct bl_endings *endings);
/* Brings an array that waits for another's elements up to date with those that ended already;
 * false when the two do not match. */
bool bl_array_link_each(struct bl_job *array_job, const struct bl_job *other);
void bl_array_end_if_done(struct bl_core *core, struct bl_job *array_job,
                          struct bl_endings *endings);
/* Tells arrays whose elements wait for their counterparts in this one. */
void bl_array_tell(struct bl_core *core, const struct bl_news *news, struct bl_endings *endings);

/* learn.c: what running jobs show of their speed. */
/* Of a report that is about to be applied. */
void bl_core_learn_progress(struct bl_core *core, const struct bl_event *event, struct bl_job *job);
void bl_core_learn_completed(struct bl_core *core, const struct bl_job *job);
void bl_core_learn_lesson(struct bl_core *core, const struct bl_event *event);
/* `emit` gets CURVE_LEARNED events without an instant. */
void bl_core_export_curves(const struct bl_core *core,
                           void (*emit)(void *self, const struct bl_event *event), void *self);

/* snapshot.c */
void bl_core_restore_job(struct bl_core *core, const struct bl_event *event);
void bl_core_forget_jobs(struct bl_core *core, bl_time before);

/* timer.c */
void bl_core_set_timer(struct bl_core *core, enum bl_timer kind, int64_t subject, bl_time at);
/* For a job that runs and has a limit. A warning that would be due already is due at once. */
void bl_core_set_limit_timers(struct bl_core *core, const struct bl_job *job);
/* The clock was set forward: what runs is no older for it. */
void bl_core_shift_clock(struct bl_core *core, bl_time by);
bool bl_core_pop_due(struct bl_core *core, enum bl_timer *kind, int64_t *subject);
void bl_core_drop_stale_timers(struct bl_core *core);

/* order.c: the queue and the running jobs in their orders. */
void bl_core_enqueue(struct bl_core *core, struct bl_job *job);
void bl_core_dequeue(struct bl_core *core, const struct bl_job *job);
void bl_core_note_running(struct bl_core *core, struct bl_job *job, bl_time planned_end);
void bl_core_drop_running(struct bl_core *core, const struct bl_job *job);
void bl_core_replan_running(struct bl_core *core, struct bl_job *job);
void bl_core_replan_all(struct bl_core *core);
/* Jobs that run longer than they were planned to are planned to their limit. */
void bl_core_extend_overdue(struct bl_core *core);

#endif
