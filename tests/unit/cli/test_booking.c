#include "cli/booking.h"

#include "client_text.h"
#include "cli/when.h"
#include "form/tree_make.h"
#include "form/tree_out.h"

/* 1970-01-02 00:00:00 UTC, a Friday. */
#define NOW (86400 * BL_SECOND)

static void check(void (*print)(struct bl_buf *out, const struct bl_tree *tree, bl_time now),
                  const char *json, const char *expected)
{
    struct bl_arena arena = {0};
    BL_AUTO_BUF out = {0};

    print(&out, read_tree(json, &arena), NOW);
    assert_string_equal(bl_buf_text(&out), expected);
    bl_arena_finish(&arena);
}

#define WHERE "\"where\": [{\"node\": \"n1\", \"gpus\": [0, 1]}]"

static void what_was_booked_is_told_in_a_line(void **state)
{
    (void)state;
    check(bl_booking_print,
          "{\"id\": \"r17\", \"name\": \"demo\", \"gpus\": 2, \"start_at\": 205200, "
          "\"end_at\": 216000, \"state\": \"booked\", \"rule\": null, " WHERE "}",
          "r17 demo: 2 GPUs on n1 gpu0-1, tomorrow 09:00–12:00");
    check(bl_booking_print,
          "{\"id\": \"r17\", \"name\": null, \"gpus\": 1, \"start_at\": 165600, "
          "\"end_at\": 180000, \"state\": \"booked\", \"zone\": \"UTC\", "
          "\"rule\": \"FREQ=WEEKLY;BYDAY=FR\", \"occurrences\": 57, " WHERE "}",
          "r17: 1 GPU on n1 gpu0-1, 22:00–tomorrow 02:00; every week on Fri (57 booked)");
    check(
        bl_booking_print,
        "{\"id\": \"r17\", \"gpus\": 1, \"start_at\": 165600, \"end_at\": 180000, \"state\": "
        "\"booked\", \"zone\": \"UTC\", \"rule\": \"FREQ=DAILY\", \"occurrences\": 9, " WHERE
        ", \"notes\": [{\"occurrence\": 3, \"kind\": \"skipped\", \"start_at\": 205200, "
        "\"end_at\": 216000}, {\"occurrence\": 4, \"kind\": \"shortened\", \"start_at\": "
        "205200, \"end_at\": 216000}]}",
        "r17: 1 GPU on n1 gpu0-1, 22:00–tomorrow 02:00; every day (9 booked)\n"
        "  number 3 starts at tomorrow 09:00: the clocks skip its time of day then\n"
        "  number 4 ends at tomorrow 12:00, where the next one starts: the clocks are put forward "
        "before it");
    check(bl_booking_print,
          "{\"id\": \"r17\", \"name\": \"a\\u001b[2J\", \"state\": \"cancelled\"}",
          "r17 a\\x1b[2J: cancelled");
    check(bl_booking_print, "{\"id\": 17, \"state\": [], \"notes\": 7}",
          "17: 0 GPUs on , yesterday 00:00–?");
    check(
        bl_booking_print, "{\"id\": 17, \"state\": [], \"notes\": [7]}",
        "17: 0 GPUs on , yesterday 00:00–?\n  number 0 ends at yesterday 00:00, where the next one "
        "starts: the clocks are put forward before it");
}

#define IN_BERLIN                                                                                  \
    "{\"id\": \"r17\", \"gpus\": 2, \"start_at\": 205200, \"end_at\": 216000, \"state\": "         \
    "\"booked\", \"zone\": \"Europe/Berlin\", \"rule\": null, " WHERE "}"

static void P12_times_of_another_zone_are_told_with_its_name_and_with_those_here(void **state)
{
    (void)state;
    check(bl_booking_print, IN_BERLIN,
          "r17: 2 GPUs on n1 gpu0-1, tomorrow 10:00–13:00 Europe/Berlin (here tomorrow "
          "09:00–12:00)");
    assert_int_equal(bl_when_choose_zone("Europe/Berlin", NULL), BL_OK);
    check(bl_booking_print, IN_BERLIN,
          "r17: 2 GPUs on n1 gpu0-1, tomorrow 10:00–13:00 Europe/Berlin (here tomorrow "
          "09:00–12:00)");
    bl_when_leave_zone();
    assert_string_equal(getenv("TZ"), "UTC");
    setenv("TZ", "Europe/Berlin", 1);
    tzset();
    check(bl_booking_print, IN_BERLIN, "r17: 2 GPUs on n1 gpu0-1, tomorrow 10:00–13:00");
    assert_int_equal(bl_when_choose_zone("Europe/Berlin", NULL), BL_OK);
    check(bl_booking_print, IN_BERLIN,
          "r17: 2 GPUs on n1 gpu0-1, tomorrow 10:00–13:00 Europe/Berlin");
    bl_when_leave_zone();
    choose_locale(NULL);
}

static void print_second(struct bl_buf *out, const struct bl_tree *tree, bl_time now)
{
    bl_booking_print_one(out, tree, 2, now);
}

static void of_a_series_the_one_that_was_asked_for_is_told(void **state)
{
    static const char *const rows[][2] = {
        {"\"booked\"", "r17.2 demo: 1 GPU on n1 gpu0-1, tomorrow 09:00–12:00"},
        {"\"cancelled\"", "r17.2 demo: cancelled"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF json = {0};

        bl_buf_printf(&json,
                      "{\"id\": \"r17\", \"name\": \"demo\", \"gpus\": 2, \"start_at\": 86400, "
                      "\"end_at\": 90000, \"state\": \"booked\", \"rule\": \"FREQ=DAILY\", "
                      "\"slots\": [{\"occurrence\": 1}, {\"occurrence\": 2, \"gpus\": 1, "
                      "\"start_at\": 205200, \"end_at\": 216000, \"state\": %s, " WHERE "}]}",
                      rows[i][0]);
        check(print_second, bl_buf_text(&json), rows[i][1]);
    }
    check(print_second,
          "{\"id\": \"r17\", \"gpus\": 2, \"start_at\": 86400, \"end_at\": 90000, \"state\": "
          "\"booked\", " WHERE ", \"slots\": [{\"occurrence\": 2, \"gpus\": 2}]}",
          "r17: 2 GPUs on n1 gpu0-1, 00:00–01:00");
}

static void a_refusal_names_who_is_in_the_way_and_numbers_what_fits(void **state)
{
    (void)state;
    check(bl_booking_print_refusal,
          "{\"gpus\": 4, \"gpus_free\": 2, \"conflicts\": [{\"reservation\": \"r9\", "
          "\"user\": \"u104\", \"start_at\": 205200, \"end_at\": 216000}, {\"job\": 7, "
          "\"user\": \"ann\", \"start_at\": 86400, \"end_at\": null}], \"openings\": [{\"kind\": "
          "\"later\", \"start_at\": 216000, \"end_at\": 237600, \"gpus\": 4, \"gpu_type\": "
          "\"A100\", " WHERE "}]}",
          "refused: 2 of 4 GPUs are taken by r9 (u104) tomorrow 09:00–12:00, job 7 (ann) "
          "00:00–?. It fits:\n"
          "  1  tomorrow 12:00–18:00  4 GPUs A100  n1 gpu0-1\n");
    check(bl_booking_print_refusal,
          "{\"gpus\": 1, \"gpus_free\": 0, \"conflicts\": [{\"reservation\": \"r9\", "
          "\"user\": \"u104\", \"start_at\": 205200, \"end_at\": 216000}], \"openings\": []}",
          "refused: 1 of 1 GPU is taken by r9 (u104) tomorrow 09:00–12:00. Nothing near fits.\n");
    check(bl_booking_print_refusal,
          "{\"gpus\": 6, \"gpus_free\": 4, \"conflicts\": [], \"openings\": []}",
          "refused: 2 of 6 GPUs are not there, or not up. Nothing near fits.\n");
}

static void bodies_are_made_of_the_words_of_the_api(void **state)
{
    struct bl_arena arena = {0};
    const struct bl_booking_request request = {
        "/", BL_BOOKING_POST, bl_tree_create(&arena, BL_TREE_MAP), &arena, 0, true};
    BL_AUTO_BUF out = {0};
    struct bl_json json;

    (void)state;
    bl_booking_put(&request, "gpus", "4");
    bl_booking_put(&request, "from", "+2h");
    bl_booking_put(&request, "until_at", "2026-12-01 09:00");
    bl_booking_put(&request, "name", "none");
    bl_booking_put(&request, "zone", "Asia/Shanghai");
    bl_booking_put_zone(&request);
    bl_json_init(&json, &out);
    bl_tree_put_json(&json, request.body);
    assert_string_equal(bl_buf_text(&out),
                        "{\"gpus\":\"4\",\"from\":\"2h\",\"until_at\":\"2026-12-01 09:00\","
                        "\"name\":null,\"zone\":\"Asia/Shanghai\"}");
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_booked_is_told_in_a_line),
        cmocka_unit_test(P12_times_of_another_zone_are_told_with_its_name_and_with_those_here),
        cmocka_unit_test(of_a_series_the_one_that_was_asked_for_is_told),
        cmocka_unit_test(a_refusal_names_who_is_in_the_way_and_numbers_what_fits),
        cmocka_unit_test(bodies_are_made_of_the_words_of_the_api),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
