#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

/* Puts jobs where `start` says and exchanges; answers the value, not scaled. */
static double exchange(const char *text, const int32_t *start, int64_t work_max)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();
    double price[BL_SOLVE_TYPES_MAX] = {0};
    double value = 0;

    solve_case_read(it, text);
    bl_solve_prepare(solver, &it->problem, NULL);
    for (int32_t t = 0; t < solver->types; t++) {
        price[t] = solver->scale; /* one a GPU */
    }
    bl_solve_pass(solver, price, HUGE_VAL);
    for (size_t i = 0; i < solver->moves.count; i++) {
        if (solver->moves.at[i].option == start[solver->moves.at[i].job]) {
            bl_solve_apply(solver, &solver->moves.at[i]);
        }
    }
    bl_solve_exchange(solver, price, work_max);
    for (size_t j = 0; j < solver->jobs; j++) {
        value += solver->post.at[j].value / solver->scale;
    }
    bl_solver_destroy(solver);
    free(it);
    return value;
}

static void better_choices_are_found_one_two_and_three_moves_away(void **state)
{
    static const struct {
        const char *text;
        int32_t start[4];
        double value;
    } rows[] = {
        /* one grows into what is left */
        {"cap 2; 0:1=2 0:2=5", {0}, 5},
        /* one leaves so that another may come */
        {"cap 2; 0:2=3; 0:2=4", {0, -1}, 4},
        /* two leave for one, and one for two */
        {"cap 2; 0:1=1; 0:1=1; 0:2=4", {0, 0, -1}, 4},
        {"cap 2; 0:1=3; 0:1=3; 0:2=4", {-1, -1, 0}, 6},
        /* a ring over two types */
        {"cap 2 1; 0:2=1 1:1=4; 0:2=4 1:1=1", {0, 1}, 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = exchange(rows[i].text, rows[i].start, 100000);

        if (fabs(value - rows[i].value) > 1e-9) {
            fail_msg("%s: %g", rows[i].text, value);
        }
    }
}

static void without_work_nothing_changes(void **state)
{
    static const int32_t start[] = {0};

    (void)state;
    assert_true(fabs(exchange("cap 2; 0:1=2 0:2=5", start, 0) - 2) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(better_choices_are_found_one_two_and_three_moves_away),
        cmocka_unit_test(without_work_nothing_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
