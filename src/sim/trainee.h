/* One training job of a profiled application, stepped through time in whole seconds: what
 * sim/world.h keeps of each. */
#ifndef BL_SIM_TRAINEE_H
#define BL_SIM_TRAINEE_H

#include "sim/agent.h"

struct bl_sim_truths;

enum { BL_SIM_DECLARED_MAX = 4 };

/* What sets the simulators apart. */
struct bl_sim_rules {
    const char *format;
    bool tunes_batch;        /* the job chooses its batch; else it is the trace's */
    bool keeps_to_placement; /* a micro-batch no larger than was measured for the placement */
    bool is_shape_enough;    /* moving to other nodes with the same shape is free */
    double restart_s;        /* 0 = the profile's */
    double calibration;      /* 0 = the profile's */
    struct {
        const char *app; /* NULL = no more */
        double restart_s;
    } declared[BL_SIM_DECLARED_MAX]; /* what is said of a restart where it is not the truth */
    const char *limited_app; /* an application with another largest micro-batch; NULL = none */
    double limited_batch;
    const char *single_app; /* an application that is taken to gain nothing from more GPUs */
};

/* Of a micro-batch on one GPU of a placement. */
struct bl_sim_limits {
    double local_max; /* what fits there */
    double measured;  /* the largest measured for so many GPUs; 0 = none was */
};

struct bl_sim_trainee {
    const struct bl_sim_rules *rules;
    const struct bl_profile_app *app;
    double trace_batch;
    const struct bl_profile_device *device; /* NULL = it holds nothing */
    struct bl_sim_shape shape;
    struct bl_sim_limits limits; /* of where it is */
    struct bl_sim_batch batch;
    int64_t delay_s; /* of a restart, still to pass */
    double progress; /* in iterations of the first batch */
    int32_t epoch;   /* that it is in; app->epochs when it has ended */
    /* As of the last second that it trained since it was placed; zeroes before. */
    struct bl_sim_batch seen;
    struct bl_sim_step step;
    struct bl_sim_noise noise;
    double rate;                  /* progress a second */
    struct bl_sim_agent agent;    /* of one that tunes its batch */
    struct bl_sim_truths *truths; /* what it goes by instead; NULL = it learns; borrowed */
};

void bl_sim_trainee_finish(struct bl_sim_trainee *trainee);

/* What is fixed about a job. */
int32_t bl_sim_trainee_gpus_max(const struct bl_sim_trainee *trainee);
double bl_sim_trainee_batch_max(const struct bl_sim_trainee *trainee,
                                const struct bl_profile_device *device);

/* Whole seconds in which nothing trains after a start. */
int64_t bl_sim_trainee_restart_s(const struct bl_sim_trainee *trainee);

/* A global batch on a placement. */
struct bl_sim_batch bl_sim_batch_of(const struct bl_sim_trainee *trainee,
                                    const struct bl_profile_device *device,
                                    const struct bl_sim_shape *shape, double batch);

/* How a stretch of an epoch goes on a placement, with a batch. */
struct bl_sim_pace {
    struct bl_sim_step step;
    struct bl_sim_noise noise;
    double rate; /* progress a second */
};
struct bl_sim_pace bl_sim_pace_at(const struct bl_sim_trainee *trainee,
                                  const struct bl_profile_device *device,
                                  const struct bl_sim_shape *shape,
                                  const struct bl_sim_batch *batch, int32_t epoch);

/* It holds this from now on; device NULL = nothing. */
void bl_sim_trainee_place(struct bl_sim_trainee *trainee, const struct bl_profile_device *device,
                          const struct bl_sim_shape *shape);

/* Trains for so many seconds; answers how many it used: fewer when its last epoch ended. */
int64_t bl_sim_trainee_advance(struct bl_sim_trainee *trainee, int64_t seconds);

bool bl_sim_trainee_has_ended(const struct bl_sim_trainee *trainee);

#endif
