/* What each GPU did, does and is planned to do, as bars on lanes. A lane is a GPU, or a node whose
 * GPUs are only counted. What runs or ran stands on the lanes that it has or had. What waits has no
 * GPUs yet: it is sketched on lanes that are free then, and has none where none is. Earlier
 * attempts of a job have bars of their own. */
#ifndef BL_DAEMON_TIMELINE_H
#define BL_DAEMON_TIMELINE_H

#include "base/arena.h"
#include "daemon/ledger.h"

enum { BL_TIMELINE_BARS_MAX = 20000 };

enum bl_bar_kind {
    BL_BAR_JOB,
    BL_BAR_DOWN,
    BL_BAR_RESERVATION,
    BL_BAR_CLEARING /* who may give way leaves the GPUs of a reservation before it starts */
};

struct bl_lane {
    int32_t node;
    int32_t gpu;  /* -1: all of a node that only counts them */
    int32_t gpus; /* 1, or how many there are */
};

struct bl_bar {
    enum bl_bar_kind kind;
    const struct bl_job *job;               /* JOB */
    const struct bl_job_attempt *attempt;   /* JOB: an earlier one; NULL = the present or last */
    int32_t node;                           /* DOWN */
    enum bl_node_state node_state;          /* DOWN */
    int32_t gpu;                            /* DOWN: of one GPU alone its number + 1, else 0 */
    const struct bl_booking *booking;       /* RESERVATION, CLEARING */
    const struct bl_occurrence *occurrence; /* the same */
    bl_time start;                          /* 0 = not known, before all that is */
    bl_time end;                            /* BL_TIME_NEVER = not known */
    bl_time end_p90;                        /* the same; 0 = nothing is uncertain about it */
    int32_t gpus;
    int32_t *lane; /* indices of lanes, rising */
    size_t lane_count;
};

/* All from the arena. */
struct bl_timeline {
    struct bl_lane *lane;
    size_t lane_count;
    struct bl_bar *bar; /* by start, then node or job */
    size_t bar_count;
    size_t left_out; /* bars beyond BL_TIMELINE_BARS_MAX: those that ended first, then what starts
                        last */
};

struct bl_window {
    bl_time from, to; /* a bar that has any instant in [from, to) is shown */
    bl_time now;
};

struct bl_timeline bl_timeline_make(const struct bl_ledger *ledger, const struct bl_window *window,
                                    struct bl_arena *arena);

/* Of what is over, these are told wherever they lie; ids rise. */
struct bl_timeline_also {
    const bl_job_id *job;
    size_t job_count;
    const int64_t *booking;
    size_t booking_count;
};

/* Whether the id is among these, which rise. */
bool bl_ids_have(const int64_t *ids, size_t count, int64_t id);

/* The same with all that is not over, wherever it lies, and without a ceiling. */
struct bl_timeline bl_timeline_make_whole(const struct bl_ledger *ledger,
                                          const struct bl_window *window,
                                          const struct bl_timeline_also *also,
                                          struct bl_arena *arena);
/* Leaves what bl_timeline_make would have told. */
void bl_timeline_narrow(struct bl_timeline *timeline, const struct bl_window *window);

bool bl_bar_is_in(const struct bl_bar *bar, const struct bl_window *window);
/* Whether it is a job that has not started. */
bool bl_bar_waits(const struct bl_bar *bar);
/* Whether it changes no more: what ran has ended, what was booked is past or was given up. */
bool bl_bar_is_over(const struct bl_bar *bar);
/* The number of the attempt that a job's bar is of; 0 = of none yet. */
int32_t bl_bar_attempt(const struct bl_bar *bar);
/* One number for a kind of bar and what it is about. */
int64_t bl_bar_key(const struct bl_bar *bar);
/* Differs when what is told of the bar differs, but for times that move with the present. */
uint64_t bl_bar_hash(const struct bl_bar *bar, bl_time now);
/* Whether one of its times moves with the present. */
bool bl_bar_drifts(const struct bl_bar *bar, bl_time now);

/* Whether the node has the kind of GPUs that the job asks for, whatever state it is in. */
bool bl_node_suits(const struct bl_node *node, const struct bl_job *job);

/* Appends the name of a lane: "n1:0", or the node's name. */
void bl_lane_print(struct bl_buf *out, const struct bl_cluster *cluster,
                   const struct bl_lane *lane);

#endif
