#include "core/adopt.h"

#include "bl_test.h"
#include "scene.h"

#include <stdio.h>

static void P11_a_process_is_a_job_on_its_gpus_at_once_and_ends_like_one(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=1m adopt id=1 gpus=1 on=n1:2 user=u1");
    assert_string_equal(scene_state(&s, 1), "running");
    assert_string_equal(scene_where(&s, 1), "n1:2");
    assert_string_equal(scene_why_word(&s, 1), "adopted");
    scene_event(&s, "t=1m submit id=2 gpus=4 limit=1h run=1m");
    assert_string_equal(scene_state(&s, 2), "queued");
    scene_event(&s, "t=2m end id=1 gone=1");
    assert_string_equal(scene_state(&s, 1), "completed");
    assert_string_equal(scene_why_word(&s, 1), "gone");
    assert_false(bl_core_find_job(s.core, 1)->has_exit_code);
    assert_string_equal(scene_starts(&s), "1@1m 2@2m");
    scene_free(&s);
}

static void what_cannot_be_held_is_refused_whole_and_named(void **state)
{
    static const struct {
        const char *line;
        enum bl_adoption_fault fault;
        bl_job_id job;
        int64_t booking;
        int32_t gpu;
    } rows[] = {
        {"id=9 gpus=1 on=n1:3 limit=1h", BL_ADOPTION_FINE, 0, 0, -1},
        {"id=9 gpus=1 on=n1:0", BL_ADOPTION_TAKEN, 1, 0, 0},
        {"id=9 gpus=2 on=n1:2-3", BL_ADOPTION_GPU_LOST, 0, 0, 2},
        {"id=9 gpus=1 on=n1:4", BL_ADOPTION_NODE, 0, 0, -1},
        {"id=9 gpus=1 on=n7:0", BL_ADOPTION_NODE, 0, 0, -1},
        {"id=9 gpus=1", BL_ADOPTION_NODE, 0, 0, -1},
        {"id=9 gpus=1 on=n2:0", BL_ADOPTION_NODE_AWAY, 0, 0, -1},
        {"id=9 gpus=1 on=n1:3", BL_ADOPTION_HELD, 0, 1, 3},
        {"id=9 gpus=1 on=n1:3 limit=3h", BL_ADOPTION_HELD, 0, 1, 3},
        {"id=9 gpus=3 on=n1:3 limit=1h", BL_ADOPTION_FEW, 0, 0, -1},
        {"id=9 gpus=1 on=n1:3 limit=1h cpus=61", BL_ADOPTION_SHORT, 0, 0, -1},
    };
    struct scene s = scene_new("1x4:A100 1x1:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 node name=n2 state=drained");
    scene_event(&s, "t=0 submit id=1 gpus=1 cpus=4");
    scene_event(&s, "t=0 lose name=n1 mask=4");
    scene_event(&s, "t=0 reserve id=1 on=n1:3 from=2h for=1h user=u2");
    assert_string_equal(scene_where(&s, 1), "n1:0");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena = {0};
        struct bl_job_spec spec = scene_adopted(rows[i].line, &arena);
        struct bl_adoption found;

        bl_adoption_find(s.core, &spec, &found);
        assert_int_equal(found.fault, rows[i].fault);
        assert_int_equal(found.job, rows[i].job);
        assert_int_equal(found.booking, rows[i].booking);
        assert_int_equal(found.gpu, rows[i].gpu);
        bl_alloc_finish(&found.alloc);
        bl_arena_finish(&arena);
    }
    for (size_t i = 1; i < sizeof rows / sizeof rows[0]; i++) {
        char line[128];

        snprintf(line, sizeof line, "t=1m adopt %s", rows[i].line);
        scene_event(&s, line);
        assert_string_equal(scene_state(&s, 9), "unknown");
    }
    scene_free(&s);
}

static void more_gpus_than_it_uses_come_from_those_that_are_free(void **state)
{
    static const struct {
        const char *line;
        const char *where;
    } rows[] = {
        {"t=0 adopt id=1 gpus=2 on=n2:1", "n2:0,1"},
        {"t=0 adopt id=1 gpus=3 on=n2:1", "n2:0,1 n1:1"},
        {"t=0 adopt id=1 gpus=2 on=n2", "n2:0,1"},
        {"t=0 adopt id=1 gpus=1 on=n1", "n1:1"},
        {"t=0 adopt id=1 gpus=0 on=n2 cpus=1", "n2:"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s = scene_new("2x2:A100", "fifo");

        scene_event(&s, "t=0 adopt id=7 gpus=1 on=n1:0");
        scene_event(&s, rows[i].line);
        assert_string_equal(scene_where(&s, 1), rows[i].where);
        scene_free(&s);
    }
}

static void nothing_is_done_to_it_that_would_need_another_start(void **state)
{
    struct scene s = scene_new("1x2:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 adopt id=1 gpus=1 on=n1:0 class=preemptible restart=1 retries=3");
    scene_event(&s, "t=1m requeue id=1");
    scene_event(&s, "t=1m resize id=1 gpus=2");
    scene_event(&s, "t=1m lose name=n1 mask=1");
    assert_string_equal(scene_state(&s, 1), "running");
    scene_event(&s, "t=1m lose name=n1 mask=0");
    scene_event(&s, "t=2m end id=1 code=85");
    assert_string_equal(scene_state(&s, 1), "failed");
    assert_int_equal(bl_core_find_job(s.core, 1)->exit_code, 85);
    scene_event(&s, "t=2m adopt id=2 gpus=1 on=n1:0 restart=1");
    scene_event(&s, "t=3m end id=2 lost=1");
    assert_string_equal(scene_state(&s, 2), "lost");
    scene_free(&s);
}

/* Nobody has told the engine yet, and nobody will. */
static void what_is_cancelled_before_the_engine_knows_was_never_touched(void **state)
{
    struct bl_arena arena = {0};
    struct scene s = scene_new("1x2:A100", "fifo");
    struct bl_event adopted = {.kind = BL_EVENT_JOB_SUBMITTED,
                               .at = 5,
                               .job = 1,
                               .u.submitted = scene_adopted("gpus=1 on=n1:0", &arena)};
    struct bl_event cancelled = {.kind = BL_EVENT_JOB_CANCELLED, .at = 6, .job = 1};
    struct bl_event failed = {.kind = BL_EVENT_JOB_START_FAILED, .at = 9, .job = 2, .attempt = 1};

    (void)state;
    bl_core_step(s.core, &adopted, NULL);
    assert_string_equal(scene_state(&s, 1), "starting");
    assert_true(bl_core_wants_round(s.core));
    assert_false(bl_core_can_export(s.core));
    bl_core_step(s.core, &cancelled, NULL);
    assert_string_equal(scene_state(&s, 1), "cancelled");
    scene_step(&s, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = 7});
    assert_string_equal(bl_buf_text(&s.log), "");
    adopted.job = 2;
    adopted.at = 8;
    bl_core_step(s.core, &adopted, NULL);
    bl_core_step(s.core, &failed, NULL);
    assert_string_equal(scene_state(&s, 2), "failed");
    scene_free(&s);
    bl_arena_finish(&arena);
}

static void P11_its_own_users_reservation_takes_it_in(void **state)
{
    struct scene s = scene_new("1x4:A100", "fifo");

    (void)state;
    scene_event(&s, "t=0 reserve id=1 on=n1:1-2 from=1m for=2h release=30m user=u1");
    scene_event(&s, "t=1m adopt id=1 gpus=1 on=n1:1 user=u2");
    assert_string_equal(scene_state(&s, 1), "unknown");
    scene_event(&s, "t=1m adopt id=2 gpus=1 on=n1:1 user=u1");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_event(&s, "t=1h round");
    assert_string_equal(scene_booking(&s, 1), "1 active 1m-2h1m n1:1,2");
    scene_event(&s, "t=3h round");
    assert_string_equal(scene_state(&s, 2), "running");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P11_a_process_is_a_job_on_its_gpus_at_once_and_ends_like_one),
        cmocka_unit_test(what_cannot_be_held_is_refused_whole_and_named),
        cmocka_unit_test(more_gpus_than_it_uses_come_from_those_that_are_free),
        cmocka_unit_test(nothing_is_done_to_it_that_would_need_another_start),
        cmocka_unit_test(what_is_cancelled_before_the_engine_knows_was_never_touched),
        cmocka_unit_test(P11_its_own_users_reservation_takes_it_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
