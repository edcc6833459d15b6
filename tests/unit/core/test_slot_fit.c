#include "bl_test.h"
#include "core/reservation.h"
#include "core/saves.h"
#include "scene.h"

static void what_could_never_run_in_its_slot_is_told_with_both_numbers(void **state)
{
    static const struct {
        const char *type;
        int32_t gpus;
        bl_time limit, lead;
        const char *reason;
        int64_t need, have;
    } rows[] = {
        {NULL, 6, 3 * BL_HOUR, 0, "none", 0, 0},
        {NULL, 0, 0, 0, "none", 0, 0},
        {NULL, 7, BL_HOUR, 0, "slot_too_small", 7, 6},
        {"H100", 1, BL_HOUR, 0, "slot_too_small", 1, 0},
        {NULL, 6, 10 * BL_HOUR, 0, "slot_too_short", 36000, 10800},
        {NULL, 2, 10 * BL_HOUR, 0, "slot_too_short", 36000, 10800},
        {NULL, 6, 0, 3 * BL_HOUR - BL_SAVE_GRACE, "slot_no_time", 10800, 10800},
        {NULL, 6, 0, 3 * BL_HOUR - BL_SAVE_GRACE - 1, "none", 0, 0},
    };
    struct scene s = scene_new("1x6:A100 1x4:H100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 gpus=6 type=A100 from=1h for=3h");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job_spec spec = {.gpus_min = rows[i].gpus,
                                   .gpus_want = rows[i].gpus,
                                   .gpus_max = rows[i].gpus,
                                   .limit = rows[i].limit,
                                   .warning.lead = rows[i].lead,
                                   .reservation = 1};
        struct bl_reason reason;

        spec.gpu_type[0] = rows[i].type;
        spec.gpu_type_count = rows[i].type != NULL;
        reason = bl_slot_misfit_of(s.core, &spec);
        assert_string_equal(bl_reason_name(reason.code), rows[i].reason);
        assert_int_equal(reason.need, rows[i].need);
        assert_int_equal(reason.have, rows[i].have);
    }
    scene_free(&s);
}

static void one_slot_that_could_take_it_is_enough(void **state)
{
    struct scene s = scene_new("1x6:A100", "fifo");
    struct bl_job_spec spec = {.gpus_min = 2, .gpus_want = 2, .gpus_max = 2, .limit = BL_HOUR};

    (void)state;
    spec.reservation = 1;
    assert_int_equal(bl_slot_misfit_of(s.core, &spec).code, BL_REASON_RESERVATION_OVER);
    scene_event(&s, "t=0 reserve id=1 gpus=2 from=1h for=30m every=10h times=3");
    assert_int_equal(bl_slot_misfit_of(s.core, &spec).code, BL_REASON_SLOT_TOO_SHORT);
    assert_true(bl_slot_misfit_of(s.core, &spec).have == 30 * 60);
    scene_event(&s, "t=0 rebook id=1 first=2 only=1 gpus=2 from=11h for=1h");
    assert_int_equal(bl_slot_misfit_of(s.core, &spec).code, BL_REASON_NONE);
    scene_event(&s, "t=0 submit id=1 gpus=2 reservation=1 limit=1h run=10m");
    assert_int_equal(scene_why(&s, 1).at, 11 * BL_HOUR);
    assert_string_equal(scene_starts(&s), "1@11h");
    assert_int_equal(bl_slot_misfit_of(s.core, &spec).code, BL_REASON_RESERVATION_OVER);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_could_never_run_in_its_slot_is_told_with_both_numbers),
        cmocka_unit_test(one_slot_that_could_take_it_is_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
