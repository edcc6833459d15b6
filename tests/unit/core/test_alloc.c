#include "bl_test.h"
#include "core/cluster.h"

#include <string.h>

enum { PARTS_MAX = 3 };

/* Parts up to the first without anything; GPUs with an identity by their mask, else by number. */
struct row {
    struct bl_alloc_part a[PARTS_MAX], b[PARTS_MAX], joined[PARTS_MAX], b_beyond_a[PARTS_MAX];
};

static struct bl_alloc alloc_of(struct bl_alloc_part *part)
{
    struct bl_alloc alloc = {.single = part[0], .many = part};

    while (alloc.part_count < PARTS_MAX && part[alloc.part_count].gpus) {
        alloc.part_count++;
    }
    return alloc;
}

static void assert_parts(const struct bl_alloc *found, struct bl_alloc_part *expected)
{
    struct bl_alloc right = alloc_of(expected);

    assert_int_equal(found->part_count, right.part_count);
    if (found->part_count) {
        assert_memory_equal(bl_alloc_parts(found), bl_alloc_parts(&right),
                            found->part_count * sizeof(struct bl_alloc_part));
    }
}

static const struct row rows[] = {
    /* grows on its node */
    {.a = {{0, 2, 0x3, 2000, 20}},
     .b = {{0, 3, 0x7, 3000, 30}},
     .joined = {{0, 3, 0x7, 3000, 30}},
     .b_beyond_a = {{0, 1, 0x4, 1000, 10}}},
    /* shrinks: nothing beyond */
    {.a = {{0, 2, 0x3, 2000, 20}}, .b = {{0, 1, 0x1, 1000, 10}}, .joined = {{0, 2, 0x3, 2000, 20}}},
    /* the same number of others */
    {.a = {{0, 2, 0x3, 2000, 20}},
     .b = {{0, 2, 0x6, 2000, 20}},
     .joined = {{0, 3, 0x7, 2000, 20}},
     .b_beyond_a = {{0, 1, 0x4, 0, 0}}},
    /* to another node and a part more */
    {.a = {{0, 2, 0x3, 2000, 20}, {2, 1, 0x8, 1000, 10}},
     .b = {{1, 1, 0x1, 1000, 10}, {2, 2, 0x18, 2000, 20}},
     .joined = {{0, 2, 0x3, 2000, 20}, {2, 2, 0x18, 2000, 20}, {1, 1, 0x1, 1000, 10}},
     .b_beyond_a = {{1, 1, 0x1, 1000, 10}, {2, 1, 0x10, 1000, 10}}},
    /* counted GPUs */
    {.a = {{0, 20, 0, 0, 0}},
     .b = {{0, 30, 0, 0, 0}},
     .joined = {{0, 30, 0, 0, 0}},
     .b_beyond_a = {{0, 10, 0, 0, 0}}},
};

static void two_allocations_are_joined_and_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct row row = rows[i];
        struct bl_alloc a = alloc_of(row.a);
        struct bl_alloc b = alloc_of(row.b);
        struct bl_alloc joined;
        struct bl_alloc beyond;

        bl_alloc_join(&a, &b, &joined);
        bl_alloc_beyond(&b, &a, &beyond);
        assert_parts(&joined, row.joined);
        assert_parts(&beyond, row.b_beyond_a);
        bl_alloc_finish(&joined);
        bl_alloc_finish(&beyond);
    }
}

/* What is booked on top and what comes back afterwards leave exactly the new allocation. */
static void what_was_joined_comes_apart_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct row row = rows[i];
        struct bl_alloc a = alloc_of(row.a);
        struct bl_alloc b = alloc_of(row.b);
        struct bl_alloc joined;
        struct bl_alloc old;
        struct bl_resources sum;
        struct bl_resources all;
        struct bl_resources fresh = bl_alloc_resources(&b);

        bl_alloc_join(&a, &b, &joined);
        bl_alloc_beyond(&joined, &b, &old);
        sum = bl_alloc_resources(&old);
        bl_resources_add(&sum, &fresh);
        all = bl_alloc_resources(&joined);
        assert_memory_equal(&sum, &all, sizeof sum);
        assert_int_equal(all.amount[BL_RESOURCE_GPU], bl_alloc_gpus(&joined));
        bl_alloc_finish(&joined);
        bl_alloc_finish(&old);
    }
}

static void a_gpu_of_both_is_told_by_its_name_and_its_node(void **state)
{
    static const struct {
        struct bl_alloc_part a[PARTS_MAX], b[PARTS_MAX];
        bool shares;
    } pairs[] = {
        {{{0, 2, 0x3, 0, 0}}, {{0, 2, 0x6, 0, 0}}, true},
        {{{0, 2, 0x3, 0, 0}}, {{0, 1, 0x4, 0, 0}}, false},
        {{{0, 2, 0x3, 0, 0}}, {{1, 2, 0x3, 0, 0}}, false},
        {{{0, 1, 0x1, 0, 0}, {2, 1, 0x1, 0, 0}}, {{1, 1, 0x1, 0, 0}, {2, 1, 0x1, 0, 0}}, true},
        {{{0, 2, 0, 0, 0}}, {{0, 2, 0, 0, 0}}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct bl_alloc_part a[PARTS_MAX];
        struct bl_alloc_part b[PARTS_MAX];
        struct bl_alloc left;
        struct bl_alloc right;

        memcpy(a, pairs[i].a, sizeof a);
        memcpy(b, pairs[i].b, sizeof b);
        left = alloc_of(a);
        right = alloc_of(b);
        assert_int_equal(bl_alloc_shares_named(&left, &right), pairs[i].shares);
        assert_int_equal(bl_alloc_shares_named(&right, &left), pairs[i].shares);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_allocations_are_joined_and_told_apart),
        cmocka_unit_test(what_was_joined_comes_apart_again),
        cmocka_unit_test(a_gpu_of_both_is_told_by_its_name_and_its_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
