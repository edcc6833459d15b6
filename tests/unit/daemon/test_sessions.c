#include "sessions_scene.h"

#define WEEK (BL_SESSION_DAYS * BL_DAY)

static const struct bl_peer alice = {.uid = 1000, .gid = 100, .scope = BL_SCOPE_SUBMIT};

static bool enter(struct scene *scene, const char *code, bl_time now, struct bl_buf *text)
{
    const struct bl_token *session = NULL;
    struct bl_error err;

    return bl_sessions_begin_by_code(scene->sessions, code, now, text, &session, &err) == BL_OK;
}

static bool is_in(const struct scene *scene, const struct bl_buf *text, bl_time now)
{
    struct bl_peer peer;

    return bl_sessions_find(scene->sessions, bl_buf_text(text), now, &peer);
}

/* A token of alice's and, in `text`, a session that it began. */
static int64_t enter_by_token(struct scene *scene, bl_time expires_at, struct bl_buf *text)
{
    char name[] = "";
    char user[] = "alice";
    struct bl_token wish = {.name = name,
                            .user = user,
                            .uid = 1000,
                            .gid = 100,
                            .created_at = NOW - BL_DAY,
                            .expires_at = expires_at};
    const struct bl_token *token = NULL;
    const struct bl_token *session = NULL;
    BL_AUTO_BUF secret = {0};

    assert_int_equal(bl_tokens_create(scene->tokens, &wish, &secret, &token, NULL), BL_OK);
    assert_int_equal(bl_sessions_begin_by_token(scene->sessions, token, NOW, text, &session, NULL),
                     BL_OK);
    return token->id;
}

static void a_code_lets_in_once_as_who_made_it(void **state)
{
    struct scene scene;
    BL_AUTO_BUF code = {0};
    BL_AUTO_BUF session = {0};
    struct bl_peer peer;

    (void)state;
    scene_open(&scene);
    bl_sessions_make_code(scene.sessions, &alice, NOW, &code);
    assert_false(enter(&scene, "", NOW, &session));
    assert_false(enter(&scene, "wrong", NOW, &session));
    assert_true(enter(&scene, bl_buf_text(&code), NOW, &session));
    assert_false(enter(&scene, bl_buf_text(&code), NOW, &session));
    assert_true(bl_sessions_find(scene.sessions, bl_buf_text(&session), NOW, &peer));
    assert_int_equal(peer.uid, 1000);
    assert_int_equal(peer.gid, 100);
    assert_int_equal(peer.scope, BL_SCOPE_SUBMIT);
    assert_true(bl_sessions_is_mark(peer.token));
    assert_int_equal(peer.expires_at, NOW + WEEK);
    scene_close(&scene);
}

static void a_code_is_good_for_minutes(void **state)
{
    const bl_time end = NOW + BL_CODE_MINUTES * BL_MINUTE;

    (void)state;
    for (int late = 0; late <= 1; late++) {
        struct scene scene;
        BL_AUTO_BUF code = {0};
        BL_AUTO_BUF session = {0};

        scene_open(&scene);
        bl_sessions_make_code(scene.sessions, &alice, NOW, &code);
        assert_int_equal(enter(&scene, bl_buf_text(&code), end - 1 + late, &session), !late);
        scene_close(&scene);
    }
}

static void of_too_many_codes_the_oldest_gives_way(void **state)
{
    struct scene scene;
    struct bl_buf code[BL_CODES_MAX + 1] = {{0}};
    BL_AUTO_BUF session = {0};

    (void)state;
    scene_open(&scene);
    for (size_t i = 0; i <= BL_CODES_MAX; i++) {
        bl_sessions_make_code(scene.sessions, &alice, NOW, &code[i]);
    }
    for (size_t i = 0; i <= BL_CODES_MAX; i++) {
        assert_int_equal(enter(&scene, bl_buf_text(&code[i]), NOW, &session), i > 0);
        bl_buf_finish(&code[i]);
    }
    scene_close(&scene);
}

static void a_session_outlives_the_daemon_and_ends_at_its_time(void **state)
{
    struct scene scene;
    BL_AUTO_BUF code = {0};
    BL_AUTO_BUF session = {0};

    (void)state;
    scene_open(&scene);
    bl_sessions_make_code(scene.sessions, &alice, NOW, &code);
    assert_true(enter(&scene, bl_buf_text(&code), NOW, &session));
    bl_sessions_close(scene.sessions);
    assert_int_equal(bl_sessions_open(scene.folder, scene.tokens, &scene.sessions, NULL), BL_OK);
    assert_true(is_in(&scene, &session, NOW + WEEK - 1));
    assert_false(is_in(&scene, &session, NOW + WEEK));
    scene_close(&scene);
}

static void a_session_lasts_no_longer_than_its_token(void **state)
{
    struct scene scene;
    BL_AUTO_BUF session = {0};

    (void)state;
    scene_open(&scene);
    enter_by_token(&scene, NOW + BL_DAY, &session);
    assert_true(is_in(&scene, &session, NOW + BL_DAY - 1));
    assert_false(is_in(&scene, &session, NOW + BL_DAY));
    scene_close(&scene);
}

static void signing_out_ends_that_session_alone(void **state)
{
    struct scene scene;
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};
    struct bl_peer peer;

    (void)state;
    scene_open(&scene);
    enter_by_token(&scene, 0, &first);
    enter_by_token(&scene, 0, &second);
    assert_true(bl_sessions_find(scene.sessions, bl_buf_text(&first), NOW, &peer));
    assert_int_equal(bl_sessions_end(scene.sessions, peer.token, NULL), BL_OK);
    assert_false(is_in(&scene, &first, NOW));
    assert_true(is_in(&scene, &second, NOW));
    scene_close(&scene);
}

static void all_end_at_once_for_good(void **state)
{
    struct scene scene;
    struct bl_buf session[2] = {{0}};
    size_t ended = 0;

    (void)state;
    scene_open(&scene);
    enter_by_token(&scene, 0, &session[0]);
    enter_by_token(&scene, 0, &session[1]);
    assert_int_equal(bl_sessions_end_all(scene.sessions, &ended, NULL), BL_OK);
    assert_int_equal(ended, 2);
    for (int life = 0; life < 2; life++) {
        assert_false(is_in(&scene, &session[0], NOW));
        assert_false(is_in(&scene, &session[1], NOW));
        bl_sessions_close(scene.sessions);
        assert_int_equal(bl_sessions_open(scene.folder, scene.tokens, &scene.sessions, NULL),
                         BL_OK);
    }
    assert_int_equal(bl_sessions_end_all(scene.sessions, &ended, NULL), BL_OK);
    assert_int_equal(ended, 0);
    bl_buf_finish(&session[0]);
    bl_buf_finish(&session[1]);
    scene_close(&scene);
}

static void count(void *self, int64_t mark)
{
    assert_true(bl_sessions_is_mark(mark));
    (*(int *)self)++;
}

static void what_a_token_began_ends_with_it(void **state)
{
    struct scene scene;
    BL_AUTO_BUF first = {0};
    BL_AUTO_BUF second = {0};
    BL_AUTO_BUF code = {0};
    BL_AUTO_BUF late = {0};
    struct bl_peer bearer = alice;
    int ended = 0;
    int64_t token;

    (void)state;
    scene_open(&scene);
    token = enter_by_token(&scene, 0, &first);
    enter_by_token(&scene, 0, &second);
    bearer.token = token;
    bl_sessions_make_code(scene.sessions, &bearer, NOW, &code);
    assert_int_equal(bl_tokens_revoke(scene.tokens, token, NULL), BL_OK);
    assert_false(is_in(&scene, &first, NOW)); /* from that moment, whatever the disk says */
    bl_sessions_end_of(scene.sessions, token, &(struct bl_session_listener){&ended, count});
    assert_int_equal(ended, 1);
    assert_false(enter(&scene, bl_buf_text(&code), NOW, &late));
    assert_true(is_in(&scene, &second, NOW));
    scene_close(&scene);
}

static void a_secret_of_a_token_is_none_of_a_session(void **state)
{
    struct scene scene;
    BL_AUTO_BUF session = {0};
    struct bl_error err;

    (void)state;
    scene_open(&scene);
    enter_by_token(&scene, 0, &session);
    assert_null(bl_tokens_check(scene.tokens, bl_buf_text(&session), NOW, &err));
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_code_lets_in_once_as_who_made_it),
        cmocka_unit_test(a_code_is_good_for_minutes),
        cmocka_unit_test(of_too_many_codes_the_oldest_gives_way),
        cmocka_unit_test(a_session_outlives_the_daemon_and_ends_at_its_time),
        cmocka_unit_test(a_session_lasts_no_longer_than_its_token),
        cmocka_unit_test(signing_out_ends_that_session_alone),
        cmocka_unit_test(all_end_at_once_for_good),
        cmocka_unit_test(what_a_token_began_ends_with_it),
        cmocka_unit_test(a_secret_of_a_token_is_none_of_a_session),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
