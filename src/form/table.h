/* Comma-separated values below a header line, read by the names of their columns. Columns may stand
 * in any order, and others may stand beside them. */
#ifndef BL_FORM_TABLE_H
#define BL_FORM_TABLE_H

#include "form/csv.h"

enum { BL_TABLE_COLUMNS_MAX = 16 };

struct bl_table {
    struct bl_csv csv;
    const char *const *column;          /* NULL-terminated names, borrowed */
    size_t place[BL_TABLE_COLUMNS_MAX]; /* field of each */
    size_t width;                       /* fields of a row */
};

/* What a number may be. */
struct bl_table_range {
    double least, most;
};

/* Reads the header line; every column must be there. The table can be finished in any case. */
int bl_table_open(struct bl_table *table, const struct bl_byte_source *source,
                  const char *const *columns, struct bl_error *err);

/* The next row; *has_row is false at the end. A row has as many fields as the header. */
int bl_table_next(struct bl_table *table, bool *has_row, struct bl_error *err);

/* Of the row read last; never empty: bl_table_text refuses that. */
int bl_table_text(const struct bl_table *table, size_t column, const char **out,
                  struct bl_error *err);
int bl_table_number(const struct bl_table *table, size_t column, struct bl_table_range range,
                    double *out, struct bl_error *err);
int bl_table_count(const struct bl_table *table, size_t column, struct bl_table_range range,
                   int32_t *out, struct bl_error *err);

/* "FILE:LINE: field N (NAME): expected …, found '…'" */
int bl_table_fail(const struct bl_table *table, size_t column, const char *expected,
                  struct bl_error *err);

void bl_table_finish(struct bl_table *table);

#endif
