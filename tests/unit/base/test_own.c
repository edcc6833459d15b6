#include "base/own.h"
#include "bl_test.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void taking_a_pointer_leaves_nothing_behind(void **state)
{
    BL_AUTO_FREE char *text = bl_copy_text("mine");
    char *taken = BL_TAKE(text);

    (void)state;
    assert_null(text);
    assert_string_equal(taken, "mine");
    free(taken);
}

static void take_evaluates_its_argument_once(void **state)
{
    char *names[] = {bl_copy_text("a"), bl_copy_text("b")};
    size_t at = 0;
    /* NOLINTNEXTLINE(bugprone-macro-repeated-side-effects): a __typeof__ evaluates nothing */
    char *taken = BL_TAKE(names[at++]);

    (void)state;
    assert_int_equal(at, 1);
    assert_string_equal(taken, "a");
    assert_string_equal(names[1], "b");
    free(taken);
    free(names[1]);
}

static void new_memory_is_zero_and_never_null(void **state)
{
    BL_AUTO_FREE unsigned char *memory = bl_alloc_zero(1000);
    BL_AUTO_FREE void *nothing = bl_alloc_zero(0);

    (void)state;
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(memory[i], 0);
    }
    assert_non_null(nothing);
}

static void growing_keeps_what_was_there(void **state)
{
    BL_AUTO_FREE int *numbers = bl_realloc_array(NULL, 2, sizeof *numbers);

    (void)state;
    numbers[0] = 4;
    numbers[1] = 5;
    numbers = bl_realloc_array(numbers, 20000, sizeof *numbers);
    assert_int_equal(numbers[0], 4);
    assert_int_equal(numbers[1], 5);
}

static void no_text_stays_no_text(void **state)
{
    (void)state;
    assert_null(bl_copy_text(NULL));
}

static void a_part_of_a_text_is_copied_with_an_end(void **state)
{
    BL_AUTO_FREE char *part = bl_copy_part("abcdef", 3);
    BL_AUTO_FREE char *nothing = bl_copy_part(NULL, 0);

    (void)state;
    assert_string_equal(part, "abc");
    assert_string_equal(nothing, "");
}

static void a_size_that_overflows_ends_the_process(void **state)
{
    pid_t child = fork();
    int status = 0;

    (void)state;
    if (child == 0) {
        bl_realloc_array(NULL, SIZE_MAX / 2, 4);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taking_a_pointer_leaves_nothing_behind),
        cmocka_unit_test(take_evaluates_its_argument_once),
        cmocka_unit_test(new_memory_is_zero_and_never_null),
        cmocka_unit_test(growing_keeps_what_was_there),
        cmocka_unit_test(no_text_stays_no_text),
        cmocka_unit_test(a_part_of_a_text_is_copied_with_an_end),
        cmocka_unit_test(a_size_that_overflows_ends_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
