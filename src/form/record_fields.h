/* What a journal record is made of: one table a struct, shared by the writer and the reader, so
 * that neither can forget what the other knows. Only for src/form/record*.c. */
#ifndef BL_FORM_RECORD_FIELDS_H
#define BL_FORM_RECORD_FIELDS_H

#include "core/event.h"
#include "form/json_out.h"
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

enum { BL_RECORD_KEYS_MAX = 96 };

/* Offsets from struct bl_event, bl_node_spec, bl_job_spec, bl_job_past, bl_launch. */
extern const struct bl_field *const bl_record_event_fields[BL_EVENT_COUNT];
extern const struct bl_field bl_record_node_fields[];
extern const struct bl_field bl_record_spec_fields[];
extern const struct bl_field bl_record_past_fields[];
extern const struct bl_field bl_record_launch_fields[];
extern const struct bl_field bl_record_booking_fields[];    /* struct bl_booking_past */
extern const struct bl_field bl_record_occurrence_fields[]; /* struct bl_occurrence */
extern const struct bl_field bl_record_attempt_fields[];    /* struct bl_job_attempt */

/* record.c, record_read.c: what several records are made of. */
void bl_record_put_fields(struct bl_json *json, const struct bl_field *field, const void *from);
void bl_record_put_parts(struct bl_json *json, const char *key, const struct bl_alloc *alloc);
/* Reads what the table tells into the struct at `to`, which holds zeroes. */
int bl_record_read_fields(const struct bl_tree_reader *in, const struct bl_tree *map,
                          const struct bl_field *fields, void *to);
/* A list that may be absent; `*out` is NULL then. */
int bl_record_find_list(const struct bl_tree_reader *in, const struct bl_tree *map, const char *key,
                        size_t most, const struct bl_tree **out);
int bl_record_read_mask(const struct bl_tree_reader *in, const struct bl_tree *at, uint64_t *out);
int bl_record_read_parts(const struct bl_tree_reader *in, const struct bl_tree *map,
                         const char *key, const struct bl_alloc **out);

/* record.c, record_read.c: a list of GPU types that is left out when it is empty. */
void bl_record_put_gpu_types(struct bl_json *json, const char *const *type, size_t count);
int bl_record_read_gpu_types(const struct bl_tree_reader *in, const struct bl_tree *map,
                             const char **type, size_t *count);

/* record_change.c: what is not in the table of JOB_CHANGED; nothing for other events. */
void bl_record_put_change(struct bl_json *json, const struct bl_event *event);
int bl_record_read_change(const struct bl_tree_reader *in, const struct bl_tree *map,
                          struct bl_event *event);

/* record_booking.c: GPUs by name, under the key `on`; left out when there are none. */
void bl_record_put_places(struct bl_json *json, const struct bl_booking_place *on, size_t count);
int bl_record_read_places(const struct bl_tree_reader *in, const struct bl_tree *map,
                          const struct bl_booking_place **out, size_t *count);

/* record_booking.c: the map `booking` of the events that have one; nothing for all others. */
void bl_record_put_booking(struct bl_json *json, const struct bl_event *event);
int bl_record_read_booking(const struct bl_tree_reader *in, const struct bl_tree *map,
                           struct bl_event *event);

/* record_attempts.c: the list `attempts` of a restored job, which is left out when it is empty. */
void bl_record_put_attempts(struct bl_json *json, const struct bl_job_attempts *attempts);
int bl_record_read_attempts(const struct bl_tree_reader *in, const struct bl_tree *map,
                            struct bl_job_attempts *out);

/* record_foresight.c: what predictions rest on. */
int bl_record_read_foresight(const struct bl_tree_reader *in, const struct bl_tree *map,
                             struct bl_foresight *out);
int bl_record_read_clues(const struct bl_tree_reader *in, const struct bl_tree *map,
                         struct bl_clues *out);
int bl_record_read_fact(const struct bl_tree_reader *in, const struct bl_tree *map,
                        struct bl_fact *out);
void bl_record_put_foretold(struct bl_json *json, const struct bl_event *event);
int bl_record_read_foretold(const struct bl_tree_reader *in, const struct bl_tree *map,
                            struct bl_event *out);
int bl_record_read_kept(const struct bl_tree_reader *in, const struct bl_tree *map,
                        struct bl_kept *out);

#endif
