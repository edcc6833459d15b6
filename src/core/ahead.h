/* What to do now with few jobs on few nodes, by looking at every way in which things may go on
 * until all have ended: least sum of completion times. Decisions are taken now and whenever a job
 * ends; later arrivals are not foreseen. Depth first, best bound first (Land and Doig 1960), under
 * a budget of counted work. */
#ifndef BL_CORE_AHEAD_H
#define BL_CORE_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_AHEAD_JOBS_MAX = 6,
    BL_AHEAD_NODES_MAX = 4,
    BL_AHEAD_CONFIGS_MAX = 96,
    BL_AHEAD_NONE = -1
};

/* A job on so many GPUs of one node. */
struct bl_ahead_config {
    int32_t node, gpus;
    double speed; /* > 0 */
};

enum bl_ahead_hold {
    BL_AHEAD_OPEN,
    BL_AHEAD_FIRST,     /* keeps its config until a job ends */
    BL_AHEAD_TO_THE_END /* until it ends itself */
};

struct bl_ahead_job {
    double left_s;           /* at speed 1; > 0 */
    double restart_s;        /* what each start costs */
    int32_t current;         /* config that it has now, or BL_AHEAD_NONE */
    enum bl_ahead_hold hold; /* of one that has a config */
    int32_t config_count;
    struct bl_ahead_config config[BL_AHEAD_CONFIGS_MAX];
};

struct bl_ahead_problem {
    int32_t nodes, jobs;
    int32_t room[BL_AHEAD_NODES_MAX]; /* GPUs */
    struct bl_ahead_job job[BL_AHEAD_JOBS_MAX];
};

struct bl_ahead_answer {
    int32_t choice[BL_AHEAD_JOBS_MAX]; /* config for now, or BL_AHEAD_NONE */
    double total_s; /* sum of completion times, from now, of those that can end */
    int64_t work;
    bool is_complete; /* nothing was left out: no such schedule is better */
};

/* False, and *answer untouched, when the budget does not do for one way to the end. Of equal ways
 * the one that changes least now. */
bool bl_ahead(const struct bl_ahead_problem *problem, int64_t budget,
              struct bl_ahead_answer *answer);

#endif
