#include "cli/report.h"

#include "cli/jobs.h"
#include "cli/say.h"
#include "cli/text.h"
#include "cli/when.h"
#include "os/clock.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* --- as a table ------------------------------------------------------------------------------ */

enum kind { KIND_COUNT, KIND_HOURS, KIND_SHARE, KIND_TIME, KIND_NUMBER, KIND_FAILED };

struct figure {
    const char *header;
    const char *key;
    enum kind kind;
    bool only_if_told; /* the column is left out where no row has it */
};

static const struct figure figures[] = {
    {"JOBS", "jobs", KIND_COUNT, false},
    {"GPU-HOURS", "gpu_hours", KIND_HOURS, false},
    {"SHARE", "share_ratio", KIND_SHARE, false},
    {"COST", "cost", KIND_NUMBER, true},
    {"WAIT", "wait_mean_s", KIND_TIME, false},
    {"P50", "wait_p50_s", KIND_TIME, false},
    {"P90", "wait_p90_s", KIND_TIME, false},
    {"SLOWDOWN", "bounded_slowdown", KIND_NUMBER, false},
    {"FAILED", "failed", KIND_FAILED, false},
    {"PREEMPTED", "preemptions", KIND_COUNT, false},
    {"RESERVED", "reserved_gpu_hours", KIND_HOURS, true},
    {"UNUSED", "reserved_idle_gpu_hours", KIND_HOURS, true},
};

enum { FIGURES = sizeof figures / sizeof figures[0] };

static bool is_told(const struct bl_tree *report, const struct figure *figure)
{
    return !figure->only_if_told ||
           bl_field_double(bl_tree_find(report, "total"), figure->key, 0) > 0;
}

/* "user" becomes "USER". */
static char *header_of(const char *by)
{
    char *header = bl_copy_text(by);

    for (char *c = header; *c; c++) {
        *c = *c == '_' ? ' ' : (char)toupper((unsigned char)*c);
    }
    return header;
}

static void print_figure(struct bl_buf *out, const struct bl_tree *row, const struct figure *figure)
{
    double value = bl_field_double(row, figure->key, 0);

    switch (figure->kind) {
    case KIND_COUNT:
        bl_buf_printf(out, "%.0f", value);
        break;
    case KIND_HOURS:
        bl_buf_printf(out, "%.1f", value);
        break;
    case KIND_SHARE:
        bl_buf_printf(out, "%.0f %%", 100 * value);
        break;
    case KIND_TIME:
        bl_text_span_short(out, (bl_time)(value * (double)BL_SECOND));
        break;
    case KIND_NUMBER:
        bl_buf_printf(out, "%.2f", value);
        break;
    case KIND_FAILED:
        bl_buf_printf(out, "%.0f",
                      value + bl_field_double(row, "timeout", 0) + bl_field_double(row, "lost", 0));
        break;
    }
}

static void add_figures(struct bl_table *table, const struct bl_tree *report,
                        const struct bl_tree *row)
{
    for (size_t i = 0; i < FIGURES; i++) {
        BL_AUTO_BUF text = {0};

        if (is_told(report, &figures[i])) {
            print_figure(&text, row, &figures[i]);
            bl_table_add(table, bl_field_is_null(row, figures[i].key) ? NULL : bl_buf_text(&text),
                         BL_TINT_NONE);
        }
    }
}

static void add_total(struct bl_table *table, const struct bl_tree *report, size_t words)
{
    BL_AUTO_BUF total = {0};

    bl_say(&total, BL_SAY_REPORT_TOTAL);
    for (size_t i = 0; i < words; i++) {
        bl_table_add(table, i == 0 ? bl_buf_text(&total) : "", BL_TINT_DIM);
    }
    add_figures(table, report, bl_tree_find(report, "total"));
}

static void note_what_is_missing(struct bl_buf *out, const struct bl_tree *report)
{
    BL_AUTO_BUF since = {0};

    if (strcmp(bl_field_text(report, "complete", ""), "false") == 0) {
        bl_when_print(&since, bl_field_time(report, "whole_since"), bl_clock_wall());
        BL_SAY(out, BL_SAY_REPORT_CUT, BL_T(bl_buf_text(&since)));
        bl_buf_append_char(out, '\n');
    }
}

static void print_table(struct bl_buf *out, const struct bl_tree *report,
                        const struct bl_table_look *look)
{
    const struct bl_tree *by = bl_field_list(report, "by");
    const struct bl_tree *rows = bl_field_list(report, "rows");
    char *header[BL_REPORT_WORDS_MAX] = {0};
    struct bl_table table = {0};
    size_t words = by ? by->child_count : 0;

    words = words < BL_REPORT_WORDS_MAX ? words : BL_REPORT_WORDS_MAX;
    for (size_t i = 0; i < words; i++) {
        header[i] = header_of(bl_item_text(by, i));
        bl_table_add_column(&table, header[i], BL_ALIGN_LEFT);
    }
    for (size_t i = 0; i < FIGURES; i++) {
        if (is_told(report, &figures[i])) {
            bl_table_add_column(&table, figures[i].header, BL_ALIGN_RIGHT);
        }
    }
    for (size_t r = 0; rows && r < rows->child_count; r++) {
        for (size_t i = 0; i < words; i++) {
            bl_table_add(&table, bl_field_text(&rows->child[r], bl_item_text(by, i), NULL),
                         BL_TINT_NONE);
        }
        add_figures(&table, report, &rows->child[r]);
    }
    add_total(&table, report, words);
    bl_table_print(out, &table, look);
    bl_table_finish(&table);
    for (size_t i = 0; i < words; i++) {
        free(header[i]);
    }
}

void bl_report_print(struct bl_buf *out, const struct bl_tree *report,
                     const struct bl_table_look *look)
{
    print_table(out, report, look);
    note_what_is_missing(out, report);
}

/* --- how good forecasts were ----------------------------------------------------------------- */

static bool has_text(const struct bl_tree *row, const char *key, const char *text)
{
    return strcmp(bl_field_text(row, key, ""), text) == 0;
}

static bool is_of_all(const struct bl_tree *row)
{
    return bl_field_is_null(row, "horizon_to_s") && bl_field_int(row, "horizon_from_s", -1) == 0;
}

static void add_horizon(struct bl_table *table, const struct bl_tree *row)
{
    BL_AUTO_BUF text = {0};

    if (is_of_all(row)) {
        bl_say(&text, BL_SAY_REPORT_TOTAL);
    } else {
        bl_text_span_short(&text, bl_field_int(row, "horizon_from_s", 0) * BL_SECOND);
        bl_buf_append_text(&text, "+");
    }
    bl_table_add(table, bl_buf_text(&text), is_of_all(row) ? BL_TINT_NONE : BL_TINT_DIM);
}

static void add_span(struct bl_table *table, const struct bl_tree *row, const char *key)
{
    double value = bl_field_double(row, key, 0);
    BL_AUTO_BUF text = {0};

    bl_buf_append_text(&text, value < 0 ? "-" : "");
    if (fabs(value) < 10) {
        bl_buf_printf(&text, "%.1fs", fabs(value));
    } else {
        bl_text_span_short(&text, (bl_time)(fabs(value) * (double)BL_SECOND));
    }
    bl_table_add(table, bl_buf_text(&text), BL_TINT_NONE);
}

static void add_score(struct bl_table *table, const struct bl_tree *row)
{
    static const char *const words[] = {"policy", "basis", "told", "of"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        bl_table_add(table, bl_field_text(row, words[i], NULL), BL_TINT_NONE);
    }
    add_horizon(table, row);
    bl_table_add(table, bl_field_text(row, "count", NULL), BL_TINT_NONE);
    bl_table_addf(table, "%.1f %%", 100 * bl_field_double(row, "coverage_ratio", 0));
    add_span(table, row, "error_median_s");
    add_span(table, row, "bias_s");
    add_span(table, row, "pinball_s");
}

static void add_eta_columns(struct bl_table *table)
{
    bl_table_add_column(table, "POLICY", BL_ALIGN_LEFT);
    bl_table_add_column(table, "BASIS", BL_ALIGN_LEFT);
    bl_table_add_column(table, "TOLD", BL_ALIGN_LEFT);
    bl_table_add_column(table, "OF", BL_ALIGN_LEFT);
    bl_table_add_column(table, "FORESEEN", BL_ALIGN_LEFT);
    bl_table_add_column(table, "SCORED", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "IN P10-P90", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "ERROR P50", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "BIAS", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "PINBALL", BL_ALIGN_RIGHT);
}

void bl_report_print_eta(struct bl_buf *out, const struct bl_tree *report,
                         const struct bl_table_look *look)
{
    const struct bl_tree *rows = bl_field_list(report, "rows");
    int64_t untold = bl_field_int(report, "untold", 0);
    struct bl_table table = {0};

    add_eta_columns(&table);
    for (size_t i = 0; rows && i < rows->child_count; i++) {
        const struct bl_tree *row = &rows->child[i];

        if (is_of_all(row) || (has_text(row, "told", "range") && has_text(row, "of", "start"))) {
            add_score(&table, row);
        }
    }
    if (bl_table_rows(&table)) {
        bl_table_print(out, &table, look);
    } else {
        bl_say(out, BL_SAY_REPORT_ETA_NONE);
        bl_buf_append_char(out, '\n');
    }
    if (untold > 0) {
        BL_SAY(out, BL_SAY_REPORT_ETA_UNTOLD, BL_N(untold));
        bl_buf_append_char(out, '\n');
    }
    bl_table_finish(&table);
}

/* --- as CSV ---------------------------------------------------------------------------------- */

static void put_cell(struct bl_buf *out, const char *text)
{
    BL_AUTO_BUF escaped = {0};
    const char *c;

    bl_text_escape(&escaped, text);
    c = bl_buf_text(&escaped);
    if (!strpbrk(c, ",\"")) {
        bl_buf_append_text(out, c);
        return;
    }
    bl_buf_append_char(out, '"');
    for (; *c; c++) {
        bl_buf_append_text(out, *c == '"' ? "\"" : "");
        bl_buf_append_char(out, *c);
    }
    bl_buf_append_char(out, '"');
}

void bl_report_print_csv(struct bl_buf *out, const struct bl_tree *rows)
{
    const struct bl_tree *keys = rows->child_count > 0 ? &rows->child[0] : NULL;

    for (size_t k = 0; keys && k < keys->child_count; k++) {
        bl_buf_printf(out, "%s%s", k ? "," : "", keys->child[k].key);
    }
    bl_buf_append_text(out, keys ? "\r\n" : "");
    for (size_t r = 0; keys && r < rows->child_count; r++) {
        for (size_t k = 0; k < keys->child_count; k++) {
            bl_buf_append_text(out, k ? "," : "");
            put_cell(out, bl_field_text(&rows->child[r], keys->child[k].key, ""));
        }
        bl_buf_append_text(out, "\r\n");
    }
}
