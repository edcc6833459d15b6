#include "core/scores.h"

#include "base/map.h"
#include "base/vec.h"
#include "core/foretell_levels.h"

#include <math.h>
#include <string.h>

enum {
    BIN_UNIT_MS = 10,
    BIN_BITS = 3, /* each octave of errors has eight bins */
    GROUPS_MAX = 64,
    TOLD_VALUES = 2 + 2 * BL_TOLD_LEVELS,
    OUTLINE_VALUES = 1 + BL_OUTLINE_POINTS,
    PENDING_PLAIN = 1 + BL_SCORE_WHEN_COUNT * TOLD_VALUES, /* all that older snapshots have */
    PENDING_VALUES = PENDING_PLAIN + BL_SCORE_WHEN_COUNT * 2 * OUTLINE_VALUES,
    SCORE_VALUES = 9 /* before the bins */
};

/* Shorter is no wait: who starts in the first round that sees it has no need to be told. */
#define WAIT_MIN BL_SECOND

static const char *const basis_words[BL_TOLD_BASIS_COUNT] = {
    [BL_TOLD_LIMITS] = "limits", [BL_TOLD_MEDIAN] = "median", [BL_TOLD_RUNS] = "runs"};

static const char *const when_words[BL_SCORE_WHEN_COUNT] = {
    [BL_SCORE_FIRST] = "first", [BL_SCORE_RANGE] = "range", [BL_SCORE_LAST] = "last"};

static const char *const what_words[BL_SCORE_WHAT_COUNT] = {
    [BL_SCORE_START] = "start", [BL_SCORE_END] = "end"};

static const char score_word[] = "eta_score";
static const char told_word[] = "eta_told";
static const char untold_word[] = "eta_untold";

/* A job of which something was told and that has not ended. */
struct pending {
    bl_job_id job;
    struct bl_told told[BL_SCORE_WHEN_COUNT];
    const char *policy; /* that started it; NULL before */
};

struct bl_scores {
    struct bl_map pending; /* job -> struct pending, owned */
    BL_VEC(struct bl_score_group *) groups;
    int64_t untold;
    struct bl_foretell_learnt *learnt; /* NULL = nothing */
};

const char *bl_told_basis_name(enum bl_told_basis basis)
{
    return basis_words[basis];
}

struct bl_scores *bl_scores_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_scores));
}

static void free_group(struct bl_score_group *group)
{
    struct bl_score **score = &group->score[0][0][0];

    for (size_t i = 0; i < sizeof group->score / sizeof *score; i++) {
        free(score[i]);
    }
    free(group->policy);
    free(group);
}

void bl_scores_destroy(struct bl_scores *scores)
{
    if (scores) {
        bl_scores_forget_all(scores);
        bl_map_finish(&scores->pending);
        for (size_t i = 0; i < scores->groups.count; i++) {
            free_group(scores->groups.at[i]);
        }
        BL_VEC_FINISH(&scores->groups);
        free(scores->learnt);
        free(scores);
    }
}

/* --- one score ------------------------------------------------------------------------------- */

/* Floor of the binary logarithm; value > 0. */
static int log2_of(int64_t value)
{
    return 63 - __builtin_clzll((uint64_t)value);
}

static int octave_of(bl_time span)
{
    int octave = span < BL_SECOND ? 0 : 1 + log2_of(span / BL_SECOND);

    return octave < BL_SCORE_OCTAVES ? octave : BL_SCORE_OCTAVES - 1;
}

/* Small errors have a bin each, larger ones share eight in each octave. */
static int bin_of(int64_t error_ms)
{
    int64_t value = error_ms / BIN_UNIT_MS;
    int octave;
    int bin;

    if (value < 1 << BIN_BITS) {
        return (int)value;
    }
    octave = log2_of(value);
    bin = (octave - BIN_BITS + 1) * (1 << BIN_BITS) +
          (int)(value >> (octave - BIN_BITS) & ((1 << BIN_BITS) - 1));
    return bin < BL_SCORE_BINS ? bin : BL_SCORE_BINS - 1;
}

/* The middle of what a bin holds. */
static double bin_middle_s(int bin)
{
    int octave = bin / (1 << BIN_BITS) - 1;
    double low = bin;
    double width = 1;

    if (bin >= 1 << BIN_BITS) {
        width = (double)(INT64_C(1) << octave);
        low = (double)((1 << BIN_BITS) + bin % (1 << BIN_BITS)) * width;
    }
    return (low + width / 2) * BIN_UNIT_MS / 1000;
}

static int64_t size_of(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Thirty times the mean pinball loss over the levels .1, .5 and .9. */
static int64_t pinball_30(const int64_t told_ms[BL_TOLD_LEVELS], int64_t truth_ms)
{
    static const int64_t tenths[BL_TOLD_LEVELS] = {1, 5, 9};
    int64_t sum = 0;

    for (int i = 0; i < BL_TOLD_LEVELS; i++) {
        int64_t under = truth_ms - told_ms[i];

        sum += under >= 0 ? tenths[i] * under : (10 - tenths[i]) * -under;
    }
    return sum;
}

/* Instants as milliseconds since it was told: whoever looks at a clock sees no finer. */
static void note(struct bl_score *score, const bl_time range[BL_TOLD_LEVELS], bl_time told_at,
                 bl_time truth)
{
    int64_t truth_ms = (truth - told_at) / BL_MILLISECOND;
    int64_t told_ms[BL_TOLD_LEVELS];

    for (int i = 0; i < BL_TOLD_LEVELS; i++) {
        told_ms[i] = (range[i] - told_at) / BL_MILLISECOND;
    }
    score->count++;
    score->covered += truth_ms >= told_ms[0] && truth_ms <= told_ms[BL_TOLD_LEVELS - 1];
    score->pinball_ms += pinball_30(told_ms, truth_ms) / 30;
    score->bias_ms += told_ms[1] - truth_ms;
    score->error_ms += size_of(told_ms[1] - truth_ms);
    score->bin[bin_of(size_of(told_ms[1] - truth_ms))]++;
}

void bl_score_add(struct bl_score *to, const struct bl_score *score)
{
    to->count += score->count;
    to->covered += score->covered;
    to->pinball_ms += score->pinball_ms;
    to->bias_ms += score->bias_ms;
    to->error_ms += score->error_ms;
    for (int i = 0; i < BL_SCORE_BINS; i++) {
        to->bin[i] += score->bin[i];
    }
}

double bl_score_median_error_s(const struct bl_score *score)
{
    int64_t left = (score->count + 1) / 2;

    for (int i = 0; i < BL_SCORE_BINS && score->count > 0; i++) {
        left -= score->bin[i];
        if (left <= 0) {
            return bin_middle_s(i);
        }
    }
    return (double)NAN;
}

/* --- which one ------------------------------------------------------------------------------- */

static struct bl_score_group *group_of(struct bl_scores *scores, const char *policy,
                                       enum bl_told_basis basis)
{
    struct bl_score_group *group;

    for (size_t i = 0; i < scores->groups.count; i++) {
        group = scores->groups.at[i];
        if (group->basis == basis && strcmp(group->policy, policy) == 0) {
            return group;
        }
    }
    if (scores->groups.count == GROUPS_MAX) {
        return NULL;
    }
    group = bl_alloc_zero(sizeof *group);
    group->policy = bl_copy_text(policy);
    group->basis = basis;
    BL_VEC_PUSH(&scores->groups, group);
    return group;
}

static struct bl_score *score_of(struct bl_score **slot)
{
    *slot = *slot ? *slot : bl_alloc_zero(sizeof **slot);
    return *slot;
}

static struct bl_foretell_learnt *open_learnt(struct bl_scores *scores)
{
    scores->learnt = scores->learnt ? scores->learnt : bl_alloc_zero(sizeof *scores->learnt);
    return scores->learnt;
}

const struct bl_foretell_learnt *bl_scores_learnt(const struct bl_scores *scores)
{
    return scores->learnt;
}

static void learn(struct bl_scores *scores, const struct bl_told *told, enum bl_score_what what,
                  bl_time truth)
{
    const struct bl_outline *outline = what == BL_SCORE_START ? &told->start_runs : &told->end_runs;

    if (outline->now > 0) {
        struct bl_foretell_learnt *learnt = open_learnt(scores);

        bl_foretell_levels_note(what == BL_SCORE_START ? &learnt->start : &learnt->end, outline,
                                truth);
    }
}

/* The truth was told in time, or nothing is learnt from it. The first word is the first range, or
 * none that could have been better. */
static void score_one(struct bl_scores *scores, const struct pending *pending,
                      enum bl_score_when when, enum bl_score_what what, bl_time truth)
{
    const struct bl_told *told = &pending->told[when];
    const bl_time *range = what == BL_SCORE_START ? told->start : told->end;
    struct bl_score_group *group;

    if (told->at == 0 || range[1] == 0 || told->at > truth) {
        return;
    }
    group = group_of(scores, pending->policy, told->basis);
    if (group) {
        note(score_of(&group->score[when][what][octave_of(range[1] - told->at)]), range, told->at,
             truth);
    }
    if (when != BL_SCORE_FIRST) {
        learn(scores, told, what, truth);
    }
}

/* --- what was told --------------------------------------------------------------------------- */

static struct pending *find_or_add(struct bl_scores *scores, bl_job_id job)
{
    struct pending *pending = bl_map_find(&scores->pending, job);

    if (!pending) {
        pending = bl_alloc_zero(sizeof *pending);
        pending->job = job;
        bl_map_insert(&scores->pending, job, pending);
    }
    return pending;
}

static bool is_scored(const struct bl_job *job)
{
    return !job->array && !job->array_job;
}

static void tell_last(struct bl_scores *scores, const struct bl_job *job,
                      const struct bl_told *told)
{
    struct pending *pending = bl_map_find(&scores->pending, job->id);

    if (pending && pending->policy && pending->told[BL_SCORE_LAST].at == 0 &&
        told->at <= job->first_started_at) {
        pending->told[BL_SCORE_LAST] = *told;
        score_one(scores, pending, BL_SCORE_LAST, BL_SCORE_START, job->first_started_at);
    }
}

static void tell_waiting(struct pending *pending, const struct bl_told *told)
{
    if (pending->told[BL_SCORE_FIRST].at == 0) {
        pending->told[BL_SCORE_FIRST] = *told;
    }
    if (told->basis == BL_TOLD_RUNS && pending->told[BL_SCORE_RANGE].at == 0) {
        pending->told[BL_SCORE_RANGE] = *told;
    }
}

void bl_scores_tell(struct bl_scores *scores, const struct bl_job *job, const struct bl_told *told)
{
    if (!is_scored(job) || bl_job_state_is_ended(job->state) || told->at == 0) {
        return;
    }
    if (job->first_started_at) {
        tell_last(scores, job, told);
    } else {
        tell_waiting(find_or_add(scores, job->id), told);
    }
}

bool bl_scores_has_range(const struct bl_scores *scores, bl_job_id job)
{
    const struct pending *pending = bl_map_find(&scores->pending, job);

    return pending && pending->told[BL_SCORE_RANGE].at != 0;
}

bool bl_scores_has(const struct bl_scores *scores, bl_job_id job)
{
    return bl_map_find(&scores->pending, job) != NULL;
}

void bl_scores_note_started(struct bl_scores *scores, const struct bl_job *job, const char *policy)
{
    struct pending *pending = bl_map_find(&scores->pending, job->id);
    struct bl_score_group *group;

    if (!is_scored(job) || job->first_started_at != job->started_at) {
        return;
    }
    if (!pending) {
        scores->untold += job->started_at - job->submitted_at >= WAIT_MIN;
        return;
    }
    group = group_of(scores, policy, pending->told[BL_SCORE_FIRST].basis);
    if (!group) {
        bl_scores_forget(scores, job->id);
        return;
    }
    pending->policy = group->policy;
    score_one(scores, pending, BL_SCORE_FIRST, BL_SCORE_START, job->first_started_at);
    score_one(scores, pending, BL_SCORE_RANGE, BL_SCORE_START, job->first_started_at);
}

void bl_scores_note_ended(struct bl_scores *scores, const struct bl_job *job)
{
    struct pending *pending = bl_map_remove(&scores->pending, job->id);

    for (int when = 0; pending && pending->policy && when < BL_SCORE_WHEN_COUNT; when++) {
        score_one(scores, pending, when, BL_SCORE_END, job->ended_at);
    }
    free(pending);
}

void bl_scores_forget(struct bl_scores *scores, bl_job_id job)
{
    free(bl_map_remove(&scores->pending, job));
}

void bl_scores_forget_all(struct bl_scores *scores)
{
    struct pending *pending;
    size_t cursor = 0;

    while ((pending = bl_map_next(&scores->pending, &cursor))) {
        bl_scores_forget(scores, pending->job);
    }
}

/* --- through a snapshot ---------------------------------------------------------------------- */

static int64_t *put_told(int64_t *value, const struct bl_told *told)
{
    *value++ = told->at;
    *value++ = told->basis;
    for (int i = 0; i < BL_TOLD_LEVELS; i++) {
        *value++ = told->start[i];
        *value++ = told->end[i];
    }
    return value;
}

static bool take_told(const int64_t *value, struct bl_told *out)
{
    out->at = value[0];
    out->basis = (enum bl_told_basis)value[1];
    for (int i = 0; i < BL_TOLD_LEVELS; i++) {
        out->start[i] = value[2 + 2 * i];
        out->end[i] = value[3 + 2 * i];
    }
    return value[1] >= 0 && value[1] < BL_TOLD_BASIS_COUNT;
}

static int64_t *put_outline(int64_t *value, const struct bl_outline *outline)
{
    *value++ = outline->now;
    for (int i = 0; i < BL_OUTLINE_POINTS; i++) {
        *value++ = outline->at[i];
    }
    return value;
}

static const int64_t *take_outline(const int64_t *value, struct bl_outline *out)
{
    out->now = *value++;
    for (int i = 0; i < BL_OUTLINE_POINTS; i++) {
        out->at[i] = *value++;
    }
    return value;
}

static void export_pending(const struct pending *pending,
                           void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    int64_t value[PENDING_VALUES] = {pending->job};
    int64_t *next = value + 1;

    for (int when = 0; when < BL_SCORE_WHEN_COUNT; when++) {
        next = put_told(next, &pending->told[when]);
    }
    for (int when = 0; when < BL_SCORE_WHEN_COUNT; when++) {
        next = put_outline(next, &pending->told[when].start_runs);
        next = put_outline(next, &pending->told[when].end_runs);
    }
    emit(to, &(struct bl_kept){told_word, pending->policy, value, PENDING_VALUES});
}

static void take_pending(struct bl_scores *scores, const struct bl_kept *kept)
{
    struct pending taken = {0};
    struct bl_score_group *group = NULL;
    const int64_t *outlines = kept->value + PENDING_PLAIN;
    bool is_sound = kept->count == PENDING_VALUES || kept->count == PENDING_PLAIN;

    for (int when = 0; is_sound && when < BL_SCORE_WHEN_COUNT; when++) {
        is_sound = take_told(&kept->value[1 + when * TOLD_VALUES], &taken.told[when]);
    }
    for (int when = 0; kept->count == PENDING_VALUES && when < BL_SCORE_WHEN_COUNT; when++) {
        outlines = take_outline(outlines, &taken.told[when].start_runs);
        outlines = take_outline(outlines, &taken.told[when].end_runs);
    }
    if (!is_sound || bl_map_find(&scores->pending, kept->value[0])) {
        return;
    }
    if (kept->of) {
        group = group_of(scores, kept->of, taken.told[BL_SCORE_FIRST].basis);
    }
    taken.job = kept->value[0];
    taken.policy = group ? group->policy : NULL;
    *find_or_add(scores, taken.job) = taken;
}

/* Which one, its sums, then the bins that are not empty. */
static void export_score(const struct bl_score_group *group, const int place[3],
                         void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    const struct bl_score *score = group->score[place[0]][place[1]][place[2]];
    int64_t value[SCORE_VALUES + 2 * BL_SCORE_BINS];
    const int64_t head[SCORE_VALUES] = {group->basis,      place[0],       place[1],
                                        place[2],          score->count,   score->covered,
                                        score->pinball_ms, score->bias_ms, score->error_ms};
    size_t count = SCORE_VALUES;

    memcpy(value, head, sizeof head);
    for (int i = 0; i < BL_SCORE_BINS; i++) {
        if (score->bin[i]) {
            value[count++] = i;
            value[count++] = score->bin[i];
        }
    }
    emit(to, &(struct bl_kept){score_word, group->policy, value, count});
}

static bool is_below(int64_t value, int64_t end)
{
    return value >= 0 && value < end;
}

static void take_score(struct bl_scores *scores, const struct bl_kept *kept)
{
    const int64_t *value = kept->value;
    struct bl_score_group *group;
    struct bl_score *score;

    if (kept->count < SCORE_VALUES || kept->count % 2 == 0 || !kept->of ||
        !is_below(value[0], BL_TOLD_BASIS_COUNT) || !is_below(value[1], BL_SCORE_WHEN_COUNT) ||
        !is_below(value[2], BL_SCORE_WHAT_COUNT) || !is_below(value[3], BL_SCORE_OCTAVES)) {
        return;
    }
    group = group_of(scores, kept->of, (enum bl_told_basis)value[0]);
    if (!group) {
        return;
    }
    score = score_of(&group->score[value[1]][value[2]][value[3]]);
    *score = (struct bl_score){value[4], value[5], value[6], value[7], value[8], {0}};
    for (size_t i = SCORE_VALUES; i < kept->count; i += 2) {
        if (is_below(value[i], BL_SCORE_BINS) && is_below(value[i + 1], INT32_MAX)) {
            score->bin[value[i]] = (int32_t)value[i + 1];
        }
    }
}

static void export_group(const struct bl_score_group *group,
                         void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    for (int at = 0; at < BL_SCORE_WHEN_COUNT * BL_SCORE_WHAT_COUNT * BL_SCORE_OCTAVES; at++) {
        const int place[3] = {at / (BL_SCORE_WHAT_COUNT * BL_SCORE_OCTAVES),
                              at / BL_SCORE_OCTAVES % BL_SCORE_WHAT_COUNT, at % BL_SCORE_OCTAVES};

        if (group->score[place[0]][place[1]][place[2]]) {
            export_score(group, place, emit, to);
        }
    }
}

void bl_scores_export(const struct bl_scores *scores,
                      void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    const struct pending *pending;
    size_t cursor = 0;

    for (size_t i = 0; i < scores->groups.count; i++) {
        export_group(scores->groups.at[i], emit, to);
    }
    while ((pending = bl_map_next(&scores->pending, &cursor))) {
        export_pending(pending, emit, to);
    }
    if (scores->untold) {
        emit(to, &(struct bl_kept){untold_word, NULL, &scores->untold, 1});
    }
    if (scores->learnt) {
        bl_foretell_levels_export(&scores->learnt->start, what_words[BL_SCORE_START], emit, to);
        bl_foretell_levels_export(&scores->learnt->end, what_words[BL_SCORE_END], emit, to);
    }
}

static void take_levels(struct bl_scores *scores, const struct bl_kept *kept)
{
    if (kept->of && strcmp(kept->of, what_words[BL_SCORE_START]) == 0) {
        bl_foretell_levels_take(&open_learnt(scores)->start, kept);
    } else if (kept->of && strcmp(kept->of, what_words[BL_SCORE_END]) == 0) {
        bl_foretell_levels_take(&open_learnt(scores)->end, kept);
    }
}

void bl_scores_take(struct bl_scores *scores, const struct bl_kept *kept)
{
    if (strcmp(kept->name, score_word) == 0) {
        take_score(scores, kept);
    } else if (strcmp(kept->name, told_word) == 0) {
        take_pending(scores, kept);
    } else if (strcmp(kept->name, untold_word) == 0 && kept->count == 1) {
        scores->untold = kept->value[0];
    } else {
        take_levels(scores, kept);
    }
}

/* --- the figures ----------------------------------------------------------------------------- */

size_t bl_scores_groups(const struct bl_scores *scores, const struct bl_score_group *const **out)
{
    *out = (const struct bl_score_group *const *)scores->groups.at;
    return scores->groups.count;
}

const char *bl_score_when_name(enum bl_score_when when)
{
    return when_words[when];
}

const char *bl_score_what_name(enum bl_score_what what)
{
    return what_words[what];
}

struct bl_score bl_score_sum(const struct bl_score_group *group, enum bl_score_when when,
                             enum bl_score_what what)
{
    struct bl_score sum = {0};

    for (int octave = 0; octave < BL_SCORE_OCTAVES; octave++) {
        if (group->score[when][what][octave]) {
            bl_score_add(&sum, group->score[when][what][octave]);
        }
    }
    return sum;
}

int64_t bl_score_octave_s(int octave)
{
    return octave > 0 ? INT64_C(1) << (octave - 1) : 0;
}

int64_t bl_scores_untold(const struct bl_scores *scores)
{
    return scores->untold;
}
