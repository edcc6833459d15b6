/* Interface of a scheduling policy. A policy is one file, core/policy/NAME.c, that defines
 * `const struct bl_policy bl_policy_NAME`, and one word in core/policy/meson.build.
 *
 * `decide` reads the view and writes starts; it changes nothing else. A policy may keep caches of
 * its own between rounds, but what it decides must follow from the view alone. */
#ifndef BL_CORE_POLICY_H
#define BL_CORE_POLICY_H

#include "base/span.h"
#include "core/cluster.h"
#include "core/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BL_POLICY_OPTIONS_MAX = 16 };

enum bl_option_kind {
    BL_OPTION_WORD, /* one of `words`; the value is its index */
    BL_OPTION_INT,
    BL_OPTION_SPAN, /* bl_time */
    BL_OPTION_BOOL
};

struct bl_option {
    const char *name;
    enum bl_option_kind kind;
    const char *const *words; /* BL_OPTION_WORD: NULL-terminated */
    int64_t low, high;        /* BL_OPTION_INT and BL_OPTION_SPAN: the legal range */
    int64_t standard;         /* the default value */
    const char *help;
};

/* A policy together with one value per option, in the order of its table. */
struct bl_policy_choice {
    const struct bl_policy *policy;
    int64_t value[BL_POLICY_OPTIONS_MAX];
};

struct bl_job;
struct bl_view;
struct bl_decision;
struct bl_line;
struct bl_guarded;

struct bl_policy {
    const char *name;
    const char *summary;
    const struct bl_option *option;
    size_t option_count;

    /* The policy's own memory; both may be NULL for a policy without any. */
    void *(*create)(const struct bl_policy_choice *choice);
    void (*destroy)(void *self);

    /* How long this job is taken to run on `gpus` GPUs, for plans: > 0. */
    bl_time (*plan_duration)(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus);

    /* Calls bl_decision_start for each job to start now, bl_decision_resize and
     * bl_decision_preempt for jobs that run. */
    void (*decide)(void *self, const struct bl_view *view, struct bl_decision *decision);

    /* The queue in the order in which the policy serves it; NULL = as it stands. */
    struct bl_line (*line)(const struct bl_view *view);

    /* Nobody ever starts before one that is ahead: forecasts keep to that. */
    bool is_strict;

    /* It plans with what is foreseen of jobs, whatever its options. */
    bool predicts;

    /* Each round works through all jobs: it costs time in proportion. */
    bool is_thorough;

    /* It resizes or preempts what runs: it decides although nobody queues. */
    bool is_elastic;

    /* Each job's speed is learnt from itself alone, under the name of bl_application_alone. */
    bool learns_alone;

    /* Why a queued job did not start in the last round. */
    void (*explain)(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out);
};

/* All policies, in the order of the word list; NULL-terminated. */
extern const struct bl_policy *const bl_policies[];

const struct bl_policy *bl_policy_find(const char *name); /* or NULL */

/* The choice with every option at its default. */
struct bl_policy_choice bl_policy_default(const struct bl_policy *policy);

/* Starts the job at view->queue[index] on `alloc`, which must be free and is copied. The books and
 * view->running show it at once; its entry in the queue loses its job (NULL) but keeps its place
 * until the round is over. An array's entry keeps its job while further elements may start. */
void bl_decision_start(struct bl_decision *decision, size_t index, const struct bl_alloc *alloc,
                       const struct bl_reason *reason);

/* For a job of view->running in state RUNNING. Both leave view->running in its order, so do them
 * before starts, which do not; the job's entry stays until the engine has ended the attempt, and
 * with it its old GPUs stay booked.
 *
 * Resize: the job saves its work, ends, and starts again on `alloc`, which is copied. It must be
 * elastic (bl_job_is_elastic) and the count legal; each GPU of `alloc` is its own already or free
 * in the books, and is booked at once. What must be freed by others first is not free: shrink them
 * in this round, and grow this job in the round in which their GPUs are back.
 *
 * Preempt: it saves its work, ends, and goes back to the queue; never a failure. It must be one
 * that bl_job_may_be_preempted. The reason's code becomes PREEMPTED. */
void bl_decision_resize(struct bl_decision *decision, size_t running_index,
                        const struct bl_alloc *alloc, const struct bl_reason *reason);
void bl_decision_preempt(struct bl_decision *decision, size_t running_index,
                         const struct bl_reason *reason);

/* Asks for a round at `at`, in the future, although no event comes; the earliest wish of a round
 * counts, and the next round forgets it. */
void bl_decision_wake(struct bl_decision *decision, bl_time at);

/* For policies that serve several queues: moves a job, queued or running, to one of them. It stays
 * there until it is moved again; 0 is where it begins. */
void bl_decision_set_level(struct bl_decision *decision, bl_job_id job, int32_t level);

/* Notes what a job that waits was promised; see core/guard.h. */
void bl_decision_guard(struct bl_decision *decision, bl_job_id job,
                       const struct bl_guarded *guarded);

#endif
