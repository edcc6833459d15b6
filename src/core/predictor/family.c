/* What the job's kin took: runs of the same user, size, limit, name, command, project, alone and
 * together. Each kind of kin at each speed of forgetting is an expert; experts are weighted by how
 * likely they made what came, over the whole log and, quickly forgotten, for the user. So a user
 * without a past gets the answer of the wider kinds, and one with a past that of his own.
 *
 * How wide answers are is corrected by where the truth came to lie in earlier ones. */
#include "core/predict.h"

#include "base/map.h"
#include "base/own.h"
#include "core/predict_blend.h"
#include "core/predict_levels.h"
#include "core/predict_users.h"

#include <math.h>
#include <string.h>

enum {
    WINDOW = 48, /* runs of a kind that are looked at */
    DECAYS = 3,
    SHARED = BL_KIN_COUNT, /* two more kinds: by the share of the limit that was used */
    KINDS = SHARED + 2,
    EXPERTS = KINDS * DECAYS,
    USERS_MAX = 4096, /* whose weights are remembered */
    GROUPS = 16,
    UNIT = 1 << 10, /* of weights, kept as whole numbers */
    LOSS_MOST = 12 * UNIT,
    OVERRUN_MOST = 141 /* a tenth of the limit: UNIT * log2(1.1) */
};

static const double decay[DECAYS] = {.45, .8, .95};

#define KEEP_OF_USER   .5   /* of the user's weights, a run */
#define KEEP_OF_ALL    .998 /* of everybody's */
#define STEP_OF_ALL    .06
#define COUNTED_AS     30  /* truths that those of all answers count for in one group */
#define EVEN           100 /* truths that all answers begin with */
#define WIDENED        .05 /* the share of an answer that is spread over octaves */
#define KEPT           .7  /* of what is below the age of another of the kind that still runs */
#define LEAST_LIKELY   1e-4
#define SHORT_OF_THREE 1.0 /* what a kind with fewer than three runs loses, by their number */

struct user {
    int64_t key; /* first, for bl_users_open */
    int32_t loss[EXPERTS];
};

struct family {
    const struct bl_history *history;
    struct bl_map users; /* in order of arrival; the first to come is the first to go */
    int32_t loss[EXPERTS];
    int32_t overrun; /* how far past its limit a run went at most: log2, in UNITs */
    struct bl_levels truths[GROUPS + 1]; /* where they lay in answers; the last: in all */
    struct bl_blend *blend;
};

/* The kin of one question. */
struct kin {
    enum bl_kin kind;
    bool is_share;
    int32_t count;
    int64_t number[WINDOW];
};

struct council {
    double limit; /* log2 seconds; NAN = none */
    struct kin kin[KINDS];
    double weight[EXPERTS]; /* sum 1, 0 of those that sleep */
};

static void *create(const struct bl_history *history)
{
    struct family *family = bl_alloc_zero(sizeof *family);

    family->history = history;
    family->blend = bl_alloc_zero(sizeof *family->blend);
    return family;
}

static void destroy(void *self)
{
    struct family *family = self;

    bl_users_finish(&family->users);
    free(family->blend);
    free(family);
}

/* Where runs are taken to end: a little past the limit where that is how things go. */
static double log_limit(const struct family *family, const struct bl_traits *traits)
{
    return traits->limit > 0
               ? log2((double)traits->limit / BL_SECOND) + (double)family->overrun / UNIT
               : (double)NAN;
}

static void find_kin(const struct family *family, const struct bl_question *question, int kind,
                     struct kin *kin)
{
    kin->is_share = kind >= SHARED;
    kin->kind = kind == SHARED ? BL_KIN_USER : kind > SHARED ? BL_KIN_ALL : (enum bl_kin)kind;
    kin->count = 0;
    if (!kin->is_share || question->traits.limit > 0) {
        kin->count = bl_history_find(family->history, &question->traits, kin->kind,
                                     question->asked.known, WINDOW, kin->number);
    }
}

/* log2 seconds that the k-th newest run says; NAN = nothing. */
static double guess_of(const struct family *family, const struct council *council,
                       const struct kin *kin, int32_t k)
{
    double guess = kin->is_share ? bl_history_log_share(family->history, kin->number[k]) +
                                       council->limit - (double)family->overrun / UNIT
                                 : bl_history_log_run(family->history, kin->number[k]);

    return guess > council->limit ? council->limit : guess;
}

static void weigh(const struct family *family, const struct bl_question *question,
                  struct council *council)
{
    const struct user *user = bl_map_find(&family->users, question->traits.user);
    double most = -INFINITY;
    double sum = 0;

    for (int e = 0; e < EXPERTS; e++) {
        int32_t count = council->kin[e / DECAYS].count;

        council->weight[e] = -INFINITY;
        if (count > 0) {
            council->weight[e] = (family->loss[e] + (user ? user->loss[e] : 0)) / (double)UNIT -
                                 (count < 3 ? SHORT_OF_THREE / count : 0);
            most = fmax(most, council->weight[e]);
        }
    }
    for (int e = 0; e < EXPERTS && most > -INFINITY; e++) {
        council->weight[e] = exp(council->weight[e] - most);
        sum += council->weight[e];
    }
    for (int e = 0; e < EXPERTS; e++) {
        council->weight[e] = sum > 0 ? council->weight[e] / sum : 0;
    }
}

static void convene(const struct family *family, const struct bl_question *question,
                    struct council *council)
{
    council->limit = log_limit(family, &question->traits);
    for (int kind = 0; kind < KINDS; kind++) {
        find_kin(family, question, kind, &council->kin[kind]);
    }
    weigh(family, question, council);
}

/* The weight of the newest of `count` runs, so that all together weigh 1. */
static double first_weight(double kept, int32_t count)
{
    return (1 - kept) / (1 - pow(kept, count));
}

static void blend_kin(struct family *family, const struct council *council, int kind)
{
    const struct kin *kin = &council->kin[kind];
    double weight[DECAYS];

    for (int d = 0; d < DECAYS; d++) {
        weight[d] = council->weight[kind * DECAYS + d] * first_weight(decay[d], kin->count);
    }
    for (int32_t k = 0; k < kin->count; k++) {
        double guess = guess_of(family, council, kin, k);

        if (!isnan(guess)) {
            bl_blend_add(family->blend, guess, weight[0] + weight[1] + weight[2]);
        }
        for (int d = 0; d < DECAYS; d++) {
            weight[d] *= decay[d];
        }
    }
}

/* False when there is nothing to go by. */
static bool blend_all(struct family *family, const struct council *council,
                      const struct bl_question *question)
{
    bl_blend_begin(family->blend);
    for (int kind = 0; kind < KINDS; kind++) {
        if (council->kin[kind].count > 0) {
            blend_kin(family, council, kind);
        }
    }
    if (family->blend->total <= 0) {
        return false;
    }
    for (int32_t i = 0; i < question->asked.sibling_count; i++) {
        bl_blend_discount(
            family->blend,
            (double)question->asked.sibling[i] / BL_DIST_OCTAVE - log2((double)BL_SECOND), KEPT);
    }
    bl_blend_widen(family->blend, WIDENED);
    if (!isnan(council->limit)) {
        bl_blend_cap(family->blend, council->limit);
    }
    return true;
}

/* Questions that are alike in how well they can be answered. */
static int group_of(const struct council *council, const struct bl_question *question)
{
    static const int32_t near[] = {1, 4, 16};
    static const int32_t crowd[] = {2, 8, 32};
    int32_t count = council->kin[BL_KIN_USER_SIZE_LIMIT].count;
    int group = 0;

    for (int i = 0; i < 3; i++) {
        group += 4 * (count >= near[i]) + (question->asked.crowd >= crowd[i]);
    }
    return group;
}

static void predict(void *self, const struct bl_question *question, struct bl_dist *out)
{
    struct family *family = self;
    struct council council;
    double level[BL_DIST_POINTS];

    memset(out, 0, sizeof *out);
    convene(family, question, &council);
    if (blend_all(family, &council, question)) {
        bl_levels_correct(&family->truths[group_of(&council, question)], &family->truths[GROUPS],
                          (struct bl_levels_prior){COUNTED_AS, EVEN}, bl_dist_level, BL_DIST_POINTS,
                          level);
        bl_blend_read(family->blend, level, out);
    }
}

/* How likely a run `distance` octaves off is: mostly near, sometimes anywhere. */
static double kernel(double distance)
{
    static const double near = .06;
    static const double far = .9;

    distance = fabs(distance);
    return .6 / (2 * near) * exp(-distance / near) + .4 / (2 * far) * exp(-distance / far);
}

static void judge_kin(const struct family *family, const struct council *council, int kind,
                      double run, double likely[DECAYS])
{
    const struct kin *kin = &council->kin[kind];
    double weight[DECAYS];

    for (int d = 0; d < DECAYS; d++) {
        weight[d] = first_weight(decay[d], kin->count);
        likely[d] = LEAST_LIKELY;
    }
    for (int32_t k = 0; k < kin->count; k++) {
        double guess = guess_of(family, council, kin, k);
        double here = isnan(guess) ? 0 : kernel(run - guess);

        for (int d = 0; d < DECAYS; d++) {
            likely[d] += weight[d] * here;
            weight[d] *= decay[d];
        }
    }
}

/* What each expert gained over all together; 0 of those that slept. */
static void judge(const struct family *family, const struct council *council, double run,
                  double gain[EXPERTS])
{
    double together = 0;

    for (int kind = 0; kind < KINDS; kind++) {
        if (council->kin[kind].count > 0) {
            judge_kin(family, council, kind, run, &gain[(size_t)kind * DECAYS]);
        }
    }
    for (int e = 0; e < EXPERTS; e++) {
        together += council->weight[e] > 0 ? council->weight[e] * gain[e] : 0;
    }
    for (int e = 0; e < EXPERTS; e++) {
        gain[e] = council->kin[e / DECAYS].count > 0 ? log(gain[e] / together) : 0;
    }
}

static int32_t moved(int32_t loss, double keep, double step)
{
    double value = round(loss * keep + step * UNIT);

    return (int32_t)fmin(fmax(value, -LOSS_MOST), LOSS_MOST);
}

static struct user *open_user(struct family *family, int64_t key)
{
    return bl_users_open(&family->users, key, sizeof(struct user), USERS_MAX);
}

static void note_overrun(struct family *family, const struct bl_traits *traits, double log_run)
{
    if (traits->limit > 0) {
        double over = (log_run - log2((double)traits->limit / BL_SECOND)) * UNIT;

        if (over > family->overrun) {
            family->overrun = over < OVERRUN_MOST ? (int32_t)ceil(over) : OVERRUN_MOST;
        }
    }
}

static void learn(void *self, const struct bl_question *question, bl_time run)
{
    struct family *family = self;
    struct user *user = open_user(family, question->traits.user);
    double log_run = (double)bl_dist_point(run) / BL_DIST_OCTAVE - log2((double)BL_SECOND);
    struct council council;
    double gain[EXPERTS];
    int group;

    note_overrun(family, &question->traits, log_run);
    convene(family, question, &council);
    if (!blend_all(family, &council, question)) {
        return;
    }
    group = group_of(&council, question);
    bl_levels_note(&family->truths[group], bl_blend_chance(family->blend, log_run));
    bl_levels_note(&family->truths[GROUPS], bl_blend_chance(family->blend, log_run));
    judge(family, &council, log_run, gain);
    for (int e = 0; e < EXPERTS; e++) {
        user->loss[e] = moved(user->loss[e], KEEP_OF_USER, gain[e]);
        family->loss[e] = moved(family->loss[e], KEEP_OF_ALL, STEP_OF_ALL * gain[e]);
    }
}

enum { FACT_LOSS, FACT_CELLS, FACT_USER, FACT_OVERRUN };

static void export_facts(const void *self, void (*emit)(void *to, const struct bl_fact *fact),
                         void *to)
{
    const struct family *family = self;
    size_t cursor = 0;
    const struct user *user;

    emit(to, &(struct bl_fact){"family", FACT_OVERRUN, 0, &family->overrun, 1});
    emit(to, &(struct bl_fact){"family", FACT_LOSS, 0, family->loss, EXPERTS});
    for (int group = 0; group <= GROUPS; group++) {
        emit(to, &(struct bl_fact){"family", FACT_CELLS, group, family->truths[group].cell,
                                   BL_LEVELS_CELLS});
    }
    while ((user = bl_map_next(&family->users, &cursor))) {
        emit(to, &(struct bl_fact){"family", FACT_USER, user->key, user->loss, EXPERTS});
    }
}

static void take_values(const struct bl_fact *fact, int32_t least, int32_t most, int32_t *to,
                        size_t count)
{
    for (size_t i = 0; i < count && fact->count == count; i++) {
        int32_t value = fact->value[i];

        to[i] = value < least ? least : value > most ? most : value;
    }
}

static void take_fact(void *self, const struct bl_fact *fact)
{
    struct family *family = self;

    if (strcmp(fact->of, "family") != 0) {
        return;
    }
    if (fact->kind == FACT_OVERRUN) {
        take_values(fact, 0, OVERRUN_MOST, &family->overrun, 1);
    } else if (fact->kind == FACT_LOSS) {
        take_values(fact, -LOSS_MOST, LOSS_MOST, family->loss, EXPERTS);
    } else if (fact->kind == FACT_CELLS && fact->key >= 0 && fact->key <= GROUPS) {
        take_values(fact, 0, INT32_MAX / 2, family->truths[fact->key].cell, BL_LEVELS_CELLS);
    } else if (fact->kind == FACT_USER) {
        take_values(fact, -LOSS_MOST, LOSS_MOST, open_user(family, fact->key)->loss, EXPERTS);
    }
}

const struct bl_predictor bl_predictor_family = {
    .name = "family",
    .summary = "what runs of the same user, size, limit, name, command and project took",
    .create = create,
    .destroy = destroy,
    .predict = predict,
    .learn = learn,
    .export_facts = export_facts,
    .take_fact = take_fact,
};
