#include "engine/local_tidy.h"
#include "bl_test.h"

#include "base/own.h"
#include "base/sort.h"
#include "os/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Job 7 lives, in its attempt 2; job 8 waits, job 9 has ended. */
static bool needs_attempt(void *self, bl_job_id job, int32_t attempt)
{
    (void)self;
    return job == 7 && attempt == 2;
}

static enum bl_engine_need needs_job(void *self, bl_job_id job)
{
    (void)self;
    return job == 7 || job == 8 ? BL_NEED_LIVES : job == 9 ? BL_NEED_ENDED : BL_NEED_NOT_KNOWN;
}

static const struct bl_engine_needs needs = {NULL, needs_attempt, needs_job};

static void make(const char *state, const char *name)
{
    BL_AUTO_BUF path = {0};

    bl_buf_printf(&path, "%s/%s", state, name);
    assert_int_equal(bl_fs_make_dirs(bl_buf_text(&path), 0700, NULL), BL_OK);
}

static int compare(const void *left, const void *right)
{
    const struct bl_local_name *a = left;
    const struct bl_local_name *b = right;

    if (a->job != b->job) {
        return a->job < b->job ? -1 : 1;
    }
    if (a->attempt != b->attempt) {
        return a->attempt < b->attempt ? -1 : 1;
    }
    return (int)a->place - (int)b->place;
}

static void what_nobody_needs_is_found_and_other_names_are_not_ours(void **state)
{
    static const char *const made[] = {
        "attempts/7.1", "attempts/7.2", "attempts/8.1",  "attempts/9.12", "attempts/7",
        "attempts/x.1", "attempts/7.0", "attempts/-1.1", "attempts/10.1", "jobs/7",
        "jobs/10",      "jobs/8",       "jobs/9",        "jobs/notes",    "env/8",
        "env/9",        "env/10",       "env/10.1",      "env/lost+found"};
    char dir[] = "/tmp/baleen-tidy-XXXXXX";
    bl_local_names found = {0};
    BL_AUTO_BUF text = {0};

    (void)state;
    assert_non_null(mkdtemp(dir));
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        make(dir, made[i]);
    }
    bl_local_tidy_find(dir, &needs, &found);
    bl_sort(found.at, found.count, sizeof *found.at, compare);
    for (size_t i = 0; i < found.count; i++) {
        bl_buf_printf(&text, "%c%lld.%d ", "aje"[found.at[i].place], (long long)found.at[i].job,
                      found.at[i].attempt);
    }
    assert_string_equal(bl_buf_text(&text), "a7.1 a8.1 j9.0 e9.0 a9.12 e10.0 ");
    BL_VEC_FINISH(&found);
    assert_int_equal(bl_fs_remove_tree(dir, NULL), BL_OK);
}

static void a_state_directory_without_anything_has_nothing(void **state)
{
    bl_local_names found = {0};

    (void)state;
    bl_local_tidy_find("/no/such/directory", &needs, &found);
    assert_int_equal(found.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_needs_is_found_and_other_names_are_not_ours),
        cmocka_unit_test(a_state_directory_without_anything_has_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
