#include "sim/bound.h"

#include "base/arena.h"
#include "base/own.h"
#include "base/vec.h"
#include "core/bound_options.h"

#include <math.h>
#include <string.h>

struct bl_sim_bound {
    struct bl_arena arena; /* options */
    struct bl_bound_machine machine;
    struct bl_bound_option *room; /* for the options of one job */
    BL_VEC(struct bl_bound_job) jobs;
    bl_time origin; /* the first submission that was seen */
};

struct bl_sim_bound *bl_sim_bound_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_sim_bound));
}

void bl_sim_bound_destroy(struct bl_sim_bound *bound)
{
    if (bound) {
        bl_arena_finish(&bound->arena);
        bl_bound_machine_finish(&bound->machine);
        free(bound->room);
        BL_VEC_FINISH(&bound->jobs);
        free(bound);
    }
}

/* The machine does not change in a replay. */
static void learn_machine(struct bl_sim_bound *bound, const struct bl_cluster *cluster)
{
    if (!bound->room) {
        bl_bound_machine_init(&bound->machine, cluster);
        bound->room = bl_alloc_zero(bl_bound_options_max(&bound->machine) * sizeof *bound->room);
    }
}

static double seconds(const struct bl_sim_bound *bound, bl_time at)
{
    return (double)(at - bound->origin) / BL_SECOND;
}

/* A job that is put back, though nothing said that it may be, is taken as one that may. */
static void fill_course(const struct bl_job *job, struct bl_bound_job *out)
{
    out->course = BL_BOUND_IN_ONE_PIECE;
    if (bl_job_may_be_preempted(&job->spec) || job->attempt > 1) {
        out->course = BL_BOUND_DIVISIBLE;
    }
}

static void fill_work(const struct bl_job_spec *spec, struct bl_bound_job *out)
{
    double restart = (double)spec->restart / BL_SECOND;
    double limit = (double)spec->limit / BL_SECOND;

    out->work = (double)spec->work / BL_SECOND;
    if (out->work <= 0) {
        return;
    }
    if (out->course == BL_BOUND_IN_ONE_PIECE) {
        out->work += restart;
        out->work = spec->limit > 0 ? fmin(out->work, limit) : out->work;
    } else if (spec->limit <= 0) {
        out->ahead = restart;
        out->release += restart;
    }
}

void bl_sim_bound_add(struct bl_sim_bound *bound, const struct bl_cluster *cluster,
                      const struct bl_job *job)
{
    struct bl_bound_option *option;
    struct bl_bound_job entry = {0};

    learn_machine(bound, cluster);
    entry.option_count = bl_bound_options(&bound->machine, job, bound->room);
    option = bl_arena_alloc(&bound->arena, (entry.option_count + 1) * sizeof *option);
    memcpy(option, bound->room, entry.option_count * sizeof *option);
    entry.option = option;
    bound->origin = bound->jobs.count > 0 ? bound->origin : job->submitted_at;
    entry.release = seconds(bound, job->submitted_at);
    fill_course(job, &entry);
    fill_work(&job->spec, &entry);
    entry.ended = fmax(seconds(bound, job->ended_at), entry.release);
    BL_VEC_PUSH(&bound->jobs, entry);
}

double bl_sim_bound_mean(const struct bl_sim_bound *bound)
{
    struct bl_bound_problem problem = {bound->jobs.at, bound->jobs.count, bound->machine.capacity,
                                       bound->machine.class_count};

    return bl_bound_mean(&problem);
}
