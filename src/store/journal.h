/* The journal: every event in order, on disk before it is acted on (SQLite, WAL, all synced).
 *
 * One helper thread commits. The main thread appends records; the helper writes all that wait as
 * one transaction (group commit) and makes `ready_fd` readable; bl_journal_collect then tells how
 * far the journal reaches. Messages between the threads are owned copies. */
#ifndef BL_STORE_JOURNAL_H
#define BL_STORE_JOURNAL_H

#include "base/error.h"
#include "base/histogram.h"
#include "base/span.h"
#include "store/snapshot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bl_journal;

/* Opens STATE/journal.db, creates it when missing, locks STATE against a second daemon. A file
 * that is not a journal of ours, or of a newer version, is refused and left alone. */
int bl_journal_open(const char *state_dir, struct bl_journal **out, struct bl_error *err);

/* Read only, beside a live daemon; nothing is locked, created or changed. */
int bl_journal_open_reader(const char *state_dir, struct bl_journal **out, struct bl_error *err);

/* Waits until all that was appended is committed, then closes; what a last try cannot commit is
 * given up. */
void bl_journal_close(struct bl_journal *journal);

/* Called with each row of a walk in order; an answer other than 0 ends the walk with that status.
 */
typedef int bl_journal_each(void *self, int64_t seq, const char *bytes, size_t length,
                            struct bl_error *err);

/* The newest snapshot at open. */
struct bl_snapshot_head bl_journal_head(const struct bl_journal *journal);

/* Walks the rows of that snapshot; none when there is none. Only before the next one is taken. */
int bl_journal_replay_snapshot(struct bl_journal *journal, bl_journal_each *each, void *self,
                               struct bl_error *err);

/* Walk the committed records, all that are kept or those behind one. */
int bl_journal_replay(struct bl_journal *journal, bl_journal_each *each, void *self,
                      struct bl_error *err);
int bl_journal_replay_after(struct bl_journal *journal, int64_t after, bl_journal_each *each,
                            void *self, struct bl_error *err);

/* The same for what was noted of their actions. */
int bl_journal_replay_actions(struct bl_journal *journal, bl_journal_each *each, void *self,
                              struct bl_error *err);
int bl_journal_replay_actions_after(struct bl_journal *journal, int64_t after,
                                    bl_journal_each *each, void *self, struct bl_error *err);

/* Queues one record and answers its sequence number (1, 2, …). Never blocks. */
int64_t bl_journal_append(struct bl_journal *journal, const char *bytes, size_t length);

/* Records that are appended in between reach the disk together or not at all. */
void bl_journal_begin_group(struct bl_journal *journal);
void bl_journal_end_group(struct bl_journal *journal);

/* Queues the text of the actions that the ROUND record `seq` led to (JSON lines). Not needed for
 * recovery: replay makes them again; kept so that a replay can be compared with what was done.
 * Appending for a seq that is there already changes nothing. */
void bl_journal_append_actions(struct bl_journal *journal, int64_t seq, const char *bytes,
                               size_t length);

/* Takes back a record that waits, after a failed commit: true, and its number is never used; false
 * when it is on disk or on its way there. */
bool bl_journal_withdraw(struct bl_journal *journal, int64_t seq);
/* The same for the `count` records of a group. */
bool bl_journal_withdraw_group(struct bl_journal *journal, int64_t first, size_t count);

/* Writes a snapshot when its time comes, then removes what is no longer wanted of the history.
 * Takes it over; one at a time. */
void bl_journal_take_snapshot(struct bl_journal *journal, struct bl_snapshot *snapshot);

/* True once after each: then *err is how it went, and on failure nothing of it was kept. */
bool bl_journal_end_snapshot(struct bl_journal *journal, struct bl_error *err);

/* Readable when a commit or a snapshot ended. */
int bl_journal_ready_fd(const struct bl_journal *journal);

/* The last sequence number that is safely on disk, set in any case; drains ready_fd. A commit that
 * failed (disk full) gives its error here; the records stay queued and are tried again each
 * second. */
int bl_journal_collect(struct bl_journal *journal, int64_t *committed, struct bl_error *err);

/* How long commits took that went well, by bl_bounds_of_work, since the journal was opened. */
struct bl_histogram bl_journal_commits(struct bl_journal *journal);

/* The last sequence number on disk at open. */
int64_t bl_journal_last(const struct bl_journal *journal);

#endif
