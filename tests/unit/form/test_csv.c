#include "base/own.h"
#include "bl_test.h"
#include "bytes.h"
#include "form/csv.h"

/* Records as "a|b|c", one a line. */
static int read_all(const char *text, size_t step, struct bl_buf *out, struct bl_error *err)
{
    struct kit_bytes bytes = {text, strlen(text), step, 0};
    struct bl_csv csv = {.lines = {.source = kit_bytes_source("t", &bytes)}};
    bool has_record = true;
    int status = BL_OK;

    while (status == BL_OK && has_record) {
        status = bl_csv_next(&csv, &has_record, err);
        for (size_t i = 0; status == BL_OK && has_record && i < csv.field_count; i++) {
            bl_buf_printf(out, "%s%s", i ? "|" : "", csv.field[i]);
        }
        bl_buf_append_text(out, status == BL_OK && has_record ? "\n" : "");
    }
    bl_csv_finish(&csv);
    return status;
}

static void records_are_read_as_the_standard_says(void **state)
{
    static const struct {
        const char *text;
        const char *records;
    } rows[] = {
        {"a,b,c\n1,2,3\n", "a|b|c\n1|2|3\n"},
        {"a,b\r\n\r\n1,\r\n", "a|b\n1|\n"},
        {"a", "a\n"},
        {",,\n", "||\n"},
        {"\"a\",\"b,c\",\"d\"\"e\"\"\"\n", "a|b,c|d\"e\"\n"},
        {"\"\",x\n", "|x\n"},
        {"\"two\nlines\",x\nnext,y\n", "two\nlines|x\nnext|y\n"},
        {"\"a\n\nb\"\n", "a\n\nb\n"},
        {" a , b \n", " a | b \n"},
        {"", ""},
        {"\n\n", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t step = 1; step < 8; step++) {
            BL_AUTO_BUF out = {0};

            assert_int_equal(read_all(rows[i].text, step, &out, NULL), BL_OK);
            assert_string_equal(bl_buf_text(&out), rows[i].records);
        }
    }
}

static void what_is_no_csv_is_an_error_with_its_line(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"a,b\nx,\"y", "t:2: a quote that was opened is never closed"},
        {"a\n\nx\"y\"\n", "t:3: a quote must open a field and close it"},
        {"\"x\"y\n", "t:1: a quote must open a field and close it"},
        {"\xff,b\n", "t:1: the text is not UTF-8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};
        struct bl_error err = {0};

        assert_int_equal(read_all(rows[i].text, 100, &out, &err), BL_EINVAL);
        assert_string_equal(err.text, rows[i].message);
    }
}

static void a_record_has_64_fields_at_most(void **state)
{
    char text[70] = "";
    BL_AUTO_BUF out = {0};
    struct bl_error err = {0};

    (void)state;
    memset(text, ',', 63);
    assert_int_equal(read_all(text, 100, &out, NULL), BL_OK);
    memset(text, ',', 64);
    assert_int_equal(read_all(text, 100, &out, &err), BL_EINVAL);
    assert_string_equal(err.text, "t:1: more than 64 fields");
}

static void a_record_over_the_ceiling_is_refused_even_in_short_lines(void **state)
{
    size_t length = BL_TRACE_LINE_MAX + 10;
    BL_AUTO_FREE char *text = bl_alloc_zero(length + 1);
    BL_AUTO_BUF out = {0};
    struct bl_error err = {0};

    (void)state;
    memset(text, 'x', length);
    for (size_t i = 100; i < length; i += 100) {
        text[i] = '\n';
    }
    text[0] = '"';
    assert_int_equal(read_all(text, 65536, &out, &err), BL_ETOOBIG);
    assert_string_equal(err.text, "t:1: the record is longer than 1048576 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_read_as_the_standard_says),
        cmocka_unit_test(what_is_no_csv_is_an_error_with_its_line),
        cmocka_unit_test(a_record_has_64_fields_at_most),
        cmocka_unit_test(a_record_over_the_ceiling_is_refused_even_in_short_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
