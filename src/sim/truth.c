#include "sim/truth.h"

#include "base/own.h"

#include <math.h>

void bl_sim_truths_finish(struct bl_sim_truths *truths)
{
    for (size_t i = 0; i < truths->devices.count; i++) {
        bl_map_finish_owned(&truths->devices.at[i].placements);
    }
    BL_VEC_FINISH(&truths->devices);
}

static struct bl_map *placements_of(struct bl_sim_truths *truths,
                                    const struct bl_profile_device *device)
{
    size_t at = 0;

    while (at < truths->devices.count && truths->devices.at[at].device != device) {
        at++;
    }
    if (at == truths->devices.count) {
        BL_VEC_PUSH(&truths->devices, (struct bl_sim_truths_device){.device = device});
    }
    return &truths->devices.at[at].placements;
}

/* Only counts matter where there are no digits. */
static int64_t key_of(const struct bl_sim_shape *shape)
{
    return shape->placement ? shape->placement : -bl_profile_key_counts(shape->nodes, shape->gpus);
}

/* From the first batch to the largest in steps of one ratio, as the job itself looks for one; ties
 * by the smaller. */
static struct bl_sim_truth *make(const struct bl_sim_trainee *trainee,
                                 const struct bl_profile_device *device,
                                 const struct bl_sim_shape *shape)
{
    const struct bl_profile_app *app = trainee->app;
    struct bl_sim_truth *truth = bl_alloc_zero((size_t)app->epochs * sizeof *truth);
    double least = fmax(app->batch_init, device->batch_min * shape->gpus);
    double ratio = log(app->batch_max / least) / (BL_BATCH_CHOICES - 1);

    for (int i = 0; i < BL_BATCH_CHOICES && least <= app->batch_max; i++) {
        struct bl_sim_batch batch = bl_sim_batch_of(trainee, device, shape, least * exp(i * ratio));

        for (int32_t epoch = 0; epoch < app->epochs; epoch++) {
            double rate = bl_sim_pace_at(trainee, device, shape, &batch, epoch).rate;

            if (rate > truth[epoch].rate) {
                truth[epoch] = (struct bl_sim_truth){batch, rate};
            }
        }
    }
    return truth;
}

struct bl_sim_truth bl_sim_truths_find(struct bl_sim_truths *truths,
                                       const struct bl_sim_trainee *trainee,
                                       const struct bl_profile_device *device,
                                       const struct bl_sim_shape *shape)
{
    struct bl_map *placements = placements_of(truths, device);
    struct bl_sim_truth *truth = bl_map_find(placements, key_of(shape));
    int32_t last = trainee->app->epochs - 1;

    if (!truth) {
        truth = make(trainee, device, shape);
        bl_map_insert(placements, key_of(shape), truth);
    }
    return truth[trainee->epoch < last ? trainee->epoch : last];
}
