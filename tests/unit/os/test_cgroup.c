#include "os/cgroup.h"
#include "bl_test.h"

#include "base/own.h"
#include "os/fs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- text ---- */

static void the_mount_of_version_2_is_found_among_all(void **state)
{
    static const struct {
        const char *mounts;
        const char *expected;
    } rows[] = {
        {"proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "/sys/fs/cgroup"},
        {"cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw\n",
         "/sys/fs/cgroup/unified"},
        {"none /a\\040b\\134c cgroup2 rw 0 0", "/a b\\c"},
        {"cgroup2 /x tmpfs rw 0 0\n", NULL},
        {"short\n\ncgroup2\n", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BL_AUTO_BUF out = {0};
        int status = bl_cgroup_find_mount(rows[i].mounts, &out, NULL);

        assert_int_equal(status, rows[i].expected ? BL_OK : BL_ENOTFOUND);
        assert_string_equal(bl_buf_text(&out), rows[i].expected ? rows[i].expected : "");
    }
}

/* ---- a tree of plain files in the kernel's place ---- */

struct tree {
    char dir[32];
};

static int make_tree(void **state)
{
    struct tree *tree = bl_alloc_zero(sizeof *tree);

    snprintf(tree->dir, sizeof tree->dir, "/tmp/baleen-group-XXXXXX");
    assert_non_null(mkdtemp(tree->dir));
    *state = tree;
    return 0;
}

static int remove_tree(void **state)
{
    struct tree *tree = *state;

    assert_int_equal(bl_fs_remove_tree(tree->dir, NULL), BL_OK);
    free(tree);
    return 0;
}

static void put(const struct tree *tree, const char *name, const char *text)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s/%s", tree->dir, name);
    for (char *at = path.text + strlen(tree->dir) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path.text, 0755);
        *at = '/';
    }
    assert_int_equal(bl_fs_write_atomic(path.text, 0644, text, strlen(text), NULL), BL_OK);
}

static void expect_file(const struct tree *tree, const char *name, const char *expected)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&path, "%s/%s", tree->dir, name);
    assert_int_equal(bl_fs_read(path.text, 1024, &text, NULL), BL_OK);
    assert_string_equal(bl_buf_text(&text), expected);
}

static void expect_base(const struct tree *tree, const char *own, const char *expected)
{
    struct bl_cgroup_base base;
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s%s", tree->dir, expected);
    assert_int_equal(bl_cgroup_make_base(tree->dir, own, "me", &base, NULL), BL_OK);
    assert_string_equal(bl_buf_text(&base.path), path.text);
    assert_false(base.has_memory);
    assert_false(base.has_cpu);
    bl_cgroup_base_finish(&base);
}

static void groups_are_made_beside_ones_own_group(void **state)
{
    const struct tree *tree = *state;

    put(tree, "user/me/x", "");
    expect_base(tree, "1:cpu:/v1\n0::/user/me\n", "/user/baleen/me");
    expect_base(tree, "0::/\n", "/baleen/me");
    expect_base(tree, "0::/\n", "/baleen/me"); /* a second time */
    expect_base(tree, "0::/../outside/me\n", "/baleen/me");
}

static void a_group_with_processes_is_not_asked_to_hand_down(void **state)
{
    const struct tree *tree = *state;
    struct bl_cgroup_base base;

    put(tree, "slice/cgroup.type", "domain\n");
    put(tree, "slice/cgroup.procs", "17\n");
    put(tree, "slice/cgroup.subtree_control", "");
    put(tree, "slice/service/x", "");
    assert_int_equal(bl_cgroup_make_base(tree->dir, "0::/slice/service\n", "me", &base, NULL),
                     BL_OK);
    expect_file(tree, "slice/cgroup.subtree_control", "");
    bl_cgroup_base_finish(&base);
    put(tree, "slice/cgroup.procs", "");
    assert_int_equal(bl_cgroup_make_base(tree->dir, "0::/slice/service\n", "me", &base, NULL),
                     BL_OK);
    expect_file(tree, "slice/cgroup.subtree_control", "+cpuory");
    bl_cgroup_base_finish(&base);
}

static void groups_are_made_at_the_root_where_the_own_group_is_not_there(void **state)
{
    expect_base(*state, "0::/hidden/by/a/namespace\n", "/baleen/me");
}

static void a_tree_that_cannot_be_written_is_an_error(void **state)
{
    struct bl_cgroup_base base;
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_cgroup_make_base("/proc/no", "0::/\n", "me", &base, &err), BL_ESYSTEM);
    assert_non_null(strstr(err.text, "/proc/no"));
}

static void controllers_are_asked_for_and_noticed(void **state)
{
    const struct tree *tree = *state;
    struct bl_cgroup_base base;

    put(tree, "cgroup.subtree_control", "");
    put(tree, "baleen/cgroup.subtree_control", "");
    put(tree, "baleen/me/cgroup.subtree_control", "cpuset cpu io memory\n");
    assert_int_equal(bl_cgroup_make_base(tree->dir, "0::/\n", "me", &base, NULL), BL_OK);
    expect_file(tree, "cgroup.subtree_control", "+cpuory"); /* "+memory", then "+cpu" over it */
    expect_file(tree, "baleen/cgroup.subtree_control", "+cpuory");
    bl_cgroup_base_finish(&base);
}

static void only_whole_words_are_controllers(void **state)
{
    static const struct {
        const char *text;
        bool memory;
        bool cpu;
    } rows[] = {{"cpuset memory_x\n", false, false},
                {"cpu\n", false, true},
                {"io memory pids", true, false},
                {"cpuset cpu memory", true, true},
                {"", false, false}};
    const struct tree *tree = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_cgroup_base base;
        BL_AUTO_BUF path = {0};

        put(tree, "baleen/me/cgroup.subtree_control", rows[i].text);
        bl_buf_printf(&path, "%s/baleen/me/cgroup.subtree_control", tree->dir);
        assert_int_equal(chmod(path.text, 0444), 0);
        if (geteuid() == 0) { /* root writes over it: what is read is "+cpu" and the rest */
            return;
        }
        assert_int_equal(bl_cgroup_make_base(tree->dir, "0::/\n", "me", &base, NULL), BL_OK);
        assert_int_equal(base.has_memory, rows[i].memory);
        assert_int_equal(base.has_cpu, rows[i].cpu);
        bl_cgroup_base_finish(&base);
    }
}

static void limits_are_written_where_there_are_any(void **state)
{
    const struct tree *tree = *state;
    struct bl_cgroup_limits limits = {.mem_high = 900, .mem_max = 1100, .cpu_weight = 200};
    BL_AUTO_BUF path = {0};

    put(tree, "job/memory.high", "");
    put(tree, "job/memory.max", "");
    put(tree, "job/cpu.weight", "");
    bl_buf_printf(&path, "%s/job", tree->dir);
    assert_int_equal(bl_cgroup_make(path.text, &limits), 0);
    expect_file(tree, "job/memory.high", "900");
    expect_file(tree, "job/memory.max", "1100");
    expect_file(tree, "job/cpu.weight", "200");
    bl_buf_append_text(&path, "/bare");
    assert_int_equal(bl_cgroup_make(path.text, &limits), ENOENT); /* no such files */
    assert_int_equal(bl_cgroup_make(path.text, &(struct bl_cgroup_limits){0}), 0);
    bl_buf_append_text(&path, "/new/group");
    assert_int_equal(bl_cgroup_make(path.text, &(struct bl_cgroup_limits){0}), 0);
    bl_buf_append_text(&path, "/no/parent/twice");
    assert_int_equal(bl_cgroup_make(path.text, &limits), ENOENT);
}

static void a_tree_without_the_files_is_neither_populated_nor_killed(void **state)
{
    const struct tree *tree = *state;

    assert_false(bl_cgroup_is_populated(tree->dir));
    assert_false(bl_cgroup_kill(tree->dir));
    put(tree, "cgroup.events", "populated 1\nfrozen 0\n");
    assert_true(bl_cgroup_is_populated(tree->dir));
    put(tree, "cgroup.events", "populated 0\nfrozen 0\n");
    assert_false(bl_cgroup_is_populated(tree->dir));
}

static void add_pid(void *self, int pid)
{
    bl_buf_printf(self, "%d ", pid);
}

static void members_are_listed_and_strangers_passed_over(void **state)
{
    const struct tree *tree = *state;
    BL_AUTO_BUF pids = {0};

    put(tree, "cgroup.procs", "12\n0\n345\n");
    bl_cgroup_each(tree->dir, add_pid, &pids);
    assert_string_equal(bl_buf_text(&pids), "12 345 ");
    bl_cgroup_each("/no/such/group", add_pid, &pids);
    assert_string_equal(bl_buf_text(&pids), "12 345 ");
}

/* ---- the kernel's own ---- */

static void a_real_group_holds_kills_and_goes(void **state)
{
    struct bl_cgroup_base base;
    struct bl_error err = {0};
    BL_AUTO_BUF group = {0};
    BL_AUTO_BUF below = {0};
    BL_AUTO_BUF pids = {0};
    char name[32];
    int status = 0;
    pid_t pid;

    (void)state;
    snprintf(name, sizeof name, "test-%d", (int)getpid());
    if (bl_cgroup_open_base(name, &base, &err)) {
        BL_SKIP(err.text);
    }
    bl_buf_printf(&group, "%s/job", bl_buf_text(&base.path));
    bl_buf_printf(&below, "%s/below", bl_buf_text(&group));
    assert_int_equal(bl_cgroup_make(group.text, &(struct bl_cgroup_limits){0}), 0);
    assert_int_equal(bl_cgroup_make(below.text, &(struct bl_cgroup_limits){0}), 0);
    assert_false(bl_cgroup_is_populated(group.text));
    pid = fork();
    if (pid == 0) {
        bl_buf_append_text(&group, "/cgroup.procs");
        FILE *file = fopen(group.text, "w");

        if (file && fputs("0", file) >= 0 && fclose(file) == 0) {
            for (;;) {
                pause();
            }
        }
        _exit(7);
    }
    while (!bl_cgroup_is_populated(group.text)) {
        assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
    }
    bl_cgroup_each(group.text, add_pid, &pids);
    assert_int_equal(strtol(bl_buf_text(&pids), NULL, 10), pid);
    assert_false(bl_cgroup_remove(group.text));
    assert_true(bl_cgroup_kill(group.text));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    while (bl_cgroup_is_populated(group.text)) {
    }
    assert_true(bl_cgroup_remove(group.text));
    assert_int_equal(access(group.text, F_OK), -1);
    assert_true(bl_cgroup_remove(group.text)); /* gone is fine */
    assert_true(bl_cgroup_remove(bl_buf_text(&base.path)));
    bl_cgroup_base_finish(&base);
}

#define IN_TREE(claim) cmocka_unit_test_setup_teardown(claim, make_tree, remove_tree)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mount_of_version_2_is_found_among_all),
        IN_TREE(groups_are_made_beside_ones_own_group),
        IN_TREE(a_group_with_processes_is_not_asked_to_hand_down),
        IN_TREE(groups_are_made_at_the_root_where_the_own_group_is_not_there),
        cmocka_unit_test(a_tree_that_cannot_be_written_is_an_error),
        IN_TREE(controllers_are_asked_for_and_noticed),
        IN_TREE(only_whole_words_are_controllers),
        IN_TREE(limits_are_written_where_there_are_any),
        IN_TREE(a_tree_without_the_files_is_neither_populated_nor_killed),
        IN_TREE(members_are_listed_and_strangers_passed_over),
        cmocka_unit_test(a_real_group_holds_kills_and_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
