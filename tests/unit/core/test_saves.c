#include "core/saves.h"

#include "bl_test.h"

static struct bl_job job_of(const char *application)
{
    return (struct bl_job){.spec = {.application = application}};
}

static void the_lead_is_the_95th_percentile_of_what_the_application_took(void **state)
{
    struct bl_saves saves = {0};
    struct bl_job job = job_of("bert");

    (void)state;
    for (int i = 1; i <= 20; i++) {
        bl_saves_note(&saves, &job.spec, i * BL_SECOND);
    }
    assert_int_equal(bl_saves_lead(&saves, &job), 19 * BL_SECOND);
    for (int i = 0; i < BL_SAVES_KEPT; i++) {
        bl_saves_note(&saves, &job.spec, 3 * BL_SECOND);
    }
    assert_int_equal(bl_saves_lead(&saves, &job), 3 * BL_SECOND);
    bl_saves_finish(&saves);
}

static void without_a_measure_the_job_itself_tells(void **state)
{
    struct bl_saves saves = {0};
    struct bl_job job = job_of("bert");

    (void)state;
    assert_int_equal(bl_saves_lead(&saves, &job), BL_SAVE_GRACE);
    job.spec.warning.lead = 90 * BL_SECOND;
    assert_int_equal(bl_saves_lead(&saves, &job), 90 * BL_SECOND + BL_SAVE_GRACE);
    job.save_time = 7 * BL_SECOND;
    assert_int_equal(bl_saves_lead(&saves, &job), 7 * BL_SECOND);
    bl_saves_finish(&saves);
}

static void learn_again(void *to, const char *application, bl_time time)
{
    bl_saves_learn(to, application, time);
}

static void what_is_exported_answers_the_same(void **state)
{
    struct bl_saves saves = {0};
    struct bl_saves copy = {0};
    struct bl_job job = job_of("bert");
    struct bl_job other = job_of("gpt");

    (void)state;
    for (int i = 1; i <= 50; i++) {
        bl_saves_learn(&saves, "bert", (i * 7 % 50 + 1) * BL_SECOND);
    }
    bl_saves_learn(&saves, "gpt", 0);
    bl_saves_export(&saves, learn_again, &copy);
    assert_int_equal(bl_saves_lead(&copy, &job), bl_saves_lead(&saves, &job));
    assert_int_equal(bl_saves_lead(&copy, &other), 1);
    bl_saves_finish(&saves);
    bl_saves_finish(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lead_is_the_95th_percentile_of_what_the_application_took),
        cmocka_unit_test(without_a_measure_the_job_itself_tells),
        cmocka_unit_test(what_is_exported_answers_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
