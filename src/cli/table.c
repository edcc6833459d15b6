#include "cli/table.h"

#include "cli/text.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

static const char *const tints[] = {
    [BL_TINT_NONE] = "",         [BL_TINT_GOOD] = "\033[32m", [BL_TINT_BAD] = "\033[31m",
    [BL_TINT_WAIT] = "\033[33m", [BL_TINT_DIM] = "\033[2m",
};

static const char bold[] = "\033[1m";
static const char plain[] = "\033[0m";

void bl_table_add_column(struct bl_table *table, const char *header, enum bl_align align)
{
    table->column = bl_realloc_array(table->column, table->column_count + 1, sizeof *table->column);
    table->column[table->column_count++] = (struct bl_column){header, align};
}

void bl_table_add(struct bl_table *table, const char *text, enum bl_tint tint)
{
    BL_AUTO_BUF escaped = {0};

    bl_text_escape(&escaped, text ? text : "–");
    BL_VEC_PUSH(table, (struct bl_cell){bl_buf_take(&escaped), tint});
}

void bl_table_addf(struct bl_table *table, const char *format, ...)
{
    BL_AUTO_BUF text = {0};
    va_list args;

    va_start(args, format);
    bl_buf_vprintf(&text, format, args);
    va_end(args);
    bl_table_add(table, bl_buf_text(&text), BL_TINT_NONE);
}

size_t bl_table_rows(const struct bl_table *table)
{
    return table->column_count ? table->count / table->column_count : 0;
}

static void measure(const struct bl_table *table, const struct bl_table_look *look, size_t *width)
{
    assert(table->column_count > 0);
    for (size_t i = 0; i < table->column_count; i++) {
        width[i] = look->no_header ? 0 : bl_text_width(table->column[i].header);
    }
    for (size_t i = 0; i < table->count; i++) {
        size_t cell = bl_text_width(table->at[i].text);
        size_t *place = &width[i % table->column_count];

        *place = cell > *place ? cell : *place;
    }
}

static void pad(struct bl_buf *out, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        bl_buf_append_char(out, ' ');
    }
}

/* One line while it is laid out. Blanks are owed until the next cell comes, so that no line ends
 * with them. */
struct line {
    struct bl_buf *out;
    const struct bl_table *table;
    const struct bl_table_look *look;
    const size_t *width;
    size_t used;
    size_t owed;
};

static void put_cell(struct line *line, size_t index, const char *text, const char *colour)
{
    size_t width = bl_text_width(text);
    size_t gap = line->width[index] - width;
    bool is_right = line->table->column[index].align == BL_ALIGN_RIGHT;
    size_t before = line->owed + (index ? 2 : 0) + (is_right ? gap : 0);
    size_t limit = line->look->columns;

    if (width == 0) {
        line->owed = before + (is_right ? 0 : gap);
        return;
    }
    if (limit && line->used + before >= limit) {
        line->used = limit;
        return;
    }
    pad(line->out, before);
    line->used += before;
    bl_buf_append_text(line->out, colour);
    bl_text_cut(line->out, text, limit ? limit - line->used : width);
    bl_buf_append_text(line->out, *colour ? plain : "");
    line->used += width;
    line->owed = is_right ? 0 : gap;
}

static void end_line(struct line *line)
{
    bl_buf_append_char(line->out, '\n');
    line->used = 0;
    line->owed = 0;
}

void bl_table_print(struct bl_buf *out, const struct bl_table *table,
                    const struct bl_table_look *look)
{
    BL_AUTO_FREE size_t *width = bl_alloc_zero((table->column_count + 1) * sizeof *width);
    struct line line = {out, table, look, width, 0, 0};

    assert(table->column_count > 0);
    measure(table, look, width);
    for (size_t i = 0; !look->no_header && i < table->column_count; i++) {
        put_cell(&line, i, table->column[i].header, look->colour ? bold : "");
    }
    if (!look->no_header) {
        end_line(&line);
    }
    for (size_t i = 0; i < table->count; i++) {
        size_t index = i % table->column_count;

        put_cell(&line, index, table->at[i].text, look->colour ? tints[table->at[i].tint] : "");
        if (index + 1 == table->column_count) {
            end_line(&line);
        }
    }
}

void bl_table_finish(struct bl_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->at[i].text);
    }
    free(table->at);
    free(table->column);
    *table = (struct bl_table){0};
}
