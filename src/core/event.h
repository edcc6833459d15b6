/* What goes into the core. The state is a fold over events: the same events give the same state
 * and, at each ROUND, the same actions. Every event is legal in every state; one that no longer
 * makes sense (an end that was already known, a cancel of an ended job) changes nothing. */
#ifndef BL_CORE_EVENT_H
#define BL_CORE_EVENT_H

#include "base/span.h"
#include "core/cluster.h"
#include "core/curves.h"
#include "core/job.h"
#include "core/observation.h"
#include "core/policy.h"
#include "core/predict.h"
#include "core/reservation.h"
#include "core/tally.h"
#include "core/told.h"

enum bl_event_kind {
    BL_EVENT_POLICY_SET,
    BL_EVENT_NODE_ADDED, /* new, or another shape of one that nobody uses */
    BL_EVENT_NODE_STATE,
    BL_EVENT_GPU_STATE, /* the engine says which GPUs of a node are lost; all others are there */
    BL_EVENT_JOB_SUBMITTED,
    BL_EVENT_JOB_CANCELLED,    /* asked for; the end comes as its own event. Also of an element
                                  that has not started, by its id */
    BL_EVENT_JOB_STARTED,      /* the engine says: the process lives */
    BL_EVENT_JOB_START_FAILED, /* the engine says: it never lived */
    BL_EVENT_JOB_ENDED,        /* the engine says: nothing of it is left */
    BL_EVENT_JOB_HELD,
    BL_EVENT_JOB_RELEASED,
    BL_EVENT_JOB_REQUEUED, /* asked for: stop it and put it back */
    BL_EVENT_JOB_CHANGED,
    BL_EVENT_JOB_MOVED,        /* in the queue, before another */
    BL_EVENT_JOB_PROGRESS,     /* how far it has come, from itself or the engine */
    BL_EVENT_JOB_RESIZE_ASKED, /* somebody wants it on so many GPUs */
    BL_EVENT_JOB_RESTORED,     /* from a snapshot: a job as it stood */
    BL_EVENT_RUN_LEARNED,      /* from a snapshot: a run that predictions rest on */
    BL_EVENT_FACT_LEARNED,     /* from a snapshot: what a predictor learnt besides */
    BL_EVENT_COUNTS_LEARNED,   /* from a snapshot: what was counted so far */
    BL_EVENT_CURVE_LEARNED,  /* from a snapshot or a profile: a piece of what is known of speeds */
    BL_EVENT_ROUND_WISHED,   /* from a snapshot: when the policy wants a round */
    BL_EVENT_JOBS_FORGOTTEN, /* ended jobs leave memory */
    BL_EVENT_RESERVED,       /* one that conflicts with others changes nothing; so the next */
    BL_EVENT_RESERVATION_CHANGED,
    BL_EVENT_RESERVATION_CANCELLED,
    BL_EVENT_RESERVATION_RESTORED, /* from a snapshot: a booking as it stood */
    BL_EVENT_SAVE_LEARNED,         /* from a snapshot: how long jobs took to save their work */
    BL_EVENT_FORETOLD,             /* people were told when jobs would start and end */
    BL_EVENT_CLOCK_JUMPED, /* the clock was set; runs and back-offs are measured without it */
    BL_EVENT_ROUND,        /* decide now */
    BL_EVENT_COUNT
};

/* GONE: it is over, and nobody could learn how. */
enum bl_end_cause { BL_END_EXITED, BL_END_SIGNALLED, BL_END_LOST, BL_END_GONE, BL_END_COUNT };

/* What may be changed of a job that was submitted; only fields with `set_` are looked at. What it
 * asks of the machine, its class and its earliest start change only while it does not run. */
struct bl_job_change {
    bool set_limit, set_priority, set_gpus, set_not_before, set_restart;
    bool set_gpu_types, set_nodes, set_class;
    bl_time limit;
    int32_t priority;
    int32_t gpus_min, gpus_want, gpus_max;
    bl_time not_before;
    bool may_restart;
    const char *gpu_type[BL_JOB_GPU_TYPES_MAX]; /* allowed types; none = any */
    size_t gpu_type_count;
    int32_t nodes_max; /* 0 = any number */
    enum bl_job_class job_class;
};

/* A job as it stood when a snapshot was made. What follows from other jobs (who waits for whom, the
 * order of the queue, timers) is made anew. */
struct bl_job_past {
    struct bl_job_spec spec;
    enum bl_job_state state, stop_as;
    struct bl_reason reason;
    bl_time submitted_at, eligible_at, started_at, running_at, ended_at, planned_end;
    bl_time predicted_run, ready_at, order_at;
    int32_t order_rank;
    int32_t exit_code;
    bool has_exit_code, is_held, is_warned;
    int32_t failures, start_failures, requeues;
    bl_job_id array_job; /* of an element, else 0 */
    int32_t array_position;
    const char *outcome;  /* of an array: a letter a position, '.', 'o' or 'x' */
    const int32_t *ready; /* of an array that waits for each: positions not yet started, in order */
    size_t ready_count;
    int32_t array_next;
    int32_t ended_as[BL_JOB_STATE_COUNT];
    const struct bl_alloc *alloc; /* NULL when nothing is booked */
    const struct bl_alloc *next;  /* of a job that is resized, else NULL */
    struct bl_progress progress;
    bl_time first_started_at, ran_before, held_at, save_time;
    double attained;
    int32_t restarts, preemptions, gpus_wish, level;
    bl_time level_at, stop_at, promised_at, inside_at;
    struct bl_guarded guard;
    struct bl_foresight foresight;   /* `user`, `mean` and `haste` are made anew */
    struct bl_job_attempts attempts; /* borrowed like the rest */
};

/* Pointers inside are borrowed for the length of the call. */
struct bl_event {
    enum bl_event_kind kind;
    bl_time at;      /* never before that of the event before it: the driver sees to that */
    bl_job_id job;   /* JOB_* */
    int32_t attempt; /* JOB_STARTED, JOB_START_FAILED, JOB_ENDED: a stale one changes nothing */
    union {
        struct bl_policy_choice policy; /* POLICY_SET */
        struct bl_node_spec node;       /* NODE_ADDED */
        struct {
            const char *name;
            enum bl_node_state state;
            bl_time from; /* DRAINED: from this instant on, 0 = at once */
        } node_state;     /* NODE_STATE */
        struct {
            const char *name;
            int64_t lost;             /* bits, as those of masks */
            bl_time since;            /* from a snapshot: when the last was lost; 0 = now */
        } gpu_state;                  /* GPU_STATE */
        struct bl_job_spec submitted; /* JOB_SUBMITTED; the id must be new and rising */
        struct {
            int64_t uid;              /* of who asked */
        } cancelled;                  /* JOB_CANCELLED, JOB_HELD, JOB_RELEASED, JOB_REQUEUED */
        struct bl_job_change changed; /* JOB_CHANGED */
        struct {
            bl_job_id before;
        } moved; /* JOB_MOVED */
        struct {
            int64_t pid; /* for the record; the core does not use it */
        } started;       /* JOB_STARTED */
        struct {
            enum bl_start_stage stage;
            int32_t error_number;
        } start_failed; /* JOB_START_FAILED */
        struct {
            enum bl_end_cause cause;
            int32_t code; /* exit code or signal number */
        } ended;          /* JOB_ENDED */
        struct {
            double done, total; /* units of work; total 0 = unknown */
            bool has_observation;
            const char *gpu_type;              /* of the observation; NULL = the one it runs on */
            struct bl_observation observation; /* its `type` is not looked at */
        } progress;                            /* JOB_PROGRESS */
        struct {
            int64_t uid;
            int32_t gpus;                   /* a legal count; 0 = as the policy likes */
        } resize_asked;                     /* JOB_RESIZE_ASKED */
        const struct bl_job_past *restored; /* JOB_RESTORED; `attempt` is the event's */
        struct {
            const char *user; /* of records of old, over that of the traits; else NULL */
            bl_time run;
            int64_t number; /* in the history; 0 = the next */
            struct bl_traits traits;
        } learned;           /* RUN_LEARNED */
        struct bl_fact fact; /* FACT_LEARNED */
        struct bl_kept kept; /* COUNTS_LEARNED */
        struct {
            const struct bl_told_row *row;
            size_t count;
        } foretold; /* FORETOLD */
        struct {
            const char *gpu_type;    /* of a point; NULL = none */
            struct bl_lesson lesson; /* its `point.type` is not looked at */
        } curve;                     /* CURVE_LEARNED */
        struct {
            bl_time at;
        } wished; /* ROUND_WISHED */
        struct {
            bl_time before; /* those that ended earlier, unless somebody still asks for them */
        } forgotten;        /* JOBS_FORGOTTEN */
        const struct bl_booking_spec *reserved; /* RESERVED; the id must be new and rising */
        struct bl_booking_wish rebooked;        /* RESERVATION_CHANGED */
        struct {
            int64_t id;
            int32_t occurrence;                /* 0 = all that are to come, or go on */
            bool following;                    /* that one and all after it */
            int64_t uid;                       /* of who asked */
        } unreserved;                          /* RESERVATION_CANCELLED */
        const struct bl_booking_past *booking; /* RESERVATION_RESTORED */
        struct {
            const char *application;
            bl_time time;
        } save; /* SAVE_LEARNED */
        struct {
            bl_time by; /* by how far `at` leapt; negative changes nothing: `at` never goes back */
        } jumped;       /* CLOCK_JUMPED */
    } u;
};

/* The spec with what the change asks of the machine, and its class, in it; borrows from both. */
struct bl_job_spec bl_job_changed_shape(const struct bl_job_spec *spec,
                                        const struct bl_job_change *change);

const char *bl_event_name(enum bl_event_kind kind);       /* "job_submitted" … */
int bl_event_find(const char *name);                      /* or -1 */
const char *bl_end_cause_name(enum bl_end_cause cause);   /* "exited" … */
int bl_end_cause_find(const char *name);                  /* or -1 */
const char *bl_node_state_name(enum bl_node_state state); /* "up" … */
int bl_node_state_find(const char *name);                 /* or -1 */

#endif
