/* Bookings inside of the core; only for src/core. */
#ifndef BL_CORE_BOOKINGS_H
#define BL_CORE_BOOKINGS_H

#include "base/vec.h"
#include "core/hold.h"
#include "core/reservation.h"
#include "core/state.h"

/* An occurrence that is not over. */
struct bl_live {
    struct bl_booking *booking;
    size_t index;
};

struct bl_bookings {
    struct bl_map map;           /* id -> struct bl_booking *, owned */
    BL_VEC(struct bl_live) live; /* by (start, id, number) */
    struct bl_holds holds;       /* of those */
    struct bl_saves saves;
    int64_t last_id;
    BL_VEC(char *) owners; /* each name once, for the holds; owned */
    bl_time wake_at;       /* a round is due then; BL_TIME_NEVER = none */
    bool is_stale;         /* `live` and `holds` are no longer those of the map */
};

static inline struct bl_occurrence *bl_live_occurrence(const struct bl_live *live)
{
    return &live->booking->occurrence[live->index];
}

static inline bool bl_slot_goes_on(const struct bl_occurrence *slot, bl_time now)
{
    return bl_occurrence_is_live(slot) && slot->start <= now && now < slot->end;
}

/* reservation.c */
void bl_core_apply_booking(struct bl_core *core, const struct bl_event *event);
void bl_core_end_occurrence(struct bl_core *core, struct bl_occurrence *occurrence,
                            enum bl_occurrence_state as);
void bl_booking_destroy(struct bl_booking *booking);
/* A booking of these occurrences, which it copies; the id must be new. */
struct bl_booking *bl_core_add_booking(struct bl_core *core, const struct bl_booking_spec *spec,
                                       const struct bl_occurrence *occurrence, size_t count);
void bl_core_forget_bookings(struct bl_core *core, bl_time before);
struct bl_bookings *bl_bookings_create(void);
void bl_bookings_destroy(struct bl_bookings *bookings);

/* live.c: the lists that follow from the map. */
void bl_core_refresh_live(struct bl_core *core);
/* Who runs and will be gone when. */
void bl_core_cover_holds(struct bl_core *core);
/* When a running job is off its GPUs at the latest; BL_TIME_NEVER without a limit. */
bl_time bl_core_job_until(const struct bl_core *core, const struct bl_job *job);
/* The occurrence of the booking that goes on now and holds some of `alloc` (NULL = any); of several
 * the one that ends first, NULL when there is none. */
struct bl_occurrence *bl_core_open_slot(const struct bl_core *core, int64_t booking,
                                        const struct bl_alloc *alloc);

/* inside.c */
/* Whether a job that runs would be no obstacle to such a booking, if that began at once. */
bool bl_booking_takes_in(const struct bl_booking_spec *spec, const struct bl_job *job);
/* Whether it holds GPUs of the job for the job's user, and did when the job was last taken in. */
bool bl_slot_is_around(const struct bl_live *live, const struct bl_job *job);
/* Jobs of its user that run on the GPUs of an occurrence which goes on are inside from now on. */
void bl_core_take_in(struct bl_core *core, struct bl_booking *booking);
/* The same of one job that runs now, and all bookings of its user. */
void bl_core_use_own(struct bl_core *core, struct bl_job *job);

/* promise.c: other GPUs for it at the same instant; false when there are none. */
bool bl_core_move_promise(struct bl_core *core, const struct bl_live *live);

struct bl_survey;

/* booking_try.c: what a wish would become. */
struct bl_booking_try {
    enum bl_booking_fault fault;
    size_t slot;                      /* that is wrong or taken */
    struct bl_occurrence *occurrence; /* of each slot; from the arena */
};
struct bl_booking_try bl_booking_attempt(const struct bl_core *core,
                                         const struct bl_booking_wish *wish,
                                         struct bl_survey *survey, struct bl_arena *arena);
/* What can be said of it without looking at anybody else. */
enum bl_booking_fault bl_booking_check(const struct bl_core *core,
                                       const struct bl_booking_wish *wish, size_t *slot);
/* Whether what is to be changed in that slot has begun. */
bool bl_booking_goes_on(const struct bl_core *core, const struct bl_booking_wish *wish,
                        size_t slot);
int32_t bl_booking_gpus(const struct bl_core *core, const struct bl_booking_spec *spec);

#endif
