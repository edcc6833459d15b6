#include "cli/completion.h"

#include "bl_test.h"

#include <string.h>

static void every_listed_verb_and_flag_can_be_completed(void **state)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    size_t count = 0;
    const struct bl_verb *const *verbs = bl_cli_verbs(&count);

    (void)state;
    assert_true(count > 10);
    for (size_t s = 0; s < sizeof shells / sizeof shells[0]; s++) {
        BL_AUTO_BUF out = {0};

        assert_int_equal(bl_completion_print(&out, shells[s], verbs, count, NULL), BL_OK);
        for (size_t i = 0; i < count; i++) {
            const struct bl_flag *flag = verbs[i]->flag;

            for (; verbs[i]->summary && flag && flag->name; flag++) {
                if (!strstr(bl_buf_text(&out), flag->name)) {
                    fail_msg("%s: '%s --%s' is missing", shells[s], verbs[i]->name, flag->name);
                }
            }
            assert_int_equal(!verbs[i]->summary, !strstr(bl_buf_text(&out), verbs[i]->name) ||
                                                     !strcmp(verbs[i]->name, "completion"));
        }
    }
}

static void a_shell_that_is_not_known_is_refused(void **state)
{
    BL_AUTO_BUF out = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_completion_print(&out, "cmd.exe", NULL, 0, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "'cmd.exe'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_listed_verb_and_flag_can_be_completed),
        cmocka_unit_test(a_shell_that_is_not_known_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
