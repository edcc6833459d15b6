#include "core/foretell_levels.h"
#include "bl_test.h"

#include "base/rng.h"

enum { RUNS = 32 };

#define NOW (1000 * BL_HOUR)

/* Starts that lie evenly between one hour and three. */
static struct bl_foretold even(void)
{
    struct bl_foretold foretold = {.now = NOW, .count = RUNS};

    for (int i = 0; i < RUNS; i++) {
        foretold.at[i] = NOW + BL_HOUR + i * 2 * BL_HOUR / (RUNS - 1);
    }
    return foretold;
}

static void who_has_seen_nothing_reads_what_the_runs_say(void **state)
{
    static const struct bl_foretell_levels levels;
    struct bl_foretold foretold = even();
    struct bl_range range = bl_foretell_levels_read(&levels, &foretold);

    (void)state;
    assert_in_range(range.p10, NOW + BL_HOUR - 5 * BL_MINUTE, NOW + BL_HOUR + 15 * BL_MINUTE);
    assert_in_range(range.p50, NOW + 2 * BL_HOUR - BL_MINUTE, NOW + 2 * BL_HOUR + BL_MINUTE);
    assert_in_range(range.p90, NOW + 3 * BL_HOUR - 15 * BL_MINUTE,
                    NOW + 3 * BL_HOUR + 5 * BL_MINUTE);
}

/* Real starts follow a law of their own; p10 and p90 come to hold eight of ten of them. */
static void P16_ranges_hold_eight_of_ten_starts_whatever_the_runs_say(void **state)
{
    static const struct {
        bl_time first, last;
    } rows[] = {
        {BL_HOUR, 3 * BL_HOUR},
        {0, 2 * BL_HOUR},
        {110 * BL_MINUTE, 130 * BL_MINUTE},
        {BL_HOUR, 4 * BL_HOUR},
        {BL_MINUTE, 50 * BL_MINUTE},
        {3 * BL_HOUR, 4 * BL_HOUR},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct bl_foretell_levels levels = {0};
        struct bl_foretold foretold = even();
        struct bl_rng rng;
        int covered = 0;

        bl_rng_seed(&rng, 5);
        for (int i = 0; i < 3000; i++) {
            struct bl_range range = bl_foretell_levels_read(&levels, &foretold);
            bl_time start = NOW + bl_rng_between(&rng, rows[row].first, rows[row].last);

            covered += i >= 1000 && start >= range.p10 && start <= range.p90;
            bl_foretell_levels_note(&levels, &foretold, start);
        }
        if (covered < 1500 || covered > 1800) {
            fail_msg("row %zu: %d of 2000", row, covered);
        }
    }
}

static void many_errors_stretch_a_range_only_so_far(void **state)
{
    struct bl_foretell_levels levels = {0};
    struct bl_foretold foretold = even();
    struct bl_range range;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        bl_foretell_levels_note(&levels, &foretold, NOW + 1000 * BL_DAY);
    }
    range = bl_foretell_levels_read(&levels, &foretold);
    assert_true(range.p10 <= range.p50 && range.p50 <= range.p90);
    assert_true(range.p90 <= NOW + 6 * BL_HOUR);
    for (int i = 0; i < 10000; i++) {
        bl_foretell_levels_note(&levels, &foretold, NOW);
    }
    range = bl_foretell_levels_read(&levels, &foretold);
    assert_true(range.p10 >= NOW && range.p10 <= range.p50 && range.p50 <= range.p90);
}

static void odd_answers_are_read_in_order_and_not_before_the_present(void **state)
{
    static const struct {
        bl_time first, step;
        size_t count;
    } rows[] = {
        {0, 0, RUNS},    {0, 1, RUNS},          {BL_SECOND, 0, RUNS},
        {BL_HOUR, 0, 1}, {3653 * BL_DAY, 0, 2}, {1, 30 * BL_DAY, RUNS},
        {0, 0, 1},       {5, BL_DAY, 2},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct bl_foretell_levels levels = {0};
        struct bl_foretold foretold = {.now = NOW, .count = rows[row].count};

        for (size_t i = 0; i < rows[row].count; i++) {
            foretold.at[i] = NOW + rows[row].first + (bl_time)i * rows[row].step;
        }
        for (int i = 0; i < 300; i++) {
            struct bl_range range = bl_foretell_levels_read(&levels, &foretold);

            assert_true(range.p10 >= NOW && range.p10 <= range.p50 && range.p50 <= range.p90);
            assert_true(range.p90 < 20 * 3653 * BL_DAY);
            bl_foretell_levels_note(&levels, &foretold, NOW + (i % 7) * BL_HOUR);
        }
    }
}

static void what_may_never_start_has_no_instant_and_teaches_nothing(void **state)
{
    struct bl_foretell_levels levels = {0};
    struct bl_foretold foretold = even();
    struct bl_range range;

    (void)state;
    for (int i = RUNS / 2; i < RUNS; i++) {
        foretold.at[i] = BL_TIME_NEVER;
    }
    bl_foretell_levels_note(&levels, &foretold, NOW + BL_HOUR);
    range = bl_foretell_levels_read(&levels, &foretold);
    assert_true(range.p10 < NOW + 2 * BL_HOUR);
    assert_true(range.p90 == BL_TIME_NEVER);
    for (int i = 0; i < BL_LEVELS_CELLS; i++) {
        assert_int_equal(levels.all.cell[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_seen_nothing_reads_what_the_runs_say),
        cmocka_unit_test(P16_ranges_hold_eight_of_ten_starts_whatever_the_runs_say),
        cmocka_unit_test(many_errors_stretch_a_range_only_so_far),
        cmocka_unit_test(odd_answers_are_read_in_order_and_not_before_the_present),
        cmocka_unit_test(what_may_never_start_has_no_instant_and_teaches_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
