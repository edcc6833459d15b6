#include "daemon/aside.h"

#include "base/own.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/thread.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* What the thread and the loop have in common. It goes with the later of the two. */
struct desk {
    struct bl_aside_work work;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t wake;
    int done_fd;
    bool is_working;  /* the thread has a task */
    bool is_closing;  /* the thread ends */
    bool is_orphaned; /* the loop has gone: the thread clears up */
    void *waiting;    /* the task that the thread takes next */
    void *done;       /* the one that it is done with */
};

struct bl_aside {
    struct desk *desk;
    struct bl_watch *watch;
    bool is_busy;
    bool has_thread;
    pthread_t thread;
};

static void destroy_desk(struct desk *desk)
{
    pthread_cond_destroy(&desk->wake);
    pthread_mutex_destroy(&desk->mutex);
    if (desk->done_fd >= 0) {
        close(desk->done_fd);
    }
    if (desk->waiting) {
        desk->work.destroy(desk->waiting);
    }
    if (desk->done) {
        desk->work.destroy(desk->done);
    }
    free(desk);
}

/* --- the thread ------------------------------------------------------------------------------ */

/* NULL: the thread ends. */
static void *wait_for_task(struct desk *desk)
{
    void *task = NULL;

    pthread_mutex_lock(&desk->mutex);
    while (!desk->waiting && !desk->is_closing) {
        pthread_cond_wait(&desk->wake, &desk->mutex);
    }
    if (!desk->is_closing) {
        task = desk->waiting;
        desk->waiting = NULL;
    }
    desk->is_working = task != NULL;
    pthread_mutex_unlock(&desk->mutex);
    return task;
}

/* False when there is nobody any more to have it. */
static bool hand_over(struct desk *desk, void *task)
{
    const uint64_t one = 1;
    bool is_orphaned;

    pthread_mutex_lock(&desk->mutex);
    desk->is_working = false;
    desk->done = task;
    is_orphaned = desk->is_orphaned;
    pthread_mutex_unlock(&desk->mutex);
    if (!is_orphaned && write(desk->done_fd, &one, sizeof one) < 0) {
        assert(errno == EAGAIN); /* it counts already */
    }
    return !is_orphaned;
}

static void *run(void *self)
{
    struct desk *desk = self;
    bool is_heard = true;
    void *task;

    bl_thread_step_back();
    while (is_heard && (task = wait_for_task(desk))) {
        desk->work.work(task);
        is_heard = hand_over(desk, task);
    }
    if (!is_heard) {
        destroy_desk(desk);
    }
    return NULL;
}

/* --- the loop -------------------------------------------------------------------------------- */

static void on_done(void *self, uint32_t events)
{
    struct bl_aside *aside = self;
    struct desk *desk = aside->desk;
    uint64_t count;
    void *task;

    (void)events;
    if (read(desk->done_fd, &count, sizeof count) != sizeof count) {
        return;
    }
    pthread_mutex_lock(&desk->mutex);
    task = desk->done;
    desk->done = NULL;
    pthread_mutex_unlock(&desk->mutex);
    aside->is_busy = false;
    desk->work.done(desk->work.self, task);
}

struct bl_aside *bl_aside_create(struct bl_loop *loop, const struct bl_aside_work *work)
{
    struct bl_aside *aside = bl_alloc_zero(sizeof *aside);

    aside->desk = bl_alloc_zero(sizeof *aside->desk);
    aside->desk->work = *work;
    pthread_mutex_init(&aside->desk->mutex, NULL);
    bl_thread_init_condition(&aside->desk->wake);
    aside->desk->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (aside->desk->done_fd >= 0) {
        aside->watch = bl_loop_watch_fd(loop, aside->desk->done_fd, EPOLLIN, on_done, aside);
    }
    return aside;
}

/* A thread that cannot be had now may be had with the next task. */
static bool has_thread(struct bl_aside *aside)
{
    struct bl_error err;

    if (!aside->has_thread && aside->watch) {
        aside->has_thread = bl_thread_start(&aside->thread, run, aside->desk,
                                            aside->desk->work.what, &err) == BL_OK;
        if (!aside->has_thread) {
            bl_log(BL_LOG_WARNING, "%s", err.text);
        }
    }
    return aside->has_thread;
}

bool bl_aside_begin(struct bl_aside *aside, void *task)
{
    if (aside->is_busy || !has_thread(aside)) {
        return false;
    }
    aside->is_busy = true;
    pthread_mutex_lock(&aside->desk->mutex);
    aside->desk->waiting = task;
    pthread_cond_signal(&aside->desk->wake);
    pthread_mutex_unlock(&aside->desk->mutex);
    return true;
}

void bl_aside_destroy(struct bl_aside *aside)
{
    struct desk *desk;
    bool is_working;

    if (!aside) {
        return;
    }
    desk = aside->desk;
    bl_watch_destroy(aside->watch);
    pthread_mutex_lock(&desk->mutex);
    desk->is_closing = true;
    is_working = desk->is_working;
    desk->is_orphaned = is_working;
    pthread_cond_signal(&desk->wake);
    pthread_mutex_unlock(&desk->mutex);
    if (is_working) {
        pthread_detach(aside->thread);
    } else {
        if (aside->has_thread) {
            pthread_join(aside->thread, NULL);
        }
        destroy_desk(desk);
    }
    free(aside);
}
