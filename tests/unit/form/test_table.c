#include "bl_test.h"
#include "bytes.h"
#include "form/table.h"

static const char *const columns[] = {"name", "size", NULL};

/* "name=size" of each row, as a number or as a count; the message when it fails. */
static const char *read_all(const char *text, bool as_count, struct bl_buf *out,
                            struct bl_error *err)
{
    struct kit_bytes bytes = kit_text(text);
    struct bl_byte_source source = kit_bytes_source("t", &bytes);
    const struct bl_table_range range = {1, 1000};
    struct bl_table table;
    bool has_row = true;
    int status = bl_table_open(&table, &source, columns, err);

    while (status == BL_OK && (status = bl_table_next(&table, &has_row, err)) == BL_OK && has_row) {
        const char *name = "";
        double size = 0;
        int32_t count = 0;

        status = bl_table_text(&table, 0, &name, err);
        if (status == BL_OK) {
            status = as_count ? bl_table_count(&table, 1, range, &count, err)
                              : bl_table_number(&table, 1, range, &size, err);
        }
        if (status == BL_OK) {
            bl_buf_printf(out, "%s=%g ", name, as_count ? count : size);
        }
    }
    bl_table_finish(&table);
    return status == BL_OK ? bl_buf_text(out) : err->text;
}

static void columns_are_found_by_name(void **state)
{
    static const struct {
        const char *text;
        bool as_count;
        const char *found; /* rows, or the message */
    } rows[] = {
        {"name,size\na,1\nb,2.5\n", false, "a=1 b=2.5 "},
        {"size,other,name\n1e2,x,a\n", false, "a=100 "},
        {"name,size\n", false, ""},
        {"name,size\na,7\n", true, "a=7 "},
        {"", false, "t:1: expected a header line, found nothing"},
        {"name,count\n", false, "t:1: the header line has no column 'size'"},
        {"name,size\na\n", false, "t:2: expected 2 fields as in the header, found 1"},
        {"name,size\n,1\n", false,
         "t:2: field 1 (name): expected a word of 1 to 255 bytes, found ''"},
        {"name,size\na\tb,1\n", false,
         "t:2: field 1 (name): expected text without control characters, found 'a\\x09b'"},
        {"size,name\n0,a\n", false,
         "t:2: field 1 (size): expected a number from 1 to 1000, found '0'"},
        {"name,size\na,nan\n", false,
         "t:2: field 2 (size): expected a number from 1 to 1000, found 'nan'"},
        {"name,size\na,0x10\n", false,
         "t:2: field 2 (size): expected a number from 1 to 1000, found '0x10'"},
        {"name,size\na,1e999\n", false,
         "t:2: field 2 (size): expected a number from 1 to 1000, found '1e999'"},
        {"name,size\na,\n", false,
         "t:2: field 2 (size): expected a number from 1 to 1000, found ''"},
        {"name,size\na,1.5\n", true,
         "t:2: field 2 (size): expected a whole number from 1 to 1000, found '1.5'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};
        struct bl_error err = {0};

        assert_string_equal(read_all(rows[i].text, rows[i].as_count, &out, &err), rows[i].found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
