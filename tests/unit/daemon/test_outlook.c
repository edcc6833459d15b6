#include "bl_test.h"
#include "core/policy.h"
#include "daemon/outlook.h"

static struct bl_core *core_with_a_node(void)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);
    struct bl_event policy = {.kind = BL_EVENT_POLICY_SET,
                              .at = BL_SECOND,
                              .u.policy = {.policy = bl_policy_find("fifo")}};
    struct bl_event node = {.kind = BL_EVENT_NODE_ADDED,
                            .at = BL_SECOND,
                            .u.node = {.name = "n1",
                                       .gpu_type = "A100",
                                       .gpus = 1,
                                       .cpu_milli = 8000,
                                       .mem_bytes = INT64_C(1) << 40}};

    bl_core_step(core, &policy, NULL);
    bl_core_step(core, &node, NULL);
    return core;
}

static void submit(struct bl_core *core, bl_job_id id)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_SUBMITTED,
        .at = BL_SECOND,
        .job = id,
        .u.submitted = {.gpus_min = 1, .gpus_want = 1, .gpus_max = 1, .limit = BL_HOUR}};

    bl_core_step(core, &event, NULL);
}

static void a_job_has_its_row_and_one_that_is_not_there_has_none(void **state)
{
    struct bl_core *core = core_with_a_node();
    struct bl_outlook *outlook = bl_outlook_create();
    const struct bl_forecast_row *row;

    (void)state;
    submit(core, 1);
    submit(core, 2);
    row = bl_outlook_find(outlook, core, 4, 2);
    assert_non_null(row);
    assert_int_equal(row->start, BL_SECOND + BL_HOUR);
    assert_int_equal(row->end, BL_SECOND + 2 * BL_HOUR);
    assert_null(bl_outlook_find(outlook, core, 4, 3));
    bl_outlook_destroy(outlook);
    bl_core_destroy(core);
}

static void what_came_since_is_seen_before_long(void **state)
{
    struct bl_core *core = core_with_a_node();
    struct bl_outlook *outlook = bl_outlook_create();

    (void)state;
    assert_null(bl_outlook_find(outlook, core, 2, 1));
    submit(core, 1);
    while (!bl_outlook_find(outlook, core, 3, 1)) { /* the runner's time limit ends it else */
    }
    bl_outlook_destroy(outlook);
    bl_core_destroy(core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_has_its_row_and_one_that_is_not_there_has_none),
        cmocka_unit_test(what_came_since_is_seen_before_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
