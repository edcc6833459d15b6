/* When each job will start and end, if all goes as the policy plans it: what runs to its planned
 * end, then the queue in the policy's order, each at the earliest instant at which it fits, then
 * the jobs that wait, after those they wait for. Future arrivals are not part of it, nor is early
 * ending. */
#ifndef BL_CORE_FORECAST_H
#define BL_CORE_FORECAST_H

#include "base/arena.h"
#include "core/core.h"

struct bl_forecast_row {
    bl_job_id job;
    bl_time start; /* of a running job: when it started; BL_TIME_NEVER = no instant is known */
    bl_time end;   /* BL_TIME_NEVER where it has no limit or no start */
};

/* Rows in rising order of job, from the arena. */
struct bl_forecast {
    struct bl_forecast_row *row;
    size_t count;
};

/* All jobs that have not ended. */
struct bl_forecast bl_forecast_make(const struct bl_core *core, struct bl_arena *arena);

/* The row of a job, or NULL. */
const struct bl_forecast_row *bl_forecast_find(const struct bl_forecast *forecast, bl_job_id job);

#endif
