#include "bl_test.h"
#include "sim/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char swf[] = "; MaxProcs: 4\n1 0 -1 9 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1\n";

static void write_file(char *path, const char *text)
{
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void the_format_is_told_by_the_first_bytes_and_nothing_of_them_is_lost(void **state)
{
    char path[] = "/tmp/baleen-source-XXXXXX";
    struct bl_trace_options options = {0};
    struct bl_sim_source source = {0};
    struct bl_trace_job job;
    bool has_job;

    (void)state;
    write_file(path, swf);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(bl_sim_source_open(&source, path, NULL, &options, NULL), BL_OK);
        assert_string_equal(source.format->name, "swf");
        assert_int_equal(source.format->next(source.trace, &job, &has_job, NULL), BL_OK);
        assert_true(has_job);
        assert_int_equal(job.id, 1);
        assert_int_equal(job.spec.gpus_want, 4);
        bl_sim_source_close(&source);
    }
    unlink(path);
}

static void a_file_of_no_known_format_asks_for_its_name(void **state)
{
    char path[] = "/tmp/baleen-source-XXXXXX";
    struct bl_trace_options options = {0};
    struct bl_sim_source source = {0};
    struct bl_error err = {0};

    (void)state;
    write_file(path, "what is this\n");
    assert_int_equal(bl_sim_source_open(&source, path, NULL, &options, &err), BL_EINVAL);
    assert_non_null(strstr(err.text, "its first bytes are of no format that is known"));
    assert_string_equal(err.hint, "name it with --format; --list-formats shows all");
    unlink(path);
}

static void a_failure_to_open_leaves_nothing_behind(void **state)
{
    struct bl_trace_options options = {0};
    struct bl_sim_source source = {0};
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_sim_source_open(&source, "/dev/null/x", NULL, &options, &err), BL_ESYSTEM);
    assert_null(source.reader);
    bl_sim_source_close(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_format_is_told_by_the_first_bytes_and_nothing_of_them_is_lost),
        cmocka_unit_test(a_file_of_no_known_format_asks_for_its_name),
        cmocka_unit_test(a_failure_to_open_leaves_nothing_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
