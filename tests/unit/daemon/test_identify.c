/* Who asks with a cookie, or with nothing; tokens are in test_tokens.c. */
#include "daemon/identify.h"

#include "sessions_scene.h"

#define NOBODY BL_SCOPE_COUNT /* no cookie */

static void print_cookie(struct scene *scene, enum bl_scope scope, struct bl_buf *out)
{
    const struct bl_peer peer = {.uid = 1000, .gid = 100, .scope = scope};
    const struct bl_token *session = NULL;
    BL_AUTO_BUF code = {0};
    struct bl_error err;

    bl_sessions_make_code(scene->sessions, &peer, NOW, &code);
    bl_buf_append_text(out, "other=1; baleen-7420=");
    assert_int_equal(
        bl_sessions_begin_by_code(scene->sessions, bl_buf_text(&code), NOW, out, &session, &err),
        BL_OK);
}

struct row {
    int scope;
    bool is_marked, is_public;
    const char *method, *path, *origin;
    int kind; /* -1: let in, -2: let in as a guest */
};

static void check_row(const struct row *row)
{
    struct scene scene;
    BL_AUTO_BUF cookie = {0};
    struct bl_caller caller = {.method = row->method,
                               .path = row->path,
                               .origin = row->origin,
                               .host = "127.0.0.1:7420",
                               .is_marked = row->is_marked};
    struct bl_identity_rules rules = {.now = NOW, .is_public = row->is_public};
    struct bl_peer peer;
    enum bl_answer kind = BL_ANSWER_COUNT;
    struct bl_error err = {0};
    int found;

    scene_open(&scene);
    rules.tokens = scene.tokens;
    rules.sessions = scene.sessions;
    if (row->scope != NOBODY) {
        print_cookie(&scene, (enum bl_scope)row->scope, &cookie);
        caller.cookie = bl_buf_text(&cookie);
    }
    found =
        bl_identify(&rules, &caller, &peer, &kind, &err) == BL_OK ? -1 - peer.is_guest : (int)kind;
    if (found != row->kind || (found == -1) != (peer.uid == 1000)) {
        fail_msg("scope %d, mark %d, public %d, %s %s from %s: %d, not %d; %s", row->scope,
                 row->is_marked, row->is_public, row->method, row->path,
                 row->origin ? row->origin : "nowhere", found, row->kind, err.text);
    }
    scene_close(&scene);
}

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_row(&rows[i]);
    }
}

enum {
    IN = -1,
    GUEST = -2,
    FORBIDDEN = BL_ANSWER_FORBIDDEN,
    UNAUTHORIZED = BL_ANSWER_UNAUTHORIZED,
    ADMIN = BL_SCOPE_ADMIN,
    READ = BL_SCOPE_READ,
    SUBMIT = BL_SCOPE_SUBMIT
};

static void a_session_writes_only_with_the_mark_and_within_its_scope(void **state)
{
    static const struct row rows[] = {
        {READ, false, false, "GET", "/api/v1/jobs", NULL, IN},
        {READ, false, false, "GET", "/api/v1/tokens", NULL, IN},
        {SUBMIT, true, false, "POST", "/api/v1/jobs", NULL, IN},
        {SUBMIT, true, false, "POST", "/api/v1/jobs", "http://127.0.0.1:7420", IN},
        {SUBMIT, false, false, "POST", "/api/v1/jobs", NULL, FORBIDDEN},
        {SUBMIT, false, false, "DELETE", "/api/v1/reservations/r1", NULL, FORBIDDEN},
        {SUBMIT, false, false, "PATCH", "/api/v1/jobs/1", NULL, FORBIDDEN},
        {SUBMIT, true, false, "POST", "/api/v1/jobs", "http://evil.example", FORBIDDEN},
        {SUBMIT, true, false, "POST", "/api/v1/jobs", "http://127.0.0.1:8888", FORBIDDEN},
        {SUBMIT, true, false, "POST", "/api/v1/jobs", "null", FORBIDDEN},
        {SUBMIT, true, false, "GET", "/api/v1/jobs", "http://evil.example", FORBIDDEN},
        {READ, true, false, "POST", "/api/v1/jobs", NULL, FORBIDDEN},
        {READ, true, true, "POST", "/api/v1/jobs", NULL, FORBIDDEN},
        {ADMIN, false, true, "POST", "/api/v1/nodes/n1/drain", NULL, FORBIDDEN},
        {READ, true, false, "DELETE", "/api/v1/session", NULL, IN},
        {READ, false, false, "DELETE", "/api/v1/session", NULL, FORBIDDEN},
        {READ, false, false, "GET", "/api/v1/session", NULL, IN},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void without_a_session_there_is_the_shell_and_what_the_configuration_opens(void **state)
{
    static const struct row rows[] = {
        {NOBODY, false, false, "GET", "/", NULL, GUEST},
        {NOBODY, false, false, "GET", "/api/v1/session", NULL, GUEST},
        {NOBODY, true, false, "POST", "/api/v1/session", NULL, GUEST},
        {NOBODY, false, false, "POST", "/api/v1/session", NULL, FORBIDDEN},
        {NOBODY, true, false, "POST", "/api/v1/session", "http://evil.example", FORBIDDEN},
        {NOBODY, false, false, "GET", "/", "http://evil.example", FORBIDDEN},
        {NOBODY, false, false, "GET", "/api/v1/jobs", NULL, UNAUTHORIZED},
        {NOBODY, false, false, "GET", "/api/v1/timeline", NULL, UNAUTHORIZED},
        {NOBODY, false, false, "GET", "/healthz", NULL, UNAUTHORIZED},
        {NOBODY, true, false, "POST", "/api/v1/jobs", NULL, UNAUTHORIZED},
        {NOBODY, false, true, "GET", "/api/v1/jobs", NULL, GUEST},
        {NOBODY, false, true, "GET", "/api/v1/events", NULL, GUEST},
        {NOBODY, false, true, "GET", "/api/v1/jobs/1/log", NULL, UNAUTHORIZED},
        {NOBODY, false, true, "GET", "/api/v1/tokens", NULL, UNAUTHORIZED},
        {NOBODY, true, true, "POST", "/api/v1/jobs", NULL, UNAUTHORIZED},
        {NOBODY, true, true, "POST", "/api/v1/session/codes", NULL, UNAUTHORIZED},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void a_name_that_somebody_led_here_is_refused(void **state)
{
    struct scene scene;
    BL_AUTO_BUF cookie = {0};
    struct bl_caller caller = {
        .method = "GET", .path = "/", .host = "evil.example:7420", .is_marked = true};
    struct bl_identity_rules rules = {.now = NOW, .is_public = true};
    struct bl_peer peer;
    enum bl_answer kind = BL_ANSWER_COUNT;
    struct bl_error err = {0};

    (void)state;
    scene_open(&scene);
    rules.tokens = scene.tokens;
    rules.sessions = scene.sessions;
    print_cookie(&scene, BL_SCOPE_ADMIN, &cookie);
    caller.cookie = bl_buf_text(&cookie);
    assert_int_not_equal(bl_identify(&rules, &caller, &peer, &kind, &err), BL_OK);
    assert_int_equal(kind, BL_ANSWER_FORBIDDEN);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_writes_only_with_the_mark_and_within_its_scope),
        cmocka_unit_test(without_a_session_there_is_the_shell_and_what_the_configuration_opens),
        cmocka_unit_test(a_name_that_somebody_led_here_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
