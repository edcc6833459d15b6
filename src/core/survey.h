/* Which GPUs can be booked during a slot: those that no other booking holds and that no running
 * job is sure to need then. Who gives way is no obstacle if there is time to ask. */
#ifndef BL_CORE_SURVEY_H
#define BL_CORE_SURVEY_H

#include "core/job.h"
#include "core/reservation.h"

/* What of a node can be booked. */
struct bl_survey_node {
    uint64_t gpu_mask; /* 0 on a node that only counts its GPUs */
    uint64_t first;    /* named before others: those that nobody is on now */
    int32_t gpus;
    int64_t cpu_milli, mem_bytes;
};

struct bl_survey;

/* For a booking to be made or changed: what it replaces is not in its way. From the arena. */
struct bl_survey *bl_survey_create(const struct bl_core *core, const struct bl_booking_wish *wish,
                                   struct bl_arena *arena);

/* Another spec from now on, of the same booking; borrowed. Forgets what was taken. */
void bl_survey_ask(struct bl_survey *survey, const struct bl_booking_spec *spec);

/* GPUs as the spec says, but so many and of this type (NULL = any), in the slot exactly. True and
 * *out filled, from the arena; what it names must then not be finished. */
bool bl_survey_find(struct bl_survey *survey, struct bl_slot slot, int32_t gpus,
                    const char *gpu_type, struct bl_alloc *out);

/* The same for a job, with what it needs of CPUs and memory. */
bool bl_survey_find_job(struct bl_survey *survey, struct bl_slot slot, const struct bl_job *job,
                        int32_t gpus, struct bl_alloc *out);

/* Whether it is of the type and the pool that the spec asks for. */
bool bl_survey_suits(const struct bl_survey *survey, const struct bl_alloc *alloc);

/* Whether all of this can be booked in the slot. */
bool bl_survey_has(struct bl_survey *survey, struct bl_slot slot, const struct bl_alloc *alloc);

/* What was found for one slot of the booking is not there for the others. */
void bl_survey_take(struct bl_survey *survey, struct bl_slot slot, const struct bl_alloc *alloc);

/* The most GPUs that it could have in the slot. */
int32_t bl_survey_most(struct bl_survey *survey, struct bl_slot slot, const char *gpu_type);

/* Instants at which something that is in the way now or later ends, or begins, rising and each
 * once. */
size_t bl_survey_instants(struct bl_survey *survey, bl_time **out);

/* Who holds GPUs in the slot that the booking could have otherwise. */
size_t bl_survey_conflicts(struct bl_survey *survey, struct bl_slot slot, struct bl_conflict *out,
                           size_t most);

#endif
