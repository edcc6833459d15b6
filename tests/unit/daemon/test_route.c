#include "bl_test.h"
#include "daemon/route.h"

#include <stdlib.h>
#include <string.h>

static void handle_nothing(void *self, struct bl_request *request)
{
    (void)self;
    (void)request;
}

static const struct bl_route routes[] = {
    {"GET", "/jobs", handle_nothing, {"state", "limit"}},
    {"POST", "/jobs", handle_nothing, {NULL}},
    {"GET", "/jobs/:id", handle_nothing, {NULL}},
    {"POST", "/jobs/:id/cancel", handle_nothing, {NULL}},
    {NULL, NULL, NULL, {NULL}},
};

static void paths_lead_to_their_rows_or_to_the_right_refusal(void **state)
{
    static const struct {
        const char *method, *path;
        int row; /* -1: `kind` */
        const char *param;
        enum bl_answer kind;
    } rows[] = {
        {"GET", "/jobs", 0, NULL, 0},
        {"POST", "/jobs", 1, NULL, 0},
        {"GET", "/jobs/17", 2, "17", 0},
        {"GET", "/jobs/", 2, "", 0},
        {"POST", "/jobs/17/cancel", 3, "17", 0},
        {"DELETE", "/jobs", -1, NULL, BL_ANSWER_METHOD},
        {"GET", "/jobs/17/cancel", -1, NULL, BL_ANSWER_METHOD},
        {"get", "/jobs", -1, NULL, BL_ANSWER_METHOD},
        {"GET", "", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"GET", "/", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"GET", "jobs", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"GET", "/job", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"GET", "/jobss", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"GET", "//jobs", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"GET", "/jobs/17/", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"GET", "/jobs/17/log", -1, NULL, BL_ANSWER_NOT_FOUND},
        {"POST", "/jobs/17/cancel/now", -1, NULL, BL_ANSWER_NOT_FOUND},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum bl_answer kind = BL_ANSWER_COUNT;
        char *param = NULL;
        const struct bl_route *found =
            bl_route_find(routes, rows[i].method, rows[i].path, &param, &kind);
        int row = found ? (int)(found - routes) : -1;
        bool is_same = rows[i].param ? param && !strcmp(param, rows[i].param) : !param;

        if (row != rows[i].row || !is_same || (row < 0 && kind != rows[i].kind)) {
            fail_msg("%s %s: row %d, '%s'", rows[i].method, rows[i].path, row,
                     param ? param : "nothing");
        }
        free(param);
    }
}

static void a_row_knows_its_own_keys_alone(void **state)
{
    (void)state;
    assert_true(bl_route_has_query(&routes[0], "state"));
    assert_true(bl_route_has_query(&routes[0], "limit"));
    assert_false(bl_route_has_query(&routes[0], "stat"));
    assert_false(bl_route_has_query(&routes[1], "state"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_lead_to_their_rows_or_to_the_right_refusal),
        cmocka_unit_test(a_row_knows_its_own_keys_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
