/* A snapshot: the state after record `seq`, as records. Rows of jobs that have ended never change:
 * they are written once and stay until the job leaves memory; all others are written anew with each
 * snapshot. A start reads the rows and then the records behind `seq`.
 *
 * Records up to `seq` stay as history until all of them that are older than a snapshot are to go.
 */
#ifndef BL_STORE_SNAPSHOT_H
#define BL_STORE_SNAPSHOT_H

#include "base/error.h"
#include "base/span.h"
#include "base/vec.h"
#include "core/reason.h"

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;

/* Rows are read back in order of `place`. */
struct bl_snapshot_row {
    int64_t place;
    bool is_final;
    char *bytes; /* owned */
    size_t length;
};

struct bl_snapshot {
    int64_t seq;
    bl_time at;
    bl_time history_from; /* records behind which a snapshot was made earlier than this may go */
    bl_job_id last_job;   /* the highest id that was given, of a forgotten job too */
    BL_VEC(struct bl_snapshot_row) rows;
    BL_VEC(int64_t) gone; /* places of final rows that are no longer wanted */
};

/* What a start needs to know; seq is 0 when there was no snapshot. */
struct bl_snapshot_head {
    int64_t seq;
    bl_job_id last_job;
    int64_t cut; /* records up to this one may be missing; 0 = all are there */
};

void bl_snapshot_destroy(struct bl_snapshot *snapshot);

/* Takes the text. */
void bl_snapshot_add(struct bl_snapshot *snapshot, int64_t place, bool is_final, char *bytes,
                     size_t length);

/* These answer codes of SQLite. All of a snapshot or nothing of it. */
int bl_snapshot_write(struct sqlite3 *db, const struct bl_snapshot *snapshot);
int bl_snapshot_read_head(struct sqlite3 *db, struct bl_snapshot_head *out);
/* Removes some of the records and actions up to `cut`; *is_done when none are left. */
int bl_snapshot_prune(struct sqlite3 *db, int64_t cut, bool *is_done);

#endif
