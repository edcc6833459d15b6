#include "bl_test.h"
#include "core/application.h"

static void runs_of_one_application_have_one_name(void **state)
{
    const struct {
        struct bl_job_spec spec;
        const char *name;
    } rows[] = {
        {{.application = "resnet", .name = "x", .user = "ann"}, "resnet"},
        {{.name = "train", .user = "ann"}, "ann/train"},
        {{.name = "train-017", .user = "ann"}, "ann/train"},
        {{.name = "train_3.2", .user = "bob"}, "bob/train"},
        {{.name = "gpt2-large", .user = "bob"}, "bob/gpt2-large"},
        {{.name = "2024", .user = "bob"}, "bob/2024"},
        {{.name = "train"}, "/train"},
        {{.application = "", .name = "train"}, "/train"},
    };
    char name[BL_APPLICATION_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(bl_application_of(&rows[i].spec, name));
        assert_string_equal(name, rows[i].name);
    }
}

static void a_job_without_a_name_shares_nothing(void **state)
{
    char name[BL_APPLICATION_MAX] = "as it was";

    (void)state;
    assert_false(bl_application_of(&(struct bl_job_spec){.user = "ann"}, name));
    assert_false(bl_application_of(&(struct bl_job_spec){.name = "", .user = "ann"}, name));
    assert_string_equal(name, "as it was");
}

static void a_name_of_any_length_fits(void **state)
{
    char *user = malloc(2000);
    char name[BL_APPLICATION_MAX];

    (void)state;
    memset(user, 'u', 1999);
    user[1999] = '\0';
    assert_true(bl_application_of(&(struct bl_job_spec){.name = "train", .user = user}, name));
    assert_int_equal(strlen(name), BL_APPLICATION_MAX - 1);
    free(user);
}

static void a_job_that_learns_alone_has_a_name_of_its_own(void **state)
{
    char name[BL_APPLICATION_MAX];

    (void)state;
    bl_application_alone(1207, name);
    assert_string_equal(name, "@1207");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_one_application_have_one_name),
        cmocka_unit_test(a_job_without_a_name_shares_nothing),
        cmocka_unit_test(a_name_of_any_length_fits),
        cmocka_unit_test(a_job_that_learns_alone_has_a_name_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
