#include "core/tally.h"

#include "core/words.h"

#include <assert.h>
#include <string.h>

enum { HISTOGRAM_VALUES = BL_HISTOGRAM_BOUNDS_MAX + 2 };

static const char *const count_words[BL_COUNT_COUNT] = {
    [BL_COUNT_SUBMITTED] = "submitted",
    [BL_COUNT_STARTS] = "starts",
    [BL_COUNT_RESTARTS] = "restarts",
    [BL_COUNT_PREEMPTIONS] = "preemptions",
    [BL_COUNT_COMPLETED] = "completed",
    [BL_COUNT_FAILED] = "failed",
    [BL_COUNT_CANCELLED] = "cancelled",
    [BL_COUNT_TIMEOUT] = "timeout",
    [BL_COUNT_LOST] = "lost",
    [BL_COUNT_ROUNDS] = "rounds",
    [BL_COUNT_PROMISES] = "promises",
    [BL_COUNT_PROMISES_BROKEN] = "promises_broken",
    [BL_COUNT_FORGOTTEN_BEFORE] = "forgotten_before_us",
    [BL_COUNT_USED] = "used_gpu_us",
    [BL_COUNT_IDLE] = "idle_gpu_us",
    [BL_COUNT_HELD_IDLE] = "held_idle_gpu_us",
};

static const char waits_word[] = "waits";
static const char runs_word[] = "runs";

enum bl_count bl_count_of_end(enum bl_job_state state)
{
    static const enum bl_count of_state[BL_JOB_STATE_COUNT] = {
        [BL_JOB_COMPLETED] = BL_COUNT_COMPLETED, [BL_JOB_FAILED] = BL_COUNT_FAILED,
        [BL_JOB_CANCELLED] = BL_COUNT_CANCELLED, [BL_JOB_TIMEOUT] = BL_COUNT_TIMEOUT,
        [BL_JOB_LOST] = BL_COUNT_LOST,
    };

    assert(bl_job_state_is_ended(state));
    return of_state[state];
}

/* The sum, then the counts. */
static void export_histogram(const char *name, const struct bl_histogram *histogram,
                             void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    int64_t value[HISTOGRAM_VALUES] = {histogram->sum};

    memcpy(value + 1, histogram->count, sizeof histogram->count);
    emit(to, &(struct bl_kept){.name = name, .value = value, .count = HISTOGRAM_VALUES});
}

void bl_tally_export(const struct bl_tally *tally,
                     void (*emit)(void *to, const struct bl_kept *kept), void *to)
{
    for (int i = 0; i < BL_COUNT_COUNT; i++) {
        struct bl_kept kept = {.name = count_words[i], .value = &tally->count[i], .count = 1};

        if (tally->count[i] != 0) {
            emit(to, &kept);
        }
    }
    export_histogram(waits_word, &tally->waits, emit, to);
    export_histogram(runs_word, &tally->runs, emit, to);
}

static void take_histogram(struct bl_histogram *histogram, const struct bl_kept *kept)
{
    if (kept->count == HISTOGRAM_VALUES) {
        histogram->sum = kept->value[0];
        memcpy(histogram->count, kept->value + 1, sizeof histogram->count);
    }
}

void bl_tally_take(struct bl_tally *tally, const struct bl_kept *kept)
{
    int count = bl_words_find(count_words, BL_COUNT_COUNT, kept->name);

    if (count >= 0 && kept->count == 1) {
        tally->count[count] = kept->value[0];
    } else if (strcmp(kept->name, waits_word) == 0) {
        take_histogram(&tally->waits, kept);
    } else if (strcmp(kept->name, runs_word) == 0) {
        take_histogram(&tally->runs, kept);
    }
}
