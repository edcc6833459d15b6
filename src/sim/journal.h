/* Repeats a daemon's journal: every recorded event unchanged, on a core of its own, and compares
 * the actions that come out with those that were noted when it happened. Where the oldest records
 * are gone, it begins with the newest snapshot. */
#ifndef BL_SIM_JOURNAL_H
#define BL_SIM_JOURNAL_H

#include "sim/driver.h"

struct bl_sim_journal {
    const char *state_dir;
    struct bl_sim_output *log;   /* the actions, byte for byte as they were noted; NULL = none */
    struct bl_sim_output *story; /* NULL = none */
    bool stop_at_difference;
};

/* What came out beside the figures. */
struct bl_sim_journal_result {
    struct bl_sim_result result;
    struct bl_buf policy;         /* the last one that was set; owned by the caller */
    int64_t compared;             /* rounds whose actions were noted */
    int64_t unnoted;              /* rounds with actions behind the last that was noted */
    int64_t different;            /* rounds that now decide otherwise */
    int64_t first_different;      /* its record */
    struct bl_buf noted, decided; /* the actions of that round; owned by the caller */
};

/* Fails when the journal cannot be read. Differences are no failure here. */
int bl_sim_replay_journal(const struct bl_sim_journal *setup, struct bl_sim_journal_result *out,
                          struct bl_error *err);

void bl_sim_journal_result_finish(struct bl_sim_journal_result *result);

#endif
