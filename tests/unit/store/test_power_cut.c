/* The journal runs on a file system that writes down every write and sync; then the power is cut at
 * many points of that run, and for each one what could lie on the disk is laid out and opened.
 *
 * What was synced is there. Of what was not, each write or each sector of 512 bytes may be there or
 * not, whatever came before it: that is dropped, reordered and torn. */
#include "base/buf.h"
#include "base/rng.h"
#include "base/vec.h"
#include "bl_test.h"
#include "store/journal.h"
#include "store/schema.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SECTOR = 512,
    FILES = 3,
    CHECKPOINT_PAGES = 40,
    BATCHES = 240,
    SNAPSHOT_EVERY = 80,
    CUTS = 100,
    PATIENCE_MS = 60000
};

static const char *const file_names[FILES] = {"journal.db", "journal.db-wal", "journal.db-journal"};

/* --- a file system that writes down --------------------------------------------------------- */

enum op_kind { OP_WRITE, OP_TRUNCATE, OP_SYNC, OP_DELETE };

struct op {
    enum op_kind kind;
    int file;
    int64_t offset; /* of a truncation: the size; of a removal: whether the directory is synced */
    size_t length;
    char *bytes;
};

struct shim_file {
    sqlite3_file base;
    int file; /* -1 = of no interest */
    sqlite3_file *real;
};

static struct {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    pthread_mutex_t mutex;
    bool is_on;
    BL_VEC(struct op) ops;
    sqlite3 *opened; /* the last connection */
} shim = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static int file_of(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    for (int i = 0; i < FILES; i++) {
        if (slash && strcmp(slash + 1, file_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static void note(enum op_kind kind, int file, int64_t offset, const void *bytes, size_t length)
{
    struct op op = {kind, file, offset, length, NULL};

    pthread_mutex_lock(&shim.mutex);
    if (shim.is_on && file >= 0) {
        op.bytes = bl_realloc_array(NULL, length + 1, 1);
        if (length) {
            memcpy(op.bytes, bytes, length);
        }
        BL_VEC_PUSH(&shim.ops, op);
    }
    pthread_mutex_unlock(&shim.mutex);
}

static size_t count_ops(void)
{
    size_t count;

    pthread_mutex_lock(&shim.mutex);
    count = shim.ops.count;
    pthread_mutex_unlock(&shim.mutex);
    return count;
}

static struct shim_file *shim_of(sqlite3_file *file)
{
    return (struct shim_file *)file;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
    return shim_of(file)->real;
}

static int shim_close(sqlite3_file *file)
{
    return real_of(file)->pMethods ? real_of(file)->pMethods->xClose(real_of(file)) : SQLITE_OK;
}

static int shim_read(sqlite3_file *file, void *to, int length, sqlite3_int64 offset)
{
    return real_of(file)->pMethods->xRead(real_of(file), to, length, offset);
}

static int shim_write(sqlite3_file *file, const void *from, int length, sqlite3_int64 offset)
{
    note(OP_WRITE, shim_of(file)->file, offset, from, (size_t)length);
    return real_of(file)->pMethods->xWrite(real_of(file), from, length, offset);
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    note(OP_TRUNCATE, shim_of(file)->file, size, NULL, 0);
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

/* This machine keeps its power: a sync is only written down. */
static int shim_sync(sqlite3_file *file, int flags)
{
    (void)flags;
    note(OP_SYNC, shim_of(file)->file, 0, NULL, 0);
    return SQLITE_OK;
}

static int shim_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int shim_lock(sqlite3_file *file, int lock)
{
    return real_of(file)->pMethods->xLock(real_of(file), lock);
}

static int shim_unlock(sqlite3_file *file, int lock)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), lock);
}

static int shim_is_reserved(sqlite3_file *file, int *answer)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), answer);
}

static int shim_control(sqlite3_file *file, int what, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int shim_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int shim_traits(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int shim_shm_map(sqlite3_file *file, int page, int size, int grow, void volatile **out)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, grow, out);
}

static int shim_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void shim_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int shim_shm_unmap(sqlite3_file *file, int is_deleted)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), is_deleted);
}

static const sqlite3_io_methods shim_methods = {
    .iVersion = 2,
    .xClose = shim_close,
    .xRead = shim_read,
    .xWrite = shim_write,
    .xTruncate = shim_truncate,
    .xSync = shim_sync,
    .xFileSize = shim_size,
    .xLock = shim_lock,
    .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_is_reserved,
    .xFileControl = shim_control,
    .xSectorSize = shim_sector,
    .xDeviceCharacteristics = shim_traits,
    .xShmMap = shim_shm_map,
    .xShmLock = shim_shm_lock,
    .xShmBarrier = shim_shm_barrier,
    .xShmUnmap = shim_shm_unmap,
};

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    struct shim_file *opened = shim_of(file);

    (void)vfs;
    opened->file = file_of(name);
    opened->real = (sqlite3_file *)(opened + 1);
    opened->base.pMethods = &shim_methods;
    return shim.real->xOpen(shim.real, name, opened->real, flags, out);
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    note(OP_DELETE, file_of(name), sync, NULL, 0);
    return shim.real->xDelete(shim.real, name, sync);
}

static int note_connection(sqlite3 *db, const char **error, const struct sqlite3_api_routines *api)
{
    (void)error;
    (void)api;
    shim.opened = db;
    return SQLITE_OK;
}

static void start_shim(void)
{
    shim.real = sqlite3_vfs_find(NULL);
    shim.vfs = *shim.real;
    shim.vfs.zName = "shim";
    shim.vfs.szOsFile = (int)sizeof(struct shim_file) + shim.real->szOsFile;
    shim.vfs.xOpen = shim_open;
    shim.vfs.xDelete = shim_delete;
    assert_int_equal(sqlite3_vfs_register(&shim.vfs, 1), SQLITE_OK);
    assert_int_equal(sqlite3_auto_extension((void (*)(void))note_connection), SQLITE_OK);
}

/* --- the run -----------------------------------------------------------------------------------
 */

/* From this operation on it had been told that so much is on disk. */
struct told {
    size_t op;
    int64_t committed;
    int64_t snapshot;
};

struct run {
    char dir[64];
    struct bl_buf base; /* the file before the run */
    BL_VEC(struct told) told;
    BL_VEC(int64_t) snapshots;
    int64_t appended;
};

static void make_dir(char *dir, size_t room)
{
    snprintf(dir, room, "/tmp/baleen-power-XXXXXX");
    assert_non_null(mkdtemp(dir));
}

static void clear_dir(const char *path)
{
    DIR *dir = opendir(path);

    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
}

/* A record is told by its number, and fills from a part of a page to several. */
static void print_record(struct bl_buf *out, int64_t seq)
{
    struct bl_rng rng;

    bl_rng_seed(&rng, (uint64_t)seq);
    bl_buf_printf(out, "record %lld ", (long long)seq);
    for (int64_t left = bl_rng_between(&rng, 0, seq % 10 ? 600 : 9000); left > 0; left--) {
        bl_buf_append_char(out, (char)('a' + (left + seq) % 26));
    }
}

static void tell(struct run *run, int64_t committed, int64_t snapshot)
{
    struct told told = {count_ops(), committed, snapshot};

    BL_VEC_PUSH(&run->told, told);
}

static void wait_until_committed(struct bl_journal *journal, int64_t wanted)
{
    struct pollfd ready = {.fd = bl_journal_ready_fd(journal), .events = POLLIN};
    int64_t committed = 0;

    while (committed < wanted) {
        assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
        assert_int_equal(bl_journal_collect(journal, &committed, NULL), BL_OK);
    }
}

/* Half of the rows stay from one snapshot to the next. */
static struct bl_snapshot *snapshot_at(int64_t seq)
{
    struct bl_snapshot *snapshot = bl_alloc_zero(sizeof *snapshot);

    snapshot->seq = seq;
    snapshot->at = seq;
    snapshot->history_from = seq;
    for (int64_t place = 1; place <= 60; place++) {
        struct bl_buf text = {0};
        size_t length;

        bl_buf_printf(&text, "%lld of %lld", (long long)place, (long long)seq);
        length = text.length;
        bl_snapshot_add(snapshot, place, false, bl_buf_take(&text), length);
    }
    return snapshot;
}

static void take_snapshot(struct run *run, struct bl_journal *journal)
{
    struct pollfd ready = {.fd = bl_journal_ready_fd(journal), .events = POLLIN};
    struct bl_error err = {0};
    int64_t committed = 0;

    BL_VEC_PUSH(&run->snapshots, run->appended);
    bl_journal_take_snapshot(journal, snapshot_at(run->appended));
    while (!bl_journal_end_snapshot(journal, &err)) {
        assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
        bl_journal_collect(journal, &committed, NULL);
    }
    assert_int_equal(err.status, BL_OK);
    tell(run, run->appended, run->appended);
}

static void append_batch(struct run *run, struct bl_journal *journal, struct bl_rng *rng)
{
    for (int64_t left = bl_rng_between(rng, 1, 4); left > 0; left--) {
        BL_AUTO_BUF text = {0};

        print_record(&text, ++run->appended);
        assert_int_equal(bl_journal_append(journal, bl_buf_text(&text), text.length),
                         run->appended);
        bl_journal_append_actions(journal, run->appended, "start", 5);
    }
    wait_until_committed(journal, run->appended);
    tell(run, run->appended,
         run->snapshots.count ? run->snapshots.at[run->snapshots.count - 1] : 0);
}

static void read_base(struct run *run)
{
    char path[128];
    char bytes[4096];
    FILE *file;
    size_t length;

    snprintf(path, sizeof path, "%s/journal.db", run->dir);
    assert_int_equal(bl_schema_create(path, NULL), BL_OK);
    file = fopen(path, "rb");
    assert_non_null(file);
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0) {
        bl_buf_append(&run->base, bytes, length);
    }
    fclose(file);
}

static void make_run(struct run *run, uint64_t seed)
{
    struct bl_journal *journal = NULL;
    struct bl_rng rng;

    bl_rng_seed(&rng, seed);
    make_dir(run->dir, sizeof run->dir);
    read_base(run);
    shim.is_on = true;
    assert_int_equal(bl_journal_open(run->dir, &journal, NULL), BL_OK);
    sqlite3_wal_autocheckpoint(shim.opened, CHECKPOINT_PAGES);
    for (int i = 1; i <= BATCHES; i++) {
        append_batch(run, journal, &rng);
        if (i % SNAPSHOT_EVERY == 0) {
            take_snapshot(run, journal);
        }
    }
    bl_journal_close(journal);
    shim.is_on = false;
    clear_dir(run->dir);
}

static void free_run(struct run *run)
{
    for (size_t i = 0; i < shim.ops.count; i++) {
        free(shim.ops.at[i].bytes);
    }
    BL_VEC_FINISH(&shim.ops);
    BL_VEC_FINISH(&run->told);
    BL_VEC_FINISH(&run->snapshots);
    bl_buf_finish(&run->base);
    assert_int_equal(rmdir(run->dir), 0);
}

/* --- the disk after a cut -------------------------------------------------------------------- */

enum mode { NOTHING, WHOLE_WRITES, SECTORS, EVERYTHING, MODES };

/* What a file holds; is there or not. */
struct image {
    bool is_there;
    char *bytes;
    size_t length, room;
};

static void reserve(struct image *image, size_t length)
{
    if (image->room < length) {
        image->bytes = bl_realloc_array(image->bytes, length * 2, 1);
        image->room = length * 2;
    }
    if (image->length < length) {
        memset(image->bytes + image->length, 0, length - image->length);
        image->length = length;
    }
}

static void put(struct image *image, size_t offset, const char *bytes, size_t length)
{
    image->is_there = true;
    reserve(image, offset + length);
    assert(image->bytes);
    memcpy(image->bytes + offset, bytes, length);
}

static bool flip(struct bl_rng *rng)
{
    return bl_rng_between(rng, 0, 1) == 1;
}

static void put_sectors(struct image *image, const struct op *op, struct bl_rng *rng)
{
    size_t offset = (size_t)op->offset;
    size_t end = offset + op->length;

    while (offset < end) {
        size_t next = (offset / SECTOR + 1) * SECTOR;
        size_t length = (next < end ? next : end) - offset;

        if (flip(rng)) {
            put(image, offset, op->bytes + (offset - (size_t)op->offset), length);
        }
        offset += length;
    }
}

static void apply_op(struct image *image, const struct op *op)
{
    if (op->kind == OP_WRITE) {
        put(image, (size_t)op->offset, op->bytes, op->length);
    } else if (op->kind == OP_TRUNCATE) {
        image->length = image->length < (size_t)op->offset ? image->length : (size_t)op->offset;
    } else if (op->kind == OP_DELETE) {
        image->is_there = false;
        image->length = 0;
    }
}

static void apply_unsynced(struct image *image, const struct op *op, enum mode mode,
                           struct bl_rng *rng)
{
    if (mode == SECTORS && op->kind == OP_WRITE) {
        put_sectors(image, op, rng);
    } else if (mode == EVERYTHING || (mode != NOTHING && flip(rng))) {
        apply_op(image, op);
    }
}

static bool is_sync(const struct op *op)
{
    return op->kind == OP_SYNC || (op->kind == OP_DELETE && op->offset);
}

static size_t last_sync(int file, size_t before)
{
    size_t last = 0;

    for (size_t i = 0; i < before; i++) {
        if (shim.ops.at[i].file == file && is_sync(&shim.ops.at[i])) {
            last = i + 1;
        }
    }
    return last;
}

static void write_image(const char *dir, int file, const struct image *image)
{
    char path[128];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", dir, file_names[file]);
    out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(image->bytes, 1, image->length, out), image->length);
    fclose(out);
}

static void lay_out(const struct run *run, size_t cut, enum mode mode, struct bl_rng *rng)
{
    for (int file = 0; file < FILES; file++) {
        struct image image = {0};
        size_t synced = last_sync(file, cut);

        if (file == 0) {
            put(&image, 0, bl_buf_text(&run->base), run->base.length);
        }
        for (size_t i = 0; i < cut; i++) {
            const struct op *op = &shim.ops.at[i];

            if (op->file == file && i < synced) {
                apply_op(&image, op);
            } else if (op->file == file) {
                apply_unsynced(&image, op, mode, rng);
            }
        }
        if (image.is_there) {
            write_image(run->dir, file, &image);
        }
        free(image.bytes);
    }
}

/* --- what must be found ------------------------------------------------------------------------
 */

struct expected {
    const struct run *run;
    int64_t next;
    int64_t snapshot;
};

static int check_record(void *self, int64_t seq, const char *bytes, size_t length,
                        struct bl_error *err)
{
    struct expected *expected = self;
    BL_AUTO_BUF text = {0};

    (void)err;
    print_record(&text, seq);
    assert_int_equal(seq, expected->next);
    assert_int_equal(length, text.length);
    assert_memory_equal(bytes, bl_buf_text(&text), length);
    expected->next++;
    return BL_OK;
}

static int check_row(void *self, int64_t place, const char *bytes, size_t length,
                     struct bl_error *err)
{
    struct expected *expected = self;
    BL_AUTO_BUF text = {0};

    (void)err;
    bl_buf_printf(&text, "%lld of %lld", (long long)place, (long long)expected->snapshot);
    assert_int_equal(place, expected->next);
    assert_int_equal(length, text.length);
    assert_memory_equal(bytes, bl_buf_text(&text), length);
    expected->next++;
    return BL_OK;
}

static struct told told_at(const struct run *run, size_t cut)
{
    struct told told = {0};

    for (size_t i = 0; i < run->told.count && run->told.at[i].op <= cut; i++) {
        told = run->told.at[i];
    }
    return told;
}

static void check_snapshot(struct bl_journal *journal, struct told told, struct expected *expected)
{
    bool is_known = expected->snapshot == 0;

    for (size_t i = 0; i < expected->run->snapshots.count; i++) {
        is_known = is_known || expected->run->snapshots.at[i] == expected->snapshot;
    }
    assert_true(is_known);
    assert_true(expected->snapshot >= told.snapshot);
    expected->next = 1;
    assert_int_equal(bl_journal_replay_snapshot(journal, check_row, expected, NULL), BL_OK);
    assert_int_equal(expected->next, expected->snapshot ? 61 : 1);
}

static void check_cut(const struct run *run, size_t cut)
{
    struct told told = told_at(run, cut);
    struct bl_journal *journal = NULL;
    struct expected expected = {.run = run};
    struct bl_error err = {0};

    if (bl_journal_open(run->dir, &journal, &err) != BL_OK) {
        fail_msg("cut at %zu: %s", cut, err.text);
    }
    expected.snapshot = bl_journal_head(journal).seq;
    check_snapshot(journal, told, &expected);
    expected.next = expected.snapshot + 1;
    assert_int_equal(
        bl_journal_replay_after(journal, expected.snapshot, check_record, &expected, NULL), BL_OK);
    assert_true(expected.next > told.committed);
    assert_true(expected.next <= run->appended + 1);
    assert_int_equal(bl_journal_last(journal), expected.next - 1);
    bl_journal_close(journal);
    clear_dir(run->dir);
}

static void D1_after_a_power_cut_all_that_was_told_to_be_on_disk_is_there(void **state)
{
    struct run run = {0};
    struct bl_rng rng;
    size_t kinds[4] = {0};

    (void)state;
    start_shim();
    make_run(&run, 1);
    for (size_t i = 0; i < shim.ops.count; i++) {
        kinds[shim.ops.at[i].kind] += shim.ops.at[i].file == 0;
    }
    assert_true(kinds[OP_WRITE] > 100 && kinds[OP_SYNC] > 10); /* checkpoints came into it */
    bl_rng_seed(&rng, 2);
    for (int i = 0; i < CUTS; i++) {
        size_t cut =
            i == 0 ? shim.ops.count : (size_t)bl_rng_between(&rng, 0, (int64_t)shim.ops.count);

        for (int mode = 0; mode < MODES; mode++) {
            lay_out(&run, cut, (enum mode)mode, &rng);
            check_cut(&run, cut);
        }
    }
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D1_after_a_power_cut_all_that_was_told_to_be_on_disk_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
