/* Answers of the store. */
#include "base/own.h"
#include "core/curves_parts.h"

#include <math.h>

/* Relative uncertainty up to which an answer is relied on; that of a type never measured, whose
 * speed is guessed from another's. */
#define TRUSTED         0.15
#define GUESSED_TYPE    0.3
#define GUESSED_NOTHING 1.0

/* What the points near it differ from the model by, in logarithms, at the batches to look at. */
static void find_corrections(const struct bl_curves_asking *asking)
{
    struct bl_curves_placement *placement = asking->placement;

    for (int i = 0; i < 3; i++) {
        struct bl_shape shape = {placement->subject.gpus, placement->subject.nodes,
                                 placement->batch[i], 0};

        placement->correction[i] = log(bl_fit_correction(asking->fit, &shape));
    }
}

static void find_deviation(const struct bl_curves_asking *asking)
{
    struct bl_curves_placement *placement = asking->placement;

    for (int i = 0; i < 3; i++) {
        struct bl_shape shape = {placement->subject.gpus, placement->subject.nodes,
                                 placement->batch[i], 0};

        placement->deviation[i] = bl_fit_ask(asking->fit, &shape).deviation;
    }
    placement->has_deviation = true;
}

/* Where the batch is not to be chosen it is what it was: on each GPU, if that varied less among the
 * samples than the whole did, else over all of them. One unit of work where none is known. */
static double usual_batch(const struct bl_curves_app *app, int32_t gpus)
{
    double local[2] = {0, 0};
    double global[2] = {0, 0};
    double count = 0;

    if (!app->has_batches) {
        return 1.0 / gpus;
    }
    for (size_t i = 0; i < app->known_count; i++) {
        for (size_t j = 0; j < app->known[i]->count; j++) {
            const struct bl_curves_sample *sample = &app->known[i]->sample[j];
            double one = log(sample->local_batch);
            double all = one + log((double)sample->gpus * (sample->accumulation + 1.0));

            if (sample->has_batch) {
                local[0] += one;
                local[1] += one * one;
                global[0] += all;
                global[1] += all * all;
                count++;
            }
        }
    }
    if (local[1] - local[0] * local[0] / count <= global[1] - global[0] * global[0] / count) {
        return bl_curves_rounded(exp(local[0] / count));
    }
    return bl_curves_rounded(exp(global[0] / count) / gpus);
}

static void set_usual_batch(const struct bl_curves_asking *asking)
{
    struct bl_curves_placement *placement = asking->placement;
    double local = placement->subject.usual;
    struct bl_batch_choice *only = &placement->grid.at[0];

    for (int i = 0; i < 3; i++) {
        placement->batch[i] = local;
    }
    find_corrections(asking);
    *only = (struct bl_batch_choice){.global = local * placement->subject.gpus, .local = local};
    only->iter_s = bl_curves_step_at(asking, local, &(struct bl_curves_lie){0}).step_s;
    placement->grid.count = 1;
}

/* Anew for a fit. */
static void fill_placement(const struct bl_curves_asking *asking)
{
    asking->placement->has_deviation = false;
    if (asking->placement->subject.usual > 0) {
        set_usual_batch(asking);
        return;
    }
    find_corrections(asking);
    if (asking->placement->grid.count > 0) {
        bl_curves_bound_batches(asking);
    }
}

static bool is_same_batch(const struct bl_batch *a, const struct bl_batch *b)
{
    return a->initial == b->initial && a->max == b->max && a->local_min == b->local_min &&
           a->local_max == b->local_max;
}

static bool is_same(const struct bl_curves_subject *a, const struct bl_curves_subject *b)
{
    return a->gpus == b->gpus && a->nodes == b->nodes && a->usual == b->usual &&
           is_same_batch(&a->batch, &b->batch);
}

static struct bl_curves_placement *slot_of(struct bl_curves_known *known,
                                           const struct bl_curves_subject *wanted)
{
    struct bl_curves_placement **slot =
        &known->slot[((size_t)wanted->gpus * 31 + (size_t)wanted->nodes) % BL_CURVES_SLOTS];

    if (!*slot) {
        *slot = bl_alloc_zero(sizeof **slot);
    }
    if (!is_same(&(*slot)->subject, wanted)) {
        (*slot)->subject = *wanted;
        (*slot)->fit_number = 0;
        if (!(wanted->usual > 0)) {
            bl_curves_plan_batches(*slot);
        }
    }
    return *slot;
}

static struct bl_curves_asking ask_placement(struct bl_curves_app *app,
                                             struct bl_curves_known *known,
                                             const struct bl_curves_question *question)
{
    struct bl_curves_subject wanted = {.gpus = question->gpus, .nodes = question->nodes};
    struct bl_curves_asking asking = {.fit = bl_curves_fit_of(app, known)};

    if (app->has_batches && question->batch && bl_batch_is_given(question->batch)) {
        wanted.batch = *question->batch;
    } else {
        wanted.usual = usual_batch(app, question->gpus);
    }
    asking.placement = slot_of(known, &wanted);
    if (asking.placement->fit_number != known->fit_number) {
        asking.placement->fit_number = known->fit_number;
        fill_placement(&asking);
    }
    if (!question->is_of_rate && !asking.placement->has_deviation) {
        find_deviation(&asking);
    }
    return asking;
}

/* Asked for far more often than it changes. */
static double unit_of(struct bl_curves_app *app)
{
    if (!(app->unit_factor > 0) || app->unit != app->unit_of_factor) {
        app->unit_factor = exp(app->unit);
        app->unit_of_factor = app->unit;
    }
    return app->unit_factor;
}

/* How sure it is is left open where that is not asked. */
static struct bl_curves_answer answer_of(struct bl_curves_app *app, struct bl_curves_known *known,
                                         const struct bl_curves_question *question,
                                         const struct bl_noise *noise)
{
    struct bl_curves_asking asking = ask_placement(app, known, question);
    const struct bl_curves_placement *placement = asking.placement;
    struct bl_curves_answer answer = {0};
    struct bl_tuned tuned = {0};

    if (placement->grid.count == 0) {
        return answer;
    }
    if (placement->subject.usual > 0) {
        const struct bl_batch_choice *only = &placement->grid.at[0];

        answer.rate = only->global / only->iter_s;
        answer.deviation = placement->deviation[0];
    } else if (bl_curves_best_batch(&asking, noise, &tuned)) {
        answer.batch = tuned.choice;
        answer.rate = tuned.goodput;
        answer.deviation =
            bl_curves_between(placement->deviation, &placement->lie[placement->best]);
    }
    if (app->has_batches) {
        answer.rate *= unit_of(app);
    }
    return answer;
}

/* Time of computing on one GPU, with the batches that were seen. */
static bool find_compute(struct bl_curves_app *app, int32_t type, double *log_s)
{
    struct bl_curves_known *known = bl_curves_known_find(app, type);

    if (!known || known->count == 0) {
        return false;
    }
    *log_s = log(bl_fit_iteration(bl_curves_fit_of(app, known),
                                  &(struct bl_shape){1, 1, usual_batch(app, 1), 0}));
    return isfinite(*log_s);
}

/* How much faster one type is than another with the applications that know both: the mean of
 * logarithms; 0 when there are none. */
static double type_ratio(struct bl_curves *curves, int32_t type, int32_t other, double *deviation)
{
    struct bl_curves_app *app;
    size_t cursor = 0;
    double sum = 0;
    double count = 0;

    while ((app = bl_map_next(&curves->apps, &cursor))) {
        double mine;
        double theirs;

        if (find_compute(app, type, &mine) && find_compute(app, other, &theirs)) {
            sum += theirs - mine;
            count++;
        }
    }
    *deviation = count > 0 ? GUESSED_TYPE : GUESSED_NOTHING;
    return count > 0 ? sum / count : 0;
}

static struct bl_curves_answer guess_type(struct bl_curves *curves, struct bl_curves_app *app,
                                          const struct bl_curves_question *question,
                                          const struct bl_noise *noise)
{
    struct bl_curves_known *donor = bl_curves_donor(app, NULL);
    struct bl_curves_answer answer = {0};
    double deviation = 0;

    if (!donor) {
        return answer;
    }
    answer = answer_of(app, donor, question, noise);
    answer.rate *= exp(type_ratio(curves, question->type, donor->type, &deviation));
    answer.deviation = hypot(answer.deviation, deviation);
    return answer;
}

struct bl_curves_answer bl_curves_ask(struct bl_curves *curves, struct bl_curves_app *app,
                                      const struct bl_curves_question *question)
{
    struct bl_curves_known *known = bl_curves_known_find(app, question->type);
    struct bl_noise noise = question->noise;
    struct bl_curves_answer answer;

    if (question->gpus < 1 || question->nodes < 1) {
        return (struct bl_curves_answer){0};
    }
    if (!bl_noise_is_known(&noise)) {
        noise = bl_noise_table_at(&app->noise, question->done);
    }
    answer = known && known->count ? answer_of(app, known, question, &noise)
                                   : guess_type(curves, app, question, &noise);
    if (!(answer.rate > 0) || !isfinite(answer.rate)) {
        return (struct bl_curves_answer){0};
    }
    if (question->is_of_rate) {
        answer.deviation = GUESSED_NOTHING;
    }
    answer.is_trusted = answer.deviation <= TRUSTED;
    answer.is_within_reach = answer.is_trusted || question->gpus / 2 <= bl_curves_gpus_seen(app);
    return answer;
}
