#include "store/schema.h"

#include "base/buf.h"
#include "os/own_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HEADER_BYTES = 100, HEADER_VERSION_AT = 60, HEADER_APPLICATION_AT = 68 };

/* Row n leads from version n to version n + 1. */
static const char *const steps[BL_SCHEMA_VERSION] = {
    "CREATE TABLE record (seq INTEGER PRIMARY KEY, bytes TEXT NOT NULL) STRICT;"
    "CREATE TABLE action (seq INTEGER PRIMARY KEY, bytes TEXT NOT NULL) STRICT;",
    "CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
    " last_job INTEGER NOT NULL, is_cut INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE TABLE state (place INTEGER PRIMARY KEY, is_final INTEGER NOT NULL,"
    " bytes TEXT NOT NULL) STRICT;"
    "CREATE INDEX state_live ON state (place) WHERE is_final = 0;",
};

void bl_schema_hint(sqlite3 *db, struct bl_error *err)
{
    if (sqlite3_errcode(db) == SQLITE_CORRUPT) {
        bl_error_set_hint(err, BL_SCHEMA_WAY_OUT);
    }
}

static int fail_db(sqlite3 *db, const char *path, const char *doing, struct bl_error *err)
{
    bl_fail(err, BL_ESYSTEM, "cannot %s the journal %s: %s", doing, path,
            db ? sqlite3_errmsg(db) : "out of memory");
    bl_schema_hint(db, err);
    return BL_ESYSTEM;
}

int bl_schema_version(struct sqlite3 *db)
{
    sqlite3_stmt *query = NULL;
    int version = -1;
    int rc = sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &query, NULL);

    if (rc == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW) {
        version = sqlite3_column_int(query, 0);
    }
    return sqlite3_finalize(query) == SQLITE_OK ? version : -1;
}

int bl_schema_migrate(struct sqlite3 *db, const char *path, struct bl_error *err)
{
    BL_AUTO_BUF sql = {0};
    int version = bl_schema_version(db);

    if (version < 0) {
        return fail_db(db, path, "read", err);
    }
    if (version > BL_SCHEMA_VERSION) {
        return bl_fail(err, BL_EREFUSED,
                       "the journal %s has format %d and this version knows up to %d: use the "
                       "newer version that wrote it",
                       path, version, BL_SCHEMA_VERSION);
    }
    if (version == BL_SCHEMA_VERSION) {
        return BL_OK;
    }
    bl_buf_append_text(&sql, "BEGIN IMMEDIATE;");
    for (int i = version; i < BL_SCHEMA_VERSION; i++) {
        bl_buf_append_text(&sql, steps[i]);
    }
    bl_buf_printf(&sql, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;",
                  BL_SCHEMA_APPLICATION, BL_SCHEMA_VERSION);
    if (sqlite3_exec(db, bl_buf_text(&sql), NULL, NULL, NULL) != SQLITE_OK) {
        return fail_db(db, path, "bring up to date", err);
    }
    return BL_OK;
}

static int sync_directory_of(const char *path, struct bl_error *err)
{
    BL_AUTO_BUF directory = {0};
    const char *slash = strrchr(path, '/');
    BL_AUTO_FD fd = -1;

    bl_buf_append(&directory, path, slash ? (size_t)(slash - path) : 0);
    fd = open(directory.length ? bl_buf_text(&directory) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) < 0) {
        return bl_fail_sys(err, "cannot sync the directory of %s", path);
    }
    return BL_OK;
}

static int fill(const char *path, struct bl_error *err)
{
    sqlite3 *db = NULL;
    int status;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA synchronous=FULL", NULL, NULL, NULL) != SQLITE_OK) {
        status = fail_db(db, path, "make", err);
    } else {
        status = bl_schema_migrate(db, path, err);
    }
    sqlite3_close(db);
    return status;
}

int bl_schema_create(const char *path, struct bl_error *err)
{
    BL_AUTO_BUF fresh = {0};
    BL_AUTO_BUF leftover = {0};
    BL_AUTO_FD fd = -1;
    int status;

    bl_buf_printf(&fresh, "%s.new", path);
    bl_buf_printf(&leftover, "%s.new-journal", path);
    unlink(bl_buf_text(&fresh));
    unlink(bl_buf_text(&leftover));
    /* made here for its mode, which SQLite gives to its side files as well: command lines are
     * nobody else's business */
    fd = open(bl_buf_text(&fresh), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
        return bl_fail_sys(err, "cannot make the journal %s", path);
    }
    status = fill(bl_buf_text(&fresh), err);
    if (status == BL_OK && rename(bl_buf_text(&fresh), path) < 0) {
        status = bl_fail_sys(err, "cannot make the journal %s", path);
    }
    return status == BL_OK ? sync_directory_of(path, err) : status;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

int bl_schema_check_file(const char *path, struct bl_error *err)
{
    unsigned char header[HEADER_BYTES] = {0};
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0 && errno == ENOENT) {
        return bl_fail(err, BL_ENOTFOUND, "there is no journal %s", path);
    }
    if (fd < 0 || pread(fd, header, sizeof header, 0) < 0) {
        return bl_fail_sys(err, "cannot read the journal %s", path);
    }
    if (memcmp(header, "SQLite format 3", 16) != 0 ||
        big_endian(header + HEADER_APPLICATION_AT) != BL_SCHEMA_APPLICATION) {
        return bl_fail(err, BL_EREFUSED,
                       "%s is not a journal of baleen; it is left as it is: move it away or choose "
                       "another directory with --state",
                       path);
    }
    if (big_endian(header + HEADER_VERSION_AT) > BL_SCHEMA_VERSION) {
        return bl_fail(err, BL_EREFUSED,
                       "the journal %s has format %u and this version knows up to %d: use the "
                       "newer version that wrote it",
                       path, big_endian(header + HEADER_VERSION_AT), BL_SCHEMA_VERSION);
    }
    return BL_OK;
}
