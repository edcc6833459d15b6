#include "bl_test.h"
#include "core/predict.h"

static void every_predictor_is_found_by_its_name_and_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; bl_predictors[i]; i++) {
        const struct bl_predictor *predictor = bl_predictors[i];
        void *self = predictor->create();
        struct bl_job job = {0};

        assert_ptr_equal(bl_predictor_find(predictor->name), predictor);
        assert_non_null(predictor->summary);
        assert_true(predictor->predict(self, &job) >= 0);
        predictor->learn(self, &job, BL_HOUR);
        assert_true(predictor->predict(self, &job) > 0);
        predictor->destroy(self);
    }
    assert_null(bl_predictor_find("none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_predictor_is_found_by_its_name_and_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
