#include "bl_test.h"
#include "solve_case.h"

/* A sound answer, spoilt in one place, must be found out. */
static const char problem_text[] =
    "cap 4 2; 0:1=3 0:2=5; 0:3=4 1:2=1; keep=1 0:1=9 1:1=2; none=1 0:4=8";

static void setup(struct solve_case *it)
{
    struct bl_solver *solver = bl_solver_create();

    solve_case_read(it, problem_text);
    assert_true(solve_case_run(it, solver, NULL, 0));
    bl_solver_destroy(solver);
}

static void choose_missing(struct solve_case *it)
{
    it->choice[0] = 2;
}

static void choose_too_large(struct solve_case *it)
{
    it->choice[1] = 1; /* the kept option leaves one GPU of the type */
}

static void leave_kept(struct solve_case *it)
{
    it->choice[2] = 0;
}

static void overfill(struct solve_case *it)
{
    it->choice[0] = 1;
    it->choice[1] = 0;
    it->choice[3] = BL_SOLVE_NONE;
}

static void boast(struct solve_case *it)
{
    it->answer.value += 1e-3;
}

static void pay_to_take(struct solve_case *it)
{
    it->answer.price[1] = -1e-9;
}

static void price_without_number(struct solve_case *it)
{
    it->answer.price[0] = 0.0 / 0.0;
}

static void lower_bound(struct solve_case *it)
{
    it->answer.bound = it->answer.value - 1e-3;
}

static void close_gap(struct solve_case *it)
{
    it->answer.bound += 1;
}

static void every_flaw_is_found(void **state)
{
    static const struct {
        void (*spoil)(struct solve_case *it);
        enum bl_solve_flaw flaw;
    } rows[] = {
        {choose_missing, BL_SOLVE_FLAW_CHOICE},
        {choose_too_large, BL_SOLVE_FLAW_CHOICE},
        {leave_kept, BL_SOLVE_FLAW_KEPT},
        {overfill, BL_SOLVE_FLAW_ROOM},
        {boast, BL_SOLVE_FLAW_VALUE},
        {pay_to_take, BL_SOLVE_FLAW_PRICE},
        {price_without_number, BL_SOLVE_FLAW_PRICE},
        {lower_bound, BL_SOLVE_FLAW_BOUND},
        {close_gap, BL_SOLVE_FLAW_GAP},
    };
    struct solve_case *it = calloc(1, sizeof *it);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        setup(it);
        rows[i].spoil(it);
        assert_int_equal(bl_solve_check(&it->problem, &it->answer).flaw, rows[i].flaw);
    }
    free(it);
}

static void a_sound_answer_is_worked_out_anew(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solve_check check;

    (void)state;
    setup(it);
    check = bl_solve_check(&it->problem, &it->answer);
    assert_int_equal(check.flaw, BL_SOLVE_FLAW_NONE);
    assert_true(check.value > solve_case_optimum(it) - 1e-9);
    assert_true(check.bound > solve_case_optimum(it) - 1e-9);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flaw_is_found),
        cmocka_unit_test(a_sound_answer_is_worked_out_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
