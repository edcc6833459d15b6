#include "cli/curve.h"

#include "cli/jobs.h"
#include "cli/say.h"

#include <string.h>

struct curve {
    const struct bl_tree *counts, *points;
    bool is_learnt;
};

static void add_column(struct bl_table *table, enum bl_message header, enum bl_align align)
{
    bl_table_add_column(table, bl_message_text(header, bl_language_now()), align);
}

static void add_columns(struct bl_table *table, bool is_learnt)
{
    add_column(table, BL_SAY_CURVE_GPUS, BL_ALIGN_RIGHT);
    if (is_learnt) {
        add_column(table, BL_SAY_CURVE_TYPE, BL_ALIGN_LEFT);
    }
    add_column(table, BL_SAY_CURVE_SPEED, BL_ALIGN_RIGHT);
    add_column(table, BL_SAY_CURVE_GAIN, BL_ALIGN_RIGHT);
    if (is_learnt) {
        add_column(table, BL_SAY_CURVE_RATE, BL_ALIGN_RIGHT);
        add_column(table, BL_SAY_CURVE_RANGE, BL_ALIGN_RIGHT);
        add_column(table, BL_SAY_CURVE_NOTE, BL_ALIGN_LEFT);
    }
}

/* How often this placement was measured. */
static int64_t measured(const struct curve *curve, const struct bl_tree *row)
{
    int64_t times = 0;

    for (size_t i = 0; curve->points && i < curve->points->child_count; i++) {
        const struct bl_tree *point = &curve->points->child[i];

        if (bl_field_int(point, "gpus", 0) == bl_field_int(row, "gpus", -1) &&
            bl_field_int(point, "nodes", 0) == bl_field_int(row, "nodes", -1) &&
            !strcmp(bl_field_text(point, "gpu_type", ""), bl_field_text(row, "gpu_type", "?"))) {
            times += bl_field_int(point, "measured", 0);
        }
    }
    return times;
}

static bool is_true(const struct bl_tree *row, const char *key)
{
    return strcmp(bl_field_text(row, key, "true"), "true") == 0;
}

static void add_note(struct bl_table *table, const struct curve *curve, const struct bl_tree *row)
{
    int64_t times = measured(curve, row);
    BL_AUTO_BUF text = {0};

    if (times > 0) {
        BL_SAY(&text, BL_SAY_CURVE_MEASURED, BL_N(times));
    } else if (!is_true(row, "within_reach")) {
        bl_say(&text, BL_SAY_CURVE_BEYOND);
    } else {
        bl_say(&text, is_true(row, "trusted") ? BL_SAY_CURVE_FORETOLD : BL_SAY_CURVE_UNSURE);
    }
    bl_table_add(table, bl_buf_text(&text), times > 0 ? BL_TINT_NONE : BL_TINT_DIM);
}

static void add_row(struct bl_table *table, const struct curve *curve, const struct bl_tree *row)
{
    bl_table_addf(table, "%lld", (long long)bl_field_int(row, "gpus", 0));
    if (curve->is_learnt) {
        bl_table_add(table, bl_field_text(row, "gpu_type", NULL), BL_TINT_NONE);
    }
    bl_table_addf(table, "%.2f", bl_field_double(row, "speed", 0));
    if (bl_field_is_null(row, "gain")) {
        bl_table_add(table, NULL, BL_TINT_NONE);
    } else {
        bl_table_addf(table, "%+.2f", bl_field_double(row, "gain", 0));
    }
    if (curve->is_learnt) {
        bl_table_addf(table, "%.3g", bl_field_double(row, "rate", 0));
        bl_table_addf(table, "%.3g – %.3g", bl_field_double(row, "rate_low", 0),
                      bl_field_double(row, "rate_high", 0));
        add_note(table, curve, row);
    }
}

static bool is_same_type(const struct bl_tree *counts, size_t a, size_t b)
{
    return !strcmp(bl_field_text(&counts->child[a], "gpu_type", ""),
                   bl_field_text(&counts->child[b], "gpu_type", ""));
}

static bool is_shown(const struct bl_tree *counts, size_t at)
{
    int64_t gpus = bl_field_int(&counts->child[at], "gpus", 0);

    return (gpus & (gpus - 1)) == 0 || at == 0 || !is_same_type(counts, at, at - 1) ||
           at + 1 == counts->child_count || !is_same_type(counts, at, at + 1);
}

static void print_source(struct bl_buf *out, const struct bl_tree *tree, const struct curve *curve)
{
    int64_t finished = bl_field_int(tree, "finished", 0);

    if (!curve->is_learnt) {
        bl_say(out, BL_SAY_CURVE_GIVEN);
    } else {
        BL_SAY(out, BL_SAY_CURVE_LEARNT, BL_T(bl_field_text(tree, "application", "")),
               BL_N(curve->points ? (int64_t)curve->points->child_count : 0));
        if (finished > 0) {
            BL_SAY(out, BL_SAY_CURVE_FINISHED, BL_N(finished));
        }
    }
    bl_buf_append_char(out, '\n');
}

const struct bl_tree *bl_curve_find_measured(const struct bl_tree *tree)
{
    struct curve curve = {.points = bl_field_list(tree, "points")};
    const struct bl_tree *counts = bl_field_list(tree, "counts");

    for (size_t i = 0; counts && i < counts->child_count; i++) {
        if (measured(&curve, &counts->child[i]) > 0) {
            return &counts->child[i];
        }
    }
    return NULL;
}

void bl_curve_print(struct bl_buf *out, const struct bl_tree *tree,
                    const struct bl_table_look *look)
{
    struct curve curve = {bl_field_list(tree, "counts"), bl_field_list(tree, "points"),
                          !strcmp(bl_field_text(tree, "source", ""), "learnt")};
    struct bl_table table = {0};

    if (!curve.counts || curve.counts->child_count < 2) {
        return;
    }
    print_source(out, tree, &curve);
    add_columns(&table, curve.is_learnt);
    for (size_t i = 0; i < curve.counts->child_count; i++) {
        if (is_shown(curve.counts, i)) {
            add_row(&table, &curve, &curve.counts->child[i]);
        }
    }
    bl_table_print(out, &table, look);
    bl_table_finish(&table);
}
