/* Every figure's one definition (DESIGN "Figures"): live metrics, reports and simulations call it.
 *
 * The core feeds the accumulator as events are applied; a driver reads figures at any instant. */
#ifndef BL_CORE_METRICS_H
#define BL_CORE_METRICS_H

#include "base/span.h"
#include "core/cluster.h"
#include "core/job.h"
#include "core/tally.h"

struct bl_metrics; /* opaque */

struct bl_metrics *bl_metrics_create(void);
void bl_metrics_destroy(struct bl_metrics *metrics);

/* The core calls these, in order of time. `note_books` comes after each change of the books with
 * the nodes that changed; `note_time` before anything that happens at a later instant. */
void bl_metrics_note_time(struct bl_metrics *metrics, bl_time now);
void bl_metrics_note_submitted(struct bl_metrics *metrics, const struct bl_job *job);
void bl_metrics_note_books(struct bl_metrics *metrics, const struct bl_cluster *cluster,
                           const struct bl_alloc *changed); /* NULL: nodes came or went */
/* A job from a snapshot that has not ended. */
void bl_metrics_note_restored(struct bl_metrics *metrics, const struct bl_job *job);
void bl_metrics_note_started(struct bl_metrics *metrics, const struct bl_job *job);
/* What a running job holds changed by this much, up or down. */
void bl_metrics_note_held(struct bl_metrics *metrics, const struct bl_job *job,
                          const struct bl_resources *change);
void bl_metrics_note_restarted(struct bl_metrics *metrics); /* on other GPUs */
void bl_metrics_note_preempted(struct bl_metrics *metrics);
/* It held resources and goes back to the queue; `started_at` is still that of the attempt. */
void bl_metrics_note_put_back(struct bl_metrics *metrics, const struct bl_job *job);
/* `alloc` still tells whether it held resources until now. */
void bl_metrics_note_ended(struct bl_metrics *metrics, const struct bl_job *job);
/* So many GPUs are idle from now on because they are held for a slot to come. */
void bl_metrics_note_held_idle(struct bl_metrics *metrics, int64_t gpus);
/* What ended before this instant left memory. */
void bl_metrics_note_forgotten(struct bl_metrics *metrics, bl_time before);
void bl_metrics_note_round(struct bl_metrics *metrics);

/* Of a job that ran to its end: JCT / run since it last left the queue, at least 1; runs count as
 * ten seconds at least. */
double bl_job_slowdown(const struct bl_job *job);

/* All figures; NAN where not applicable. Times in seconds. After a snapshot was taken in, counts go
 * on (struct bl_tally) and all else begins anew. */
struct bl_figures {
    int64_t jobs, done, failed, cancelled, restarts, preemptions, rounds, events;
    double avg_jct_s, p50_jct_s, p99_jct_s, makespan_s;
    double avg_wait_s, p99_wait_s, max_wait_s;
    double avg_bounded_slowdown;
    double throughput_jobs_h;
    double gpu_utilization, fragmentation, unallocated_ratio;
    double gpu_hours;
    double reservation_idle_gpu_s; /* GPU-seconds left idle before reservations while jobs queued */
    int64_t cost_micros;
    double fairness_drf_min_max, fairness_jain, worst_ftf_rho;
    int64_t promises, promises_broken; /* of latest starts, of jobs that have started */
};

/* Jobs count once they have ended, and have times if they ran to their end: a wait up to the first
 * start, a slowdown by the run since it last left the queue. Percentiles are
 * nearest-rank. Sorts its samples: not for every request. */
void bl_metrics_figures(struct bl_metrics *metrics, struct bl_figures *out);

/* What lasts, up to this instant or the last event, whichever is later. */
void bl_metrics_tally(const struct bl_metrics *metrics, bl_time at, struct bl_tally *out);
/* Sets a piece of it. */
void bl_metrics_take(struct bl_metrics *metrics, const struct bl_kept *kept);

/* Of what is free now: see core/fragment.h. */
double bl_metrics_fragmentation(struct bl_metrics *metrics);

#endif
