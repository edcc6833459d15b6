#include "sim/trainee.h"

#include "sim/truth.h"

#include <math.h>
#include <string.h>

/* Numbers that are whole but for rounding stay as they are. */
#define ROUNDING 1e-8

void bl_sim_trainee_finish(struct bl_sim_trainee *trainee)
{
    bl_sim_agent_finish(&trainee->agent);
}

bool bl_sim_trainee_has_ended(const struct bl_sim_trainee *trainee)
{
    return trainee->epoch >= trainee->app->epochs;
}

double bl_sim_trainee_batch_max(const struct bl_sim_trainee *trainee,
                                const struct bl_profile_device *device)
{
    const struct bl_sim_rules *rules = trainee->rules;

    return rules->limited_app && strcmp(rules->limited_app, trainee->app->name) == 0
               ? fmin(rules->limited_batch, device->batch_max)
               : device->batch_max;
}

int32_t bl_sim_trainee_gpus_max(const struct bl_sim_trainee *trainee)
{
    const struct bl_profile_app *app = trainee->app;
    double batch = trainee->rules->tunes_batch ? app->batch_max : trainee->trace_batch;
    double most = 1;

    for (size_t i = 0; i < app->device.count; i++) {
        most = fmax(most, floor(batch / app->device.at[i].batch_min));
    }
    return (int32_t)fmin(most, BL_PROFILE_GPUS_MAX);
}

static struct bl_sim_limits limits_of(const struct bl_sim_trainee *trainee,
                                      const struct bl_profile_device *device,
                                      const struct bl_sim_shape *shape)
{
    if (!trainee->rules->keeps_to_placement) {
        return (struct bl_sim_limits){bl_sim_trainee_batch_max(trainee, device), INFINITY};
    }
    return (struct bl_sim_limits){bl_sim_batch_max(device, shape),
                                  bl_sim_batch_max_of_gpus(device, shape->gpus)};
}

/* No more than was measured for so many GPUs, and than the application can take over all. */
static double clamp_local(const struct bl_sim_trainee *trainee, const struct bl_sim_limits *limits,
                          int32_t gpus, struct bl_sim_batch batch)
{
    double most = floor(trainee->app->batch_max / (gpus * (batch.accumulation + 1.0)));

    most = limits->measured > 0 ? fmin(most, limits->measured) : most;
    return fmax(1, fmin(batch.local, most));
}

static struct bl_sim_batch split(const struct bl_sim_trainee *trainee,
                                 const struct bl_sim_limits *limits, int32_t gpus, double batch)
{
    double local = ceil(batch / gpus - ROUNDING);
    double steps = ceil(local / limits->local_max - ROUNDING);
    struct bl_sim_batch found = {.accumulation = (int32_t)steps - 1};

    if (gpus == 1 && batch > trainee->app->batch_init && found.accumulation < 1) {
        found.accumulation = 1;
    }
    found.local = ceil(local / (found.accumulation + 1) - ROUNDING);
    found.local = clamp_local(trainee, limits, gpus, found);
    return found;
}

struct bl_sim_batch bl_sim_batch_of(const struct bl_sim_trainee *trainee,
                                    const struct bl_profile_device *device,
                                    const struct bl_sim_shape *shape, double batch)
{
    struct bl_sim_limits limits = limits_of(trainee, device, shape);

    return split(trainee, &limits, shape->gpus, batch);
}

static bool choose_truly(struct bl_sim_trainee *trainee)
{
    struct bl_sim_truth truth =
        bl_sim_truths_find(trainee->truths, trainee, trainee->device, &trainee->shape);

    trainee->batch = truth.batch;
    return truth.rate > 0;
}

static bool tune_batch(struct bl_sim_trainee *trainee)
{
    const struct bl_sim_choice from = {trainee->app->batch_init, trainee->app->batch_max,
                                       trainee->device->batch_min, trainee->limits.local_max};

    if (trainee->truths) {
        return choose_truly(trainee);
    }
    if (!bl_sim_agent_choose(&trainee->agent, trainee->device, &trainee->shape, &from,
                             &trainee->batch)) {
        return false;
    }
    trainee->batch.local =
        clamp_local(trainee, &trainee->limits, trainee->shape.gpus, trainee->batch);
    return true;
}

/* Before it knows anything of the GPU type a job that tunes its batch takes the least. */
static void choose_batch(struct bl_sim_trainee *trainee)
{
    double least = trainee->device->batch_min * trainee->shape.gpus;
    double batch =
        trainee->rules->tunes_batch ? fmax(trainee->app->batch_init, least) : trainee->trace_batch;

    if (!trainee->rules->tunes_batch || !tune_batch(trainee)) {
        trainee->batch = split(trainee, &trainee->limits, trainee->shape.gpus, batch);
    }
}

static bool is_same(const struct bl_sim_trainee *trainee, const struct bl_profile_device *device,
                    const struct bl_sim_shape *shape)
{
    return trainee->device == device && trainee->shape.gpus == shape->gpus &&
           trainee->shape.nodes == shape->nodes && trainee->shape.placement == shape->placement;
}

int64_t bl_sim_trainee_restart_s(const struct bl_sim_trainee *trainee)
{
    double rule = trainee->rules->restart_s;

    return (int64_t)(rule > 0 ? rule : trainee->app->restart_s);
}

void bl_sim_trainee_place(struct bl_sim_trainee *trainee, const struct bl_profile_device *device,
                          const struct bl_sim_shape *shape)
{
    const struct bl_sim_rules *rules = trainee->rules;

    if (!device) {
        trainee->device = NULL;
        trainee->shape = (struct bl_sim_shape){0};
        return;
    }
    if (rules->is_shape_enough && is_same(trainee, device, shape)) {
        return;
    }
    trainee->device = device;
    trainee->shape = *shape;
    trainee->step = (struct bl_sim_step){0};
    trainee->limits = limits_of(trainee, device, shape);
    bl_sim_agent_move(&trainee->agent);
    trainee->delay_s = bl_sim_trainee_restart_s(trainee);
    choose_batch(trainee);
}

/* Work of an iteration at so many times the first batch, in iterations of that. Noise that makes no
 * sense counts as none: then an iteration is an iteration. */
static double gain_at(struct bl_sim_noise noise, double scale)
{
    double gain = (noise.var + noise.sqr) / (noise.var / scale + noise.sqr);

    return isfinite(gain) && gain > 0 ? gain : 1;
}

struct bl_sim_pace bl_sim_pace_at(const struct bl_sim_trainee *trainee,
                                  const struct bl_profile_device *device,
                                  const struct bl_sim_shape *shape,
                                  const struct bl_sim_batch *batch, int32_t epoch)
{
    const struct bl_profile_app *app = trainee->app;
    double calibration =
        trainee->rules->calibration > 0 ? trainee->rules->calibration : app->calibration;
    double global = shape->gpus * batch->local * (batch->accumulation + 1);
    struct bl_sim_step step = bl_sim_step_at(device, shape, batch->local);
    struct bl_sim_noise noise = bl_sim_noise_at(app, global, epoch);
    double gain = gain_at(noise, global / app->batch_init);
    double time = step.step_s + (step.step_s - step.sync_s) * batch->accumulation;

    return (struct bl_sim_pace){step, noise, gain / time * calibration};
}

/* Work a second; keeps what it comes from. */
static double find_goodput(struct bl_sim_trainee *trainee)
{
    struct bl_sim_pace pace =
        bl_sim_pace_at(trainee, trainee->device, &trainee->shape, &trainee->batch, trainee->epoch);

    trainee->seen = trainee->batch;
    trainee->step = pace.step;
    trainee->noise = pace.noise;
    trainee->rate = pace.rate;
    if (trainee->rules->tunes_batch && !trainee->truths) {
        bl_sim_agent_see(&trainee->agent,
                         &(struct bl_sim_sight){trainee->device, trainee->shape,
                                                trainee->batch.local, pace.step, pace.noise});
    }
    return trainee->rate;
}

/* Up to the end of the epoch or of the time; answers the seconds that it took. Python's round() of
 * the published simulators takes halves to the even number, and so does nearbyint. */
static int64_t advance_in_epoch(struct bl_sim_trainee *trainee, int64_t seconds)
{
    double goodput = find_goodput(trainee);
    double next = bl_sim_progress_at(trainee->app, trainee->epoch + 1);
    int64_t used = seconds;

    if (trainee->progress + goodput * (double)seconds < next) {
        trainee->progress += goodput * (double)seconds;
    } else {
        used = (int64_t)nearbyint((next - trainee->progress) / goodput);
        trainee->progress = next;
        trainee->epoch++;
    }
    return used < seconds ? used : seconds;
}

int64_t bl_sim_trainee_advance(struct bl_sim_trainee *trainee, int64_t seconds)
{
    int64_t used = trainee->delay_s < seconds ? trainee->delay_s : seconds;

    if (!trainee->device || bl_sim_trainee_has_ended(trainee)) {
        return seconds;
    }
    trainee->delay_s -= used;
    while (used < seconds && !bl_sim_trainee_has_ended(trainee)) {
        used += advance_in_epoch(trainee, seconds - used);
        choose_batch(trainee);
    }
    return used;
}
