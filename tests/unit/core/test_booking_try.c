#include "bl_test.h"
#include "scene.h"

/* Rows are lines of `reserve`, and what is wrong with them at 10h on 2x4:A100 1x2:V100. */
static const struct {
    const char *line;
    enum bl_booking_fault fault;
} rows[] = {
    {"id=9 gpus=8 from=11h for=1h type=A100", BL_BOOKING_FINE},
    {"id=9 gpus=1 from=11h for=0s", BL_BOOKING_REVERSED},
    {"id=9 gpus=1 from=11h for=1h times=0", BL_BOOKING_SLOTS},
    {"id=9 gpus=1 from=11h for=1h times=1001 every=1h", BL_BOOKING_SLOTS},
    {"id=9 gpus=1 from=11h for=1h times=2", BL_BOOKING_SLOTS},
    {"id=9 gpus=1 from=8h for=1h", BL_BOOKING_PAST},
    {"id=9 gpus=1 from=9h for=2h", BL_BOOKING_PAST},
    {"id=9 gpus=1 from=9h56m for=2h", BL_BOOKING_FINE},
    {"id=9 gpus=1 from=9590h for=1h", BL_BOOKING_FINE},
    {"id=9 gpus=1 from=9700h for=1h", BL_BOOKING_TOO_FAR},
    {"id=9 gpus=1 from=9590h for=50h", BL_BOOKING_TOO_FAR},
    {"id=9 gpus=1 from=11h for=1h flex=9601h", BL_BOOKING_FLEX},
    {"id=9 gpus=1 from=11h for=1h release=9601h", BL_BOOKING_FLEX},
    {"id=9 from=11h for=1h", BL_BOOKING_GPUS},
    {"id=9 gpus=-4 from=11h for=1h", BL_BOOKING_GPUS},
    {"id=9 on=n4 from=11h for=1h", BL_BOOKING_NODE},
    {"id=9 on=n3:1-2 from=11h for=1h", BL_BOOKING_NODE},
    {"id=9 on=n3:0-1 from=11h for=1h", BL_BOOKING_FINE},
    {"id=9 on=n3 type=A100 from=11h for=1h", BL_BOOKING_GPU_TYPE},
    {"id=9 gpus=1 type=H100 from=11h for=1h", BL_BOOKING_GPU_TYPE},
    {"id=9 gpus=9 from=11h for=1h type=A100", BL_BOOKING_TOO_LARGE},
    {"id=9 gpus=9 from=11h for=1h", BL_BOOKING_TAKEN},
    {"id=1 gpus=1 from=11h for=1h", BL_BOOKING_NO_SUCH},
};

static void what_is_wrong_with_a_booking_is_named_and_it_changes_nothing(void **state)
{
    struct scene s = scene_new("2x4:A100 1x2:V100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=1 from=50h for=1h");
    scene_event(&s, "t=10h round");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena = {0};
        struct bl_booking_spec spec = scene_wish(rows[i].line, &arena);
        struct bl_booking_wish wish = {.spec = &spec};
        struct bl_openings found;

        bl_openings_find(s.core, &wish, &arena, &found);
        if (found.fault != rows[i].fault) {
            fail_msg("'%s': %d instead of %d", rows[i].line, (int)found.fault, (int)rows[i].fault);
        }
        bl_arena_finish(&arena);
    }
    assert_null(bl_core_find_booking(s.core, 9));
    scene_free(&s);
}

static void a_change_meets_the_same_checks(void **state)
{
    struct scene s = scene_new("2x4:A100", "fifo");
    static const struct {
        const char *line;
        int32_t first;
        enum bl_booking_fault fault;
    } changes[] = {
        {"id=1 gpus=2 from=3h for=1h", 1, BL_BOOKING_FINE},
        {"id=1 gpus=2 from=3h for=0s", 1, BL_BOOKING_REVERSED},
        {"id=1 gpus=0 from=3h for=1h", 1, BL_BOOKING_GPUS},
        {"id=1 gpus=2 from=3h for=1h", 3, BL_BOOKING_NO_SUCH},
        {"id=5 gpus=2 from=3h for=1h", 1, BL_BOOKING_NO_SUCH},
        {"id=-1 gpus=2 from=3h for=1h", 1, BL_BOOKING_NO_SUCH},
        {"id=1 gpus=8 from=2h for=1h", 1, BL_BOOKING_TAKEN},
    };

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h");
    scene_event(&s, "t=0 reserve id=2 gpus=1 from=2h for=1h");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct bl_arena arena = {0};
        struct bl_booking_spec spec = scene_wish(changes[i].line, &arena);
        struct bl_booking_wish wish = {.spec = &spec, .first = changes[i].first};
        struct bl_openings found;

        bl_openings_find(s.core, &wish, &arena, &found);
        assert_int_equal(found.fault, changes[i].fault);
        bl_arena_finish(&arena);
    }
    assert_string_equal(scene_booking(&s, 1), "1 booked 1h-2h n1:0,1");
    scene_free(&s);
}

static void slots_take_the_numbers_that_they_are_given(void **state)
{
    static const struct {
        int32_t number[2];
        enum bl_booking_fault fault;
    } cases[] = {{{2, 4}, BL_BOOKING_FINE},       {{3, 4}, BL_BOOKING_FINE},
                 {{1, 4}, BL_BOOKING_SLOTS},      {{4, 4}, BL_BOOKING_SLOTS},
                 {{4, 3}, BL_BOOKING_SLOTS},      {{0, 1}, BL_BOOKING_SLOTS},
                 {{2, 1 << 21}, BL_BOOKING_SLOTS}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene s = scene_new("1x8:A100", "fifo");
        struct bl_arena arena = {0};
        struct bl_booking_spec spec =
            scene_wish("id=1 gpus=3 from=3h for=1h times=2 every=5h", &arena);
        struct bl_booking_wish wish = {.spec = &spec, .first = 2};
        struct bl_openings found;

        scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=1h times=4 every=1h");
        scene_event(&s, "t=0 unreserve id=1 occurrence=3");
        spec.number = cases[i].number;
        bl_openings_find(s.core, &wish, &arena, &found);
        assert_int_equal(found.fault, cases[i].fault);
        scene_step(&s,
                   &(struct bl_event){.kind = BL_EVENT_RESERVATION_CHANGED, .u.rebooked = wish});
        assert_int_equal(bl_core_find_booking(s.core, 1)->revision,
                         1 + (cases[i].fault == BL_BOOKING_FINE));
        if (i == 0) {
            assert_string_equal(scene_booking(&s, 1),
                                "1 booked 1h-2h n1:0,1; 2 booked 3h-4h n1:0,1,2; "
                                "4 booked 8h-9h n1:0,1,2");
        }
        bl_arena_finish(&arena);
        scene_free(&s);
    }
}

static void what_has_begun_keeps_its_gpus_and_may_last_longer(void **state)
{
    struct scene s = scene_new("1x8:A100", "fifo");
    static const struct {
        const char *line;
        enum bl_booking_fault fault;
    } changes[] = {
        {"id=1 gpus=2 from=1h for=4h", BL_BOOKING_FINE},
        {"id=1 gpus=3 from=1h for=1h", BL_BOOKING_GOES_ON},
        {"id=1 gpus=1 from=1h for=1h", BL_BOOKING_GOES_ON},
        {"id=1 on=n1:4-5 from=1h for=1h", BL_BOOKING_GOES_ON},
        {"id=1 gpus=2 from=1h for=8h", BL_BOOKING_TAKEN},
    };

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=2h");
    scene_event(&s, "t=0 reserve id=2 gpus=8 from=6h for=1h");
    scene_event(&s, "t=1h round");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct bl_arena arena = {0};
        struct bl_booking_spec spec = scene_wish(changes[i].line, &arena);
        struct bl_booking_wish wish = {.spec = &spec, .first = 1};
        struct bl_openings found;

        bl_openings_find(s.core, &wish, &arena, &found);
        assert_int_equal(found.fault, changes[i].fault);
        bl_arena_finish(&arena);
    }
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_with_a_booking_is_named_and_it_changes_nothing),
        cmocka_unit_test(a_change_meets_the_same_checks),
        cmocka_unit_test(slots_take_the_numbers_that_they_are_given),
        cmocka_unit_test(what_has_begun_keeps_its_gpus_and_may_last_longer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
