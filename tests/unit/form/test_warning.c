#include "form_test.h"

#include "form/warning.h"

#include <signal.h>

static void P18_a_signal_before_the_limit_is_read_as_slurm_writes_it(void **state)
{
    static const struct {
        const char *text;
        int32_t signal;
        bl_time lead;
        bool shell_only;
    } rows[] = {
        {"USR1@90", SIGUSR1, 90 * BL_SECOND, false},
        {"SIGUSR1@90", SIGUSR1, 90 * BL_SECOND, false},
        {"B:USR1@60", SIGUSR1, 60 * BL_SECOND, true},
        {"b:usr2", SIGUSR2, 60 * BL_SECOND, true},
        {"TERM", SIGTERM, 60 * BL_SECOND, false},
        {"10@5", 10, 5 * BL_SECOND, false},
        {"INT@2m", SIGINT, 2 * BL_MINUTE, false},
        {"HUP@1:30", SIGHUP, 90 * BL_SECOND, false},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_warning warning = {0};
        struct bl_error err = {0};

        if (bl_warning_parse(rows[i].text, &warning, &err) != BL_OK) {
            fail_msg("'%s' was refused: %s", rows[i].text, err.text);
        }
        assert_int_equal(warning.signal, rows[i].signal);
        assert_int_equal(warning.lead, rows[i].lead);
        assert_int_equal(warning.shell_only, rows[i].shell_only);
    }
}

static void what_is_no_signal_is_refused_with_the_nearest_one(void **state)
{
    static const struct {
        const char *text;
        const char *message;
        const char *hint;
    } rows[] = {
        {"USRR1", "expected a signal that a program can handle, like USR1, found 'USRR1'",
         "write 'USR1'"},
        {"SIGTREM@5", "expected a signal that a program can handle", "write 'TERM'"},
        {"KILL", "expected a signal that a program can handle, like USR1, found 'KILL'", ""},
        {"SIGSTOP", "expected a signal that a program can handle", ""},
        {"9", "expected a signal that a program can handle", ""},
        {"0", "expected a signal that a program can handle", ""},
        {"32", "expected a signal that a program can handle", ""},
        {"", "expected a signal that a program can handle, like USR1, found ''", ""},
        {"USR1@", "expected seconds or a time like 2m behind the '@', found ''", ""},
        {"USR1@0", "expected seconds or a time like 2m behind the '@', found '0'", ""},
        {"USR1@x", "expected a time like", ""},
        {"USR1@99999999999999", "expected seconds or a time like 2m behind the '@'", ""},
    };

    (void)state;
    for (size_t i = 0; i < FORM_ROWS(rows); i++) {
        struct bl_warning warning = {.signal = 77};
        struct bl_error err = {0};

        assert_int_equal(bl_warning_parse(rows[i].text, &warning, &err), BL_EINVAL);
        form_expect_message(&err, rows[i].message, rows[i].text);
        assert_string_equal(err.hint, rows[i].hint);
        assert_int_equal(warning.signal, 77);
    }
}

static void a_text_longer_than_any_signal_is_refused(void **state)
{
    struct bl_warning warning = {0};
    struct bl_error err = {0};
    char text[200];

    (void)state;
    memset(text, 'A', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(bl_warning_parse(text, &warning, &err), BL_EINVAL);
    form_expect_message(&err, "expected a signal like USR1 or B:USR1@90, found 'AAAA", text);
}

static void signals_have_the_names_that_they_are_read_by(void **state)
{
    int named = 0;

    (void)state;
    for (int32_t number = 1; number <= 64; number++) {
        const char *name = bl_signal_name(number);
        int32_t again = 0;

        if (name) {
            assert_int_equal(bl_signal_parse(name, &again, NULL), BL_OK);
            assert_int_equal(again, number);
            named++;
        }
    }
    assert_int_equal(named, 28);
    assert_null(bl_signal_name(SIGKILL));
    assert_null(bl_signal_name(SIGSTOP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P18_a_signal_before_the_limit_is_read_as_slurm_writes_it),
        cmocka_unit_test(what_is_no_signal_is_refused_with_the_nearest_one),
        cmocka_unit_test(a_text_longer_than_any_signal_is_refused),
        cmocka_unit_test(signals_have_the_names_that_they_are_read_by),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
