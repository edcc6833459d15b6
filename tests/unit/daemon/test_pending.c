#include "bl_test.h"
#include "daemon/pending.h"

#include <stdbool.h>

struct answer {
    int calls;
    bool is_accepted;
};

static void note(void *self, bool is_accepted)
{
    struct answer *answer = self;

    answer->calls++;
    answer->is_accepted = is_accepted;
}

static struct bl_pending *push(struct bl_pending_ring *ring, int64_t seq)
{
    char *bytes = strdup("a record");

    assert_non_null(bytes);
    return bl_pending_push(ring, seq, bytes, strlen(bytes));
}

static void drop(struct bl_pending_ring *ring, struct bl_pending *item, bool is_accepted)
{
    bl_pending_remove(ring, item);
    bl_pending_finish(item, is_accepted);
}

static void the_oldest_comes_first_whatever_is_taken_out_between(void **state)
{
    struct bl_pending_ring ring;
    struct bl_pending *item[3];

    (void)state;
    bl_pending_init(&ring);
    assert_null(bl_pending_first(&ring));
    for (int i = 0; i < 3; i++) {
        item[i] = push(&ring, 10 + i);
    }
    drop(&ring, item[1], true);
    assert_int_equal(bl_pending_first(&ring)->seq, 10);
    drop(&ring, item[0], true);
    assert_int_equal(bl_pending_first(&ring)->seq, 12);
    assert_ptr_equal(ring.head.previous, item[2]);
    drop(&ring, item[2], true);
    assert_null(bl_pending_first(&ring));
    bl_pending_finish_ring(&ring);
}

static void a_submission_is_found_by_its_job_until_it_is_taken_out(void **state)
{
    struct bl_pending_ring ring;
    struct bl_pending *item;

    (void)state;
    bl_pending_init(&ring);
    item = push(&ring, 1);
    bl_pending_set_submitted(&ring, item, 7, 1000);
    assert_int_equal(bl_pending_find(&ring, 7)->owner, 1000);
    assert_null(bl_pending_find(&ring, 8));
    drop(&ring, item, true);
    assert_null(bl_pending_find(&ring, 7));
    bl_pending_finish_ring(&ring);
}

static void who_waits_is_told_once_how_it_ended(void **state)
{
    struct answer accepted = {0}, refused = {.is_accepted = true};
    struct bl_pending_ring ring;

    (void)state;
    bl_pending_init(&ring);
    push(&ring, 1)->done = (struct bl_completion){&accepted, note};
    push(&ring, 2)->done = (struct bl_completion){&refused, note};
    drop(&ring, bl_pending_first(&ring), true);
    drop(&ring, bl_pending_first(&ring), false);
    assert_int_equal(accepted.calls, 1);
    assert_true(accepted.is_accepted);
    assert_int_equal(refused.calls, 1);
    assert_false(refused.is_accepted);
    bl_pending_finish_ring(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_comes_first_whatever_is_taken_out_between),
        cmocka_unit_test(a_submission_is_found_by_its_job_until_it_is_taken_out),
        cmocka_unit_test(who_waits_is_told_once_how_it_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
