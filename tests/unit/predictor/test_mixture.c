#include "bl_test.h"
#include "past.h"

#include <math.h>

static void A15_the_part_that_did_best_lately_speaks(void **state)
{
    static const char *const epochs[] = {"epochs=1", "epochs=2",  "epochs=4",
                                         "epochs=8", "epochs=16", "epochs=32"};
    struct past past = past_new("mixture");
    struct past kin = past_new("family");
    struct bl_job_spec spec = {.user = "ann", .name = "train", .gpus_want = 1};
    struct bl_dist together;
    struct bl_dist alone;

    (void)state;
    for (int i = 0; i < 60; i++) {
        int which = i * 5 % 6;

        spec.clues = (struct bl_clues){0};
        bl_clues_add_param(&spec.clues, epochs[which]);
        past_ran(&past, &spec, (BL_MINUTE << which) + i * BL_SECOND / 10);
        past_ran(&kin, &spec, (BL_MINUTE << which) + i * BL_SECOND / 10);
    }
    spec.clues = (struct bl_clues){0};
    bl_clues_add_param(&spec.clues, "epochs=8");
    together = past_foresees(&past, &spec);
    alone = past_foresees(&kin, &spec);
    assert_in_range(bl_dist_quantile(&together, .5), 7 * BL_MINUTE, 9 * BL_MINUTE);
    assert_true(bl_dist_quantile(&together, .9) / bl_dist_quantile(&together, .1) <
                bl_dist_quantile(&alone, .9) / bl_dist_quantile(&alone, .1));
    past_free(&past);
    past_free(&kin);
}

static void one_that_knows_nothing_of_a_job_leaves_it_to_the_others(void **state)
{
    struct past past = past_new("mixture");
    struct bl_job_spec ann = {.user = "ann", .gpus_want = 1};
    struct bl_dist dist;

    (void)state;
    for (int i = 0; i < 20; i++) {
        past_ran(&past, &ann, BL_HOUR);
    }
    dist = past_foresees(&past, &(struct bl_job_spec){.user = "new", .gpus_want = 1});
    assert_in_range(bl_dist_quantile(&dist, .5), 59 * BL_MINUTE, 61 * BL_MINUTE);
    past_free(&past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A15_the_part_that_did_best_lately_speaks),
        cmocka_unit_test(one_that_knows_nothing_of_a_job_leaves_it_to_the_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
