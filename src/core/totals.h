/* The whole work of the jobs of one application, from those that came to their end. */
#ifndef BL_CORE_TOTALS_H
#define BL_CORE_TOTALS_H

#include <stddef.h>

enum { BL_TOTALS_MAX = 16 };

/* Zeroes are an empty table. */
struct bl_totals {
    size_t count;
    double total[BL_TOTALS_MAX]; /* newest last */
    double furthest;             /* the most that any job has done so far */
};

struct bl_total {
    double expected;
    double deviation; /* of its logarithm */
    size_t finished;  /* jobs that it rests on */
};

/* Numbers that are not finite and over 0 change nothing. */
void bl_totals_note_done(struct bl_totals *totals, double done);
void bl_totals_note_finished(struct bl_totals *totals, double total);

/* What a job that has done so much will do in all: at least what it has done. Before any job has
 * finished it is twice what the furthest has done; 0 when nothing is known. */
struct bl_total bl_totals_expect(const struct bl_totals *totals, double done);

#endif
