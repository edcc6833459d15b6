/* Indices of arrays. */
#include "fuzz.h"

#include "base/own.h"
#include "form/arrayspec.h"

#include <string.h>

static void check_elements(const struct bl_job_spec *spec)
{
    int64_t count = bl_array_count(spec);
    int32_t last = (int32_t)count - 1;

    assert(count >= 1 && count <= BL_ARRAY_ELEMENTS_MAX);
    assert(bl_array_index(spec, (int32_t)count) == -1);
    assert(bl_array_position(spec, bl_array_index(spec, 0)) == 0);
    assert(bl_array_position(spec, bl_array_index(spec, last / 2)) == last / 2);
    assert(bl_array_position(spec, bl_array_index(spec, last)) == last);
}

static void check_print(const struct bl_job_spec *spec, struct bl_arena *arena)
{
    BL_AUTO_BUF printed = {0};
    struct bl_arrayspec again = {0};

    bl_arrayspec_print(&printed, spec);
    assert(bl_arrayspec_parse(bl_buf_text(&printed), arena, &again, NULL) == BL_OK);
    assert(again.count == spec->array_range_count && again.running_max == spec->array_running_max);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct bl_arena arena = {0};
    BL_AUTO_FREE char *text = bl_alloc_zero(length + 1);
    struct bl_arrayspec array = {0};
    struct bl_error err = {0};
    int status;

    if (length) {
        memcpy(text, bytes, length);
    }
    status = bl_arrayspec_parse(text, &arena, &array, &err);
    check_refusal(status, &err);
    if (status == BL_OK) {
        struct bl_job_spec spec = {.array = array.range,
                                   .array_range_count = array.count,
                                   .array_running_max = array.running_max};

        check_elements(&spec);
        check_print(&spec, &arena);
    }
    bl_arena_finish(&arena);
    return 0;
}
