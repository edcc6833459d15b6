#include "bl_test.h"
#include "scene.h"

static void A10_the_shortest_goes_first(void **state)
{
    static const struct {
        const char *policy;
        const char *starts;
    } rows[] = {
        {"sjf", "1@0s 5@4s 3@1h 4@2h 2@4h"},
        {"sjf:head=strict", "1@0s 3@1h 4@2h 2@4h 5@5h"},
        {"sjf:durations=exact", "1@0s 5@4s 2@1h 3@2h 4@3h"},
        {"sjf:head=strict,order=service", "1@0s 3@1h 4@2h 5@4h 2@4h20m"},
        {"sjf:head=strict,order=service,durations=exact", "1@0s 5@4s 2@1h 3@2h 4@3h"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100", rows[i].policy);

        scene_event(&s, "t=0 submit id=1 gpus=6 run=1h limit=1h");
        scene_event(&s, "t=1s submit id=2 gpus=8 run=1h limit=9h");
        scene_event(&s, "t=2s submit id=3 gpus=8 run=1h limit=1h");
        scene_event(&s, "t=3s submit id=4 gpus=8 run=2h limit=2h");
        scene_event(&s, "t=4s submit id=5 gpus=2 run=20m limit=20h");
        if (strcmp(scene_starts(&s), rows[i].starts) != 0) {
            fail_msg("%s: %s, expected %s", rows[i].policy, scene_starts(&s), rows[i].starts);
        }
        scene_free(&s);
    }
}

/* ann's runs are mostly short and sometimes very long, bob's always in between. */
static void A10_of_predictions_the_mean_says_how_much_service_is_expected(void **state)
{
    static const struct {
        const char *policy;
        bl_job_id first;
    } rows[] = {{"sjf:durations=predict", 51}, {"sjf:durations=predict,order=service", 52}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("1x8:A100", rows[i].policy);
        char line[128];

        for (int id = 1; id <= 40; id++) {
            snprintf(line, sizeof line, "t=%dh submit id=%d gpus=8 run=%s limit=20h user=%s",
                     10 * id, id, id % 2 ? "10m" : (id % 8 ? "1m" : "9h"), id % 2 ? "bob" : "ann");
            scene_event(&s, line);
        }
        scene_event(&s, "t=500h submit id=50 gpus=8 run=1h limit=1h user=cy");
        scene_event(&s, "t=500h submit id=51 gpus=8 run=1m limit=20h user=ann");
        scene_event(&s, "t=500h submit id=52 gpus=8 run=10m limit=20h user=bob");
        scene_event(&s, "t=501h round");
        assert_int_equal(bl_core_find_job(s.core, rows[i].first)->first_started_at, 501 * BL_HOUR);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A10_the_shortest_goes_first),
        cmocka_unit_test(A10_of_predictions_the_mean_says_how_much_service_is_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
