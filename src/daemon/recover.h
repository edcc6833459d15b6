/* What happens between opening the journal and serving: the past is replayed, the machine compared
 * with the books. */
#ifndef BL_DAEMON_RECOVER_H
#define BL_DAEMON_RECOVER_H

#include "daemon/ledger.h"
#include "form/clusterspec.h"
#include "store/journal.h"

/* Takes the newest snapshot and applies all records behind it. Rounds are decided again; what was
 * noted of them must be the same, and what a kill left unnoted is noted now. */
int bl_recover_replay(struct bl_journal *journal, struct bl_ledger *ledger, struct bl_error *err);

/* Where the events go that make the books fit the machine. */
struct bl_recover_host {
    void *self;
    void (*post)(void *self, struct bl_event *event);
};

/* New nodes, nodes that vanished, came back or have another shape, another policy. Another shape of
 * a node that jobs hold is refused. */
int bl_recover_align(const struct bl_core *core, const struct bl_clusterspec *found,
                     const struct bl_policy_choice *policy, struct bl_recover_host host,
                     struct bl_error *err);

/* After the events of the former were applied: whether the books took all that was found. */
int bl_recover_check(const struct bl_core *core, const struct bl_clusterspec *found,
                     struct bl_error *err);

#endif
