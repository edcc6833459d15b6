/* baleen's own traces: a YAML (or JSON) document with `jobs`, or CSV rows below a header line. */
#include "base/own.h"
#include "form/trace_baleen_parts.h"

#include <assert.h>
#include <string.h>

enum { FIRST_BYTES = 4096 };

struct bl_trace {
    const struct bl_trace_form *form;
    void *self;
    struct bl_byte_source source;
    char first[FIRST_BYTES]; /* read to tell the form, given before the rest */
    size_t first_length, first_at;
};

/* Reads on behind the first bytes. */
static int64_t read_bytes(void *self, char *into, size_t room, struct bl_error *err)
{
    struct bl_trace *trace = self;
    size_t left = trace->first_length - trace->first_at;

    if (left == 0) {
        return trace->source.read(trace->source.self, into, room, err);
    }
    left = left < room ? left : room;
    memcpy(into, trace->first + trace->first_at, left);
    trace->first_at += left;
    return (int64_t)left;
}

static int read_first(struct bl_trace *trace, struct bl_error *err)
{
    int64_t got = 1;

    while (got > 0 && trace->first_length < sizeof trace->first) {
        got = trace->source.read(trace->source.self, trace->first + trace->first_length,
                                 sizeof trace->first - trace->first_length, err);
        if (got < 0) {
            return (int)-got;
        }
        trace->first_length += (size_t)got;
    }
    return BL_OK;
}

/* A header line names its columns: words between commas, and no colon as YAML would have. */
static bool is_csv(const char *bytes, size_t length)
{
    size_t end = 0;

    while (end < length && bytes[end] != '\n' && bytes[end] != ':' && bytes[end] != '#') {
        end++;
    }
    return end > 0 && (end == length || bytes[end] == '\n') && bytes[0] != '{' && bytes[0] != '[' &&
           memchr(bytes, ',', end);
}

static void baleen_close(struct bl_trace *trace)
{
    if (trace) {
        if (trace->self) {
            trace->form->close(trace->self);
        }
        free(trace);
    }
}

static int baleen_open(const struct bl_byte_source *source, const struct bl_trace_options *options,
                       struct bl_trace **out, struct bl_error *err)
{
    struct bl_trace *trace = bl_alloc_zero(sizeof *trace);
    struct bl_byte_source whole = {source->name, trace, read_bytes};
    int status;

    trace->source = *source;
    status = read_first(trace, err);
    if (status == BL_OK) {
        trace->form =
            is_csv(trace->first, trace->first_length) ? &bl_trace_form_csv : &bl_trace_form_yaml;
        status = trace->form->open(&whole, options, &trace->self, err);
    }
    if (status != BL_OK) {
        baleen_close(trace);
        return status;
    }
    *out = trace;
    return BL_OK;
}

static int baleen_next(struct bl_trace *trace, struct bl_trace_job *out, bool *has_job,
                       struct bl_error *err)
{
    return trace->form->next(trace->self, out, has_job, err);
}

static void baleen_cluster(struct bl_trace *trace, struct bl_clusterspec *out)
{
    (void)trace;
    *out = (struct bl_clusterspec){0};
}

static bool baleen_has_dependencies(const struct bl_trace *trace)
{
    return trace->form->has_dependencies(trace->self);
}

static const struct bl_trace_notes *baleen_notes(const struct bl_trace *trace)
{
    return trace->form->notes(trace->self);
}

static size_t baleen_bookings(const struct bl_trace *trace, const struct bl_booking_spec **out)
{
    return trace->form->bookings ? trace->form->bookings(trace->self, out) : 0;
}

/* A line that begins with `jobs:`, or a header with the columns that must be there. */
static int baleen_sniff(const char *bytes, size_t length)
{
    const char *const end = bytes + length;

    assert(bytes || !length);
    if (is_csv(bytes, length)) {
        return memmem(bytes, length, "submit_s", 8) ? 90 : 0;
    }
    for (const char *at = bytes; at && at < end;) {
        if (end - at >= 5 && memcmp(at, "jobs:", 5) == 0) {
            return 90;
        }
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return length > 0 && bytes[0] == '{' && memmem(bytes, length, "\"jobs\"", 6) ? 60 : 0;
}

void bl_trace_clamp(struct bl_trace_job *job, struct bl_trace_notes *notes)
{
    job->run = bl_job_run_time(&job->spec, job->spec.gpus_want);
    if (job->spec.limit > 0 && job->run > job->spec.limit) {
        /* Work is told at gpus_min: shortened as much as the run is. */
        job->spec.work =
            (bl_time)((double)job->spec.work * ((double)job->spec.limit / (double)job->run));
        job->spec.work = job->spec.work > 0 ? job->spec.work : 1;
        job->run = job->spec.limit;
        notes->clamped++;
    }
}

const struct bl_trace_format bl_trace_format_baleen = {
    .name = "baleen",
    .summary = "YAML with jobs as in a job file, or CSV: submit_s,run_s,gpus,limit_s,user,…",
    .open = baleen_open,
    .next = baleen_next,
    .cluster = baleen_cluster,
    .has_dependencies = baleen_has_dependencies,
    .notes = baleen_notes,
    .bookings = baleen_bookings,
    .close = baleen_close,
    .sniff = baleen_sniff,
};
