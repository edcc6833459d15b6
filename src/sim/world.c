#include "sim/world.h"

#include "base/map.h"
#include "sim/trainee.h"
#include "sim/truth.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Sia's scheduler takes the restarts of two applications to be shorter than they are. Pollux trains
 * yolov3 with smaller micro-batches than were measured, and its scheduler never gives
 * ncf a second GPU. */
static const struct bl_sim_rules all_rules[] = {
    {.format = "sia",
     .tunes_batch = true,
     .keeps_to_placement = true,
     .is_shape_enough = true,
     .declared = {{"cifar10", 30}, {"yolov3", 45}}},
    {.format = "pollux",
     .restart_s = 30,
     .calibration = 1,
     .limited_app = "yolov3",
     .limited_batch = 8,
     .single_app = "ncf"},
};

struct world_job {
    struct bl_sim_trainee trainee;
    char *application;
    struct bl_curve_point *point;
};

struct bl_sim_world {
    const struct bl_sim_rules *rules;
    struct bl_profiles *profiles;
    const struct bl_clusterspec *cluster;
    int32_t gpus; /* of the whole machine */
    struct bl_map jobs;
    BL_VEC(const struct bl_profile_app *) apps; /* of jobs that came, each once */
    size_t told_apps, told_devices, told_rows;  /* by bl_sim_world_next_lesson */
    struct bl_sim_truths truths;
    bool has_oracle;
    struct bl_oracle oracle;
};

static struct world_job *get_job(const struct bl_sim_world *world, bl_job_id id)
{
    struct world_job *job = bl_map_find(&world->jobs, id);

    assert(job);
    return job;
}

/* On the fewest nodes the GPUs lie as close as they can; on more there are many ways. */
static double true_rate(void *self, const struct bl_cluster *cluster,
                        const struct bl_oracle_question *question)
{
    struct bl_sim_world *world = self;
    const struct bl_sim_trainee *trainee = &get_job(world, question->job)->trainee;
    const struct bl_profile_device *device =
        bl_profile_find_device(trainee->app, cluster->type_name[question->type]);
    int32_t per_node = cluster->type_node_gpus[question->type];
    struct bl_sim_shape shape;

    if (!device || per_node < 1 || question->gpus < 1) {
        return 0;
    }
    shape = bl_sim_shape_packed(question->gpus, per_node);
    if (question->nodes > shape.nodes) {
        shape = (struct bl_sim_shape){.nodes = question->nodes, .gpus = question->gpus};
    }
    return bl_sim_truths_find(&world->truths, trainee, device, &shape).rate;
}

static double true_total(void *self, bl_job_id job)
{
    const struct bl_profile_app *app = get_job(self, job)->trainee.app;

    return bl_sim_progress_at(app, app->epochs);
}

struct bl_sim_world *bl_sim_world_create(const struct bl_sim_world_setup *setup)
{
    struct bl_sim_world *world;
    const struct bl_sim_rules *rules = NULL;

    for (size_t i = 0; i < sizeof all_rules / sizeof all_rules[0]; i++) {
        rules = strcmp(all_rules[i].format, setup->format->name) == 0 ? &all_rules[i] : rules;
    }
    if (!rules) {
        return NULL;
    }
    world = bl_alloc_zero(sizeof *world);
    world->rules = rules;
    world->profiles = setup->profiles;
    world->cluster = setup->cluster;
    world->has_oracle = setup->with_oracle && rules->tunes_batch;
    world->oracle = (struct bl_oracle){world, true_rate, true_total};
    for (size_t i = 0; i < setup->cluster->node_count; i++) {
        world->gpus += setup->cluster->node[i].gpus;
    }
    return world;
}

static void destroy_job(struct world_job *job)
{
    bl_sim_trainee_finish(&job->trainee);
    free(job->application);
    free(job->point);
    free(job);
}

void bl_sim_world_destroy(struct bl_sim_world *world)
{
    size_t cursor = 0;
    struct world_job *job;

    if (!world) {
        return;
    }
    while ((job = bl_map_next(&world->jobs, &cursor))) {
        destroy_job(job);
    }
    bl_map_finish(&world->jobs);
    BL_VEC_FINISH(&world->apps);
    bl_sim_truths_finish(&world->truths);
    free(world);
}

/* Every GPU type of the machine must have been measured: the job may come to run on any. */
static int check_devices(const struct bl_sim_world *world, const struct bl_profile_app *app,
                         const struct bl_trace_job *job, struct bl_error *err)
{
    for (size_t i = 0; i < world->cluster->node_count; i++) {
        const struct bl_node_spec *node = &world->cluster->node[i];

        if (node->gpus > 0 && (!node->gpu_type || !bl_profile_find_device(app, node->gpu_type))) {
            bl_fail(err, BL_ENOTFOUND, "%s: %s has no profile on %s, the GPU type of %s",
                    job->spec.name, app->name, node->gpu_type ? node->gpu_type : "no named type",
                    node->name);
            return bl_error_set_hint(err, "give --profiles a folder with %s/placements-%s.csv",
                                     app->name, node->gpu_type ? node->gpu_type : "TYPE");
        }
    }
    return BL_OK;
}

static int check_batch(const struct bl_profile_app *app, const struct bl_trace_job *job,
                       struct bl_error *err)
{
    if (job->batch < app->batch_init || job->batch > app->batch_max) {
        return bl_fail(err, BL_EINVAL, "%s: batch_size: expected %g to %g for %s, found %g",
                       job->spec.name, app->batch_init, app->batch_max, app->name, job->batch);
    }
    return BL_OK;
}

static int find_app(const struct bl_sim_world *world, const struct bl_trace_job *job,
                    const struct bl_profile_app **out, struct bl_error *err)
{
    const struct bl_profile_app *app = bl_profiles_find(world->profiles, job->application);

    if (!app) {
        bl_fail(err, BL_ENOTFOUND, "%s: there is no profile of the application %s", job->spec.name,
                job->application);
        bl_error_set_hint(err, "give --profiles a folder with a folder %s", job->application);
        return BL_ENOTFOUND;
    }
    if (app->fault) {
        bl_fail(err, BL_EINVAL, "%s: %s", job->spec.name, app->fault);
        return BL_EINVAL;
    }
    *out = app;
    return BL_OK;
}

/* Time of an iteration at the trace's batch on GPUs that lie as close as they can. On one GPU the
 * batch is always halved: Pollux's own prediction says so, and its schedules rest on it. */
static double iteration_s(const struct bl_sim_trainee *trainee,
                          const struct bl_profile_device *device, int32_t gpus, int32_t per_node)
{
    struct bl_sim_shape shape = bl_sim_shape_packed(gpus, per_node);
    struct bl_sim_batch batch =
        bl_sim_batch_of(trainee, device, &shape, fmax(trainee->trace_batch, gpus));
    struct bl_sim_step step;

    if (gpus == 1 && batch.accumulation == 0) {
        batch = (struct bl_sim_batch){ceil(trainee->trace_batch / 2), 1};
    }
    step = bl_sim_step_at(device, &shape, batch.local);
    return step.step_s + (step.step_s - step.sync_s) * batch.accumulation;
}

/* Iterations left behind an epoch, the one that follows it counted as done. */
static double iterations_after(const struct bl_sim_trainee *trainee, int32_t epoch)
{
    const struct bl_profile_app *app = trainee->app;

    return bl_sim_iteration_at(app, trainee->trace_batch, app->epochs - 1) -
           bl_sim_iteration_at(app, trainee->trace_batch, epoch);
}

/* The published baselines know how fast a job is on any number of GPUs, and how much is left. */
static void tell_speeds(const struct bl_sim_world *world, struct world_job *job,
                        struct bl_job_spec *spec)
{
    const struct bl_node_spec *node = world->cluster->node;
    const struct bl_profile_device *device;
    bool is_single = strcmp(job->trainee.app->name, world->rules->single_app) == 0;
    int32_t count = is_single ? 1 : spec->gpus_max;
    double alone;

    while (node->gpus == 0) {
        node++;
    }
    device = bl_profile_find_device(job->trainee.app, node->gpu_type);
    alone = iteration_s(&job->trainee, device, 1, node->gpus);
    job->point = bl_alloc_zero((size_t)count * sizeof *job->point);
    for (int32_t i = 0; i < count; i++) {
        job->point[i] = (struct bl_curve_point){
            i + 1, alone / iteration_s(&job->trainee, device, i + 1, node->gpus)};
    }
    spec->curve = (struct bl_curve){
        .kind = BL_CURVE_POINTS, .point_count = (size_t)count, .point = job->point};
    spec->work = (bl_time)(fmax(iterations_after(&job->trainee, 0), 1) * alone * (double)BL_SECOND);
}

static void add_type(struct bl_job_spec *spec, const struct bl_profile_device *device)
{
    size_t count = spec->gpu_type_count;

    for (size_t i = 0; i < count; i++) {
        if (strcmp(spec->gpu_type[i], device->gpu) == 0) {
            return;
        }
    }
    if (count < BL_JOB_GPU_TYPES_MAX) {
        spec->gpu_type[count] = device->gpu;
        spec->type_local_max[count] = device->batch_max;
        spec->gpu_type_count++;
        spec->batch.local_min =
            count == 0 ? device->batch_min : fmin(spec->batch.local_min, device->batch_min);
        spec->batch.local_max = fmax(spec->batch.local_max, device->batch_max);
    }
}

/* What its owner knows of a job that tunes its batch: the limits of that on each GPU type. */
static void tell_limits(const struct bl_sim_world *world, const struct world_job *job,
                        struct bl_job_spec *spec)
{
    const struct bl_profile_app *app = job->trainee.app;

    spec->batch.initial = app->batch_init;
    spec->batch.max = app->batch_max;
    spec->batch_asked = job->trainee.trace_batch;
    for (size_t i = 0; i < world->cluster->node_count; i++) {
        const struct bl_node_spec *node = &world->cluster->node[i];

        if (node->gpus > 0) {
            add_type(spec, bl_profile_find_device(app, node->gpu_type));
        }
    }
}

static void note_app(struct bl_sim_world *world, const struct bl_profile_app *app)
{
    for (size_t i = 0; i < world->apps.count; i++) {
        if (world->apps.at[i] == app) {
            return;
        }
    }
    BL_VEC_PUSH(&world->apps, app);
}

/* What its owner says that a start costs. */
static double declared_restart_s(const struct bl_sim_rules *rules, const struct bl_profile_app *app)
{
    for (size_t i = 0; i < BL_SIM_DECLARED_MAX && rules->declared[i].app; i++) {
        if (strcmp(rules->declared[i].app, app->name) == 0) {
            return rules->declared[i].restart_s;
        }
    }
    return rules->restart_s > 0 ? rules->restart_s : app->restart_s;
}

static void tell_size(const struct bl_sim_world *world, const struct world_job *job,
                      struct bl_job_spec *spec)
{
    double restart_s = declared_restart_s(world->rules, job->trainee.app);

    spec->gpus_min = 1;
    spec->gpus_max = bl_sim_trainee_gpus_max(&job->trainee);
    spec->gpus_max = spec->gpus_max < world->gpus ? spec->gpus_max : world->gpus;
    spec->gpus_max = spec->gpus_max > spec->gpus_want ? spec->gpus_max : spec->gpus_want;
    spec->application = job->application;
    spec->restart = (bl_time)(restart_s * (double)BL_SECOND);
}

int bl_sim_world_admit(struct bl_sim_world *world, struct bl_trace_job *job, struct bl_error *err)
{
    struct bl_job_spec *spec = &job->spec;
    const struct bl_profile_app *app = NULL;
    struct world_job *known;
    int status = find_app(world, job, &app, err);

    if (status == BL_OK) {
        status = check_devices(world, app, job, err);
    }
    if (status == BL_OK) {
        status = check_batch(app, job, err);
    }
    if (status != BL_OK) {
        return status;
    }
    known = bl_alloc_zero(sizeof *known);
    known->trainee =
        (struct bl_sim_trainee){.rules = world->rules, .app = app, .trace_batch = job->batch};
    known->trainee.truths = world->has_oracle ? &world->truths : NULL;
    known->application = bl_copy_text(app->name);
    bl_map_insert(&world->jobs, job->id, known);
    tell_size(world, known, spec);
    if (world->rules->tunes_batch) {
        tell_limits(world, known, spec);
        note_app(world, app);
    } else {
        tell_speeds(world, known, spec);
    }
    return BL_OK;
}

void bl_sim_world_place(struct bl_sim_world *world, bl_job_id id, const struct bl_alloc *alloc,
                        const struct bl_cluster *cluster)
{
    struct world_job *job = get_job(world, id);
    struct bl_sim_shape shape;
    int32_t type;

    if (!alloc) {
        bl_sim_trainee_place(&job->trainee, NULL, NULL);
        return;
    }
    shape = bl_sim_shape_of(alloc);
    type = cluster->node[bl_alloc_parts(alloc)[0].node].type;
    bl_sim_trainee_place(
        &job->trainee, bl_profile_find_device(job->trainee.app, cluster->type_name[type]), &shape);
}

struct bl_sim_advance bl_sim_world_advance(struct bl_sim_world *world, bl_job_id id,
                                           int64_t seconds)
{
    struct bl_sim_trainee *trainee = &get_job(world, id)->trainee;
    int64_t used = bl_sim_trainee_advance(trainee, seconds);

    return (struct bl_sim_advance){bl_sim_trainee_has_ended(trainee), used};
}

/* Of a tuned job only what it has done: how much there is to do shows when it ends. */
static void tell_progress(const struct bl_sim_trainee *trainee, struct bl_sim_word *word)
{
    bool has_ended = bl_sim_trainee_has_ended(trainee);

    if (trainee->rules->tunes_batch) {
        word->done = trainee->progress;
        word->total = has_ended ? trainee->progress : 0;
    } else {
        word->total = fmax(iterations_after(trainee, 0), 1);
        word->done =
            has_ended ? word->total : word->total - iterations_after(trainee, trainee->epoch);
    }
}

struct bl_sim_word bl_sim_world_ask(const struct bl_sim_world *world, bl_job_id id)
{
    const struct world_job *job = get_job(world, id);
    const struct bl_sim_trainee *trainee = &job->trainee;
    struct bl_sim_word word = {.has_trained = trainee->device && trainee->step.step_s > 0};

    tell_progress(trainee, &word);
    if (word.has_trained) {
        word.gpus = trainee->shape.gpus;
        word.nodes = trainee->shape.nodes;
        word.local_batch = trainee->seen.local;
        word.accumulation = trainee->seen.accumulation;
        word.iter_s = trainee->step.step_s +
                      (trainee->step.step_s - trainee->step.sync_s) * word.accumulation;
        word.sync_s = trainee->step.sync_s;
        word.rate = trainee->rate;
        word.grad_sqr = trainee->noise.sqr;
        word.grad_var = trainee->noise.var;
    }
    return word;
}

bool bl_sim_world_ask_more(struct bl_sim_world *world, bl_job_id id, struct bl_sim_word *out)
{
    const struct bl_pollux_point *point = bl_sim_agent_next(&get_job(world, id)->trainee.agent);

    if (!point) {
        return false;
    }
    *out = bl_sim_world_ask(world, id);
    out->has_trained = true;
    out->gpus = point->gpus;
    out->nodes = point->nodes;
    out->local_batch = point->local_batch;
    out->accumulation = 0;
    out->iter_s = point->step_s;
    out->sync_s = point->step_s - point->compute_s;
    out->rate = 0;
    return true;
}

/* The next device of the next application of which not all rows are told; NULL at the end. */
static const struct bl_profile_device *untold_device(struct bl_sim_world *world)
{
    for (; world->told_apps < world->apps.count; world->told_apps++) {
        const struct bl_profile_app *app = world->apps.at[world->told_apps];

        if (world->told_devices < app->device.count) {
            return &app->device.at[world->told_devices];
        }
        world->told_devices = 0;
    }
    return NULL;
}

bool bl_sim_world_next_lesson(struct bl_sim_world *world, struct bl_lesson *out,
                              const char **gpu_type)
{
    const struct bl_profile_device *device;

    while ((device = untold_device(world))) {
        const struct bl_profile_row *row;
        size_t count = bl_profile_find_rows(&device->placements, 1, &row);

        if (world->told_rows < count) {
            row += world->told_rows++;
            *gpu_type = device->gpu;
            *out = (struct bl_lesson){.kind = BL_LESSON_POINT,
                                      .application = world->apps.at[world->told_apps]->name,
                                      .count = 1,
                                      .point = {.gpus = 1,
                                                .nodes = 1,
                                                .local_batch = row->batch,
                                                .iter_s = row->step_s,
                                                .sync_s = row->sync_s}};
            return true;
        }
        world->told_rows = 0;
        world->told_devices++;
    }
    return false;
}

const struct bl_sim_trainee *bl_sim_world_find(const struct bl_sim_world *world, bl_job_id id)
{
    return &get_job(world, id)->trainee;
}

const struct bl_oracle *bl_sim_world_oracle(const struct bl_sim_world *world)
{
    return world->has_oracle ? &world->oracle : NULL;
}

void bl_sim_world_forget(struct bl_sim_world *world, bl_job_id id)
{
    struct world_job *job = bl_map_remove(&world->jobs, id);

    assert(job);
    destroy_job(job);
}
