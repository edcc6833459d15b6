/* Comma-separated values after RFC 4180, one record at a time: quoted fields may hold commas,
 * quotes written twice, and ends of lines. */
#ifndef BL_FORM_CSV_H
#define BL_FORM_CSV_H

#include "form/lines.h"

enum { BL_CSV_FIELDS_MAX = 64 };

struct bl_csv {
    struct bl_lines lines; /* set lines.source, zeroes otherwise */
    struct bl_buf record;
    uint32_t number; /* line on which the record began */
    const char *field[BL_CSV_FIELDS_MAX];
    size_t field_count;
};

/* Fills field[], valid until the next call; *has_record is false at the end. Empty lines are
 * passed over. A failure names file and line; BL_EINVAL leaves the reader behind the record, so
 * that a lenient caller may go on. */
int bl_csv_next(struct bl_csv *csv, bool *has_record, struct bl_error *err);

void bl_csv_finish(struct bl_csv *csv);

#endif
