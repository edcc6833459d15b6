/* The parts of journal records that predictions and counts rest on. */
#include "form/record_fields.h"

#include <string.h>

/* Sums with what is counted later stay far from overflow. */
#define KEPT_MOST (INT64_MAX / 2)

/* Where whole numbers of a list go. */
struct numbers {
    int32_t *to;
    size_t least, most; /* how many there may be */
    struct bl_int_range range;
    bool is_rising;
};

static int read_numbers(const struct bl_tree_reader *in, const struct bl_tree *list,
                        const struct numbers *numbers)
{
    struct bl_int_range range = numbers->range;

    if (list->kind != BL_TREE_LIST || list->child_count < numbers->least ||
        list->child_count > numbers->most) {
        return bl_tree_fail(in->source, list, in->err, "expected a list of %zu to %zu numbers",
                            numbers->least, numbers->most);
    }
    for (size_t i = 0; i < list->child_count; i++) {
        int64_t number = 0;
        int status = bl_tree_read_int(in, &list->child[i], range, &number);

        if (status != BL_OK) {
            return status;
        }
        numbers->to[i] = (int32_t)number;
        range.low = numbers->is_rising ? number : range.low;
    }
    return BL_OK;
}

int bl_record_read_foresight(const struct bl_tree_reader *in, const struct bl_tree *map,
                             struct bl_foresight *out)
{
    const struct bl_tree *siblings = bl_tree_given(map, "siblings");
    const struct bl_tree *foreseen = bl_tree_given(map, "foreseen");
    struct numbers ages = {out->asked.sibling, 0, BL_SIBLINGS_MAX, {0, BL_DIST_MOST}, false};
    struct numbers points = {
        out->dist.point, BL_DIST_POINTS, BL_DIST_POINTS, {0, BL_DIST_MOST}, true};
    int status = siblings ? read_numbers(in, siblings, &ages) : BL_OK;

    if (status == BL_OK && siblings) {
        out->asked.sibling_count = (int32_t)siblings->child_count;
    }
    return status == BL_OK && foreseen ? read_numbers(in, foreseen, &points) : status;
}

static int read_param(const struct bl_tree_reader *in, const struct bl_tree *pair,
                      struct bl_clue_param *out)
{
    int64_t point = 0;
    int status;

    if (pair->kind != BL_TREE_LIST || pair->child_count != 2) {
        return bl_tree_fail(in->source, pair, in->err, "expected [NAME, VALUE]");
    }
    status = bl_tree_read_int(in, &pair->child[0], (struct bl_int_range){INT64_MIN, INT64_MAX},
                              &out->name);
    if (status == BL_OK) {
        status = bl_tree_read_int(in, &pair->child[1], (struct bl_int_range){INT32_MIN, INT32_MAX},
                                  &point);
    }
    out->point = (int32_t)point;
    return status;
}

int bl_record_read_clues(const struct bl_tree_reader *in, const struct bl_tree *map,
                         struct bl_clues *out)
{
    const struct bl_tree *list = bl_tree_given(map, "params");
    int status = BL_OK;

    if (list && (list->kind != BL_TREE_LIST || list->child_count > BL_CLUES_PARAMS_MAX)) {
        return bl_tree_fail(in->source, list, in->err, "expected a list of at most %d pairs",
                            BL_CLUES_PARAMS_MAX);
    }
    for (size_t i = 0; status == BL_OK && list && i < list->child_count; i++) {
        status = read_param(in, &list->child[i], &out->param[i]);
        out->param_count = (int32_t)i + 1;
    }
    return status;
}

int bl_record_read_fact(const struct bl_tree_reader *in, const struct bl_tree *map,
                        struct bl_fact *out)
{
    const struct bl_tree *list = bl_tree_given(map, "values");
    struct numbers values = {bl_arena_alloc(in->arena, BL_FACT_VALUES_MAX * sizeof *values.to),
                             0,
                             BL_FACT_VALUES_MAX,
                             {INT32_MIN, INT32_MAX},
                             false};

    if (!list) {
        return BL_OK;
    }
    out->value = values.to;
    out->count = list->child_count;
    return read_numbers(in, list, &values);
}

int bl_record_read_kept(const struct bl_tree_reader *in, const struct bl_tree *map,
                        struct bl_kept *out)
{
    const struct bl_tree *list = NULL;
    int64_t *value;
    int status = bl_record_find_list(in, map, "values", BL_KEPT_VALUES_MAX, &list);

    if (status != BL_OK || !list) {
        return status == BL_OK ? bl_tree_fail(in->source, map, in->err, "expected the key 'values'")
                               : status;
    }
    value = bl_arena_alloc(in->arena, list->child_count * sizeof *value);
    for (size_t i = 0; status == BL_OK && i < list->child_count; i++) {
        status = bl_tree_read_int(in, &list->child[i], (struct bl_int_range){-KEPT_MOST, KEPT_MOST},
                                  &value[i]);
    }
    out->value = value;
    out->count = list->child_count;
    return status;
}

/* When the runs began, and how much later each point is. */
static void put_outline(struct bl_json *json, const struct bl_outline *outline)
{
    bl_json_int(json, outline->now);
    for (int i = 0; i < BL_OUTLINE_POINTS; i++) {
        bl_json_int(json, outline->at[i] - outline->now);
    }
}

/* [JOB, WHEN, BASIS, then start and end of each level]; the basis by its word. Where a range rests
 * on runs, the outlines of start and end follow. */
static void put_row(struct bl_json *json, const struct bl_told_row *row)
{
    bl_json_open_array(json);
    bl_json_int(json, row->job);
    bl_json_int(json, row->told.at);
    bl_json_text(json, bl_told_basis_name(row->told.basis));
    for (int i = 0; i < BL_TOLD_LEVELS; i++) {
        bl_json_int(json, row->told.start[i]);
        bl_json_int(json, row->told.end[i]);
    }
    if (row->told.start_runs.now > 0) {
        put_outline(json, &row->told.start_runs);
        put_outline(json, &row->told.end_runs);
    }
    bl_json_close_array(json);
}

void bl_record_put_foretold(struct bl_json *json, const struct bl_event *event)
{
    bl_json_key(json, "told");
    bl_json_open_array(json);
    for (size_t i = 0; i < event->u.foretold.count; i++) {
        put_row(json, &event->u.foretold.row[i]);
    }
    bl_json_close_array(json);
}

static int read_basis(const struct bl_tree_reader *in, const struct bl_tree *at,
                      enum bl_told_basis *out)
{
    const char *word = NULL;
    int status = bl_tree_read_text(in, at, &word);

    for (int i = 0; status == BL_OK && i < BL_TOLD_BASIS_COUNT; i++) {
        if (strcmp(word, bl_told_basis_name(i)) == 0) {
            *out = (enum bl_told_basis)i;
            return BL_OK;
        }
    }
    return status == BL_OK ? bl_tree_fail_kind(in, at, "one of limits, median, runs") : status;
}

/* `value` is the first of its numbers. */
static int read_outline(const struct bl_tree_reader *in, const struct bl_tree *value,
                        struct bl_outline *out)
{
    const struct bl_int_range range = {0, KEPT_MOST / 2};
    int status = bl_tree_read_int(in, &value[0], range, &out->now);

    for (int i = 0; status == BL_OK && i < BL_OUTLINE_POINTS; i++) {
        status = bl_tree_read_int(in, &value[1 + i], range, &out->at[i]);
        out->at[i] += out->now;
    }
    return status;
}

static int read_told_row(const struct bl_tree_reader *in, const struct bl_tree *list,
                         struct bl_told_row *out)
{
    enum { HEAD = 3, VALUES = HEAD + 2 * BL_TOLD_LEVELS, OUTLINE = 1 + BL_OUTLINE_POINTS };
    const size_t count = list->kind == BL_TREE_LIST ? list->child_count : 0;
    const struct bl_int_range range = {0, KEPT_MOST};
    int status;

    if (count != VALUES && count != VALUES + 2 * OUTLINE) {
        return bl_tree_fail(in->source, list, in->err,
                            "expected [JOB, WHEN, BASIS, START, END, START, END, START, END], and "
                            "perhaps two outlines of %d numbers",
                            OUTLINE);
    }
    status = bl_tree_read_int(in, &list->child[0], range, &out->job);
    if (status == BL_OK) {
        status = bl_tree_read_int(in, &list->child[1], range, &out->told.at);
    }
    if (status == BL_OK) {
        status = read_basis(in, &list->child[2], &out->told.basis);
    }
    for (size_t i = 0; status == BL_OK && i < VALUES - HEAD; i++) {
        bl_time *to = i % 2 ? &out->told.end[i / 2] : &out->told.start[i / 2];

        status = bl_tree_read_int(in, &list->child[HEAD + i], range, to);
    }
    if (status == BL_OK && count > VALUES) {
        status = read_outline(in, &list->child[VALUES], &out->told.start_runs);
    }
    if (status == BL_OK && count > VALUES) {
        status = read_outline(in, &list->child[VALUES + OUTLINE], &out->told.end_runs);
    }
    return status;
}

int bl_record_read_foretold(const struct bl_tree_reader *in, const struct bl_tree *map,
                            struct bl_event *out)
{
    const struct bl_tree *list = NULL;
    struct bl_told_row *row;
    int status = bl_record_find_list(in, map, "told", BL_TOLD_ROWS_MAX, &list);

    if (status != BL_OK || !list) {
        return status;
    }
    row = bl_arena_alloc(in->arena, list->child_count * sizeof *row);
    for (size_t i = 0; status == BL_OK && i < list->child_count; i++) {
        status = read_told_row(in, &list->child[i], &row[i]);
    }
    out->u.foretold.row = row;
    out->u.foretold.count = list->child_count;
    return status;
}
