#include "record_test.h"

static const struct broken_record broken[] = {
    {"{\"event\":\"job_changed\",\"job\":1,\"set_class\":true}", "expected the key 'class'"},
    {"{\"event\":\"job_changed\",\"job\":1,\"set_class\":true,\"class\":\"best\"}",
     "class: expected one of interactive, batch"},
    {"{\"event\":\"job_changed\",\"job\":1,\"gpu_types\":\"A100\"}",
     "gpu_types: expected a list of at most 16"},
    {"{\"event\":\"job_changed\",\"job\":1,\"gpu_types\":[[]]}", "gpu_types: expected a text"},
    {"{\"event\":\"job_changed\",\"job\":1,\"nodes_max\":-1}", "nodes_max: expected a whole"},
};

static void broken_changes_are_refused_with_their_key(void **state)
{
    (void)state;
    expect_broken_records(broken, FORM_ROWS(broken));
}

/* As it was written before there was more to change. */
static void a_record_of_old_changes_what_it_changed(void **state)
{
    static const char json[] =
        "{\"event\":\"job_changed\",\"job\":1,\"set_limit\":true,\"limit_us\":9}";
    struct bl_arena arena = {0};
    struct bl_record record;
    struct bl_error err = {0};

    (void)state;
    assert_int_equal(bl_record_read("record 17", json, sizeof json - 1, &arena, &record, &err),
                     BL_OK);
    assert_true(record.event.u.changed.set_limit && !record.event.u.changed.set_class &&
                !record.event.u.changed.set_gpu_types && !record.event.u.changed.set_nodes);
    bl_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_changes_are_refused_with_their_key),
        cmocka_unit_test(a_record_of_old_changes_what_it_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
