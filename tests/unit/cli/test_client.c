#include "cli/client.h"

#include "bl_test.h"

#include <string.h>

static void an_answer_of_400_and_over_becomes_the_error_it_carries(void **state)
{
    static const struct {
        long http;
        const char *body;
        enum bl_status status;
        const char *text, *field, *hint;
    } rows[] = {
        {400,
         "{\"error\": {\"code\": \"invalid\", \"message\": \"expected 4\", \"field\": \"gpus\", "
         "\"hint\": null}}",
         BL_EINVAL, "expected 4", "gpus", ""},
        {409, "{\"error\": {\"code\": \"refused\", \"message\": \"too big\", \"hint\": \"ask 8\"}}",
         BL_EREFUSED, "too big", "", "ask 8"},
        {404, "{\"error\": {\"message\": \"no job 9\"}}", BL_ENOTFOUND, "no job 9", "", ""},
        {403, "{\"error\": {\"message\": \"not yours\"}}", BL_EREFUSED, "not yours", "", ""},
        {413, "", BL_ETOOBIG, "status 413", "", ""},
        {503, "<html>", BL_ESYSTEM, "status 503", "", ""},
        {500, "[]", BL_ESYSTEM, "status 500", "", ""},
        {500, "{\"error\": 3}", BL_ESYSTEM, "status 500", "", ""},
        {400, "{\"error\": {\"message\": {}}}", BL_EINVAL, "status 400", "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        int status = bl_client_judge(rows[i].http, rows[i].body, strlen(rows[i].body), &err);

        if (status != (int)rows[i].status || (int)err.status != status ||
            !strstr(err.text, rows[i].text) || strcmp(err.field, rows[i].field) != 0 ||
            strcmp(err.hint, rows[i].hint) != 0) {
            fail_msg("row %zu: %d '%s' '%s' '%s'", i, status, err.text, err.field, err.hint);
        }
    }
}

static void a_good_answer_is_no_error(void **state)
{
    (void)state;
    assert_int_equal(bl_client_judge(200, "{}", 2, NULL), BL_OK);
    assert_int_equal(bl_client_judge(201, "", 0, NULL), BL_OK);
}

static void a_socket_that_nobody_serves_is_unreachable_and_says_how_to_start_one(void **state)
{
    BL_AUTO_SERVER server = {.url = {0}};
    struct bl_client *client;
    struct bl_error err = {0};
    BL_AUTO_REPLY reply = {0};

    (void)state;
    bl_buf_append_text(&server.socket, "/nonexistent/baleen.sock");
    client = bl_client_create(&server);
    assert_int_equal(bl_client_get(client, "/healthz", &reply, &err), BL_EUNREACHABLE);
    assert_non_null(strstr(err.text, "/nonexistent/baleen.sock"));
    assert_non_null(strstr(err.hint, "baleen daemon"));
    bl_client_destroy(client);
}

static void queries_are_escaped(void **state)
{
    BL_AUTO_BUF out = {0};

    (void)state;
    bl_client_escape(&out, "a b&c=d/训");
    assert_string_equal(bl_buf_text(&out), "a%20b%26c%3Dd%2F%E8%AE%AD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_of_400_and_over_becomes_the_error_it_carries),
        cmocka_unit_test(a_good_answer_is_no_error),
        cmocka_unit_test(a_socket_that_nobody_serves_is_unreachable_and_says_how_to_start_one),
        cmocka_unit_test(queries_are_escaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
