#include "cli/curve.h"

#include "client_text.h"

static void check(const char *json, const char *expected)
{
    expect_table(bl_curve_print, json, expected);
}

static void a_learnt_curve_shows_rates_and_what_they_rest_on(void **state)
{
    (void)state;
    check("{\"application\": \"ann/train\", \"source\": \"learnt\", \"finished\": 2, \"points\": ["
          "{\"gpu_type\": \"A100\", \"gpus\": 1, \"nodes\": 1, \"measured\": 3}, "
          "{\"gpu_type\": \"A100\", \"gpus\": 1, \"nodes\": 1, \"measured\": 4}], \"counts\": ["
          "{\"gpu_type\": \"A100\", \"gpus\": 1, \"nodes\": 1, \"speed\": 1, \"gain\": null, "
          "\"rate\": 10, \"rate_low\": 9.5, \"rate_high\": 10.5, \"trusted\": true, "
          "\"within_reach\": true}, "
          "{\"gpu_type\": \"A100\", \"gpus\": 2, \"nodes\": 1, \"speed\": 1.9, \"gain\": 0.9, "
          "\"rate\": 19, \"rate_low\": 15, \"rate_high\": 23, \"trusted\": false, "
          "\"within_reach\": true}, "
          "{\"gpu_type\": \"A100\", \"gpus\": 3, \"nodes\": 1, \"speed\": 2.7, \"gain\": 0.8, "
          "\"rate\": 27, \"rate_low\": 20, \"rate_high\": 33, \"trusted\": false, "
          "\"within_reach\": true}, "
          "{\"gpu_type\": \"A100\", \"gpus\": 4, \"nodes\": 1, \"speed\": 3.4, \"gain\": 0.7, "
          "\"rate\": 34, \"rate_low\": 24, \"rate_high\": 48, \"trusted\": false, "
          "\"within_reach\": false}]}",
          "learnt as ann/train from 2 points; 2 jobs finished\n"
          "GPUS  TYPE  SPEED  PER GPU MORE  UNITS/S  IN 9 OF 10  KNOWN\n"
          "   1  A100   1.00             –       10  9.5 – 10.5  measured 7 times\n"
          "   2  A100   1.90         +0.90       19     15 – 23  a guess\n"
          "   4  A100   3.40         +0.70       34     24 – 48  not tried so far\n");
}

static void a_given_curve_shows_speeds_alone(void **state)
{
    (void)state;
    check("{\"application\": null, \"source\": \"given\", \"points\": [], \"counts\": ["
          "{\"gpu_type\": null, \"gpus\": 3, \"speed\": 1, \"gain\": null}, "
          "{\"gpu_type\": null, \"gpus\": 4, \"speed\": 1.25, \"gain\": 0.25}, "
          "{\"gpu_type\": null, \"gpus\": 5, \"speed\": 1.2, \"gain\": -0.05}], \"finished\": 0}",
          "as given with the job\n"
          "GPUS  SPEED  PER GPU MORE\n"
          "   3   1.00             –\n"
          "   4   1.25         +0.25\n"
          "   5   1.20         -0.05\n");
}

static void nothing_is_said_where_there_is_nothing_to_compare(void **state)
{
    (void)state;
    check("{\"source\": \"none\", \"points\": [], \"counts\": []}", "");
    check("{\"source\": \"given\", \"points\": [], \"counts\": [{\"gpus\": 1, \"speed\": 1}]}", "");
    check("{}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_learnt_curve_shows_rates_and_what_they_rest_on),
        cmocka_unit_test(a_given_curve_shows_speeds_alone),
        cmocka_unit_test(nothing_is_said_where_there_is_nothing_to_compare),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
