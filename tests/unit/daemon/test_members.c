#include "bl_test.h"
#include "daemon/members.h"

#include <grp.h>
#include <stdio.h>
#include <unistd.h>

/* The group that each user of this machine has from the start. */
static const char *own_group(void)
{
    const struct group *group = getgrgid(getgid());

    return group ? group->gr_name : NULL;
}

static void a_project_is_known_where_a_group_has_its_name(void **state)
{
    (void)state;
    assert_true(bl_members_are_known("root"));
    assert_false(bl_members_are_known("no-such-project"));
    assert_false(bl_members_are_known(""));
}

static void its_members_are_those_of_the_group(void **state)
{
    (void)state;
    assert_int_equal(bl_members_find(0, "root"), BL_MEMBER);
    assert_int_equal(bl_members_find(getuid(), "no-such-project"), BL_MEMBERSHIP_UNKNOWN);
    assert_int_equal(bl_members_find(65534, "root"), BL_STRANGER);
    assert_int_equal(bl_members_find(4000000000U, "root"), BL_STRANGER);
    if (own_group()) {
        assert_int_equal(bl_members_find(getuid(), own_group()), BL_MEMBER);
    }
}

static void each_project_of_a_list_is_looked_up_once_and_not_too_many(void **state)
{
    struct bl_members_list list = {0};
    char name[BL_MEMBERS_ASKED_MAX + 1][16];

    (void)state;
    assert_null(bl_members_ask(&list, NULL));
    assert_true(*bl_members_ask(&list, "root"));
    assert_true(*bl_members_ask(&list, "root"));
    assert_int_equal(list.asked.count, 1);
    for (int i = 1; i < BL_MEMBERS_ASKED_MAX; i++) {
        snprintf(name[i], sizeof name[i], "zz%d", i);
        assert_false(*bl_members_ask(&list, name[i]));
    }
    assert_null(bl_members_ask(&list, "one-more"));
    assert_true(*bl_members_ask(&list, "root"));
    bl_members_finish(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_project_is_known_where_a_group_has_its_name),
        cmocka_unit_test(its_members_are_those_of_the_group),
        cmocka_unit_test(each_project_of_a_list_is_looked_up_once_and_not_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
