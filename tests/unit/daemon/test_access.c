#include "daemon/access.h"

#include "bl_test.h"

static void only_what_is_named_is_open(void **state)
{
    static const struct {
        const char *method, *path;
        enum bl_access access;
    } rows[] = {
        {"GET", "/", BL_ACCESS_OPEN},
        {"HEAD", "/", BL_ACCESS_OPEN},
        {"GET", "/icon.svg", BL_ACCESS_OPEN},
        {"GET", "/assets/index-1a2b.js", BL_ACCESS_OPEN},
        {"POST", "/", BL_ACCESS_KNOWN},
        {"POST", "/assets/index-1a2b.js", BL_ACCESS_KNOWN},
        {"GET", "/assets/index-1a2b.js/x", BL_ACCESS_KNOWN},
        {"GET", "/assets", BL_ACCESS_KNOWN},
        {"GET", "//", BL_ACCESS_KNOWN},
        {"GET", "", BL_ACCESS_KNOWN},
        {"get", "/", BL_ACCESS_KNOWN},
        {"GET", "/nowhere", BL_ACCESS_KNOWN},
        {"POST", "/api/v1/session", BL_ACCESS_OPEN},
        {"PATCH", "/api/v1/session", BL_ACCESS_KNOWN},
        {"POST", "/api/v1/session/codes", BL_ACCESS_KNOWN},
        {"GET", "/api/v1/jobs", BL_ACCESS_VIEW},
        {"GET", "/api/v1/jobs/1", BL_ACCESS_VIEW},
        {"GET", "/api/v1/timeline", BL_ACCESS_VIEW},
        {"GET", "/healthz", BL_ACCESS_VIEW},
        {"DELETE", "/api/v1/reservations/r1", BL_ACCESS_KNOWN},
        {"POST", "/api/v1/jobs/1/cancel", BL_ACCESS_KNOWN},
        {"GET", "/api/v1/jobs/1/curve", BL_ACCESS_KNOWN},
        {"GET", "/api/v1/tokens", BL_ACCESS_KNOWN},
        {"GET", "/api/v1/jobs/1/log", BL_ACCESS_KNOWN},
        {"GET", "/ical/x.ics", BL_ACCESS_KNOWN},
        {"POST", "/api/v1/jobs", BL_ACCESS_KNOWN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_access_of(rows[i].method, rows[i].path) != rows[i].access) {
            fail_msg("%s %s", rows[i].method, rows[i].path);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_named_is_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
