#include "cli/outlook.h"

#include "base/own.h"
#include "cli/jobs.h"
#include "cli/say.h"
#include "cli/text.h"
#include "cli/when.h"

#include <stdlib.h>

enum { LINES = 28, BAR = 10 };

static int64_t number_at(const struct bl_tree *numbers, size_t index)
{
    return numbers && index < numbers->child_count ? strtoll(bl_item_text(numbers, index), NULL, 10)
                                                   : 0;
}

/* What is free in nine of ten cases, in five of ten, and the rest of them all. */
static void append_bar(struct bl_buf *out, const struct bl_outlook_scene *scene, int64_t sure,
                       int64_t likely, int64_t all)
{
    for (int64_t i = 1; i <= BAR && all > 0; i++) {
        bool is_sure = sure * BAR >= i * all;
        bool is_likely = likely * BAR >= i * all;

        if (scene->ascii) {
            bl_buf_append_char(out, is_sure ? '#' : is_likely ? '+' : '.');
        } else {
            bl_buf_append_text(out, is_sure ? "█" : is_likely ? "▒" : "·");
        }
    }
}

static void add_type(struct bl_table *table, const struct bl_outlook_scene *scene,
                     const struct bl_tree *type, size_t step)
{
    int64_t sure = number_at(bl_field_list(type, "free_p10"), step);
    int64_t likely = number_at(bl_field_list(type, "free"), step);
    BL_AUTO_BUF cell = {0};

    append_bar(&cell, scene, sure, likely, bl_field_int(type, "gpus", 0));
    bl_buf_printf(&cell, " %lld", (long long)likely);
    if (sure != likely) {
        bl_buf_printf(&cell, " (%lld)", (long long)sure);
    }
    bl_table_add(table, bl_buf_text(&cell), BL_TINT_NONE);
}

static void add_line(struct bl_table *table, const struct bl_outlook_scene *scene, size_t step,
                     bl_time at)
{
    const struct bl_tree *types = bl_tree_find(scene->answer, "types");
    BL_AUTO_BUF when = {0};

    bl_when_print(&when, at, scene->now);
    bl_table_add(table, bl_buf_text(&when), BL_TINT_NONE);
    for (size_t i = 0; i < types->child_count; i++) {
        add_type(table, scene, &types->child[i], step);
    }
    bl_table_addf(table, "%lld", (long long)number_at(bl_field_list(scene->answer, "used"), step));
}

/* Headers are borrowed by the table. */
static void add_columns(struct bl_table *table, const struct bl_tree *types, struct bl_buf *words)
{
    bl_say(&words[0], BL_SAY_OUTLOOK_WHEN);
    bl_table_add_column(table, bl_buf_text(&words[0]), BL_ALIGN_LEFT);
    for (size_t i = 0; i < types->child_count; i++) {
        bl_text_escape(&words[2 + i], types->child[i].key);
        bl_buf_printf(&words[2 + i], " / %lld",
                      (long long)bl_field_int(&types->child[i], "gpus", 0));
        bl_table_add_column(table, bl_buf_text(&words[2 + i]), BL_ALIGN_LEFT);
    }
    bl_say(&words[1], BL_SAY_OUTLOOK_USED);
    bl_table_add_column(table, bl_buf_text(&words[1]), BL_ALIGN_RIGHT);
}

static void print_head(struct bl_buf *out, const struct bl_tree *answer, bl_time every)
{
    int64_t runs = bl_field_int(answer, "runs", 0);
    BL_AUTO_BUF span = {0};

    bl_text_span_short(&span, every);
    BL_SAY(out, runs > 1 ? BL_SAY_OUTLOOK_HEAD : BL_SAY_OUTLOOK_ONE, BL_N(runs),
           BL_T(bl_buf_text(&span)));
    bl_buf_append_char(out, '\n');
}

/* Whole steps between two lines. */
static size_t stride_of(bl_time span, bl_time step)
{
    bl_time stride = (span + LINES * step - 1) / (LINES * step);

    return stride > 0 ? (size_t)stride : 1;
}

static bool is_whole(const struct bl_tree *types, bl_time step)
{
    bool is_good = types && types->kind == BL_TREE_MAP && types->child_count > 0 && step > 0;

    for (size_t i = 0; is_good && i < types->child_count; i++) {
        is_good = types->child[i].kind == BL_TREE_MAP;
    }
    return is_good;
}

void bl_outlook_print(struct bl_buf *out, const struct bl_outlook_scene *scene)
{
    const struct bl_tree *types = bl_tree_find(scene->answer, "types");
    const struct bl_tree *used = bl_field_list(scene->answer, "used");
    bl_time step = (bl_time)(bl_field_double(scene->answer, "step_s", 0) * BL_SECOND);
    bl_time from = bl_field_time(scene->answer, "from_at");
    struct bl_table table = {0};
    struct bl_buf *words;

    if (!is_whole(types, step) || !used) {
        bl_say(out, BL_SAY_OUTLOOK_NONE);
        bl_buf_append_char(out, '\n');
        return;
    }
    words = bl_alloc_zero((types->child_count + 2) * sizeof *words);
    add_columns(&table, types, words);
    for (size_t i = 0; i < used->child_count && (bl_time)i * step < scene->span;
         i += stride_of(scene->span, step)) {
        add_line(&table, scene, i, from + (bl_time)i * step);
    }
    print_head(out, scene->answer, (bl_time)stride_of(scene->span, step) * step);
    bl_table_print(out, &table, &scene->look);
    bl_table_finish(&table);
    for (size_t i = 0; i < types->child_count + 2; i++) {
        bl_buf_finish(&words[i]);
    }
    free(words);
}
