#include "os/log.h"
#include "base/buf.h"
#include "bl_test.h"
#include "os/own_fd.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What `write_lines` puts on standard error. */
static void capture(void (*write_lines)(void), char *out, size_t room)
{
    BL_AUTO_FD kept = dup(STDERR_FILENO);
    BL_AUTO_FD into = memfd_create("log", MFD_CLOEXEC);
    ssize_t length;

    dup2(into, STDERR_FILENO);
    write_lines();
    dup2(kept, STDERR_FILENO);
    length = pread(into, out, room - 1, 0);
    assert_true(length >= 0);
    out[length] = '\0';
}

static void say_nasty_things(void)
{
    bl_log(BL_LOG_WARNING, "a \"b\" \\ c\nlevel=error %d\x1b", 7);
}

static void say_too_much(void)
{
    static char text[64 * 1024];

    memset(text, 'x', sizeof text - 1);
    bl_log(BL_LOG_INFO, "%s", text);
}

static void whisper(void)
{
    bl_log(BL_LOG_DEBUG, "details");
}

static void a_message_stays_one_line_whatever_it_carries(void **state)
{
    char text[256];

    (void)state;
    capture(say_nasty_things, text, sizeof text);
    assert_string_equal(text, "level=warning msg=\"a \\\"b\\\" \\\\ c\\nlevel=error 7?\"\n");
}

static void a_message_over_the_ceiling_is_told_as_such(void **state)
{
    char text[256];

    (void)state;
    capture(say_too_much, text, sizeof text);
    assert_string_equal(text, "level=info msg=\"(message too long)\"\n");
}

static void details_are_told_only_when_asked_for(void **state)
{
    char text[256];

    (void)state;
    unsetenv("BALEEN_DEBUG");
    capture(whisper, text, sizeof text);
    assert_string_equal(text, "");
    setenv("BALEEN_DEBUG", "1", 1);
    capture(whisper, text, sizeof text);
    assert_string_equal(text, "level=debug msg=\"details\"\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_stays_one_line_whatever_it_carries),
        cmocka_unit_test(a_message_over_the_ceiling_is_told_as_such),
        cmocka_unit_test(details_are_told_only_when_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
