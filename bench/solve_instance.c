#include "solve_instance.h"

#include <math.h>

enum { COUNTS = 16, TYPES = 6, NODE_GPUS = 8, BATCHES = 8 };

static const int32_t counts[COUNTS] = {1,  2,  4,  8,  16, 24,  32,  40,
                                       48, 56, 64, 80, 96, 128, 192, 256};
static const double type_speed[TYPES] = {1, 1.9, 3.4, 0.55, 2.5, 5};
static const double type_share[TYPES] = {0.3, 0.2, 0.15, 0.15, 0.1, 0.1};

/* How fast one job runs. */
struct model {
    double compute, fixed, batch, batch_gpu_max;
    double sync, sync_slope, across, overlap, noise;
    double type_speed[TYPES];
};

static double uniform(struct bl_rng *rng, double low, double high)
{
    return low + (high - low) * bl_rng_unit(rng);
}

static double log_uniform(struct bl_rng *rng, double low, double high)
{
    return exp(uniform(rng, log(low), log(high)));
}

static double log_normal(struct bl_rng *rng, double sigma)
{
    double radius = sqrt(-2 * log(1 - bl_rng_unit(rng)));

    return exp(sigma * radius * cos(6.283185307179586 * bl_rng_unit(rng)));
}

static int32_t pick(struct bl_rng *rng, const int32_t *from, int64_t count)
{
    return from[bl_rng_between(rng, 0, count - 1)];
}

static struct model draw_model(struct bl_rng *rng)
{
    struct model model = {.compute = log_uniform(rng, 0.05, 1.5),
                          .fixed = uniform(rng, 0.05, 0.2),
                          .batch = log_uniform(rng, 32, 1024)};

    model.batch_gpu_max = model.batch * uniform(rng, 1, 2);
    model.sync = model.compute * log_uniform(rng, 0.02, 0.25);
    model.sync_slope = uniform(rng, 0, 0.02);
    model.across = uniform(rng, 1.5, 6);
    model.overlap = uniform(rng, 1.2, 5.2);
    model.noise = model.batch * log_uniform(rng, 1, 100);
    for (int t = 0; t < TYPES; t++) {
        model.type_speed[t] = type_speed[t] * log_normal(rng, 0.2);
    }
    return model;
}

static double goodput(const struct model *model, int32_t type, int32_t gpus)
{
    double sync = gpus > 1 ? model->sync * (1 + model->sync_slope * (gpus - 2)) : 0;
    double largest = gpus * model->batch_gpu_max / model->batch;
    double best = 0;

    sync *= gpus > NODE_GPUS ? model->across : 1;
    for (int i = 0; i < BATCHES; i++) {
        double batch = model->batch * pow(largest, (double)i / (BATCHES - 1));
        double compute = model->compute * (model->fixed + 0.85 * batch / gpus / model->batch) /
                         model->type_speed[type];
        double iteration =
            pow(pow(compute, model->overlap) + pow(sync, model->overlap), 1 / model->overlap);
        double efficiency = (model->noise + model->batch) / (model->noise + batch);

        best = fmax(best, batch / iteration * efficiency);
    }
    return best;
}

static void add_options(struct bench_instance *it, const struct model *model, int32_t least,
                        int32_t most)
{
    size_t before = it->option.count;
    double smallest = HUGE_VAL;

    for (int32_t t = 0; t < it->problem.types; t++) {
        for (int c = 0; c < COUNTS; c++) {
            double speed;

            if (counts[c] < least || counts[c] > most) {
                continue;
            }
            speed = goodput(model, t, counts[c]);
            smallest = counts[c] == least ? fmin(smallest, speed) : smallest;
            BL_VEC_PUSH(&it->option, (struct bl_solve_option){.gpus = counts[c], .type = t});
            BL_VEC_PUSH(&it->goodput, speed);
        }
    }
    for (size_t i = before; i < it->option.count; i++) {
        it->goodput.at[i] /= smallest;
    }
}

static void add_job(struct bench_instance *it)
{
    static const int32_t rigid[] = {1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 16, 32};
    static const int32_t least[] = {1, 1, 1, 2, 4, 8};
    static const int32_t most[] = {8, 16, 32, 64, 128, 256};
    struct model model = draw_model(&it->rng);

    BL_VEC_PUSH(&it->job, (struct bench_job){.weight = log_normal(&it->rng, 0.5),
                                             .restart = 1,
                                             .current = BL_SOLVE_NONE});
    if (bl_rng_unit(&it->rng) < 0.3) {
        int32_t gpus = pick(&it->rng, rigid, 12);

        add_options(it, &model, gpus, gpus);
    } else {
        int32_t min = pick(&it->rng, least, 6);
        int32_t max = pick(&it->rng, most, 6);

        add_options(it, &model, min, max);
    }
    BL_VEC_PUSH(&it->first, it->option.count);
}

static void set_values(struct bench_instance *it, size_t job)
{
    const struct bench_job *at = &it->job.at[job];

    for (size_t i = it->first.at[job]; i < it->first.at[job + 1]; i++) {
        bool is_current = at->current >= 0 && it->first.at[job] + (size_t)at->current == i;
        double speed = it->goodput.at[i] * (is_current ? 1 : at->restart);

        it->option.at[i].value =
            at->weight * (it->value == BENCH_LINEAR ? speed : 1.1 - 1 / sqrt(speed));
    }
}

static void share_out(struct bench_instance *it, const struct bench_size *size)
{
    double shares = 0;
    int64_t given = 0;

    for (int32_t t = 0; t < size->types; t++) {
        shares += type_share[t];
    }
    for (int32_t t = 0; t < size->types; t++) {
        double part = (double)size->gpus * type_share[t] / shares;

        it->capacity[t] = (int64_t)llround(part / NODE_GPUS) * NODE_GPUS;
        given += it->capacity[t];
    }
    it->capacity[0] += size->gpus - given;
}

static void connect(struct bench_instance *it)
{
    it->problem.jobs = it->job.count;
    it->problem.capacity = it->capacity;
    it->problem.first = it->first.at;
    it->problem.option = it->option.at;
}

void bench_make(struct bench_instance *it, const struct bench_size *size, uint64_t seed)
{
    *it = (struct bench_instance){.value = size->value, .problem.types = size->types};
    bl_rng_seed(&it->rng, seed);
    share_out(it, size);
    BL_VEC_PUSH(&it->first, 0);
    for (size_t j = 0; j < size->jobs; j++) {
        add_job(it);
    }
    for (size_t j = 0; j < size->jobs; j++) {
        set_values(it, j);
    }
    connect(it);
}

void bench_reweight(struct bench_instance *it, size_t job)
{
    it->job.at[job].weight = log_normal(&it->rng, 0.5);
    set_values(it, job);
}

void bench_next_round(struct bench_instance *it, const int32_t *choice)
{
    for (size_t j = 0; j < it->job.count; j++) {
        struct bench_job *job = &it->job.at[j];
        double age = log_uniform(&it->rng, 60, 50000);
        double restarts = (double)bl_rng_between(&it->rng, 0, 3);

        if (bl_rng_unit(&it->rng) < 0.9) {
            job->current = choice[j];
        } else {
            job->weight = log_normal(&it->rng, 0.5);
        }
        if (job->current != BL_SOLVE_NONE) {
            job->restart = fmax(0.05, fmax(0, age - 30 * restarts) / (age + 30));
        }
        set_values(it, j);
    }
}

void bench_finish(struct bench_instance *it)
{
    BL_VEC_FINISH(&it->first);
    BL_VEC_FINISH(&it->option);
    BL_VEC_FINISH(&it->goodput);
    BL_VEC_FINISH(&it->job);
}
