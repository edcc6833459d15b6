#include "cli/plan.h"

#include "client_text.h"

/* 1970-01-02 00:00:00 UTC. */
#define NOW (86400 * BL_SECOND)

#define NAMED                                                                                      \
    "{\"id\": \"n1:0\", \"node\": \"n1\", \"gpu\": 0, \"gpus\": 1, \"type\": \"A100\"}, "          \
    "{\"id\": \"n1:1\", \"node\": \"n1\", \"gpu\": 1, \"gpus\": 1, \"type\": \"A100\"}"
#define COUNTED "{\"id\": \"n2\", \"node\": \"n2\", \"gpu\": null, \"gpus\": 8, \"type\": \"V100\"}"

/* Four hours from now in 24 cells of 10 minutes; `expected` is all behind the axis. */
static void check(enum bl_plan_by by, const char *lanes, const char *bars, const char *expected)
{
    struct bl_arena arena = {0};
    BL_AUTO_BUF json = {0};
    BL_AUTO_BUF out = {0};
    struct bl_plan_scene scene = {
        .by = by,
        .look = {.from = NOW, .to = NOW + 4 * BL_HOUR, .now = NOW, .columns = 34, .ascii = true}};

    bl_buf_printf(&json, "{\"lanes\": [%s], \"bars\": [%s], \"left_out\": 0}", lanes, bars);
    scene.timeline = read_tree(bl_buf_text(&json), &arena);
    bl_plan_print(&out, &scene);
    assert_string_equal(strchr(strchr(bl_buf_text(&out), '\n') + 1, '\n') + 1, expected);
    bl_arena_finish(&arena);
}

#define LEGEND "= running  . planned (a forecast; GPUs of waiting jobs are a sketch)"

static const char bars_json[] =
    "{\"kind\": \"job\", \"ref\": \"1\", \"lanes\": [\"n1:0\", \"n1:1\"], \"gpus\": 2, "
    "\"start_at\": 80000, \"end_at\": 88200, \"state\": \"running\", \"user\": \"ann\", "
    "\"project\": \"nlp\", \"label\": \"tiny\"},"
    "{\"kind\": \"job\", \"ref\": \"2_7\", \"lanes\": [\"n1:0\"], \"gpus\": 1, "
    "\"start_at\": 88200, \"end_at\": null, \"state\": \"queued\", \"user\": \"bob\", "
    "\"project\": null, \"label\": \"big\"},"
    "{\"kind\": \"reservation\", \"ref\": \"r17\", \"lanes\": [\"n1:1\"], \"gpus\": 1, "
    "\"start_at\": 90000, \"end_at\": 97200, \"state\": \"booked\", \"user\": \"ann\", "
    "\"project\": \"nlp\", \"label\": \"demo\"}";

static void each_gpu_has_its_line(void **state)
{
    (void)state;
    check(BL_PLAN_BY_GPU, NAMED, bars_json,
          "gpu0 A100 =1=.2_7 bob.............\n"
          "gpu1 A100 =1=   /r17 ann de/\n" LEGEND "  / reserved\n");
}

static void a_node_that_counts_its_gpus_has_a_line_for_each_bar_at_a_time(void **state)
{
    (void)state;
    check(BL_PLAN_BY_GPU, NAMED ", " COUNTED,
          "{\"kind\": \"job\", \"ref\": \"1\", \"lanes\": [\"n2\"], \"gpus\": 4, \"state\": "
          "\"running\", "
          "\"start_at\": 80000, \"end_at\": 90000, \"user\": \"ann\", \"label\": \"a\"},"
          "{\"kind\": \"job\", \"ref\": \"2\", \"lanes\": [\"n2\"], \"gpus\": 2, \"state\": "
          "\"running\", "
          "\"start_at\": 80000, \"end_at\": 90000, \"user\": \"bob\", \"label\": \"b\"}",
          "n1 gpu0 A100\n"
          "n1 gpu1 A100\n"
          "n2 8x V100   =1 an=\n"
          "             =2 bo=\n" LEGEND "\n");
}

static void users_and_projects_have_lines_of_their_own(void **state)
{
    (void)state;
    check(BL_PLAN_BY_USER, NAMED, bars_json,
          "ann =1=    /r17 demo x1///\n"
          "bob    .2_7 big x1................\n" LEGEND "  / reserved\n");
    check(BL_PLAN_BY_PROJECT, NAMED, bars_json,
          "nobody    .2_7 bob x1.............\n"
          "nlp    =1=   /r17 ann demo/\n" LEGEND "  / reserved\n");
}

static void a_job_that_finds_no_free_lines_is_named_below(void **state)
{
    (void)state;
    check(BL_PLAN_BY_GPU, NAMED,
          "{\"kind\": \"job\", \"ref\": \"3\", \"lanes\": [], \"gpus\": 4, \"state\": \"queued\", "
          "\"start_at\": 90000, \"end_at\": null, \"user\": \"bob\", \"label\": \"b\"},"
          "{\"kind\": \"job\", \"ref\": \"4\", \"lanes\": [], \"gpus\": 0, \"state\": \"queued\", "
          "\"start_at\": 90000, \"end_at\": null, \"user\": \"bob\", \"label\": \"no GPUs\"}",
          "gpu0 A100\n"
          "gpu1 A100\n" LEGEND "\n"
          "not drawn, no line is free then: 1 job: 3 (01:00)\n");
}

static void a_node_out_of_use_is_drawn_where_it_is(void **state)
{
    (void)state;
    check(BL_PLAN_BY_GPU, NAMED,
          "{\"kind\": \"down\", \"ref\": \"n1\", \"lanes\": [\"n1:1\"], \"gpus\": 1, "
          "\"state\": \"drained\", \"start_at\": null, \"end_at\": 90000, \"label\": \"n1\"}",
          "gpu0 A100\n"
          "gpu1 A100 xn1xxx\n" LEGEND "  x out of use\n");
    check(BL_PLAN_BY_USER, NAMED,
          "{\"kind\": \"down\", \"ref\": \"n1\", \"lanes\": [\"n1:1\"], \"gpus\": 1, "
          "\"state\": \"drained\", \"start_at\": null, \"end_at\": 90000, \"label\": \"n1\"}",
          LEGEND "\n");
}

static void an_answer_with_odd_fields_is_survived(void **state)
{
    (void)state;
    check(BL_PLAN_BY_GPU, NAMED,
          "{\"kind\": 7, \"lanes\": 3}, {}, {\"state\": \"running\", \"lanes\": [[], {}, \"n9\"], "
          "\"start_at\": -1e300, \"end_at\": \"soon\", \"gpus\": -4}",
          "gpu0 A100\n"
          "gpu1 A100\n" LEGEND "\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_gpu_has_its_line),
        cmocka_unit_test(a_node_that_counts_its_gpus_has_a_line_for_each_bar_at_a_time),
        cmocka_unit_test(users_and_projects_have_lines_of_their_own),
        cmocka_unit_test(a_job_that_finds_no_free_lines_is_named_below),
        cmocka_unit_test(a_node_out_of_use_is_drawn_where_it_is),
        cmocka_unit_test(an_answer_with_odd_fields_is_survived),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
