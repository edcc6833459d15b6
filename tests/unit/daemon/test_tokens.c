#include "bl_test.h"
#include "daemon/identify.h"
#include "daemon/tokens.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NOW (INT64_C(1700000000) * BL_SECOND)

struct scene {
    char folder[64];
    struct bl_tokens *tokens;
};

static void scene_open(struct scene *scene)
{
    *scene = (struct scene){.folder = "/tmp/baleen-test-tokens-XXXXXX"};
    assert_non_null(mkdtemp(scene->folder));
    assert_int_equal(bl_tokens_open(scene->folder, &scene->tokens, NULL), BL_OK);
}

static void scene_reopen(struct scene *scene)
{
    bl_tokens_close(scene->tokens);
    assert_int_equal(bl_tokens_open(scene->folder, &scene->tokens, NULL), BL_OK);
}

static void scene_close(struct scene *scene)
{
    bl_tokens_close(scene->tokens);
    assert_int_equal(bl_fs_remove_tree(scene->folder, NULL), BL_OK);
}

/* Appends the text of a new token. */
static int64_t make(struct scene *scene, enum bl_scope scope, bl_time expires_at,
                    struct bl_buf *text)
{
    char name[] = "";
    char user[] = "alice";
    struct bl_token wish = {.name = name,
                            .user = user,
                            .uid = 1000,
                            .gid = 100,
                            .scope = scope,
                            .created_at = NOW,
                            .expires_at = expires_at};
    const struct bl_token *made = NULL;

    assert_int_equal(bl_tokens_create(scene->tokens, &wish, text, &made, NULL), BL_OK);
    return made->id;
}

static void a_token_is_known_by_its_whole_text_and_by_nothing_else(void **state)
{
    struct scene scene;
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};
    BL_AUTO_BUF wrong = {0};
    const char *text;

    (void)state;
    scene_open(&scene);
    make(&scene, BL_SCOPE_READ, 0, &first);
    make(&scene, BL_SCOPE_READ, 0, &second);
    text = bl_buf_text(&first);
    assert_int_equal(bl_tokens_check(scene.tokens, text, NOW, NULL)->id, 1);
    assert_int_equal(bl_tokens_check(scene.tokens, bl_buf_text(&second), NOW, NULL)->id, 2);
    for (size_t i = 0; i < first.length; i++) {
        struct bl_error err = {0};

        bl_buf_clear(&wrong);
        bl_buf_append(&wrong, text, first.length);
        wrong.text[i] = wrong.text[i] == 'x' ? 'y' : 'x';
        assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&wrong), NOW, &err));
        assert_non_null(strstr(err.text, "not known"));
        bl_buf_clear(&wrong);
        bl_buf_append(&wrong, text, i);
        assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&wrong), NOW, NULL));
    }
    bl_buf_clear(&wrong);
    bl_buf_printf(&wrong, "%sx", text);
    assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&wrong), NOW, NULL));
    bl_buf_clear(&wrong); /* the id of one with the secret of another */
    bl_buf_printf(&wrong, "bl_2_%s", text + strlen("bl_1_"));
    assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&wrong), NOW, NULL));
    scene_close(&scene);
}

static void texts_that_are_no_tokens_are_not_known(void **state)
{
    static const char *const rows[] = {
        "",
        "bl_",
        "bl_1",
        "bl_1_",
        "bl__x",
        "bl_-1_x",
        "bl_99999999999999999999_x",
        "x_1_x",
        "bl_0_x",
        "bl_111111111111111111111111111111111111111111111111111111_x",
    };
    struct scene scene;
    BL_AUTO_BUF text = {0};

    (void)state;
    scene_open(&scene);
    make(&scene, BL_SCOPE_ADMIN, 0, &text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_tokens_check(scene.tokens, rows[i], NOW, NULL)) {
            fail_msg("'%s'", rows[i]);
        }
    }
    scene_close(&scene);
}

static void tokens_outlive_the_daemon_and_their_text_is_nowhere(void **state)
{
    struct scene scene;
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF bytes = {0};
    struct stat info;

    (void)state;
    scene_open(&scene);
    make(&scene, BL_SCOPE_SUBMIT, 0, &text);
    scene_reopen(&scene);
    assert_non_null(bl_tokens_check(scene.tokens, bl_buf_text(&text), NOW, NULL));
    bl_buf_printf(&path, "%s/tokens.json", scene.folder);
    assert_int_equal(bl_fs_read(bl_buf_text(&path), SIZE_MAX / 4, &bytes, NULL), BL_OK);
    assert_null(strstr(bl_buf_text(&bytes), bl_buf_text(&text) + strlen("bl_1_")));
    assert_int_equal(stat(bl_buf_text(&path), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    scene_close(&scene);
}

static void a_revoked_token_is_gone_and_its_number_is_not_used_again(void **state)
{
    struct scene scene;
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};

    (void)state;
    scene_open(&scene);
    make(&scene, BL_SCOPE_READ, 0, &first);
    assert_int_equal(bl_tokens_revoke(scene.tokens, 1, NULL), BL_OK);
    assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&first), NOW, NULL));
    assert_int_equal(bl_tokens_revoke(scene.tokens, 1, NULL), BL_ENOTFOUND);
    scene_reopen(&scene);
    assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&first), NOW, NULL));
    assert_int_equal(make(&scene, BL_SCOPE_READ, 0, &second), 2);
    scene_close(&scene);
}

static void a_token_that_cannot_be_taken_from_the_disk_is_refused_all_the_same(void **state)
{
    struct scene scene;
    BL_AUTO_BUF text = {0};
    struct bl_error err = {0};
    struct bl_tokens *away = NULL;

    (void)state;
    scene_open(&scene);
    make(&scene, BL_SCOPE_READ, 0, &text);
    assert_int_equal(bl_fs_remove_tree(scene.folder, NULL), BL_OK);
    assert_int_equal(bl_tokens_revoke(scene.tokens, 1, &err), BL_ESYSTEM);
    assert_non_null(strstr(err.hint, "refused from now on"));
    assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&text), NOW, NULL));
    assert_int_equal(bl_fs_make_dirs(scene.folder, 0700, NULL), BL_OK);
    assert_int_equal(bl_tokens_revoke(scene.tokens, 1, NULL), BL_OK);
    assert_int_equal(bl_tokens_open(scene.folder, &away, NULL), BL_OK);
    assert_int_equal(bl_tokens_list(away)->tokens.count, 0);
    bl_tokens_close(away);
    scene_close(&scene);
}

static void a_token_is_good_until_it_expires(void **state)
{
    struct scene scene;
    BL_AUTO_BUF text = {0};
    struct bl_error err = {0};

    (void)state;
    scene_open(&scene);
    make(&scene, BL_SCOPE_READ, NOW + BL_SECOND, &text);
    assert_non_null(bl_tokens_check(scene.tokens, bl_buf_text(&text), NOW, NULL));
    assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&text), NOW + BL_SECOND, &err));
    assert_non_null(strstr(err.text, "expired"));
    scene_close(&scene);
}

static void a_file_that_is_broken_is_not_taken_for_an_empty_one(void **state)
{
    struct scene scene;
    BL_AUTO_BUF path = {0};
    struct bl_tokens *broken = NULL;
    struct bl_error err = {0};

    (void)state;
    scene_open(&scene);
    bl_buf_printf(&path, "%s/tokens.json", scene.folder);
    assert_int_equal(bl_fs_write_atomic(bl_buf_text(&path), 0600, "{", 1, NULL), BL_OK);
    assert_int_not_equal(bl_tokens_open(scene.folder, &broken, &err), BL_OK);
    assert_non_null(strstr(err.text, "tokens.json"));
    scene_close(&scene);
}

/* --- who asks -------------------------------------------------------------------------------- */

/* How the caller is met: `kind` is the refusal, -1 where it is let in. */
static void check_met(const struct scene *scene, const struct bl_caller *caller, int kind,
                      struct bl_peer *peer)
{
    struct bl_identity_rules rules = {.now = NOW, .tokens = scene->tokens};
    enum bl_answer found = BL_ANSWER_COUNT;
    struct bl_error err = {0};
    int status = bl_identify(&rules, caller, peer, &found, &err);

    if ((status == BL_OK) != (kind < 0) || (status != BL_OK && (int)found != kind)) {
        fail_msg("%s %s: %d %s", caller->authorization ? caller->authorization : "",
                 caller->path ? caller->path : "", status, err.text);
    }
}

static void over_tcp_only_a_token_opens_and_its_scope_bounds_it(void **state)
{
    static const struct {
        const char *method, *before; /* the text before the token */
        enum bl_scope scope;
        int kind; /* -1 = it is let in */
    } rows[] = {
        {"GET", "Bearer ", BL_SCOPE_READ, -1},
        {"GET", "bearer   ", BL_SCOPE_READ, -1},
        {"HEAD", "Bearer ", BL_SCOPE_READ, -1},
        {"POST", "Bearer ", BL_SCOPE_READ, BL_ANSWER_FORBIDDEN},
        {"PATCH", "Bearer ", BL_SCOPE_READ, BL_ANSWER_FORBIDDEN},
        {"get", "Bearer ", BL_SCOPE_READ, BL_ANSWER_FORBIDDEN},
        {"POST", "Bearer ", BL_SCOPE_SUBMIT, -1},
        {"POST", "Bearer ", BL_SCOPE_ADMIN, -1},
        {"GET", "Basic ", BL_SCOPE_ADMIN, BL_ANSWER_UNAUTHORIZED},
        {"GET", "", BL_SCOPE_ADMIN, BL_ANSWER_UNAUTHORIZED},
        {"GET", "Bearer x", BL_SCOPE_ADMIN, BL_ANSWER_UNAUTHORIZED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene;
        BL_AUTO_BUF header = {0};
        struct bl_caller caller = {.method = rows[i].method};
        struct bl_peer peer = {0};
        bool is_let_in = rows[i].kind < 0;

        scene_open(&scene);
        bl_buf_append_text(&header, rows[i].before);
        make(&scene, rows[i].scope, 0, &header);
        caller.authorization = bl_buf_text(&header);
        check_met(&scene, &caller, rows[i].kind, &peer);
        assert_int_equal(peer.uid, is_let_in ? 1000 : (uid_t)-1);
        assert_int_equal(peer.scope, is_let_in ? rows[i].scope : BL_SCOPE_READ);
        scene_close(&scene);
    }
}

static void a_calendar_opens_by_the_token_in_its_address(void **state)
{
    static const struct {
        enum bl_scope scope;
        const char *before, *after, *authorization;
        int kind; /* -1: let in */
    } rows[] = {
        {BL_SCOPE_READ, "/ical/", ".ics", NULL, -1},
        {BL_SCOPE_SUBMIT, "/ical/", ".ics", NULL, BL_ANSWER_FORBIDDEN},
        {BL_SCOPE_ADMIN, "/ical/", ".ics", NULL, BL_ANSWER_FORBIDDEN},
        {BL_SCOPE_READ, "/ical/x", ".ics", NULL, BL_ANSWER_UNAUTHORIZED},
        {BL_SCOPE_READ, "/ical/", "x.ics", NULL, BL_ANSWER_UNAUTHORIZED},
        {BL_SCOPE_READ, "/ical/", ".ic", NULL, BL_ANSWER_UNAUTHORIZED},
        {BL_SCOPE_READ, "/ical/", "", NULL, BL_ANSWER_UNAUTHORIZED},
        {BL_SCOPE_READ, "/api/v1/jobs/", ".ics", NULL, BL_ANSWER_UNAUTHORIZED},
        {BL_SCOPE_READ, "/ical/", ".ics", "Basic x", BL_ANSWER_UNAUTHORIZED},
        {BL_SCOPE_READ, "/ical/", ".ics", "Bearer x", BL_ANSWER_UNAUTHORIZED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene;
        BL_AUTO_BUF path = {0};
        struct bl_caller caller = {.method = "GET", .authorization = rows[i].authorization};
        struct bl_peer peer = {0};

        scene_open(&scene);
        bl_buf_append_text(&path, rows[i].before);
        make(&scene, rows[i].scope, 0, &path);
        bl_buf_append_text(&path, rows[i].after);
        caller.path = bl_buf_text(&path);
        check_met(&scene, &caller, rows[i].kind, &peer);
        scene_close(&scene);
    }
}

static void on_the_socket_the_kernel_says_who_asks_and_no_token_is_looked_at(void **state)
{
    struct bl_peer root = {.uid = 0};
    struct bl_peer other = {.uid = 54321, .gid = 5};
    struct bl_caller caller = {
        .peer = &root, .method = "POST", .authorization = "Bearer x", .host = "evil.example"};
    struct bl_identity_rules rules = {.now = NOW};
    struct bl_peer peer;
    enum bl_answer kind;

    (void)state;
    assert_int_equal(bl_identify(&rules, &caller, &peer, &kind, NULL), BL_OK);
    assert_int_equal(peer.scope, BL_SCOPE_ADMIN);
    caller.peer = &other;
    assert_int_equal(bl_identify(&rules, &caller, &peer, &kind, NULL), BL_OK);
    assert_int_equal(peer.scope, BL_SCOPE_SUBMIT);
    assert_int_equal(peer.uid, 54321);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_is_known_by_its_whole_text_and_by_nothing_else),
        cmocka_unit_test(texts_that_are_no_tokens_are_not_known),
        cmocka_unit_test(tokens_outlive_the_daemon_and_their_text_is_nowhere),
        cmocka_unit_test(a_revoked_token_is_gone_and_its_number_is_not_used_again),
        cmocka_unit_test(a_token_that_cannot_be_taken_from_the_disk_is_refused_all_the_same),
        cmocka_unit_test(a_token_is_good_until_it_expires),
        cmocka_unit_test(a_file_that_is_broken_is_not_taken_for_an_empty_one),
        cmocka_unit_test(over_tcp_only_a_token_opens_and_its_scope_bounds_it),
        cmocka_unit_test(a_calendar_opens_by_the_token_in_its_address),
        cmocka_unit_test(on_the_socket_the_kernel_says_who_asks_and_no_token_is_looked_at),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
