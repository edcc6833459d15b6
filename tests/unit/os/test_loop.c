#include "os/loop.h"
#include "bl_test.h"

#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

/* What happened, in order, as letters; the loop stops at the wanted length. */
struct diary {
    struct bl_loop *loop;
    struct bl_watch *watch;
    char text[16];
    size_t length;
    size_t wanted;
    int fd;
};

static void note(struct diary *diary, char letter)
{
    assert_true(diary->length + 1 < sizeof diary->text);
    diary->text[diary->length++] = letter;
    if (diary->length == diary->wanted) {
        bl_loop_stop(diary->loop, 7);
    }
}

static void on_long_timer(void *self)
{
    note(self, 'l');
}

static void on_short_timer(void *self)
{
    note(self, 's');
}

static void timers_fire_once_each_and_in_order_of_time(void **state)
{
    struct diary diary = {.loop = bl_loop_create(), .wanted = 2};
    struct bl_watch *later = bl_loop_watch_timer(diary.loop, on_long_timer, &diary);
    struct bl_watch *sooner = bl_loop_watch_timer(diary.loop, on_short_timer, &diary);
    struct bl_watch *never = bl_loop_watch_timer(diary.loop, on_short_timer, &diary);

    (void)state;
    bl_watch_arm(later, 20 * BL_MILLISECOND);
    bl_watch_arm(sooner, BL_MILLISECOND);
    bl_watch_arm(never, 2 * BL_MILLISECOND);
    bl_watch_disarm(never);
    assert_int_equal(bl_loop_run(diary.loop), 7);
    assert_string_equal(diary.text, "sl");
    bl_watch_arm(never, 0); /* after the end: no harm, no effect */
    bl_watch_destroy(later);
    bl_watch_destroy(sooner);
    bl_watch_destroy(never);
    bl_loop_destroy(diary.loop);
}

static void on_readable(void *self, uint32_t events)
{
    struct diary *diary = self;
    char letter = '?';

    assert_int_equal(events & EPOLLIN, EPOLLIN);
    assert_int_equal(read(diary->fd, &letter, 1), 1);
    if (letter == 'b') {
        bl_watch_destroy(diary->watch);
        diary->watch = NULL;
    }
    note(diary, letter);
}

static void a_descriptor_is_watched_until_its_watch_is_destroyed_from_its_own_callback(void **state)
{
    struct diary diary = {.loop = bl_loop_create(), .wanted = 2};
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    diary.fd = ends[0];
    diary.watch = bl_loop_watch_fd(diary.loop, ends[0], EPOLLIN, on_readable, &diary);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    assert_int_equal(bl_loop_run(diary.loop), 7);
    assert_string_equal(diary.text, "ab");
    bl_loop_destroy(diary.loop);
    close(ends[0]);
    close(ends[1]);
}

static void on_signal(void *self, int signal)
{
    note(self, signal == SIGUSR1 ? 'u' : '?');
}

static void a_signal_comes_through_the_loop(void **state)
{
    struct diary diary = {.loop = bl_loop_create(), .wanted = 1};
    struct bl_watch *watch = bl_loop_watch_signal(diary.loop, SIGUSR1, on_signal, &diary);

    (void)state;
    kill(getpid(), SIGUSR1);
    assert_int_equal(bl_loop_run(diary.loop), 7);
    assert_string_equal(diary.text, "u");
    bl_watch_destroy(watch);
    bl_loop_destroy(diary.loop);
}

static void on_idle(void *self)
{
    note(self, 'i');
}

static void idle_work_comes_after_what_is_ready_and_once_per_arming(void **state)
{
    struct diary diary = {.loop = bl_loop_create(), .wanted = 3};
    struct bl_watch *idle = bl_loop_watch_idle(diary.loop, on_idle, &diary);
    struct bl_watch *later = bl_loop_watch_timer(diary.loop, on_long_timer, &diary);
    struct bl_watch *ready;
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    diary.fd = ends[0];
    ready = bl_loop_watch_fd(diary.loop, ends[0], EPOLLIN, on_readable, &diary);
    assert_int_equal(write(ends[1], "r", 1), 1);
    bl_watch_arm(idle, 0);
    bl_watch_arm(later, 20 * BL_MILLISECOND);
    assert_int_equal(bl_loop_run(diary.loop), 7);
    assert_string_equal(diary.text, "ril");
    bl_watch_destroy(idle);
    bl_watch_destroy(ready);
    bl_watch_destroy(later);
    bl_loop_destroy(diary.loop);
    close(ends[0]);
    close(ends[1]);
}

static void on_busy(void *self, uint32_t events)
{
    struct diary *diary = self;

    (void)events;
    assert_true(diary->length < 10000);
    diary->length++;
}

static void stop_loop(void *self)
{
    struct diary *diary = self;

    bl_loop_stop(diary->loop, 7);
}

static void idle_work_comes_even_when_a_descriptor_is_always_ready(void **state)
{
    struct diary diary = {.loop = bl_loop_create()};
    struct bl_watch *idle = bl_loop_watch_idle(diary.loop, stop_loop, &diary);
    struct bl_watch *busy;
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    busy = bl_loop_watch_fd(diary.loop, ends[1], EPOLLOUT, on_busy, &diary);
    bl_watch_arm(idle, 0);
    assert_int_equal(bl_loop_run(diary.loop), 7);
    bl_watch_destroy(busy);
    bl_watch_destroy(idle);
    bl_loop_destroy(diary.loop);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers_fire_once_each_and_in_order_of_time),
        cmocka_unit_test(
            a_descriptor_is_watched_until_its_watch_is_destroyed_from_its_own_callback),
        cmocka_unit_test(a_signal_comes_through_the_loop),
        cmocka_unit_test(idle_work_comes_after_what_is_ready_and_once_per_arming),
        cmocka_unit_test(idle_work_comes_even_when_a_descriptor_is_always_ready),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
