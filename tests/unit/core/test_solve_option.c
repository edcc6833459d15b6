#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

static void each_job_has_its_base(void **state)
{
    static const struct {
        const char *text;
        double none;
        int32_t none_option;
        bool is_kept;
    } rows[] = {
        {"cap 4; 0:1=5", 0, BL_SOLVE_NONE, false},
        {"cap 4; none=2 0:1=5", 2, BL_SOLVE_NONE, false},
        {"cap 4; none=2 0:1=5 0:0=3 0:0=4", 4, 2, false},
        {"cap 4; none=2 0:1=5 0:0=1", 2, BL_SOLVE_NONE, false},
        {"cap 4; none=-inf 0:1=5", -1e300, BL_SOLVE_NONE, false},
        {"cap 4; keep=0 0:1=5", 0, BL_SOLVE_NONE, true},
        {"cap 4; keep=1 0:1=5", 0, BL_SOLVE_NONE, false},
        {"cap 4; keep=0 1:1=5", 0, BL_SOLVE_NONE, false},
        {"cap 4; keep=0 0:-1=5", 0, BL_SOLVE_NONE, false},
    };
    struct solve_case *it = calloc(1, sizeof *it);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_solver *solver = bl_solver_create();

        solve_case_read(it, rows[i].text);
        bl_solve_prepare(solver, &it->problem, NULL);
        assert_true(fabs(solver->base.at[0].none - rows[i].none) <= 0);
        assert_int_equal(solver->base.at[0].none_option, rows[i].none_option);
        assert_int_equal(solver->base.at[0].is_kept, rows[i].is_kept);
        bl_solver_destroy(solver);
    }
    free(it);
}

static void kept_options_leave_the_rest_of_the_room(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();

    (void)state;
    solve_case_read(it, "cap 7 -3; keep=0 0:2=6; 0:6=9; keep=0 1:1=2; none=1 0:5=4");
    bl_solve_prepare(solver, &it->problem, NULL);
    assert_int_equal(solver->capacity[0], 7);
    assert_int_equal(solver->room[0], 5);
    assert_int_equal(solver->capacity[1], 0);
    assert_int_equal(solver->room[1], -1);
    assert_true(fabs(solver->kept_value - 9) <= 0);
    /* What is beyond the room is worth nothing. */
    assert_true(bl_solve_worth(solver, 0, &it->option[1]) <= 0);
    assert_true(fabs(bl_solve_worth(solver, 1, &it->option[3]) - 3 * solver->scale) <= 0);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_has_its_base),
        cmocka_unit_test(kept_options_leave_the_rest_of_the_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
