/* Reservations and promises: GPUs that are somebody's from one instant to another.
 *
 * A booking is what somebody made. It has one occurrence, or several (a series that was expanded
 * outside: the core knows instants only). All occurrences of a booking are booked together or not
 * at all. Each holds GPUs on nodes, chosen when it is applied, and with every GPU its share of the
 * node's CPUs and memory.
 *
 * A promise is a booking of the core's own for one job: from the job's latest start on, until the
 * job starts. Its id is the job's, negated. */
#ifndef BL_CORE_RESERVATION_H
#define BL_CORE_RESERVATION_H

#include "base/arena.h"
#include "base/span.h"
#include "core/cluster.h"
#include "core/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_BOOKING_SLOTS_MAX = 1000,
    BL_OCCURRENCE_NUMBER_MAX = 1 << 20,
    BL_BOOKING_ON_MAX = 1024,   /* nodes that it names */
    BL_BOOKING_TEXT_MAX = 1024, /* bytes of its rule, zone or name */
    BL_BOOKINGS_MAX = 100000,   /* unfinished occurrences of a core */
    BL_OPENINGS_MAX = 8,        /* that an answer lists */
    BL_CONFLICTS_MAX = 16
};

/* Nothing is booked further ahead, and nothing that began longer ago. */
#define BL_BOOKING_HORIZON  (400 * BL_DAY)
#define BL_BOOKING_LATE_MAX (5 * BL_MINUTE)

struct bl_job_spec;

struct bl_slot {
    bl_time start, end; /* [start, end) */
};

/* GPUs that are asked for by name. */
struct bl_booking_place {
    const char *node;
    uint64_t gpu_mask; /* of a node whose GPUs have an identity; 0 = all of the node */
};

/* What was asked. Strings and arrays are borrowed; the core copies. */
struct bl_booking_spec {
    int64_t id;       /* "r17"; rising, given by the driver */
    const char *name; /* NULL where there is none; so all texts */
    const char *user;
    const char *project;
    int64_t uid;
    int32_t gpus;         /* how many; 0 when `on` names them */
    const char *gpu_type; /* NULL = any; all GPUs of an occurrence have one type anyway */
    const char *pool;     /* NULL = any */
    const struct bl_booking_place *on; /* none = wherever they are free */
    size_t on_count;
    bl_time flex;          /* each occurrence may begin so much later */
    bl_time release_after; /* not used so long after its start, it is given up; 0 = never */
    const char *rule;      /* the text of a series' rule and of its zone: for views alone */
    const char *zone;
    const struct bl_slot *slot; /* in order of their starts */
    const int32_t *number;      /* of each slot, rising; NULL = one after the other */
    size_t slot_count;
    bool is_closed; /* of a series: nothing is to be added at its end, somebody cut it off */
};

/* A booking to be made, or one to be changed: spec->id names it then. */
struct bl_booking_wish {
    const struct bl_booking_spec *spec;
    int32_t first; /* the occurrence from which on it changes; 0 = it is new */
    bool only;     /* that one alone, to spec->slot[0]; else all from `first` on become
                      spec->slot[0], spec->slot[1], …; those that are over stay, with their numbers,
                      where no slot takes them */
    bl_time now;   /* of who asks before there is an event; 0 = the core's */
};

/* The number of the occurrence that a slot becomes. */
int32_t bl_booking_wish_number(const struct bl_booking_wish *wish, size_t slot);

enum bl_occurrence_state {
    BL_OCCURRENCE_BOOKED,
    BL_OCCURRENCE_CLEARING, /* who may give way is leaving its GPUs */
    BL_OCCURRENCE_ACTIVE,
    BL_OCCURRENCE_ENDED,
    BL_OCCURRENCE_RELEASED, /* nobody came */
    BL_OCCURRENCE_CANCELLED,
    BL_OCCURRENCE_STATE_COUNT
};

struct bl_occurrence {
    int32_t number; /* from 1 on */
    enum bl_occurrence_state state;
    bl_time start, end;
    bl_time asked_start; /* before `flex` moved it */
    bl_time ended_at;    /* when it ended, was released or cancelled; 0 before */
    bool is_used;        /* a job of the booking has run in it */
    bool is_degraded;    /* GPUs of it are lost, and there are no equal ones */
    bool is_moved;       /* it lost GPUs and was given equal ones */
    struct bl_alloc alloc;
};

struct bl_booking {
    struct bl_booking_spec spec; /* owns what it points to; slots and their numbers are not kept */
    int32_t revision;            /* grows with every change */
    bl_time made_at;
    struct bl_occurrence *occurrence; /* in order of their numbers, which stay; owned */
    size_t occurrence_count;
};

/* A booking as it stood when a snapshot was made. */
struct bl_booking_past {
    struct bl_booking_spec spec;
    int32_t revision;
    bl_time made_at;
    const struct bl_occurrence *occurrence;
    size_t occurrence_count;
};

const char *bl_occurrence_state_name(enum bl_occurrence_state state); /* "booked" … */
int bl_occurrence_state_find(const char *name);                       /* or -1 */

/* Booked, clearing or active. */
bool bl_occurrence_is_live(const struct bl_occurrence *occurrence);

/* Why the job could run in no slot of its booking that is to come or goes on, with the numbers of
 * the best one: fewer GPUs than it needs, shorter than its limit or than it takes to stop, or there
 * is none. BL_REASON_NONE where it could. */
struct bl_core;
struct bl_job;
struct bl_reason bl_slot_misfit(const struct bl_core *core, const struct bl_job *job);
/* The same of one that is yet to be submitted. */
struct bl_reason bl_slot_misfit_of(const struct bl_core *core, const struct bl_job_spec *spec);
/* Whether this slot could take it. */
bool bl_slot_takes(const struct bl_core *core, const struct bl_job *job,
                   const struct bl_occurrence *slot);

/* Whether the job runs on GPUs that its user booked while it was on them, and that slot goes on. */
bool bl_job_is_inside(const struct bl_core *core, const struct bl_job *job, int64_t booking);
/* The first booking of which that is so; 0 = none. */
int64_t bl_job_inside_of(const struct bl_core *core, const struct bl_job *job);

/* Whether both name the same project. */
bool bl_booking_is_of_project(const struct bl_booking *booking, const struct bl_job_spec *spec);

/* The promise to a job is a booking, too. */
static inline int64_t bl_promise_of(bl_job_id job)
{
    return -job;
}
static inline bl_job_id bl_promised_job(const struct bl_booking *booking)
{
    return booking->spec.id < 0 ? -booking->spec.id : 0;
}

/* Why a booking cannot be: the first thing that is wrong with it. */
enum bl_booking_fault {
    BL_BOOKING_FINE,
    BL_BOOKING_NO_SUCH,   /* there is no such booking or occurrence, or it is over */
    BL_BOOKING_SLOTS,     /* none, too many, or not in order */
    BL_BOOKING_REVERSED,  /* a slot ends before it starts, or at once */
    BL_BOOKING_PAST,      /* a slot began longer than BL_BOOKING_LATE_MAX ago */
    BL_BOOKING_TOO_FAR,   /* beyond BL_BOOKING_HORIZON */
    BL_BOOKING_FLEX,      /* negative, or beyond the horizon; so `release_after` */
    BL_BOOKING_GPUS,      /* fewer than one */
    BL_BOOKING_NODE,      /* no such node, or no such GPU on it */
    BL_BOOKING_GPU_TYPE,  /* no such GPU type; or the named GPUs are not of it */
    BL_BOOKING_POOL,      /* no such pool; or the named nodes are not in it */
    BL_BOOKING_TOO_LARGE, /* more than the whole machine has; `most` of the openings tells */
    BL_BOOKING_TAKEN,     /* others have it then */
    BL_BOOKING_GOES_ON,   /* it has begun: it keeps the GPUs that it has */
    BL_BOOKING_FULL,      /* BL_BOOKINGS_MAX */
    BL_BOOKING_FAULT_COUNT
};

enum bl_opening_kind {
    BL_OPENING_LATER,     /* as asked, but later */
    BL_OPENING_EARLIER,   /* as asked, but earlier */
    BL_OPENING_FEWER,     /* then, with fewer GPUs */
    BL_OPENING_ELSEWHERE, /* then, on other GPUs than were named */
    BL_OPENING_OTHER_TYPE,
    BL_OPENING_KIND_COUNT
};

/* A way out: every slot moved by `shift`. */
struct bl_opening {
    enum bl_opening_kind kind;
    bl_time shift;
    bl_time start, end; /* of the slot that was in the way, moved */
    int32_t gpus;
    const char *gpu_type;
    struct bl_alloc alloc; /* what that slot would hold; from the arena, not to be finished */
};

/* Who is in the way. */
struct bl_conflict {
    int64_t booking;    /* 0 when it is a job */
    int32_t occurrence; /* of the booking */
    bl_job_id job;      /* 0 when it is a booking other than a promise */
    bl_time start, end; /* of a job: until its limit, BL_TIME_NEVER without one */
    int32_t gpus;       /* that it has of what could be booked */
};

struct bl_openings {
    enum bl_booking_fault fault; /* BL_BOOKING_FINE: it can be booked as it stands */
    size_t slot;                 /* the slot that is wrong or taken */
    int32_t gpus;                /* that it needs there */
    int32_t most;                /* and could have at most */
    struct bl_conflict conflict[BL_CONFLICTS_MAX];
    size_t conflict_count;
    struct bl_opening opening[BL_OPENINGS_MAX]; /* the nearest ones first, of each kind */
    size_t opening_count;
};

struct bl_core;

/* Whether it could be booked now; if not, why, and what fits instead. Changes nothing. */
void bl_openings_find(const struct bl_core *core, const struct bl_booking_wish *wish,
                      struct bl_arena *arena, struct bl_openings *out);

/* Views. Pointers are borrowed until the next step. */
const struct bl_booking *bl_core_find_booking(const struct bl_core *core, int64_t id); /* or NULL */
/* Walk over all bookings, promises too, in the order in which they came: start with *cursor = 0,
 * NULL at the end. */
const struct bl_booking *bl_core_next_booking(const struct bl_core *core, size_t *cursor);
/* The highest id that a booking ever had; 0 = none yet. */
int64_t bl_core_last_booking(const struct bl_core *core);
/* Calls `see` for each occurrence that overlaps [from, to), over ones too, by booking. */
void bl_core_each_occurrence(const struct bl_core *core, bl_time from, bl_time to,
                             void (*see)(void *self, const struct bl_booking *booking,
                                         const struct bl_occurrence *occurrence),
                             void *self);

#endif
