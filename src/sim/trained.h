/* What profiled jobs could hold and how fast they would train there at most, as options of a bound:
 * worked out once for jobs that are alike. */
#ifndef BL_SIM_TRAINED_H
#define BL_SIM_TRAINED_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/bound_options.h"
#include "sim/trainee.h"

/* Speeds are by those of the same epoch on a reference, the highest of all epochs; the work is what
 * the reference does in a second. */
struct bl_sim_trained {
    const struct bl_profile_app *app;
    double batch; /* 0 where the job chooses it */
    double work;
    struct bl_bound_option *option;
    size_t option_count; /* 0: profiles that bound nothing */
};

/* Zeroes are empty. */
struct bl_sim_trained_list {
    struct bl_arena arena;
    BL_VEC(struct bl_sim_trained *) known;
};

/* Borrowed from the list. */
const struct bl_sim_trained *bl_sim_trained_find(struct bl_sim_trained_list *list,
                                                 const struct bl_bound_machine *machine,
                                                 const struct bl_cluster *cluster,
                                                 const struct bl_sim_trainee *trainee);
void bl_sim_trained_finish(struct bl_sim_trained_list *list);

#endif
