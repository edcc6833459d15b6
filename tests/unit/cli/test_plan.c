#include "cli/plan.h"

#include "bl_test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* 1970-01-02 00:00:00 UTC. */
#define NOW (86400 * BL_SECOND)

static int choose_locale(void **state)
{
    (void)state;
    setenv("TZ", "UTC", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    tzset();
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

static const char gpus_json[] = "{\"gpus\": [{\"node\": \"n1\", \"gpu\": 0, \"type\": \"A100\"}, "
                                "{\"node\": \"n1\", \"gpu\": 1, \"type\": \"A100\"}, "
                                "{\"node\": \"n1\", \"gpu\": 2, \"type\": \"A100\"}]}";

static const struct bl_tree *read_tree(const char *json, struct bl_arena *arena)
{
    const struct bl_tree_source source = {"sample", json, strlen(json)};
    struct bl_tree *tree = NULL;

    assert_int_equal(bl_json_read(&source, arena, &tree, NULL), BL_OK);
    return tree;
}

/* The picture of 4 hours in 34 columns: 24 cells of 10 minutes. */
static void check(const char *jobs_json, const char *expected)
{
    struct bl_arena arena = {0};
    struct bl_job_list jobs = {0};
    const struct bl_tree *list = bl_tree_find(read_tree(jobs_json, &arena), "jobs");
    const struct bl_plan_scene scene = {.jobs = &jobs,
                                        .gpus = read_tree(gpus_json, &arena),
                                        .now = NOW,
                                        .span = 4 * BL_HOUR,
                                        .columns = 34,
                                        .ascii = true};
    BL_AUTO_BUF out = {0};

    for (size_t i = 0; i < list->child_count; i++) {
        struct bl_job_view view;

        bl_job_view_read(&list->child[i], &view);
        BL_VEC_PUSH(&jobs, view);
    }
    bl_plan_print(&out, &scene);
    assert_string_equal(bl_buf_text(&out), expected);
    bl_job_list_finish(&jobs);
    bl_arena_finish(&arena);
}

static void what_runs_is_drawn_where_it_is_and_what_waits_where_it_will_be_free(void **state)
{
    (void)state;
    check("{\"jobs\": ["
          "{\"id\": 1, \"user\": \"ann\", \"state\": \"running\", \"gpus\": {\"min\": 2}, "
          "\"where\": [{\"node\": \"n1\", \"gpus\": [0, 1]}], \"end\": {\"p50\": 93600}},"
          "{\"id\": 2, \"user\": \"bob\", \"state\": \"queued\", \"gpus\": {\"min\": 3}, "
          "\"start\": {\"p50\": 93600}, \"end\": {\"p50\": 97200}},"
          "{\"id\": 3, \"user\": \"训练\", \"state\": \"queued\", \"gpus\": {\"min\": 1}, "
          "\"start\": {\"p50\": 86400}, \"end\": {\"p50\": 90000}}]}",
          "1970-01-02 00:00 UTC\n"
          "          now   01:00 02:00 03:00\n"
          "gpu0 A100 =1 ann======.2 bo.\n"
          "gpu1 A100 =1 ann======.2 bo.\n"
          "gpu2 A100 .3 ...      .2 bo.\n"
          "= running  . planned (by the limits; GPUs of waiting jobs are a sketch)\n");
}

static void a_job_that_finds_no_free_lines_is_named_below(void **state)
{
    (void)state;
    check("{\"jobs\": ["
          "{\"id\": 1, \"user\": \"ann\", \"state\": \"running\", \"gpus\": {\"min\": 2}, "
          "\"where\": [{\"node\": \"n1\", \"gpus\": [1, 2]}], \"end\": null},"
          "{\"id\": 2, \"user\": \"bob\", \"state\": \"queued\", \"gpus\": {\"min\": 2}, "
          "\"start\": {\"p50\": 90000}, \"end\": null},"
          "{\"id\": 3, \"user\": \"bob\", \"state\": \"queued\", \"gpus\": {\"min\": 2}, "
          "\"start\": {\"p50\": 900000}, \"end\": null}]}",
          "1970-01-02 00:00 UTC\n"
          "          now   01:00 02:00 03:00\n"
          "gpu0 A100\n"
          "gpu1 A100 =1 ann==================\n"
          "gpu2 A100 =1 ann==================\n"
          "= running  . planned (by the limits; GPUs of waiting jobs are a sketch)\n"
          "not drawn, no line is free then: 1 job: 2 (01:00)\n");
}

static void an_answer_with_odd_fields_is_survived(void **state)
{
    (void)state;
    check("{\"jobs\": [{\"id\": 1, \"state\": \"running\", \"where\": 3}, {\"state\": \"queued\", "
          "\"start\": {\"p50\": 86400}, \"gpus\": {\"min\": -4}}, {}]}",
          "1970-01-02 00:00 UTC\n"
          "          now   01:00 02:00 03:00\n"
          "gpu0 A100\n"
          "gpu1 A100\n"
          "gpu2 A100\n"
          "= running  . planned (by the limits; GPUs of waiting jobs are a sketch)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_runs_is_drawn_where_it_is_and_what_waits_where_it_will_be_free),
        cmocka_unit_test(a_job_that_finds_no_free_lines_is_named_below),
        cmocka_unit_test(an_answer_with_odd_fields_is_survived),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
