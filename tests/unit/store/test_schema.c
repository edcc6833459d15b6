#include "store/schema.h"
#include "bl_test.h"
#include "os/own_fd.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_path(char *out, size_t room)
{
    char dir[] = "/tmp/baleen-schema-XXXXXX";

    assert_non_null(mkdtemp(dir));
    snprintf(out, room, "%s/journal.db", dir);
}

static void remove_path(char *path)
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    assert_int_equal(rmdir(path), 0);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static size_t read_whole(const char *path, char *out, size_t room)
{
    BL_AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = read(fd, out, room);

    assert_true(length >= 0);
    return (size_t)length;
}

static void make_text(const char *path)
{
    BL_AUTO_FD fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    assert_int_equal(write(fd, "dear diary", 10), 10);
}

static void make_empty(const char *path)
{
    BL_AUTO_FD fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
}

static void make_foreign_database(const char *path)
{
    run_sql(path, "CREATE TABLE record (seq INTEGER PRIMARY KEY, bytes TEXT)");
}

static void make_newer(const char *path)
{
    assert_int_equal(bl_schema_create(path, NULL), BL_OK);
    run_sql(path, "PRAGMA user_version=99");
}

static void what_is_not_ours_is_refused_and_left_alone(void **state)
{
    static const struct {
        void (*make)(const char *path);
        const char *expected;
    } rows[] = {
        {make_text, "is not a journal of baleen"},
        {make_empty, "is not a journal of baleen"},
        {make_foreign_database, "is not a journal of baleen"},
        {make_newer, "has format 99 and this version knows up to 2"},
    };
    static char before[64 * 1024];
    static char after[64 * 1024];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        char path[128];
        size_t length;

        make_path(path, sizeof path);
        rows[i].make(path);
        length = read_whole(path, before, sizeof before);
        assert_int_equal(bl_schema_check_file(path, &err), BL_EREFUSED);
        if (!strstr(err.text, rows[i].expected)) {
            fail_msg("row %zu: %s", i, err.text);
        }
        assert_int_equal(read_whole(path, after, sizeof after), length);
        assert_memory_equal(before, after, length);
        remove_path(path);
    }
}

static void a_fresh_journal_is_known_as_ours(void **state)
{
    char path[128];

    (void)state;
    make_path(path, sizeof path);
    assert_int_equal(bl_schema_check_file(path, NULL), BL_ENOTFOUND);
    assert_int_equal(bl_schema_create(path, NULL), BL_OK);
    assert_int_equal(bl_schema_check_file(path, NULL), BL_OK);
    remove_path(path);
}

static void a_leftover_of_a_broken_creation_is_no_obstacle(void **state)
{
    char path[128];
    char leftover[160];

    (void)state;
    make_path(path, sizeof path);
    snprintf(leftover, sizeof leftover, "%s.new", path);
    make_text(leftover);
    assert_int_equal(bl_schema_create(path, NULL), BL_OK);
    assert_int_equal(bl_schema_check_file(path, NULL), BL_OK);
    assert_int_not_equal(access(leftover, F_OK), 0);
    remove_path(path);
}

static void an_empty_database_is_brought_up_to_date_once(void **state)
{
    char path[128];
    sqlite3 *db = NULL;

    (void)state;
    make_path(path, sizeof path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(bl_schema_migrate(db, path, NULL), BL_OK);
    assert_int_equal(bl_schema_migrate(db, path, NULL), BL_OK);
    assert_int_equal(sqlite3_exec(db, "SELECT seq, bytes FROM record, action USING (seq, bytes)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(bl_schema_check_file(path, NULL), BL_OK);
    remove_path(path);
}

/* As the first format was made. */
static void make_version_1(const char *path)
{
    run_sql(path, "PRAGMA journal_mode=WAL;"
                  "CREATE TABLE record (seq INTEGER PRIMARY KEY, bytes TEXT NOT NULL) STRICT;"
                  "CREATE TABLE action (seq INTEGER PRIMARY KEY, bytes TEXT NOT NULL) STRICT;"
                  "INSERT INTO record VALUES (1, 'one'), (2, 'two');"
                  "INSERT INTO action VALUES (2, 'start');"
                  "PRAGMA application_id=1650551918; PRAGMA user_version=1;");
}

static void a_journal_of_the_first_format_is_brought_up_to_date_with_all_it_has(void **state)
{
    char path[128];
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;

    (void)state;
    make_path(path, sizeof path);
    make_version_1(path);
    assert_int_equal(bl_schema_check_file(path, NULL), BL_OK);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(bl_schema_version(db), 1);
    assert_int_equal(bl_schema_migrate(db, path, NULL), BL_OK);
    assert_int_equal(bl_schema_version(db), BL_SCHEMA_VERSION);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT (SELECT group_concat(bytes) FROM record),"
                                        " (SELECT group_concat(bytes) FROM action),"
                                        " (SELECT count(*) FROM snapshot)",
                                        -1, &query, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_string_equal(sqlite3_column_text(query, 0), "one,two");
    assert_string_equal(sqlite3_column_text(query, 1), "start");
    assert_int_equal(sqlite3_column_int(query, 2), 0);
    sqlite3_finalize(query);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    remove_path(path);
}

static void a_journal_that_cannot_be_made_says_where(void **state)
{
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_schema_create("/nonexistent/journal.db", &err), BL_ESYSTEM);
    assert_string_equal(
        err.text, "cannot make the journal /nonexistent/journal.db: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_ours_is_refused_and_left_alone),
        cmocka_unit_test(a_fresh_journal_is_known_as_ours),
        cmocka_unit_test(a_leftover_of_a_broken_creation_is_no_obstacle),
        cmocka_unit_test(an_empty_database_is_brought_up_to_date_once),
        cmocka_unit_test(a_journal_of_the_first_format_is_brought_up_to_date_with_all_it_has),
        cmocka_unit_test(a_journal_that_cannot_be_made_says_where),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
