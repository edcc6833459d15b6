#include "os/sight.h"
#include "bl_test.h"

#include <stdlib.h>
#include <unistd.h>

static void P11_what_is_seen_is_the_process_all_others_and_who_computes(void **state)
{
    struct bl_sight *sight = bl_sight_create(getpid());

    (void)state;
    setenv("FAKE_NVML", "0:1:0|NVIDIA H200|GPU-a|1000\n", 1);
    setenv("FAKE_NVML_WHO", "GPU-a 7\n", 1);
    bl_sight_look(sight);
    assert_true(sight->is_there);
    assert_int_equal(sight->about.proc.pid, getpid());
    assert_int_equal(sight->about.uid, getuid());
    assert_non_null(bl_proc_find(&sight->all, getpid()));
    assert_int_equal(sight->who.all.count, 1);
    assert_int_equal(sight->who.all.at[0].pid, 7);
    bl_sight_destroy(sight);
}

static void what_cannot_be_a_process_is_not_there(void **state)
{
    static const int64_t rows[] = {0, -1, INT32_MAX, INT64_C(1) << 32, INT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_sight *sight = bl_sight_create(rows[i]);

        bl_sight_look(sight);
        assert_false(sight->is_there);
        bl_sight_destroy(sight);
    }
}

static void a_driver_that_cannot_be_reached_names_nobody(void **state)
{
    struct bl_sight *sight = bl_sight_create(getpid());

    (void)state;
    setenv("FAKE_NVML_INIT", "9", 1);
    bl_sight_look(sight);
    unsetenv("FAKE_NVML_INIT");
    assert_true(sight->is_there);
    assert_int_equal(sight->who.all.count, 0);
    bl_sight_destroy(sight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P11_what_is_seen_is_the_process_all_others_and_who_computes),
        cmocka_unit_test(what_cannot_be_a_process_is_not_there),
        cmocka_unit_test(a_driver_that_cannot_be_reached_names_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
