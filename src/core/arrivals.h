/* Who will be submitted next, as a guess: what was submitted lately comes again, a stretch of it
 * from some place on, with the same gaps, the same jobs and the run times that they really had. */
#ifndef BL_CORE_ARRIVALS_H
#define BL_CORE_ARRIVALS_H

#include "base/rng.h"
#include "core/foretell.h"

enum {
    BL_ARRIVALS_MAX = 400, /* submissions that are remembered */
    BL_FUTURE_MAX = 4000   /* that one future has */
};

struct bl_arrivals; /* opaque */

struct bl_arrivals *bl_arrivals_create(void);
void bl_arrivals_destroy(struct bl_arrivals *arrivals);

/* A submission; ids rise. Jobs of a reservation, and elements of arrays, are none. The job is
 * borrowed until its end is noted. */
void bl_arrivals_note_submitted(struct bl_arrivals *arrivals, const struct bl_job *job);

/* How long it really ran; 0 = nobody will know, and it is as if it had never come. */
void bl_arrivals_note_ended(struct bl_arrivals *arrivals, const struct bl_job *job, bl_time run);

/* An ended job left memory: what is known here is what a restart would know. */
void bl_arrivals_forget(struct bl_arrivals *arrivals, bl_job_id id);

size_t bl_arrivals_count(const struct bl_arrivals *arrivals);

/* One draw of what is to come, for one look ahead: the same arrivals and seed give the same. */
struct bl_future {
    const struct bl_arrivals *arrivals; /* borrowed, and not to change */
    struct bl_rng rng;
    size_t place;     /* who comes next */
    bl_time at;       /* when the one before came */
    bl_time mean_gap; /* 0 = nobody comes */
    int32_t drawn;
    const struct bl_job *last; /* like whom the last one is */
};

void bl_future_begin(struct bl_future *future, const struct bl_arrivals *arrivals, bl_time now,
                     uint64_t seed);

/* For bl_foretell_options.arrivals. Nobody comes when too little was submitted so far, nor any more
 * when enough was drawn. */
struct bl_foretell_source bl_future_source(struct bl_future *future);

#endif
