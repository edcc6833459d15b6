#include "daemon/secret.h"

#include "bl_test.h"

#include <string.h>

static void a_secret_is_new_each_time_and_known_by_its_hash(void **state)
{
    char first[BL_SECRET_ROOM];
    char second[BL_SECRET_ROOM];
    unsigned char hash[BL_SECRET_HASH_BYTES];
    unsigned char other[BL_SECRET_HASH_BYTES];

    (void)state;
    assert_int_equal(bl_secret_init(NULL), BL_OK);
    bl_secret_make(first);
    bl_secret_make(second);
    assert_int_equal(strlen(first), BL_SECRET_ROOM - 1);
    assert_string_not_equal(first, second);
    assert_int_equal(strspn(first, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                   "-_"),
                     strlen(first));
    bl_secret_hash(first, hash);
    bl_secret_hash(first, other);
    assert_true(bl_secret_is(hash, other));
    bl_secret_hash(second, other);
    assert_false(bl_secret_is(hash, other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_secret_is_new_each_time_and_known_by_its_hash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
