#include "bl_test.h"
#include "daemon/hosts.h"

#include <string.h>

static const char *const known[] = {"gpu.example.org", NULL};

static void addresses_localhost_and_configured_names_are_known(void **state)
{
    static const struct {
        const char *host;
        bool is_known;
    } rows[] = {
        {"127.0.0.1", true},
        {"127.0.0.1:7420", true},
        {"10.1.2.3:80", true},
        {"[::1]:7420", true},
        {"[::1]", true},
        {"localhost", true},
        {"LocalHost:1", true},
        {"gpu.example.org", true},
        {"GPU.example.org:8", true},
        {"evil.example", false},
        {"", false},
        {":80", false},
        {"[::1", false},
        {"[evil]:80", false},
        {"localhost:80x", false},
        {"127.0.0.1.evil", false},
        {"localhost.", false},
        {"127.0.0.1:80:81", false},
        {"127.0.0.1/x", false},
        {"[]", false},
        {"a@127.0.0.1", false},
        {"gpu.example.orgx", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_hosts_has(known, rows[i].host) != rows[i].is_known) {
            fail_msg("'%s'", rows[i].host);
        }
    }
    assert_false(bl_hosts_has(NULL, "gpu.example.org"));
}

static void a_name_too_long_for_any_host_is_not_known(void **state)
{
    char name[1024];

    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(bl_hosts_has(known, name));
}

static void pages_of_other_hosts_make_no_requests(void **state)
{
    static const struct {
        const char *host, *origin, *message; /* NULL = taken */
    } rows[] = {
        {NULL, NULL, NULL},
        {"localhost:7420", NULL, NULL},
        {"localhost:7420", "http://localhost:7420", NULL},
        {"gpu.example.org", "https://gpu.example.org", NULL},
        {"evil.example", NULL, "calls this machine 'evil.example'"},
        {"evil.example", "http://evil.example", "calls this machine 'evil.example'"},
        {"localhost:7420", "http://localhost:1", "a page of 'http://localhost:1'"},
        {"localhost:7420", "null", "a page of 'null'"},
        {"localhost:7420", "", "a page of ''"},
        {NULL, "http://localhost", "a page of 'http://localhost'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_error err = {0};
        int status = bl_hosts_check(known, rows[i].host, rows[i].origin, &err);

        if ((status != BL_OK) != (rows[i].message != NULL) ||
            (rows[i].message && !strstr(err.text, rows[i].message))) {
            fail_msg("row %zu: %d '%s'", i, status, err.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_localhost_and_configured_names_are_known),
        cmocka_unit_test(a_name_too_long_for_any_host_is_not_known),
        cmocka_unit_test(pages_of_other_hosts_make_no_requests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
