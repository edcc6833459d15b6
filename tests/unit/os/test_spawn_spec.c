#include "os/spawn_spec.h"
#include "bl_test.h"

#include "base/own.h"

#include <string.h>

static char a[] = "sh";
static char b[] = "-c";
static char c[] = "echo 'a=b'\n\texit 3";
static char empty[] = "";
static char env1[] = "A=1";
static char env2[] = "LINES=a\nb=c";
static char *argv[] = {a, b, c, empty, NULL};
static char *envp[] = {env1, env2, NULL};
static gid_t groups[] = {5, 7};

static struct bl_spawn_spec full_spec(void)
{
    return (struct bl_spawn_spec){.token = "BALEEN_JOB_TOKEN=x.1.2",
                                  .directory = "/s/jobs/1/dir",
                                  .alloc = "{\"a\": 1}\n",
                                  .workdir = "/w =x",
                                  .log = "/w/log",
                                  .error = "/w/err",
                                  .script = "#!/bin/sh\necho a=b\n",
                                  .cgroup = "/g/job-1.2",
                                  .mem_high = 900,
                                  .mem_max = 1100,
                                  .cpu_weight = 300,
                                  .become_user = true,
                                  .uid = 1000,
                                  .gid = 1001,
                                  .group = groups,
                                  .group_count = 2,
                                  .umask = 027,
                                  .grace = 1500000,
                                  .oom_score_adj = -500,
                                  .pid = 4711,
                                  .pid_start = 99,
                                  .boot = "b",
                                  .argv = argv,
                                  .envp = envp};
}

static void expect_lists(char *const *found, char *const *expected)
{
    for (; *expected; expected++, found++) {
        assert_non_null(*found);
        assert_string_equal(*found, *expected);
    }
    assert_null(*found);
}

static void a_spec_is_read_back_as_it_was_written(void **state)
{
    struct bl_spawn_spec spec = full_spec();
    struct bl_spawn_spec back = {0};
    BL_AUTO_BUF bytes = {0};

    (void)state;
    bl_spawn_spec_write(&bytes, &spec);
    assert_int_equal(bl_spawn_spec_read(bytes.text, bytes.length, &back, NULL), BL_OK);
    assert_string_equal(back.token, spec.token);
    assert_string_equal(back.directory, spec.directory);
    assert_string_equal(back.alloc, spec.alloc);
    assert_string_equal(back.workdir, spec.workdir);
    assert_string_equal(back.log, spec.log);
    assert_string_equal(back.error, spec.error);
    assert_string_equal(back.script, spec.script);
    assert_string_equal(back.cgroup, spec.cgroup);
    assert_int_equal(back.mem_high, 900);
    assert_int_equal(back.mem_max, 1100);
    assert_int_equal(back.cpu_weight, 300);
    assert_true(back.become_user);
    assert_int_equal(back.uid, 1000);
    assert_int_equal(back.gid, 1001);
    assert_int_equal(back.group_count, 2);
    assert_memory_equal(back.group, groups, sizeof groups);
    assert_int_equal(back.umask, 027);
    assert_int_equal(back.grace, 1500000);
    assert_int_equal(back.oom_score_adj, -500);
    assert_int_equal(back.pid, 4711);
    assert_int_equal(back.pid_start, 99);
    assert_string_equal(back.boot, "b");
    expect_lists(back.argv, argv);
    expect_lists(back.envp, envp);
    bl_spawn_spec_finish(&back);
}

static void what_is_not_wanted_is_not_there(void **state)
{
    struct bl_spawn_spec spec = full_spec();
    struct bl_spawn_spec back = {0};
    BL_AUTO_BUF bytes = {0};

    (void)state;
    spec.cgroup = NULL;
    spec.become_user = false;
    bl_spawn_spec_write(&bytes, &spec);
    assert_int_equal(bl_spawn_spec_read(bytes.text, bytes.length, &back, NULL), BL_OK);
    assert_null(back.cgroup);
    assert_int_equal(back.mem_max, 0);
    assert_false(back.become_user);
    assert_int_equal(back.group_count, 0);
    bl_spawn_spec_finish(&back);
}

static void a_spec_cut_at_any_byte_is_refused(void **state)
{
    struct bl_spawn_spec spec = full_spec();
    BL_AUTO_BUF bytes = {0};

    (void)state;
    bl_spawn_spec_write(&bytes, &spec);
    for (size_t length = 0; length < bytes.length; length++) {
        BL_AUTO_FREE char *copy = bl_alloc_zero(length + 1);
        struct bl_spawn_spec back = {0};
        struct bl_error err = {0};

        memcpy(copy, bytes.text, length);
        if (bl_spawn_spec_read(copy, length, &back, &err) != BL_EINVAL || !err.text[0]) {
            fail_msg("%zu bytes were taken for all", length);
        }
        assert_null(back.argv);
    }
}

static void bad_fields_are_refused_by_name(void **state)
{
#define BASE "token=t\0directory=d\0alloc=a\0workdir=w\0log=l\0"
#define ROW(fields, text)                                                                          \
    {                                                                                              \
        BASE fields "end=\0", sizeof(BASE fields "end=\0") - 1, text                               \
    }
    static const struct {
        const char *bytes;
        size_t length;
        const char *text;
    } rows[] = {
        ROW("", "key 'arg' is missing"),
        ROW("arg=x\0novalue\0", "expected KEY=VALUE, found 'novalue'"),
        ROW("arg=x\0what=1\0", "unknown key 'what'"),
        ROW("arg=x\0uid=1\0", "keys 'uid' and 'gid' come together"),
        ROW("arg=x\0uid=-1\0gid=0\0", "uid"),
        ROW("arg=x\0uid=4294967295\0gid=0\0", "uid"),
        ROW("arg=x\0grace=soon\0", "grace"),
        ROW("arg=x\0umask=9999\0", "umask"),
        ROW("arg=x\0oom_score_adj=5000\0", "oom_score_adj"),
        {"token=t\0arg=x\0end=\0", 19, "key 'directory' is missing"},
    };
#undef ROW
#undef BASE

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_FREE char *copy = bl_alloc_zero(rows[i].length + 1);
        struct bl_spawn_spec back = {0};
        struct bl_error err = {0};

        memcpy(copy, rows[i].bytes, rows[i].length);
        if (bl_spawn_spec_read(copy, rows[i].length, &back, &err) != BL_EINVAL ||
            !strstr(err.text, rows[i].text)) {
            fail_msg("row %zu: '%s'", i, err.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spec_is_read_back_as_it_was_written),
        cmocka_unit_test(what_is_not_wanted_is_not_there),
        cmocka_unit_test(a_spec_cut_at_any_byte_is_refused),
        cmocka_unit_test(bad_fields_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
