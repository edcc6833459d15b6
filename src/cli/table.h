/* A table of text in columns. Cells are escaped when they are set; widths are what a terminal
 * draws. Zeroes are an empty table. */
#ifndef BL_CLI_TABLE_H
#define BL_CLI_TABLE_H

#include "base/buf.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

enum bl_align { BL_ALIGN_LEFT, BL_ALIGN_RIGHT };

/* Colours are drawn only where the table is printed with them. */
enum bl_tint { BL_TINT_NONE, BL_TINT_GOOD, BL_TINT_BAD, BL_TINT_WAIT, BL_TINT_DIM };

struct bl_column {
    const char *header; /* borrowed for the table's life */
    enum bl_align align;
};

struct bl_cell {
    char *text;
    enum bl_tint tint;
};

struct bl_table {
    struct bl_column *column;
    size_t column_count;
    struct bl_cell *at; /* row after row */
    size_t count;
    size_t capacity;
};

struct bl_table_look {
    bool colour;
    bool no_header;
    size_t columns; /* of the terminal: lines are cut there; 0 = never */
};

void bl_table_add_column(struct bl_table *table, const char *header, enum bl_align align);

/* The next cell, left to right and row after row. NULL prints as "–". */
void bl_table_add(struct bl_table *table, const char *text, enum bl_tint tint);

/* The same, as printf writes it. */
void bl_table_addf(struct bl_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

size_t bl_table_rows(const struct bl_table *table);

void bl_table_print(struct bl_buf *out, const struct bl_table *table,
                    const struct bl_table_look *look);

void bl_table_finish(struct bl_table *table);

#endif
