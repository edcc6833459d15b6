/* What people were told of a job that waits: when it would start and end, as ranges. */
#ifndef BL_CORE_TOLD_H
#define BL_CORE_TOLD_H

#include "core/reason.h"

enum { BL_TOLD_LEVELS = 3 }; /* p10, p50, p90 */

/* What a range rests on. */
enum bl_told_basis {
    BL_TOLD_LIMITS, /* declared limits alone */
    BL_TOLD_MEDIAN, /* one look ahead, all that is foreseen at its middle */
    BL_TOLD_RUNS,   /* several, with run times drawn */
    BL_TOLD_BASIS_COUNT
};

const char *bl_told_basis_name(enum bl_told_basis basis); /* "limits" … */

enum { BL_OUTLINE_POINTS = 5 };

/* What several looks ahead say of one instant, as it is: rising instants that are not passed with
 * chances of .1, .3, .5, .7 and .9. Ranges are read off it at levels that are learnt
 * (core/foretell_levels.h). */
struct bl_outline {
    bl_time now; /* when the looks begin; 0 = there are none */
    bl_time at[BL_OUTLINE_POINTS];
};

/* Instants rise; 0 = none was told. */
struct bl_told {
    bl_time at; /* when it was told; 0 = nothing was */
    enum bl_told_basis basis;
    bl_time start[BL_TOLD_LEVELS];
    bl_time end[BL_TOLD_LEVELS];
    struct bl_outline start_runs, end_runs; /* what the ranges were read off */
};

struct bl_told_row {
    bl_job_id job;
    struct bl_told told;
};

enum { BL_TOLD_ROWS_MAX = 256 }; /* of one event */

#endif
