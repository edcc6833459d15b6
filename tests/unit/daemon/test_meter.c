#include "daemon/meter.h"

#include "bl_test.h"
#include "threads.h"
#include "os/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_TURNS 6000

struct scene {
    struct bl_loop *loop;
    struct bl_meter *meter;
    char path[64]; /* what the driver that is played tells */
    int answers, failures;
    int32_t busy_percent;
    struct bl_error err;
};

static void take(void *self, const struct bl_nvml_uses *uses, const struct bl_error *err)
{
    struct scene *scene = self;

    scene->answers++;
    scene->failures += err != NULL;
    scene->busy_percent = err || uses->gpus.count == 0 ? -1 : uses->gpus.at[0].busy_percent;
    scene->err = err ? *err : (struct bl_error){0};
}

/* By renaming, so that nobody reads half of it. */
static void tell(struct scene *scene, const char *text)
{
    char fresh[80];
    FILE *file;

    snprintf(fresh, sizeof fresh, "%s.new", scene->path);
    file = fopen(fresh, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(rename(fresh, scene->path), 0);
}

static void scene_open(struct scene *scene, const char *text)
{
    *scene = (struct scene){.loop = bl_loop_create(), .path = "/tmp/baleen-meter-XXXXXX"};
    close(mkstemp(scene->path));
    setenv("FAKE_NVML", "0:1:0|NVIDIA H200|GPU-a|1000\n", 1);
    setenv("FAKE_NVML_USE", scene->path, 1);
    tell(scene, text);
    scene->meter = bl_meter_create(scene->loop, (struct bl_meter_sink){scene, take});
}

static void scene_close(struct scene *scene)
{
    bl_meter_destroy(scene->meter);
    bl_loop_destroy(scene->loop);
    unlink(scene->path);
}

static void wait_for_answers(struct scene *scene, int count)
{
    for (int i = 0; i < PATIENCE_TURNS && scene->answers < count; i++) {
        bl_loop_step(scene->loop, 20 * BL_MILLISECOND);
    }
    assert_int_equal(scene->answers, count);
}

static void each_question_has_one_answer(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene, "GPU-a 93 400 61 350000\n");
    assert_int_equal(bl_meter_asked_at(scene.meter), 0);
    bl_meter_ask(scene.meter);
    bl_meter_ask(scene.meter); /* the first is still open */
    assert_true(bl_meter_asked_at(scene.meter) > 0);
    wait_for_answers(&scene, 1);
    assert_int_equal(bl_meter_asked_at(scene.meter), 0);
    assert_int_equal(scene.busy_percent, 93);
    tell(&scene, "GPU-a 7 400 61 350000\n");
    bl_meter_ask(scene.meter);
    wait_for_answers(&scene, 2);
    assert_int_equal(scene.busy_percent, 7);
    assert_int_equal(scene.failures, 0);
    scene_close(&scene);
}

static void what_the_driver_says_is_handed_on(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene, "");
    setenv("FAKE_NVML_INIT", "9", 1);
    bl_meter_ask(scene.meter);
    wait_for_answers(&scene, 1);
    unsetenv("FAKE_NVML_INIT");
    assert_string_equal(scene.err.text, "NVML cannot reach the driver: Driver Not Loaded");
    scene_close(&scene);
}

/* The loop turns meanwhile, and the end does not wait for it. */
static void a_driver_that_hangs_holds_up_nobody(void **state)
{
    int before = threads_count();
    struct scene scene;

    (void)state;
    scene_open(&scene, "hang\n");
    bl_meter_ask(scene.meter);
    for (int i = 0; i < 50; i++) {
        bl_loop_step(scene.loop, BL_MILLISECOND);
        bl_meter_ask(scene.meter);
    }
    assert_int_equal(scene.answers, 0);
    assert_true(bl_meter_asked_at(scene.meter) > 0);
    bl_meter_destroy(scene.meter);
    bl_loop_destroy(scene.loop);
    tell(&scene, "GPU-a 1 1 1 1\n"); /* the thread that was left behind ends now */
    threads_expect(before);
    unlink(scene.path);
}

static void one_that_was_never_asked_has_no_thread(void **state)
{
    struct scene scene;

    (void)state;
    scene_open(&scene, "");
    scene_close(&scene);
    assert_int_equal(scene.answers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_question_has_one_answer),
        cmocka_unit_test(what_the_driver_says_is_handed_on),
        cmocka_unit_test(one_that_was_never_asked_has_no_thread),
        cmocka_unit_test(a_driver_that_hangs_holds_up_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
