#include "cli/table.h"

#include "bl_test.h"

#include <locale.h>

static int choose_locale(void **state)
{
    (void)state;
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

static void fill(struct bl_table *table)
{
    bl_table_add_column(table, "ID", BL_ALIGN_RIGHT);
    bl_table_add_column(table, "NAME", BL_ALIGN_LEFT);
    bl_table_add_column(table, "ST", BL_ALIGN_LEFT);
    bl_table_add(table, "7", BL_TINT_NONE);
    bl_table_add(table, "训练", BL_TINT_NONE);
    bl_table_add(table, "R", BL_TINT_GOOD);
    bl_table_add(table, "1042", BL_TINT_NONE);
    bl_table_add(table, "a\nb", BL_TINT_NONE);
    bl_table_add(table, NULL, BL_TINT_NONE);
}

static void check(const struct bl_table_look *look, const char *expected)
{
    struct bl_table table = {0};
    BL_AUTO_BUF out = {0};

    fill(&table);
    assert_int_equal(bl_table_rows(&table), 2);
    bl_table_print(&out, &table, look);
    assert_string_equal(bl_buf_text(&out), expected);
    bl_table_finish(&table);
}

static void columns_line_up_with_wide_characters_and_escaped_ones(void **state)
{
    const struct bl_table_look look = {0};

    (void)state;
    check(&look, "  ID  NAME  ST\n"
                 "   7  训练  R\n"
                 "1042  a\\nb  –\n");
}

static void without_header_the_widths_are_those_of_the_rows(void **state)
{
    const struct bl_table_look look = {.no_header = true};

    (void)state;
    check(&look, "   7  训练  R\n"
                 "1042  a\\nb  –\n");
}

static void a_narrow_terminal_cuts_lines_not_characters(void **state)
{
    const struct bl_table_look look = {.columns = 9};

    (void)state;
    check(&look, "  ID  NA…\n"
                 "   7  训…\n"
                 "1042  a\\…\n");
}

static void colours_do_not_move_columns(void **state)
{
    const struct bl_table_look look = {.colour = true, .no_header = true};

    (void)state;
    check(&look, "   7  训练  \033[32mR\033[0m\n"
                 "1042  a\\nb  –\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_line_up_with_wide_characters_and_escaped_ones),
        cmocka_unit_test(without_header_the_widths_are_those_of_the_rows),
        cmocka_unit_test(a_narrow_terminal_cuts_lines_not_characters),
        cmocka_unit_test(colours_do_not_move_columns),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
