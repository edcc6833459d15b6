#include "form/csv.h"

#include <string.h>

static int fail(const struct bl_csv *csv, struct bl_error *err, const char *what)
{
    return bl_fail(err, BL_EINVAL, "%s:%u: %s", csv->lines.source.name, csv->number, what);
}

/* Whether the text ends inside quotes: then the record goes on in the next line. */
static bool is_open(const char *text, size_t length, bool was_open)
{
    for (size_t i = 0; i < length; i++) {
        was_open ^= text[i] == '"';
    }
    return was_open;
}

/* Gathers the lines of one record. */
static int read_record(struct bl_csv *csv, bool *has_record, struct bl_error *err)
{
    bool is_quoted = false;
    char *text;
    size_t length;

    csv->record.ceiling = BL_TRACE_LINE_MAX;
    bl_buf_clear(&csv->record);
    *has_record = false;
    do {
        int status = bl_lines_next(&csv->lines, &text, &length, err);

        if (status != BL_OK) {
            return status;
        }
        if (!text) {
            return is_quoted ? fail(csv, err, "a quote that was opened is never closed") : BL_OK;
        }
        if (*has_record) {
            bl_buf_append_char(&csv->record, '\n');
        } else {
            csv->number = csv->lines.number;
        }
        bl_buf_append(&csv->record, text, length);
        *has_record = csv->record.length > 0 || csv->record.overflowed;
        if (csv->record.overflowed) {
            return bl_fail(err, BL_ETOOBIG, "%s:%u: the record is longer than %d bytes",
                           csv->lines.source.name, csv->number, BL_TRACE_LINE_MAX);
        }
        is_quoted = is_open(text, length, is_quoted);
    } while (is_quoted || !*has_record);
    return BL_OK;
}

/* Unquotes in place; answers where the field ended, NULL when text stands behind a quote. */
static char *take_quoted(char *at)
{
    char *to = at++;

    for (;; at++) {
        if (*at == '"') {
            if (at[1] != '"') {
                break;
            }
            at++;
        }
        *to++ = *at;
    }
    at++;
    *to = '\0';
    return *at == ',' || *at == '\0' ? at : NULL;
}

static char *take_plain(char *at)
{
    at += strcspn(at, ",\"");
    return *at == '"' ? NULL : at;
}

static int split(struct bl_csv *csv, struct bl_error *err)
{
    char *at = csv->record.text;

    csv->field_count = 0;
    if (strlen(at) != csv->record.length) {
        return fail(csv, err, "a zero byte in the text");
    }
    for (;;) {
        char *start = at;
        bool is_last;

        if (csv->field_count == BL_CSV_FIELDS_MAX) {
            return fail(csv, err, "more than 64 fields");
        }
        at = *start == '"' ? take_quoted(start) : take_plain(start);
        if (!at) {
            return fail(csv, err, "a quote must open a field and close it");
        }
        is_last = *at == '\0';
        *at = '\0';
        csv->field[csv->field_count++] = start;
        if (is_last) {
            return BL_OK;
        }
        at++;
    }
}

int bl_csv_next(struct bl_csv *csv, bool *has_record, struct bl_error *err)
{
    int status = read_record(csv, has_record, err);

    if (status != BL_OK || !*has_record) {
        return status;
    }
    if (!bl_is_utf8(csv->record.text, csv->record.length)) {
        return fail(csv, err, "the text is not UTF-8");
    }
    return split(csv, err);
}

void bl_csv_finish(struct bl_csv *csv)
{
    bl_lines_finish(&csv->lines);
    bl_buf_finish(&csv->record);
}
