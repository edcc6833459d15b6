#include "form_test.h"

#include "form/signin.h"

static int read_text(const char *text, struct bl_arena *arena, struct bl_signin *out,
                     struct bl_error *err)
{
    struct bl_tree_source source = {"request body", text, strlen(text)};

    return bl_signin_read(&source, arena, out, err);
}

static void a_token_or_a_code_is_read(void **state)
{
    struct bl_arena arena = {0};
    struct bl_signin signin;
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(read_text("{\"token\": \"bl_1_x\"}", &arena, &signin, &err), BL_OK);
    assert_string_equal(signin.token, "bl_1_x");
    assert_null(signin.code);
    assert_int_equal(read_text("{\"code\": \"abc\", \"token\": null}", &arena, &signin, &err),
                     BL_OK);
    assert_string_equal(signin.code, "abc");
    assert_null(signin.token);
    bl_arena_finish(&arena);
}

/* And no refusal repeats what may be a secret. */
static void all_else_is_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "request body"},
        {"{}", "expected {\"token\": "},
        {"[]", "expected {\"token\": "},
        {"\"secret\"", "expected {\"token\": "},
        {"{\"token\": null}", "expected {\"token\": "},
        {"{\"token\": \"secret\", \"code\": \"secret\"}", "expected {\"token\": "},
        {"{\"token\": [\"secret\"]}", "expected a text of at most 256 bytes"},
        {"{\"code\": {\"secret\": 1}}", "expected a text of at most 256 bytes"},
        {"{\"code\": \"secret\", \"usr\": \"x\"}", "usr"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_arena arena = {0};
        struct bl_signin signin;
        struct bl_error err = {0};

        if (read_text(rows[i].text, &arena, &signin, &err) == BL_OK ||
            !strstr(err.text, rows[i].message) || strstr(err.text, "secret")) {
            fail_msg("%s: %s", rows[i].text, err.text);
        }
        bl_arena_finish(&arena);
    }
}

static void a_text_has_a_ceiling(void **state)
{
    for (size_t length = BL_SIGNIN_BYTES_MAX; length <= BL_SIGNIN_BYTES_MAX + 1; length++) {
        BL_AUTO_BUF text = {0};
        struct bl_arena arena = {0};
        struct bl_signin signin;
        struct bl_error err = {0};

        (void)state;
        bl_buf_append_text(&text, "{\"code\": \"");
        for (size_t i = 0; i < length; i++) {
            bl_buf_append_char(&text, 'x');
        }
        bl_buf_append_text(&text, "\"}");
        assert_int_equal(read_text(bl_buf_text(&text), &arena, &signin, &err) == BL_OK,
                         length == BL_SIGNIN_BYTES_MAX);
        bl_arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_or_a_code_is_read),
        cmocka_unit_test(all_else_is_refused),
        cmocka_unit_test(a_text_has_a_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
