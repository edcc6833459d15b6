#include "bl_test.h"
#include "past.h"

static void A15_a_user_without_a_past_gets_what_others_took(void **state)
{
    struct past past = past_new("family");
    struct bl_job_spec ann = {.user = "ann", .gpus_want = 4, .limit = BL_DAY};
    struct bl_job_spec bob = {.user = "bob", .gpus_want = 4, .limit = BL_DAY};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 30; i++) {
        past_ran(&past, &ann, BL_HOUR);
    }
    dist = past_foresees(&past, &bob);
    assert_in_range(bl_dist_quantile(&dist, .5), 59 * BL_MINUTE, 61 * BL_MINUTE);
    for (int i = 0; i < 3; i++) {
        past_ran(&past, &bob, BL_MINUTE);
    }
    dist = past_foresees(&past, &bob);
    assert_in_range(bl_dist_quantile(&dist, .5), 59 * BL_SECOND, 61 * BL_SECOND);
    past_free(&past);
}

static void A15_names_tell_jobs_of_one_user_apart(void **state)
{
    struct past past = past_new("family");
    struct bl_job_spec train = {.user = "ann", .name = "train-1", .gpus_want = 1};
    struct bl_job_spec eval = {.user = "ann", .name = "eval-1", .gpus_want = 1};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 60; i++) {
        past_ran(&past, i * i % 7 < 3 ? &train : &eval, i * i % 7 < 3 ? 5 * BL_HOUR : BL_MINUTE);
    }
    train.name = "train-99";
    dist = past_foresees(&past, &train);
    assert_in_range(bl_dist_quantile(&dist, .5), 4 * BL_HOUR, 6 * BL_HOUR);
    dist = past_foresees(&past, &eval);
    assert_in_range(bl_dist_quantile(&dist, .5), 50 * BL_SECOND, 70 * BL_SECOND);
    past_free(&past);
}

static void A15_early_failures_are_part_of_what_is_foreseen(void **state)
{
    struct past past = past_new("family");
    struct bl_job_spec ann = {.user = "ann", .gpus_want = 1};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 100; i++) {
        past_ran(&past, &ann, i * 7 % 10 < 3 ? 5 * BL_SECOND : 2 * BL_HOUR);
    }
    dist = past_foresees(&past, &ann);
    assert_true(bl_dist_quantile(&dist, .1) < BL_MINUTE);
    assert_true(bl_dist_quantile(&dist, .9) > BL_HOUR);
    past_free(&past);
}

static void runs_to_the_limit_are_foreseen_for_other_limits(void **state)
{
    struct past past = past_new("family");
    struct bl_job_spec ann = {.user = "ann", .gpus_want = 1};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 80; i++) {
        ann.limit = (1 + i * 7 % 12) * BL_HOUR;
        past_ran(&past, &ann, ann.limit);
    }
    ann.limit = 40 * BL_HOUR;
    dist = past_foresees(&past, &ann);
    assert_true(bl_dist_quantile(&dist, .9) > 38 * BL_HOUR);
    past_free(&past);
}

static void siblings_that_still_run_make_short_runs_less_likely(void **state)
{
    struct past past = past_new("family");
    struct bl_job_spec ann = {.user = "ann", .gpus_want = 1};
    struct bl_question question;
    struct bl_dist alone;
    struct bl_dist beside;

    (void)state;
    for (int i = 0; i < 60; i++) {
        past_ran(&past, &ann, i * 7 % 10 < 5 ? BL_MINUTE : 2 * BL_HOUR);
    }
    question = past_question(&past, &ann);
    past.predictor->predict(past.self, &question, &alone);
    question.asked.sibling_count = BL_SIBLINGS_MAX;
    for (int i = 0; i < BL_SIBLINGS_MAX; i++) {
        question.asked.sibling[i] = bl_dist_point(BL_HOUR);
    }
    past.predictor->predict(past.self, &question, &beside);
    assert_true(bl_dist_chance(&beside, 10 * BL_MINUTE) < bl_dist_chance(&alone, 10 * BL_MINUTE));
    past_free(&past);
}

static void ten_thousand_users_leave_bounded_memory_and_good_answers(void **state)
{
    struct past past = past_new("family");
    char name[16];
    struct bl_job_spec spec = {.user = name, .gpus_want = 1};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        snprintf(name, sizeof name, "u%d", i);
        past_ran(&past, &spec, BL_HOUR);
    }
    dist = past_foresees(&past, &spec);
    assert_in_range(bl_dist_quantile(&dist, .5), 59 * BL_MINUTE, 61 * BL_MINUTE);
    past_free(&past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_a_user_without_a_past_gets_what_others_took),
        cmocka_unit_test(A15_names_tell_jobs_of_one_user_apart),
        cmocka_unit_test(A15_early_failures_are_part_of_what_is_foreseen),
        cmocka_unit_test(runs_to_the_limit_are_foreseen_for_other_limits),
        cmocka_unit_test(siblings_that_still_run_make_short_runs_less_likely),
        cmocka_unit_test(ten_thousand_users_leave_bounded_memory_and_good_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
