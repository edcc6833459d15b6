#include "sim/bound.h"

#include "base/arena.h"
#include "base/own.h"
#include "base/vec.h"
#include "core/bound_options.h"
#include "sim/trained.h"

#include <math.h>
#include <string.h>

struct bl_sim_bound {
    struct bl_arena arena; /* options */
    struct bl_bound_machine machine;
    struct bl_bound_option *room; /* for the options of one job */
    BL_VEC(struct bl_bound_job) jobs;
    struct bl_sim_trained_list trained;
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
        bl_sim_trained_finish(&bound->trained);
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

static void push(struct bl_sim_bound *bound, const struct bl_job *job, struct bl_bound_job entry)
{
    entry.ended = fmax(seconds(bound, job->ended_at), entry.release);
    BL_VEC_PUSH(&bound->jobs, entry);
}

static struct bl_bound_job begin(struct bl_sim_bound *bound, const struct bl_cluster *cluster,
                                 const struct bl_job *job)
{
    learn_machine(bound, cluster);
    bound->origin = bound->jobs.count > 0 ? bound->origin : job->submitted_at;
    return (struct bl_bound_job){.release = seconds(bound, job->submitted_at)};
}

void bl_sim_bound_add(struct bl_sim_bound *bound, const struct bl_cluster *cluster,
                      const struct bl_job *job)
{
    struct bl_bound_job entry = begin(bound, cluster, job);
    struct bl_bound_option *option;

    entry.option_count = bl_bound_options(&bound->machine, job, bound->room);
    option = bl_arena_alloc(&bound->arena, (entry.option_count + 1) * sizeof *option);
    memcpy(option, bound->room, entry.option_count * sizeof *option);
    entry.option = option;
    fill_course(job, &entry);
    fill_work(&job->spec, &entry);
    push(bound, job, entry);
}

void bl_sim_bound_add_trained(struct bl_sim_bound *bound, const struct bl_cluster *cluster,
                              const struct bl_job *job, const struct bl_sim_trainee *trainee)
{
    struct bl_bound_job entry = begin(bound, cluster, job);
    const struct bl_sim_trained *trained =
        bl_sim_trained_find(&bound->trained, &bound->machine, cluster, trainee);

    entry.course = BL_BOUND_DIVISIBLE;
    entry.option = trained->option;
    entry.option_count = trained->option_count;
    entry.work = trained->work;
    entry.ahead = (double)bl_sim_trainee_restart_s(trainee);
    entry.release += entry.ahead;
    push(bound, job, entry);
}

double bl_sim_bound_mean(const struct bl_sim_bound *bound)
{
    struct bl_bound_problem problem = {bound->jobs.at, bound->jobs.count, bound->machine.capacity,
                                       bound->machine.class_count};

    return bl_bound_mean(&problem);
}
