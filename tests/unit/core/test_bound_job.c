#include "bl_test.h"
#include "core/bound_job.h"
#include "near.h"

/* Dear up to 10, cheap up to 30, free from then on. */
static void init_path(struct bl_price_path *path)
{
    static const double edge[] = {0, 10, 30};

    bl_price_path_init(path, 1, edge, 2);
    path->price[0] = 2;
    path->price[1] = 0.25;
    bl_price_path_sum(path);
}

struct bought {
    struct bl_bound_answer answer;
    double demand[2];
};

static struct bought buy(const struct bl_bound_job *job)
{
    struct bl_bound_scratch scratch;
    struct bl_price_path path;
    struct bought bought = {0};
    double reward = 0;

    init_path(&path);
    bl_bound_scratch_init(&scratch, path.cell_count);
    bl_bound_buy(&scratch, job, &path, 1e-9, &reward, &bought.answer);
    bl_bound_add_demand(job, &path, &bought.answer, bought.demand);
    bl_bound_scratch_finish(&scratch);
    bl_price_path_finish(&path);
    return bought;
}

/* One GPU and 5 s of work: at once it costs 5 + 10; from 8 on 13 + 4.75; from 10 on 15 + 1.25;
 * from 30 on 35. With work for 12 s at once: 12 + 20.5; from 10 on 22 + 3. */
static void a_job_in_one_piece_starts_where_time_and_payment_are_least(void **state)
{
    static const struct {
        double release, work, value, start;
    } rows[] = {
        {0, 5, 15, 0}, {0, 12, 25, 10}, {7, 5, 9.25, 10}, {25, 10, 11.25, 25}, {40, 3, 3, 40}};
    static const struct bl_bound_option option = {0, 1, 1};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_bound_job job = {rows[i].release, 0, rows[i].work, 0, BL_BOUND_IN_ONE_PIECE,
                                   &option,         1};
        struct bought bought = buy(&job);

        assert_near(bought.answer.value, rows[i].value, 1e-9);
        assert_near(bought.answer.start, rows[i].start, 1e-9);
    }
}

/* Two GPUs are 1.5 times as fast as one. 12 units in the cheap cell on one GPU: 22 + 3; on two from
 * 10 on: 18 + 4; some of it before 10 costs more than it saves. */
static void a_divisible_job_buys_speed_where_it_is_cheap(void **state)
{
    static const struct bl_bound_option option[] = {{0, 1, 1}, {0, 2, 1.5}};
    struct bl_bound_job job = {0, 0, 12, 0, BL_BOUND_DIVISIBLE, option, 2};
    struct bought bought = buy(&job);

    (void)state;
    assert_true(bought.answer.value <= 22);
    assert_near(bought.answer.value, 22, 1e-6);
    assert_near(bought.demand[0], 0, 1e-6);
    assert_near(bought.demand[1], 16, 1e-4);
}

/* 40 units on one GPU: 20 of them fit before 30 at a quarter each, the rest is free: 50 + 5. Paying
 * 2 for a second of the first ten saves 1: not worth it. */
static void behind_the_last_cell_gpus_are_free(void **state)
{
    static const struct bl_bound_option option = {0, 1, 1};
    struct bl_bound_job job = {0, 0, 40, 0, BL_BOUND_DIVISIBLE, &option, 1};
    struct bought bought = buy(&job);

    (void)state;
    assert_near(bought.answer.value, 55, 1e-6);
    assert_near(bought.demand[0], 0, 1e-6);
    assert_near(bought.demand[1], 20, 1e-4);
}

static void nothing_to_do_costs_nothing(void **state)
{
    static const struct bl_bound_option option = {0, 1, 1};
    struct bl_bound_job idle = {0, 0, 0, 0, BL_BOUND_DIVISIBLE, &option, 1};
    struct bl_bound_job unable = {0, 0, 5, 0, BL_BOUND_DIVISIBLE, NULL, 0};

    (void)state;
    assert_near(buy(&idle).answer.value, 0, 0);
    assert_near(buy(&unable).answer.value, 0, 0);
    assert_near(bl_bound_fastest(&unable), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_in_one_piece_starts_where_time_and_payment_are_least),
        cmocka_unit_test(a_divisible_job_buys_speed_where_it_is_cheap),
        cmocka_unit_test(behind_the_last_cell_gpus_are_free),
        cmocka_unit_test(nothing_to_do_costs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
