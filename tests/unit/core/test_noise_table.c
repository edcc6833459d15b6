#include "core/noise_table.h"
#include "near.h"

static void add(struct bl_noise_table *table, double done, double ratio)
{
    bl_noise_table_add(table, done, &(struct bl_noise){2, 2 * ratio});
}

static double ratio_at(const struct bl_noise_table *table, double done)
{
    struct bl_noise noise = bl_noise_table_at(table, done);

    return noise.var / noise.sqr;
}

static void noise_lies_straight_between_reports_and_level_outside(void **state)
{
    struct bl_noise_table table = {0};

    (void)state;
    add(&table, 1, 1);
    add(&table, 11, exp(2));
    assert_near(ratio_at(&table, 0), 1, 1e-12);
    assert_near(ratio_at(&table, 1.5), 1, 1e-12);
    assert_near(ratio_at(&table, 6.5), exp(1), 1e-9);
    assert_near(ratio_at(&table, 11.5), exp(2), 1e-9);
    assert_near(ratio_at(&table, 1e9), exp(2), 1e-9);
}

static void steps_grow_with_the_work(void **state)
{
    struct bl_noise_table table = {0};

    (void)state;
    for (int i = 1; i <= 10000; i++) {
        add(&table, i, exp(i * 1e-3));
    }
    assert_near(table.width, 256, 0);
    for (int i = 300; i <= 9700; i += 100) {
        assert_near(log(ratio_at(&table, i)), i * 1e-3, 0.3);
    }
}

static void old_news_fade(void **state)
{
    struct bl_noise_table table = {0};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        add(&table, 1, 5);
    }
    for (int i = 0; i < 200; i++) {
        add(&table, 1, 1);
    }
    assert_near(ratio_at(&table, 1), 1, 0.01);
}

static void what_is_not_known_changes_nothing(void **state)
{
    const struct {
        double done;
        struct bl_noise noise;
    } rows[] = {
        {NAN, {1, 1}}, {-1, {1, 1}}, {INFINITY, {1, 1}}, {1, {0, 0}}, {1, {NAN, 1}}, {1, {1, -1}},
    };
    struct bl_noise_table table = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_noise_table_add(&table, rows[i].done, &rows[i].noise);
    }
    assert_near(bl_noise_table_at(&table, 3).var, 0, 0);
    bl_noise_table_add(&table, 0, &(struct bl_noise){0, 1});
    assert_true(isfinite(ratio_at(&table, 0)));
    assert_true(ratio_at(&table, 0) > 1e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_lies_straight_between_reports_and_level_outside),
        cmocka_unit_test(steps_grow_with_the_work),
        cmocka_unit_test(old_news_fade),
        cmocka_unit_test(what_is_not_known_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
