/* One replay: feeds a trace to a core and carries its actions out on the simulated engine.
 *
 * Order of things at one instant, which published schedules depend on: jobs that end as planned
 * leave at once, for plans counted them as gone; submissions come in order of ids, a round after
 * each; ends come in the order of starting, a round after each, those that already left included.
 * With a period, rounds take place only at its multiples. Where a world says what jobs do
 * (sim/world.h), time passes in rounds as well: sim/rounds.h. */
#ifndef BL_SIM_DRIVER_H
#define BL_SIM_DRIVER_H

#include "core/metrics.h"
#include "core/policy.h"
#include "form/trace.h"
#include "sim/output.h"
#include "sim/eta.h"

struct bl_sim_world;

struct bl_sim_setup {
    const struct bl_clusterspec *cluster;
    struct bl_policy_choice choice;
    bl_time round; /* 0 = at each event */
    bool with_bound, with_eta;
    const struct bl_trace_format *format;
    struct bl_trace *trace;      /* open, nothing read */
    struct bl_sim_world *world;  /* what jobs do, in rounds; NULL = their specs say it */
    struct bl_sim_output *waits; /* NULL = none */
    struct bl_sim_output *log;
    struct bl_sim_output *story;
};

struct bl_sim_result {
    struct bl_figures figures;
    int64_t events;               /* what the core was told, rounds apart */
    int64_t left;                 /* jobs that never ended */
    bl_time round_p50, round_p99; /* measured */
    bl_time wall, cpu;            /* without the bound */
    bool has_eta;
    struct bl_sim_eta_figures eta;
    bool has_bound;
    double bound_s; /* no policy has a lower mean completion time of these jobs; NAN without any */
};

/* Fails where the trace does. */
int bl_sim_replay(const struct bl_sim_setup *setup, struct bl_sim_result *out,
                  struct bl_error *err);

/* Nearest rank; sorts the samples. 0 without any. */
bl_time bl_sim_percentile(bl_time *sample, size_t count, int percent);

#endif
