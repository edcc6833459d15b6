#include "bl_test.h"
#include "daemon/replica.h"
#include "records.h"

#include <string.h>

static void feed(struct bl_replica *replica, const struct records *records)
{
    for (size_t i = (size_t)replica->seq; i < records->list.count; i++) {
        bl_replica_apply(replica, (int64_t)i + 1, records->list.at[i].bytes,
                         records->list.at[i].length);
    }
}

static void it_stands_where_the_records_end(void **state)
{
    struct bl_replica replica;
    struct records records = {0};

    (void)state;
    bl_replica_init(&replica);
    assert_false(bl_replica_can_fork(&replica)); /* nobody decides yet */
    records_queue(&records, "fifo", 2);
    feed(&replica, &records);
    assert_int_equal(replica.seq, 7);
    assert_int_equal(replica.now, 2 * BL_SECOND);
    assert_int_equal(bl_core_find_job(replica.core, 1)->state, BL_JOB_RUNNING);
    assert_int_equal(bl_core_find_job(replica.core, 2)->state, BL_JOB_QUEUED);
    assert_true(bl_replica_can_fork(&replica));
    records_about(&records, BL_EVENT_JOB_ENDED, 1, 5 * BL_SECOND);
    feed(&replica, &records);
    assert_false(bl_replica_can_fork(&replica)); /* a round is due */
    records_free(&records);
    bl_replica_finish(&replica);
}

static void time_that_passes_is_no_change(void **state)
{
    struct bl_replica replica;
    struct records records = {0};
    int64_t version;

    (void)state;
    bl_replica_init(&replica);
    records_queue(&records, "fifo", 2);
    feed(&replica, &records);
    version = replica.version;
    records_round(&records, BL_MINUTE);
    feed(&replica, &records);
    assert_int_equal(replica.version, version);
    assert_int_equal(replica.now, 2 * BL_SECOND);
    records_about(&records, BL_EVENT_JOB_ENDED, 1, 2 * BL_MINUTE);
    records_round(&records, 2 * BL_MINUTE);
    feed(&replica, &records);
    assert_int_equal(replica.version, version + 2);
    assert_int_equal(replica.now, 2 * BL_MINUTE);
    records_free(&records);
    bl_replica_finish(&replica);
}

static void what_is_forgotten_leaves_it_too(void **state)
{
    struct bl_replica replica;
    struct records records = {0};
    struct bl_event forget = {.kind = BL_EVENT_JOBS_FORGOTTEN, .at = BL_HOUR};

    (void)state;
    forget.u.forgotten.before = BL_HOUR;
    bl_replica_init(&replica);
    records_queue(&records, "fifo", 2);
    records_about(&records, BL_EVENT_JOB_ENDED, 1, BL_MINUTE);
    records_round(&records, BL_MINUTE);
    records_add(&records, &forget);
    feed(&replica, &records);
    assert_int_equal(bl_core_job_count(replica.core), 1);
    records_free(&records);
    bl_replica_finish(&replica);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stands_where_the_records_end),
        cmocka_unit_test(time_that_passes_is_no_change),
        cmocka_unit_test(what_is_forgotten_leaves_it_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
