#include "daemon/picture.h"

#include "bl_test.h"
#include "form/json_out.h"
#include "form/record.h"

#include <stdlib.h>
#include <string.h>

#define T0 (1000000 * BL_SECOND)

struct scene {
    struct bl_ledger *ledger;
    struct bl_picture *picture;
    struct bl_buf told; /* "upsert job-1 running;" */
};

static void feed(struct scene *scene, struct bl_event event)
{
    struct bl_ledger *ledger = scene->ledger;
    BL_AUTO_BUF record = {0};

    bl_record_write(&record, &event, NULL);
    assert_int_equal(
        bl_ledger_apply(ledger, ledger->seq + 1, bl_buf_text(&record), record.length, NULL), BL_OK);
    bl_picture_note(scene->picture, ledger);
}

static void round_at(struct scene *scene, bl_time at)
{
    feed(scene, (struct bl_event){.kind = BL_EVENT_ROUND, .at = at});
}

static void submit(struct scene *scene, bl_job_id id, int32_t gpus)
{
    feed(scene, (struct bl_event){.kind = BL_EVENT_JOB_SUBMITTED,
                                  .job = id,
                                  .at = T0,
                                  .u.submitted = {.name = "train",
                                                  .user = "ann",
                                                  .gpus_min = gpus,
                                                  .gpus_want = gpus,
                                                  .gpus_max = gpus,
                                                  .limit = BL_HOUR}});
}

static void report(struct scene *scene, enum bl_event_kind kind, bl_job_id id, bl_time at)
{
    feed(scene, (struct bl_event){.kind = kind, .job = id, .attempt = 1, .at = at});
}

static void scene_open(struct scene *scene)
{
    *scene = (struct scene){.ledger = bl_ledger_create(), .picture = bl_picture_create()};
    feed(scene, (struct bl_event){.kind = BL_EVENT_POLICY_SET,
                                  .at = T0,
                                  .u.policy = {.policy = bl_policy_find("fifo")}});
    feed(scene, (struct bl_event){.kind = BL_EVENT_NODE_ADDED,
                                  .at = T0,
                                  .u.node = {.name = "n1",
                                             .gpus = 2,
                                             .gpu_type = "A100",
                                             .cpu_milli = 64000,
                                             .mem_bytes = INT64_C(1) << 40}});
}

static void scene_close(struct scene *scene)
{
    bl_picture_destroy(scene->picture);
    bl_ledger_destroy(scene->ledger);
    bl_buf_finish(&scene->told);
}

/* The text of a key, up to its closing quote. */
static void append_value(struct bl_buf *out, const struct bl_buf *data, const char *key)
{
    const char *at = strstr(bl_buf_text(data), key);

    if (at) {
        at += strlen(key);
        bl_buf_append_char(out, ' ');
        bl_buf_append(out, at, strcspn(at, "\""));
    }
}

static void note_message(void *self, const char *event, const struct bl_buf *data)
{
    struct bl_buf *told = self;

    assert_non_null(strstr(bl_buf_text(data), "{\"type\":\"bar\","));
    bl_buf_append_text(told, event);
    append_value(told, data, "\"id\":\"");
    append_value(told, data, "\"state\":\"");
    bl_buf_append_char(told, ';');
}

static struct bl_timeline draw(struct scene *scene, bl_time at, struct bl_arena *arena)
{
    const struct bl_window window = {at, at, at};
    const struct bl_timeline_also also = bl_picture_also(scene->picture);

    return bl_timeline_make_whole(scene->ledger, &window, &also, arena);
}

/* What readers are told when it is compared at that time; NULL = whatever. */
static void check(struct scene *scene, bl_time at, const char *expected)
{
    struct bl_arena arena = {0};
    struct bl_timeline timeline = draw(scene, at, &arena);
    const struct bl_picture_now now = {scene->ledger, &timeline, at};
    const struct bl_picture_sink sink = {&scene->told, note_message};

    bl_buf_clear(&scene->told);
    bl_picture_compare(scene->picture, &now, &sink);
    if (expected) {
        assert_string_equal(bl_buf_text(&scene->told), expected);
    }
    bl_arena_finish(&arena);
}

static void the_first_look_tells_nothing_and_the_next_what_is_new(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene);
    submit(&scene, 1, 2);
    round_at(&scene, T0);
    assert_int_equal(bl_picture_seq(scene.picture), -1);
    check(&scene, T0 + 2, "");
    assert_int_equal(bl_picture_seq(scene.picture), scene.ledger->seq);
    check(&scene, T0 + 2, "");
    report(&scene, BL_EVENT_JOB_STARTED, 1, T0 + 3);
    check(&scene, T0 + 3, "upsert job-1 running;");
    check(&scene, T0 + 3, "");
    scene_close(&scene);
}

static void a_run_is_told_to_its_end_and_once_more_over(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene);
    check(&scene, T0, "");
    submit(&scene, 1, 2);
    round_at(&scene, T0);
    check(&scene, T0, "upsert job-1 starting;");
    report(&scene, BL_EVENT_JOB_STARTED, 1, T0 + BL_SECOND);
    check(&scene, T0 + BL_SECOND, "upsert job-1 running;");
    report(&scene, BL_EVENT_JOB_ENDED, 1, T0 + BL_MINUTE);
    check(&scene, T0 + BL_MINUTE, "upsert job-1 completed;");
    check(&scene, T0 + BL_MINUTE, "");
    round_at(&scene, T0 + BL_HOUR);
    check(&scene, T0 + BL_HOUR, "");
    scene_close(&scene);
}

/* Both its start and its end came between two looks. */
static void a_short_run_is_not_missed(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene);
    check(&scene, T0, "");
    submit(&scene, 1, 1);
    round_at(&scene, T0);
    report(&scene, BL_EVENT_JOB_STARTED, 1, T0 + 1);
    report(&scene, BL_EVENT_JOB_ENDED, 1, T0 + 2);
    check(&scene, T0 + 3, "upsert job-1 completed;");
    scene_close(&scene);
}

static void what_never_ran_goes(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene);
    submit(&scene, 1, 2);
    submit(&scene, 2, 2);
    round_at(&scene, T0);
    check(&scene, T0, "");
    feed(&scene, (struct bl_event){.kind = BL_EVENT_JOB_CANCELLED, .job = 2, .at = T0 + 1});
    check(&scene, T0 + 1, "remove job-2;");
    scene_close(&scene);
}

static void a_node_that_closes_and_opens_is_told(void **state)
{
    struct bl_event event = {.kind = BL_EVENT_NODE_STATE,
                             .at = T0,
                             .u.node_state = {.name = "n1", .state = BL_NODE_DRAINED, .from = T0}};
    struct scene scene;

    (void)state;
    scene_open(&scene);
    check(&scene, T0, "");
    feed(&scene, event);
    check(&scene, T0, "upsert down-n1 drained;");
    event.u.node_state.state = BL_NODE_DOWN;
    feed(&scene, event);
    check(&scene, T0, "upsert down-n1 down;");
    event.u.node_state.state = BL_NODE_UP;
    feed(&scene, event);
    check(&scene, T0, "remove down-n1;");
    scene_close(&scene);
}

static void time_that_passes_is_nothing_to_tell(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene);
    submit(&scene, 1, 2);
    round_at(&scene, T0);
    report(&scene, BL_EVENT_JOB_STARTED, 1, T0 + 1);
    check(&scene, T0 + 2 * BL_HOUR, ""); /* it is overdue: its end is now */
    check(&scene, T0 + 3 * BL_HOUR, "");
    scene_close(&scene);
}

static void open_with_a_run(struct scene *scene)
{
    scene_open(scene);
    submit(scene, 1, 2);
    round_at(scene, T0);
    report(scene, BL_EVENT_JOB_STARTED, 1, T0);
}

/* Puts back the running attempt of job 1 and starts the next one. */
static void start_again(struct scene *scene, int32_t attempt)
{
    bl_time at = T0 + attempt * BL_MINUTE;

    feed(scene, (struct bl_event){.kind = BL_EVENT_JOB_REQUEUED, .job = 1, .at = at});
    round_at(scene, at);
    feed(scene,
         (struct bl_event){.kind = BL_EVENT_JOB_ENDED, .job = 1, .attempt = attempt, .at = at});
    round_at(scene, at);
    feed(scene, (struct bl_event){
                    .kind = BL_EVENT_JOB_STARTED, .job = 1, .attempt = attempt + 1, .at = at});
}

static void earlier_attempts_are_told_once_and_go_when_they_are_forgotten(void **state)
{
    struct scene scene;

    (void)state;
    open_with_a_run(&scene);
    check(&scene, T0, "");
    start_again(&scene, 1);
    check(&scene, T0 + BL_MINUTE, "upsert job-1.1 cancelled;upsert job-1 running;");
    start_again(&scene, 2);
    check(&scene, T0 + 2 * BL_MINUTE, "upsert job-1.2 cancelled;upsert job-1 running;");
    for (int32_t attempt = 3; attempt <= BL_ATTEMPTS_MAX; attempt++) {
        start_again(&scene, attempt);
        check(&scene, T0 + attempt * BL_MINUTE, NULL);
    }
    start_again(&scene, BL_ATTEMPTS_MAX + 1);
    check(&scene, T0 + BL_HOUR, "upsert job-1.17 cancelled;upsert job-1 running;remove job-1.1;");
    scene_close(&scene);
}

static void with_a_job_that_leaves_memory_its_earlier_attempts_go(void **state)
{
    struct bl_event forget = {.kind = BL_EVENT_JOBS_FORGOTTEN, .at = T0 + BL_HOUR};
    struct scene scene;

    (void)state;
    open_with_a_run(&scene);
    start_again(&scene, 1);
    start_again(&scene, 2);
    feed(&scene,
         (struct bl_event){.kind = BL_EVENT_JOB_ENDED, .job = 1, .attempt = 3, .at = T0 + BL_HOUR});
    check(&scene, T0 + BL_HOUR, "");
    forget.u.forgotten.before = T0 + 2 * BL_HOUR;
    feed(&scene, forget);
    check(&scene, T0 + BL_HOUR, "remove job-1;remove job-1.2;remove job-1.1;");
    scene_close(&scene);
}

static void after_a_reset_nobody_has_anything(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene);
    check(&scene, T0, "");
    submit(&scene, 1, 2);
    bl_picture_reset(scene.picture);
    check(&scene, T0, "");
    round_at(&scene, T0);
    check(&scene, T0, "upsert job-1 starting;");
    scene_close(&scene);
}

/* What is kept is what would be written anew, before and after the bar changes. */
static void a_kept_bar_is_written_as_if_anew(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene);
    submit(&scene, 1, 2);
    round_at(&scene, T0);
    for (int step = 0; step < 3; step++) {
        struct bl_arena arena = {0};
        bl_time at = T0 + (step + 1) * BL_MINUTE;
        struct bl_timeline timeline = draw(&scene, at, &arena);
        const struct bl_picture_now now = {scene.ledger, &timeline, at};
        BL_AUTO_BUF kept = {0};
        BL_AUTO_BUF anew = {0};
        struct bl_json json;

        assert_int_equal(timeline.bar_count, 1);
        for (int twice = 0; twice < 2; twice++) {
            bl_buf_clear(&kept);
            bl_json_init(&json, &kept);
            bl_picture_write(scene.picture, &json, &now, &timeline.bar[0]);
        }
        bl_json_init(&json, &anew);
        bl_picture_reset(scene.picture);
        bl_picture_write(scene.picture, &json, &now, &timeline.bar[0]);
        assert_string_equal(bl_buf_text(&kept), bl_buf_text(&anew));
        bl_arena_finish(&arena);
        report(&scene, step == 0 ? BL_EVENT_JOB_STARTED : BL_EVENT_JOB_ENDED, 1, at);
    }
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_look_tells_nothing_and_the_next_what_is_new),
        cmocka_unit_test(a_run_is_told_to_its_end_and_once_more_over),
        cmocka_unit_test(a_short_run_is_not_missed),
        cmocka_unit_test(what_never_ran_goes),
        cmocka_unit_test(a_node_that_closes_and_opens_is_told),
        cmocka_unit_test(time_that_passes_is_nothing_to_tell),
        cmocka_unit_test(earlier_attempts_are_told_once_and_go_when_they_are_forgotten),
        cmocka_unit_test(with_a_job_that_leaves_memory_its_earlier_attempts_go),
        cmocka_unit_test(after_a_reset_nobody_has_anything),
        cmocka_unit_test(a_kept_bar_is_written_as_if_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
