/* The mean of the last two runs of the same user (Tsafrir, Etsion and Feitelson 2007), with the
 * spread that this guess has had lately. */
#include "core/predict.h"

#include "base/own.h"

#include <math.h>
#include <string.h>

enum { ERRORS = 127 };

struct last2 {
    const struct bl_history *history;
    int32_t count;         /* errors that were seen, up to ERRORS */
    int32_t at;            /* the oldest, where there are as many */
    int32_t error[ERRORS]; /* in points: the run over the guess */
    int32_t sorted[ERRORS];
};

static void *create(const struct bl_history *history)
{
    struct last2 *last2 = bl_alloc_zero(sizeof *last2);

    last2->history = history;
    return last2;
}

static void destroy(void *self)
{
    free(self);
}

/* A point; 0 = nothing is known. */
static int32_t guess(const struct last2 *last2, const struct bl_question *question)
{
    int64_t number[2];
    int32_t count = bl_history_find(last2->history, &question->traits, BL_KIN_USER,
                                    question->asked.known, 2, number);
    bl_time sum = 0;
    int32_t point;

    for (int32_t i = 0; i < count; i++) {
        sum += bl_history_run(last2->history, number[i]) / count;
    }
    point = bl_dist_point(sum);
    return count == 0 ? 0 : point > 0 ? point : 1;
}

static void predict(void *self, const struct bl_question *question, struct bl_dist *out)
{
    const struct last2 *last2 = self;
    int32_t point = guess(last2, question);

    memset(out, 0, sizeof *out);
    if (point == 0) {
        return;
    }
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        int32_t rank = (int32_t)(bl_dist_level[i] * last2->count);
        int64_t shifted = (int64_t)point + (last2->count ? last2->sorted[rank] : 0);

        out->point[i] = shifted < 1 ? 1 : shifted < BL_DIST_MOST ? (int32_t)shifted : BL_DIST_MOST;
    }
    if (question->traits.limit > 0) {
        bl_dist_cap(out, question->traits.limit);
    }
}

static void remove_sorted(struct last2 *last2, int32_t error)
{
    int32_t at = 0;

    while (last2->sorted[at] != error) {
        at++;
    }
    last2->count--;
    memmove(&last2->sorted[at], &last2->sorted[at + 1],
            (size_t)(last2->count - at) * sizeof last2->sorted[0]);
}

static void add_error(struct last2 *last2, int32_t error)
{
    int32_t at;

    if (last2->count == ERRORS) {
        remove_sorted(last2, last2->error[last2->at]);
        last2->error[last2->at] = error;
        last2->at = (last2->at + 1) % ERRORS;
    } else {
        last2->error[last2->count] = error;
    }
    at = last2->count++;
    for (; at > 0 && last2->sorted[at - 1] > error; at--) {
        last2->sorted[at] = last2->sorted[at - 1];
    }
    last2->sorted[at] = error;
}

static void learn(void *self, const struct bl_question *question, bl_time run)
{
    struct last2 *last2 = self;
    int32_t point = guess(last2, question);

    if (point > 0) {
        add_error(last2, bl_dist_point(run) - point);
    }
}

static void export_facts(const void *self, void (*emit)(void *to, const struct bl_fact *fact),
                         void *to)
{
    const struct last2 *last2 = self;
    int32_t in_order[ERRORS];

    for (int32_t i = 0; i < last2->count; i++) {
        in_order[i] = last2->error[(last2->at + i) % ERRORS];
    }
    if (last2->count > 0) {
        emit(to, &(struct bl_fact){"last2", 0, 0, in_order, (size_t)last2->count});
    }
}

static void take_fact(void *self, const struct bl_fact *fact)
{
    for (size_t i = 0; strcmp(fact->of, "last2") == 0 && i < fact->count; i++) {
        add_error(self, fact->value[i] % BL_DIST_MOST);
    }
}

const struct bl_predictor bl_predictor_last2 = {
    .name = "last2",
    .summary = "the mean of the user's last two runs",
    .handicap = 10,
    .create = create,
    .destroy = destroy,
    .predict = predict,
    .learn = learn,
    .export_facts = export_facts,
    .take_fact = take_fact,
};
