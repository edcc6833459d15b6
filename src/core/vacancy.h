/* How many GPUs will be free when: looks ahead (core/foretell.h), one beside the other, and what
 * they come to at instants that are a step apart. */
#ifndef BL_CORE_VACANCY_H
#define BL_CORE_VACANCY_H

#include "core/foretell.h"

enum { BL_VACANCY_RUNS_MAX = 32, BL_VACANCY_STEPS_MAX = 1000 };

struct bl_vacancy_wish {
    struct bl_foretell_options options; /* its seed begins all; is_median, until, horizon and `see`
                                           are not looked at */
    size_t runs;                        /* at least one; one takes the middle of all run times */
    bool (*is_enough)(void *self);      /* asked before each run after the first: whether those so
                                           far may do; NULL = never */
    void *judge;                        /* its self */
    bl_time step;
    size_t steps; /* instants: the first is the present */
};

/* Of a GPU type: numbers at each instant. */
struct bl_vacancy_type {
    const char *name;         /* the core's own */
    int32_t gpus;             /* on nodes that are not down now */
    int32_t *p10, *p50, *p90; /* neither in use nor held for a reservation; from the arena */
};

struct bl_vacancy {
    bl_time from;
    size_t runs; /* on which it rests; 0 = it was stopped before the first one was done */
    int32_t gpus;
    int32_t *used;                /* GPUs in use, of all types: in the middle of all runs */
    struct bl_vacancy_type *type; /* those that nodes have */
    size_t type_count;
};

/* The core must be one of which bl_core_can_export says yes. The same core and wish give the same
 * answer. */
void bl_vacancy_look(const struct bl_core *core, const struct bl_vacancy_wish *wish,
                     struct bl_arena *arena, struct bl_vacancy *out);

#endif
