/* Files of the time zone database, good ones and any bytes. */
#include "bl_test.h"

#include "base/buf.h"
#include "base/own.h"
#include "calendar/tzif.h"

/* The counts of a header, in the order of the file. */
struct counts {
    uint32_t ut, standard, leap, time, kind, chars;
};

static void append_number(struct bl_buf *out, int64_t number, int bytes)
{
    while (bytes-- > 0) {
        bl_buf_append_char(out, (char)((uint64_t)number >> (8 * (unsigned)bytes)));
    }
}

static void append_header(struct bl_buf *out, char version, struct counts counts)
{
    bl_buf_append_text(out, "TZif");
    bl_buf_append_char(out, version);
    append_number(out, 0, 8);
    append_number(out, 0, 7);
    append_number(out, counts.ut, 4);
    append_number(out, counts.standard, 4);
    append_number(out, counts.leap, 4);
    append_number(out, counts.time, 4);
    append_number(out, counts.kind, 4);
    append_number(out, counts.chars, 4);
}

/* Two kinds, two changes, and the rule of the tests before. */
static void append_file(struct bl_buf *out, const char *footer)
{
    append_header(out, '2', (struct counts){.kind = 1, .chars = 1});
    append_number(out, 0, 6 + 1); /* a first block that only old readers look at */
    append_header(out, '2', (struct counts){.time = 2, .kind = 2, .chars = 8});
    append_number(out, -1000, 8);
    append_number(out, 5000, 8);
    append_number(out, 1, 1);
    append_number(out, 0, 1);
    append_number(out, 3600, 4);
    append_number(out, 0, 1);
    append_number(out, 0, 1);
    append_number(out, 7200, 4);
    append_number(out, 1, 1);
    append_number(out, 4, 1);
    bl_buf_append(out, "AAA\0BBB\0", 8);
    bl_buf_append_text(out, footer);
}

static void changes_kinds_and_the_rule_behind_are_read(void **state)
{
    BL_AUTO_BUF file = {0};
    struct bl_tzif tzif = {0};

    (void)state;
    append_file(&file, "\nCET-1CEST,M3.5.0,M10.5.0/3\n");
    assert_int_equal(bl_tzif_read(file.text, file.length, &tzif, NULL), BL_OK);
    assert_int_equal(tzif.count, 2);
    assert_int_equal(tzif.when[0], -1000);
    assert_int_equal(tzif.when[1], 5000);
    assert_int_equal(tzif.kind[tzif.type[0]].offset, 7200);
    assert_true(tzif.kind[tzif.type[0]].is_summer);
    assert_string_equal(tzif.kind[tzif.type[1]].abbreviation, "AAA");
    assert_int_equal(tzif.rule.summer.offset, 7200);
    bl_tzif_finish(&tzif);
}

static void without_a_rule_the_last_change_holds_for_ever(void **state)
{
    BL_AUTO_BUF file = {0};
    struct bl_tzif tzif = {0};

    (void)state;
    append_file(&file, "\n\n");
    assert_int_equal(bl_tzif_read(file.text, file.length, &tzif, NULL), BL_OK);
    assert_false(tzif.rule.has_summer);
    assert_int_equal(tzif.rule.winter.offset, 3600);
    bl_tzif_finish(&tzif);
}

static void a_file_that_ends_early_anywhere_is_refused(void **state)
{
    BL_AUTO_BUF file = {0};

    (void)state;
    append_file(&file, "\nCET-1CEST,M3.5.0,M10.5.0/3\n");
    for (size_t length = 0; length < file.length; length++) {
        /* in memory of its own length, so that a read past the end is seen */
        BL_AUTO_FREE char *part = bl_alloc_zero(length + 1);
        struct bl_tzif tzif = {0};
        struct bl_error err = {0};

        part = bl_realloc_array(part, length ? length : 1, 1);
        memcpy(part, file.text, length);
        assert_int_equal(bl_tzif_read(part, length, &tzif, &err), BL_EINVAL);
        assert_non_null(strstr(err.text, "TZif"));
        assert_null(tzif.when);
    }
}

static void wrong_numbers_inside_are_refused(void **state)
{
    static const struct {
        const char *what;
        size_t at; /* from the second header on */
        unsigned char byte;
    } rows[] = {
        {"a count of leap seconds", 31, 1},
        {"a count beyond the ceiling", 32, 1},
        {"no kinds", 39, 0},
        {"changes that fall", 44 + 8, 0x80},
        {"a kind that is not there", 44 + 16, 2},
        {"an offset of days", 44 + 18, 1},
        {"a name outside of the names", 44 + 23, 8},
    };
    BL_AUTO_BUF file = {0};

    (void)state;
    append_file(&file, "\nUTC0\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BL_AUTO_FREE char *copy = bl_copy_part("", 0);
        struct bl_tzif tzif = {0};

        copy = bl_realloc_array(copy, file.length, 1);
        memcpy(copy, file.text, file.length);
        copy[44 + 7 + rows[i].at] = (char)rows[i].byte;
        if (bl_tzif_read(copy, file.length, &tzif, NULL) == BL_OK) {
            fail_msg("%s was read", rows[i].what);
        }
    }
}

static void old_files_and_other_files_are_refused(void **state)
{
    static const char *const texts[] = {"", "TZif", "# tz zone descriptions", "PK and more"};
    BL_AUTO_BUF old = {0};
    struct bl_tzif tzif = {0};

    (void)state;
    append_header(&old, '\0', (struct counts){.kind = 1, .chars = 1});
    append_number(&old, 0, 6 + 1);
    assert_int_equal(bl_tzif_read(old.text, old.length, &tzif, NULL), BL_EINVAL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(bl_tzif_read(texts[i], strlen(texts[i]), &tzif, NULL), BL_EINVAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_kinds_and_the_rule_behind_are_read),
        cmocka_unit_test(without_a_rule_the_last_change_holds_for_ever),
        cmocka_unit_test(a_file_that_ends_early_anywhere_is_refused),
        cmocka_unit_test(wrong_numbers_inside_are_refused),
        cmocka_unit_test(old_files_and_other_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
