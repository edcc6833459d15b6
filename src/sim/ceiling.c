#include "sim/ceiling.h"

#include "base/own.h"
#include "base/sort.h"

#include <math.h>

enum { STRETCHES = 48, NODES_MAX = 16, LEAST_PART = 16 };

/* A batch that is rounded up may pass the largest that was measured by one. */
#define BATCH_ROUNDING 1

/* A batch at which a straight line of measured times may end, as one placement does there. */
struct bend {
    double batch, step_s, compute_s; /* compute: without synchronisation */
};

/* Global batches between two bounds, and the least time that an iteration takes with any of them.
 */
struct stretch {
    double low, high, time_s;
};

struct search {
    const struct bl_sim_trainee *trainee;
    const struct bl_sim_ground *ground;
    struct bend *bend; /* by rising batch */
    size_t bends;
    double least_compute_s; /* of any bend */
    struct stretch stretch[STRETCHES];
};

static int compare_bends(const void *left, const void *right)
{
    double a = ((const struct bend *)left)->batch;
    double b = ((const struct bend *)right)->batch;

    return (a > b) - (a < b);
}

/* All batches that were measured on the device, each once. */
static void find_bends(struct search *search)
{
    const struct bl_profile_device *device = search->ground->device;
    const struct bl_profile_rows *const all[] = {&device->placements, &device->generic,
                                                 &device->scalability};
    size_t room = device->placements.count + device->generic.count + device->scalability.count;
    size_t kept = 0;

    search->bend = bl_alloc_zero((room + 1) * sizeof *search->bend);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        for (size_t i = 0; i < all[k]->count; i++) {
            search->bend[search->bends++].batch = all[k]->at[i].batch;
        }
    }
    bl_sort(search->bend, search->bends, sizeof *search->bend, compare_bends);
    for (size_t i = 0; i < search->bends; i++) {
        if (i == 0 || search->bend[i].batch != search->bend[kept - 1].batch) {
            search->bend[kept++] = search->bend[i];
        }
    }
    search->bends = kept;
}

static void measure_bends(struct search *search, const struct bl_sim_shape *shape)
{
    search->least_compute_s = INFINITY;
    for (size_t i = 0; i < search->bends; i++) {
        struct bend *bend = &search->bend[i];
        struct bl_sim_step step = bl_sim_step_at(search->ground->device, shape, bend->batch);

        bend->step_s = step.step_s;
        bend->compute_s = step.step_s - step.sync_s;
        search->least_compute_s = fmin(search->least_compute_s, bend->compute_s);
    }
}

static double time_of(const struct search *search, const struct bl_sim_shape *shape, double local,
                      double accumulation)
{
    struct bl_sim_step step = bl_sim_step_at(search->ground->device, shape, local);

    return step.step_s + (step.step_s - step.sync_s) * accumulation;
}

/* Between bends times are straight lines, so that the least is at an end or at a bend. */
static double least_time(const struct search *search, const struct bl_sim_shape *shape,
                         const double local[2], double accumulation)
{
    double least = fmin(time_of(search, shape, local[0], accumulation),
                        time_of(search, shape, local[1], accumulation));

    for (size_t i = 0; i < search->bends; i++) {
        const struct bend *bend = &search->bend[i];

        if (bend->batch > local[0] && bend->batch < local[1]) {
            least = fmin(least, bend->step_s + bend->compute_s * accumulation);
        }
    }
    return least;
}

/* The same global batch in more and more micro-steps, until their computing alone takes longer than
 * what is known to be enough. */
static void try_steps(const struct search *search, const struct bl_sim_shape *shape, double most,
                      struct stretch *stretch)
{
    double first = fmax(1, ceil(stretch->low / shape->gpus / most));
    double last = ceil(stretch->high / shape->gpus) + 1;

    for (int64_t i = 0; first + (double)i <= last; i++) {
        double steps = first + (double)i;
        double local[2] = {fmax(1, stretch->low / shape->gpus / steps),
                           fmax(1, fmin(stretch->high / shape->gpus / steps, most))};

        if (search->least_compute_s * (steps - 1) >= stretch->time_s) {
            break;
        }
        stretch->time_s = fmin(stretch->time_s, least_time(search, shape, local, steps - 1));
    }
}

static void try_any_batch(struct search *search, const struct bl_sim_shape *shape)
{
    const struct bl_sim_trainee *trainee = search->trainee;
    const struct bl_profile_device *device = search->ground->device;
    double most = trainee->rules->keeps_to_placement ? bl_sim_batch_max(device, shape)
                                                     : bl_sim_trainee_batch_max(trainee, device);

    measure_bends(search, shape);
    for (size_t i = 0; i < STRETCHES; i++) {
        try_steps(search, shape, most + BATCH_ROUNDING, &search->stretch[i]);
    }
}

static void try_own_batch(struct search *search, const struct bl_sim_shape *shape)
{
    const struct bl_sim_trainee *trainee = search->trainee;
    struct bl_sim_batch batch =
        bl_sim_batch_of(trainee, search->ground->device, shape, trainee->trace_batch);
    double whole = shape->gpus * batch.local * (batch.accumulation + 1);
    double time = time_of(search, shape, batch.local, batch.accumulation);

    size_t at = 0;

    while (at + 1 < STRETCHES && search->stretch[at].high < whole) {
        at++;
    }
    search->stretch[at].high = fmax(search->stretch[at].high, whole);
    search->stretch[at].time_s = fmin(search->stretch[at].time_s, time);
}

static void try_shape(struct search *search, const struct bl_sim_shape *shape)
{
    if (search->trainee->rules->tunes_batch) {
        try_any_batch(search, shape);
    } else {
        try_own_batch(search, shape);
    }
}

/* Every placement that was measured for so many GPUs, and what stands for the others. */
static void try_shapes(struct search *search)
{
    const struct bl_sim_ground *ground = search->ground;
    const struct bl_profile_rows *rows = &ground->device->placements;
    int32_t least = (ground->gpus + ground->per_node - 1) / ground->per_node;

    for (int32_t nodes = least; nodes <= ground->gpus && nodes <= NODES_MAX; nodes++) {
        try_shape(search, &(struct bl_sim_shape){.nodes = nodes, .gpus = ground->gpus});
    }
    for (size_t i = 0; i < rows->count; i++) {
        int64_t key = rows->at[i].key;
        int32_t digits = 0;

        if ((i > 0 && rows->at[i - 1].key == key) || bl_profile_key_gpus(key) != ground->gpus) {
            continue;
        }
        for (int64_t rest = key; rest > 0; rest /= 10) {
            digits++;
        }
        try_shape(search, &(struct bl_sim_shape){digits, ground->gpus, key});
    }
}

/* The least and the most global batch that the job may come to, rounding included. */
static void find_range(const struct search *search, double range[2])
{
    const struct bl_sim_trainee *trainee = search->trainee;
    double gpus = search->ground->gpus;

    if (trainee->rules->tunes_batch) {
        range[0] = trainee->app->batch_init / LEAST_PART;
        range[1] = 2 * fmax(trainee->app->batch_max, gpus);
    } else {
        range[0] = trainee->trace_batch / LEAST_PART;
        range[1] = 2 * (trainee->trace_batch + gpus);
    }
}

/* In steps of one ratio. The first reaches down to nothing. */
static void make_stretches(struct search *search)
{
    double range[2];
    double ratio;

    find_range(search, range);
    ratio = pow(range[1] / range[0], 1.0 / STRETCHES);
    for (size_t i = 0; i < STRETCHES; i++) {
        double low = range[0] * pow(ratio, (double)i);

        search->stretch[i] = (struct stretch){i > 0 ? low : 0, low * ratio, INFINITY};
    }
}

/* Noise that makes no sense could be worth anything. */
static double gain_of(const struct bl_profile_epoch *epoch, double scale)
{
    double gain = (epoch->grad_var + epoch->grad_sqr) / (epoch->grad_var / scale + epoch->grad_sqr);

    return epoch->grad_var >= 0 && epoch->grad_sqr >= 0 && isfinite(gain) ? gain : INFINITY;
}

/* The gain grows with the batch, and noise between two measured batches lies between theirs. */
static double most_gain(const struct bl_profile_app *app, const struct stretch *stretch,
                        int32_t epoch)
{
    double most = 0;

    for (size_t i = 0; i < app->validation.count; i++) {
        most = fmax(
            most, gain_of(&app->validation.at[i].epoch.at[epoch], stretch->high / app->batch_init));
    }
    return most;
}

void bl_sim_ceiling(const struct bl_sim_trainee *trainee, const struct bl_sim_ground *ground,
                    double *rate)
{
    const struct bl_profile_app *app = trainee->app;
    struct search search = {.trainee = trainee, .ground = ground};
    double calibration =
        trainee->rules->calibration > 0 ? trainee->rules->calibration : app->calibration;

    find_bends(&search);
    make_stretches(&search);
    try_shapes(&search);
    for (int32_t epoch = 0; epoch < app->epochs; epoch++) {
        rate[epoch] = 0;
        for (size_t i = 0; i < STRETCHES; i++) {
            const struct stretch *stretch = &search.stretch[i];

            if (stretch->time_s < INFINITY) {
                rate[epoch] = fmax(rate[epoch],
                                   most_gain(app, stretch, epoch) / stretch->time_s * calibration);
            }
        }
    }
    free(search.bend);
}
