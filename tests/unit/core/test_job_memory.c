#include "bl_test.h"
#include "core/state.h"

static void a_job_owns_a_copy_of_all_that_its_spec_points_to(void **state)
{
    char name[] = "name";
    char type[] = "A100";
    struct bl_dependency after[] = {{3, BL_AFTER_ANY}};
    struct bl_curve_point point[] = {{1, 1.0}, {2, 1.5}};
    struct bl_array_range range[] = {{0, 9, 1}};
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .at = 5, .job = 7};
    struct bl_job *job;
    struct bl_job *element;

    (void)state;
    event.u.submitted = (struct bl_job_spec){.name = name,
                                             .user = name,
                                             .project = name,
                                             .pool = name,
                                             .gpu_type = {type},
                                             .gpu_type_count = 1,
                                             .after = after,
                                             .after_count = 1,
                                             .curve = {BL_CURVE_POINTS, 0, 2, point},
                                             .array = range,
                                             .array_range_count = 1};
    job = bl_job_create(&event);
    memset(name, 'x', sizeof name - 1);
    memset(type, 'x', sizeof type - 1);
    memset(after, 0, sizeof after);
    memset(point, 0, sizeof point);
    memset(range, 0, sizeof range);
    assert_string_equal(job->spec.name, "name");
    assert_string_equal(job->spec.pool, "name");
    assert_string_equal(job->spec.gpu_type[0], "A100");
    assert_int_equal(job->spec.after[0].job, 3);
    assert_true(job->spec.curve.point[1].speed == 1.5);
    assert_int_equal(job->array->count, 10);
    element = bl_job_create_element(job, 4);
    assert_int_equal(element->id, 12);
    assert_int_equal(bl_job_array_index(element), 4);
    assert_string_equal(element->spec.user, "name");
    bl_job_destroy(element);
    bl_job_destroy(job);
    bl_job_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_owns_a_copy_of_all_that_its_spec_points_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
