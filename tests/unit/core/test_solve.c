#include "bl_test.h"
#include "prop.h"
#include "solve_case.h"

#include <math.h>

/* Scratch of a law; too large for a stack. */
struct laws {
    struct solve_case it;
    struct solve_case other;
    struct solve_case_shape shape;
    int64_t budget;
};

static bool is_between(const struct solve_case *it, double optimum)
{
    double slack = 1e-9 * solve_case_size(it);

    if (!it->answer.is_feasible) {
        return isinf(optimum);
    }
    return it->answer.bound >= optimum - slack && it->answer.value <= optimum + slack &&
           (!it->answer.is_proved || fabs(it->answer.value - optimum) <= slack);
}

static bool bound_optimum_value(struct bl_prop *prop, void *context)
{
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    double optimum;
    bool holds;

    solve_case_draw(&laws->it, prop, &laws->shape);
    optimum = solve_case_optimum(&laws->it);
    holds = solve_case_run(&laws->it, solver, NULL, laws->budget) && is_between(&laws->it, optimum);
    bl_prop_note(prop, "optimum %.17g value %.17g bound %.17g proved %d", optimum,
                 laws->it.answer.value, laws->it.answer.bound, laws->it.answer.is_proved);
    bl_solver_destroy(solver);
    return holds;
}

static void expect_law(const char *name, int cases, bl_prop_law *law,
                       const struct solve_case_shape *shape, int64_t budget)
{
    struct laws *laws = calloc(1, sizeof *laws);

    laws->shape = *shape;
    laws->budget = budget;
    assert_true(bl_prop_holds(name, cases, law, laws));
    free(laws);
}

static const struct solve_case_shape shapes[] = {
    {1, 6, 4, 6, 12, false}, {2, 6, 5, 6, 10, false}, {3, 5, 6, 4, 6, false},
    {6, 5, 6, 9, 9, false},  {16, 4, 8, 3, 5, false}, {2, 5, 5, 5, 9, true},
    {3, 5, 5, 1, 3, false},  {1, 9, 2, 8, 20, false},
};

static void the_bound_is_over_the_optimum_and_the_value_under_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        expect_law("bound, optimum, value", 300, bound_optimum_value, &shapes[i], 0);
    }
}

static void however_little_work_is_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        expect_law("one operation", 60, bound_optimum_value, &shapes[i], 1);
        expect_law("some operations", 60, bound_optimum_value, &shapes[i], 400);
    }
}

/* Small problems without odd values are solved to the end. */
static bool small_is_proved(struct bl_prop *prop, void *context)
{
    struct laws *laws = context;

    return bound_optimum_value(prop, context) &&
           (laws->it.answer.is_proved || !laws->it.answer.is_feasible);
}

static void small_problems_are_proved(void **state)
{
    (void)state;
    expect_law("proved", 300, small_is_proved, &shapes[1], 0);
    expect_law("proved", 300, small_is_proved, &shapes[2], 0);
}

static bool is_same_answer(const struct bl_solve_answer *a, const struct bl_solve_answer *b,
                           int32_t types)
{
    for (int32_t t = 0; t < types; t++) {
        if (a->price[t] != b->price[t]) {
            return false;
        }
    }
    return a->value == b->value && a->bound == b->bound && a->gap == b->gap &&
           a->is_proved == b->is_proved && a->is_feasible == b->is_feasible && a->work == b->work &&
           a->evaluations == b->evaluations;
}

static bool twice_is_the_same(struct bl_prop *prop, void *context)
{
    struct laws *laws = context;
    struct bl_solver *solver = bl_solver_create();
    struct bl_solver *other = bl_solver_create();
    struct solve_case *a = &laws->it;
    struct solve_case *b = &laws->other;
    bool is_same;

    solve_case_draw(a, prop, &laws->shape);
    is_same = solve_case_run(a, solver, NULL, 0);
    solve_case_copy(b, a);
    is_same = is_same && solve_case_run(b, other, NULL, 0);
    is_same = is_same && memcmp(a->choice, b->choice, sizeof a->choice) == 0 &&
              is_same_answer(&a->answer, &b->answer, a->problem.types);
    bl_solver_destroy(solver);
    bl_solver_destroy(other);
    return is_same;
}

static void the_same_problem_has_the_same_answer_to_the_bit(void **state)
{
    static const struct solve_case_shape shape = {4, 40, 8, 12, 60, false};

    (void)state;
    expect_law("same", 60, twice_is_the_same, &shape, 0);
}

static bool warm_holds(struct bl_prop *prop, void *context)
{
    struct laws *laws = context;
    struct solve_case *it = &laws->it;
    struct bl_solver *solver = bl_solver_create();
    bool holds;

    solve_case_draw(it, prop, &laws->shape);
    holds = solve_case_run(it, solver, NULL, 0);
    for (int round = 0; round < 4 && it->problem.jobs > 0 && holds; round++) {
        size_t job = (size_t)bl_prop_between(prop, 0, (int64_t)it->problem.jobs - 1);
        size_t list[2] = {job, job};

        bl_prop_note(prop, "round %d", round);
        solve_case_change(it, prop, &laws->shape, job);
        it->capacity[0] += bl_prop_between(prop, 0, 1) * 3;
        holds = solve_case_run(it, solver, &(struct bl_solve_change){list, 2, true}, 0) &&
                is_between(it, solve_case_optimum(it));
    }
    bl_solver_destroy(solver);
    return holds;
}

static void after_a_change_the_answer_is_as_good(void **state)
{
    (void)state;
    expect_law("warm", 300, warm_holds, &(struct solve_case_shape){2, 7, 3, 6, 14, false}, 0);
    expect_law("warm, odd", 300, warm_holds, &(struct solve_case_shape){2, 7, 3, 6, 14, true}, 0);
}

static void odd_problems_have_the_answers_that_were_promised(void **state)
{
    static const struct {
        const char *text;
        double value;
        int32_t first_choice;
    } rows[] = {
        {"cap 4", 0, BL_SOLVE_NONE},
        {"cap", 0, BL_SOLVE_NONE},
        {"cap 0; 0:1=5", 0, BL_SOLVE_NONE},
        {"cap 4; 0:1=5", 5, 0},
        {"cap 4; 0:8=5", 0, BL_SOLVE_NONE},
        {"cap 4; 0:1=-5", 0, BL_SOLVE_NONE},
        {"cap 4; 0:1=0", 0, BL_SOLVE_NONE},
        {"cap 4; 0:1=nan", 0, BL_SOLVE_NONE},
        {"cap 4; 0:1=inf", 1e300, 0},
        {"cap 4; 0:1=-inf", 0, BL_SOLVE_NONE},
        {"cap 4; 0:1=1e-300", 1e-300, 0},
        {"cap 4; none=nan 0:1=2", 2, 0},
        {"cap 4; none=3 0:1=2", 3, BL_SOLVE_NONE},
        {"cap 4; none=-3 0:5=2", -3, BL_SOLVE_NONE},
        {"cap 4; 0:0=2 0:5=3", 2, 0},
        {"cap 4; 0:-1=2 0:4=1", 1, 1},
        {"cap 4; 1:1=2 -1:1=2 0:4=1", 1, 2},
        {"cap 4; keep=0 0:4=-7; 0:1=5", -7, 0},
        {"cap 4; keep=7 0:4=7; 0:4=9", 9, BL_SOLVE_NONE},
        {"cap 4; keep=0 0:3=nan 0:4=7; 0:1=5", 5, 0},
        {"cap 2147483647; 0:2147483647=3; 0:1=2; 0:1=2", 4, BL_SOLVE_NONE},
        {"cap 9223372036854775807; 0:2147483647=3; 0:2147483647=3", 6, 0},
        {"cap 2; 0:1=1; 0:1=1; 0:1=1; 0:1=1", 2, -2},
        {"cap 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1; 15:1=2 3:1=2; 15:1=2", 4, 1},
    };
    struct solve_case *it = calloc(1, sizeof *it);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_solver *solver = bl_solver_create();

        solve_case_read(it, rows[i].text);
        if (!solve_case_run(it, solver, NULL, 0) || fabs(it->answer.value - rows[i].value) > 0 ||
            (it->problem.jobs > 0 && rows[i].first_choice > -2 &&
             it->choice[0] != rows[i].first_choice)) {
            fail_msg("%s: value %g choice %d", rows[i].text, it->answer.value, (int)it->choice[0]);
        }
        assert_true(it->answer.is_proved && it->answer.is_feasible);
        bl_solver_destroy(solver);
    }
    free(it);
}

static void kept_options_that_do_not_fit_are_kept_and_reported(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();

    (void)state;
    solve_case_read(it, "cap 4 2; keep=0 0:3=1; keep=0 0:3=1; 0:1=5; 1:1=5");
    bl_solve(solver, &it->problem, NULL, 0, &it->answer);
    assert_false(it->answer.is_feasible || it->answer.is_proved);
    assert_int_equal(it->choice[0], 0);
    assert_int_equal(it->choice[1], 0);
    assert_int_equal(it->choice[2], BL_SOLVE_NONE);
    assert_int_equal(it->choice[3], 0);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_over_the_optimum_and_the_value_under_it),
        cmocka_unit_test(however_little_work_is_allowed),
        cmocka_unit_test(small_problems_are_proved),
        cmocka_unit_test(the_same_problem_has_the_same_answer_to_the_bit),
        cmocka_unit_test(after_a_change_the_answer_is_as_good),
        cmocka_unit_test(odd_problems_have_the_answers_that_were_promised),
        cmocka_unit_test(kept_options_that_do_not_fit_are_kept_and_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
