/* How well predictors foresee what jobs take: a log on standard input, a job a line in order of
 * submission,
 *
 *     SUBMIT RUN LIMIT SIZE USER COMMAND CPUS
 *
 * in seconds and whole numbers, -1 for what is not known. A job runs from its submission on; what
 * ended before another is submitted is known then. Prints one line of JSON a predictor.
 *
 *     durations PREDICTOR… */
#include "base/heap.h"
#include "base/own.h"
#include "base/vec.h"
#include "core/predictions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct run {
    bl_time submit, length;
    struct bl_job job;
};

struct log {
    BL_VEC(struct run) runs;
};

/* Sums; of times in seconds. */
struct figures {
    int64_t count;
    double accuracy, guess_accuracy, error, pinball, covered;
    double asked_s, learnt_s;
};

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static char *name_user(double user)
{
    char name[32];

    snprintf(name, sizeof name, "u%.0f", user);
    return user >= 0 ? bl_copy_text(name) : NULL;
}

static bool read_number(double *number)
{
    char word[64];
    char *end;

    if (scanf("%63s", word) != 1) {
        return false;
    }
    *number = strtod(word, &end);
    return *end == '\0';
}

static bool read_run(struct run *run)
{
    enum { SUBMIT, LENGTH, LIMIT, SIZE, USER, COMMAND, CPUS, COLUMNS };
    double column[COLUMNS];
    struct bl_job_spec *spec = &run->job.spec;

    *run = (struct run){0};
    for (int i = 0; i < COLUMNS; i++) {
        if (!read_number(&column[i])) {
            return false;
        }
    }
    run->submit = (bl_time)(column[SUBMIT] * BL_SECOND);
    run->length = (bl_time)(column[LENGTH] * BL_SECOND);
    spec->user = name_user(column[USER]);
    spec->clues.command = column[COMMAND] >= 0 ? (int64_t)column[COMMAND] + 1 : 0;
    spec->gpus_want = (int32_t)column[SIZE];
    spec->cpu_milli.value = column[CPUS] > 0 ? (int64_t)column[CPUS] * 1000 : 0;
    spec->limit = column[LIMIT] > 0 ? (bl_time)(column[LIMIT] * BL_SECOND) : 0;
    return true;
}

static double ratio(double a, double b)
{
    return fmax(a, b) > 0 ? fmin(a, b) / fmax(a, b) : 1;
}

static double seconds_at(const struct bl_dist *dist, double level)
{
    return (double)bl_dist_quantile(dist, level) / BL_SECOND;
}

static void score(struct figures *figures, const struct bl_dist *said, double run)
{
    double low = seconds_at(said, .1);
    double middle = seconds_at(said, .5);
    double high = seconds_at(said, .9);

    if (!bl_dist_is_known(said)) {
        return;
    }
    figures->count++;
    figures->accuracy += ratio(middle, run);
    figures->guess_accuracy += ratio((double)bl_dist_best_guess(said) / BL_SECOND, run);
    figures->error += fabs(middle - run);
    figures->covered += run >= low * (1 - 1e-6) && run <= high * (1 + 1e-6);
    figures->pinball +=
        (bl_pinball(.1, low, run) + bl_pinball(.5, middle, run) + bl_pinball(.9, high, run)) / 3;
}

struct replay {
    struct bl_predictions *predictions;
    struct bl_heap ends; /* value: the run */
    BL_VEC(struct bl_running_entry) running;
    struct figures figures;
};

/* In order of their starts: the newest are looked for from the end. */
static void drop_running(struct replay *replay, const struct bl_job *job)
{
    size_t at = replay->running.count;

    while (replay->running.at[--at].job != job) {
    }
    BL_VEC_REMOVE(&replay->running, at);
}

static void end_before(struct replay *replay, bl_time until)
{
    const struct bl_heap_item *first;
    struct bl_heap_item item;

    while ((first = bl_heap_peek(&replay->ends)) && first->time < until) {
        struct run *run;
        double began;

        bl_heap_pop(&replay->ends, &item);
        run = item.value;
        drop_running(replay, &run->job);
        began = cpu_seconds();
        bl_predictions_note_ended(replay->predictions, &run->job,
                                  run->length > 0 ? run->length : 1);
        replay->figures.learnt_s += cpu_seconds() - began;
    }
}

static void submit(struct replay *replay, struct run *run, int64_t number)
{
    double began;

    run->job = (struct bl_job){
        .id = number, .spec = run->job.spec, .state = BL_JOB_RUNNING, .started_at = run->submit};
    end_before(replay, run->submit);
    began = cpu_seconds();
    bl_predictions_ask(replay->predictions, &run->job, replay->running.at, replay->running.count,
                       run->submit);
    replay->figures.asked_s += cpu_seconds() - began;
    score(&replay->figures, &run->job.foresight.dist, (double)run->length / BL_SECOND);
    BL_VEC_PUSH(&replay->running, (struct bl_running_entry){.job = &run->job});
    bl_heap_push(&replay->ends, (struct bl_heap_item){run->submit + run->length, number, run});
}

static void print(const char *predictor, const struct figures *figures)
{
    double n = (double)figures->count;

    printf("{\"predictor\": \"%s\", \"jobs\": %.0f, \"accuracy\": %.4f, \"guess_accuracy\": %.4f, "
           "\"mae_s\": %.1f, \"pinball_s\": %.1f, \"coverage\": %.4f, \"predict_us\": %.2f, "
           "\"learn_us\": %.2f}\n",
           predictor, n, figures->accuracy / n, figures->guess_accuracy / n, figures->error / n,
           figures->pinball / n, figures->covered / n, 1e6 * figures->asked_s / n,
           1e6 * figures->learnt_s / n);
}

static void replay_log(struct log *log, const struct bl_predictor *predictor)
{
    struct replay replay = {.predictions = bl_predictions_create()};

    bl_predictions_choose(replay.predictions, predictor);
    for (size_t i = 0; i < log->runs.count; i++) {
        submit(&replay, &log->runs.at[i], (int64_t)i + 1);
    }
    print(predictor->name, &replay.figures);
    bl_predictions_destroy(replay.predictions);
    bl_heap_finish(&replay.ends);
    BL_VEC_FINISH(&replay.running);
}

int main(int argc, char **argv)
{
    struct log log = {0};
    struct run run;

    while (read_run(&run)) {
        BL_VEC_PUSH(&log.runs, run);
    }
    for (int i = 1; i < argc; i++) {
        const struct bl_predictor *predictor = bl_predictor_find(argv[i]);

        if (!predictor) {
            fprintf(stderr, "durations: no predictor is called '%s'\n", argv[i]);
            return 2;
        }
        replay_log(&log, predictor);
    }
    for (size_t i = 0; i < log.runs.count; i++) {
        free((char *)(uintptr_t)log.runs.at[i].job.spec.user);
    }
    BL_VEC_FINISH(&log.runs);
    return 0;
}
