#include "store/snapshot.h"
#include "base/buf.h"
#include "bl_test.h"
#include "store/schema.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3 *new_database(void)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(bl_schema_migrate(db, "memory", NULL), BL_OK);
    return db;
}

static void run_sql(sqlite3 *db, const char *sql)
{
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

static int note_row(void *self, int count, char **value, char **name)
{
    (void)name;
    for (int i = 0; i < count; i++) {
        bl_buf_printf(self, "%s%s", i ? ":" : "", value[i]);
    }
    bl_buf_append_char(self, ' ');
    return 0;
}

static void assert_rows(sqlite3 *db, const char *sql, const char *expected)
{
    BL_AUTO_BUF seen = {0};

    assert_int_equal(sqlite3_exec(db, sql, note_row, &seen, NULL), SQLITE_OK);
    assert_string_equal(bl_buf_text(&seen), expected);
}

static struct bl_snapshot *new_snapshot(int64_t seq, bl_time at)
{
    struct bl_snapshot *snapshot = bl_alloc_zero(sizeof *snapshot);

    snapshot->seq = seq;
    snapshot->at = at;
    return snapshot;
}

static void add(struct bl_snapshot *snapshot, int64_t place, bool is_final, const char *text)
{
    bl_snapshot_add(snapshot, place, is_final, bl_copy_text(text), strlen(text));
}

static void write_and_free(sqlite3 *db, struct bl_snapshot *snapshot)
{
    assert_int_equal(bl_snapshot_write(db, snapshot), SQLITE_OK);
    bl_snapshot_destroy(snapshot);
}

static const char state[] = "SELECT place, is_final, bytes FROM state ORDER BY place";

static void final_rows_stay_until_they_go_and_the_others_are_written_anew(void **unused)
{
    sqlite3 *db = new_database();
    struct bl_snapshot *snapshot = new_snapshot(10, 1);
    struct bl_snapshot_head head;

    (void)unused;
    assert_int_equal(bl_snapshot_read_head(db, &head), SQLITE_OK);
    assert_int_equal(head.seq, 0);
    add(snapshot, -1, false, "policy");
    add(snapshot, 2, true, "one");
    add(snapshot, 4, false, "two");
    add(snapshot, 6, true, "three");
    write_and_free(db, snapshot);
    assert_rows(db, state, "-1:0:policy 2:1:one 4:0:two 6:1:three ");

    snapshot = new_snapshot(20, 2);
    snapshot->last_job = 7;
    add(snapshot, 4, true, "two, ended");
    BL_VEC_PUSH(&snapshot->gone, 2);
    write_and_free(db, snapshot);
    assert_rows(db, state, "4:1:two, ended 6:1:three ");
    assert_int_equal(bl_snapshot_read_head(db, &head), SQLITE_OK);
    assert_int_equal(head.seq, 20);
    assert_int_equal(head.last_job, 7);
    assert_int_equal(head.cut, 0);
    sqlite3_close(db);
}

static void a_snapshot_that_fails_leaves_the_former(void **unused)
{
    sqlite3 *db = new_database();
    struct bl_snapshot *snapshot = new_snapshot(10, 1);

    (void)unused;
    add(snapshot, 2, false, "one");
    write_and_free(db, snapshot);
    run_sql(db, "CREATE TRIGGER full BEFORE INSERT ON snapshot BEGIN SELECT raise(ABORT, 'no'); "
                "END");
    snapshot = new_snapshot(20, 2);
    add(snapshot, 2, false, "two");
    assert_int_not_equal(bl_snapshot_write(db, snapshot), SQLITE_OK);
    bl_snapshot_destroy(snapshot);
    assert_rows(db, state, "2:0:one ");
    assert_rows(db, "SELECT seq FROM snapshot", "10 ");
    sqlite3_close(db);
}

static void prune_all(sqlite3 *db)
{
    struct bl_snapshot_head head;
    bool is_done = false;

    assert_int_equal(bl_snapshot_read_head(db, &head), SQLITE_OK);
    for (int slices = 0; !is_done; slices++) {
        assert_true(slices < 10);
        assert_int_equal(bl_snapshot_prune(db, head.cut, &is_done), SQLITE_OK);
    }
}

static void history_goes_up_to_the_newest_snapshot_that_is_old_enough(void **unused)
{
    static const struct {
        bl_time history_from;
        int64_t cut;
        const char *range;
    } rows[] = {
        {100, 0, "1:5000 "},
        {101, 1500, "1501:5000 "},
        {250, 3000, "3001:5000 "},
        {900, 4000, "4001:5000 "},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sqlite3 *db = new_database();
        struct bl_snapshot_head head;
        struct bl_snapshot *last = new_snapshot(4000, 300);

        run_sql(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                    " INSERT INTO record SELECT i, 'x' FROM n;"
                    "INSERT INTO action SELECT seq, 'y' FROM record WHERE seq % 2 = 0");
        write_and_free(db, new_snapshot(1500, 100));
        write_and_free(db, new_snapshot(3000, 200));
        last->history_from = rows[i].history_from;
        write_and_free(db, last);
        assert_int_equal(bl_snapshot_read_head(db, &head), SQLITE_OK);
        assert_int_equal(head.cut, rows[i].cut);
        prune_all(db);
        assert_rows(db, "SELECT min(seq), max(seq) FROM record", rows[i].range);
        assert_int_equal(bl_snapshot_read_head(db, &head), SQLITE_OK);
        assert_int_equal(head.seq, 4000);
        assert_int_equal(head.cut, rows[i].cut);
        sqlite3_close(db);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(final_rows_stay_until_they_go_and_the_others_are_written_anew),
        cmocka_unit_test(a_snapshot_that_fails_leaves_the_former),
        cmocka_unit_test(history_goes_up_to_the_newest_snapshot_that_is_old_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
