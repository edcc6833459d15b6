#include "core/predictions.h"

#include "base/map.h"
#include "base/own.h"

#include <math.h>
#include <string.h>

enum {
    RELEARNT = 512, /* runs that a predictor learns from when it is chosen */
    MEMOS = 8
};

/* Jobs that wait often come in bunches that are alike. */
struct memo {
    struct bl_question question;
    struct bl_foresight foresight;
    bl_time predicted_run;
};

struct bl_predictions {
    struct bl_history *history;
    const struct bl_predictor *predictor;
    void *self;
    struct memo memo[MEMOS];
    size_t memo_next;
    struct bl_map crowds; /* user -> struct crowd *: only users with jobs that have not ended */
};

struct crowd {
    int32_t jobs;
};

struct bl_predictions *bl_predictions_create(void)
{
    struct bl_predictions *predictions = bl_alloc_zero(sizeof *predictions);

    predictions->history = bl_history_create();
    predictions->predictor = bl_predictors[0];
    predictions->self = predictions->predictor->create(predictions->history);
    return predictions;
}

void bl_predictions_destroy(struct bl_predictions *predictions)
{
    if (!predictions) {
        return;
    }
    bl_map_finish_owned(&predictions->crowds);
    predictions->predictor->destroy(predictions->self);
    bl_history_destroy(predictions->history);
    free(predictions);
}

static void relearn(struct bl_predictions *predictions)
{
    const struct bl_history *history = predictions->history;
    int64_t next = bl_history_next(history);
    int64_t first = bl_history_first(history);

    first = next - first > RELEARNT ? next - RELEARNT : first;
    for (int64_t number = first; number < next; number++) {
        struct bl_question question = {.traits = *bl_history_traits(history, number),
                                       .asked.known = number};

        predictions->predictor->learn(predictions->self, &question,
                                      bl_history_run(history, number));
    }
}

void bl_predictions_choose(struct bl_predictions *predictions, const struct bl_predictor *predictor)
{
    if (predictor == predictions->predictor) {
        return;
    }
    memset(predictions->memo, 0, sizeof predictions->memo);
    predictions->predictor->destroy(predictions->self);
    predictions->predictor = predictor;
    predictions->self = predictor->create(predictions->history);
    if (predictor->learn) {
        relearn(predictions);
    }
}

static int32_t crowd_of(const struct bl_predictions *predictions, int64_t user)
{
    const struct crowd *crowd = bl_map_find(&predictions->crowds, user);

    return crowd ? crowd->jobs : 0;
}

static void join_crowd(struct bl_predictions *predictions, int64_t user)
{
    struct crowd *crowd = bl_map_find(&predictions->crowds, user);

    if (!crowd) {
        crowd = bl_alloc_zero(sizeof *crowd);
        bl_map_insert(&predictions->crowds, user, crowd);
    }
    crowd->jobs++;
}

static void leave_crowd(struct bl_predictions *predictions, int64_t user)
{
    struct crowd *crowd = bl_map_find(&predictions->crowds, user);

    if (crowd && --crowd->jobs == 0) {
        bl_map_remove(&predictions->crowds, user);
        free(crowd);
    }
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Of the same user, size and limit. */
static bool is_sibling(const struct bl_job *a, const struct bl_job *b)
{
    return a->spec.gpus_want == b->spec.gpus_want && a->spec.limit == b->spec.limit &&
           is_same_text(a->spec.user, b->spec.user);
}

/* The whole run so far, earlier attempts included; 0 when it does not run. */
bl_time bl_predictions_age(const struct bl_job *job, bl_time at)
{
    bl_time from = job->running_at ? job->running_at : job->started_at;

    return bl_job_state_is_active(job->state) && at > from ? job->ran_before + at - from
                                                           : job->ran_before;
}

static void note_siblings(struct bl_job *job, const struct bl_running_entry *running, size_t count,
                          bl_time now)
{
    struct bl_asked *asked = &job->foresight.asked;

    for (size_t i = 0; i < count && asked->sibling_count < BL_SIBLINGS_MAX; i++) {
        if (is_sibling(job, running[i].job)) {
            asked->sibling[asked->sibling_count++] =
                bl_dist_point(bl_predictions_age(running[i].job, now));
        }
    }
}

/* Points are not exact to the microsecond: what always takes an hour is to be planned for one. */
static bl_time whole_seconds(bl_time length)
{
    return length < 10 * BL_SECOND ? length : (length + BL_SECOND / 2) / BL_SECOND * BL_SECOND;
}

/* A rule that is final counts whoever predicts. */
static void predict(const struct bl_predictions *predictions, const struct bl_question *question,
                    struct bl_dist *out)
{
    if (question->expected.is_final) {
        bl_predictor_find("rules")->predict(NULL, question, out);
    } else {
        predictions->predictor->predict(predictions->self, question, out);
    }
}

/* What follows from the distribution. */
static void take_dist(struct bl_job *job)
{
    struct bl_foresight *foresight = &job->foresight;

    job->predicted_run = whole_seconds(bl_dist_quantile(&foresight->dist, .5));
    foresight->mean = bl_dist_mean(&foresight->dist);
    foresight->haste = bl_dist_haste(&foresight->dist);
}

static void answer(struct bl_predictions *predictions, struct bl_job *job,
                   const struct bl_question *question)
{
    struct bl_foresight *foresight = &job->foresight;

    predict(predictions, question, &foresight->dist);
    foresight->fresh = bl_history_next(predictions->history);
    take_dist(job);
}

void bl_predictions_ask(struct bl_predictions *predictions, struct bl_job *job,
                        const struct bl_running_entry *running, size_t running_count, bl_time now)
{
    struct bl_question question;

    bl_traits_of(&job->spec, &question.traits);
    job->foresight.user = bl_traits_key(&question.traits, BL_KIN_USER);
    job->foresight.asked = (struct bl_asked){
        .known = bl_history_next(predictions->history),
        .crowd = crowd_of(predictions, job->foresight.user),
    };
    note_siblings(job, running, running_count, now);
    join_crowd(predictions, job->foresight.user);
    question.asked = job->foresight.asked;
    question.expected = job->spec.expected;
    answer(predictions, job, &question);
}

static bool is_counted(const struct bl_job *job)
{
    return job->foresight.asked.known > 0 && !job->array_job;
}

void bl_predictions_note_restored(struct bl_predictions *predictions, struct bl_job *job)
{
    struct bl_foresight *foresight = &job->foresight;
    struct bl_traits traits;

    bl_traits_of(&job->spec, &traits);
    foresight->user = bl_traits_key(&traits, BL_KIN_USER);
    foresight->mean = bl_dist_mean(&foresight->dist);
    foresight->haste = bl_dist_haste(&foresight->dist);
    if (is_counted(job) && !bl_job_state_is_ended(job->state)) {
        join_crowd(predictions, foresight->user);
    }
}

void bl_predictions_note_ended(struct bl_predictions *predictions, const struct bl_job *job,
                               bl_time run)
{
    struct bl_question question = {.asked = job->foresight.asked, .expected = job->spec.expected};

    if (is_counted(job)) {
        leave_crowd(predictions, job->foresight.user);
    }
    if (run <= 0) {
        return;
    }
    bl_traits_of(&job->spec, &question.traits);
    if (question.asked.known == 0) {
        question.asked.known = bl_history_next(predictions->history);
    }
    if (predictions->predictor->learn) {
        predictions->predictor->learn(predictions->self, &question, run);
    }
    bl_history_add(predictions->history, &question.traits, run);
}

bool bl_predictions_is_stale(const struct bl_predictions *predictions, const struct bl_job *job)
{
    const struct bl_foresight *foresight = &job->foresight;

    return foresight->fresh < bl_history_next(predictions->history) &&
           (!bl_dist_is_known(&foresight->dist) ||
            bl_history_newest(predictions->history, foresight->user) >= foresight->fresh);
}

static bool are_same_clues(const struct bl_clues *a, const struct bl_clues *b)
{
    if (a->command != b->command || a->variant != b->variant || a->param_count != b->param_count) {
        return false;
    }
    for (int32_t i = 0; i < a->param_count; i++) {
        if (a->param[i].name != b->param[i].name || a->param[i].point != b->param[i].point) {
            return false;
        }
    }
    return true;
}

static bool are_same_traits(const struct bl_traits *a, const struct bl_traits *b)
{
    return a->user == b->user && a->project == b->project && a->name == b->name &&
           a->gpus == b->gpus && a->cpu_milli == b->cpu_milli && a->mem_bytes == b->mem_bytes &&
           a->limit == b->limit && are_same_clues(&a->clues, &b->clues);
}

static bool are_same_expectations(const struct bl_expectation *a, const struct bl_expectation *b)
{
    return a->low == b->low && a->middle == b->middle && a->high == b->high &&
           a->is_final == b->is_final;
}

/* Of two that say nothing of siblings. */
static bool are_same_questions(const struct bl_question *a, const struct bl_question *b)
{
    return a->asked.known == b->asked.known && a->asked.crowd == b->asked.crowd &&
           are_same_expectations(&a->expected, &b->expected) &&
           are_same_traits(&a->traits, &b->traits);
}

static const struct memo *find_memo(const struct bl_predictions *predictions,
                                    const struct bl_question *question)
{
    for (size_t i = 0; i < MEMOS; i++) {
        const struct memo *memo = &predictions->memo[i];

        if (are_same_questions(&memo->question, question)) {
            return memo;
        }
    }
    return NULL;
}

static void remember(struct bl_predictions *predictions, const struct bl_job *job,
                     const struct bl_question *question)
{
    struct memo *memo = &predictions->memo[predictions->memo_next];

    *memo = (struct memo){*question, job->foresight, job->predicted_run};
    predictions->memo_next = (predictions->memo_next + 1) % MEMOS;
}

/* What was asked when it was submitted stays: it is judged by that. */
void bl_predictions_refresh(struct bl_predictions *predictions, struct bl_job *job)
{
    struct bl_asked asked = job->foresight.asked;
    struct bl_question question = {.expected = job->spec.expected};
    const struct memo *memo;

    bl_traits_of(&job->spec, &question.traits);
    question.asked.known = bl_history_next(predictions->history);
    question.asked.crowd = crowd_of(predictions, job->foresight.user);
    memo = find_memo(predictions, &question);
    if (memo) {
        job->foresight = memo->foresight;
        job->predicted_run = memo->predicted_run;
    } else {
        answer(predictions, job, &question);
        remember(predictions, job, &question);
    }
    job->foresight.asked = asked;
}

void bl_predictions_of(const struct bl_predictions *predictions, const struct bl_job_spec *spec,
                       struct bl_dist *out)
{
    struct bl_question question = {.asked.known = bl_history_next(predictions->history),
                                   .expected = spec->expected};

    bl_traits_of(spec, &question.traits);
    question.asked.crowd = crowd_of(predictions, bl_traits_key(&question.traits, BL_KIN_USER));
    predict(predictions, &question, out);
}

void bl_predictions_lend(const struct bl_predictions *predictions, struct bl_job *job)
{
    struct bl_foresight *foresight = &job->foresight;
    struct bl_traits traits;

    bl_traits_of(&job->spec, &traits);
    foresight->user = bl_traits_key(&traits, BL_KIN_USER);
    bl_predictions_of(predictions, &job->spec, &foresight->dist);
    foresight->fresh = bl_history_next(predictions->history);
    take_dist(job);
}

/* Draws what was foreseen towards what the job's own reports say, the more the further it is. */
static void heed_progress(const struct bl_job *job, struct bl_dist *dist)
{
    static const double heeded_half = .05; /* the part done at which both count the same */
    static const double spread = .5;       /* octaves around a report at the very start */
    static const double least = .02;
    const struct bl_progress *progress = &job->progress;
    double gained = progress->done - progress->begun_at;
    double age = (double)(bl_predictions_age(job, progress->at) - job->ran_before);
    double weight = progress->done / (progress->done + heeded_half);
    double whole;

    if (progress->total <= 0 || gained <= 0 || age <= 0) {
        return;
    }
    whole =
        log2((double)job->ran_before + age / gained * (1 - progress->begun_at)) * BL_DIST_OCTAVE;
    for (int i = 0; i < BL_DIST_POINTS; i++) {
        double level = bl_dist_level[i];
        double off = .583 * log(level / (1 - level)) * (spread * (1 - progress->done) + least);
        double said = whole + off * BL_DIST_OCTAVE;
        double prior = bl_dist_is_known(dist) ? dist->point[i] : said;
        double point = weight * said + (1 - weight) * prior;

        dist->point[i] = point < BL_DIST_MOST ? (int32_t)fmax(point, 1) : BL_DIST_MOST;
    }
}

void bl_predictions_now(const struct bl_job *job, bl_time now, struct bl_dist *out)
{
    bl_time age = bl_predictions_age(job, now);

    bl_dist_after(&job->foresight.dist, age, out);
    if (bl_job_state_is_active(job->state)) {
        heed_progress(job, out);
        bl_dist_floor(out, age);
    }
    if (job->spec.limit > 0) {
        bl_dist_cap(out, job->spec.limit > age ? job->spec.limit : age);
    }
}

struct sink {
    void (*emit)(void *self, const struct bl_event *event);
    void *self;
};

static void emit_fact(void *to, const struct bl_fact *fact)
{
    const struct sink *sink = to;
    struct bl_event event = {.kind = BL_EVENT_FACT_LEARNED};

    event.u.fact = *fact;
    sink->emit(sink->self, &event);
}

void bl_predictions_export(const struct bl_predictions *predictions,
                           void (*emit)(void *self, const struct bl_event *event), void *self)
{
    const struct bl_history *history = predictions->history;
    struct sink sink = {emit, self};

    for (int64_t number = bl_history_first(history); number < bl_history_next(history); number++) {
        struct bl_event event = {.kind = BL_EVENT_RUN_LEARNED};

        event.u.learned.number = number;
        event.u.learned.traits = *bl_history_traits(history, number);
        event.u.learned.run = bl_history_run(history, number);
        emit(self, &event);
    }
    if (predictions->predictor->export_facts) {
        predictions->predictor->export_facts(predictions->self, emit_fact, &sink);
    }
}

/* Records of old name the user and have no number. */
void bl_predictions_take_run(struct bl_predictions *predictions, const struct bl_event *event)
{
    struct bl_traits traits = event->u.learned.traits;
    struct bl_history *history = predictions->history;

    if (event->u.learned.user) {
        traits.user = bl_traits_text(event->u.learned.user);
    }
    if (event->u.learned.number > 0 && bl_history_first(history) == bl_history_next(history)) {
        bl_history_begin_at(history, event->u.learned.number);
    }
    bl_history_add(history, &traits, event->u.learned.run);
}

void bl_predictions_take_fact(struct bl_predictions *predictions, const struct bl_event *event)
{
    if (predictions->predictor->take_fact) {
        predictions->predictor->take_fact(predictions->self, &event->u.fact);
    }
}
