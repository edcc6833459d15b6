#include "bl_test.h"

#include "engine/local_inside.h"
#include "os/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* As much of an engine as tells: nothing of it is asked what it does not know. */
struct teller {
    struct bl_local local;
    struct bl_local_nodes nodes;
    struct bl_event told[8];
    size_t count;
    char dir[64];
};

static void take_report(void *self, const struct bl_event *event)
{
    struct teller *teller = self;

    assert_true(teller->count < sizeof teller->told / sizeof teller->told[0]);
    teller->told[teller->count++] = *event;
}

static void do_nothing(void *self)
{
    (void)self;
}

static int open_teller(void **state)
{
    struct teller *teller = bl_alloc_zero(sizeof *teller);
    struct bl_local *local = &teller->local;

    snprintf(teller->dir, sizeof teller->dir, "/tmp/baleen-report-XXXXXX");
    assert_non_null(mkdtemp(teller->dir));
    local->loop = bl_loop_create();
    local->host = (struct bl_engine_host){teller, take_report};
    local->idle = bl_loop_watch_idle(local->loop, do_nothing, teller);
    local->health = bl_local_health_create(&(struct bl_local_health_parts){
        local->loop, local->host, &teller->nodes, teller->dir, NULL});
    *state = teller;
    return 0;
}

static int close_teller(void **state)
{
    struct teller *teller = *state;
    struct bl_local *local = &teller->local;

    bl_watch_destroy(local->idle);
    bl_local_health_destroy(local->health);
    bl_loop_destroy(local->loop);
    BL_VEC_FINISH(&local->reports);
    rmdir(teller->dir);
    free(teller);
    return 0;
}

static void what_the_records_say_of_an_end_is_told_as_that(void **state)
{
    static const struct {
        struct bl_spawn_status status;
        enum bl_event_kind kind;
        int what; /* stage or cause */
        int code;
    } rows[] = {
        {{.end = BL_SPAWN_FAILED, .stage = BL_SPAWN_LOG, .code = 13},
         BL_EVENT_JOB_START_FAILED,
         BL_STAGE_LOG,
         13},
        {{.end = BL_SPAWN_EXITED, .code = 3}, BL_EVENT_JOB_ENDED, BL_END_EXITED, 3},
        {{.end = BL_SPAWN_SIGNALLED, .code = 9}, BL_EVENT_JOB_ENDED, BL_END_SIGNALLED, 9},
        {{.end = BL_SPAWN_LOST}, BL_EVENT_JOB_ENDED, BL_END_LOST, 0},
        {{.end = BL_SPAWN_NOT_ENDED}, BL_EVENT_JOB_ENDED, BL_END_LOST, 0},
    };
    struct teller *teller = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_attempt attempt = {.job = 7, .number = 2, .status = rows[i].status};
        const struct bl_event *event = &teller->told[i];

        bl_local_report_end_of(&teller->local, &attempt);
        bl_local_flush_reports(&teller->local);
        assert_int_equal(teller->count, i + 1);
        assert_int_equal(event->kind, rows[i].kind);
        assert_int_equal(event->job, 7);
        assert_int_equal(event->attempt, 2);
        if (rows[i].kind == BL_EVENT_JOB_ENDED) {
            assert_int_equal(event->u.ended.cause, rows[i].what);
            assert_int_equal(event->u.ended.code, rows[i].code);
        } else {
            assert_int_equal(event->u.start_failed.stage, rows[i].what);
            assert_int_equal(event->u.start_failed.error_number, rows[i].code);
        }
    }
}

static void nothing_is_told_before_the_loop_turns_and_then_once_in_order(void **state)
{
    struct teller *teller = *state;
    struct bl_attempt attempt = {.job = 7, .number = 1, .status = {.pid = 4711}};

    bl_local_report_started(&teller->local, &attempt);
    bl_local_report_ended(&teller->local, &attempt, BL_END_EXITED, 0);
    assert_int_equal(teller->count, 0);
    bl_local_flush_reports(&teller->local);
    bl_local_flush_reports(&teller->local);
    assert_int_equal(teller->count, 2);
    assert_int_equal(teller->told[0].kind, BL_EVENT_JOB_STARTED);
    assert_int_equal(teller->told[0].u.started.pid, 4711);
    assert_int_equal(teller->told[1].kind, BL_EVENT_JOB_ENDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_the_records_say_of_an_end_is_told_as_that, open_teller,
                                        close_teller),
        cmocka_unit_test_setup_teardown(
            nothing_is_told_before_the_loop_turns_and_then_once_in_order, open_teller,
            close_teller),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
