/* What another policy would have made of a daemon's journal: what people asked for comes when it
 * came, nodes go up and down when they did, and jobs run as long as they really ran. What they hold
 * otherwise than in truth changes that by what is known of their speed at the journal's end; saving
 * work and starting again take no time. Jobs that have not ended in the journal run as is foreseen.
 *
 * A job that a person cancelled while it ran is cancelled after as long a run; one that waited, at
 * the same instant. */
#ifndef BL_SIM_OTHERWISE_H
#define BL_SIM_OTHERWISE_H

#include "sim/driver.h"

struct bl_sim_past; /* a journal that was read: opaque */

/* Fills *out, which the caller destroys; `as_it_was` gets the figures of what happened, and
 * `policy` the policy under which it ended. */
int bl_sim_past_read(const char *state_dir, struct bl_sim_past **out,
                     struct bl_sim_result *as_it_was, struct bl_buf *policy, struct bl_error *err);
void bl_sim_past_destroy(struct bl_sim_past *past);

/* Jobs that had started and not ended when the journal ended. */
int64_t bl_sim_past_unended(const struct bl_sim_past *past);

/* The same under this policy, to the end of all jobs. `story` may be NULL. */
int bl_sim_replay_otherwise(const struct bl_sim_past *past, const struct bl_policy_choice *choice,
                            struct bl_sim_output *story, struct bl_sim_result *out,
                            struct bl_error *err);

#endif
