#include "bl_test.h"
#include "core/solve_parts.h"
#include "solve_case.h"

#include <math.h>

/* The envelope of the first job's first type as "gpus=value …", values not scaled. */
static const char *envelope(const char *text, char *out, size_t room)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();
    const struct bl_solve_corner *corner;
    size_t length = 0;

    solve_case_read(it, text);
    bl_solve_prepare(solver, &it->problem, NULL);
    corner = &solver->corners.at[solver->envelope.at[0]];
    for (;; corner++) {
        length += (size_t)snprintf(out + length, room - length, "%s%d=%g", length ? " " : "",
                                   (int)corner->gpus, corner->value / solver->scale);
        if (corner->slope < 0) {
            break;
        }
    }
    bl_solver_destroy(solver);
    free(it);
    return out;
}

static void the_envelope_is_concave_and_starts_at_nothing(void **state)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"cap 8; 0:1=4 0:2=6 0:4=8", "0=0 1=4 2=6 4=8"},
        {"cap 8; 0:4=8 0:1=4 0:2=6", "0=0 1=4 2=6 4=8"}, /* in any order */
        {"cap 8; 0:1=1 0:2=6 0:4=8", "0=0 2=6 4=8"},     /* below the line */
        {"cap 8; 0:1=2 0:2=4 0:4=8", "0=0 4=8"},         /* on the line */
        {"cap 8; 0:1=4 0:2=3 0:4=4", "0=0 1=4"},         /* no better for more */
        {"cap 8; 0:2=3 0:2=5 0:2=4", "0=0 2=5"},
        {"cap 3; 0:1=1 0:4=8", "0=0 1=1"}, /* more than there is */
        {"cap 8 8; 1:1=1 1:2=2", "0=0"},
        {"cap 8; none=2 0:1=1 0:2=5", "0=0 2=3"},
        {"cap 8; keep=0 0:1=1 0:2=5", "0=0"},
        {"cap 8; 0:1=1 0:2=3 0:3=6 0:4=10", "0=0 4=10"},
    };
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(envelope(rows[i].text, text, sizeof text), rows[i].expected);
    }
}

static void a_rebuilt_envelope_replaces_the_old_one_and_leaves_its_neighbour(void **state)
{
    struct solve_case *it = calloc(1, sizeof *it);
    struct bl_solver *solver = bl_solver_create();
    const struct bl_solve_corner *corner;

    (void)state;
    solve_case_read(it, "cap 8; 0:1=4 0:2=6; 0:1=8 0:4=16");
    bl_solve_prepare(solver, &it->problem, NULL);
    it->option[1].value = 1;
    bl_solve_rebuild_hull(solver, 0);
    corner = &solver->corners.at[solver->envelope.at[0]];
    assert_int_equal(corner[1].gpus, 1);
    assert_true(corner[1].slope < 0);
    corner = &solver->corners.at[solver->envelope.at[1]];
    assert_int_equal(corner[2].gpus, 4);
    bl_solver_destroy(solver);
    free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_envelope_is_concave_and_starts_at_nothing),
        cmocka_unit_test(a_rebuilt_envelope_replaces_the_old_one_and_leaves_its_neighbour),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
