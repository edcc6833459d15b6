#include "os/loop.h"

#include "base/own.h"
#include "os/clock.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>

struct bl_loop {
    sd_event *event;
};

struct bl_watch {
    sd_event_source *source;
    void *self;
    bool is_idle;
    int rests; /* how often it still lets the others go first */
    union {
        void (*fd)(void *self, uint32_t events);
        void (*timer)(void *self);
        void (*signal)(void *self, int signal);
    } call;
};

/* What can fail here is memory, descriptors and misuse; none can be survived by a program that
 * lives in its loop. Once the loop has ended, watches may still be armed, to no effect. */
static void must(int result)
{
    assert(result >= 0 || result == -ESTALE);
}

struct bl_loop *bl_loop_create(void)
{
    struct bl_loop *loop = bl_alloc_zero(sizeof *loop);

    must(sd_event_new(&loop->event));
    return loop;
}

void bl_loop_destroy(struct bl_loop *loop)
{
    if (loop) {
        sd_event_unref(loop->event);
        free(loop);
    }
}

int bl_loop_run(struct bl_loop *loop)
{
    return sd_event_loop(loop->event);
}

void bl_loop_step(struct bl_loop *loop, bl_time wait)
{
    must(sd_event_run(loop->event, (uint64_t)wait));
}

void bl_loop_stop(struct bl_loop *loop, int code)
{
    must(sd_event_exit(loop->event, code));
}

void bl_loop_notify(const char *lines)
{
    sd_notify(0, lines);
}

void bl_loop_keep_watchdog(struct bl_loop *loop)
{
    sd_event_set_watchdog(loop->event, 1);
}

/* Not sd_event_now: that is the time of the last wake-up, long past after a slow callback. */
static uint64_t monotonic_now(void)
{
    return (uint64_t)bl_clock_monotonic();
}

static struct bl_watch *new_watch(void *self)
{
    struct bl_watch *watch = bl_alloc_zero(sizeof *watch);

    watch->self = self;
    return watch;
}

static void arm(struct bl_watch *timer, bl_time after)
{
    uint64_t at = monotonic_now() + (uint64_t)(after > 0 ? after : 0);

    must(sd_event_source_set_time(timer->source, at));
    must(sd_event_source_set_enabled(timer->source, SD_EVENT_ONESHOT));
}

/* The callbacks may destroy their own watch: nothing of it is touched after the call. */
static int on_fd(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
    const struct bl_watch *watch = userdata;

    (void)source;
    (void)fd;
    watch->call.fd(watch->self, events);
    return 0;
}

static int on_timer(sd_event_source *source, uint64_t at, void *userdata)
{
    const struct bl_watch *watch = userdata;

    (void)source;
    (void)at;
    watch->call.timer(watch->self);
    return 0;
}

/* Sources of one priority take turns in the order in which they became ready. After a rest all
 * that was ready at the arming has had its turn, and a busy loop still gets here; the library's own
 * deferred sources either go before all others or starve. */
static int on_idle(sd_event_source *source, uint64_t at, void *userdata)
{
    struct bl_watch *watch = userdata;

    (void)source;
    (void)at;
    if (watch->rests > 0) {
        watch->rests--;
        arm(watch, 0);
        return 0;
    }
    watch->call.timer(watch->self);
    return 0;
}

static int on_signal(sd_event_source *source, const struct signalfd_siginfo *info, void *userdata)
{
    const struct bl_watch *watch = userdata;

    (void)source;
    watch->call.signal(watch->self, (int)info->ssi_signo);
    return 0;
}

struct bl_watch *bl_loop_watch_fd(struct bl_loop *loop, int fd, uint32_t events,
                                  void (*call)(void *self, uint32_t events), void *self)
{
    struct bl_watch *watch = new_watch(self);

    watch->call.fd = call;
    must(sd_event_add_io(loop->event, &watch->source, fd, events, on_fd, watch));
    return watch;
}

struct bl_watch *bl_loop_watch_timer(struct bl_loop *loop, void (*call)(void *self), void *self)
{
    struct bl_watch *watch = new_watch(self);

    watch->call.timer = call;
    /* an accuracy of zero would mean the library's standard of 250 ms */
    must(sd_event_add_time(loop->event, &watch->source, CLOCK_MONOTONIC, 0, 1, on_timer, watch));
    must(sd_event_source_set_enabled(watch->source, SD_EVENT_OFF));
    return watch;
}

struct bl_watch *bl_loop_watch_signal(struct bl_loop *loop, int signal,
                                      void (*call)(void *self, int signal), void *self)
{
    struct bl_watch *watch = new_watch(self);
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    must(-pthread_sigmask(SIG_BLOCK, &set, NULL));
    watch->call.signal = call;
    must(sd_event_add_signal(loop->event, &watch->source, signal, on_signal, watch));
    return watch;
}

struct bl_watch *bl_loop_watch_idle(struct bl_loop *loop, void (*call)(void *self), void *self)
{
    struct bl_watch *watch = new_watch(self);

    watch->call.timer = call;
    watch->is_idle = true;
    must(sd_event_add_time(loop->event, &watch->source, CLOCK_MONOTONIC, 0, 1, on_idle, watch));
    must(sd_event_source_set_enabled(watch->source, SD_EVENT_OFF));
    return watch;
}

void bl_watch_arm(struct bl_watch *timer, bl_time after)
{
    timer->rests = timer->is_idle ? 1 : 0;
    arm(timer, timer->is_idle ? 0 : after);
}

void bl_watch_disarm(struct bl_watch *timer)
{
    must(sd_event_source_set_enabled(timer->source, SD_EVENT_OFF));
}

void bl_watch_destroy(struct bl_watch *watch)
{
    if (watch) {
        sd_event_source_disable_unref(watch->source);
        free(watch);
    }
}
