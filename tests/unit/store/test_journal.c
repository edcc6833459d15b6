#include "store/journal.h"
#include "base/buf.h"
#include "bl_test.h"
#include "os/own_fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { PATIENCE_MS = 60000 };

struct place {
    char dir[64];
};

static void place_make(struct place *place)
{
    snprintf(place->dir, sizeof place->dir, "/tmp/baleen-journal-XXXXXX");
    assert_non_null(mkdtemp(place->dir));
}

static void place_path(const struct place *place, const char *name, char *out, size_t room)
{
    snprintf(out, room, "%s/%s", place->dir, name);
}

static void place_remove(const struct place *place)
{
    DIR *dir = opendir(place->dir);

    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
    assert_int_equal(rmdir(place->dir), 0);
}

static struct bl_journal *open_in(const struct place *place)
{
    struct bl_journal *journal = NULL;
    struct bl_error err = {0};

    if (bl_journal_open(place->dir, &journal, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    return journal;
}

/* Waits until the journal has something to say, and answers what. */
static int collect(struct bl_journal *journal, int64_t *committed, struct bl_error *err)
{
    struct pollfd ready = {.fd = bl_journal_ready_fd(journal), .events = POLLIN};

    assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
    return bl_journal_collect(journal, committed, err);
}

static void wait_until_committed(struct bl_journal *journal, int64_t wanted)
{
    int64_t committed = 0;

    while (committed < wanted) {
        collect(journal, &committed, NULL);
    }
}

/* What a walk saw: "1:one 2:two ". */
static int note_row(void *self, int64_t seq, const char *bytes, size_t length, struct bl_error *err)
{
    (void)err;
    bl_buf_printf(self, "%lld:", (long long)seq);
    bl_buf_append(self, bytes, length);
    bl_buf_append_char(self, ' ');
    return BL_OK;
}

static void assert_records(struct bl_journal *journal, const char *expected)
{
    BL_AUTO_BUF seen = {0};

    assert_int_equal(bl_journal_replay(journal, note_row, &seen, NULL), BL_OK);
    assert_string_equal(bl_buf_text(&seen), expected);
}

static void what_was_appended_comes_back_in_order_after_a_reopening(void **state)
{
    struct place place;
    struct bl_journal *journal;

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    assert_int_equal(bl_journal_last(journal), 0);
    assert_int_equal(bl_journal_append(journal, "one", 3), 1);
    assert_int_equal(bl_journal_append(journal, "two", 3), 2);
    wait_until_committed(journal, 2);
    assert_records(journal, "1:one 2:two ");
    bl_journal_close(journal);

    journal = open_in(&place);
    assert_int_equal(bl_journal_last(journal), 2);
    assert_int_equal(bl_journal_append(journal, "", 0), 3);
    bl_journal_close(journal);

    journal = open_in(&place);
    assert_records(journal, "1:one 2:two 3: ");
    bl_journal_close(journal);
    place_remove(&place);
}

static void the_first_actions_of_a_round_stay(void **state)
{
    struct place place;
    struct bl_journal *journal;
    BL_AUTO_BUF seen = {0};

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "round", 5);
    bl_journal_append_actions(journal, 1, "start 1", 7);
    bl_journal_append_actions(journal, 1, "start 2", 7);
    bl_journal_close(journal);

    journal = open_in(&place);
    assert_int_equal(bl_journal_replay_actions(journal, note_row, &seen, NULL), BL_OK);
    assert_string_equal(bl_buf_text(&seen), "1:start 1 ");
    bl_journal_close(journal);
    place_remove(&place);
}

static int stop_at_second(void *self, int64_t seq, const char *bytes, size_t length,
                          struct bl_error *err)
{
    (void)self;
    (void)bytes;
    (void)length;
    return seq == 2 ? bl_fail(err, BL_EINVAL, "journal record 2: no") : BL_OK;
}

static void a_record_that_the_caller_refuses_ends_the_walk_with_its_reason(void **state)
{
    struct place place;
    struct bl_journal *journal;
    struct bl_error err = {0};

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    for (int i = 0; i < 3; i++) {
        bl_journal_append(journal, "x", 1);
    }
    wait_until_committed(journal, 3);
    assert_int_equal(bl_journal_replay(journal, stop_at_second, NULL, &err), BL_EINVAL);
    assert_string_equal(err.text, "journal record 2: no");
    bl_journal_close(journal);
    place_remove(&place);
}

/* Appends without end and tells the parent what is on disk. */
static void append_until_killed(const struct place *place, int tell)
{
    struct bl_journal *journal = open_in(place);
    int64_t committed = 0;
    int64_t told = 0;
    int64_t appended = 0;

    while (appended < 1000000) {
        char text[32];
        int length;

        appended++;
        length = snprintf(text, sizeof text, "r%lld", (long long)appended);
        bl_journal_append(journal, text, (size_t)length);
        if (appended - committed > 50 && collect(journal, &committed, NULL) == BL_OK &&
            committed > told) {
            told = committed;
            if (write(tell, &told, sizeof told) != sizeof told) {
                break;
            }
        }
    }
    _exit(1);
}

struct count {
    int64_t next;
};

static int check_row(void *self, int64_t seq, const char *bytes, size_t length,
                     struct bl_error *err)
{
    struct count *count = self;
    char text[32];
    int expected = snprintf(text, sizeof text, "r%lld", (long long)seq);

    (void)err;
    assert_int_equal(seq, count->next);
    assert_int_equal(length, expected);
    assert_memory_equal(bytes, text, length);
    count->next++;
    return BL_OK;
}

static void kill_after(pid_t child, int from, int64_t reports, int64_t *told)
{
    for (int64_t i = 0; i < reports; i++) {
        assert_int_equal(read(from, told, sizeof *told), sizeof *told);
    }
    kill(child, SIGKILL);
    while (read(from, told, sizeof *told) == sizeof *told) {
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void D1_what_was_told_to_be_on_disk_survives_kill_9(void **state)
{
    (void)state;
    for (int64_t reports = 1; reports <= 40; reports += 13) {
        struct place place;
        struct bl_journal *journal;
        struct count count = {.next = 1};
        int64_t told = 0;
        int ends[2];
        pid_t child;

        place_make(&place);
        assert_int_equal(pipe(ends), 0);
        child = fork();
        if (child == 0) {
            append_until_killed(&place, ends[1]);
        }
        close(ends[1]);
        kill_after(child, ends[0], reports, &told);
        close(ends[0]);

        journal = open_in(&place);
        assert_int_equal(bl_journal_replay(journal, check_row, &count, NULL), BL_OK);
        assert_true(count.next > told);
        assert_int_equal(bl_journal_last(journal), count.next - 1);
        bl_journal_close(journal);
        place_remove(&place);
    }
}

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Behind one record. */
static struct bl_journal *open_and_fill_the_disk(struct place *place)
{
    struct bl_journal *journal;

    signal(SIGXFSZ, SIG_IGN);
    place_make(place);
    journal = open_in(place);
    bl_journal_append(journal, "one", 3);
    wait_until_committed(journal, 1);
    limit_file_size(1);
    return journal;
}

static void a_full_disk_is_told_and_what_waits_is_written_when_there_is_room_again(void **state)
{
    struct place place;
    struct bl_journal *journal;
    struct bl_error err = {0};
    int64_t committed = 0;

    (void)state;
    journal = open_and_fill_the_disk(&place);
    assert_int_equal(bl_journal_append(journal, "two", 3), 2);
    assert_int_equal(bl_journal_append(journal, "three", 5), 3);
    assert_int_equal(bl_journal_append(journal, "four", 4), 4);
    while (collect(journal, &committed, &err) == BL_OK) {
    }
    assert_int_equal(err.status, BL_ESYSTEM);
    assert_non_null(strstr(err.text, "journal.db: "));
    assert_int_equal(committed, 1);

    while (!bl_journal_withdraw(journal, 3)) {
        collect(journal, &committed, &err);
    }
    assert_false(bl_journal_withdraw(journal, 3));
    assert_false(bl_journal_withdraw(journal, 1));
    limit_file_size(RLIM_INFINITY);
    wait_until_committed(journal, 4);
    assert_records(journal, "1:one 2:two 4:four ");
    bl_journal_close(journal);
    place_remove(&place);
}

/* Nothing is left that could be tried again. */
static void that_there_is_room_again_is_noticed_when_all_was_taken_back(void **state)
{
    struct place place;
    struct bl_journal *journal;
    struct bl_error err = {0};
    int64_t committed = 0;

    (void)state;
    journal = open_and_fill_the_disk(&place);
    bl_journal_append(journal, "two", 3);
    while (collect(journal, &committed, &err) == BL_OK) {
    }
    while (!bl_journal_withdraw(journal, 2)) {
        collect(journal, &committed, &err);
    }
    limit_file_size(RLIM_INFINITY);
    while (collect(journal, &committed, &err) != BL_OK) {
    }
    assert_records(journal, "1:one ");
    bl_journal_close(journal);
    place_remove(&place);
}

static void a_group_is_written_when_it_is_whole_and_taken_back_as_a_whole(void **state)
{
    struct place place;
    struct bl_journal *journal;
    struct bl_error err = {0};
    int64_t committed = 0;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    place_make(&place);
    journal = open_in(&place);
    bl_journal_begin_group(journal);
    bl_journal_append(journal, "one", 3);
    bl_journal_append(journal, "two", 3);
    bl_journal_collect(journal, &committed, &err);
    assert_int_equal(committed, 0);
    bl_journal_end_group(journal);
    wait_until_committed(journal, 2);

    limit_file_size(1);
    bl_journal_append(journal, "three", 5);
    bl_journal_begin_group(journal);
    bl_journal_append(journal, "four", 4);
    bl_journal_append(journal, "five", 4);
    bl_journal_end_group(journal);
    bl_journal_append(journal, "six", 3);
    while (!bl_journal_withdraw_group(journal, 4, 2)) {
        bl_journal_collect(journal, &committed, &err);
    }
    assert_false(bl_journal_withdraw(journal, 5));
    assert_false(bl_journal_withdraw_group(journal, 1, 2));
    limit_file_size(RLIM_INFINITY);
    wait_until_committed(journal, 6);
    assert_records(journal, "1:one 2:two 3:three 6:six ");
    bl_journal_close(journal);
    place_remove(&place);
}

static struct bl_snapshot *snapshot_of(int64_t seq, const char *text)
{
    struct bl_snapshot *snapshot = bl_alloc_zero(sizeof *snapshot);

    snapshot->seq = seq;
    snapshot->at = seq;
    bl_snapshot_add(snapshot, 1, false, bl_copy_text(text), strlen(text));
    return snapshot;
}

static void wait_for_snapshot(struct bl_journal *journal, struct bl_error *err)
{
    int64_t committed;

    while (!bl_journal_end_snapshot(journal, err)) {
        collect(journal, &committed, NULL);
    }
}

static void assert_start(struct bl_journal *journal, int64_t seq, const char *rows,
                         const char *records)
{
    BL_AUTO_BUF seen = {0};

    assert_int_equal(bl_journal_head(journal).seq, seq);
    assert_int_equal(bl_journal_replay_snapshot(journal, note_row, &seen, NULL), BL_OK);
    assert_string_equal(bl_buf_text(&seen), rows);
    bl_buf_clear(&seen);
    assert_int_equal(bl_journal_replay_after(journal, seq, note_row, &seen, NULL), BL_OK);
    assert_string_equal(bl_buf_text(&seen), records);
}

static void a_start_finds_the_newest_snapshot_and_what_came_after_it(void **state)
{
    struct place place;
    struct bl_journal *journal;
    struct bl_error err = {0};

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "one", 3);
    bl_journal_append(journal, "two", 3);
    bl_journal_append_actions(journal, 2, "start", 5);
    bl_journal_take_snapshot(journal, snapshot_of(2, "state at 2"));
    wait_for_snapshot(journal, &err);
    assert_int_equal(err.status, BL_OK);
    assert_false(bl_journal_end_snapshot(journal, &err));
    bl_journal_append(journal, "three", 5);
    bl_journal_close(journal);

    journal = open_in(&place);
    assert_start(journal, 2, "1:state at 2 ", "3:three ");
    assert_records(journal, "1:one 2:two 3:three ");
    bl_journal_close(journal);
    assert_int_equal(bl_journal_open_reader(place.dir, &journal, NULL), BL_OK);
    assert_start(journal, 2, "1:state at 2 ", "3:three ");
    bl_journal_close(journal);
    place_remove(&place);
}

static void numbers_go_on_after_a_snapshot_that_left_no_record(void **state)
{
    struct place place;
    struct bl_journal *journal;
    struct bl_snapshot *snapshot = snapshot_of(1, "state");
    struct bl_error err = {0};

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "one", 3);
    wait_until_committed(journal, 1);
    snapshot->history_from = 2;
    bl_journal_take_snapshot(journal, snapshot);
    wait_for_snapshot(journal, &err);
    bl_journal_close(journal);

    journal = open_in(&place);
    assert_int_equal(bl_journal_head(journal).cut, 1);
    assert_int_equal(bl_journal_last(journal), 1);
    assert_int_equal(bl_journal_append(journal, "two", 3), 2);
    bl_journal_close(journal);
    place_remove(&place);
}

static void a_snapshot_that_a_full_disk_refuses_is_told_and_the_journal_goes_on(void **state)
{
    struct place place;
    struct bl_journal *journal;
    struct bl_error err = {0};

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "one", 3);
    wait_until_committed(journal, 1);
    limit_file_size(1);
    bl_journal_take_snapshot(journal, snapshot_of(1, "state"));
    wait_for_snapshot(journal, &err);
    assert_int_equal(err.status, BL_ESYSTEM);
    limit_file_size(RLIM_INFINITY);
    bl_journal_append(journal, "two", 3);
    wait_until_committed(journal, 2);
    bl_journal_close(journal);
    journal = open_in(&place);
    assert_start(journal, 0, "", "1:one 2:two ");
    bl_journal_close(journal);
    place_remove(&place);
}

static void a_reader_takes_a_journal_of_the_first_format(void **state)
{
    struct place place;
    struct bl_journal *journal;
    char path[128];
    sqlite3 *db = NULL;

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "one", 3);
    bl_journal_close(journal);
    place_path(&place, "journal.db", path, sizeof path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "DROP TABLE snapshot; DROP TABLE state; PRAGMA user_version=1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(bl_journal_open_reader(place.dir, &journal, NULL), BL_OK);
    assert_start(journal, 0, "", "1:one ");
    bl_journal_close(journal);
    place_remove(&place);
}

static void closing_gives_up_what_a_last_try_cannot_write(void **state)
{
    struct place place;
    struct bl_journal *journal;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    place_make(&place);
    journal = open_in(&place);
    limit_file_size(1);
    bl_journal_append(journal, "one", 3);
    bl_journal_close(journal);
    limit_file_size(RLIM_INFINITY);

    journal = open_in(&place);
    assert_int_equal(bl_journal_last(journal), 0);
    bl_journal_close(journal);
    place_remove(&place);
}

static void a_second_opener_is_refused_and_told_the_pid_of_the_first(void **state)
{
    struct place place;
    struct bl_journal *first;
    struct bl_journal *second = NULL;
    struct bl_error err = {0};
    char pid[32];

    (void)state;
    place_make(&place);
    first = open_in(&place);
    assert_int_equal(bl_journal_open(place.dir, &second, &err), BL_EREFUSED);
    snprintf(pid, sizeof pid, "pid %ld,", (long)getpid());
    assert_non_null(strstr(err.text, pid));
    assert_null(second);
    bl_journal_close(first);
    place_remove(&place);
}

static size_t count_files(const struct place *place)
{
    size_t count = 0;
    DIR *dir = opendir(place->dir);

    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        count += entry->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

static void a_reader_sees_a_closed_journal_and_leaves_no_trace(void **state)
{
    struct place place;
    struct bl_journal *journal;

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "one", 3);
    bl_journal_close(journal);
    assert_int_equal(count_files(&place), 2);

    assert_int_equal(bl_journal_open_reader(place.dir, &journal, NULL), BL_OK);
    assert_records(journal, "1:one ");
    assert_int_equal(bl_journal_last(journal), 1);
    bl_journal_close(journal);
    assert_int_equal(count_files(&place), 2);
    place_remove(&place);
}

/* In a process of its own, as it would be. */
static void read_beside(const struct place *place, const char *expected)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        struct bl_journal *reader = NULL;
        BL_AUTO_BUF seen = {0};

        if (bl_journal_open_reader(place->dir, &reader, NULL) != BL_OK ||
            bl_journal_replay(reader, note_row, &seen, NULL) != BL_OK) {
            _exit(2);
        }
        _exit(strcmp(bl_buf_text(&seen), expected) == 0 ? 0 : 3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_reader_sees_what_a_live_daemon_has_committed(void **state)
{
    struct place place;
    struct bl_journal *journal;

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "one", 3);
    wait_until_committed(journal, 1);
    read_beside(&place, "1:one ");
    bl_journal_append(journal, "two", 3);
    wait_until_committed(journal, 2);
    read_beside(&place, "1:one 2:two ");
    bl_journal_close(journal);
    place_remove(&place);
}

static void where_there_is_no_journal_a_reader_says_so_and_makes_none(void **state)
{
    struct place place;
    struct bl_journal *journal = NULL;
    struct bl_error err = {0};

    (void)state;
    place_make(&place);
    assert_int_equal(bl_journal_open_reader(place.dir, &journal, &err), BL_ENOTFOUND);
    assert_non_null(strstr(err.text, place.dir));
    assert_int_equal(count_files(&place), 0);
    place_remove(&place);
}

static void nobody_else_may_read_the_journal(void **state)
{
    struct place place;
    struct bl_journal *journal;
    static const char *const names[] = {"journal.db", "journal.db-wal", "lock"};

    (void)state;
    place_make(&place);
    journal = open_in(&place);
    bl_journal_append(journal, "one", 3);
    wait_until_committed(journal, 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct stat info;
        char path[128];

        place_path(&place, names[i], path, sizeof path);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 0777, 0600);
    }
    bl_journal_close(journal);
    place_remove(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_appended_comes_back_in_order_after_a_reopening),
        cmocka_unit_test(the_first_actions_of_a_round_stay),
        cmocka_unit_test(a_record_that_the_caller_refuses_ends_the_walk_with_its_reason),
        cmocka_unit_test(D1_what_was_told_to_be_on_disk_survives_kill_9),
        cmocka_unit_test(a_full_disk_is_told_and_what_waits_is_written_when_there_is_room_again),
        cmocka_unit_test(that_there_is_room_again_is_noticed_when_all_was_taken_back),
        cmocka_unit_test(a_group_is_written_when_it_is_whole_and_taken_back_as_a_whole),
        cmocka_unit_test(a_start_finds_the_newest_snapshot_and_what_came_after_it),
        cmocka_unit_test(numbers_go_on_after_a_snapshot_that_left_no_record),
        cmocka_unit_test(a_snapshot_that_a_full_disk_refuses_is_told_and_the_journal_goes_on),
        cmocka_unit_test(a_reader_takes_a_journal_of_the_first_format),
        cmocka_unit_test(closing_gives_up_what_a_last_try_cannot_write),
        cmocka_unit_test(a_second_opener_is_refused_and_told_the_pid_of_the_first),
        cmocka_unit_test(a_reader_sees_a_closed_journal_and_leaves_no_trace),
        cmocka_unit_test(a_reader_sees_what_a_live_daemon_has_committed),
        cmocka_unit_test(where_there_is_no_journal_a_reader_says_so_and_makes_none),
        cmocka_unit_test(nobody_else_may_read_the_journal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
