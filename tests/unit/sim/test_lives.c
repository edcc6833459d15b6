#include "sim/lives.h"

#include "bl_test.h"
#include "core/event.h"
#include "form/policyspec.h"

struct life {
    struct bl_core *core;
    struct bl_actions actions;
    struct bl_sim_lives *lives;
};

static void step(struct life *life, const struct bl_event *event)
{
    bl_sim_lives_before(life->lives, life->core, event);
    bl_core_step(life->core, event, &life->actions);
    bl_sim_lives_after(life->lives, life->core, event);
}

static void happen(struct life *life, enum bl_event_kind kind, bl_time at, int32_t attempt)
{
    struct bl_event event = {.kind = kind, .at = at, .job = 1, .attempt = attempt};

    step(life, &event);
}

/* A job on two of four GPUs from the first hour on. */
static struct life begin(int32_t retries_max)
{
    struct life life = {.core = bl_core_create(BL_KEEP_ENDED), .lives = bl_sim_lives_create()};
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET, .at = BL_HOUR, .job = 1};

    assert_int_equal(bl_policyspec_parse("fifo", &event.u.policy, NULL), BL_OK);
    step(&life, &event);
    event.kind = BL_EVENT_NODE_ADDED;
    event.u.node = (struct bl_node_spec){.name = "n1", .gpu_type = "A100", .gpus = 4};
    step(&life, &event);
    event.kind = BL_EVENT_JOB_SUBMITTED;
    event.u.submitted = (struct bl_job_spec){
        .user = "ann", .gpus_min = 2, .gpus_want = 2, .gpus_max = 2, .retries_max = retries_max};
    step(&life, &event);
    happen(&life, BL_EVENT_ROUND, BL_HOUR, 0);
    happen(&life, BL_EVENT_JOB_STARTED, BL_HOUR, 1);
    return life;
}

static void end(struct life *life)
{
    bl_sim_lives_destroy(life->lives);
    bl_actions_finish(&life->actions);
    bl_core_destroy(life->core);
}

static void a_life_is_how_long_a_job_ran_on_what_and_how_that_ended(void **state)
{
    struct life life = begin(0);
    struct bl_event event = {.kind = BL_EVENT_JOB_ENDED, .at = 3 * BL_HOUR, .job = 1, .attempt = 1};
    const struct bl_sim_life *found;

    (void)state;
    assert_null(bl_sim_lives_find(life.lives, 1, 0));
    event.u.ended.code = 7;
    step(&life, &event);
    step(&life, &event); /* once more changes nothing */
    found = bl_sim_lives_find(life.lives, 1, 0);
    assert_int_equal(found->stretches.count, 1);
    assert_int_equal(found->stretches.at[0].run, 2 * BL_HOUR);
    assert_int_equal(found->stretches.at[0].gpus, 2);
    assert_int_equal(found->stretches.at[0].nodes, 1);
    assert_int_equal(found->stretches.at[0].type, 0);
    assert_int_equal(found->cause, BL_END_EXITED);
    assert_int_equal(found->code, 7);
    assert_false(found->is_cancelled);
    assert_null(bl_sim_lives_find(life.lives, 2, 0));
    end(&life);
}

static void each_failure_ends_a_life_and_the_last_known_one_stands_for_more(void **state)
{
    struct life life = begin(5);
    struct bl_event event = {.kind = BL_EVENT_JOB_ENDED, .at = 3 * BL_HOUR, .job = 1, .attempt = 1};

    (void)state;
    event.u.ended.code = 7;
    step(&life, &event);
    happen(&life, BL_EVENT_ROUND, 10 * BL_HOUR, 0);
    happen(&life, BL_EVENT_JOB_STARTED, 10 * BL_HOUR, 2);
    happen(&life, BL_EVENT_JOB_ENDED, 15 * BL_HOUR, 2);
    assert_int_equal(bl_sim_lives_find(life.lives, 1, 0)->code, 7);
    assert_int_equal(bl_sim_lives_find(life.lives, 1, 0)->stretches.at[0].run, 2 * BL_HOUR);
    assert_int_equal(bl_sim_lives_find(life.lives, 1, 1)->code, 0);
    assert_int_equal(bl_sim_lives_find(life.lives, 1, 1)->stretches.at[0].run, 5 * BL_HOUR);
    assert_ptr_equal(bl_sim_lives_find(life.lives, 1, 9), bl_sim_lives_find(life.lives, 1, 1));
    end(&life);
}

static void who_was_put_back_goes_on_with_the_same_life(void **state)
{
    struct life life = begin(0);

    (void)state;
    happen(&life, BL_EVENT_JOB_REQUEUED, 2 * BL_HOUR, 0);
    happen(&life, BL_EVENT_ROUND, 2 * BL_HOUR, 0);
    happen(&life, BL_EVENT_JOB_ENDED, 2 * BL_HOUR, 1);
    assert_null(bl_sim_lives_find(life.lives, 1, 0));
    happen(&life, BL_EVENT_ROUND, 10 * BL_HOUR, 0);
    happen(&life, BL_EVENT_JOB_STARTED, 10 * BL_HOUR, 2);
    happen(&life, BL_EVENT_JOB_CANCELLED, 11 * BL_HOUR, 0);
    happen(&life, BL_EVENT_ROUND, 11 * BL_HOUR, 0);
    happen(&life, BL_EVENT_JOB_ENDED, 11 * BL_HOUR, 2);
    assert_int_equal(bl_sim_lives_find(life.lives, 1, 0)->stretches.count, 2);
    assert_true(bl_sim_lives_find(life.lives, 1, 0)->is_cancelled);
    end(&life);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_life_is_how_long_a_job_ran_on_what_and_how_that_ended),
        cmocka_unit_test(each_failure_ends_a_life_and_the_last_known_one_stands_for_more),
        cmocka_unit_test(who_was_put_back_goes_on_with_the_same_life),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
