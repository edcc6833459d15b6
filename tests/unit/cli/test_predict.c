#include "cli/predict.h"

#include "client_text.h"

#define NOW (90000 * BL_SECOND)

static void check(const char *json, enum bl_predict_about about, const char *expected)
{
    struct bl_predict_scene scene = {.about = about, .now = NOW};
    struct bl_arena arena = {0};
    BL_AUTO_BUF out = {0};

    scene.answer = read_tree(json, &arena);
    bl_predict_print(&out, &scene);
    assert_string_equal(bl_buf_text(&out), expected);
    bl_arena_finish(&arena);
}

static void A20_who_would_be_delayed_is_told_with_the_start(void **state)
{
    (void)state;
    check(
        "{\"duration\": {\"p10\": 3000, \"p50\": 3600, \"p90\": 7200, \"from\": \"runs\"}, "
        "\"start\": {\"p10\": 93600, \"p50\": 95400, \"p90\": 97200}, \"end\": {\"p10\": 97200, "
        "\"p50\": 99000, \"p90\": 104400}, \"from\": \"runs\", \"runs\": 16, \"now\": false, "
        "\"promised_at\": 97200, \"waits_for\": {\"reason\": \"priority\", \"reason_text\": \"\", "
        "\"reason_numbers\": {\"job\": 7, \"need\": 1}}, \"delays\": [{\"id\": 9, \"user\": "
        "\"ann\", \"name\": \"sweep\", \"by_s\": 2100}, {\"id\": 8, \"user\": \"bob\", \"name\": "
        "null, \"by_s\": null}], \"delayed_count\": 5}",
        BL_PREDICT_AND_OTHERS,
        "takes      about 1h (50m – 2h), as jobs like it did\n"
        "starts     02:30 (02:00 – 03:00)\n"
        "because    behind job 7\n"
        "ends       03:30 (03:00 – 05:00)\n"
        "promise    to start by 03:00\n"
        "delays     9 sweep (ann) by 35m\n"
        "           8 – (bob): it would not start\n"
        "           and 3 more\n"
        "rests on   16 looks ahead with run times drawn from what is foreseen\n");
}

static void a_job_that_would_start_at_once_says_so(void **state)
{
    (void)state;
    check("{\"duration\": {\"p10\": null, \"p50\": null, \"p90\": 7200, \"from\": \"limits\"}, "
          "\"start\": {\"p10\": 90000, \"p50\": 90000, \"p90\": 90000}, \"end\": {\"p10\": 90000, "
          "\"p50\": 93600, \"p90\": 97200}, \"from\": \"limits\", \"runs\": 16, \"now\": true, "
          "\"promised_at\": null, \"waits_for\": null, \"delays\": [], \"delayed_count\": 0}",
          BL_PREDICT_AND_OTHERS,
          "takes      at most 2h, its limit: nothing is known of jobs like it\n"
          "starts     now\n"
          "ends       02:00 (01:00 – 03:00)\n"
          "delays     nobody\n"
          "rests on   limits alone: nothing is foreseen of it, nor of what it waits for\n");
}

static void P16_what_nothing_is_known_of_is_told_no_instant(void **state)
{
    (void)state;
    check("{\"duration\": null, \"start\": null, \"end\": null, \"from\": \"median\", \"runs\": 1, "
          "\"now\": false, \"waits_for\": null}",
          BL_PREDICT_ITSELF,
          "takes      not known: it has no limit, and nothing is known of jobs like it\n"
          "starts     cannot be told\n"
          "ends       cannot be told\n"
          "rests on   one look ahead: there was no time for more\n");
}

static void an_answer_with_odd_fields_is_survived(void **state)
{
    (void)state;
    check("{\"duration\": [], \"start\": 3, \"end\": {}, \"delays\": [null, 7], \"waits_for\": 5}",
          BL_PREDICT_AND_OTHERS,
          "takes      not known: it has no limit, and nothing is known of jobs like it\n"
          "starts     cannot be told\n"
          "ends       cannot be told\n"
          "delays     nobody\n"
          "rests on   one look ahead: there was no time for more\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A20_who_would_be_delayed_is_told_with_the_start),
        cmocka_unit_test(a_job_that_would_start_at_once_says_so),
        cmocka_unit_test(P16_what_nothing_is_known_of_is_told_no_instant),
        cmocka_unit_test(an_answer_with_odd_fields_is_survived),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
