/* How good forecasts were: starts and ends of jobs that waited against what was told of them: the
 * first word, the first range that rested on several runs, and the last word. Kept for ever
 * (through snapshots), by policy, by what a range rested on, and by octave of the time that was
 * foreseen.
 *
 * First is what was told soonest after the submission, a point often; last what was told last
 * before the start. A
 * job that its owner held, changed or put back is told anew, as is everything after the clock was
 * set. Arrays and their elements are not scored. Sums are whole numbers: the same in any order. */
#ifndef BL_CORE_SCORES_H
#define BL_CORE_SCORES_H

#include "core/job.h"
#include "core/tally.h"
#include "core/told.h"

struct bl_scores;
struct bl_foretell_learnt;

struct bl_scores *bl_scores_create(void);
void bl_scores_destroy(struct bl_scores *scores);

/* What was told of this job: before it starts the first word and the first range, once it has
 * started the last word before that. */
void bl_scores_tell(struct bl_scores *scores, const struct bl_job *job, const struct bl_told *told);
/* Whether something was told of it that still holds. */
bool bl_scores_has(const struct bl_scores *scores, bl_job_id job);
bool bl_scores_has_range(const struct bl_scores *scores, bl_job_id job);

/* It started; `policy` decided it. Only a first start is scored. */
void bl_scores_note_started(struct bl_scores *scores, const struct bl_job *job, const char *policy);
void bl_scores_note_ended(struct bl_scores *scores, const struct bl_job *job);

/* What was told of it no longer holds. */
void bl_scores_forget(struct bl_scores *scores, bl_job_id job);
void bl_scores_forget_all(struct bl_scores *scores);

void bl_scores_export(const struct bl_scores *scores,
                      void (*emit)(void *to, const struct bl_kept *kept), void *to);
/* Sets what was exported; passes over what it does not know. */
void bl_scores_take(struct bl_scores *scores, const struct bl_kept *kept);

/* At which levels to read what is told next: learnt from the first ranges and the last words that
 * came to be, and kept as they are. NULL before there were any. */
const struct bl_foretell_learnt *bl_scores_learnt(const struct bl_scores *scores);

/* --- the figures ----------------------------------------------------------------------------- */

enum bl_score_when { BL_SCORE_FIRST, BL_SCORE_RANGE, BL_SCORE_LAST, BL_SCORE_WHEN_COUNT };
enum bl_score_what { BL_SCORE_START, BL_SCORE_END, BL_SCORE_WHAT_COUNT };

enum {
    BL_SCORE_OCTAVES = 24, /* [0]: under a second, [n]: from 2^(n-1) s on; the last: all beyond */
    BL_SCORE_BINS = 256    /* of errors */
};

/* Sums over what was scored; zeroes are nothing. */
struct bl_score {
    int64_t count;
    int64_t covered;    /* the truth was between p10 and p90 */
    int64_t pinball_ms; /* mean over the three levels */
    int64_t bias_ms;    /* p50 minus the truth */
    int64_t error_ms;   /* the same without its sign */
    int32_t bin[BL_SCORE_BINS];
};

void bl_score_add(struct bl_score *to, const struct bl_score *score);
/* The middle error, exact to a sixteenth; NAN where nothing was scored. */
double bl_score_median_error_s(const struct bl_score *score);

/* Of one policy and one basis. */
struct bl_score_group {
    char *policy; /* owned by the scores */
    enum bl_told_basis basis;
    struct bl_score *score[BL_SCORE_WHEN_COUNT][BL_SCORE_WHAT_COUNT][BL_SCORE_OCTAVES]; /* NULL =
                                                                                           none */
};

/* In the order in which they came up. */
size_t bl_scores_groups(const struct bl_scores *scores, const struct bl_score_group *const **out);

const char *bl_score_when_name(enum bl_score_when when); /* "first", "range", "last" */
const char *bl_score_what_name(enum bl_score_what what); /* "start", "end" */

/* All octaves together. */
struct bl_score bl_score_sum(const struct bl_score_group *group, enum bl_score_when when,
                             enum bl_score_what what);

/* The time that was foreseen: from so many seconds on; of the octave after the last, none. */
int64_t bl_score_octave_s(int octave);

/* Jobs that had waited for a second or more and started before anything was told of them. */
int64_t bl_scores_untold(const struct bl_scores *scores);

#endif
