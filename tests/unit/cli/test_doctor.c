#include "cli/doctor.h"

#include "bl_test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int choose_locale(void **state)
{
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

static void notes_need_no_mending_and_faults_do(void **state)
{
    struct bl_findings findings = {0};
    BL_AUTO_BUF well = {0};
    BL_AUTO_BUF ill = {0};
    BL_AUTO_BUF json = {0};

    (void)state;
    bl_doctor_add(&findings, "clock", BL_GRADE_OK, "right", NULL);
    bl_doctor_add(&findings, "gpus", BL_GRADE_NOTE, "none", "declare some");
    assert_true(bl_doctor_is_well(&findings));
    bl_doctor_print(&well, &findings);
    assert_string_equal(bl_buf_text(&well), "ok    clock       right\n"
                                            "note  gpus        none\n"
                                            "                  declare some\n"
                                            "nothing must be mended\n");
    bl_doctor_add(&findings, "state", BL_GRADE_BAD, "full\x1b", "make room");
    assert_false(bl_doctor_is_well(&findings));
    bl_doctor_print(&ill, &findings);
    assert_non_null(strstr(bl_buf_text(&ill), "MEND  state       full\\x1b\n"));
    bl_doctor_print_json(&json, &findings);
    assert_non_null(strstr(bl_buf_text(&json), "{\"ok\":false,\"checks\":[{\"check\":\"clock\","
                                               "\"grade\":\"ok\",\"text\":\"right\","
                                               "\"remedy\":null}"));
    bl_findings_finish(&findings);
}

/* The one finding of a single look. */
static void expect_grade(struct bl_findings *findings, enum bl_grade grade, const char *words)
{
    assert_int_equal(findings->list.count, 1);
    if (findings->list.at[0].grade != grade || !strstr(findings->list.at[0].text, words)) {
        fail_msg("%d: %s", findings->list.at[0].grade, findings->list.at[0].text);
    }
    bl_findings_finish(findings);
}

static void a_socket_where_nobody_listens_must_be_mended(void **state)
{
    struct bl_findings findings = {0};
    BL_AUTO_SERVER server = {.url = {0}};

    (void)state;
    bl_buf_append_text(&server.socket, "/nowhere/socket");
    bl_doctor_look_daemon(&server, &findings);
    expect_grade(&findings, BL_GRADE_BAD, "/nowhere/socket");
}

static void room_for_the_state_is_looked_for_where_it_would_be_made(void **state)
{
    char folder[] = "/tmp/baleen-doctor-XXXXXX";
    struct bl_findings findings = {0};
    BL_AUTO_BUF below = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    bl_buf_printf(&below, "%s/a/b/c", folder);
    bl_doctor_look_state(bl_buf_text(&below), &findings);
    assert_int_equal(findings.list.count, 1);
    assert_non_null(strstr(findings.list.at[0].text, "/a/b/c"));
    assert_non_null(strstr(findings.list.at[0].text, "free"));
    bl_findings_finish(&findings);
    assert_int_equal(rmdir(folder), 0);
    bl_doctor_look_state("/proc/self", &findings);
    assert_true(findings.list.at[0].grade != BL_GRADE_OK);
    bl_findings_finish(&findings);
}

static void a_zone_that_is_none_is_told(void **state)
{
    static const struct {
        const char *zone;
        enum bl_grade grade;
    } rows[] = {
        {"Mars/Olympus", BL_GRADE_BAD},
        {"UTC", BL_GRADE_OK},
        {"CET-1CEST,M3.5.0,M10.5.0/3", BL_GRADE_OK},
        {"/nowhere/zone", BL_GRADE_BAD},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_findings findings = {0};

        setenv("TZ", rows[i].zone, 1);
        bl_doctor_look_zone(&findings);
        expect_grade(&findings, rows[i].grade, rows[i].zone);
    }
    setenv("TZ", "UTC", 1);
}

static void every_other_look_ends_with_one_finding(void **state)
{
    static void (*const looks[])(struct bl_findings *) = {bl_doctor_look_cgroup,
                                                          bl_doctor_look_gpus, bl_doctor_look_clock,
                                                          bl_doctor_look_supervisor};

    (void)state;
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        struct bl_findings findings = {0};

        looks[i](&findings);
        assert_int_equal(findings.list.count, 1);
        assert_true(findings.list.at[0].text[0] != '\0');
        bl_findings_finish(&findings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_need_no_mending_and_faults_do),
        cmocka_unit_test(a_socket_where_nobody_listens_must_be_mended),
        cmocka_unit_test(room_for_the_state_is_looked_for_where_it_would_be_made),
        cmocka_unit_test(a_zone_that_is_none_is_told),
        cmocka_unit_test(every_other_look_ends_with_one_finding),
    };

    return cmocka_run_group_tests(tests, choose_locale, NULL);
}
