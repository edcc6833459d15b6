/* What replays share, whichever clock they follow: a core that is fed, its log, story and times. */
#ifndef BL_SIM_STEPS_H
#define BL_SIM_STEPS_H

#include "core/core.h"
#include "sim/bound.h"
#include "sim/driver.h"

struct bl_sim_steps {
    const struct bl_sim_setup *setup;
    struct bl_core *core;
    struct bl_actions actions; /* of the last round */
    bl_time now;
    struct bl_trace_job next; /* the job to be submitted next */
    bool has_next;
    struct bl_event round, submission; /* large, so that they are made once */
    int64_t events, rounds;
    struct bl_sim_bound *bound; /* NULL = not asked for */
    struct bl_sim_eta *eta;     /* the same */
    BL_VEC(bl_time) round_times;
};

void bl_sim_steps_init(struct bl_sim_steps *steps, const struct bl_sim_setup *setup);
void bl_sim_steps_finish(struct bl_sim_steps *steps);

/* The policy, the nodes and the reservations, at `now`; fails when one of these cannot be had. */
int bl_sim_steps_begin(struct bl_sim_steps *steps, struct bl_error *err);

/* Tells the core, and the log; an end also the list of waits and the bound. */
void bl_sim_step(struct bl_sim_steps *steps, const struct bl_event *event);

/* The job to be submitted next, from the trace. */
int bl_sim_steps_read(struct bl_sim_steps *steps, struct bl_error *err);
/* Submits it at `now`. */
void bl_sim_steps_submit(struct bl_sim_steps *steps);

/* A round at `now`; its actions are in `actions`, logged and told. */
void bl_sim_steps_decide(struct bl_sim_steps *steps);

void bl_sim_steps_fill(struct bl_sim_steps *steps, struct bl_sim_result *out);

/* The bound, where it was asked for; it takes longer than the figures. */
void bl_sim_steps_bound(const struct bl_sim_steps *steps, struct bl_sim_result *out);

#endif
