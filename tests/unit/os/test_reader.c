#include "base/own.h"
#include "bl_test.h"
#include "os/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { TEXT_BYTES = 700000, ROOM = 2 * TEXT_BYTES };

enum packing { PLAIN, GZIP, ZSTD };

static const char *const packings[] = {"plain", "gzip", "zstd"};

/* Lines that compress, but not to nothing. */
static char *make_text(void)
{
    char *text = bl_realloc_array(NULL, TEXT_BYTES, 1);

    for (size_t i = 0; i < TEXT_BYTES; i++) {
        text[i] = i % 50 == 49 ? '\n' : (char)('a' + (i * i / 7 + i / 1000) % 26);
    }
    return text;
}

static size_t pack_gzip(const char *text, size_t length, char *into)
{
    z_stream stream = {0};
    size_t made;

    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)text;
    stream.avail_in = (uInt)length;
    stream.next_out = (Bytef *)into;
    stream.avail_out = ROOM;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    made = ROOM - stream.avail_out;
    deflateEnd(&stream);
    return made;
}

static size_t pack(enum packing packing, const char *text, size_t length, char *into)
{
    switch (packing) {
    case GZIP:
        return pack_gzip(text, length, into);
    case ZSTD:
        return ZSTD_compress(into, ROOM, text, length, 3);
    case PLAIN:
        break;
    }
    memcpy(into, text, length);
    return length;
}

/* Reads the bytes as a file in steps of `room`; the last answer of the reader goes to *end. */
static size_t read_as_file(const char *bytes, size_t length, size_t room, char *into, int64_t *end,
                           struct bl_error *err)
{
    char path[] = "/tmp/baleen-reader-XXXXXX";
    int fd = mkstemp(path);
    struct bl_reader *reader = NULL;
    size_t total = 0;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, length), length);
    close(fd);
    assert_int_equal(bl_reader_open(path, &reader, err), BL_OK);
    unlink(path);
    while (total <= TEXT_BYTES && (*end = bl_reader_read(reader, into + total, room, err)) > 0) {
        total += (size_t)*end;
    }
    bl_reader_close(reader);
    return total;
}

static void text_comes_back_however_it_is_packed(void **state)
{
    static const size_t rooms[] = {777, 4096, 300000};
    BL_AUTO_FREE char *text = make_text();
    BL_AUTO_FREE char *packed = bl_realloc_array(NULL, ROOM, 1);
    BL_AUTO_FREE char *found = bl_realloc_array(NULL, ROOM, 1);

    (void)state;
    for (int packing = PLAIN; packing <= ZSTD; packing++) {
        size_t length = pack((enum packing)packing, text, TEXT_BYTES, packed);

        for (size_t i = 0; i < 3; i++) {
            int64_t end = -1;
            size_t total = read_as_file(packed, length, rooms[i], found, &end, NULL);

            if (end != 0 || total != TEXT_BYTES || memcmp(found, text, TEXT_BYTES) != 0) {
                fail_msg("%s in steps of %zu: %zu bytes", packings[packing], rooms[i], total);
            }
        }
    }
}

static void several_members_are_one_text(void **state)
{
    BL_AUTO_FREE char *packed = bl_realloc_array(NULL, 2, ROOM);
    BL_AUTO_FREE char *found = bl_realloc_array(NULL, ROOM, 1);

    (void)state;
    for (int packing = GZIP; packing <= ZSTD; packing++) {
        size_t first = pack((enum packing)packing, "one ", 4, packed);
        size_t second = pack((enum packing)packing, "two", 3, packed + first);
        int64_t end = -1;

        assert_int_equal(read_as_file(packed, first + second, 100, found, &end, NULL), 7);
        assert_memory_equal(found, "one two", 7);
        assert_int_equal(end, 0);
    }
}

static void a_file_cut_short_is_an_error_wherever_it_is_cut(void **state)
{
    BL_AUTO_FREE char *text = make_text();
    BL_AUTO_FREE char *packed = bl_realloc_array(NULL, ROOM, 1);
    BL_AUTO_FREE char *found = bl_realloc_array(NULL, ROOM, 1);

    (void)state;
    for (int packing = GZIP; packing <= ZSTD; packing++) {
        size_t length = pack((enum packing)packing, text, 3000, packed);

        for (size_t cut = 5; cut < length; cut += 37) {
            struct bl_error err = {0};
            int64_t end = 0;

            read_as_file(packed, cut, 4096, found, &end, &err);
            if (end >= 0 || !strstr(err.text, "cut short")) {
                fail_msg("%s cut at %zu: %s", packings[packing], cut, err.text);
            }
        }
    }
}

static void damaged_data_is_an_error(void **state)
{
    BL_AUTO_FREE char *text = make_text();
    BL_AUTO_FREE char *packed = bl_realloc_array(NULL, ROOM, 1);
    BL_AUTO_FREE char *found = bl_realloc_array(NULL, ROOM, 1);

    (void)state;
    for (int packing = GZIP; packing <= ZSTD; packing++) {
        size_t length = pack((enum packing)packing, text, TEXT_BYTES, packed);
        struct bl_error err = {0};
        int64_t end = 0;

        memset(packed + length / 2, 0xff, 64);
        read_as_file(packed, length, 4096, found, &end, &err);
        assert_true(end < 0);
        assert_non_null(strstr(err.text, "damaged"));
    }
}

static void an_empty_file_is_an_empty_text(void **state)
{
    char found[16];
    int64_t end = -1;

    (void)state;
    assert_int_equal(read_as_file("", 0, sizeof found, found, &end, NULL), 0);
    assert_int_equal(end, 0);
}

static void a_missing_file_is_named(void **state)
{
    struct bl_reader *reader = NULL;
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_reader_open("no-such-folder/none.swf", &reader, &err), BL_ESYSTEM);
    assert_null(reader);
    assert_string_equal(err.text, "cannot open no-such-folder/none.swf: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_comes_back_however_it_is_packed),
        cmocka_unit_test(several_members_are_one_text),
        cmocka_unit_test(a_file_cut_short_is_an_error_wherever_it_is_cut),
        cmocka_unit_test(damaged_data_is_an_error),
        cmocka_unit_test(an_empty_file_is_an_empty_text),
        cmocka_unit_test(a_missing_file_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
