#include "form_test.h"

#include "form/token.h"

static int read_list(const char *bytes, struct bl_token_list *out, struct bl_error *err)
{
    struct bl_tree_source source = {"tokens.json", bytes, strlen(bytes)};

    return bl_token_list_read(&source, out, err);
}

static struct bl_token make_token(int64_t id, enum bl_scope scope)
{
    struct bl_token token = {.id = id,
                             .name = bl_copy_text(id % 2 ? "dash \"board\"" : ""),
                             .user = bl_copy_text("alice"),
                             .uid = 1000,
                             .gid = 100,
                             .scope = scope,
                             .created_at = 1700000000123456,
                             .expires_at = id % 2 ? 1800000000000001 : 0,
                             .parent = id % 2 ? 0 : 7};

    for (int i = 0; i < BL_TOKEN_HASH_BYTES; i++) {
        token.hash[i] = (unsigned char)(i * 7 + id);
    }
    return token;
}

static void what_is_written_is_read_back(void **state)
{
    struct bl_token_list list = {.next_id = 9};
    struct bl_token_list found = {0};
    BL_AUTO_BUF bytes = {0};
    struct bl_error err = {0};

    (void)state;
    for (int i = 0; i < BL_SCOPE_COUNT; i++) {
        BL_VEC_PUSH(&list.tokens, make_token(2 * i + 1 + i / 2, (enum bl_scope)i));
    }
    bl_token_list_write(&bytes, &list);
    if (read_list(bl_buf_text(&bytes), &found, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(found.next_id, 9);
    assert_int_equal(found.tokens.count, BL_SCOPE_COUNT);
    for (size_t i = 0; i < BL_SCOPE_COUNT; i++) {
        const struct bl_token *a = &list.tokens.at[i];
        const struct bl_token *b = &found.tokens.at[i];

        assert_int_equal(b->id, a->id);
        assert_string_equal(b->name, a->name);
        assert_string_equal(b->user, a->user);
        assert_int_equal(b->uid, 1000);
        assert_int_equal(b->gid, 100);
        assert_int_equal(b->scope, a->scope);
        assert_int_equal(b->created_at, a->created_at);
        assert_int_equal(b->expires_at, a->expires_at);
        assert_int_equal(b->parent, a->parent);
        assert_memory_equal(b->hash, a->hash, sizeof a->hash);
    }
    bl_token_list_finish(&list);
    bl_token_list_finish(&found);
}

#define ROW_OF(id, hash)                                                                           \
    "{\"version\":1,\"next_id\":5,\"tokens\":[{\"id\":" id ",\"name\":\"\",\"user\":\"a\","        \
    "\"uid\":1,\"gid\":1,\"scope\":\"read\",\"created_us\":1,\"expires_us\":0,\"hash\":\"" hash    \
    "\"}]}"
#define HASH "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static void a_file_that_is_none_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *bytes, *message;
    } rows[] = {
        {"", "tokens.json"},
        {"[]", "expected a JSON object"},
        {"{}", "expected the key version"},
        {"{\"version\":2}", "expected version 1, found 2: another version of baleen made it"},
        {"{\"version\":1,\"next_id\":1}", "expected the key tokens"},
        {"{\"version\":1,\"next_id\":1,\"tokens\":{}}", "expected a list of at most 4096 tokens"},
        {"{\"version\":1,\"next_id\":1,\"tokens\":[{}]}", "expected the key id"},
        {"{\"version\":1,\"next_id\":1,\"tokens\":[7]}", "expected a map"},
        {"{\"version\":1,\"next_id\":1,\"tokens\":[],\"x\":1}", "x: unknown key"},
        {ROW_OF("5", HASH), "expected ids in rising order and below next_id, found 5"},
        {ROW_OF("0", HASH), "expected ids in rising order and below next_id, found 0"},
        {ROW_OF("-1", HASH), "id: expected a whole number"},
        {ROW_OF("1", "00"), "hash: expected 64 hexadecimal digits, found '00'"},
        {ROW_OF("1", HASH "00"), "hash: expected 64 hexadecimal digits"},
    };
    struct bl_token_list good = {0};

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_token_list found = {.next_id = -7};
        struct bl_error err = {0};

        assert_int_not_equal(read_list(rows[i].bytes, &found, &err), BL_OK);
        form_expect_message(&err, rows[i].message, rows[i].bytes);
        assert_int_equal(found.next_id, -7);
    }
    assert_int_equal(read_list(ROW_OF("4", HASH), &good, NULL), BL_OK);
    assert_int_equal(good.tokens.at[0].hash[1], 0x11);
    assert_int_equal(good.tokens.at[0].hash[31], 0xff);
    bl_token_list_finish(&good);
}

static void a_wish_is_read_with_its_parts(void **state)
{
    static const char bytes[] =
        "{\"scope\":\"submit\",\"user\":\"alice\",\"name\":\"ci\",\"expires\":\"30d\"}";
    struct bl_tree_source source = {"body", bytes, sizeof bytes - 1};
    struct bl_token_wish wish = {0};
    struct bl_arena arena = {0};

    (void)state;
    assert_int_equal(bl_token_wish_read(&source, &arena, &wish, NULL), BL_OK);
    assert_int_equal(wish.scope, BL_SCOPE_SUBMIT);
    assert_string_equal(wish.user, "alice");
    assert_string_equal(wish.name, "ci");
    assert_int_equal(wish.expires.kind, BL_INSTANT_AFTER);
    assert_int_equal(wish.expires.at, 30 * BL_DAY);
    bl_arena_finish(&arena);
}

static void a_wrong_wish_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *bytes, *message;
    } rows[] = {
        {"", "body"},
        {"[]", "expected {\"scope\": \"read\", \"submit\" or \"admin\"}"},
        {"{}", "expected {\"scope\": \"read\", \"submit\" or \"admin\"}"},
        {"{\"scope\":null}", "expected {\"scope\": \"read\", \"submit\" or \"admin\"}"},
        {"{\"scope\":\"write\"}", "scope: expected one of read, submit, admin, found 'write'"},
        {"{\"scope\":\"read\",\"usr\":\"a\"}", "usr: unknown key, did you mean 'user'?"},
        {"{\"scope\":\"read\",\"name\":\"\"}", "name: expected a name of 1 to 255 bytes"},
        {"{\"scope\":\"read\",\"name\":\"a\\nb\"}", "name: a name cannot hold control"},
        {"{\"scope\":\"read\",\"expires\":[]}", "expires: expected a time like 30d, or an instant"},
        {"{\"scope\":\"read\",\"expires\":\"soon\"}", "expires: expected"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_tree_source source = {"body", rows[i].bytes, strlen(rows[i].bytes)};
        struct bl_token_wish wish = {.scope = BL_SCOPE_COUNT};
        struct bl_arena arena = {0};
        struct bl_error err = {0};

        assert_int_not_equal(bl_token_wish_read(&source, &arena, &wish, &err), BL_OK);
        form_expect_message(&err, rows[i].message, rows[i].bytes);
        assert_int_equal(wish.scope, BL_SCOPE_COUNT);
        bl_arena_finish(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_file_that_is_none_is_refused_with_its_place),
        cmocka_unit_test(a_wish_is_read_with_its_parts),
        cmocka_unit_test(a_wrong_wish_is_refused_with_its_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
