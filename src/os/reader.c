#include "os/fs.h"

#include "base/own.h"
#include "os/own_fd.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { RAW_BYTES = 128 * 1024, GZIP_WINDOW_BITS = 15 + 16 };

enum coding { CODING_NONE, CODING_GZIP, CODING_ZSTD };

struct bl_reader {
    int fd;
    char *name;
    enum coding coding;
    unsigned char *raw; /* RAW_BYTES */
    size_t raw_at, raw_length;
    bool raw_ended;
    bool inside; /* a member or frame has begun and not ended */
    z_stream gzip;
    ZSTD_DStream *zstd;
};

/* Fills the empty raw buffer; false with *err set when the read fails. */
static bool fill(struct bl_reader *reader, struct bl_error *err)
{
    ssize_t got;

    do {
        got = read(reader->fd, reader->raw + reader->raw_length, RAW_BYTES - reader->raw_length);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        bl_fail_sys(err, "cannot read %s", reader->name);
        return false;
    }
    reader->raw_ended = got == 0;
    reader->raw_length += (size_t)got;
    return true;
}

/* A pipe may give the first bytes one by one. */
static bool fill_start(struct bl_reader *reader, struct bl_error *err)
{
    while (!reader->raw_ended && reader->raw_length < 4) {
        if (!fill(reader, err)) {
            return false;
        }
    }
    return true;
}

static enum coding tell_coding(const unsigned char *bytes, size_t length)
{
    static const unsigned char gzip_magic[] = {0x1f, 0x8b};
    static const unsigned char zstd_magic[] = {0x28, 0xb5, 0x2f, 0xfd};

    if (length >= sizeof gzip_magic && memcmp(bytes, gzip_magic, sizeof gzip_magic) == 0) {
        return CODING_GZIP;
    }
    if (length >= sizeof zstd_magic && memcmp(bytes, zstd_magic, sizeof zstd_magic) == 0) {
        return CODING_ZSTD;
    }
    return CODING_NONE;
}

static int start_coding(struct bl_reader *reader, struct bl_error *err)
{
    reader->coding = tell_coding(reader->raw, reader->raw_length);
    if (reader->coding == CODING_GZIP && inflateInit2(&reader->gzip, GZIP_WINDOW_BITS) != Z_OK) {
        reader->coding = CODING_NONE;
        return bl_fail(err, BL_ESYSTEM, "cannot start decompressing %s", reader->name);
    }
    if (reader->coding == CODING_ZSTD) {
        reader->zstd = ZSTD_createDStream();
        if (!reader->zstd) {
            return bl_fail(err, BL_ESYSTEM, "cannot start decompressing %s", reader->name);
        }
    }
    return BL_OK;
}

int bl_reader_open(const char *path, struct bl_reader **out, struct bl_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct bl_reader *reader;

    if (fd < 0) {
        return bl_fail_sys(err, "cannot open %s", path);
    }
    reader = bl_alloc_zero(sizeof *reader);
    reader->fd = fd;
    reader->name = bl_copy_text(is_stdin ? "standard input" : path);
    reader->raw = bl_realloc_array(NULL, RAW_BYTES, 1);
    if (!fill_start(reader, err) || start_coding(reader, err) != BL_OK) {
        bl_reader_close(reader);
        return BL_ESYSTEM;
    }
    *out = reader;
    return BL_OK;
}

static int64_t read_plain(struct bl_reader *reader, char *into, size_t room)
{
    size_t length = reader->raw_length - reader->raw_at;

    length = length < room ? length : room;
    memcpy(into, reader->raw + reader->raw_at, length);
    reader->raw_at += length;
    return (int64_t)length;
}

/* One step of inflate: bytes made, 0 when it needs more input, < 0 on bad data. */
static int64_t read_gzip(struct bl_reader *reader, char *into, size_t room, struct bl_error *err)
{
    z_stream *gzip = &reader->gzip;
    size_t made;
    int result;

    room = room < UINT32_MAX ? room : UINT32_MAX;
    gzip->next_in = reader->raw + reader->raw_at;
    gzip->avail_in = (uInt)(reader->raw_length - reader->raw_at);
    gzip->next_out = (Bytef *)into;
    gzip->avail_out = (uInt)room;
    reader->inside = true;
    result = inflate(gzip, Z_NO_FLUSH);
    reader->raw_at = reader->raw_length - gzip->avail_in;
    made = room - gzip->avail_out;
    if (result == Z_STREAM_END) {
        /* A file may hold several members; another begins where this one ended. */
        inflateReset(gzip);
        reader->inside = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
        return -bl_fail(err, BL_EINVAL, "%s: damaged gzip data (%s)", reader->name,
                        gzip->msg ? gzip->msg : "wrong header");
    }
    return (int64_t)made;
}

static int64_t read_zstd(struct bl_reader *reader, char *into, size_t room, struct bl_error *err)
{
    ZSTD_inBuffer input = {reader->raw, reader->raw_length, reader->raw_at};
    ZSTD_outBuffer output = {into, room, 0};
    size_t result = ZSTD_decompressStream(reader->zstd, &output, &input);

    reader->raw_at = input.pos;
    if (ZSTD_isError(result)) {
        return -bl_fail(err, BL_EINVAL, "%s: damaged zstd data (%s)", reader->name,
                        ZSTD_getErrorName(result));
    }
    reader->inside = result != 0;
    return (int64_t)output.pos;
}

static int64_t read_step(struct bl_reader *reader, char *into, size_t room, struct bl_error *err)
{
    switch (reader->coding) {
    case CODING_GZIP:
        return read_gzip(reader, into, room, err);
    case CODING_ZSTD:
        return read_zstd(reader, into, room, err);
    case CODING_NONE:
        break;
    }
    return read_plain(reader, into, room);
}

int64_t bl_reader_read(struct bl_reader *reader, char *into, size_t room, struct bl_error *err)
{
    assert(room > 0);
    for (;;) {
        if (reader->raw_at == reader->raw_length) {
            reader->raw_at = 0;
            reader->raw_length = 0;
            if (!reader->raw_ended && !fill(reader, err)) {
                return -BL_ESYSTEM;
            }
        }
        if (reader->raw_length > 0 || reader->inside) {
            int64_t made = read_step(reader, into, room, err);

            if (made != 0) {
                return made;
            }
        }
        if (reader->raw_ended && reader->raw_at == reader->raw_length) {
            break;
        }
    }
    if (reader->inside) {
        return -bl_fail(err, BL_EINVAL, "%s: the file is cut short", reader->name);
    }
    return 0;
}

void bl_reader_close(struct bl_reader *reader)
{
    if (reader) {
        if (reader->coding == CODING_GZIP) {
            inflateEnd(&reader->gzip);
        }
        ZSTD_freeDStream(reader->zstd);
        if (reader->fd != STDIN_FILENO) {
            close(reader->fd);
        }
        free(reader->name);
        free(reader->raw);
        free(reader);
    }
}
