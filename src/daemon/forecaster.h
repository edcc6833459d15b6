/* Looks ahead on a thread of its own, so that no decision and no answer waits for a forecast. The
 * thread has its own core, made of the records that the daemon applies, and what it tells comes
 * back as a table that never changes. It owns nothing that has to survive.
 *
 * All functions are the main thread's. */
#ifndef BL_DAEMON_FORECASTER_H
#define BL_DAEMON_FORECASTER_H

#include "base/error.h"
#include "core/whatif.h"
#include "daemon/sampler.h"

struct bl_loop;
struct bl_forecaster; /* opaque */

enum {
    BL_FORECASTER_QUESTIONS_MAX = 16, /* that wait, */
    BL_FORECASTER_QUESTIONS_USER = 2  /* of one user */
};

struct bl_forecaster_rules {
    bool without_arrivals; /* of nobody who may be submitted later */
};

int bl_forecaster_create(struct bl_loop *loop, const struct bl_forecaster_rules *rules,
                         struct bl_forecaster **out, struct bl_error *err);

/* Stops the thread at once: questions that wait are given up, and what was told stays. */
void bl_forecaster_stop(struct bl_forecaster *forecaster);
void bl_forecaster_destroy(struct bl_forecaster *forecaster);

/* A record that was applied; copied. Never waits. */
void bl_forecaster_take(void *forecaster, int64_t seq, const char *bytes, size_t length);

/* What is told now, until the loop's next turn; NULL before the first. */
const struct bl_foretelling *bl_forecaster_told(const struct bl_forecaster *forecaster);

/* What a question looks at. */
struct bl_forecaster_scene {
    const struct bl_core *core; /* can be forked and must not be changed */
    bl_time at;                 /* the present of all looks ahead: that of who asks, or of who asked
                                   about the same core a moment before */
    struct bl_whatif_before *before;   /* of that core and present, for one effort */
    const struct bl_arrivals *of_late; /* who may be submitted later; NULL = nobody, by the rules */
};

/* A question that takes long. `work` is called on the thread, before all further looks; then `done`
 * on the loop. When no core that can be forked comes for a while, the thread is stopped, or
 * `is_wanted`, asked on the thread before, says no, `work` is not called and is_answered is false.
 * What `self` points to is the thread's in between. */
struct bl_forecaster_question {
    void *self;
    bool (*is_wanted)(void *self);
    void (*work)(void *self, const struct bl_forecaster_scene *scene);
    void (*done)(void *self, bool is_answered);
    bl_time at;   /* the present of who asks */
    int64_t user; /* who asks; */
    bool is_free; /* not counted by user */
};

/* BL_EREFUSED when too many wait already, of the same user or of all. */
int bl_forecaster_ask(struct bl_forecaster *forecaster,
                      const struct bl_forecaster_question *question, struct bl_error *err);

#endif
