#include "form/table.h"

#include "base/own.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int find_column(struct bl_table *table, size_t column, struct bl_error *err)
{
    for (size_t i = 0; i < table->csv.field_count; i++) {
        if (strcmp(table->csv.field[i], table->column[column]) == 0) {
            table->place[column] = i;
            return BL_OK;
        }
    }
    return bl_fail(err, BL_EINVAL, "%s:%u: the header line has no column '%s'",
                   table->csv.lines.source.name, table->csv.number, table->column[column]);
}

int bl_table_open(struct bl_table *table, const struct bl_byte_source *source,
                  const char *const *columns, struct bl_error *err)
{
    bool has_header;
    int status;

    *table = (struct bl_table){.csv = {.lines = {.source = *source}}, .column = columns};
    status = bl_csv_next(&table->csv, &has_header, err);
    if (status == BL_OK && !has_header) {
        status =
            bl_fail(err, BL_EINVAL, "%s:1: expected a header line, found nothing", source->name);
    }
    for (size_t i = 0; status == BL_OK && columns[i]; i++) {
        status = find_column(table, i, err);
    }
    table->width = table->csv.field_count;
    return status;
}

int bl_table_next(struct bl_table *table, bool *has_row, struct bl_error *err)
{
    int status = bl_csv_next(&table->csv, has_row, err);

    if (status == BL_OK && *has_row && table->csv.field_count != table->width) {
        return bl_fail(err, BL_EINVAL, "%s:%u: expected %zu fields as in the header, found %zu",
                       table->csv.lines.source.name, table->csv.number, table->width,
                       table->csv.field_count);
    }
    return status;
}

static const char *cell(const struct bl_table *table, size_t column)
{
    return table->csv.field[table->place[column]];
}

int bl_table_fail(const struct bl_table *table, size_t column, const char *expected,
                  struct bl_error *err)
{
    BL_AUTO_BUF found = {0};

    bl_print_found(&found, cell(table, column), strlen(cell(table, column)));
    bl_fail(err, BL_EINVAL, "%s:%u: field %zu (%s): expected %s, found '%s'",
            table->csv.lines.source.name, table->csv.number, table->place[column] + 1,
            table->column[column], expected, bl_buf_text(&found));
    return bl_error_set_field(err, table->column[column]);
}

int bl_table_text(const struct bl_table *table, size_t column, const char **out,
                  struct bl_error *err)
{
    const char *text = cell(table, column);
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            return bl_table_fail(table, column, "text without control characters", err);
        }
    }
    if (length == 0 || length > BL_JOB_NAME_MAX) {
        return bl_table_fail(table, column, "a word of 1 to 255 bytes", err);
    }
    *out = text;
    return BL_OK;
}

/* Of digits, a point and an exponent: not what else strtod takes. */
static bool is_decimal(const char *text)
{
    return *text && text[strspn(text, "0123456789.+-eE")] == '\0';
}

int bl_table_number(const struct bl_table *table, size_t column, struct bl_table_range range,
                    double *out, struct bl_error *err)
{
    const char *text = cell(table, column);
    char expected[96];
    char *end = NULL;
    double value = strtod(text, &end);

    if (is_decimal(text) && *end == '\0' && isfinite(value) && value >= range.least &&
        value <= range.most) {
        *out = value;
        return BL_OK;
    }
    snprintf(expected, sizeof expected, "a number from %g to %g", range.least, range.most);
    return bl_table_fail(table, column, expected, err);
}

int bl_table_count(const struct bl_table *table, size_t column, struct bl_table_range range,
                   int32_t *out, struct bl_error *err)
{
    char expected[96];
    double value = 0;

    if (bl_table_number(table, column, range, &value, NULL) == BL_OK && value == floor(value)) {
        *out = (int32_t)value;
        return BL_OK;
    }
    snprintf(expected, sizeof expected, "a whole number from %g to %g", range.least, range.most);
    return bl_table_fail(table, column, expected, err);
}

void bl_table_finish(struct bl_table *table)
{
    bl_csv_finish(&table->csv);
}
