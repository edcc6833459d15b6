/* What training jobs really do, for trace formats whose jobs' speeds stand in profiles: how fast
 * they train on what they hold, what a restart costs, which batch they choose, when they end.
 *
 * The rules are those of the simulators of Sia and Pollux, to the second: time passes in rounds; a
 * start or another shape of the allocation costs a delay in which nothing trains; epochs end at
 * whole seconds. Policies never see the world, only what jobs report, unless they
 * are to have the oracle. */
#ifndef BL_SIM_WORLD_H
#define BL_SIM_WORLD_H

#include "core/event.h"
#include "core/oracle.h"
#include "form/profiles.h"
#include "sim/rates.h"

struct bl_sim_world;
struct bl_sim_trainee;

struct bl_sim_world_setup {
    const struct bl_trace_format *format; /* one with a clock of its own */
    struct bl_profiles *profiles;         /* borrowed */
    const struct bl_clusterspec *cluster; /* borrowed */
    bool with_oracle; /* jobs that tune their batch know the best one, and policies may ask */
};

/* NULL when the format has no world. */
struct bl_sim_world *bl_sim_world_create(const struct bl_sim_world_setup *setup);
void bl_sim_world_destroy(struct bl_sim_world *world);

/* Takes in a job of the trace and fills in what may be known of it when it is submitted; pointers
 * in the spec then live as long as the job. Fails when there is no profile for it. */
int bl_sim_world_admit(struct bl_sim_world *world, struct bl_trace_job *job, struct bl_error *err);

/* The job holds these GPUs from now on, or none (NULL). */
void bl_sim_world_place(struct bl_sim_world *world, bl_job_id job, const struct bl_alloc *alloc,
                        const struct bl_cluster *cluster);

/* What became of a job in a round. */
struct bl_sim_advance {
    bool has_ended;
    int64_t after_s; /* when it ended, seconds into the round */
};

/* The job trains for so many seconds on what it holds. */
struct bl_sim_advance bl_sim_world_advance(struct bl_sim_world *world, bl_job_id job,
                                           int64_t seconds);

/* What a job can say of itself: how far it is, and how fast the last stretch went. */
struct bl_sim_word {
    double done, total; /* in units of its own; total 0 = it does not know */
    bool has_trained;   /* since it was placed last; else nothing below is known */
    int32_t gpus, nodes;
    double local_batch;
    int32_t accumulation;
    double iter_s, sync_s, rate;
    double grad_sqr, grad_var;
};
struct bl_sim_word bl_sim_world_ask(const struct bl_sim_world *world, bl_job_id job);

/* The same with a speed that the job saw for the first time since it was asked so last; false when
 * those were all. For jobs that tune their batch. */
bool bl_sim_world_ask_more(struct bl_sim_world *world, bl_job_id job, struct bl_sim_word *out);

/* What is known of an application before its first job runs: how fast it is on one GPU of each
 * type. Gives, one after the other, what is new since the last call; false when that was all. */
bool bl_sim_world_next_lesson(struct bl_sim_world *world, struct bl_lesson *out,
                              const char **gpu_type);

/* What the job is made of; borrowed until it is forgotten. */
const struct bl_sim_trainee *bl_sim_world_find(const struct bl_sim_world *world, bl_job_id job);

/* What is true of the jobs; lives as long as the world. NULL where it was not asked for, or jobs
 * tell their true speeds themselves. */
const struct bl_oracle *bl_sim_world_oracle(const struct bl_sim_world *world);

/* The job has ended: what is known of it goes. */
void bl_sim_world_forget(struct bl_sim_world *world, bl_job_id job);

#endif
