#include "bl_test.h"
#include "core/share.h"

enum { SHARERS_MAX = 4, COUNTS = 4 };

static void A1_the_least_share_is_raised_first(void **state)
{
    static const struct {
        int32_t count[SHARERS_MAX][COUNTS]; /* up to the first zero */
        int64_t room;                       /* beyond the least counts */
        int32_t share[SHARERS_MAX];
    } rows[] = {
        {{{1, 2, 3, 4}, {1, 2, 3, 4}}, 4, {3, 3}},
        {{{1, 2, 3, 4}, {1, 2, 3, 4}}, 3, {3, 2}},
        {{{1, 2, 3, 4}, {1, 2}}, 4, {4, 2}},
        {{{4, 8}, {1, 2, 3, 4}}, 3, {4, 4}},
        {{{2, 4, 8}, {2, 4, 8}}, 5, {4, 4}},
        /* the first cannot go on, the others take what is left */
        {{{1, 8}, {1, 2, 3, 4}, {2}}, 3, {1, 4, 2}},
        {{{1, 2, 3, 4}}, 0, {1}},
        {{{1, 2, 3, 4}}, -2, {1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_sharer sharer[SHARERS_MAX] = {{0}};
        size_t sharers = 0;

        while (sharers < SHARERS_MAX && rows[i].count[sharers][0]) {
            struct bl_sharer *s = &sharer[sharers];

            s->count = rows[i].count[sharers];
            while (s->count_count < COUNTS && s->count[s->count_count]) {
                s->count_count++;
            }
            sharers++;
        }
        bl_share_equally(sharer, sharers, rows[i].room);
        for (size_t s = 0; s < sharers; s++) {
            assert_int_equal(sharer[s].count[sharer[s].at], rows[i].share[s]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(A1_the_least_share_is_raised_first)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
