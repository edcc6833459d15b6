#include "bl_test.h"
#include "past.h"

static struct bl_job_spec train(const char *epochs, const char *batch)
{
    struct bl_job_spec spec = {.user = "ann", .name = "train", .gpus_want = 1};

    bl_clues_add_param(&spec.clues, epochs);
    bl_clues_add_param(&spec.clues, batch);
    return spec;
}

/* Six seconds an epoch; a batch twice as large takes half the time. */
static void run_some(struct past *past)
{
    static const struct {
        const char *epochs, *batch;
        int seconds;
    } rows[] = {{"epochs=10", "batch=32", 60},  {"epochs=20", "batch=32", 120},
                {"epochs=10", "batch=64", 30},  {"epochs=40", "batch=64", 120},
                {"epochs=80", "batch=32", 480}, {"epochs=40", "batch=128", 60}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_job_spec spec = train(rows[i].epochs, rows[i].batch);

        past_ran(past, &spec, rows[i].seconds * BL_SECOND);
    }
}

static void A15_more_epochs_than_ever_are_foreseen_to_take_longer(void **state)
{
    struct past past = past_new("regress");
    struct bl_job_spec longer = train("epochs=400", "batch=32");
    struct bl_dist dist;

    (void)state;
    run_some(&past);
    dist = past_foresees(&past, &longer);
    assert_in_range(bl_dist_quantile(&dist, .5), 1900 * BL_SECOND, 2900 * BL_SECOND);
    assert_true(bl_dist_quantile(&dist, .05) < bl_dist_quantile(&dist, .95));
    past_free(&past);
}

static void runs_that_failed_at_once_do_not_bend_the_line(void **state)
{
    struct past past = past_new("regress");
    struct bl_job_spec failed = train("epochs=80", "batch=128");
    struct bl_job_spec wanted = train("epochs=20", "batch=64");
    struct bl_dist dist;

    (void)state;
    run_some(&past);
    past_ran(&past, &failed, BL_SECOND);
    run_some(&past);
    dist = past_foresees(&past, &wanted);
    assert_in_range(bl_dist_quantile(&dist, .5), 48 * BL_SECOND, 75 * BL_SECOND);
    past_free(&past);
}

static void without_parameters_or_with_others_nothing_is_foreseen(void **state)
{
    struct past past = past_new("regress");
    struct bl_job_spec none = {.user = "ann", .name = "train", .gpus_want = 1};
    struct bl_job_spec others = train("steps=10", "batch=32");
    struct bl_job_spec words = train("net=vit", "data=c4");
    struct bl_dist dist;

    (void)state;
    run_some(&past);
    dist = past_foresees(&past, &none);
    assert_false(bl_dist_is_known(&dist));
    dist = past_foresees(&past, &others);
    assert_false(bl_dist_is_known(&dist));
    dist = past_foresees(&past, &words);
    assert_false(bl_dist_is_known(&dist));
    past_free(&past);
}

static void a_parameter_that_never_changed_says_nothing(void **state)
{
    struct past past = past_new("regress");
    struct bl_job_spec same = train("epochs=10", "batch=32");
    struct bl_job_spec other = train("epochs=1000", "batch=32");
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 10; i++) {
        past_ran(&past, &same, BL_HOUR);
    }
    dist = past_foresees(&past, &other);
    assert_in_range(bl_dist_quantile(&dist, .5), 40 * BL_MINUTE, 90 * BL_MINUTE);
    assert_true(bl_dist_quantile(&dist, .9) > 61 * BL_MINUTE);
    past_free(&past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_more_epochs_than_ever_are_foreseen_to_take_longer),
        cmocka_unit_test(runs_that_failed_at_once_do_not_bend_the_line),
        cmocka_unit_test(without_parameters_or_with_others_nothing_is_foreseen),
        cmocka_unit_test(a_parameter_that_never_changed_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
