/* All other predictors together: each counts by how much better or worse it did lately than all
 * together, over the whole log and for the user, in pinball loss on the scale of octaves. One that
 * knows nothing of a job does not count for it, nor is it judged by it. */
#include "core/predict.h"

#include "base/map.h"
#include "base/own.h"
#include "core/predict_blend.h"
#include "core/predict_users.h"

#include <math.h>
#include <string.h>

enum {
    PARTS_MAX = 8,
    USERS_MAX = 4096,
    UNIT = 1 << 16, /* of losses, kept as whole numbers */
    LOSS_MOST = 1024 * UNIT
};

#define KEEP_OF_USER  .8 /* of the sum of losses, a run */
#define KEEP_OF_ALL   .998
#define HALVED_BY     .5 /* octaves of summed loss that halve the weight: of the user */
#define HALVED_BY_ALL 5.0
#define ONE_RUN_MOST  1.0 /* octaves: one surprise does not decide */
#define ALONE         .98 /* from this weight on one speaks alone */

struct user {
    int64_t key; /* first, for bl_users_open */
    int32_t loss[PARTS_MAX];
};

struct mixture {
    int parts;
    const struct bl_predictor *part[PARTS_MAX];
    void *part_self[PARTS_MAX];
    struct bl_map users;
    struct user all; /* key 0 */
    struct bl_blend *blend;
};

static void *create(const struct bl_history *history)
{
    struct mixture *mixture = bl_alloc_zero(sizeof *mixture);

    for (size_t i = 0; bl_predictors[i] && mixture->parts < PARTS_MAX; i++) {
        if (bl_predictors[i]->create != create) {
            mixture->part_self[mixture->parts] = bl_predictors[i]->create(history);
            mixture->part[mixture->parts++] = bl_predictors[i];
        }
    }
    mixture->blend = bl_alloc_zero(sizeof *mixture->blend);
    return mixture;
}

static void destroy(void *self)
{
    struct mixture *mixture = self;

    for (int i = 0; i < mixture->parts; i++) {
        mixture->part[i]->destroy(mixture->part_self[i]);
    }
    bl_users_finish(&mixture->users);
    free(mixture->blend);
    free(mixture);
}

static double weight_of(const struct mixture *mixture, const struct user *user, int part)
{
    double of_all = (double)mixture->all.loss[part] / UNIT / HALVED_BY_ALL;
    double of_user = user ? (double)user->loss[part] / UNIT / HALVED_BY : 0;

    return exp2(-of_all - of_user - mixture->part[part]->handicap);
}

/* What each part says, and its weight: they sum to 1, or are 0 when nobody knows anything. */
struct council {
    struct bl_dist said[PARTS_MAX];
    double weight[PARTS_MAX];
};

static void ask_all(struct mixture *mixture, const struct bl_question *question,
                    struct council *council)
{
    const struct user *user = bl_map_find(&mixture->users, question->traits.user);
    double sum = 0;

    for (int i = 0; i < mixture->parts; i++) {
        mixture->part[i]->predict(mixture->part_self[i], question, &council->said[i]);
        council->weight[i] = bl_dist_is_known(&council->said[i]) ? weight_of(mixture, user, i) : 0;
        sum += council->weight[i];
    }
    for (int i = 0; i < mixture->parts && sum > 0; i++) {
        council->weight[i] /= sum;
    }
}

static void blend_in(struct mixture *mixture, const struct bl_dist *said, double weight)
{
    for (int p = 0; p < BL_DIST_POINTS; p++) {
        double low = p > 0 ? bl_dist_level[p - 1] : -bl_dist_level[0];
        double high = p + 1 < BL_DIST_POINTS ? bl_dist_level[p + 1] : 2 - bl_dist_level[p];

        bl_blend_add(mixture->blend,
                     (double)said->point[p] / BL_DIST_OCTAVE - log2((double)BL_SECOND),
                     weight * (high - low) / 2);
    }
}

static void predict(void *self, const struct bl_question *question, struct bl_dist *out)
{
    struct mixture *mixture = self;
    struct council council;

    memset(out, 0, sizeof *out);
    ask_all(mixture, question, &council);
    bl_blend_begin(mixture->blend);
    for (int i = 0; i < mixture->parts; i++) {
        if (council.weight[i] >= ALONE) {
            *out = council.said[i];
            return;
        }
        if (council.weight[i] > 0) {
            blend_in(mixture, &council.said[i], council.weight[i]);
        }
    }
    if (mixture->blend->total > 0) {
        bl_blend_read(mixture->blend, bl_dist_level, out);
    }
}

/* The mean over all levels, in octaves. */
static double judge(const struct bl_dist *said, int32_t run)
{
    double sum = 0;

    for (int p = 0; p < BL_DIST_POINTS; p++) {
        sum += bl_pinball(bl_dist_level[p], (double)said->point[p], (double)run);
    }
    return sum / BL_DIST_POINTS / BL_DIST_OCTAVE;
}

static void note_loss(int32_t *loss, double keep, double more)
{
    double value = round(*loss * keep + more * UNIT);

    *loss = (int32_t)fmin(fmax(value, -LOSS_MOST), LOSS_MOST);
}

static struct user *open_user(struct mixture *mixture, int64_t key)
{
    return bl_users_open(&mixture->users, key, sizeof(struct user), USERS_MAX);
}

/* How each part did, over how all together did; 0 of those that knew nothing. */
static void judge_all(const struct mixture *mixture, const struct council *council, int32_t run,
                      double loss[PARTS_MAX])
{
    double together = 0;

    for (int i = 0; i < mixture->parts; i++) {
        loss[i] = bl_dist_is_known(&council->said[i]) ? judge(&council->said[i], run) : 0;
        together += council->weight[i] * loss[i];
    }
    for (int i = 0; i < mixture->parts; i++) {
        loss[i] = bl_dist_is_known(&council->said[i])
                      ? fmin(fmax(loss[i] - together, -ONE_RUN_MOST), ONE_RUN_MOST)
                      : 0;
    }
}

static void learn(void *self, const struct bl_question *question, bl_time run)
{
    struct mixture *mixture = self;
    struct user *user = open_user(mixture, question->traits.user);
    struct council council;
    double loss[PARTS_MAX];

    ask_all(mixture, question, &council);
    judge_all(mixture, &council, bl_dist_point(run), loss);
    for (int i = 0; i < mixture->parts; i++) {
        if (bl_dist_is_known(&council.said[i])) {
            note_loss(&user->loss[i], KEEP_OF_USER, loss[i]);
            note_loss(&mixture->all.loss[i], KEEP_OF_ALL, loss[i]);
        }
        if (mixture->part[i]->learn) {
            mixture->part[i]->learn(mixture->part_self[i], question, run);
        }
    }
}

enum { FACT_ALL, FACT_USER };

static void export_facts(const void *self, void (*emit)(void *to, const struct bl_fact *fact),
                         void *to)
{
    const struct mixture *mixture = self;
    size_t cursor = 0;
    const struct user *user;

    emit(to, &(struct bl_fact){"mixture", FACT_ALL, 0, mixture->all.loss, PARTS_MAX});
    while ((user = bl_map_next(&mixture->users, &cursor))) {
        emit(to, &(struct bl_fact){"mixture", FACT_USER, user->key, user->loss, PARTS_MAX});
    }
    for (int i = 0; i < mixture->parts; i++) {
        if (mixture->part[i]->export_facts) {
            mixture->part[i]->export_facts(mixture->part_self[i], emit, to);
        }
    }
}

static void take_losses(struct user *user, const struct bl_fact *fact)
{
    for (size_t i = 0; i < PARTS_MAX && fact->count == PARTS_MAX; i++) {
        int32_t loss = fact->value[i];

        user->loss[i] = loss < -LOSS_MOST ? -LOSS_MOST : loss > LOSS_MOST ? LOSS_MOST : loss;
    }
}

static void take_fact(void *self, const struct bl_fact *fact)
{
    struct mixture *mixture = self;

    if (strcmp(fact->of, "mixture") == 0) {
        take_losses(fact->kind == FACT_ALL ? &mixture->all : open_user(mixture, fact->key), fact);
    }
    for (int i = 0; i < mixture->parts; i++) {
        if (mixture->part[i]->take_fact) {
            mixture->part[i]->take_fact(mixture->part_self[i], fact);
        }
    }
}

const struct bl_predictor bl_predictor_mixture = {
    .name = "mixture",
    .summary = "all other predictors, each by how well it did lately",
    .create = create,
    .destroy = destroy,
    .predict = predict,
    .learn = learn,
    .export_facts = export_facts,
    .take_fact = take_fact,
};
