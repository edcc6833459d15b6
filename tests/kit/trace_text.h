/* Reads a whole trace from text and tells what came of it in one line. */
#ifndef BL_TEST_TRACE_TEXT_H
#define BL_TEST_TRACE_TEXT_H

#include "base/buf.h"
#include "bytes.h"
#include "form/trace.h"

struct kit_trace {
    struct bl_buf jobs; /* "ID@SUBMIT GPUSxRUN" of each, "; " between */
    struct bl_trace_notes notes;
    struct bl_error err;
    int status;
    bool has_dependencies;
};

static inline void kit_print_job(struct bl_buf *out, const struct bl_trace_job *job)
{
    bl_buf_printf(out, "%s%lld@", out->length ? "; " : "", (long long)job->id);
    bl_seconds_print(out, job->submit);
    bl_buf_printf(out, " %dx", job->spec.gpus_want);
    bl_seconds_print(out, job->run);
    for (size_t i = 0; i < job->spec.after_count; i++) {
        bl_buf_printf(out, " after %lld:%s", (long long)job->spec.after[i].job,
                      bl_dependency_kind_name(job->spec.after[i].kind));
    }
}

static inline struct kit_trace kit_trace_read(const struct bl_trace_format *format,
                                              struct kit_bytes bytes,
                                              const struct bl_trace_options *options)
{
    struct bl_byte_source source = kit_bytes_source("t", &bytes);
    struct kit_trace found = {0};
    struct bl_trace *trace = NULL;
    struct bl_trace_job job;
    bool has_job = true;

    found.status = format->open(&source, options, &trace, &found.err);
    if (found.status != BL_OK) {
        return found;
    }
    found.has_dependencies = format->has_dependencies(trace);
    while (found.status == BL_OK && has_job) {
        found.status = format->next(trace, &job, &has_job, &found.err);
        if (has_job) {
            kit_print_job(&found.jobs, &job);
        }
    }
    found.notes = *format->notes(trace);
    format->close(trace);
    return found;
}

extern const struct bl_trace_format bl_trace_format_baleen;

static inline struct kit_trace kit_trace_read_baleen(const char *text, bool lenient)
{
    struct bl_trace_options options = {.lenient = lenient, .slots = 8};

    return kit_trace_read(&bl_trace_format_baleen, kit_text(text), &options);
}

#endif
