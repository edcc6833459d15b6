/* Bars over time as lines of text: groups of rows, each row a line, time from left to right. */
#ifndef BL_CLI_GANTT_H
#define BL_CLI_GANTT_H

#include "base/buf.h"
#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>

enum { BL_GANTT_ROWS_MAX = 4096 };

enum bl_fill {
    BL_FILL_NONE,
    BL_FILL_DOWN, /* out of use; what stands on it is drawn over it */
    BL_FILL_RAN,
    BL_FILL_RUNS,
    BL_FILL_PLANNED,
    BL_FILL_RESERVED,
    BL_FILL_UNSURE, /* between a likely end and one that is nearly sure */
    BL_FILL_CLEARING,
    BL_FILL_COUNT
};

struct bl_gantt_look {
    bl_time from, to; /* to > from */
    bl_time now;
    size_t columns; /* of the terminal */
    bool ascii;
    bool colour;
};

/* One line, or as many as bars that overlap need. */
enum bl_gantt_rows { BL_GANTT_ONE_ROW, BL_GANTT_PACKED };

struct bl_gantt_bar {
    enum bl_fill fill;
    bl_time from, until;
    bl_time until_surely; /* up to there it is unsure; 0 = nothing is */
    const char *label;    /* any bytes; copied */
};

struct bl_gantt;

struct bl_gantt *bl_gantt_create(const struct bl_gantt_look *look);
void bl_gantt_destroy(struct bl_gantt *gantt);

/* Groups are drawn in the order in which they were added; `head` is any bytes. Bars of a group come
 * in order of their starts. */
size_t bl_gantt_add_group(struct bl_gantt *gantt, const char *head, enum bl_gantt_rows rows);
void bl_gantt_add_bar(struct bl_gantt *gantt, size_t group, const struct bl_gantt_bar *bar);

/* The date, the axis, the rows, and what the fills mean that were drawn. */
void bl_gantt_print(struct bl_buf *out, const struct bl_gantt *gantt);

#endif
