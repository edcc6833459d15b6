/* A daemon's journal, record by record: from the first one on where all are kept, else from the
 * newest snapshot on. */
#ifndef BL_SIM_WALK_H
#define BL_SIM_WALK_H

#include "core/event.h"
#include "store/journal.h"

/* An answer other than 0 ends the walk with that status. */
struct bl_sim_walk {
    void *self;
    int (*restore)(void *self, const struct bl_event *event); /* a row of the snapshot */
    int (*meet)(void *self, int64_t seq, const struct bl_event *event);
};

/* The record behind which the walk begins; 0 = with the first. */
int64_t bl_sim_walk_begin(const struct bl_journal *journal);

int bl_sim_walk(struct bl_journal *journal, const struct bl_sim_walk *walk, struct bl_error *err);

#endif
