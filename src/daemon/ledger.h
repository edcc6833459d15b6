/* The core together with what a daemon knows besides: commands, pids, where a job ran. Replay at
 * start and life afterwards both come through bl_ledger_apply, so that they cannot differ. */
#ifndef BL_DAEMON_LEDGER_H
#define BL_DAEMON_LEDGER_H

#include "base/vec.h"
#include "core/core.h"
#include "core/graph.h"
#include "daemon/booking_watch.h"
#include "daemon/outlook.h"
#include "form/launch.h"

struct bl_ledger_job {
    bl_job_id id;
    struct bl_launch launch; /* empty for an element: see bl_ledger_launch */
    struct bl_alloc alloc;   /* of the current or last attempt */
    int64_t pid;             /* 0 unless its process was reported */
    enum bl_job_state seen;
    bl_time seen_running_at;
    bool is_timed;       /* stands in `timed` */
    bool is_queued;      /* counts among `queued_count` */
    int32_t *counted_in; /* of the `population`; NULL = it has ended */
    int32_t counted;
    int64_t kept_at; /* the snapshot that has its end; 0 = none has */
    int32_t earlier; /* the number of the last attempt before the present one; 0 = none */
};

/* A job that has left memory. */
struct bl_forgotten_job {
    bl_job_id id;
    int32_t earlier; /* as of its entry */
};

/* Who else wants every row and record, in order, once it is applied. */
struct bl_ledger_tap {
    void *self;
    void (*take)(void *self, int64_t seq, const char *bytes, size_t length);
};

struct bl_ledger {
    struct bl_core *core;
    int64_t seq;               /* of the last applied record */
    bl_job_id last_id;         /* the highest there was */
    struct bl_map jobs;        /* id -> struct bl_ledger_job, owned */
    struct bl_graph graph;     /* who waits for whom */
    struct bl_arena arena;     /* one record */
    struct bl_actions actions; /* of the record, when it was a ROUND */
    struct bl_outlook *outlook;
    struct bl_ledger_tap tap;                               /* `take` NULL = nobody */
    size_t queued_count;                                    /* jobs in line */
    int32_t population[BL_CLASS_COUNT][BL_JOB_STATE_COUNT]; /* that have not ended; each element of
                                                               an array is one */
    bl_time next_drain;         /* a round after it finds nodes drained; BL_TIME_NEVER = none */
    BL_VEC(bl_time) away_since; /* by node: when it was first seen not up; 0 = it is up */

    BL_VEC(bl_job_id) active; /* jobs that hold resources, in order of id */
    BL_VEC(bl_job_id) timed;  /* jobs that wait for an instant: a round may bring them on */
    BL_VEC(bl_job_id) gone;   /* jobs that left memory and stand in a snapshot */

    /* What the last record changed, until the next one. */
    BL_VEC(bl_job_id) changed_jobs;
    BL_VEC(struct bl_forgotten_job) forgotten_jobs;
    bool changed_nodes;
    struct bl_booking_watch bookings; /* its `changes` */
    enum bl_event_kind kind;
};

struct bl_ledger *bl_ledger_create(void);
void bl_ledger_destroy(struct bl_ledger *ledger);

/* Takes one row of the snapshot `seq`, before any record. */
int bl_ledger_restore(struct bl_ledger *ledger, int64_t seq, const char *bytes, size_t length,
                      struct bl_error *err);

/* Applies one journal record. A record that cannot be read is an error that names it. */
int bl_ledger_apply(struct bl_ledger *ledger, int64_t seq, const char *bytes, size_t length,
                    struct bl_error *err);

/* Appends the last ROUND's actions as lines. */
void bl_ledger_print_actions(const struct bl_ledger *ledger, struct bl_buf *out);

/* Asserts that the job is there. */
const struct bl_ledger_job *bl_ledger_get(const struct bl_ledger *ledger, bl_job_id id);

/* Since when the node has not been up, as far as is known; 0 = it is up. */
bl_time bl_ledger_away_since(const struct bl_ledger *ledger, size_t node);

/* Whether just the GPUs that a GPU_STATE calls lost are so in the books. */
bool bl_ledger_knows_gpus(const struct bl_ledger *ledger, const struct bl_event *event);

/* Whether a round may find something although nothing happened: what queues, or a policy that goes
 * by how far the jobs have come. */
bool bl_ledger_needs_looks(const struct bl_ledger *ledger);

/* The launch of a job; of an element that of its array. */
const struct bl_launch *bl_ledger_launch(const struct bl_ledger *ledger, const struct bl_job *job);

#endif
