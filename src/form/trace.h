/* Traces: a stream of jobs in order of submission, read one at a time.
 *
 * A format is form/trace_NAME.c, which defines `const struct bl_trace_format bl_trace_format_NAME`,
 * and one word in form/meson.build. Bytes come from a reader callback, so that nothing here opens a
 * file. */
#ifndef BL_FORM_TRACE_H
#define BL_FORM_TRACE_H

#include "base/arena.h"
#include "base/error.h"
#include "core/event.h"
#include "form/clusterspec.h"

#include <stdbool.h>
#include <stddef.h>

enum { BL_TRACE_LINE_MAX = 1024 * 1024 };

/* Gives the next bytes: > 0 how many were put into `into`, 0 at the end, < 0 with *err set. */
struct bl_byte_source {
    const char *name; /* for messages */
    void *self;
    int64_t (*read)(void *self, char *into, size_t room, struct bl_error *err);
};

struct bl_trace_options {
    bool lenient;                         /* skip bad jobs and count them */
    int64_t slots;                        /* over the header's MaxProcs; 0 = not given */
    const struct bl_clusterspec *cluster; /* NULL = not given */
};

/* What was skipped or changed while reading, to be told to the user. */
struct bl_trace_notes {
    int64_t skipped;         /* jobs left out (lenient) */
    int64_t clamped;         /* run time over the limit: ends at the limit */
    char first_skipped[256]; /* the message for the first one */
};

struct bl_trace_job {
    bl_job_id id;
    bl_time submit;
    bl_time run;             /* run time at gpus_want; after clamping */
    struct bl_job_spec spec; /* pointers valid until the next call */
    const char *application; /* whose profile says how fast it is; NULL = the spec does */
    double batch;            /* of an application: samples an iteration, over all GPUs */
};

struct bl_trace; /* opaque; one per open trace */

struct bl_trace_format {
    const char *name;
    const char *summary;
    /* Its own clock, in rounds: then its jobs' speeds stand in profiles. 0 = a round an event. */
    bl_time round;
    /* Opens and reads what comes before the first job. */
    int (*open)(const struct bl_byte_source *source, const struct bl_trace_options *options,
                struct bl_trace **out, struct bl_error *err);
    /* BL_OK and *has_job; after a failure the trace can only be closed. */
    int (*next)(struct bl_trace *trace, struct bl_trace_job *out, bool *has_job,
                struct bl_error *err);
    /* The nodes that the trace itself brings (SWF: one node of MaxProcs slots); may be empty. */
    void (*cluster)(struct bl_trace *trace, struct bl_clusterspec *out);
    /* Whether jobs may depend on jobs that ended before (then the core must keep them). */
    bool (*has_dependencies)(const struct bl_trace *trace);
    const struct bl_trace_notes *(*notes)(const struct bl_trace *trace);
    /* The reservations that the trace brings, to be booked before its first job; their number.
     * NULL for a format without any. */
    size_t (*bookings)(const struct bl_trace *trace, const struct bl_booking_spec **out);
    void (*close)(struct bl_trace *trace);
    /* How sure the format is that these first bytes are its own: 0 no, 100 certain. */
    int (*sniff)(const char *bytes, size_t length);
};

extern const struct bl_trace_format *const bl_trace_formats[]; /* NULL-terminated */
const struct bl_trace_format *bl_trace_format_find(const char *name);

/* The format that is surest of these first bytes; NULL when none knows them. */
const struct bl_trace_format *bl_trace_format_sniff(const char *bytes, size_t length);

/* The machine of a log that only counts processors: one node of `slots` GPUs without identity,
 * named "slots", with the CPUs and memory of a node that does not say. Its strings are literals. */
struct bl_node_spec bl_slots_node(int64_t slots);

/* For formats: a job that cannot be read is left out and counted, the message of the first kept, or
 * else its failure stands: then it is put into *err and answered. */
int bl_trace_skip_or_fail(struct bl_trace_notes *notes, bool may_skip, const struct bl_error *found,
                          struct bl_error *err);

#endif
