#include "bl_test.h"
#include "core/predict.h"

static void A15_the_mean_of_the_last_two_runs_of_the_same_user(void **state)
{
    const struct bl_predictor *last2 = bl_predictor_find("last2");
    void *self = last2->create();
    struct bl_job ann = {.spec = {.user = "ann"}};
    struct bl_job bob = {.spec = {.user = "bob"}};
    struct bl_job nobody = {0};

    (void)state;
    assert_int_equal(last2->predict(self, &ann), 0);
    last2->learn(self, &ann, 100);
    assert_int_equal(last2->predict(self, &ann), 100);
    last2->learn(self, &ann, 200);
    last2->learn(self, &ann, 400);
    last2->learn(self, &bob, 10);
    assert_int_equal(last2->predict(self, &ann), 300);
    assert_int_equal(last2->predict(self, &bob), 10);
    assert_int_equal(last2->predict(self, &nobody), 0);
    last2->learn(self, &nobody, 0);
    assert_int_equal(last2->predict(self, &nobody), 1);
    last2->destroy(self);
}

static void runs_of_centuries_do_not_overflow(void **state)
{
    const struct bl_predictor *last2 = bl_predictor_find("last2");
    void *self = last2->create();
    struct bl_job job = {0};

    (void)state;
    last2->learn(self, &job, BL_TIME_NEVER - 1);
    last2->learn(self, &job, BL_TIME_NEVER - 1);
    assert_true(last2->predict(self, &job) > BL_SPAN_MAX);
    assert_null(bl_predictor_find("crystal"));
    last2->destroy(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_the_mean_of_the_last_two_runs_of_the_same_user),
        cmocka_unit_test(runs_of_centuries_do_not_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
