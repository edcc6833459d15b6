#include "core/foretell_levels.h"
#include "bl_test.h"

#include "base/rng.h"

enum { RUNS = 32 };

#define NOW (1000 * BL_HOUR)

/* Of starts that lie evenly between one hour and three. */
static struct bl_outline even(void)
{
    struct bl_foretold foretold = {.now = NOW, .count = RUNS};

    for (int i = 0; i < RUNS; i++) {
        foretold.at[i] = NOW + BL_HOUR + i * 2 * BL_HOUR / (RUNS - 1);
    }
    return bl_foretold_outline(&foretold);
}

static void assert_close(bl_time a, bl_time b)
{
    assert_true(a - b <= 2 && b - a <= 2);
}

static void who_has_seen_nothing_reads_what_the_runs_say(void **state)
{
    static const struct bl_foretell_levels levels;
    struct bl_outline outline = even();
    struct bl_range range = bl_foretell_levels_read(&levels, &outline);

    (void)state;
    assert_close(range.p10, outline.at[0]);
    assert_close(range.p50, NOW + 2 * BL_HOUR);
    assert_close(range.p90, outline.at[BL_OUTLINE_POINTS - 1]);
}

struct law {
    bl_time first, last; /* of real starts, all between them alike */
};

/* How many of `count` starts after the first `learnt` ones lie where one to three hours are
 * foreseen. */
static int covered_of(const struct law *law, int learnt, int count)
{
    struct bl_foretell_levels levels = {0};
    struct bl_outline outline = even();
    struct bl_rng rng;
    int covered = 0;

    bl_rng_seed(&rng, 5);
    for (int i = 0; i < learnt + count; i++) {
        struct bl_range range = bl_foretell_levels_read(&levels, &outline);
        bl_time start = NOW + bl_rng_between(&rng, law->first, law->last);

        covered += i >= learnt && start >= range.p10 && start <= range.p90;
        bl_foretell_levels_note(&levels, &outline, start);
    }
    return covered;
}

static const struct law laws[] = {
    {BL_HOUR, 3 * BL_HOUR},
    {0, 2 * BL_HOUR},
    {110 * BL_MINUTE, 130 * BL_MINUTE},
    {BL_HOUR, 4 * BL_HOUR},
    {BL_MINUTE, 50 * BL_MINUTE},
    {3 * BL_HOUR, 4 * BL_HOUR},
    {0, 5 * BL_HOUR},
};

/* Real starts follow a law of their own; p10 and p90 come to hold eight of ten of them. */
static void P16_ranges_hold_eight_of_ten_starts_whatever_the_runs_say(void **state)
{
    (void)state;
    for (size_t row = 0; row < sizeof laws / sizeof laws[0]; row++) {
        int covered = covered_of(&laws[row], 1000, 2000);

        if (covered < 1500 || covered > 1700) {
            fail_msg("row %zu: %d of 2000", row, covered);
        }
    }
}

/* Runs that say too much or too little by far: after a hundred starts they are about right. */
static void P16_a_biased_forecaster_is_right_after_few_starts(void **state)
{
    (void)state;
    for (size_t row = 0; row < sizeof laws / sizeof laws[0]; row++) {
        int covered = covered_of(&laws[row], 100, 200);

        if (covered < 140 || covered > 180) {
            fail_msg("row %zu: %d of 200", row, covered);
        }
    }
}

static void many_errors_stretch_a_range_only_so_far(void **state)
{
    struct bl_foretell_levels levels = {0};
    struct bl_outline outline = even();
    struct bl_range range;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        bl_foretell_levels_note(&levels, &outline, NOW + 1000 * BL_DAY);
    }
    range = bl_foretell_levels_read(&levels, &outline);
    assert_true(range.p10 <= range.p50 && range.p50 <= range.p90);
    assert_true(range.p90 <= NOW + 6 * BL_HOUR);
    for (int i = 0; i < 10000; i++) {
        bl_foretell_levels_note(&levels, &outline, NOW);
    }
    range = bl_foretell_levels_read(&levels, &outline);
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
        struct bl_outline outline;

        for (size_t i = 0; i < rows[row].count; i++) {
            foretold.at[i] = NOW + rows[row].first + (bl_time)i * rows[row].step;
        }
        outline = bl_foretold_outline(&foretold);
        for (int i = 0; i < 300; i++) {
            struct bl_range range = bl_foretell_levels_read(&levels, &outline);

            assert_true(range.p10 >= NOW && range.p10 <= range.p50 && range.p50 <= range.p90);
            assert_true(range.p90 < 20 * 3653 * BL_DAY);
            bl_foretell_levels_note(&levels, &outline, NOW + (i % 7) * BL_HOUR);
        }
    }
}

static void what_may_never_start_has_no_instant_and_teaches_nothing(void **state)
{
    struct bl_foretell_levels levels = {0};
    struct bl_outline outline = even();
    struct bl_range range;

    (void)state;
    for (int i = BL_OUTLINE_POINTS / 2; i < BL_OUTLINE_POINTS; i++) {
        outline.at[i] = BL_TIME_NEVER;
    }
    bl_foretell_levels_note(&levels, &outline, NOW + BL_HOUR);
    range = bl_foretell_levels_read(&levels, &outline);
    assert_true(range.p10 < NOW + 2 * BL_HOUR);
    assert_true(range.p90 == BL_TIME_NEVER);
    for (int i = 0; i < BL_LEVELS_CELLS; i++) {
        assert_int_equal(levels.all.cell[i], 0);
    }
}

struct copying {
    struct bl_foretell_levels levels;
    int pieces;
};

static void copy(void *self, const struct bl_kept *kept)
{
    struct copying *copying = self;

    assert_string_equal(kept->of, "start");
    assert_true(kept->count <= BL_KEPT_VALUES_MAX);
    assert_true(bl_foretell_levels_take(&copying->levels, kept));
    copying->pieces++;
}

static void what_was_learnt_goes_through_snapshots_unchanged(void **state)
{
    struct bl_foretell_levels levels = {0};
    struct copying copying = {0};
    struct bl_outline outline = even();

    (void)state;
    for (int i = 0; i < 500; i++) {
        outline.now = NOW - 2 * BL_HOUR * ((1 << i % 5) - 1); /* two hours before, four … */
        bl_foretell_levels_note(&levels, &outline, NOW + i * BL_MINUTE);
    }
    bl_foretell_levels_export(&levels, "start", copy, &copying);
    assert_int_equal(copying.pieces, 5 + 1);
    assert_memory_equal(&copying.levels, &levels, sizeof levels);
}

static void what_makes_no_sense_is_not_taken(void **state)
{
    static const struct {
        const char *name;
        size_t count;
        int64_t value[3];
    } rows[] = {
        {"eta_levels", 0, {0}},
        {"eta_levels", 2, {0, 1}},
        {"eta_levels", 3, {-1, 1, 1}},
        {"eta_levels", 3, {BL_FORETELL_GROUPS + 1, 1, 1}},
        {"eta_levels", 3, {0, BL_LEVELS_CELLS, 1}},
        {"eta_levels", 3, {0, -1, 1}},
        {"eta_levels", 3, {0, 1, -1}},
        {"eta_levels", 3, {0, 1, INT64_C(1) << 31}},
        {"other", 3, {0, 1, 1}},
    };
    static const struct bl_foretell_levels none;
    struct bl_foretell_levels levels = {0};

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct bl_kept kept = {rows[row].name, "start", rows[row].value, rows[row].count};

        assert_false(bl_foretell_levels_take(&levels, &kept));
    }
    assert_memory_equal(&levels, &none, sizeof levels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_seen_nothing_reads_what_the_runs_say),
        cmocka_unit_test(P16_ranges_hold_eight_of_ten_starts_whatever_the_runs_say),
        cmocka_unit_test(many_errors_stretch_a_range_only_so_far),
        cmocka_unit_test(odd_answers_are_read_in_order_and_not_before_the_present),
        cmocka_unit_test(what_may_never_start_has_no_instant_and_teaches_nothing),
        cmocka_unit_test(P16_a_biased_forecaster_is_right_after_few_starts),
        cmocka_unit_test(what_was_learnt_goes_through_snapshots_unchanged),
        cmocka_unit_test(what_makes_no_sense_is_not_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
