#include "store/snapshot.h"

#include <sqlite3.h>
#include <stdlib.h>

enum { PRUNED_AT_ONCE = 1000 };

void bl_snapshot_destroy(struct bl_snapshot *snapshot)
{
    if (!snapshot) {
        return;
    }
    for (size_t i = 0; i < snapshot->rows.count; i++) {
        free(snapshot->rows.at[i].bytes);
    }
    BL_VEC_FINISH(&snapshot->rows);
    BL_VEC_FINISH(&snapshot->gone);
    free(snapshot);
}

void bl_snapshot_add(struct bl_snapshot *snapshot, int64_t place, bool is_final, char *bytes,
                     size_t length)
{
    struct bl_snapshot_row row = {place, is_final, bytes, length};

    BL_VEC_PUSH(&snapshot->rows, row);
}

/* Runs a statement with up to four numbers. */
static int run(sqlite3 *db, const char *sql, const int64_t *number, int count)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);

    for (int i = 0; i < count && rc == SQLITE_OK; i++) {
        rc = sqlite3_bind_int64(statement, i + 1, number[i]);
    }
    if (rc == SQLITE_OK) {
        sqlite3_step(statement);
    }
    return statement ? sqlite3_finalize(statement) : rc;
}

static int begin(sqlite3 *db)
{
    return sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
}

/* Answers what went wrong first. */
static int end(sqlite3 *db, int rc)
{
    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    }
    if (!sqlite3_get_autocommit(db)) {
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    return rc;
}

/* --- writing --------------------------------------------------------------------------------- */

static int remove_gone(sqlite3 *db, const struct bl_snapshot *snapshot)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(db, "DELETE FROM state WHERE place = ?1", -1, &statement, NULL);

    for (size_t i = 0; i < snapshot->gone.count && rc == SQLITE_OK; i++) {
        sqlite3_bind_int64(statement, 1, snapshot->gone.at[i]);
        sqlite3_step(statement);
        rc = sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return rc;
}

static int insert_rows(sqlite3 *db, const struct bl_snapshot *snapshot)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(
        db, "INSERT OR REPLACE INTO state (place, is_final, bytes) VALUES (?1, ?2, ?3)", -1,
        &statement, NULL);

    for (size_t i = 0; i < snapshot->rows.count && rc == SQLITE_OK; i++) {
        const struct bl_snapshot_row *row = &snapshot->rows.at[i];

        sqlite3_bind_int64(statement, 1, row->place);
        sqlite3_bind_int(statement, 2, row->is_final);
        sqlite3_bind_text64(statement, 3, row->bytes, row->length, SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_step(statement);
        rc = sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return rc;
}

static int write_head(sqlite3 *db, const struct bl_snapshot *snapshot)
{
    const int64_t head[] = {snapshot->seq, snapshot->at, snapshot->last_job};

    return run(db, "INSERT OR REPLACE INTO snapshot (seq, at, last_job) VALUES (?1, ?2, ?3)", head,
               3);
}

/* The newest snapshot that is old enough is where the history begins from now on; those before it
 * tell nothing any more. */
static int move_cut(sqlite3 *db, bl_time history_from)
{
    static const char *const steps[] = {
        "UPDATE snapshot SET is_cut = 1"
        " WHERE seq = (SELECT max(seq) FROM snapshot WHERE at < ?1)",
        "DELETE FROM snapshot WHERE seq < (SELECT max(seq) FROM snapshot WHERE is_cut = 1)"};
    int rc = run(db, steps[0], &history_from, 1);

    return rc == SQLITE_OK ? run(db, steps[1], NULL, 0) : rc;
}

int bl_snapshot_write(struct sqlite3 *db, const struct bl_snapshot *snapshot)
{
    int rc = begin(db);

    rc = rc == SQLITE_OK ? run(db, "DELETE FROM state WHERE is_final = 0", NULL, 0) : rc;
    rc = rc == SQLITE_OK ? remove_gone(db, snapshot) : rc;
    rc = rc == SQLITE_OK ? insert_rows(db, snapshot) : rc;
    rc = rc == SQLITE_OK ? write_head(db, snapshot) : rc;
    rc = rc == SQLITE_OK ? move_cut(db, snapshot->history_from) : rc;
    return end(db, rc);
}

/* --- pruning --------------------------------------------------------------------------------- */

int bl_snapshot_prune(struct sqlite3 *db, int64_t cut, bool *is_done)
{
    static const char *const steps[] = {
        "DELETE FROM record WHERE seq IN"
        " (SELECT seq FROM record WHERE seq <= ?1 ORDER BY seq LIMIT ?2)",
        "DELETE FROM action WHERE seq IN"
        " (SELECT seq FROM action WHERE seq <= ?1 ORDER BY seq LIMIT ?2)"};
    const int64_t number[] = {cut, PRUNED_AT_ONCE};
    int before = sqlite3_total_changes(db);
    int rc = begin(db);

    for (int i = 0; i < 2 && rc == SQLITE_OK; i++) {
        rc = run(db, steps[i], number, 2);
    }
    *is_done = sqlite3_total_changes(db) == before;
    return end(db, rc);
}

/* --- reading --------------------------------------------------------------------------------- */

int bl_snapshot_read_head(struct sqlite3 *db, struct bl_snapshot_head *out)
{
    static const char sql[] = "SELECT seq, last_job,"
                              " coalesce((SELECT max(seq) FROM snapshot WHERE is_cut = 1), 0)"
                              " FROM snapshot ORDER BY seq DESC LIMIT 1";
    sqlite3_stmt *query = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &query, NULL);

    *out = (struct bl_snapshot_head){0};
    if (rc == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW) {
        out->seq = sqlite3_column_int64(query, 0);
        out->last_job = sqlite3_column_int64(query, 1);
        out->cut = sqlite3_column_int64(query, 2);
    }
    return sqlite3_finalize(query) == SQLITE_OK ? rc : SQLITE_ERROR;
}
