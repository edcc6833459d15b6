#include "engine/local_user.h"
#include "bl_test.h"

#include <errno.h>
#include <pwd.h>
#include <unistd.h>

static void ones_own_user_is_found(void **state)
{
    struct bl_local_users users = {0};
    const struct bl_local_user *user;
    int error_number = 0;

    (void)state;
    user = bl_local_users_find(&users, (int64_t)geteuid(), (int64_t)getegid(), 1, &error_number);
    assert_non_null(user);
    assert_int_equal(user->uid, geteuid());
    assert_int_equal(user->become, geteuid() == 0);
    bl_local_users_finish(&users);
}

static void another_user_is_found_by_root_with_its_groups_and_refused_to_others(void **state)
{
    struct bl_local_users users = {0};
    const struct passwd *daemon = getpwnam("daemon");
    const struct bl_local_user *user;
    int error_number = 0;

    (void)state;
    if (!daemon) {
        BL_SKIP("there is no user named daemon");
    }
    user = bl_local_users_find(&users, daemon->pw_uid, daemon->pw_gid, 1, &error_number);
    if (geteuid() == 0) {
        assert_non_null(user);
        assert_true(user->group_count >= 1);
        assert_int_equal(user->group[0], daemon->pw_gid);
    } else {
        assert_null(user);
        assert_int_equal(error_number, EPERM);
    }
    bl_local_users_finish(&users);
}

static void numbers_that_are_no_user_are_refused(void **state)
{
    static const struct {
        int64_t uid;
        int64_t gid;
    } rows[] = {{-1, 0}, {0, -1}, {INT64_C(1) << 32, 0}, {UINT32_MAX, 0}};
    struct bl_local_users users = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int error_number = 0;

        assert_null(bl_local_users_find(&users, rows[i].uid, rows[i].gid, 1, &error_number));
        assert_int_equal(error_number, EINVAL);
    }
    bl_local_users_finish(&users);
}

static void an_unknown_user_is_told_and_asked_for_again(void **state)
{
    struct bl_local_users users = {0};
    int error_number = 0;

    (void)state;
    if (geteuid() != 0) {
        BL_SKIP("only root may ask for any user");
    }
    for (int i = 0; i < 2; i++) {
        assert_null(bl_local_users_find(&users, 3999999999, 1, 1, &error_number));
        assert_int_equal(error_number, ENOENT);
    }
    bl_local_users_finish(&users);
}

static void an_answer_is_kept_for_a_while_and_not_for_ever(void **state)
{
    struct bl_local_users users = {0};
    int error_number = 0;
    int64_t uid = (int64_t)geteuid();

    (void)state;
    bl_local_users_find(&users, uid, 1, BL_SECOND, &error_number);
    assert_int_equal(bl_local_users_find(&users, uid, 1, 2 * BL_SECOND, &error_number)->found_at,
                     BL_SECOND);
    assert_int_equal(bl_local_users_find(&users, uid, 1, BL_HOUR, &error_number)->found_at,
                     BL_HOUR);
    bl_local_users_finish(&users);
}

static void more_users_than_the_cache_holds_take_turns(void **state)
{
    struct bl_local_users users = {0};
    int64_t uid = (int64_t)geteuid();

    (void)state;
    for (int64_t gid = 1; gid <= 3 * (int64_t)BL_LOCAL_USERS_MAX; gid++) {
        int error_number = 0;
        const struct bl_local_user *user = bl_local_users_find(&users, uid, gid, 1, &error_number);

        assert_non_null(user);
        assert_int_equal(user->gid, gid);
    }
    assert_int_equal(users.count, BL_LOCAL_USERS_MAX);
    bl_local_users_finish(&users);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ones_own_user_is_found),
        cmocka_unit_test(another_user_is_found_by_root_with_its_groups_and_refused_to_others),
        cmocka_unit_test(numbers_that_are_no_user_are_refused),
        cmocka_unit_test(an_unknown_user_is_told_and_asked_for_again),
        cmocka_unit_test(an_answer_is_kept_for_a_while_and_not_for_ever),
        cmocka_unit_test(more_users_than_the_cache_holds_take_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
