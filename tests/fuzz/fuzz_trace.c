/* Every trace format, strict and lenient. Bytes come in pieces of a size that the first byte says,
 * so that lines are cut anywhere. */
#include "fuzz.h"

#include "form/trace.h"

#include <string.h>

struct pieces {
    const char *at;
    size_t left;
    size_t piece;
};

static int64_t read_piece(void *self, char *into, size_t room, struct bl_error *err)
{
    struct pieces *pieces = self;
    size_t length = pieces->piece < room ? pieces->piece : room;

    (void)err;
    if (length > pieces->left) {
        length = pieces->left;
    }
    memcpy(into, pieces->at, length);
    pieces->at += length;
    pieces->left -= length;
    return (int64_t)length;
}

static void check_job(const struct bl_trace_job *job, bl_time *last_submit)
{
    assert(job->submit >= *last_submit);
    assert(job->run > 0);
    assert(job->spec.gpus_min >= 0 && job->spec.gpus_min <= job->spec.gpus_want);
    *last_submit = job->submit;
}

static void read_all(const struct bl_trace_format *format, const uint8_t *bytes, size_t length,
                     bool lenient)
{
    struct pieces pieces = {(const char *)bytes + 1, length - 1, (size_t)(bytes[0] >> 1) + 1};
    struct bl_byte_source source = {.name = "input", .self = &pieces, .read = read_piece};
    struct bl_trace_options options = {.lenient = lenient};
    struct bl_trace *trace = NULL;
    struct bl_error err = {0};
    bl_time last_submit = INT64_MIN;
    int status = format->open(&source, &options, &trace, &err);
    bool has_job = status == BL_OK;

    check_refusal(status, &err);
    while (has_job) {
        struct bl_trace_job job;

        status = format->next(trace, &job, &has_job, &err);
        check_refusal(status, &err);
        has_job = has_job && status == BL_OK;
        if (has_job) {
            check_job(&job, &last_submit);
        }
    }
    if (trace) {
        struct bl_clusterspec cluster = {0};

        format->cluster(trace, &cluster);
        assert(format->notes(trace)->skipped == 0 || lenient);
        format->close(trace);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (!length) {
        return 0;
    }
    bl_trace_format_sniff((const char *)bytes + 1, length - 1);
    for (const struct bl_trace_format *const *format = bl_trace_formats; *format; format++) {
        read_all(*format, bytes, length, bytes[0] & 1);
    }
    return 0;
}
