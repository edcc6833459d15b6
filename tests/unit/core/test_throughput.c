#include "core/throughput.h"
#include "near.h"

static const struct bl_throughput model = {
    .alpha_c = 0.1,
    .beta_c = 0.01,
    .alpha_r = 0.05,
    .beta_r = 0.01,
    .alpha_n = 0.4,
    .beta_n = 0.02,
    .gamma = 1,
};

static void without_overlap_computing_and_synchronising_add_up(void **state)
{
    const struct {
        struct bl_shape shape;
        double step_s;
    } rows[] = {
        {{1, 1, 10, 0}, 0.2}, {{2, 1, 10, 0}, 0.25}, {{8, 1, 10, 0}, 0.27},
        {{2, 2, 10, 0}, 0.6}, {{8, 2, 20, 0}, 0.74},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_near(bl_throughput_step(&model, &rows[i].shape).step_s, rows[i].step_s, 1e-12);
    }
}

static void full_overlap_hides_the_shorter_part(void **state)
{
    struct bl_throughput hidden = model;
    struct bl_step step;

    (void)state;
    hidden.gamma = 300;
    step = bl_throughput_step(&hidden, &(struct bl_shape){2, 1, 10, 0});
    assert_near(step.step_s, 0.2, 1e-6);
    assert_near(step.compute_s, 0.2, 1e-12);
    assert_near(bl_throughput_step(&hidden, &(struct bl_shape){2, 2, 10, 0}).step_s, 0.4, 1e-6);
}

static void only_the_last_micro_step_synchronises(void **state)
{
    struct bl_step step = {.step_s = 0.5, .compute_s = 0.2};

    (void)state;
    assert_near(bl_step_iteration(step, 0), 0.5, 0);
    assert_near(bl_step_iteration(step, 3), 1.1, 1e-12);
}

static void parts_of_no_length_are_no_trouble(void **state)
{
    struct bl_throughput none = {.gamma = 2};

    (void)state;
    assert_near(bl_throughput_step(&none, &(struct bl_shape){4, 2, 8, 0}).step_s, 0, 0);
    none.alpha_n = 1e-300;
    assert_near(bl_throughput_step(&none, &(struct bl_shape){4, 2, 8, 0}).step_s, 1e-300, 1e-310);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_overlap_computing_and_synchronising_add_up),
        cmocka_unit_test(full_overlap_hides_the_shorter_part),
        cmocka_unit_test(only_the_last_micro_step_synchronises),
        cmocka_unit_test(parts_of_no_length_are_no_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
