/* What a journal record is made of: one table a struct, shared by the writer and the reader, so
 * that neither can forget what the other knows. Only for src/form/record*.c. */
#ifndef BL_FORM_RECORD_FIELDS_H
#define BL_FORM_RECORD_FIELDS_H

#include "core/event.h"
#include "form/launch.h"
#include "form/tree_read.h"

enum bl_field_kind {
    BL_FIELD_TEXT,  /* const char *; NULL is left out */
    BL_FIELD_BOOL,  /* false is left out */
    BL_FIELD_INT32, /* zero is left out unless it is required */
    BL_FIELD_INT64,
    BL_FIELD_DOUBLE, /* >= 0 and finite; zero is left out */
    BL_FIELD_REAL,   /* finite; zero is left out */
    BL_FIELD_WORD,   /* an enum by its words; always written */
    BL_FIELD_OTHER   /* written and read by hand; here so that its key is known */
};

struct bl_field {
    const char *key; /* NULL ends a table */
    enum bl_field_kind kind;
    bool is_required;
    size_t offset;
    struct bl_int_range range; /* INT32, INT64 */
    const char *(*name)(int);  /* WORD: the word of a value from 0 to range.high */
};

enum { BL_RECORD_KEYS_MAX = 64 };

/* Offsets from struct bl_event, bl_node_spec, bl_job_spec, bl_job_past, bl_launch. */
extern const struct bl_field *const bl_record_event_fields[BL_EVENT_COUNT];
extern const struct bl_field bl_record_node_fields[];
extern const struct bl_field bl_record_spec_fields[];
extern const struct bl_field bl_record_past_fields[];
extern const struct bl_field bl_record_launch_fields[];

#endif
