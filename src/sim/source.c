#include "sim/source.h"

#include <string.h>

static int64_t read_bytes(void *self, char *into, size_t room, struct bl_error *err)
{
    struct bl_sim_source *source = self;
    size_t left = source->first_length - source->first_at;

    if (left == 0) {
        return bl_reader_read(source->reader, into, room, err);
    }
    left = left < room ? left : room;
    memcpy(into, source->first + source->first_at, left);
    source->first_at += left;
    return (int64_t)left;
}

static int read_first(struct bl_sim_source *source, struct bl_error *err)
{
    int64_t got = 1;

    while (got > 0 && source->first_length < sizeof source->first) {
        got = bl_reader_read(source->reader, source->first + source->first_length,
                             sizeof source->first - source->first_length, err);
        if (got < 0) {
            return (int)-got;
        }
        source->first_length += (size_t)got;
    }
    return BL_OK;
}

static int find_format(struct bl_sim_source *source, const char *path, struct bl_error *err)
{
    source->format = bl_trace_format_sniff(source->first, source->first_length);
    if (!source->format) {
        bl_fail(err, BL_EINVAL, "%s: its first bytes are of no format that is known", path);
        return bl_error_set_hint(err, "name it with --format; --list-formats shows all");
    }
    return BL_OK;
}

int bl_sim_source_open(struct bl_sim_source *source, const char *path,
                       const struct bl_trace_format *format, const struct bl_trace_options *options,
                       struct bl_error *err)
{
    struct bl_byte_source bytes = {strcmp(path, "-") == 0 ? "standard input" : path, source,
                                   read_bytes};
    int status = bl_reader_open(path, &source->reader, err);

    if (status == BL_OK) {
        status = read_first(source, err);
    }
    source->format = format;
    if (status == BL_OK && !format) {
        status = find_format(source, path, err);
    }
    if (status == BL_OK) {
        status = source->format->open(&bytes, options, &source->trace, err);
    }
    if (status != BL_OK) {
        bl_sim_source_close(source);
    }
    return status;
}

void bl_sim_source_close(struct bl_sim_source *source)
{
    if (source->trace) {
        source->format->close(source->trace);
    }
    bl_reader_close(source->reader);
    *source = (struct bl_sim_source){0};
}
