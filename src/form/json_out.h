/* Writes JSON into a buffer, commas by itself. Text is escaped; bytes that are not UTF-8 become
 * U+FFFD. Doubles are the shortest form that reads back exactly; NAN and infinities are null. */
#ifndef BL_FORM_JSON_OUT_H
#define BL_FORM_JSON_OUT_H

#include "base/buf.h"
#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>

enum { BL_JSON_DEPTH_MAX = 72 /* any tree, and a few levels around it */ };

struct bl_json {
    struct bl_buf *out;
    int depth;
    bool has_item[BL_JSON_DEPTH_MAX];
    bool after_key;
};

void bl_json_init(struct bl_json *json, struct bl_buf *out);
void bl_json_open_object(struct bl_json *json);
void bl_json_close_object(struct bl_json *json);
void bl_json_open_array(struct bl_json *json);
void bl_json_close_array(struct bl_json *json);
void bl_json_key(struct bl_json *json, const char *key);

void bl_json_text(struct bl_json *json, const char *value); /* NULL writes null */
void bl_json_int(struct bl_json *json, int64_t value);
void bl_json_double(struct bl_json *json, double value);
void bl_json_bool(struct bl_json *json, bool value);
/* A value that is JSON already. */
void bl_json_raw(struct bl_json *json, const char *bytes, size_t length);
void bl_json_null(struct bl_json *json);
void bl_json_seconds(struct bl_json *json, bl_time value); /* exact decimal seconds */
/* Instants: seconds since the epoch; 0 and BL_TIME_NEVER write null. */
void bl_json_instant(struct bl_json *json, bl_time value);

/* key and value in one call */
void bl_json_put_text(struct bl_json *json, const char *key, const char *value);
void bl_json_put_int(struct bl_json *json, const char *key, int64_t value);
void bl_json_put_double(struct bl_json *json, const char *key, double value);
void bl_json_put_bool(struct bl_json *json, const char *key, bool value);
void bl_json_put_null(struct bl_json *json, const char *key);
void bl_json_put_seconds(struct bl_json *json, const char *key, bl_time value);
void bl_json_put_instant(struct bl_json *json, const char *key, bl_time value);

#endif
