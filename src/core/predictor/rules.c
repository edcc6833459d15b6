/* What a rule of the site says of the job; of jobs that no rule is about it knows nothing. */
#include "core/predict.h"

#include <math.h>
#include <string.h>

/* It keeps nothing. */
static void *create(const struct bl_history *history)
{
    (void)history;
    return NULL;
}

static void destroy(void *self)
{
    (void)self;
}

/* Between the three levels, and beyond them, in proportion to where a logistic variable lies then,
 * on the scale of octaves. */
static double at_level(const double point[3], double level)
{
    static const double tenth = 2.1972; /* how far off one in ten of them is: ln 9 */
    double off = log(level / (1 - level)) / tenth;

    return off < 0 ? point[1] + off * (point[1] - point[0])
                   : point[1] + off * (point[2] - point[1]);
}

static void predict(void *self, const struct bl_question *question, struct bl_dist *out)
{
    const struct bl_expectation *expected = &question->expected;
    double point[3] = {bl_dist_point(expected->low), bl_dist_point(expected->middle),
                       bl_dist_point(expected->high)};

    (void)self;
    memset(out, 0, sizeof *out);
    if (expected->middle <= 0) {
        return;
    }
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        out->point[i] =
            (int32_t)fmin(fmax(round(at_level(point, bl_dist_level[i])), 1), BL_DIST_MOST);
    }
    if (question->traits.limit > 0) {
        bl_dist_cap(out, question->traits.limit);
    }
}

const struct bl_predictor bl_predictor_rules = {
    .name = "rules",
    .summary = "what the configuration's rules say",
    .handicap = -3,
    .create = create,
    .destroy = destroy,
    .predict = predict,
};
