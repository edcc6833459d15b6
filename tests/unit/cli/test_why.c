#include "cli/why.h"

#include "client_text.h"

#define NOW (90000 * BL_SECOND)

static void check(const char *job_json, const char *why_json, const char *expected)
{
    struct bl_arena arena = {0};
    const struct bl_why_scene scene = {read_tree(job_json, &arena), read_tree(why_json, &arena),
                                       NOW};
    BL_AUTO_BUF out = {0};

    bl_why_print(&out, &scene);
    assert_string_equal(bl_buf_text(&out), expected);
    bl_arena_finish(&arena);
}

static void P15_why_names_what_a_job_waits_for_and_until_when(void **state)
{
    (void)state;
    check(
        "{\"id\": 7, \"name\": \"wide\", \"state\": \"queued\", \"reason\": \"resources\", "
        "\"reason_numbers\": {\"need\": 4, \"have\": 2}, \"gpus\": {\"min\": 4, \"max\": 4}, "
        "\"gpu_types\": [\"A100\"], \"cpus\": 4, \"mem_bytes\": 4294967296, \"limit_s\": 3600, "
        "\"submitted_at\": 88200, \"start\": {\"p50\": 97200, \"p90\": 99000}, "
        "\"eta\": {\"from\": \"runs\", \"runs\": 32}}",
        "{\"running\": [{\"id\": 3, \"user\": \"ann\", \"gpus\": 6, \"until\": 97200}, "
        "{\"id\": 4, \"user\": \"bob\", \"gpus\": 0, \"until\": null}], "
        "\"ahead\": [{\"id\": 5, \"user\": \"eve\", \"gpus\": 1, \"until\": null}], "
        "\"ahead_count\": 1, \"nodes\": [{\"name\": \"n1\", \"state\": \"up\", \"gpus\": 8, "
        "\"gpus_free\": 2, \"drain_at\": 180000}, {\"name\": \"n2\", \"state\": \"drained\", "
        "\"gpus\": 8, \"gpus_free\": 0}]}",
        "7 wide: queued since 00:30 (30m). Next start: 03:00 (–03:30) (32 runs of the "
        "forecast).\n"
        "  needs      4 GPUs of type A100, 4 CPUs, 4GiB; limit 1 hour\n"
        "  because    needs 4 GPUs, 2 of the suitable ones are free\n"
        "  blocked by 3 (ann), 6 GPUs, until about 03:00\n"
        "  ahead      5 (eve), 1 GPU, its end is not known\n"
        "  nodes      n1: 2 of 8 GPUs free, will be drained at tomorrow 02:00\n"
        "             n2: 0 of 8 GPUs free, drained\n"
        "  in line    place 2\n"
        "  to do      ask for less ('baleen set 7 gpus=…', 'time=…') or go ahead of your own jobs "
        "('baleen move 7 --before ID')\n");
}

static void a_held_job_and_one_that_waits_for_others_say_so(void **state)
{
    (void)state;
    check("{\"id\": 7, \"name\": \"a\", \"state\": \"held\", \"reason\": \"held\", "
          "\"reason_numbers\": {\"need\": 0}, \"gpus\": {\"min\": 1, \"max\": 1}, \"cpus\": 1, "
          "\"submitted_at\": 90000}",
          "{}",
          "7 a: held since 01:00 (0s). Its start cannot be told yet.\n"
          "  needs      1 GPU, 1 CPU, 0B\n"
          "  because    held\n"
          "  to do      baleen release 7\n");
    check("{\"id\": 8, \"name\": \"b\", \"state\": \"waiting\", \"reason\": \"dependency\", "
          "\"reason_numbers\": {\"job\": 7}, \"gpus\": {\"min\": 0, \"max\": 0}, \"cpus\": 2, "
          "\"submitted_at\": 90000}",
          "{\"after\": [{\"job\": 7, \"kind\": \"ok\", \"state\": \"held\"}]}",
          "8 b: waiting since 01:00 (0s). Its start cannot be told yet.\n"
          "  needs      0 GPUs, 2 CPUs, 0B\n"
          "  because    waits for job 7\n"
          "  after      7:ok, which is held\n");
}

static void a_job_of_a_reservation_is_told_what_helps_there(void **state)
{
    static const struct {
        const char *reason, *numbers, *expected;
    } rows[] = {
        {"for_reservation", "{\"job\": 4, \"at\": 93600}",
         "  because    waits for its reservation r4, which begins 1970-01-02 02:00\n"
         "  in line    place 1\n"
         "  to do      nothing: it starts with its slot ('baleen res set r4 from=…' moves that)\n"},
        {"in_reservation", "{\"job\": 4, \"need\": 2, \"have\": 1}",
         "  because    needs 2 GPUs of reservation r4, 1 is free\n"
         "  in line    place 1\n"
         "  to do      ask for fewer GPUs ('baleen set 7 gpus=…'), or wait until others of r4 "
         "end\n"},
        {"reservation_over", "{\"job\": 4}",
         "  because    its reservation r4 is over\n"
         "  in line    place 1\n"
         "  to do      ask for less ('baleen set 7 gpus=…', 'time=…'), or book a slot that it fits "
         "into and submit it again\n"},
        {"slot_too_short", "{\"job\": 4, \"need\": 36000, \"have\": 10800}",
         "  because    its limit of 10 hours is too long; a slot of its reservation r4 is 3 hours\n"
         "  in line    place 1\n"
         "  to do      ask for less ('baleen set 7 gpus=…', 'time=…'), or book a slot that it fits "
         "into and submit it again\n"},
        {"booked", "{\"job\": 4, \"at\": 93600}",
         "  because    the GPUs that suit it are those of reservation r4 until 1970-01-02 02:00\n"
         "  in line    place 1\n"
         "  to do      ask for less ('baleen set 7 gpus=…', 'time=…') or go ahead of your own jobs "
         "('baleen move 7 --before ID')\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF job = {0};
        BL_AUTO_BUF expected = {0};

        bl_buf_printf(&job,
                      "{\"id\": 7, \"name\": \"a\", \"state\": \"queued\", \"reason\": \"%s\", "
                      "\"reason_numbers\": %s, \"gpus\": {\"min\": 2, \"max\": 2}, \"cpus\": 2, "
                      "\"submitted_at\": 90000}",
                      rows[i].reason, rows[i].numbers);
        bl_buf_printf(&expected,
                      "7 a: queued since 01:00 (0s). Its start cannot be told yet.\n"
                      "  needs      2 GPUs, 2 CPUs, 0B\n%s",
                      rows[i].expected);
        check(bl_buf_text(&job), "{}", bl_buf_text(&expected));
    }
}

static void expect_way_out(const char *instead, const char *expected)
{
    BL_AUTO_BUF why = {0};
    BL_AUTO_BUF out = {0};

    bl_buf_printf(&why, "{\"instead\": %s}", instead);
    bl_buf_printf(&out,
                  "7 a: queued since 01:00 (0s). Its start cannot be told yet.\n"
                  "  needs      2 GPUs, 2 CPUs, 0B\n"
                  "  in line    place 1\n%s",
                  expected);
    check("{\"id\": 7, \"name\": \"a\", \"state\": \"queued\", \"gpus\": {\"min\": 2, \"max\": "
          "2}, \"cpus\": 2, \"submitted_at\": 90000}",
          bl_buf_text(&why), bl_buf_text(&out));
}

static void A20_what_would_start_it_earlier_is_told_as_commands_to_paste(void **state)
{
    (void)state;
    expect_way_out(
        "[{\"set\": {\"gpus\": \"1\"}, \"now\": true, \"before\": null}, "
        "{\"set\": {\"gpu_type\": \"V 100\"}, \"now\": false, \"start\": {\"p10\": 91800, \"p50\": "
        "93600, \"p90\": 97200}, \"before\": null}, "
        "{\"set\": {\"limit\": \"1h30m\"}, \"now\": true, \"before\": \"r17\"}, "
        "{\"set\": {\"nodes\": null}, \"now\": true}, "
        "{\"set\": {\"class\": \"preemptible\"}, \"now\": false, \"start\": {\"p50\": 93600}}]",
        "  instead    baleen set 7 gpus=1  # starts now\n"
        "             baleen set 7 'gpu-type=V 100'  # starts 02:00 (01:30 – 03:00)\n"
        "             baleen set 7 time=1h30m  # starts now, fits before r17\n"
        "             baleen set 7 nodes=any  # starts now\n"
        "             baleen set 7 class=preemptible  # starts 02:00\n");
    expect_way_out("[]",
                   "  to do      asking for less would not start it earlier; go ahead of your "
                   "own jobs ('baleen move 7 --before ID')\n");
    expect_way_out("[null, 3, {}]", "  to do      asking for less would not start it earlier; go "
                                    "ahead of your own jobs ('baleen move 7 --before ID')\n");
    /* what was not tried may help */
    for (size_t i = 0; i < 2; i++) {
        expect_way_out(i == 0 ? "null" : "[], \"instead_untried\": 2",
                       "  to do      ask for less ('baleen set 7 gpus=…', 'time=…') or go ahead "
                       "of your own jobs ('baleen move 7 --before ID')\n");
    }
}

static void what_runs_or_has_ended_is_told_in_one_line(void **state)
{
    (void)state;
    check("{\"id\": 7, \"name\": \"a\", \"state\": \"running\", \"reason\": \"in_order\", "
          "\"reason_numbers\": {}, \"where\": [{\"node\": \"n1\", \"gpus\": [0]}]}",
          "{}", "job 7 a: running on n1 gpu0; was first in line and fits\n");
    check("{\"id\": 7, \"state\": \"completed\", \"exit_code\": 0}", "{}", "job 7: completed\n");
}

static void an_answer_with_odd_fields_is_survived(void **state)
{
    struct bl_arena arena = {0};
    const struct bl_why_scene scene = {
        read_tree("{\"state\": \"queued\"}", &arena),
        read_tree("{\"running\": [3], \"ahead\": {}, \"nodes\": [null], \"after\": 7}", &arena),
        NOW};
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_why_print(&out, &scene);
    assert_true(out.length > 0);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P15_why_names_what_a_job_waits_for_and_until_when),
        cmocka_unit_test(a_held_job_and_one_that_waits_for_others_say_so),
        cmocka_unit_test(a_job_of_a_reservation_is_told_what_helps_there),
        cmocka_unit_test(A20_what_would_start_it_earlier_is_told_as_commands_to_paste),
        cmocka_unit_test(what_runs_or_has_ended_is_told_in_one_line),
        cmocka_unit_test(an_answer_with_odd_fields_is_survived),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
