/* How the run time grows with a job's parameters: a line through the logarithms of run times over
 * those of the parameters and of the GPUs, fitted to the last runs of the same work whose
 * parameters have the same names. It knows what no run of the past shows: 300 epochs after runs of
 * 10 and of 100. Jobs without parameters that are numbers get no answer. */
#include "core/predict.h"

#include "base/own.h"
#include "core/cholesky.h"
#include "core/predict_blend.h"

#include <math.h>
#include <string.h>

enum {
    WINDOW = 64,
    LEAST = 3,                      /* runs below which no line is drawn */
    TERMS = BL_CLUES_PARAMS_MAX + 2 /* one, the GPUs, the parameters */
};

#define FORGET  .97 /* the weight of a run over that of the next */
#define RIDGE   .05 /* how strongly slopes are drawn to 0, in runs a square octave */
#define WIDENED .05

struct regress {
    const struct bl_history *history;
    struct bl_blend *blend;
};

struct fit {
    int terms;
    int32_t count;
    double x[WINDOW][TERMS], y[WINDOW], weight[WINDOW];
    double mean_x[TERMS], mean_y, total;
    double slope[TERMS];
};

static void *create(const struct bl_history *history)
{
    struct regress *regress = bl_alloc_zero(sizeof *regress);

    regress->history = history;
    regress->blend = bl_alloc_zero(sizeof *regress->blend);
    return regress;
}

static void destroy(void *self)
{
    struct regress *regress = self;

    free(regress->blend);
    free(regress);
}

static bool is_comparable(const struct bl_traits *a, const struct bl_traits *b)
{
    bool same =
        a->clues.param_count == b->clues.param_count && a->clues.variant == b->clues.variant;

    for (int32_t i = 0; same && i < a->clues.param_count; i++) {
        same = a->clues.param[i].name == b->clues.param[i].name;
    }
    return same;
}

static void fill_terms(const struct bl_traits *traits, double x[TERMS])
{
    x[0] = log2(traits->gpus > 1 ? traits->gpus : 1);
    for (int32_t i = 0; i < traits->clues.param_count; i++) {
        x[i + 1] = (double)traits->clues.param[i].point / BL_DIST_OCTAVE;
    }
}

static void collect(const struct regress *regress, const struct bl_question *question,
                    enum bl_kin kin, struct fit *fit)
{
    int64_t number[WINDOW];
    int32_t found = bl_history_find(regress->history, &question->traits, kin, question->asked.known,
                                    WINDOW, number);
    double weight = 1;

    fit->terms = question->traits.clues.param_count + 1;
    fit->count = 0;
    for (int32_t i = 0; i < found; i++) {
        const struct bl_traits *traits = bl_history_traits(regress->history, number[i]);

        if (is_comparable(&question->traits, traits)) {
            fill_terms(traits, fit->x[fit->count]);
            fit->y[fit->count] = bl_history_log_run(regress->history, number[i]);
            fit->weight[fit->count++] = weight;
            weight *= FORGET;
        }
    }
}

static void centre(struct fit *fit)
{
    memset(fit->mean_x, 0, sizeof fit->mean_x);
    fit->mean_y = 0;
    fit->total = 0;
    for (int32_t k = 0; k < fit->count; k++) {
        fit->total += fit->weight[k];
        fit->mean_y += fit->weight[k] * fit->y[k];
        for (int t = 0; t < fit->terms; t++) {
            fit->mean_x[t] += fit->weight[k] * fit->x[k][t];
        }
    }
    fit->mean_y /= fit->total;
    for (int t = 0; t < fit->terms; t++) {
        fit->mean_x[t] /= fit->total;
    }
}

/* The slopes of least squares around the means; false when there is no answer. */
static bool solve(struct fit *fit)
{
    double lower[BL_TRIANGLE(TERMS)] = {0};

    centre(fit);
    memset(fit->slope, 0, sizeof fit->slope);
    for (int32_t k = 0; k < fit->count; k++) {
        for (int t = 0; t < fit->terms; t++) {
            double x = fit->weight[k] * (fit->x[k][t] - fit->mean_x[t]);

            fit->slope[t] += x * (fit->y[k] - fit->mean_y);
            for (int u = 0; u <= t; u++) {
                lower[BL_TRIANGLE(t) + u] += x * (fit->x[k][u] - fit->mean_x[u]);
            }
        }
    }
    for (int t = 0; t < fit->terms; t++) {
        lower[BL_TRIANGLE(t) + t] += RIDGE;
    }
    if (!bl_cholesky_factor(lower, (size_t)fit->terms)) {
        return false;
    }
    bl_cholesky_forward(lower, (size_t)fit->terms, fit->slope);
    bl_cholesky_backward(lower, (size_t)fit->terms, fit->slope);
    return true;
}

static double value_at(const struct fit *fit, const double x[TERMS])
{
    double value = fit->mean_y;

    for (int t = 0; t < fit->terms; t++) {
        value += fit->slope[t] * (x[t] - fit->mean_x[t]);
    }
    return value;
}

enum { PASSES = 3 };

/* Runs far from the line, such as those that failed at once, weigh less in the next pass. */
static bool draw_line(struct fit *fit)
{
    static const double near = .3; /* octaves */
    double weight[WINDOW];

    memcpy(weight, fit->weight, sizeof weight);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int32_t k = 0; pass > 0 && k < fit->count; k++) {
            double off = (fit->y[k] - value_at(fit, fit->x[k])) / near;

            fit->weight[k] = weight[k] / (1 + off * off);
        }
        if (!solve(fit)) {
            return false;
        }
    }
    memcpy(fit->weight, weight, sizeof weight);
    return true;
}

/* How much further off the line the truth may lie here than where runs were: more so outside. */
static double stretch_at(const struct fit *fit, const double x[TERMS])
{
    double off = 0;

    for (int t = 0; t < fit->terms; t++) {
        double spread = RIDGE;

        for (int32_t k = 0; k < fit->count; k++) {
            double beyond = fit->x[k][t] - fit->mean_x[t];

            spread += fit->weight[k] * beyond * beyond;
        }
        off += (x[t] - fit->mean_x[t]) * (x[t] - fit->mean_x[t]) / spread;
    }
    return sqrt(1 + (1 + fit->terms) / fit->total + off);
}

static bool fit_kin(const struct regress *regress, const struct bl_question *question,
                    struct fit *fit)
{
    static const enum bl_kin tried[] = {BL_KIN_USER_NAME, BL_KIN_USER_COMMAND, BL_KIN_USER};

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        collect(regress, question, tried[i], fit);
        if (fit->count >= LEAST) {
            return draw_line(fit);
        }
    }
    return false;
}

static void predict(void *self, const struct bl_question *question, struct bl_dist *out)
{
    static const double least_off = .05; /* octaves: nothing repeats itself more exactly */
    struct regress *regress = self;
    double x[TERMS] = {0};
    struct fit fit;
    double value;
    double stretch;

    memset(out, 0, sizeof *out);
    if (question->traits.clues.param_count == 0 || !fit_kin(regress, question, &fit)) {
        return;
    }
    fill_terms(&question->traits, x);
    value = value_at(&fit, x);
    stretch = stretch_at(&fit, x);
    bl_blend_begin(regress->blend);
    for (int32_t k = 0; k < fit.count; k++) {
        double off = stretch * (fit.y[k] - value_at(&fit, fit.x[k]));

        bl_blend_add(regress->blend, value + off + least_off * stretch, fit.weight[k] / 2);
        bl_blend_add(regress->blend, value + off - least_off * stretch, fit.weight[k] / 2);
    }
    bl_blend_widen(regress->blend, WIDENED);
    bl_blend_read(regress->blend, bl_dist_level, out);
    if (question->traits.limit > 0) {
        bl_dist_cap(out, question->traits.limit);
    }
}

const struct bl_predictor bl_predictor_regress = {
    .name = "regress",
    .summary = "a line through the run times of the same work over its parameters",
    .create = create,
    .destroy = destroy,
    .predict = predict,
};
