#include "daemon/examiner.h"

#include "bl_test.h"
#include "threads.h"
#include "os/loop.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_TURNS = 6000, ASKERS_MAX = BL_EXAMINER_QUEUE_MAX + 1 };

/* One who asked. */
struct asker {
    int answers;
    bool is_seen, is_there;
    int64_t pid;
    size_t computing;
    struct bl_error err;
};

/* The driver that is played answers who computes once somebody has written to a pipe. */
struct scene {
    struct bl_loop *loop;
    struct bl_examiner *examiner;
    struct asker asker[ASKERS_MAX];
    char folder[32];
    char pipe[64];
};

static void take(void *self, struct bl_sight *seen, const struct bl_error *err)
{
    struct asker *asker = self;

    asker->answers++;
    asker->is_seen = seen != NULL;
    if (seen) {
        asker->is_there = seen->is_there;
        asker->pid = seen->pid;
        asker->computing = seen->who.all.count;
        bl_sight_destroy(seen);
    } else {
        asker->err = *err;
    }
}

static void scene_open(struct scene *scene, bl_time patience)
{
    *scene = (struct scene){.loop = bl_loop_create(), .folder = "/tmp/baleen-examiner-XXXXXX"};
    assert_non_null(mkdtemp(scene->folder));
    snprintf(scene->pipe, sizeof scene->pipe, "%s/who", scene->folder);
    setenv("FAKE_NVML", "0:1:0|NVIDIA H200|GPU-a|1000\n", 1);
    setenv("FAKE_NVML_WHO", "GPU-a 1\n", 1);
    scene->examiner = bl_examiner_create(scene->loop, patience);
}

static void scene_close(struct scene *scene)
{
    bl_examiner_destroy(scene->examiner);
    bl_loop_destroy(scene->loop);
    unlink(scene->pipe);
    rmdir(scene->folder);
}

/* The driver answers no more until it is released. */
static void hang(struct scene *scene)
{
    assert_int_equal(mkfifo(scene->pipe, 0600), 0);
    setenv("FAKE_NVML_WHO", scene->pipe, 1);
}

/* Waits until it hangs, for only then somebody reads. From then on it answers at once. */
static void release(struct scene *scene)
{
    int fd = -1;

    for (int i = 0; i < PATIENCE_TURNS && fd < 0; i++) {
        fd = open(scene->pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        usleep(fd < 0 ? 20 * 1000 : 0);
    }
    assert_true(fd >= 0);
    setenv("FAKE_NVML_WHO", "", 1);
    close(fd);
}

static int ask(struct scene *scene, size_t index, int64_t pid, struct bl_error *err)
{
    *err = (struct bl_error){0};
    return bl_examiner_ask(scene->examiner, pid,
                           (struct bl_examiner_sink){&scene->asker[index], take}, err);
}

static void wait_for_answer(struct scene *scene, size_t index)
{
    for (int i = 0; i < PATIENCE_TURNS && scene->asker[index].answers == 0; i++) {
        bl_loop_step(scene->loop, 20 * BL_MILLISECOND);
    }
    assert_int_equal(scene->asker[index].answers, 1);
}

/* Once the look that hung has returned. */
static void ask_until_taken(struct scene *scene, size_t index)
{
    struct bl_error err;
    int status = ask(scene, index, getpid(), &err);

    for (int i = 0; i < PATIENCE_TURNS && status != BL_OK; i++) {
        bl_loop_step(scene->loop, 20 * BL_MILLISECOND);
        status = ask(scene, index, getpid(), &err);
    }
    assert_int_equal(status, BL_OK);
}

static void P11_processes_are_looked_at_one_after_the_other(void **state)
{
    struct scene scene;
    struct bl_error err;

    (void)state;
    scene_open(&scene, BL_EXAMINER_PATIENCE);
    assert_int_equal(ask(&scene, 0, getpid(), &err), BL_OK);
    assert_int_equal(ask(&scene, 1, INT64_C(1) << 40, &err), BL_OK);
    assert_int_equal(ask(&scene, 2, getppid(), &err), BL_OK);
    assert_int_equal(scene.asker[0].answers, 0); /* not from inside */
    for (size_t i = 0; i < 3; i++) {
        wait_for_answer(&scene, i);
        assert_true(scene.asker[i].is_seen);
        assert_int_equal(scene.asker[i].is_there, i != 1);
        assert_int_equal(scene.asker[i].computing, i != 1);
    }
    assert_int_equal(scene.asker[0].pid, getpid());
    assert_int_equal(scene.asker[2].pid, getppid());
    scene_close(&scene);
}

static void P11_while_a_look_hangs_all_are_told_so_until_it_ends(void **state)
{
    struct scene scene;
    struct bl_error err;
    char said[80];

    (void)state;
    scene_open(&scene, 200 * BL_MILLISECOND);
    snprintf(said, sizeof said, "looking at process %d takes long", (int)getpid());
    hang(&scene);
    assert_int_equal(ask(&scene, 0, getpid(), &err), BL_OK);
    assert_int_equal(ask(&scene, 1, getppid(), &err), BL_OK);
    for (size_t i = 0; i < 2; i++) {
        wait_for_answer(&scene, i);
        assert_false(scene.asker[i].is_seen);
        assert_int_equal(scene.asker[i].err.status, BL_EUNREACHABLE);
        assert_non_null(strstr(scene.asker[i].err.text, said));
    }
    assert_int_equal(ask(&scene, 2, getppid(), &err), BL_EUNREACHABLE);
    assert_non_null(strstr(err.text, said));
    release(&scene);
    ask_until_taken(&scene, 3);
    wait_for_answer(&scene, 3);
    assert_int_equal(scene.asker[0].answers, 1); /* what came late went to nobody */
    assert_int_equal(scene.asker[2].answers, 0); /* who was refused hears no more */
    assert_int_equal(scene.asker[3].answers, 1);
    scene_close(&scene);
}

static void P11_no_more_wait_than_there_are_places(void **state)
{
    const struct bl_error over = {.status = BL_EUNREACHABLE, .text = "the daemon stops"};
    struct scene scene;
    struct bl_error err;

    (void)state;
    scene_open(&scene, BL_EXAMINER_PATIENCE);
    hang(&scene);
    for (size_t i = 0; i < BL_EXAMINER_QUEUE_MAX; i++) {
        assert_int_equal(ask(&scene, i, getpid(), &err), BL_OK);
    }
    assert_int_equal(ask(&scene, BL_EXAMINER_QUEUE_MAX, getpid(), &err), BL_EUNREACHABLE);
    assert_non_null(strstr(err.text, "32 processes wait"));
    bl_examiner_dismiss(scene.examiner, &over);
    for (size_t i = 0; i < BL_EXAMINER_QUEUE_MAX; i++) {
        assert_int_equal(scene.asker[i].answers, 1);
        assert_string_equal(scene.asker[i].err.text, "the daemon stops");
    }
    assert_int_equal(scene.asker[BL_EXAMINER_QUEUE_MAX].answers, 0);
    release(&scene);
    scene.asker[0].answers = 0;
    ask_until_taken(&scene, 0);
    wait_for_answer(&scene, 0);
    assert_true(scene.asker[0].is_there);
    scene_close(&scene);
}

/* Not even the end waits for it. */
static void P11_a_look_that_hangs_holds_up_nobody(void **state)
{
    int before = threads_count();
    struct scene scene;
    struct bl_error err;

    (void)state;
    scene_open(&scene, BL_EXAMINER_PATIENCE);
    hang(&scene);
    assert_int_equal(ask(&scene, 0, getpid(), &err), BL_OK);
    for (int i = 0; i < 50; i++) {
        bl_loop_step(scene.loop, BL_MILLISECOND);
    }
    assert_int_equal(scene.asker[0].answers, 0);
    bl_examiner_destroy(scene.examiner);
    bl_loop_destroy(scene.loop);
    release(&scene); /* the thread that was left behind ends now */
    threads_expect(before);
    unlink(scene.pipe);
    rmdir(scene.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P11_processes_are_looked_at_one_after_the_other),
        cmocka_unit_test(P11_while_a_look_hangs_all_are_told_so_until_it_ends),
        cmocka_unit_test(P11_no_more_wait_than_there_are_places),
        cmocka_unit_test(P11_a_look_that_hangs_holds_up_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
