#include "cli/queue.h"

#include "client_text.h"

static const char jobs_json[] =
    "{\"jobs\": ["
    "{\"id\": 1, \"name\": \"old\", \"user\": \"ann\", \"project\": null, \"class\": \"batch\", "
    "\"state\": \"failed\", \"reason\": \"exit\", \"reason_text\": \"exited with code 3\", "
    "\"gpus\": {\"min\": 1, \"max\": 1}, \"where\": [], \"started_at\": 100, \"ended_at\": 145, "
    "\"exit_code\": 3, \"limit_s\": 60},"
    "{\"id\": 2, \"name\": \"wait\", \"user\": \"bob\", \"project\": \"cv\", "
    "\"class\": \"preemptible\", \"state\": \"waiting\", \"reason\": \"dependency\", "
    "\"reason_text\": \"waits for job 3\", \"gpus\": {\"min\": 4, \"max\": 4}, \"where\": [], "
    "\"reason_numbers\": {\"job\": 3, \"need\": 0, \"have\": 0, \"at\": null}, "
    "\"start\": {\"p10\": null, \"p50\": 3600, \"p90\": 5400}, \"end\": {\"p50\": 90000, "
    "\"p90\": 93600}, \"eta\": {\"from\": \"limits\", \"runs\": 32}},"
    "{\"id\": 3, \"name\": \"训练\", \"user\": \"ann\", \"project\": null, \"class\": \"batch\", "
    "\"state\": \"running\", \"reason\": \"in_order\", \"reason_text\": \"first in line\", "
    "\"gpus\": {\"min\": 2, \"max\": 2, \"now\": 2}, "
    "\"where\": [{\"node\": \"node1\", \"gpus\": [0, 1]}], \"started_at\": 1000}"
    "]}";

static const char nodes_json[] =
    "{\"nodes\": [{\"name\": \"node1\", \"state\": \"up\", \"gpus\": 8, \"gpus_free\": 3}, "
    "{\"name\": \"node2\", \"state\": \"down\", \"gpus\": 4, \"gpus_free\": 4}]}";

static void fill_list(const char *json, struct bl_job_list *list, struct bl_arena *arena)
{
    const struct bl_tree *jobs = bl_tree_find(read_tree(json, arena), "jobs");

    for (size_t i = 0; i < jobs->child_count; i++) {
        struct bl_job_view view;

        bl_job_view_read(&jobs->child[i], &view);
        BL_VEC_PUSH(list, view);
    }
    bl_queue_sort(list->at, list->count);
}

static void check_list(const char *json, const char *fields_text,
                       const struct bl_queue_scene *scene, const char *expected)
{
    struct bl_arena arena = {0};
    struct bl_job_list list = {0};
    struct bl_queue_fields fields = {0};
    struct bl_table table = {0};
    const struct bl_table_look look = {0};
    BL_AUTO_BUF out = {0};

    fill_list(json, &list, &arena);
    assert_int_equal(bl_queue_fields_parse(fields_text, &fields, NULL), BL_OK);
    bl_queue_fill(&table, &fields, &list, scene);
    bl_table_print(&out, &table, &look);
    assert_string_equal(bl_buf_text(&out), expected);
    bl_table_finish(&table);
    bl_job_list_finish(&list);
    bl_arena_finish(&arena);
}

static void check(const char *fields_text, const struct bl_queue_scene *scene, const char *expected)
{
    check_list(jobs_json, fields_text, scene, expected);
}

static void the_queue_reads_ended_then_running_then_waiting(void **state)
{
    const struct bl_queue_scene scene = {.now = 1065 * BL_SECOND, .has_one_node = true};

    (void)state;
    check(
        NULL, &scene,
        "ID  NAME  USER  PROJ  CLASS  ST  GPUS  WHERE      USED  STARTS           ENDS (P90)      "
        "         REASON\n"
        " 1  old   ann   –     batch  F   1     –           45s  –                –               "
        "         exited with code 3\n"
        " 3  训练  ann   –     batch  R   2     gpu0-1     1m5s  –                –\n"
        " 2  wait  bob   cv    preem  PD  4     (after 3)     –  ~01:00 (–01:30)  ~tomorrow 01:00 "
        "(02:00)  waits for job 3\n");
}

static void reservations_of_the_day_stand_before_what_waits(void **state)
{
    static const char json[] =
        "{\"reservations\": [{\"ref\": \"r17\", \"name\": \"demo\", \"user\": \"ann\", "
        "\"project\": null, \"gpus\": 4, \"start_at\": 3600, \"end_at\": 7200, \"where\": "
        "[{\"node\": \"node1\", \"gpus\": [4, 5, 6, 7]}]}, {\"ref\": \"r16\", \"gpus\": 1, "
        "\"start_at\": 1000, \"end_at\": 5400, \"where\": []}, {\"ref\": \"r18\", "
        "\"start_at\": 99999}, {}]}";
    const struct bl_queue_scene scene = {.now = 1065 * BL_SECOND, .has_one_node = true};
    struct bl_arena arena = {0};
    struct bl_job_list list = {0};
    struct bl_queue_fields fields = {0};
    struct bl_table table = {0};
    const struct bl_table_look look = {0};
    BL_AUTO_BUF out = {0};

    (void)state;
    fill_list(jobs_json, &list, &arena);
    bl_queue_add_reservations(&list, read_tree(json, &arena), scene.now);
    bl_queue_sort(list.at, list.count);
    assert_int_equal(
        bl_queue_fields_parse("id,name,class,st,gpus,where,starts,ends", &fields, NULL), BL_OK);
    bl_queue_fill(&table, &fields, &list, &scene);
    bl_table_print(&out, &table, &look);
    assert_string_equal(bl_buf_text(&out),
                        " ID  NAME  CLASS  ST  GPUS  WHERE      STARTS           ENDS (P90)\n"
                        "  1  old   batch  F   1     –          –                –\n"
                        "  3  训练  batch  R   2     gpu0-1     –                –\n"
                        "  ?  –     RESV   –   0     –          –                –\n"
                        "r16  –     RESV   –   1     –          –                01:30\n"
                        "r17  demo  RESV   –   4     gpu4-7     01:00            02:00\n"
                        "  2  wait  preem  PD  4     (after 3)  ~01:00 (–01:30)  ~tomorrow 01:00 "
                        "(02:00)\n");
    bl_table_finish(&table);
    bl_job_list_finish(&list);
    bl_arena_finish(&arena);
}

static void the_columns_of_the_queue_are_chinese_where_it_is_asked_for(void **state)
{
    const struct bl_queue_scene scene = {.now = 1065 * BL_SECOND, .has_one_node = true};

    (void)state;
    setenv("LC_ALL", "zh_CN.UTF-8", 1);
    check("id,st,where,ends,reason", &scene,
          "编号  ST  位置           预计结束 (P90)       原因\n"
          "   1  F   –              –                    exited with code 3\n"
          "   3  R   gpu0-1         –\n"
          "   2  PD  （在 3 之后）  ~明天 01:00 (02:00)  等待作业 3\n");
}

static int speak_english(void **state)
{
    (void)state;
    return setenv("LC_ALL", "C.UTF-8", 1);
}

static void with_several_nodes_the_place_names_them(void **state)
{
    const struct bl_queue_scene scene = {.now = 1065 * BL_SECOND};

    (void)state;
    check("id,where", &scene,
          "ID  WHERE\n"
          " 1  –\n"
          " 3  node1:0-1\n"
          " 2  (after 3)\n");
}

static void a_number_of_a_booking_is_not_told_as_that_of_a_job(void **state)
{
    static const struct {
        const char *reason, *at, *where;
    } rows[] = {{"reserved", "60", "–"},
                {"booked", "60", "–"},
                {"for_reservation", "60", "–"},
                {"in_reservation", "null", "–"},
                {"reservation_over", "null", "–"},
                {"slot_too_small", "null", "–"},
                {"slot_over", "null", "–"},
                {"preempted", "60", "–"},
                {"preempted", "null", "(after 4)"},
                {"priority", "null", "(after 4)"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_queue_scene scene = {.now = 0};
        BL_AUTO_BUF json = {0};
        BL_AUTO_BUF expected = {0};

        bl_buf_printf(&json,
                      "{\"jobs\": [{\"id\": 1, \"state\": \"queued\", \"reason\": \"%s\", "
                      "\"where\": [], \"reason_numbers\": {\"job\": 4, \"at\": %s}}]}",
                      rows[i].reason, rows[i].at);
        bl_buf_printf(&expected, "ID  WHERE\n 1  %s\n", rows[i].where);
        check_list(bl_buf_text(&json), "id,where", &scene, bl_buf_text(&expected));
    }
}

static void columns_are_chosen_by_name(void **state)
{
    const struct bl_queue_scene scene = {.now = 1065 * BL_SECOND};

    (void)state;
    check("state,ID,exit", &scene,
          "STATE    ID  EXIT\n"
          "failed    1     3\n"
          "running   3     –\n"
          "waiting   2     –\n");
}

static void a_column_that_is_none_is_refused_with_the_list(void **state)
{
    struct bl_queue_fields fields = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_queue_fields_parse("id,size", &fields, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "'size'"));
    assert_non_null(strstr(err.hint, "gpus"));
    assert_int_equal(bl_queue_fields_parse("", &fields, &err), BL_EINVAL);
    assert_int_equal(bl_queue_fields_parse("id,", &fields, &err), BL_EINVAL);
}

static void the_summary_counts_gpus_and_jobs(void **state)
{
    struct bl_arena arena = {0};
    struct bl_job_list list = {0};
    BL_AUTO_BUF out = {0};

    (void)state;
    fill_list(jobs_json, &list, &arena);
    bl_queue_print_summary(&out, read_tree(nodes_json, &arena), &list);
    assert_string_equal(bl_buf_text(&out),
                        "12 GPUs: 5 busy, 3 free, 4 out of use · 1 running · 1 queued\n"
                        "~ by limits alone: nothing is foreseen of these jobs yet\n");
    bl_job_list_finish(&list);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_queue_reads_ended_then_running_then_waiting),
        cmocka_unit_test(reservations_of_the_day_stand_before_what_waits),
        cmocka_unit_test_teardown(the_columns_of_the_queue_are_chinese_where_it_is_asked_for,
                                  speak_english),
        cmocka_unit_test(with_several_nodes_the_place_names_them),
        cmocka_unit_test(a_number_of_a_booking_is_not_told_as_that_of_a_job),
        cmocka_unit_test(columns_are_chosen_by_name),
        cmocka_unit_test(a_column_that_is_none_is_refused_with_the_list),
        cmocka_unit_test(the_summary_counts_gpus_and_jobs),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
