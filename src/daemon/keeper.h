/* Decides when a snapshot is made and what leaves memory, and makes the snapshot of a ledger. */
#ifndef BL_DAEMON_KEEPER_H
#define BL_DAEMON_KEEPER_H

#include "daemon/ledger.h"
#include "form/config.h"
#include "store/snapshot.h"

struct bl_keeper_rules {
    int64_t records;   /* a snapshot after so many records, */
    bl_time time;      /* or after so long, if there are any */
    bl_time history;   /* records that are older may go */
    bl_time ended;     /* ended jobs stay in memory so long, */
    int64_t ended_max; /* and so many of them at most */
};

struct bl_keeper {
    struct bl_keeper_rules rules;
    int64_t seq;                /* of the last snapshot */
    bl_time at;                 /* when that was, or the daemon started */
    bool is_busy;               /* one is made or written */
    struct bl_snapshot *making; /* NULL unless it is made in parts */
    size_t cursor;
    int64_t next_place; /* of the state at large */
    size_t gone_sent;   /* of the ledger's `gone` those that the snapshot on its way has */
};

/* What the configuration says, and the environment: BALEEN_SNAPSHOT_RECORDS, BALEEN_SNAPSHOT_TIME,
 * BALEEN_HISTORY. */
int bl_keeper_read_rules(const struct bl_config_retention *retention, struct bl_keeper_rules *out,
                         struct bl_error *err);

/* Whether a snapshot should be and can be made now. */
bool bl_keeper_is_due(const struct bl_keeper *keeper, const struct bl_ledger *ledger);

/* The state after the last record, made in parts: of at most `jobs` jobs a call. NULL as long as it
 * is not whole; until then nothing may be applied to the ledger. The caller hands it to the journal
 * and says how that ended. */
struct bl_snapshot *bl_keeper_make(struct bl_keeper *keeper, struct bl_ledger *ledger, size_t jobs);
void bl_keeper_done(struct bl_keeper *keeper, struct bl_ledger *ledger, int status);

/* Lets go of one that is being made. */
void bl_keeper_finish(struct bl_keeper *keeper);

/* Jobs that ended before this instant may leave memory; 0 when none would. */
bl_time bl_keeper_forget_before(const struct bl_keeper *keeper, const struct bl_ledger *ledger);

#endif
