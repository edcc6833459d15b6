/* The Standard Workload Format: 18 numbers a line, ';' before comments. A processor is a slot of
 * one node; what is known of a job is rigid. */
#include "base/own.h"
#include "form/lines.h"

#include <stdio.h>
#include <string.h>

/* Fields as the format numbers them, from 1. */
enum {
    FIELD_JOB = 1,
    FIELD_SUBMIT,
    FIELD_WAIT,
    FIELD_RUN,
    FIELD_ALLOCATED,
    FIELD_REQUESTED = 8,
    FIELD_ESTIMATE,
    FIELD_STATUS = 11,
    FIELD_USER,
    FIELD_EXECUTABLE = 14,
    FIELD_COUNT = 18
};

enum { STATUS_FAILED = 0, STATUS_CANCELLED = 5 };

#define SECONDS_MAX (BL_SPAN_MAX / BL_SECOND)

static const char *const field_names[FIELD_COUNT + 1] = {NULL,
                                                         "job",
                                                         "submit",
                                                         "wait",
                                                         "run time",
                                                         "processors",
                                                         "CPU time",
                                                         "memory",
                                                         "requested processors",
                                                         "requested time",
                                                         "requested memory",
                                                         "status",
                                                         "user",
                                                         "group",
                                                         "executable",
                                                         "queue",
                                                         "partition",
                                                         "preceding job",
                                                         "think time"};

struct bl_trace {
    struct bl_lines lines;
    char *pending; /* a line that was read and not used yet */
    bool lenient;
    int64_t slots; /* 0 = the caller brings the machine, and `most` is its size */
    int64_t most;
    struct bl_node_spec node;
    struct bl_trace_notes notes;
    bl_job_id last_id;
    bl_time last_submit;
    char user[24];
    /* Of the line being read: each field's whole part, its decimals where it has some, and where
     * it begins. */
    int64_t value[FIELD_COUNT + 1];
    int64_t micros[FIELD_COUNT + 1];
    uint32_t has_micros; /* bit of the field */
    const char *start[FIELD_COUNT + 1];
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at)) {
        at++;
    }
    return at;
}

/* Decimals after the point as microseconds; further digits are dropped. */
static const char *read_decimals(const char *at, int64_t *micros)
{
    int64_t unit = BL_SECOND / 10;

    for (*micros = 0; is_digit(*at); at++) {
        *micros += (*at - '0') * unit;
        unit /= 10;
    }
    return at;
}

/* Eighteen digits at most, so that nothing overflows. */
enum { DIGITS_MAX = 18 };

/* What may stand behind the digits of a number; NULL when it may not. */
static const char *end_field(struct bl_trace *trace, int field, const char *at)
{
    if (*at == '.' && is_digit(at[1])) {
        trace->has_micros |= UINT32_C(1) << field;
        at = read_decimals(at + 1, &trace->micros[field]);
    }
    return *at == '\0' || is_blank(*at) ? at : NULL;
}

/* One number of the line, and what follows it; NULL when it is none. This and split() are most of
 * what reading a log costs. */
static inline const char *read_field(struct bl_trace *trace, int field, const char *at)
{
    int64_t is_negative = *at == '-';
    const char *first = at + is_negative;
    uint64_t value = (uint64_t)*first - '0';
    uint64_t digit;

    if (value > 9) {
        return NULL;
    }
    for (at = first + 1; (digit = (uint64_t)*at - '0') <= 9; at++) {
        value = value * 10 + digit;
    }
    if (at - first > DIGITS_MAX) {
        return NULL;
    }
    trace->value[field] = ((int64_t)value ^ -is_negative) + is_negative;
    return *at == ' ' ? at : end_field(trace, field, at);
}

/* A field as seconds; one over SECONDS_MAX stays over it. */
static bl_time seconds_of(const struct bl_trace *trace, int field)
{
    int64_t value = trace->value[field];
    bl_time whole;

    value = value > SECONDS_MAX ? SECONDS_MAX + 1 : value;
    value = value < -SECONDS_MAX ? -SECONDS_MAX : value;
    whole = value * BL_SECOND;
    if (!(trace->has_micros >> field & 1)) {
        return whole;
    }
    return *trace->start[field] == '-' ? whole - trace->micros[field]
                                       : whole + trace->micros[field];
}

static const char *end_of_word(const char *at)
{
    while (*at && !is_blank(*at)) {
        at++;
    }
    return at;
}

/* "file:line: field N (name): expected …, found '…'" */
static int fail_field(const struct bl_trace *trace, int field, const char *expected,
                      struct bl_error *err)
{
    const char *start = trace->start[field];
    BL_AUTO_BUF found = {0};

    bl_print_found(&found, start, (size_t)(end_of_word(start) - start));
    bl_fail(err, BL_EINVAL, "%s:%u: field %d (%s): expected %s, found '%s'",
            trace->lines.source.name, trace->lines.number, field, field_names[field], expected,
            bl_buf_text(&found));
    return bl_error_set_field(err, field_names[field]);
}

static int fail_number(const struct bl_trace *trace, int field, struct bl_error *err)
{
    if (*trace->start[field]) {
        return fail_field(trace, field, "a number", err);
    }
    return bl_fail(err, BL_EINVAL, "%s:%u: expected %d fields, found %d; field %d (%s) is missing",
                   trace->lines.source.name, trace->lines.number, FIELD_COUNT, field - 1, field,
                   field_names[field]);
}

/* Fills value[]; what follows the last field is not ours. */
static int split(struct bl_trace *trace, const char *line, struct bl_error *err)
{
    const char *at = line;

    trace->has_micros = 0;
    for (int field = 1; field <= FIELD_COUNT; field++) {
        at += *at == ' '; /* mostly there is one */
        if (is_blank(*at)) {
            at = skip_blanks(at);
        }
        trace->start[field] = at;
        /* Most fields of most logs are not known. */
        if (at[0] == '-' && at[1] == '1' && at[2] == ' ') {
            trace->value[field] = -1;
            at += 2;
            continue;
        }
        at = read_field(trace, field, at);
        if (!at) {
            return fail_number(trace, field, err);
        }
    }
    return BL_OK;
}

static bool is_time_above_0(const struct bl_trace *trace, int field)
{
    return seconds_of(trace, field) > 0 && trace->value[field] <= SECONDS_MAX;
}

static int check_times(struct bl_trace *trace, struct bl_error *err)
{
    bl_time submit = seconds_of(trace, FIELD_SUBMIT);
    char expected[96];

    if (submit < 0 || trace->value[FIELD_SUBMIT] > SECONDS_MAX) {
        return fail_field(trace, FIELD_SUBMIT, "seconds from 0 on", err);
    }
    if (submit < trace->last_submit) {
        snprintf(expected, sizeof expected, "jobs in order of submission, so %lld or later",
                 (long long)(trace->last_submit / BL_SECOND));
        return fail_field(trace, FIELD_SUBMIT, expected, err);
    }
    if (!is_time_above_0(trace, FIELD_RUN)) {
        return fail_field(trace, FIELD_RUN, "a run time above 0", err);
    }
    if (trace->value[FIELD_ESTIMATE] != -1 && !is_time_above_0(trace, FIELD_ESTIMATE)) {
        return fail_field(trace, FIELD_ESTIMATE, "a time above 0, or -1 for none", err);
    }
    return BL_OK;
}

static int check_size(const struct bl_trace *trace, int *field, struct bl_error *err)
{
    char expected[96];

    *field = trace->value[FIELD_REQUESTED] == -1 ? FIELD_ALLOCATED : FIELD_REQUESTED;
    if (trace->value[*field] <= 0) {
        return fail_field(trace, *field, "a number of processors above 0", err);
    }
    if (trace->value[*field] > trace->most) {
        snprintf(expected, sizeof expected, "at most the machine's %lld processors",
                 (long long)trace->most);
        return fail_field(trace, *field, expected, err);
    }
    return BL_OK;
}

static int check_job(struct bl_trace *trace, int *size_field, struct bl_error *err)
{
    char expected[96];
    int status;

    if (trace->value[FIELD_JOB] <= trace->last_id) {
        snprintf(expected, sizeof expected, "a job number above %lld", (long long)trace->last_id);
        return fail_field(trace, FIELD_JOB, expected, err);
    }
    status = check_times(trace, err);
    if (status == BL_OK && (trace->value[FIELD_STATUS] == STATUS_FAILED ||
                            trace->value[FIELD_STATUS] == STATUS_CANCELLED)) {
        status = fail_field(trace, FIELD_STATUS, "a job that ran to its end (1, or -1 for unknown)",
                            err);
    }
    return status == BL_OK ? check_size(trace, size_field, err) : status;
}

/* "u12", by hand: printf would be a tenth of the whole replay. */
static const char *name_user(struct bl_trace *trace, int64_t user)
{
    char *at = trace->user + sizeof trace->user - 1;

    if (user < 0) {
        return NULL;
    }
    *at = '\0';
    do {
        *--at = (char)('0' + user % 10);
        user /= 10;
    } while (user > 0);
    *--at = 'u';
    return at;
}

static void fill_job(struct bl_trace *trace, int size_field, struct bl_trace_job *out)
{
    int32_t processors = (int32_t)trace->value[size_field];
    bl_time limit = trace->value[FIELD_ESTIMATE] == -1 ? 0 : seconds_of(trace, FIELD_ESTIMATE);
    bl_time run = seconds_of(trace, FIELD_RUN);

    if (limit > 0 && run > limit) {
        run = limit;
        trace->notes.clamped++;
    }
    trace->last_id = trace->value[FIELD_JOB];
    trace->last_submit = seconds_of(trace, FIELD_SUBMIT);
    *out = (struct bl_trace_job){
        .id = trace->last_id,
        .submit = trace->last_submit,
        .run = run,
        .spec = {.user = name_user(trace, trace->value[FIELD_USER]),
                 .job_class = BL_CLASS_BATCH,
                 .kind = BL_KIND_CPU,
                 .clues = {.command = trace->value[FIELD_EXECUTABLE] > 0
                                          ? trace->value[FIELD_EXECUTABLE]
                                          : 0},
                 .gpus_min = processors,
                 .gpus_want = processors,
                 .gpus_max = processors,
                 .limit = limit,
                 .work = run},
    };
}

static bool is_comment(const char *line)
{
    const char *at = skip_blanks(line);

    return *at == ';' || *at == '\0';
}

static int next_line(struct bl_trace *trace, char **line, struct bl_error *err)
{
    size_t length = 0;
    int status;

    if (trace->pending) {
        *line = BL_TAKE(trace->pending);
        return BL_OK;
    }
    status = bl_lines_next(&trace->lines, line, &length, err);
    if (status == BL_OK && *line) {
        (*line)[length] = '\0';
    }
    return status;
}

static int swf_next(struct bl_trace *trace, struct bl_trace_job *out, bool *has_job,
                    struct bl_error *err)
{
    struct bl_error found;
    char *line;
    int status;

    *has_job = false;
    while ((status = next_line(trace, &line, err)) == BL_OK && line) {
        int size_field = 0;

        if (is_comment(line)) {
            continue;
        }
        status = split(trace, line, &found);
        if (status == BL_OK) {
            status = check_job(trace, &size_field, &found);
        }
        if (status == BL_OK) {
            fill_job(trace, size_field, out);
            *has_job = true;
            return BL_OK;
        }
        if (bl_trace_skip_or_fail(&trace->notes, trace->lenient, &found, err) != BL_OK) {
            return status;
        }
    }
    return status;
}

/* "; MaxProcs: 128" */
static bool read_header(const char *line, const char *key, int64_t *out)
{
    const char *at = skip_blanks(skip_blanks(line) + 1);
    size_t length = strlen(key);
    int64_t value = 0;

    if (strncmp(at, key, length) != 0) {
        return false;
    }
    at = skip_blanks(at + length);
    if (!is_digit(*at)) {
        return false;
    }
    for (; is_digit(*at) && value <= BL_NODE_COUNTED_GPUS_MAX; at++) {
        value = value * 10 + (*at - '0');
    }
    *out = value;
    return true;
}

/* Reads the comments before the first job; the first other line is kept for later. */
static int read_headers(struct bl_trace *trace, int64_t *processors, struct bl_error *err)
{
    int64_t nodes = 0;
    char *line;
    int status;

    while ((status = next_line(trace, &line, err)) == BL_OK && line) {
        if (!is_comment(line)) {
            trace->pending = line;
            break;
        }
        if (!read_header(line, "MaxProcs:", processors)) {
            read_header(line, "MaxNodes:", &nodes);
        }
    }
    *processors = *processors ? *processors : nodes;
    return status;
}

static int64_t cluster_gpus(const struct bl_clusterspec *cluster)
{
    int64_t sum = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        sum += cluster->node[i].gpus;
    }
    return sum < INT32_MAX ? sum : INT32_MAX;
}

static int size_machine(struct bl_trace *trace, const struct bl_trace_options *options,
                        struct bl_error *err)
{
    int64_t processors = 0;
    int status = read_headers(trace, &processors, err);

    if (status != BL_OK) {
        return status;
    }
    if (options->cluster) {
        trace->most = cluster_gpus(options->cluster);
        return BL_OK;
    }
    trace->slots = options->slots ? options->slots : processors;
    trace->most = trace->slots;
    if (trace->slots <= 0 || trace->slots > BL_NODE_COUNTED_GPUS_MAX) {
        bl_fail(err, BL_EINVAL,
                "%s: the header has no MaxProcs between 1 and %d, so the size of the machine is "
                "not known",
                trace->lines.source.name, BL_NODE_COUNTED_GPUS_MAX);
        return bl_error_set_hint(err, "give --slots N or --cluster FILE");
    }
    return BL_OK;
}

static void swf_close(struct bl_trace *trace)
{
    if (trace) {
        bl_lines_finish(&trace->lines);
        free(trace);
    }
}

static int swf_open(const struct bl_byte_source *source, const struct bl_trace_options *options,
                    struct bl_trace **out, struct bl_error *err)
{
    struct bl_trace *trace = bl_alloc_zero(sizeof *trace);
    int status;

    trace->lines.source = *source;
    trace->lenient = options->lenient;
    status = size_machine(trace, options, err);
    if (status != BL_OK) {
        swf_close(trace);
        return status;
    }
    trace->node = bl_slots_node(trace->slots);
    *out = trace;
    return BL_OK;
}

static void swf_cluster(struct bl_trace *trace, struct bl_clusterspec *out)
{
    *out = (struct bl_clusterspec){&trace->node, trace->slots > 0 ? 1 : 0};
}

static bool swf_has_dependencies(const struct bl_trace *trace)
{
    (void)trace;
    return false;
}

static const struct bl_trace_notes *swf_notes(const struct bl_trace *trace)
{
    return &trace->notes;
}

/* A header comment, or a first line of at least 18 numbers. */
static int swf_sniff(const char *bytes, size_t length)
{
    size_t at = 0;
    int numbers = 0;
    bool inside = false;

    while (at < length && (bytes[at] == '\n' || bytes[at] == '\r' || is_blank(bytes[at]))) {
        at++;
    }
    if (at < length && bytes[at] == ';') {
        return 90;
    }
    for (; at < length && bytes[at] != '\n' && bytes[at] != '\r'; at++) {
        if (is_blank(bytes[at])) {
            inside = false;
        } else if (!is_digit(bytes[at]) && bytes[at] != '-' && bytes[at] != '.') {
            break;
        } else {
            numbers += !inside;
            inside = true;
        }
    }
    return numbers >= FIELD_COUNT ? 80 : 0;
}

const struct bl_trace_format bl_trace_format_swf = {
    .name = "swf",
    .summary = "Standard Workload Format: a processor is a slot",
    .open = swf_open,
    .next = swf_next,
    .cluster = swf_cluster,
    .has_dependencies = swf_has_dependencies,
    .notes = swf_notes,
    .close = swf_close,
    .sniff = swf_sniff,
};
