/* The simulated engine: jobs are numbers that end by the engine's own clock. Whoever drives it asks
 * for the next report that is due and has it made when the time has come.
 *
 * A job lives as soon as it was started, and ends after its work on the GPUs that it got, by its
 * own curve. Reports carry the engine's time. A job without known work ends at once. */
#ifndef BL_ENGINE_SIM_H
#define BL_ENGINE_SIM_H

#include "engine/engine.h"

/* Ends of one instant come in two ranks, each in the order of starting. */
enum bl_sim_rank {
    BL_SIM_EXPECTED,  /* at its planned end or its limit, so that plans counted it as gone */
    BL_SIM_UNEXPECTED /* before */
};

struct bl_sim_due {
    bl_time at;
    enum bl_sim_rank rank;
    int64_t order; /* of starting, over both ranks */
};

/* The earliest end that is to come; false when nothing runs. */
bool bl_engine_sim_next(const void *self, struct bl_sim_due *out);

/* Moves the engine's clock; stops that follow take place at this instant. Never backwards. */
void bl_engine_sim_set_time(void *self, bl_time now);

/* Reports that the jobs started since the last call live. */
void bl_engine_sim_report_started(void *self);

/* Reports the end that bl_engine_sim_next names. */
void bl_engine_sim_report_end(void *self);

extern const struct bl_engine bl_engine_sim;

#endif
