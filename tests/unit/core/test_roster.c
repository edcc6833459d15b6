#include "core/roster.h"

#include "base/buf.h"
#include "bl_test.h"

static struct bl_job job_of(bl_job_id id, bl_time submitted, enum bl_job_state state, int32_t held)
{
    struct bl_job job = {.id = id, .submitted_at = submitted, .state = state, .pool = -1};

    job.spec.gpus_min = 1;
    job.spec.gpus_want = 2;
    job.spec.gpus_max = 8;
    if (held > 0) {
        job.alloc = (struct bl_alloc){1, {0, held, (UINT64_C(1) << held) - 1, 0, 0}, NULL};
    }
    return job;
}

static void everybody_is_listed_in_order_of_submission(void **state)
{
    struct bl_job jobs[] = {
        job_of(1, 5, BL_JOB_RUNNING, 2),  job_of(2, 3, BL_JOB_STARTING, 1),
        job_of(3, 1, BL_JOB_STOPPING, 4), job_of(4, 2, BL_JOB_RUNNING, 3),
        job_of(5, 3, BL_JOB_QUEUED, 0),   job_of(6, 0, BL_JOB_QUEUED, 0),
    };
    struct bl_running_entry running[] = {
        {&jobs[0], 0}, {&jobs[1], 0}, {&jobs[2], 0}, {&jobs[3], 0}};
    struct bl_queue_entry queue[] = {{&jobs[4], 2, 1}, {NULL, 0, 0}, {&jobs[5], 2, 1}};
    struct bl_node_spec nodes[] = {{.name = "a", .gpus = 16}, {.name = "b", .gpus = 8}};
    struct bl_cluster cluster = {0};
    struct bl_arena arena = {0};
    struct bl_view view = {.cluster = &cluster,
                           .queue = queue,
                           .queue_count = 3,
                           .running = running,
                           .running_count = 4,
                           .scratch = &arena};
    struct bl_roster roster;
    BL_AUTO_BUF out = {0};

    (void)state;
    jobs[3].spec.gpus_max = 1; /* rigid: it may not be moved */
    for (size_t i = 0; i < 2; i++) {
        bl_cluster_add_node(&cluster, &nodes[i]);
    }
    bl_cluster_set_state(&cluster, 1, BL_NODE_DRAINED);
    roster = bl_roster_make(&view);
    for (size_t i = 0; i < roster.count; i++) {
        const struct bl_roster_entry *entry = &roster.entry[i];

        bl_buf_printf(&out, "%lld:%d/%zu/%d ", (long long)entry->job->id, (int)entry->standing,
                      entry->index, entry->gpus);
    }
    assert_string_equal(bl_buf_text(&out), "6:0/2/0 3:3/2/4 4:2/3/3 2:2/1/1 5:0/0/0 1:1/0/2 ");
    assert_int_equal(roster.gpus, 16);
    bl_arena_finish(&arena);
    bl_cluster_finish(&cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_is_listed_in_order_of_submission),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
