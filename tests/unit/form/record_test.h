/* Records that are refused, for the tests of their parts. */
#ifndef BL_TEST_RECORD_TEST_H
#define BL_TEST_RECORD_TEST_H

#include "form_test.h"

#include "form/record.h"

struct broken_record {
    const char *json;
    const char *message;
};

static void expect_broken_records(const struct broken_record *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct bl_arena arena = {0};
        struct bl_record record;
        struct bl_error err = {0};

        assert_int_not_equal(
            bl_record_read("record 17", row[i].json, strlen(row[i].json), &arena, &record, &err),
            BL_OK);
        form_expect_message(&err, row[i].message, row[i].json);
        bl_arena_finish(&arena);
    }
}

#endif
