#include "form/arrayspec.h"
#include "form/bookingspec.h"
#include "form/jobspec_parts.h"
#include "form/warning.h"

#include <string.h>

/* Traces have their own times and no elements. */
static int refuse_in_trace(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (reader->use == BL_JOBSPEC_TRACE) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "a job of a trace cannot have this key");
    }
    return BL_OK;
}

int bl_job_read_array(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_job_spec *core = &reader->out->core;
    struct bl_arrayspec array = {0};
    struct bl_error cause = {0};
    int status = refuse_in_trace(reader, at);

    if (status == BL_OK && at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "indices like 0-9, \"1,3,5\" or 0-99%10");
    }
    if (status == BL_OK && bl_arrayspec_parse(at->text, reader->in.arena, &array, &cause)) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    core->array = array.range;
    core->array_range_count = array.count;
    core->array_running_max = array.running_max;
    return status;
}

int bl_job_read_not_before(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_jobspec *out = reader->out;
    struct bl_error cause = {0};
    int status = refuse_in_trace(reader, at);

    if (status == BL_OK && at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "an instant like 16:00 or 2026-12-01T08:30");
    }
    if (status == BL_OK && bl_instant_parse(at->text, &out->not_before, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    if (out->not_before.kind == BL_INSTANT_AT) {
        out->core.not_before = out->not_before.at;
    }
    return status;
}

int bl_job_read_priority(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    static const struct bl_int_range range = {-BL_JOB_PRIORITY_MAX, BL_JOB_PRIORITY_MAX};
    int64_t priority = 0;
    int status = bl_tree_read_int(&reader->in, at, range, &priority);

    reader->out->core.priority = (int32_t)priority;
    return status;
}

int bl_job_read_requeue(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_bool(&reader->in, at, &reader->out->core.may_restart);
}

int bl_job_read_retries(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    int64_t retries = 0;
    int status =
        bl_tree_read_int(&reader->in, at, (struct bl_int_range){0, BL_JOB_RETRIES_MAX}, &retries);

    reader->out->core.retries_max = (int32_t)retries;
    return status;
}

int bl_job_read_hold(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    int status = refuse_in_trace(reader, at);

    return status == BL_OK ? bl_tree_read_bool(&reader->in, at, &reader->out->hold) : status;
}

int bl_job_read_reservation(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    int64_t id = 0;
    int32_t occurrence = 0;

    if (at->kind != BL_TREE_SCALAR || !bl_booking_id_parse(at->text, &id, &occurrence) ||
        occurrence) {
        return bl_tree_fail_kind(&reader->in, at, "a reservation like r17");
    }
    reader->out->core.reservation = id;
    return BL_OK;
}

int bl_job_read_promise(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_bool(&reader->in, at, &reader->out->core.promise);
}

static int read_signal(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    struct bl_warning *warning = &reader->out->core.warning;
    struct bl_error cause = {0};

    if (at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail_kind(&reader->in, at, "a signal like USR1");
    }
    if (bl_warning_parse(at->text, warning, &cause) != BL_OK) {
        return bl_tree_fail_cause(&reader->in, at, &cause);
    }
    return BL_OK;
}

static int read_lead(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    if (!reader->out->core.warning.signal) {
        return bl_tree_fail(reader->in.source, at, reader->in.err,
                            "expected a signal beside it: {signal: USR1, lead: 90s}");
    }
    return bl_tree_read_span(&reader->in, at, &reader->out->core.warning.lead);
}

static int read_every(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    return bl_tree_read_span(&reader->in, at, &reader->out->launch.checkpoint_every);
}

/* Words for the command, from its second attempt on. */
static int read_resume(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    const char *text = NULL;
    int status = bl_tree_read_text(&reader->in, at, &text);

    if (status == BL_OK && strlen(text) > BL_LAUNCH_NOTE_BYTES_MAX) {
        return bl_tree_fail(reader->in.source, at, reader->in.err, "expected at most %d bytes",
                            BL_LAUNCH_NOTE_BYTES_MAX);
    }
    reader->out->launch.resume = bl_arena_copy_text(reader->in.arena, text);
    return status;
}

int bl_job_read_checkpoint(const struct bl_job_reader *reader, const struct bl_tree *at)
{
    /* signal stands first: lead replaces what it may say behind its '@' */
    static const struct bl_job_key keys[] = {{"signal", read_signal}, {"lead", read_lead},
                                             {"every", read_every},   {"resume", read_resume},
                                             {"cost", NULL},          {NULL, NULL}};

    return bl_job_read_keys(reader, at, keys);
}
