/* The runs that predictions rest on: the last BL_HISTORY_RUNS of them, each chained to the one
 * before it of every kind that it is of. */
#ifndef BL_CORE_PREDICT_HISTORY_H
#define BL_CORE_PREDICT_HISTORY_H

#include "core/predict_traits.h"

enum { BL_HISTORY_RUNS = 16384 };

struct bl_history; /* opaque */

struct bl_history *bl_history_create(void);
void bl_history_destroy(struct bl_history *history);

/* A run that ended. Runs are numbered from 1 on, in this order. */
void bl_history_add(struct bl_history *history, const struct bl_traits *traits, bl_time run);

/* The number of the next run: "what is known now". */
int64_t bl_history_next(const struct bl_history *history);

/* Of a snapshot: runs are numbered from here on. Only while it is empty. */
void bl_history_begin_at(struct bl_history *history, int64_t number);

/* The oldest run that is still there; bl_history_next when none is. */
int64_t bl_history_first(const struct bl_history *history);
const struct bl_traits *bl_history_traits(const struct bl_history *history, int64_t number);
bl_time bl_history_run(const struct bl_history *history, int64_t number);

/* The newest runs of a kind, newest first: at most `most` of them. Only runs below `known` count,
 * and those that come later are passed over up to a bound, beyond which nothing is found. */
int32_t bl_history_find(const struct bl_history *history, const struct bl_traits *traits,
                        enum bl_kin kin, int64_t known, int32_t most, int64_t number[]);

/* The newest run of the kind with that key; 0 when there is none. */
int64_t bl_history_newest(const struct bl_history *history, int64_t key);

/* As log2 of seconds, and of the run divided by the limit (NAN where there was none): quick. */
double bl_history_log_run(const struct bl_history *history, int64_t number);
double bl_history_log_share(const struct bl_history *history, int64_t number);

#endif
