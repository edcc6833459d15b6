#include "bl_test.h"
#include "core/predict_users.h"

struct user {
    int64_t key;
    int32_t number;
};

static struct user *open_user(struct bl_map *users, int64_t key)
{
    return bl_users_open(users, key, sizeof(struct user), 3);
}

static void a_new_entry_is_empty_and_is_found_again(void **state)
{
    struct bl_map users = {0};
    struct user *user = open_user(&users, 7);

    (void)state;
    assert_int_equal(user->key, 7);
    assert_int_equal(user->number, 0);
    user->number = 5;
    open_user(&users, 8);
    assert_int_equal(open_user(&users, 7)->number, 5);
    assert_int_equal(users.count, 2);
    bl_users_finish(&users);
}

static void at_the_ceiling_the_first_to_come_goes(void **state)
{
    struct bl_map users = {0};

    (void)state;
    for (int64_t key = 1; key <= 3; key++) {
        open_user(&users, key)->number = 1;
    }
    open_user(&users, 1); /* who is asked for again came no later for it */
    open_user(&users, 4);
    assert_null(bl_map_find(&users, 1));
    assert_non_null(bl_map_find(&users, 2));
    assert_int_equal(users.count, 3);
    assert_int_equal(open_user(&users, 1)->number, 0);
    assert_null(bl_map_find(&users, 2));
    bl_users_finish(&users);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_entry_is_empty_and_is_found_again),
        cmocka_unit_test(at_the_ceiling_the_first_to_come_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
