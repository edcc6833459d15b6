#include "form/policyspec.h"
#include "form/record.h"
#include "form/record_fields.h"

#include <assert.h>
#include <string.h>

static int read_word(const struct bl_tree_reader *in, const struct bl_tree *at,
                     const struct bl_field *field, char *to)
{
    const char *words[BL_RECORD_KEYS_MAX + 1] = {NULL};
    int value = 0;
    int32_t narrow;
    int status;

    assert(field->range.high < BL_RECORD_KEYS_MAX);
    for (int i = 0; i <= field->range.high; i++) {
        words[i] = field->name(i);
    }
    status = bl_tree_read_word(in, at, words, &value);
    narrow = value;
    memcpy(to, &narrow, sizeof narrow);
    return status;
}

static int read_number(const struct bl_tree_reader *in, const struct bl_tree *at,
                       const struct bl_field *field, char *to)
{
    int64_t wide = 0;
    int32_t narrow;
    int status = bl_tree_read_int(in, at, field->range, &wide);

    narrow = (int32_t)wide;
    if (field->kind == BL_FIELD_INT32) {
        memcpy(to, &narrow, sizeof narrow);
    } else {
        memcpy(to, &wide, sizeof wide);
    }
    return status;
}

static int read_amount(const struct bl_tree_reader *in, const struct bl_tree *at, char *to)
{
    double real = 0;
    int status = bl_tree_read_double(in, at, &real);

    if (status == BL_OK && !(real >= 0)) {
        return bl_tree_fail_kind(in, at, "a number of at least 0");
    }
    memcpy(to, &real, sizeof real);
    return status;
}

static int read_real(const struct bl_tree_reader *in, const struct bl_tree *at, char *to)
{
    double real = 0;
    int status = bl_tree_read_double(in, at, &real);

    memcpy(to, &real, sizeof real);
    return status;
}

static int read_field(const struct bl_tree_reader *in, const struct bl_tree *at,
                      const struct bl_field *field, char *to)
{
    const char *text = NULL;
    bool flag = false;
    int status = BL_OK;

    switch (field->kind) {
    case BL_FIELD_TEXT:
        status = bl_tree_read_text(in, at, &text);
        memcpy(to, &text, sizeof text);
        break;
    case BL_FIELD_BOOL:
        status = bl_tree_read_bool(in, at, &flag);
        memcpy(to, &flag, sizeof flag);
        break;
    case BL_FIELD_INT32:
    case BL_FIELD_INT64:
        status = read_number(in, at, field, to);
        break;
    case BL_FIELD_DOUBLE:
        status = read_amount(in, at, to);
        break;
    case BL_FIELD_REAL:
        status = read_real(in, at, to);
        break;
    case BL_FIELD_WORD:
        status = read_word(in, at, field, to);
        break;
    case BL_FIELD_OTHER:
        break;
    }
    return status;
}

/* Reads what the table tells into the struct at `to`, which holds zeroes. */
int bl_record_read_fields(const struct bl_tree_reader *in, const struct bl_tree *map,
                          const struct bl_field *fields, void *to)
{
    const char *keys[BL_RECORD_KEYS_MAX + 1] = {NULL};
    int status;

    for (size_t i = 0; fields[i].key; i++) {
        assert(i < BL_RECORD_KEYS_MAX);
        keys[i] = fields[i].key;
    }
    status = bl_tree_check_keys(in->source, map, keys, in->err);
    for (; fields->key && status == BL_OK; fields++) {
        const struct bl_tree *at = bl_tree_given(map, fields->key);

        if (at) {
            status = read_field(in, at, fields, (char *)to + fields->offset);
        } else if (fields->is_required) {
            status = bl_tree_fail(in->source, map, in->err, "expected the key '%s'", fields->key);
        }
    }
    return status;
}

/* A list that may be absent; `*out` is NULL then. */
int bl_record_find_list(const struct bl_tree_reader *in, const struct bl_tree *map, const char *key,
                        size_t most, const struct bl_tree **out)
{
    *out = bl_tree_given(map, key);
    if (*out && ((*out)->kind != BL_TREE_LIST || (*out)->child_count > most)) {
        return bl_tree_fail(in->source, *out, in->err, "expected a list of at most %zu", most);
    }
    return BL_OK;
}

int bl_record_read_gpu_types(const struct bl_tree_reader *in, const struct bl_tree *map,
                             const char **type, size_t *count)
{
    const struct bl_tree *list = NULL;
    int status = bl_record_find_list(in, map, "gpu_types", BL_JOB_GPU_TYPES_MAX, &list);

    for (size_t i = 0; list && i < list->child_count && status == BL_OK; i++) {
        status = bl_tree_read_text(in, &list->child[i], &type[i]);
        *count = i + 1;
    }
    return status;
}

static int read_one_after(const struct bl_tree_reader *in, const struct bl_tree *map,
                          struct bl_dependency *out)
{
    const struct bl_tree *job = bl_tree_given(map, "job");
    const struct bl_tree *kind = bl_tree_given(map, "kind");
    int value = -1;

    if (kind && kind->kind == BL_TREE_SCALAR) {
        value = bl_dependency_kind_find(kind->text);
    }
    if (!job || value < 0) {
        return bl_tree_fail(in->source, map, in->err,
                            "expected {job: ID, kind: ok, any, fail or each}");
    }
    out->kind = (enum bl_dependency_kind)value;
    return bl_tree_read_int(in, job, (struct bl_int_range){1, INT64_MAX}, &out->job);
}

static int read_after(const struct bl_tree_reader *in, const struct bl_tree *map,
                      struct bl_job_spec *spec)
{
    const struct bl_tree *list = NULL;
    int status = bl_record_find_list(in, map, "after", BL_JOB_AFTER_MAX, &list);

    if (status == BL_OK && list) {
        struct bl_dependency *after = bl_arena_alloc(in->arena, list->child_count * sizeof *after);

        for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
            status = read_one_after(in, &list->child[i], &after[i]);
        }
        spec->after = after;
        spec->after_count = list->child_count;
    }
    return status;
}

static int read_range(const struct bl_tree_reader *in, const struct bl_tree *triple,
                      struct bl_array_range *out)
{
    static const struct bl_int_range whole = {0, INT32_MAX};
    int64_t number[3] = {0};
    int status = BL_OK;

    if (triple->kind != BL_TREE_LIST || triple->child_count != 3) {
        return bl_tree_fail(in->source, triple, in->err, "expected [FIRST, LAST, STEP]");
    }
    for (int i = 0; i < 3 && status == BL_OK; i++) {
        status = bl_tree_read_int(in, &triple->child[i], whole, &number[i]);
    }
    if (status == BL_OK && (number[0] > number[1] || number[2] == 0)) {
        return bl_tree_fail(in->source, triple, in->err,
                            "expected FIRST <= LAST and a STEP over 0");
    }
    *out = (struct bl_array_range){(int32_t)number[0], (int32_t)number[1], (int32_t)number[2]};
    return status;
}

static int read_array(const struct bl_tree_reader *in, const struct bl_tree *map,
                      struct bl_job_spec *spec)
{
    const struct bl_tree *list = NULL;
    struct bl_array_range *range;
    int status = bl_record_find_list(in, map, "array", BL_ARRAY_RANGES_MAX, &list);

    if (status != BL_OK || !list) {
        return status;
    }
    range = bl_arena_alloc(in->arena, list->child_count * sizeof *range);
    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        status = read_range(in, &list->child[i], &range[i]);
    }
    spec->array = range;
    spec->array_range_count = list->child_count;
    if (status == BL_OK && bl_array_count(spec) > BL_ARRAY_ELEMENTS_MAX) {
        return bl_tree_fail(in->source, list, in->err, "expected at most %d elements",
                            BL_ARRAY_ELEMENTS_MAX);
    }
    return status;
}

/* Rising counts; with them the range is from the first to the last. */
static int read_counts(const struct bl_tree_reader *in, const struct bl_tree *map,
                       struct bl_job_spec *spec)
{
    const struct bl_tree *list = NULL;
    int32_t *count;
    int status = bl_record_find_list(in, map, "gpu_counts", BL_JOB_COUNTS_MAX, &list);

    if (status != BL_OK || !list) {
        return status;
    }
    count = bl_arena_alloc(in->arena, list->child_count * sizeof *count);
    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        int64_t gpus = 0;

        status = bl_tree_read_int(
            in, &list->child[i],
            (struct bl_int_range){i > 0 ? count[i - 1] + 1 : 1, BL_NODE_COUNTED_GPUS_MAX}, &gpus);
        count[i] = (int32_t)gpus;
    }
    spec->gpu_count = count;
    spec->gpu_count_count = list->child_count;
    return status;
}

static int read_point(const struct bl_tree_reader *in, const struct bl_tree *pair,
                      struct bl_curve_point *out)
{
    int64_t gpus = 0;
    int status;

    if (pair->kind != BL_TREE_LIST || pair->child_count != 2) {
        return bl_tree_fail(in->source, pair, in->err, "expected [GPUS, SPEED]");
    }
    status = bl_tree_read_int(in, &pair->child[0], (struct bl_int_range){1, INT32_MAX}, &gpus);
    if (status == BL_OK) {
        status = bl_tree_read_double(in, &pair->child[1], &out->speed);
    }
    out->gpus = (int32_t)gpus;
    if (status == BL_OK && out->speed <= 0) {
        return bl_tree_fail_kind(in, &pair->child[1], "a speed over 0");
    }
    return status;
}

static int read_points(const struct bl_tree_reader *in, const struct bl_tree *list,
                       struct bl_curve *out)
{
    struct bl_curve_point *point = bl_arena_alloc(in->arena, list->child_count * sizeof *point);

    for (size_t i = 0; i < list->child_count; i++) {
        int status = read_point(in, &list->child[i], &point[i]);

        if (status != BL_OK) {
            return status;
        }
        if (i > 0 && point[i - 1].gpus >= point[i].gpus) {
            return bl_tree_fail(in->source, &list->child[i], in->err,
                                "expected points in rising order of GPUs");
        }
    }
    *out = (struct bl_curve){
        .kind = BL_CURVE_POINTS, .point_count = list->child_count, .point = point};
    return BL_OK;
}

static int read_curve(const struct bl_tree_reader *in, const struct bl_tree *map,
                      struct bl_curve *out)
{
    const struct bl_tree *efficiency = bl_tree_given(map, "efficiency");
    const struct bl_tree *points = NULL;
    int status = bl_record_find_list(in, map, "points", BL_CURVE_POINTS_MAX, &points);

    if (status != BL_OK) {
        return status;
    }
    if (points) {
        if (efficiency || !points->child_count) {
            return bl_tree_fail(in->source, points, in->err, "expected efficiency or points");
        }
        return read_points(in, points, out);
    }
    if (efficiency) {
        out->kind = BL_CURVE_EFFICIENCY;
        status = bl_tree_read_double(in, efficiency, &out->efficiency);
        if (status == BL_OK && (out->efficiency <= 0 || out->efficiency > 1)) {
            return bl_tree_fail_kind(in, efficiency, "a number over 0 and up to 1");
        }
    }
    return status;
}

static bool is_in_range(const struct bl_amount *amount, int32_t gpus)
{
    int64_t total = 0;

    return !amount->per_gpu ||
           (!__builtin_mul_overflow(amount->value, gpus, &total) && total <= INT64_C(1) << 60);
}

/* What the core trusts beyond the range of each number. */
static int check_spec(const struct bl_tree_reader *in, const struct bl_tree *map,
                      const struct bl_job_spec *spec)
{
    if (spec->gpus_min > spec->gpus_want || spec->gpus_want > spec->gpus_max) {
        return bl_tree_fail(in->source, map, in->err,
                            "expected gpus_min <= gpus_want <= gpus_max, found %d, %d, %d",
                            (int)spec->gpus_min, (int)spec->gpus_want, (int)spec->gpus_max);
    }
    if (spec->gpu_count_count && (spec->gpu_count[0] != spec->gpus_min ||
                                  spec->gpu_count[spec->gpu_count_count - 1] != spec->gpus_max ||
                                  !bl_job_is_legal_count(spec, spec->gpus_want))) {
        return bl_tree_fail(in->source, map, in->err,
                            "expected gpu_counts from gpus_min to gpus_max with gpus_want in it");
    }
    if (spec->expected.low > spec->expected.middle || spec->expected.middle > spec->expected.high) {
        return bl_tree_fail(in->source, map, in->err,
                            "expected expected_low_us <= expected_us <= expected_high_us");
    }
    if (!is_in_range(&spec->cpu_milli, spec->gpus_max) ||
        !is_in_range(&spec->mem_bytes, spec->gpus_max)) {
        return bl_tree_fail(in->source, map, in->err, "an amount times the GPUs is out of range");
    }
    return BL_OK;
}

static int read_spec(const struct bl_tree_reader *in, const struct bl_tree *map,
                     struct bl_job_spec *out)
{
    int status = bl_record_read_fields(in, map, bl_record_spec_fields, out);

    if (status == BL_OK) {
        status = bl_record_read_gpu_types(in, map, out->gpu_type, &out->gpu_type_count);
    }
    if (status == BL_OK) {
        status = read_counts(in, map, out);
    }
    if (status == BL_OK) {
        status = read_curve(in, map, &out->curve);
    }
    if (status == BL_OK) {
        status = read_after(in, map, out);
    }
    if (status == BL_OK) {
        status = read_array(in, map, out);
    }
    if (status == BL_OK) {
        status = bl_record_read_places(in, map, &out->on, &out->on_count);
    }
    return status == BL_OK ? check_spec(in, map, out) : status;
}

/* A list of texts, NULL-terminated; NULL when there is no such key. */
static int read_texts(const struct bl_tree_reader *in, const struct bl_tree *map, const char *key,
                      size_t most, struct bl_launch_notes *out)
{
    const struct bl_tree *list = NULL;
    int status = bl_record_find_list(in, map, key, most, &list);

    if (status != BL_OK || !list) {
        return status;
    }
    out->count = list->child_count;
    out->at = bl_arena_alloc(in->arena, (out->count + 1) * sizeof *out->at);
    for (size_t i = 0; i < out->count && status == BL_OK; i++) {
        const char *text = NULL;

        status = bl_tree_read_text(in, &list->child[i], &text);
        out->at[i] = bl_arena_copy_text(in->arena, text);
    }
    return status;
}

static int read_launch(const struct bl_tree_reader *in, const struct bl_tree *map,
                       struct bl_launch *out)
{
    struct bl_launch_notes argv = {0};
    int status = bl_record_read_fields(in, map, bl_record_launch_fields, out);

    if (status == BL_OK) {
        status = read_texts(in, map, "params", BL_LAUNCH_NOTES_MAX, &out->params);
    }
    if (status == BL_OK) {
        status = read_texts(in, map, "labels", BL_LAUNCH_NOTES_MAX, &out->labels);
    }
    if (status == BL_OK) {
        status = read_texts(in, map, "argv", BL_LAUNCH_ARGS_MAX, &argv);
    }
    if (status == BL_OK && !argv.count) {
        return bl_tree_fail(in->source, map, in->err, "expected argv with a program");
    }
    out->argv = argv.at;
    out->argc = argv.count;
    return status;
}

static int read_submitted(const struct bl_tree_reader *in, const struct bl_tree *map,
                          struct bl_record *out)
{
    const struct bl_tree *spec = bl_tree_given(map, "spec");

    if (!spec) {
        return bl_tree_fail(in->source, map, in->err, "expected the key 'spec'");
    }
    return read_spec(in, spec, &out->event.u.submitted);
}

/* What a job runs says something of how long it will. */
static int read_launch_of(const struct bl_tree_reader *in, const struct bl_tree *map,
                          struct bl_record *out, struct bl_clues *clues)
{
    const struct bl_tree *launch = bl_tree_given(map, "launch");
    int status;

    if (!launch) {
        return BL_OK;
    }
    out->has_launch = true;
    status = read_launch(in, launch, &out->launch);
    if (status == BL_OK && clues) {
        bl_launch_clues(&out->launch, clues);
    }
    return status;
}

static int read_numbers(const struct bl_tree_reader *in, const struct bl_tree *list, int32_t *to)
{
    int status = BL_OK;

    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        int64_t number = 0;

        status = bl_tree_read_int(in, &list->child[i],
                                  (struct bl_int_range){0, BL_ARRAY_ELEMENTS_MAX}, &number);
        to[i] = (int32_t)number;
    }
    return status;
}

int bl_record_read_mask(const struct bl_tree_reader *in, const struct bl_tree *at, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    const char *text = NULL;
    int status = bl_tree_read_text(in, at, &text);

    if (status == BL_OK && (!*text || strlen(text) > 16 || text[strspn(text, digits)])) {
        return bl_tree_fail_kind(in, at, "at most 16 hexadecimal digits");
    }
    for (*out = 0; status == BL_OK && *text; text++) {
        *out = *out << 4 | (uint64_t)(strchr(digits, *text) - digits);
    }
    return status;
}

static int read_part(const struct bl_tree_reader *in, const struct bl_tree *list,
                     struct bl_alloc_part *out)
{
    static const struct bl_int_range amount = {0, INT64_C(1) << 60};
    int64_t number[5] = {0};
    int status = BL_OK;

    if (list->kind != BL_TREE_LIST || list->child_count != 5) {
        return bl_tree_fail(in->source, list, in->err, "expected [NODE, GPUS, MASK, CPUS, MEMORY]");
    }
    for (int i = 0; i < 5 && status == BL_OK; i++) {
        if (i == 2) {
            status = bl_record_read_mask(in, &list->child[i], &out->gpu_mask);
        } else {
            status =
                bl_tree_read_int(in, &list->child[i],
                                 i < 2 ? (struct bl_int_range){0, INT32_MAX} : amount, &number[i]);
        }
    }
    out->node = (int32_t)number[0];
    out->gpus = (int32_t)number[1];
    out->cpu_milli = number[3];
    out->mem_bytes = number[4];
    return status;
}

int bl_record_read_parts(const struct bl_tree_reader *in, const struct bl_tree *map,
                         const char *key, const struct bl_alloc **out)
{
    const struct bl_tree *list = NULL;
    struct bl_alloc *alloc = bl_arena_alloc(in->arena, sizeof *alloc);
    int status = bl_record_find_list(in, map, key, BL_NODES_MAX, &list);

    if (status != BL_OK || !list || !list->child_count) {
        return status;
    }
    alloc->part_count = (uint32_t)list->child_count;
    alloc->many = bl_arena_alloc(in->arena, list->child_count * sizeof *alloc->many);
    for (size_t i = 0; i < list->child_count && status == BL_OK; i++) {
        status = read_part(in, &list->child[i], &alloc->many[i]);
    }
    alloc->single = alloc->many[0];
    *out = alloc;
    return status;
}

/* What the core trusts about an array: a letter a position, and positions that exist. */
static int check_array(const struct bl_tree_reader *in, const struct bl_tree *map,
                       const struct bl_job_past *past)
{
    int64_t count = bl_array_count(&past->spec);
    bool is_good = past->array_next <= count && (int64_t)past->ready_count <= count;

    if (past->outcome) {
        is_good = is_good && (int64_t)strlen(past->outcome) == count &&
                  !past->outcome[strspn(past->outcome, ".ox")];
    }
    for (size_t i = 0; i < past->ready_count; i++) {
        is_good = is_good && past->ready[i] < count;
    }
    if (!is_good) {
        return bl_tree_fail(in->source, map, in->err, "the parts of the array do not match");
    }
    return BL_OK;
}

static int read_array_past(const struct bl_tree_reader *in, const struct bl_tree *map,
                           struct bl_job_past *past)
{
    const struct bl_tree *ended = NULL;
    const struct bl_tree *ready = NULL;
    int status = bl_record_find_list(in, map, "ended_as", BL_JOB_STATE_COUNT, &ended);

    if (status == BL_OK && ended) {
        status = read_numbers(in, ended, past->ended_as);
    }
    if (status == BL_OK) {
        status = bl_record_find_list(in, map, "ready", BL_ARRAY_ELEMENTS_MAX, &ready);
    }
    if (status == BL_OK && ready) {
        int32_t *number = bl_arena_alloc(in->arena, ready->child_count * sizeof *number);

        status = read_numbers(in, ready, number);
        past->ready = number;
        past->ready_count = ready->child_count;
    }
    return status == BL_OK ? check_array(in, map, past) : status;
}

static int read_past(const struct bl_tree_reader *in, const struct bl_tree *map,
                     struct bl_record *out, struct bl_clues **clues)
{
    const struct bl_tree *at = bl_tree_given(map, "past");
    const struct bl_tree *spec = at ? bl_tree_given(at, "spec") : NULL;
    struct bl_job_past *past = bl_arena_alloc(in->arena, sizeof *past);
    int status;

    if (!spec) {
        return bl_tree_fail(in->source, map, in->err, "expected the key 'past' with a 'spec'");
    }
    status = bl_record_read_fields(in, at, bl_record_past_fields, past);
    if (status == BL_OK) {
        status = read_spec(in, spec, &past->spec);
    }
    if (status == BL_OK) {
        status = bl_record_read_foresight(in, at, &past->foresight);
    }
    if (status == BL_OK) {
        status = bl_record_read_parts(in, at, "where", &past->alloc);
    }
    if (status == BL_OK) {
        status = bl_record_read_parts(in, at, "next_where", &past->next);
    }
    if (status == BL_OK) {
        status = bl_record_read_attempts(in, at, &past->attempts);
    }
    out->event.u.restored = past;
    *clues = &past->spec.clues;
    return status == BL_OK ? read_array_past(in, at, past) : status;
}

static int read_node(const struct bl_tree_reader *in, const struct bl_tree *map,
                     struct bl_node_spec *out)
{
    const struct bl_tree *node = bl_tree_given(map, "node");

    if (!node) {
        return bl_tree_fail(in->source, map, in->err, "expected the key 'node'");
    }
    return bl_record_read_fields(in, node, bl_record_node_fields, out);
}

static int read_policy(const struct bl_tree_reader *in, const struct bl_tree *map,
                       struct bl_policy_choice *out)
{
    const struct bl_tree *at = bl_tree_given(map, "policy");
    struct bl_error cause = {0};

    if (!at || at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail(in->source, map, in->err, "expected the key 'policy'");
    }
    if (bl_policyspec_parse(at->text, out, &cause) != BL_OK) {
        return bl_tree_fail_cause(in, at, &cause);
    }
    return BL_OK;
}

static int read_kind(const struct bl_tree_reader *in, const struct bl_tree *map,
                     struct bl_event *out)
{
    const struct bl_tree *at = bl_tree_given(map, "event");
    int kind;

    if (!at || at->kind != BL_TREE_SCALAR) {
        return bl_tree_fail(in->source, map, in->err, "expected a map with the key 'event'");
    }
    kind = bl_event_find(at->text);
    if (kind < 0) {
        return bl_tree_fail(in->source, at, in->err,
                            "unknown kind of event '%.100s', perhaps of a newer version", at->text);
    }
    out->kind = (enum bl_event_kind)kind;
    return BL_OK;
}

static int read_record(const struct bl_tree_reader *in, const struct bl_tree *map,
                       struct bl_record *out)
{
    int status = read_kind(in, map, &out->event);
    struct bl_clues *clues = NULL;

    if (status == BL_OK) {
        status =
            bl_record_read_fields(in, map, bl_record_event_fields[out->event.kind], &out->event);
    }
    if (status != BL_OK) {
        return status;
    }
    if (out->event.kind == BL_EVENT_POLICY_SET) {
        return read_policy(in, map, &out->event.u.policy);
    }
    if (out->event.kind == BL_EVENT_NODE_ADDED) {
        return read_node(in, map, &out->event.u.node);
    }
    if (out->event.kind == BL_EVENT_RUN_LEARNED) {
        return bl_record_read_clues(in, map, &out->event.u.learned.traits.clues);
    }
    if (out->event.kind == BL_EVENT_JOB_CHANGED) {
        return bl_record_read_change(in, map, &out->event);
    }
    if (out->event.kind == BL_EVENT_FACT_LEARNED) {
        return bl_record_read_fact(in, map, &out->event.u.fact);
    }
    if (out->event.kind == BL_EVENT_FORETOLD) {
        return bl_record_read_foretold(in, map, &out->event);
    }
    if (out->event.kind == BL_EVENT_COUNTS_LEARNED) {
        return bl_record_read_kept(in, map, &out->event.u.kept);
    }
    if (out->event.kind == BL_EVENT_JOB_SUBMITTED) {
        status = read_submitted(in, map, out);
        clues = &out->event.u.submitted.clues;
    } else if (out->event.kind == BL_EVENT_JOB_RESTORED) {
        status = read_past(in, map, out, &clues);
    } else {
        status = bl_record_read_booking(in, map, &out->event);
    }
    return status == BL_OK ? read_launch_of(in, map, out, clues) : status;
}

int bl_record_read(const char *name, const char *bytes, size_t length, struct bl_arena *arena,
                   struct bl_record *out, struct bl_error *err)
{
    struct bl_tree_source source = {name, bytes, length};
    struct bl_tree_reader in = {&source, arena, err};
    struct bl_record record;
    struct bl_tree *tree = NULL;
    int status = bl_json_read(&source, arena, &tree, err);

    memset(&record, 0, sizeof record);
    if (status == BL_OK) {
        status = read_record(&in, tree, &record);
    }
    if (status == BL_OK) {
        *out = record;
    }
    return status;
}
