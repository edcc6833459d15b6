#include "store/journal.h"

#include "base/buf.h"
#include "base/own.h"
#include "os/clock.h"
#include "os/own_fd.h"
#include "os/thread.h"
#include "store/lock.h"
#include "store/schema.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

enum { RETRY_SECONDS = 1 };

/* A record or the actions of one, on its way to the disk. */
struct item {
    struct item *next;
    int64_t seq;
    bool is_action;
    size_t length;
    char bytes[];
};

struct queue {
    struct item *head;
    struct item **tail; /* where the next one is hung */
};

struct bl_journal {
    char *path;
    int64_t last;     /* on disk at open */
    int64_t next_seq; /* main thread only */
    int lock_fd;
    int ready_fd;
    bool has_helper;
    pthread_t helper;

    struct bl_snapshot_head head; /* at open */

    sqlite3 *db; /* the helper's, once it runs */
    sqlite3_stmt *insert_record;
    sqlite3_stmt *insert_action;

    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t wake;
    struct queue waiting;
    bool is_grouping; /* the last records that wait are not all of their group */
    bool is_stopping;
    int64_t committed;
    struct bl_histogram commits;
    struct bl_error failure;      /* of the last commit; BL_OK when it went well */
    struct bl_snapshot *snapshot; /* to be written */
    bool is_snapshot_next;        /* what waited when it was taken is on disk */
    bool is_snapshot_over;
    struct bl_error snapshot_failure;
    int64_t prune_to; /* records up to this one are to go; 0 = none */
};

static int fail_db(const struct bl_journal *journal, sqlite3 *db, struct bl_error *err)
{
    bl_fail(err, BL_ESYSTEM, "journal %s: %s", journal->path,
            db ? sqlite3_errmsg(db) : "out of memory");
    bl_schema_hint(db, err);
    return BL_ESYSTEM;
}

static void queue_push(struct queue *queue, struct item *item)
{
    if (!queue->head) {
        queue->tail = &queue->head;
    }
    *queue->tail = item;
    queue->tail = &item->next;
}

static void queue_finish(struct queue *queue)
{
    while (queue->head) {
        struct item *item = queue->head;

        queue->head = item->next;
        free(item);
    }
}

/* --- the helper ------------------------------------------------------------------------------ */

static int insert(struct bl_journal *journal, const struct item *item)
{
    sqlite3_stmt *into = item->is_action ? journal->insert_action : journal->insert_record;
    int rc;

    sqlite3_bind_int64(into, 1, item->seq);
    sqlite3_bind_text64(into, 2, item->bytes, item->length, SQLITE_STATIC, SQLITE_UTF8);
    rc = sqlite3_step(into);
    sqlite3_reset(into);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Writes the number again that is there already. */
static int touch(struct bl_journal *journal)
{
    BL_AUTO_BUF pragma = {0};

    bl_buf_printf(&pragma, "PRAGMA user_version = %d", (int)BL_SCHEMA_VERSION);
    return sqlite3_exec(journal->db, bl_buf_text(&pragma), NULL, NULL, NULL);
}

/* Without a batch it only shows whether anything could be written. */
static int write_batch(struct bl_journal *journal, const struct item *batch)
{
    int rc = sqlite3_exec(journal->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);

    if (rc == SQLITE_OK && !batch) {
        rc = touch(journal);
    }
    for (const struct item *item = batch; item && rc == SQLITE_OK; item = item->next) {
        rc = insert(journal, item);
    }
    return rc == SQLITE_OK ? sqlite3_exec(journal->db, "COMMIT", NULL, NULL, NULL) : rc;
}

/* The words of the failure must be read before the rollback, which sets its own. */
static int commit(struct bl_journal *journal, const struct item *batch, struct bl_error *err)
{
    int status;

    if (write_batch(journal, batch) == SQLITE_OK) {
        return BL_OK;
    }
    status = fail_db(journal, journal->db, err);
    if (!sqlite3_get_autocommit(journal->db)) {
        sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

static int64_t last_record_of(const struct item *batch, int64_t before)
{
    for (const struct item *item = batch; item; item = item->next) {
        if (!item->is_action) {
            before = item->seq;
        }
    }
    return before;
}

/* Puts a batch that failed back before what came since. Called with the lock held. */
static void put_back(struct queue *waiting, struct queue *batch)
{
    if (waiting->head) {
        *batch->tail = waiting->head;
        batch->tail = waiting->tail;
    }
    *waiting = *batch;
}

static void wait_before_retry(struct bl_journal *journal)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += RETRY_SECONDS;
    while (!journal->is_stopping &&
           pthread_cond_timedwait(&journal->wake, &journal->mutex, &until) != ETIMEDOUT) {
    }
}

static void announce(const struct bl_journal *journal)
{
    const uint64_t one = 1;

    /* fails only when the counter is full: then it is readable anyway */
    if (write(journal->ready_fd, &one, sizeof one) < 0) {
        assert(errno == EAGAIN);
    }
}

/* Commits what waits. Called with the lock held, which it gives up while it writes. Answers false
 * when the last try before the end failed. */
static bool commit_waiting(struct bl_journal *journal)
{
    struct queue batch = journal->waiting;
    bool is_last_try = journal->is_stopping;
    bool is_before_snapshot = journal->snapshot != NULL;
    struct bl_error err = {0};
    bl_time begun = bl_clock_monotonic();
    bool is_done;

    journal->waiting = (struct queue){0};
    pthread_mutex_unlock(&journal->mutex);
    is_done = commit(journal, batch.head, &err) == BL_OK;
    pthread_mutex_lock(&journal->mutex);
    journal->failure = err;
    if (is_done) {
        bl_histogram_note(&journal->commits, &bl_bounds_of_work, bl_clock_monotonic() - begun);
        journal->committed = last_record_of(batch.head, journal->committed);
        journal->is_snapshot_next = is_before_snapshot;
        queue_finish(&batch);
    } else {
        put_back(&journal->waiting, &batch);
    }
    announce(journal);
    if (!is_done && !is_last_try) {
        wait_before_retry(journal);
    }
    return is_done || !is_last_try;
}

/* What had failed was taken back: whether there is room again shows in no commit of a record.
 * Called with the lock held, which it gives up while it writes. */
static void look_for_room(struct bl_journal *journal)
{
    struct bl_error err = {0};

    pthread_mutex_unlock(&journal->mutex);
    commit(journal, NULL, &err);
    pthread_mutex_lock(&journal->mutex);
    journal->failure = err;
    if (err.status == BL_OK) {
        announce(journal);
    } else {
        wait_before_retry(journal);
    }
}

/* What was appended before it goes first: the actions of its last round, which no later start would
 * find missing. */
static bool is_snapshot_due(const struct bl_journal *journal)
{
    return journal->snapshot && !journal->is_stopping &&
           (journal->is_snapshot_next || !journal->waiting.head);
}

/* Called with the lock held, which it gives up while it writes. */
static void write_snapshot(struct bl_journal *journal)
{
    struct bl_snapshot *snapshot = journal->snapshot;
    struct bl_snapshot_head head = {0};
    struct bl_error err = {0};

    pthread_mutex_unlock(&journal->mutex);
    if (bl_snapshot_write(journal->db, snapshot) != SQLITE_OK ||
        bl_snapshot_read_head(journal->db, &head) != SQLITE_OK) {
        fail_db(journal, journal->db, &err);
    }
    bl_snapshot_destroy(snapshot);
    pthread_mutex_lock(&journal->mutex);
    journal->snapshot = NULL;
    journal->is_snapshot_next = false;
    journal->is_snapshot_over = true;
    journal->snapshot_failure = err;
    journal->prune_to = head.cut > journal->prune_to ? head.cut : journal->prune_to;
    announce(journal);
}

/* A little at a time, so that no record waits long. What fails is tried again after the next
 * snapshot. Called with the lock held. */
static void prune(struct bl_journal *journal)
{
    int64_t cut = journal->prune_to;
    bool is_done = true;
    int rc;

    pthread_mutex_unlock(&journal->mutex);
    rc = bl_snapshot_prune(journal->db, cut, &is_done);
    pthread_mutex_lock(&journal->mutex);
    if (is_done || rc != SQLITE_OK) {
        journal->prune_to = 0;
    }
}

static void *run_helper(void *self)
{
    struct bl_journal *journal = self;
    bool goes_on = true;

    pthread_mutex_lock(&journal->mutex);
    while (goes_on) {
        if (is_snapshot_due(journal)) {
            write_snapshot(journal);
        } else if (journal->waiting.head && !journal->is_grouping) {
            goes_on = commit_waiting(journal);
        } else if (journal->is_stopping) {
            goes_on = false;
        } else if (journal->failure.status != BL_OK) {
            look_for_room(journal);
        } else if (journal->prune_to > 0) {
            prune(journal);
        } else {
            pthread_cond_wait(&journal->wake, &journal->mutex);
        }
    }
    pthread_mutex_unlock(&journal->mutex);
    return NULL;
}

static int start_helper(struct bl_journal *journal, struct bl_error *err)
{
    int status =
        bl_thread_start(&journal->helper, run_helper, journal, "the journal's thread", err);

    journal->has_helper = status == BL_OK;
    return status;
}

/* --- opening and closing --------------------------------------------------------------------- */

static struct bl_journal *new_journal(const char *state_dir)
{
    struct bl_journal *journal = bl_alloc_zero(sizeof *journal);
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s/journal.db", state_dir);
    journal->path = bl_buf_take(&path);
    journal->lock_fd = -1;
    journal->ready_fd = -1;
    pthread_mutex_init(&journal->mutex, NULL);
    bl_thread_init_condition(&journal->wake);
    return journal;
}

/* EXTRA is FULL and more: the change to WAL goes through a rollback journal, which a power cut long
 * afterwards could bring back to life if its removal were not synced. */
static int prepare(struct bl_journal *journal, struct bl_error *err)
{
    static const char pragmas[] = "PRAGMA synchronous=EXTRA; PRAGMA journal_mode=WAL;"
                                  "PRAGMA trusted_schema=OFF;";

    if (sqlite3_exec(journal->db, pragmas, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(journal->db, "INSERT INTO record (seq, bytes) VALUES (?1, ?2)", -1,
                           &journal->insert_record, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(journal->db, "INSERT OR IGNORE INTO action (seq, bytes) VALUES (?1, ?2)",
                           -1, &journal->insert_action, NULL) != SQLITE_OK) {
        return fail_db(journal, journal->db, err);
    }
    return BL_OK;
}

/* A reader may meet a journal of the first format, which had no snapshots. */
static int read_last(struct bl_journal *journal, struct bl_error *err)
{
    sqlite3_stmt *query = NULL;
    int rc;

    if (bl_schema_version(journal->db) > 1 &&
        bl_snapshot_read_head(journal->db, &journal->head) != SQLITE_OK) {
        return fail_db(journal, journal->db, err);
    }
    rc = sqlite3_prepare_v2(journal->db, "SELECT coalesce(max(seq), 0) FROM record", -1, &query,
                            NULL);
    if (rc == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW) {
        journal->last = sqlite3_column_int64(query, 0);
        journal->last = journal->head.seq > journal->last ? journal->head.seq : journal->last;
        journal->prune_to = journal->head.cut;
        journal->committed = journal->last;
        journal->next_seq = journal->last + 1;
    }
    return sqlite3_finalize(query) == SQLITE_OK ? BL_OK : fail_db(journal, journal->db, err);
}

static int open_writer(struct bl_journal *journal, struct bl_error *err)
{
    int status = bl_schema_check_file(journal->path, err);

    if (status == BL_ENOTFOUND) {
        status = bl_schema_create(journal->path, err);
    }
    if (status != BL_OK) {
        return status;
    }
    if (sqlite3_open_v2(journal->path, &journal->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        return fail_db(journal, journal->db, err);
    }
    status = bl_schema_migrate(journal->db, journal->path, err);
    status = status == BL_OK ? prepare(journal, err) : status;
    status = status == BL_OK ? read_last(journal, err) : status;
    if (status != BL_OK) {
        return status;
    }
    journal->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return journal->ready_fd < 0 ? bl_fail_sys(err, "cannot make an eventfd")
                                 : start_helper(journal, err);
}

int bl_journal_open(const char *state_dir, struct bl_journal **out, struct bl_error *err)
{
    struct bl_journal *journal = new_journal(state_dir);
    int status = bl_state_lock(state_dir, &journal->lock_fd, err);

    if (status == BL_OK) {
        status = open_writer(journal, err);
    }
    if (status != BL_OK) {
        bl_journal_close(journal);
        return status;
    }
    *out = journal;
    return BL_OK;
}

/* Percent-encodes what would end a path inside a file: URI. */
static void append_uri_path(struct bl_buf *out, const char *path)
{
    for (const char *c = path; *c; c++) {
        if (strchr("?#%", *c)) {
            bl_buf_printf(out, "%%%02X", (unsigned)(unsigned char)*c);
        } else {
            bl_buf_append_char(out, *c);
        }
    }
}

/* Without a write-ahead file nobody has the journal open, and reading it as immutable leaves no
 * side files behind. */
static int open_for_reading(const struct bl_journal *journal, sqlite3 **db, struct bl_error *err)
{
    BL_AUTO_BUF uri = {0};
    BL_AUTO_BUF wal = {0};
    bool is_quiet;

    bl_buf_printf(&wal, "%s-wal", journal->path);
    is_quiet = access(bl_buf_text(&wal), F_OK) != 0;
    bl_buf_append_text(&uri, "file:");
    append_uri_path(&uri, journal->path);
    bl_buf_append_text(&uri, is_quiet ? "?immutable=1" : "?mode=ro");
    if (sqlite3_open_v2(bl_buf_text(&uri), db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) !=
        SQLITE_OK) {
        return fail_db(journal, *db, err);
    }
    return BL_OK;
}

int bl_journal_open_reader(const char *state_dir, struct bl_journal **out, struct bl_error *err)
{
    struct bl_journal *journal = new_journal(state_dir);
    int status = bl_schema_check_file(journal->path, err);

    if (status == BL_OK) {
        status = open_for_reading(journal, &journal->db, err);
    }
    if (status == BL_OK && sqlite3_exec(journal->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) {
        status = fail_db(journal, journal->db, err);
    }
    if (status == BL_OK) {
        status = read_last(journal, err);
    }
    if (status != BL_OK) {
        bl_journal_close(journal);
        return status;
    }
    *out = journal;
    return BL_OK;
}

static void stop_helper(struct bl_journal *journal)
{
    pthread_mutex_lock(&journal->mutex);
    journal->is_stopping = true;
    pthread_cond_signal(&journal->wake);
    pthread_mutex_unlock(&journal->mutex);
    pthread_join(journal->helper, NULL);
}

void bl_journal_close(struct bl_journal *journal)
{
    if (!journal) {
        return;
    }
    if (journal->has_helper) {
        stop_helper(journal);
    }
    queue_finish(&journal->waiting);
    bl_snapshot_destroy(journal->snapshot);
    sqlite3_finalize(journal->insert_record);
    sqlite3_finalize(journal->insert_action);
    sqlite3_close(journal->db);
    if (journal->ready_fd >= 0) {
        close(journal->ready_fd);
    }
    if (journal->lock_fd >= 0) {
        close(journal->lock_fd);
    }
    pthread_cond_destroy(&journal->wake);
    pthread_mutex_destroy(&journal->mutex);
    free(journal->path);
    free(journal);
}

/* --- reading --------------------------------------------------------------------------------- */

struct walk {
    int64_t after;
    bl_journal_each *each;
    void *self;
};

/* `rc` of the walk's last step, or the status with which `each` ended it. */
static int walk_rows(sqlite3_stmt *query, bl_journal_each *each, void *self, int *rc,
                     struct bl_error *err)
{
    int status = BL_OK;

    while (status == BL_OK && (*rc = sqlite3_step(query)) == SQLITE_ROW) {
        const char *bytes = sqlite3_column_blob(query, 1);
        size_t length = (size_t)sqlite3_column_bytes(query, 1);

        status = each(self, sqlite3_column_int64(query, 0), bytes ? bytes : "", length, err);
    }
    return status;
}

/* Calls `each` with the rows (seq, bytes) of a query whose only parameter is `after`. */
static int walk_query(const struct bl_journal *journal, sqlite3 *db, const char *sql,
                      struct walk walk, struct bl_error *err)
{
    sqlite3_stmt *query = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    int status = BL_OK;

    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(query, 1, walk.after);
        status = walk_rows(query, walk.each, walk.self, &rc, err);
    }
    if (status == BL_OK && rc != SQLITE_DONE) {
        status = fail_db(journal, db, err);
    }
    sqlite3_finalize(query);
    return status;
}

/* The connection of a journal that is open for writing belongs to the helper. A reader's sees one
 * state for all its walks, whatever a daemon does meanwhile. */
static int walk(const struct bl_journal *journal, const char *sql, struct walk walk,
                struct bl_error *err)
{
    sqlite3 *db = NULL;
    int status;

    if (!journal->has_helper) {
        return walk_query(journal, journal->db, sql, walk, err);
    }
    status = open_for_reading(journal, &db, err);
    status = status == BL_OK ? walk_query(journal, db, sql, walk, err) : status;
    sqlite3_close(db);
    return status;
}

struct bl_snapshot_head bl_journal_head(const struct bl_journal *journal)
{
    return journal->head;
}

int bl_journal_replay_snapshot(struct bl_journal *journal, bl_journal_each *each, void *self,
                               struct bl_error *err)
{
    struct walk all = {INT64_MIN, each, self};

    if (!journal->head.seq) {
        return BL_OK;
    }
    return walk(journal, "SELECT place, bytes FROM state WHERE place > ?1 ORDER BY place", all,
                err);
}

int bl_journal_replay_after(struct bl_journal *journal, int64_t after, bl_journal_each *each,
                            void *self, struct bl_error *err)
{
    return walk(journal, "SELECT seq, bytes FROM record WHERE seq > ?1 ORDER BY seq",
                (struct walk){after, each, self}, err);
}

int bl_journal_replay_actions_after(struct bl_journal *journal, int64_t after,
                                    bl_journal_each *each, void *self, struct bl_error *err)
{
    return walk(journal, "SELECT seq, bytes FROM action WHERE seq > ?1 ORDER BY seq",
                (struct walk){after, each, self}, err);
}

int bl_journal_replay(struct bl_journal *journal, bl_journal_each *each, void *self,
                      struct bl_error *err)
{
    return bl_journal_replay_after(journal, 0, each, self, err);
}

int bl_journal_replay_actions(struct bl_journal *journal, bl_journal_each *each, void *self,
                              struct bl_error *err)
{
    return bl_journal_replay_actions_after(journal, 0, each, self, err);
}

/* --- appending ------------------------------------------------------------------------------- */

/* After a failure the helper sleeps until its next try, whatever comes. */
static void wake_helper(struct bl_journal *journal)
{
    if (journal->failure.status == BL_OK && !journal->is_grouping) {
        pthread_cond_signal(&journal->wake);
    }
}

static void push(struct bl_journal *journal, struct item *item, const char *bytes, size_t length)
{
    item->length = length;
    memcpy(item->bytes, bytes, length);
    pthread_mutex_lock(&journal->mutex);
    queue_push(&journal->waiting, item);
    wake_helper(journal);
    pthread_mutex_unlock(&journal->mutex);
}

void bl_journal_begin_group(struct bl_journal *journal)
{
    pthread_mutex_lock(&journal->mutex);
    journal->is_grouping = true;
    pthread_mutex_unlock(&journal->mutex);
}

void bl_journal_end_group(struct bl_journal *journal)
{
    pthread_mutex_lock(&journal->mutex);
    journal->is_grouping = false;
    wake_helper(journal);
    pthread_mutex_unlock(&journal->mutex);
}

int64_t bl_journal_append(struct bl_journal *journal, const char *bytes, size_t length)
{
    struct item *item = bl_alloc_zero(sizeof *item + length);
    int64_t seq = journal->next_seq++;

    assert(journal->has_helper);
    item->seq = seq;
    push(journal, item, bytes, length);
    return seq;
}

void bl_journal_append_actions(struct bl_journal *journal, int64_t seq, const char *bytes,
                               size_t length)
{
    struct item *item = bl_alloc_zero(sizeof *item + length);

    assert(journal->has_helper);
    item->seq = seq;
    item->is_action = true;
    push(journal, item, bytes, length);
}

/* Where the record is hung; where the next one would be when it does not wait. */
static struct item **find_waiting(struct bl_journal *journal, int64_t seq)
{
    struct item **link = &journal->waiting.head;

    while (*link && ((*link)->is_action || (*link)->seq != seq)) {
        link = &(*link)->next;
    }
    return link;
}

static void cut_out(struct bl_journal *journal, struct item **link)
{
    struct item *found = *link;

    *link = found->next;
    if (!found->next) {
        journal->waiting.tail = link;
    }
    free(found);
}

bool bl_journal_withdraw(struct bl_journal *journal, int64_t seq)
{
    return bl_journal_withdraw_group(journal, seq, 1);
}

/* What waits is written as one, so that with the first of a group all of it waits. */
bool bl_journal_withdraw_group(struct bl_journal *journal, int64_t first, size_t count)
{
    struct item **link;
    bool is_waiting;

    pthread_mutex_lock(&journal->mutex);
    link = find_waiting(journal, first);
    is_waiting = *link != NULL;
    while (*link && ((*link)->is_action || (*link)->seq < first + (int64_t)count)) {
        if ((*link)->is_action) {
            link = &(*link)->next;
        } else {
            cut_out(journal, link);
        }
    }
    pthread_mutex_unlock(&journal->mutex);
    return is_waiting;
}

void bl_journal_take_snapshot(struct bl_journal *journal, struct bl_snapshot *snapshot)
{
    pthread_mutex_lock(&journal->mutex);
    assert(journal->has_helper && !journal->snapshot);
    journal->snapshot = snapshot;
    pthread_cond_signal(&journal->wake);
    pthread_mutex_unlock(&journal->mutex);
}

bool bl_journal_end_snapshot(struct bl_journal *journal, struct bl_error *err)
{
    bool is_over;

    pthread_mutex_lock(&journal->mutex);
    is_over = journal->is_snapshot_over;
    journal->is_snapshot_over = false;
    *err = journal->snapshot_failure;
    pthread_mutex_unlock(&journal->mutex);
    return is_over;
}

int bl_journal_ready_fd(const struct bl_journal *journal)
{
    return journal->ready_fd;
}

int bl_journal_collect(struct bl_journal *journal, int64_t *committed, struct bl_error *err)
{
    uint64_t count;
    int status;

    /* emptied first: what is committed after this makes it readable again */
    if (read(journal->ready_fd, &count, sizeof count) < 0) {
        assert(errno == EAGAIN);
    }
    pthread_mutex_lock(&journal->mutex);
    status = (int)journal->failure.status;
    *committed = journal->committed;
    if (status != BL_OK && err) {
        *err = journal->failure;
    }
    pthread_mutex_unlock(&journal->mutex);
    return status;
}

int64_t bl_journal_last(const struct bl_journal *journal)
{
    return journal->last;
}

struct bl_histogram bl_journal_commits(struct bl_journal *journal)
{
    struct bl_histogram commits;

    pthread_mutex_lock(&journal->mutex);
    commits = journal->commits;
    pthread_mutex_unlock(&journal->mutex);
    return commits;
}
