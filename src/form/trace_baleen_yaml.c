#include "base/heap.h"
#include "base/own.h"
#include "base/units.h"
#include "core/graph.h"
#include "form/jobspec.h"
#include "form/lines.h"
#include "form/trace_baleen_parts.h"
#include "form/trace_bookings.h"
#include "form/trace_machine.h"
#include "form/tree_read.h"

#include <string.h>

enum { READ_BYTES = 64 * 1024, CYCLE_SHOWN_MAX = 16 };

struct yaml_job {
    struct bl_jobspec spec;
    const char *key; /* how others name it; NULL in a list without names */
    size_t *after;   /* indices of the jobs it waits for */
    size_t blockers; /* of them, not given out yet */
};

struct yaml_trace {
    struct bl_tree_source source;
    struct bl_buf text;
    struct bl_arena arena;
    bool lenient;
    bool has_dependencies;
    struct bl_trace_machine machine;
    struct bl_trace_notes notes;
    struct yaml_job *job; /* in order of the file; id = index + 1 */
    size_t job_count;
    const struct bl_booking_spec *booking;
    size_t booking_count;
    struct bl_heap ready; /* jobs that wait for none not given out, by (submit, index) */
    size_t **dependents;  /* by index: a list of indices, its count in front */
};

static int read_text(struct yaml_trace *trace, const struct bl_byte_source *source,
                     struct bl_error *err)
{
    BL_AUTO_FREE char *chunk = bl_realloc_array(NULL, READ_BYTES, 1);
    int64_t got;

    trace->text.ceiling = BL_TREE_BYTES_MAX;
    while ((got = source->read(source->self, chunk, READ_BYTES, err)) > 0) {
        bl_buf_append(&trace->text, chunk, (size_t)got);
        if (trace->text.overflowed) {
            bl_fail(err, BL_ETOOBIG, "%s: larger than the %d bytes that a document may have",
                    source->name, BL_TREE_BYTES_MAX);
            return bl_error_set_hint(err, "CSV is read row by row and may be larger");
        }
    }
    trace->source =
        (struct bl_tree_source){source->name, bl_buf_text(&trace->text), trace->text.length};
    return got < 0 ? (int)-got : BL_OK;
}

static int check_job(struct yaml_trace *trace, const struct bl_tree *at, const struct yaml_job *job,
                     bl_time last_submit, struct bl_error *err)
{
    BL_AUTO_BUF text = {0};

    if (job->spec.submit < last_submit) {
        bl_buf_append_text(&text, "submit: expected jobs in order of submission, so ");
        bl_span_print(&text, last_submit);
        bl_buf_append_text(&text, " or later, found ");
        bl_span_print(&text, job->spec.submit);
    } else {
        bl_trace_machine_check(&trace->machine, &job->spec.core, &text);
    }
    return text.length ? bl_tree_fail(&trace->source, at, err, "%s", bl_buf_text(&text)) : BL_OK;
}

/* Reads each job alone; those who wait for whom comes after. */
static int read_jobs(struct yaml_trace *trace, const struct bl_tree *jobs, struct bl_error *err)
{
    bl_time last_submit = 0;

    trace->job = bl_arena_alloc(&trace->arena, (jobs->child_count + 1) * sizeof *trace->job);
    for (size_t i = 0; i < jobs->child_count; i++) {
        const struct bl_tree *at = &jobs->child[i];
        struct yaml_job job = {.key = jobs->kind == BL_TREE_MAP ? at->key : NULL};
        struct bl_error found = {0};
        int status =
            bl_jobspec_read(&trace->source, at, BL_JOBSPEC_TRACE, &trace->arena, &job.spec, &found);

        if (status == BL_OK) {
            status = check_job(trace, at, &job, last_submit, &found);
        }
        if (status != BL_OK) {
            status = bl_trace_skip_or_fail(&trace->notes, trace->lenient, &found, err);
            if (status != BL_OK) {
                return status;
            }
            continue;
        }
        job.key = job.key ? job.key : job.spec.core.name;
        job.spec.core.name = job.spec.core.name ? job.spec.core.name : job.key;
        last_submit = job.spec.submit;
        trace->job[trace->job_count++] = job;
    }
    return BL_OK;
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    }
    return hash ^ hash >> 29;
}

/* Jobs by name: open addressing, index + 1. */
struct names {
    uint32_t *slot;
    size_t mask;
};

static size_t find_slot(const struct yaml_trace *trace, const struct names *names, const char *name)
{
    size_t slot = (size_t)hash_of(name) & names->mask;

    while (names->slot[slot] && strcmp(trace->job[names->slot[slot] - 1].key, name) != 0) {
        slot = (slot + 1) & names->mask;
    }
    return slot;
}

static int index_names(struct yaml_trace *trace, struct names *names, struct bl_error *err)
{
    size_t slots = 16;

    while (slots < trace->job_count * 2) {
        slots *= 2;
    }
    names->slot = bl_arena_alloc(&trace->arena, slots * sizeof *names->slot);
    names->mask = slots - 1;
    for (size_t i = 0; i < trace->job_count; i++) {
        size_t slot;

        if (!trace->job[i].key) {
            continue;
        }
        slot = find_slot(trace, names, trace->job[i].key);
        if (names->slot[slot]) {
            return bl_fail(err, BL_EINVAL,
                           "%s:%u: the name '%s' is also that of the job in line %u",
                           trace->source.name, trace->job[i].spec.line, trace->job[i].key,
                           trace->job[names->slot[slot] - 1].spec.line);
        }
        names->slot[slot] = (uint32_t)(i + 1);
    }
    return BL_OK;
}

/* By name, else by number in the file. */
static bool find_target(const struct yaml_trace *trace, const struct names *names,
                        const char *target, size_t *out)
{
    uint32_t found = names->slot[find_slot(trace, names, target)];
    int64_t number;

    if (found) {
        *out = found - 1;
        return true;
    }
    if (bl_int_parse(target, 1, (int64_t)trace->job_count, &number, NULL) != BL_OK) {
        return false;
    }
    *out = (size_t)number - 1;
    return true;
}

static int fail_target(const struct yaml_trace *trace, const struct bl_jobspec_after *after,
                       const char *what, struct bl_error *err)
{
    bl_fail(err, BL_EINVAL, "%s:%u: after: '%.100s' %s", trace->source.name, after->line,
            after->target, what);
    return bl_error_set_field(err, "after");
}

static int resolve_job(struct yaml_trace *trace, const struct names *names, struct yaml_job *job,
                       struct bl_error *err)
{
    size_t count = job->spec.after_count;
    struct bl_dependency *edge = bl_arena_alloc(&trace->arena, (count + 1) * sizeof *edge);

    job->after = bl_arena_alloc(&trace->arena, (count + 1) * sizeof *job->after);
    for (size_t i = 0; i < count; i++) {
        const struct bl_jobspec_after *after = &job->spec.after[i];
        size_t target;

        if (!find_target(trace, names, after->target, &target)) {
            return fail_target(trace, after, "is the name of no job here", err);
        }
        if (trace->job[target].spec.submit > job->spec.submit) {
            return fail_target(trace, after, "is submitted later than the job that waits for it",
                               err);
        }
        job->after[i] = target;
        edge[i] = (struct bl_dependency){(bl_job_id)target + 1, after->kind};
        trace->has_dependencies = true;
    }
    job->spec.core.after = edge;
    job->spec.core.after_count = count;
    return BL_OK;
}

static int fail_cycle(const struct yaml_trace *trace, const size_t *cycle, size_t length,
                      struct bl_error *err)
{
    size_t shown = length < CYCLE_SHOWN_MAX ? length : CYCLE_SHOWN_MAX;
    BL_AUTO_BUF text = {0};

    for (size_t i = 0; i <= shown; i++) {
        const struct yaml_job *job = &trace->job[cycle[i % length]];

        bl_buf_append_text(&text, i ? " -> " : "");
        if (i == shown && shown < length) {
            bl_buf_append_text(&text, "...");
        } else if (job->key) {
            bl_buf_printf(&text, "%.60s", job->key);
        } else {
            bl_buf_printf(&text, "%zu", cycle[i % length] + 1);
        }
    }
    bl_fail(err, BL_EINVAL, "%s:%u: jobs that wait for each other in a circle never start: %s",
            trace->source.name, trace->job[cycle[0]].spec.line, bl_buf_text(&text));
    return bl_error_set_field(err, "after");
}

static int refuse_cycles(struct yaml_trace *trace, struct bl_error *err)
{
    size_t count = trace->job_count;
    struct bl_batch_job *batch = bl_arena_alloc(&trace->arena, (count + 1) * sizeof *batch);
    size_t *cycle = bl_arena_alloc(&trace->arena, (count + 1) * sizeof *cycle);
    size_t length;

    for (size_t i = 0; i < count; i++) {
        batch[i] = (struct bl_batch_job){trace->job[i].after, trace->job[i].spec.after_count};
    }
    length = bl_graph_find_cycle(batch, count, cycle);
    return length ? fail_cycle(trace, cycle, length, err) : BL_OK;
}

static void push_ready(struct yaml_trace *trace, size_t index)
{
    bl_heap_push(&trace->ready,
                 (struct bl_heap_item){trace->job[index].spec.submit, (int64_t)index, NULL});
}

/* Turns "waits for" around, so that a job that was given out can let others follow. */
static void link_dependents(struct yaml_trace *trace)
{
    size_t count = trace->job_count;
    size_t *of = bl_arena_alloc(&trace->arena, (count + 1) * sizeof *of);

    trace->dependents = bl_arena_alloc(&trace->arena, (count + 1) * sizeof *trace->dependents);
    for (size_t i = 0; i < count; i++) {
        trace->job[i].blockers = trace->job[i].spec.after_count;
        for (size_t a = 0; a < trace->job[i].blockers; a++) {
            of[trace->job[i].after[a]]++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (of[i]) {
            trace->dependents[i] =
                bl_arena_alloc(&trace->arena, (of[i] + 1) * sizeof *trace->dependents[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t a = 0; a < trace->job[i].blockers; a++) {
            size_t *list = trace->dependents[trace->job[i].after[a]];

            list[++list[0]] = i;
        }
        if (!trace->job[i].blockers) {
            push_ready(trace, i);
        }
    }
}

static int resolve(struct yaml_trace *trace, struct bl_error *err)
{
    struct names names;
    int status = index_names(trace, &names, err);

    for (size_t i = 0; status == BL_OK && i < trace->job_count; i++) {
        status = resolve_job(trace, &names, &trace->job[i], err);
    }
    if (status == BL_OK && trace->has_dependencies) {
        status = refuse_cycles(trace, err);
    }
    if (status == BL_OK) {
        link_dependents(trace);
    }
    return status;
}

static int read_document(struct yaml_trace *trace, struct bl_error *err)
{
    static const char *const keys[] = {"jobs", "reservations", NULL};
    const struct bl_tree *jobs;
    struct bl_tree *root;
    int status = bl_yaml_read(&trace->source, &trace->arena, &root, err);

    if (status != BL_OK) {
        return status;
    }
    status = bl_tree_check_keys(&trace->source, root, keys, err);
    if (status != BL_OK) {
        return status;
    }
    jobs = bl_tree_given(root, "jobs");
    if (!jobs || (jobs->kind != BL_TREE_MAP && jobs->kind != BL_TREE_LIST)) {
        return bl_tree_fail(&trace->source, jobs ? jobs : root, err,
                            "expected jobs: a map from names to jobs, or a list of jobs");
    }
    status = bl_trace_bookings_read(&trace->source, bl_tree_given(root, "reservations"),
                                    &trace->arena, &trace->booking, &trace->booking_count, err);
    if (status == BL_OK) {
        status = read_jobs(trace, jobs, err);
    }
    return status == BL_OK ? resolve(trace, err) : status;
}

static void yaml_close(void *self)
{
    struct yaml_trace *trace = self;

    bl_buf_finish(&trace->text);
    bl_arena_finish(&trace->arena);
    bl_heap_finish(&trace->ready);
    bl_trace_machine_finish(&trace->machine);
    free(trace);
}

static int yaml_open(const struct bl_byte_source *source, const struct bl_trace_options *options,
                     void **self, struct bl_error *err)
{
    struct yaml_trace *trace = bl_alloc_zero(sizeof *trace);
    int status;

    trace->lenient = options->lenient;
    bl_trace_machine_init(&trace->machine, options);
    status = read_text(trace, source, err);
    if (status == BL_OK) {
        status = read_document(trace, err);
    }
    if (status != BL_OK) {
        yaml_close(trace);
        return status;
    }
    *self = trace;
    return BL_OK;
}

static int yaml_next(void *self, struct bl_trace_job *out, bool *has_job, struct bl_error *err)
{
    struct yaml_trace *trace = self;
    struct bl_heap_item item;
    const size_t *list;

    (void)err;
    *has_job = bl_heap_pop(&trace->ready, &item);
    if (!*has_job) {
        return BL_OK;
    }
    *out = (struct bl_trace_job){
        .id = item.key + 1, .submit = item.time, .spec = trace->job[item.key].spec.core};
    bl_trace_clamp(out, &trace->notes);
    list = trace->dependents[item.key];
    for (size_t i = 1; list && i <= list[0]; i++) {
        if (--trace->job[list[i]].blockers == 0) {
            push_ready(trace, list[i]);
        }
    }
    return BL_OK;
}

static bool yaml_has_dependencies(const void *self)
{
    return ((const struct yaml_trace *)self)->has_dependencies;
}

static const struct bl_trace_notes *yaml_notes(const void *self)
{
    return &((const struct yaml_trace *)self)->notes;
}

static size_t yaml_bookings(const void *self, const struct bl_booking_spec **out)
{
    const struct yaml_trace *trace = self;

    *out = trace->booking;
    return trace->booking_count;
}

const struct bl_trace_form bl_trace_form_yaml = {yaml_open,  yaml_next,     yaml_has_dependencies,
                                                 yaml_notes, yaml_bookings, yaml_close};
