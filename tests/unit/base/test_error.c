#include "base/error.h"
#include "bl_test.h"

#include <errno.h>
#include <string.h>

static void a_failure_carries_its_status_and_sentence_and_forgets_the_last_one(void **state)
{
    struct bl_error err = {0};

    (void)state;
    bl_fail(&err, BL_ENOTFOUND, "no job %d", 7);
    bl_error_set_field(&err, "id");
    bl_error_set_hint(&err, "try %s", "q");
    assert_int_equal(bl_fail(&err, BL_EREFUSED, "only %d GPUs", 8), BL_EREFUSED);
    assert_int_equal(err.status, BL_EREFUSED);
    assert_string_equal(err.text, "only 8 GPUs");
    assert_string_equal(err.field, "");
    assert_string_equal(err.hint, "");
}

static void field_and_hint_return_the_status_that_is_there(void **state)
{
    struct bl_error err = {0};

    (void)state;
    bl_fail(&err, BL_ETOOBIG, "too big");
    assert_int_equal(bl_error_set_field(&err, "body"), BL_ETOOBIG);
    assert_int_equal(bl_error_set_hint(&err, "at most %d bytes", 4096), BL_ETOOBIG);
    assert_string_equal(err.field, "body");
    assert_string_equal(err.hint, "at most 4096 bytes");
}

static void a_system_failure_adds_the_words_of_errno(void **state)
{
    struct bl_error err = {0};

    (void)state;
    errno = ENOENT;
    assert_int_equal(bl_fail_sys(&err, "cannot read %s", "a.yaml"), BL_ESYSTEM);
    assert_string_equal(err.text, "cannot read a.yaml: No such file or directory");
}

static void wrapping_puts_the_place_first_and_keeps_the_status(void **state)
{
    struct bl_error err = {0};

    (void)state;
    bl_fail(&err, BL_EINVAL, "expected a number");
    assert_int_equal(bl_wrap(&err, "%s:%d", "a.yaml", 12), BL_EINVAL);
    assert_string_equal(err.text, "a.yaml:12: expected a number");
}

static void what_does_not_fit_is_cut_and_still_ends(void **state)
{
    char word[3 * BL_ERROR_TEXT_MAX];
    struct bl_error err = {0};

    (void)state;
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    errno = ENOENT;
    bl_fail_sys(&err, "%s", word);
    assert_int_equal(strlen(err.text), BL_ERROR_TEXT_MAX - 1);
    bl_fail(&err, BL_EINVAL, "tail");
    bl_wrap(&err, "%s", word);
    assert_int_equal(strlen(err.text), BL_ERROR_TEXT_MAX - 1);
    bl_fail(&err, BL_EINVAL, "%s", word);
    bl_wrap(&err, "a.yaml:1");
    assert_int_equal(strlen(err.text), BL_ERROR_TEXT_MAX - 1);
    assert_memory_equal(err.text, "a.yaml:1: www", 13);
    bl_error_set_field(&err, word);
    bl_error_set_hint(&err, "%s", word);
    assert_int_equal(strlen(err.field), BL_ERROR_FIELD_MAX - 1);
    assert_int_equal(strlen(err.hint), BL_ERROR_HINT_MAX - 1);
}

static void without_a_place_for_words_the_status_still_comes(void **state)
{
    (void)state;
    assert_int_equal(bl_fail(NULL, BL_ENOTFOUND, "gone"), BL_ENOTFOUND);
    assert_int_equal(bl_fail_sys(NULL, "gone"), BL_ESYSTEM);
    assert_int_not_equal(bl_wrap(NULL, "there"), BL_OK);
    assert_int_not_equal(bl_error_set_field(NULL, "f"), BL_OK);
    assert_int_not_equal(bl_error_set_hint(NULL, "h"), BL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_carries_its_status_and_sentence_and_forgets_the_last_one),
        cmocka_unit_test(field_and_hint_return_the_status_that_is_there),
        cmocka_unit_test(a_system_failure_adds_the_words_of_errno),
        cmocka_unit_test(wrapping_puts_the_place_first_and_keeps_the_status),
        cmocka_unit_test(what_does_not_fit_is_cut_and_still_ends),
        cmocka_unit_test(without_a_place_for_words_the_status_still_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
