#include "form_test.h"

#include "form/policyspec.h"

static void A10_policies_are_read_and_printed_with_every_option(void **state)
{
    static const struct {
        const char *text;
        const char *printed;
    } rows[] = {
        {"fifo", "fifo"},
        {"easy", "easy:durations=limit,order=fcfs,predictor=mixture"},
        {"easy:order=shortest", "easy:durations=limit,order=shortest,predictor=mixture"},
        {"easy:order=shortest,durations=exact",
         "easy:durations=exact,order=shortest,predictor=mixture"},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_policy_choice choice;
        struct bl_policy_choice again;
        struct bl_error err = {0};
        BL_AUTO_BUF printed = {0};

        if (bl_policyspec_parse(rows[i].text, &choice, &err) != BL_OK) {
            fail_msg("'%s' was refused: %s", rows[i].text, err.text);
        }
        bl_policyspec_print(&printed, &choice);
        assert_string_equal(bl_buf_text(&printed), rows[i].printed);
        assert_int_equal(bl_policyspec_parse(bl_buf_text(&printed), &again, NULL), BL_OK);
        assert_ptr_equal(again.policy, choice.policy);
        assert_memory_equal(again.value, choice.value, sizeof again.value);
    }
}

static void unknown_names_are_refused_with_the_nearest_and_the_list(void **state)
{
    static const struct {
        const char *text;
        const char *message;
        const char *hint;
    } rows[] = {
        {"eazy", "unknown policy 'eazy', did you mean 'easy'?: expected one of ", "write 'easy'"},
        {"", "unknown policy '': expected one of ", ""},
        {"easy:", "policy easy: expected an option like key=value, found ''", ""},
        {"easy:fcfs", "policy easy: expected an option like key=value, found 'fcfs'", ""},
        {"easy:ordr=fcfs",
         "policy easy: unknown option 'ordr', did you mean 'order'?: expected "
         "one of durations, order",
         "write 'order'"},
        {"easy:order=longest", "policy easy: order: unknown order 'longest'", ""},
        {"easy:order=fcfs,order=fcfs", "policy easy: the option order is given twice", ""},
        {"fifo:order=fcfs", "policy fifo: policy fifo has no options, found 'order'", ""},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_policy_choice choice = {0};
        struct bl_error err = {0};

        assert_int_equal(bl_policyspec_parse(rows[i].text, &choice, &err), BL_EINVAL);
        form_expect_message(&err, rows[i].message, rows[i].text);
        assert_string_equal(err.hint, rows[i].hint);
        assert_null(choice.policy);
    }
}

static void a_text_over_the_ceiling_is_refused(void **state)
{
    char text[1100];
    struct bl_policy_choice choice;

    (void)state;
    memset(text, 'e', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(bl_policyspec_parse(text, &choice, NULL), BL_ETOOBIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A10_policies_are_read_and_printed_with_every_option),
        cmocka_unit_test(unknown_names_are_refused_with_the_nearest_and_the_list),
        cmocka_unit_test(a_text_over_the_ceiling_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
