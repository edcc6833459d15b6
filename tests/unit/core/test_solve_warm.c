#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

struct laws {
    struct solve_case it;
};

static const struct solve_case_shape shape = {3, 40, 6, 9, 60, false};

/* After a change every kept cut is what an evaluation at its prices gives. */
static bool cuts_stay_exact(struct bl_prop *prop, void *context)
{
    struct laws *laws = context;
    struct solve_case *it = &laws->it;
    struct bl_solver *solver = bl_solver_create();
    size_t list[2];
    bool holds = true;

    solve_case_draw(it, prop, &shape);
    solve_case_run(it, solver, NULL, 0);
    if (it->problem.jobs < 8) {
        bl_solver_destroy(solver);
        return true;
    }
    for (size_t i = 0; i < 2; i++) {
        list[i] = (size_t)bl_prop_between(prop, 0, (int64_t)it->problem.jobs - 1);
        solve_case_change(it, prop, &shape, list[i]);
    }
    bl_solve_prepare(solver, &it->problem, &(struct bl_solve_change){list, 2, true});
    for (size_t i = 0; i < solver->cut_count && solver->is_warm && holds; i++) {
        struct bl_solve_cut sum = {0};

        memcpy(sum.price, solver->cut[i].price, sizeof sum.price);
        for (size_t j = 0; j < solver->jobs; j++) {
            bl_solve_count_in(solver, j, 1, &sum);
        }
        holds = fabs(sum.value - solver->cut[i].value) < 1e-9 * (1 + sum.value);
        for (int32_t t = 0; t < solver->types; t++) {
            holds = holds && fabs(sum.use[t] - solver->cut[i].use[t]) <= 0;
        }
    }
    bl_solver_destroy(solver);
    return holds;
}

static void kept_cuts_stay_exact(void **state)
{
    struct laws *laws = calloc(1, sizeof *laws);

    (void)state;
    assert_true(bl_prop_holds("cuts", 300, cuts_stay_exact, laws));
    free(laws);
}

static void new_jobs_come_at_the_end_and_others_leave_without_options(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();
    size_t changed = 1;

    (void)state;
    solve_case_read(it, "cap 4; 0:1=1 0:2=3; 0:2=9; 0:1=2; 0:1=2; 0:1=2; 0:1=2; 0:1=2; 0:1=2");
    assert_true(solve_case_run(it, solver, NULL, 0));
    assert_int_equal(it->choice[1], 0);
    solve_case_read(it, "cap 4; 0:1=1 0:2=3; ; 0:1=2; 0:1=2; 0:1=2; 0:1=2; 0:1=2; 0:1=2; 0:3=20");
    assert_true(solve_case_run(it, solver, &(struct bl_solve_change){&changed, 1, true}, 0));
    assert_true(solver->is_warm);
    assert_int_equal(it->choice[1], BL_SOLVE_NONE);
    assert_int_equal(it->choice[8], 0);
    assert_true(fabs(it->answer.value - 22) < 1e-9);
    bl_solver_destroy(solver);
    free(it);
}

static void what_cannot_be_kept_is_built_anew(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();
    struct bl_solve_change none = {.is_known = true};

    (void)state;
    solve_case_read(it, "cap 4; 0:1=1 0:6=9; 0:2=9; 0:1=2; 0:1=2; 0:1=2; 0:1=2");
    assert_true(solve_case_run(it, solver, NULL, 0));
    assert_true(solve_case_run(it, solver, &none, 0));
    assert_true(solver->is_warm);
    it->capacity[0] = 5; /* still less than the largest option */
    assert_true(solve_case_run(it, solver, &none, 0));
    assert_false(solver->is_warm);
    it->capacity[0] = 8;
    assert_true(solve_case_run(it, solver, &none, 0));
    assert_false(solver->is_warm);
    it->capacity[0] = 7;
    assert_true(solve_case_run(it, solver, &none, 0));
    assert_true(solver->is_warm);
    bl_solver_destroy(solver);
    free(it);
}

enum { MANY = 600 };

/* So many jobs of two options of one type that most of them change the price by next to nothing. */
struct many {
    size_t first[MANY + 1];
    struct bl_solve_option option[2 * MANY];
    int64_t capacity;
    int32_t choice[MANY];
    struct bl_solve_problem problem;
};

static void fill_many(struct many *many)
{
    many->capacity = MANY;
    many->problem =
        (struct bl_solve_problem){1, &many->capacity, MANY, many->first, many->option, NULL, NULL};
    for (size_t j = 0; j < MANY; j++) {
        many->first[j] = 2 * j;
        many->option[2 * j] = (struct bl_solve_option){1 + (double)(j * 37 % MANY) / MANY, 1, 0};
        many->option[2 * j + 1] =
            (struct bl_solve_option){1.8 + (double)(j * 91 % MANY) / MANY, 2, 0};
    }
    many->first[MANY] = 2 * (size_t)MANY;
}

/* Every job's post, but for the changed one, is that of the last run, and the slack what it leaves.
 */
static void check_resumed(const struct bl_solver *solver, const struct many *many, size_t changed)
{
    int64_t left = many->capacity;

    for (size_t j = 0; j < MANY; j++) {
        const struct bl_solve_post *post = &solver->post.at[j];

        left -= post->type >= 0 ? post->gpus : 0;
        assert_true(j == changed || post->option == many->choice[j]);
        assert_true(post->loss >= -1e-12);
    }
    assert_int_equal(solver->slack[0], left);
    assert_int_equal(solver->post.at[changed].option, 1);
}

static void a_small_change_leaves_the_others_what_they_had(void **state)
{
    struct many *many = calloc(1, sizeof *many);
    struct bl_solver *solver = bl_solver_create();
    struct bl_solve_answer answer = {.choice = many->choice};
    size_t changed[4] = {7, 8, 9, 10};

    (void)state;
    fill_many(many);
    bl_solve(solver, &many->problem, NULL, 0, &answer);
    many->option[2 * changed[0] + 1].value = 9;
    bl_solve_prepare(solver, &many->problem, &(struct bl_solve_change){changed, 1, true});
    assert_true(solver->is_warm);
    bl_solve_pass(solver, solver->best.price, HUGE_VAL);
    bl_solve_resume(solver, solver->best.price);
    check_resumed(solver, many, changed[0]);
    /* what many changes leave of the last choice is no place to start from */
    bl_solve(solver, &many->problem, &(struct bl_solve_change){changed, 4, true}, 0, &answer);
    bl_solve_prepare(solver, &many->problem, &(struct bl_solve_change){changed, 4, true});
    assert_true(solver->is_warm);
    assert_int_equal(solver->champion.count, 0);
    bl_solver_destroy(solver);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_cuts_stay_exact),
        cmocka_unit_test(new_jobs_come_at_the_end_and_others_leave_without_options),
        cmocka_unit_test(what_cannot_be_kept_is_built_anew),
        cmocka_unit_test(a_small_change_leaves_the_others_what_they_had),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
