#include "bl_test.h"
#include "core/price_path.h"
#include "near.h"

static void what_is_paid_is_the_integral_and_nothing_outside_the_cells(void **state)
{
    static const double edge[] = {10, 20, 50};
    static const double rows[][3] = {/* at, of type 0, of type 1 */
                                     {0, 0, 0},    {10, 0, 0},   {15, 5, 10}, {20, 10, 20},
                                     {30, 30, 20}, {50, 70, 20}, {99, 70, 20}};
    struct bl_price_path path;

    (void)state;
    bl_price_path_init(&path, 2, edge, 2);
    path.price[0] = 1;
    path.price[1] = 2;
    path.price[2] = 2;
    path.price[3] = 0;
    bl_price_path_sum(&path);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_near(bl_price_path_paid(&path, 0, rows[i][0]), rows[i][1], 1e-12);
        assert_near(bl_price_path_paid(&path, 1, rows[i][0]), rows[i][2], 1e-12);
    }
    assert_near(bl_price_path_end(&path), 50, 0);
    bl_price_path_finish(&path);
}

static void a_cell_holds_its_first_edge(void **state)
{
    static const double edge[] = {0, 1, 2, 4, 8};
    struct bl_price_path path;

    (void)state;
    bl_price_path_init(&path, 1, edge, 4);
    assert_int_equal(bl_price_path_cell(&path, 0), 0);
    assert_int_equal(bl_price_path_cell(&path, 0.99), 0);
    assert_int_equal(bl_price_path_cell(&path, 1), 1);
    assert_int_equal(bl_price_path_cell(&path, 7.9), 3);
    bl_price_path_finish(&path);
}

static void prices_are_copied_with_their_sums(void **state)
{
    static const double edge[] = {0, 10};
    struct bl_price_path from, to;

    (void)state;
    bl_price_path_init(&from, 1, edge, 1);
    bl_price_path_init(&to, 1, edge, 1);
    from.price[0] = 3;
    bl_price_path_copy_prices(&to, &from);
    assert_near(bl_price_path_paid(&to, 0, 10), 30, 0);
    bl_price_path_finish(&from);
    bl_price_path_finish(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_paid_is_the_integral_and_nothing_outside_the_cells),
        cmocka_unit_test(a_cell_holds_its_first_edge),
        cmocka_unit_test(prices_are_copied_with_their_sums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
