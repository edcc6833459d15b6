#include "bl_test.h"
#include "engine/engine.h"

#include <string.h>

static void every_engine_is_found_by_its_name(void **state)
{
    (void)state;
    for (const struct bl_engine *const *at = bl_engines; *at; at++) {
        assert_ptr_equal(bl_engine_find((*at)->name), *at);
        assert_true(strlen((*at)->summary) > 0);
    }
    assert_non_null(bl_engine_find("sim"));
    assert_null(bl_engine_find("loacl"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_is_found_by_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
