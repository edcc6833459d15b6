#include "bl_test.h"
#include "core/speed.h"
#include "near.h"

static void a_job_is_as_fast_as_its_curve_says(void **state)
{
    struct bl_view view = {0};
    struct bl_job job = {.spec = {.gpus_min = 2,
                                  .gpus_max = 8,
                                  .curve = {.kind = BL_CURVE_EFFICIENCY, .efficiency = 0.5}}};

    (void)state;
    assert_near(bl_speed(&view, &job, -1, 2, 0), 1, 1e-12);
    assert_near(bl_speed(&view, &job, 0, 8, 1), 2.5, 1e-12);
}

static void a_job_of_which_nothing_is_known_is_no_faster_on_more(void **state)
{
    struct bl_view view = {0};
    struct bl_job job = {.spec = {.gpus_min = 1, .gpus_max = 8}};

    (void)state;
    assert_near(bl_speed(&view, &job, -1, 8, 0), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_as_fast_as_its_curve_says),
        cmocka_unit_test(a_job_of_which_nothing_is_known_is_no_faster_on_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
