#include "sim/rates.h"

#include <math.h>

/* The smallest of the numbers that the digits give when they are rotated. */
static int64_t smallest_rotation(int64_t key, int32_t digits)
{
    int64_t smallest = key;
    int64_t high = 1;

    for (int32_t i = 1; i < digits; i++) {
        high *= 10;
    }
    for (int32_t i = 1; i < digits; i++) {
        key = key % 10 * high + key / 10;
        smallest = key < smallest ? key : smallest;
    }
    return smallest;
}

static struct bl_sim_shape shape_of_counts(const int32_t *gpus, size_t nodes)
{
    struct bl_sim_shape shape = {.nodes = (int32_t)nodes};
    int64_t key = bl_profile_key_placement(gpus, nodes);

    for (size_t i = 0; i < nodes; i++) {
        shape.gpus += gpus[i];
    }
    shape.placement = key ? smallest_rotation(key, shape.nodes) : 0;
    return shape;
}

/* Of more nodes than a placement has digits only the counts matter. */
static struct bl_sim_shape shape_of_many(int32_t nodes, int32_t gpus)
{
    return (struct bl_sim_shape){.nodes = nodes, .gpus = gpus};
}

struct bl_sim_shape bl_sim_shape_of(const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    int32_t gpus[BL_PROFILE_NODES_MAX];
    size_t nodes = 0;

    for (size_t i = 0; i < alloc->part_count; i++) {
        if (part[i].gpus == 0) {
            continue;
        }
        if (nodes == BL_PROFILE_NODES_MAX) {
            return shape_of_many((int32_t)alloc->part_count, bl_alloc_gpus(alloc));
        }
        gpus[nodes++] = part[i].gpus;
    }
    return shape_of_counts(gpus, nodes);
}

struct bl_sim_shape bl_sim_shape_packed(int32_t gpus, int32_t per_node)
{
    int32_t counts[BL_PROFILE_NODES_MAX];
    size_t nodes = 0;

    if ((gpus + per_node - 1) / per_node > BL_PROFILE_NODES_MAX) {
        return shape_of_many((gpus + per_node - 1) / per_node, gpus);
    }
    for (int32_t left = gpus; left > 0; left -= per_node) {
        counts[nodes++] = left < per_node ? left : per_node;
    }
    return shape_of_counts(counts, nodes);
}

static struct bl_sim_step between(const struct bl_profile_row *low,
                                  const struct bl_profile_row *high, double batch)
{
    double length = high->batch - low->batch;
    double step_slope = (high->step_s - low->step_s) / length;
    double sync_slope = (high->sync_s - low->sync_s) / length;

    return (struct bl_sim_step){step_slope * (batch - low->batch) + low->step_s,
                                sync_slope * (batch - low->batch) + low->sync_s};
}

static bool interpolate(const struct bl_profile_rows *rows, int64_t key, double batch,
                        struct bl_sim_step *out)
{
    const struct bl_profile_row *row;
    size_t count = bl_profile_find_rows(rows, key, &row);
    size_t high = 1;

    if (count == 0) {
        return false;
    }
    if (count == 1 || batch < row[0].batch) {
        *out = (struct bl_sim_step){row[0].step_s, row[0].sync_s};
        return true;
    }
    if (batch > row[count - 1].batch) {
        *out = (struct bl_sim_step){row[count - 1].step_s, row[count - 1].sync_s};
        return true;
    }
    while (row[high].batch < batch) {
        high++;
    }
    *out = between(&row[high - 1], &row[high], batch);
    return true;
}

/* The row of `rows` whose number of GPUs is nearest, by `gpus_of` its key; NULL without rows. */
static const struct bl_profile_row *nearest(const struct bl_profile_rows *rows, int32_t gpus,
                                            int32_t (*gpus_of)(int64_t key))
{
    const struct bl_profile_row *best = NULL;
    int32_t least = INT32_MAX;

    for (size_t i = 0; i < rows->count; i++) {
        int32_t away = abs(gpus_of(rows->at[i].key) - gpus);

        if (away < least) {
            least = away;
            best = &rows->at[i];
        }
    }
    return best;
}

static int32_t gpus_of_counts(int64_t key)
{
    return (int32_t)(key & INT32_MAX);
}

static struct bl_sim_step step_nearby(const struct bl_profile_device *device, int32_t gpus,
                                      double batch)
{
    const struct bl_profile_row *placed = nearest(&device->placements, gpus, bl_profile_key_gpus);
    const struct bl_profile_row *scaled = nearest(&device->scalability, gpus, gpus_of_counts);
    struct bl_sim_step step = {placed->step_s, placed->sync_s};

    if (scaled &&
        abs(gpus_of_counts(scaled->key) - gpus) < abs(bl_profile_key_gpus(placed->key) - gpus)) {
        interpolate(&device->scalability, scaled->key, batch, &step);
    } else {
        interpolate(&device->placements, placed->key, batch, &step);
    }
    return step;
}

struct bl_sim_step bl_sim_step_at(const struct bl_profile_device *device,
                                  const struct bl_sim_shape *shape, double batch)
{
    int32_t nodes = shape->nodes < BL_PROFILE_NODES_MAX ? shape->nodes : BL_PROFILE_NODES_MAX;
    int64_t counts = bl_profile_key_counts(nodes, shape->gpus);
    struct bl_sim_step step;

    if ((shape->placement && interpolate(&device->placements, shape->placement, batch, &step)) ||
        interpolate(&device->generic, counts, batch, &step) ||
        interpolate(&device->scalability, counts, batch, &step)) {
        return step;
    }
    return step_nearby(device, shape->gpus, batch);
}

static double batch_max_of_rows(const struct bl_profile_rows *rows, int64_t key)
{
    const struct bl_profile_row *row;
    size_t count = bl_profile_find_rows(rows, key, &row);

    return count ? row[count - 1].batch : 0;
}

double bl_sim_batch_max(const struct bl_profile_device *device, const struct bl_sim_shape *shape)
{
    double most = shape->placement ? batch_max_of_rows(&device->placements, shape->placement) : 0;

    if (most > 0) {
        return most;
    }
    for (size_t i = 0; i < device->scalability.count; i++) {
        const struct bl_profile_row *row = &device->scalability.at[i];

        if ((int32_t)(row->key >> 32) >= shape->nodes && gpus_of_counts(row->key) >= shape->gpus) {
            most = fmax(most, row->batch);
        }
    }
    return most > 0 ? most : device->batch_max;
}

double bl_sim_batch_max_of_gpus(const struct bl_profile_device *device, int32_t gpus)
{
    double most = 0;

    for (size_t i = 0; i < device->placements.count; i++) {
        if (bl_profile_key_gpus(device->placements.at[i].key) == gpus) {
            most = fmax(most, device->placements.at[i].batch);
        }
    }
    return most;
}

/* The measured batches on both sides, which may be the same one. */
struct neighbours {
    const struct bl_profile_validation *low, *high;
};

static struct neighbours find_neighbours(const struct bl_profile_app *app, double batch)
{
    const struct bl_profile_validation *all = app->validation.at;
    size_t last = app->validation.count - 1;
    struct neighbours found = {&all[0], &all[last]};

    for (size_t i = 0; i <= last; i++) {
        if (all[i].batch <= batch) {
            found.low = &all[i];
        }
        if (all[i].batch >= batch) {
            found.high = &all[i];
            break;
        }
    }
    return found;
}

static double mix(const struct neighbours *at, double batch, double low, double high)
{
    return at->low == at->high || batch <= at->low->batch
               ? low
               : ((batch - at->low->batch) * high + (at->high->batch - batch) * low) /
                     (at->high->batch - at->low->batch);
}

struct bl_sim_noise bl_sim_noise_at(const struct bl_profile_app *app, double batch, int32_t epoch)
{
    struct neighbours at = find_neighbours(app, batch);
    const struct bl_profile_epoch *low = &at.low->epoch.at[epoch];
    const struct bl_profile_epoch *high = &at.high->epoch.at[epoch];

    return (struct bl_sim_noise){mix(&at, batch, low->grad_sqr, high->grad_sqr),
                                 mix(&at, batch, low->grad_var, high->grad_var)};
}

double bl_sim_iteration_at(const struct bl_profile_app *app, double batch, int32_t epoch)
{
    struct neighbours at = find_neighbours(app, batch);

    return mix(&at, batch, at.low->epoch.at[epoch].iteration, at.high->epoch.at[epoch].iteration);
}

double bl_sim_progress_at(const struct bl_profile_app *app, int32_t epochs)
{
    double least = INFINITY;

    if (epochs == 0) {
        return 0;
    }
    for (size_t i = 0; i < app->validation.count; i++) {
        least = fmin(least, app->validation.at[i].epoch.at[epochs - 1].progress);
    }
    return least;
}
