#include "form_test.h"

#include "form/arrayspec.h"

static void A7_indices_are_read_as_ranges_and_printed_back(void **state)
{
    static const struct {
        const char *text;
        const char *ranges;
        const char *printed;
    } rows[] = {
        {"0-9", "0..9/1 ", "0-9"},
        {"7", "7..7/1 ", "7"},
        {"1,3,5", "1..1/1 3..3/1 5..5/1 ", "1,3,5"},
        {"0-15:4", "0..15/4 ", "0-15:4"},
        {"0-9%2", "0..9/1 at most 2", "0-9%2"},
        {"5,0-3,10-20:5%1", "5..5/1 0..3/1 10..20/5 at most 1", "5,0-3,10-20:5%1"},
        {"3-3:7", "3..3/7 ", "3"},
        {"0-2:2,1-3:2", "0..2/2 1..3/2 ", "0-2:2,1-3:2"},
        {"2147483647", "2147483647..2147483647/1 ", "2147483647"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_arrayspec spec = {0};
        struct bl_error err = {0};
        struct bl_job_spec job = {0};
        BL_AUTO_BUF ranges = {0};
        BL_AUTO_BUF printed = {0};

        if (bl_arrayspec_parse(rows[i].text, &arena, &spec, &err) != BL_OK) {
            fail_msg("'%s' was refused: %s", rows[i].text, err.text);
        }
        for (size_t j = 0; j < spec.count; j++) {
            bl_buf_printf(&ranges, "%d..%d/%d ", spec.range[j].first, spec.range[j].last,
                          spec.range[j].step);
        }
        if (spec.running_max) {
            bl_buf_printf(&ranges, "at most %d", spec.running_max);
        }
        assert_string_equal(bl_buf_text(&ranges), rows[i].ranges);
        job.array = spec.range;
        job.array_range_count = spec.count;
        job.array_running_max = spec.running_max;
        bl_arrayspec_print(&printed, &job);
        assert_string_equal(bl_buf_text(&printed), rows[i].printed);
        bl_arena_finish(&arena);
    }
}

static void what_is_no_array_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "expected indices like 0-9, 1,3,5, 0-15:4 or 0-99%10, found ''"},
        {"a", "expected indices like"},
        {"1,", "expected indices like"},
        {",1", "expected indices like"},
        {"1-", "expected indices like"},
        {"-1", "expected indices like"},
        {"5-1", "expected indices like"},
        {"0-9:0", "expected indices like"},
        {"0-9:", "expected indices like"},
        {"0:2", "expected indices like"},
        {"0-9%", "expected indices like"},
        {"0-9%0", "expected indices like"},
        {"0-9%1000001", "expected indices like"},
        {"0-9%2,3", "expected indices like"},
        {"0-9 ", "expected indices like"},
        {"2147483648", "expected indices like"},
        {"99999999999999999999", "expected indices like"},
        {"1,2,1", "the index 1 is given twice"},
        {"0-9,5", "the index 5 is given twice"},
        {"0-20:4,3-11:5", "the index 8 is given twice"},
        {"0-2147483647:2147483646,2-2147483647:2147483644", "the index 2147483646 is given twice"},
        {"0-1000000", "expected at most 1000000 elements, found 1000001"},
        {"0-2147483647,0-2147483647", "expected at most 1000000 elements, found 4294967296"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_arrayspec spec = {.count = 77};
        struct bl_error err = {0};

        assert_int_equal(bl_arrayspec_parse(rows[i].text, &arena, &spec, &err), BL_EINVAL);
        form_expect_message(&err, rows[i].message, rows[i].text);
        assert_int_equal(spec.count, 77);
        bl_arena_finish(&arena);
    }
}

/* Whether two ranges, told by (first, count, step), have an index in common: by looking. */
static bool have_common(const int32_t *a, const int32_t *b)
{
    for (int32_t i = 0; i < a[1]; i++) {
        for (int32_t j = 0; j < b[1]; j++) {
            if (a[0] + i * a[2] == b[0] + j * b[2]) {
                return true;
            }
        }
    }
    return false;
}

static void repeated_indices_are_found_whatever_the_steps(void **state)
{
    (void)state;
    for (int32_t seed = 0; seed < 20000; seed++) {
        int32_t a[3] = {seed % 23, 1 + seed / 3 % 9, 1 + seed / 7 % 12};
        int32_t b[3] = {seed / 11 % 31, 1 + seed / 13 % 9, 1 + seed / 17 % 15};
        struct bl_arena arena = {0};
        struct bl_arrayspec spec = {0};
        BL_AUTO_BUF text = {0};
        int status;

        bl_buf_printf(&text, "%d-%d:%d,%d-%d:%d", a[0], a[0] + (a[1] - 1) * a[2], a[2], b[0],
                      b[0] + (b[1] - 1) * b[2], b[2]);
        status = bl_arrayspec_parse(bl_buf_text(&text), &arena, &spec, NULL);
        if ((status != BL_OK) != have_common(a, b)) {
            fail_msg("'%s' was %s", bl_buf_text(&text), status ? "refused" : "taken");
        }
        bl_arena_finish(&arena);
    }
}

static void A7_arrays_are_taken_up_to_their_ceilings_and_no_further(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct bl_arena arena = {0};
        struct bl_arrayspec spec = {0};
        struct bl_error err = {0};
        BL_AUTO_BUF text = {0};

        for (int i = 0; i < BL_ARRAY_RANGES_MAX + more; i++) {
            bl_buf_printf(&text, "%s%d", i ? "," : "", 2 * i);
        }
        if (more) {
            assert_int_equal(bl_arrayspec_parse(bl_buf_text(&text), &arena, &spec, &err),
                             BL_EINVAL);
            form_expect_message(&err, "expected at most 1024 ranges of indices, found 1025", "");
        } else {
            assert_int_equal(bl_arrayspec_parse(bl_buf_text(&text), &arena, &spec, &err), BL_OK);
        }
        bl_arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A7_indices_are_read_as_ranges_and_printed_back),
        cmocka_unit_test(what_is_no_array_is_refused),
        cmocka_unit_test(repeated_indices_are_found_whatever_the_steps),
        cmocka_unit_test(A7_arrays_are_taken_up_to_their_ceilings_and_no_further),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
