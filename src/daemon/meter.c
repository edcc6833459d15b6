#include "daemon/meter.h"

#include "base/own.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/loop.h"
#include "os/thread.h"

#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* What the thread and the loop have in common. It goes with the later of the two. */
struct desk {
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t wake;
    int answered_fd;
    bool is_asked;    /* a question waits, */
    bool is_asking;   /* or the driver has it */
    bool is_closing;  /* the thread ends */
    bool is_orphaned; /* the loop has gone: the thread clears up */
    bool has_answer;
    int status;
    struct bl_error err;
    struct bl_nvml_uses uses;
};

struct bl_meter {
    struct desk *desk;
    struct bl_watch *answered;
    struct bl_meter_sink sink;
    bool has_thread;
    pthread_t thread;
    bl_time asked_at;
};

static void destroy_desk(struct desk *desk)
{
    pthread_cond_destroy(&desk->wake);
    pthread_mutex_destroy(&desk->mutex);
    if (desk->answered_fd >= 0) {
        close(desk->answered_fd);
    }
    bl_nvml_uses_finish(&desk->uses);
    free(desk);
}

/* --- the thread ------------------------------------------------------------------------------ */

static bool wait_for_question(struct desk *desk)
{
    bool is_open;

    pthread_mutex_lock(&desk->mutex);
    while (!desk->is_asked && !desk->is_closing) {
        pthread_cond_wait(&desk->wake, &desk->mutex);
    }
    desk->is_asked = false;
    is_open = !desk->is_closing;
    desk->is_asking = is_open;
    pthread_mutex_unlock(&desk->mutex);
    return is_open;
}

/* False when there is nobody any more to hear it. */
static bool hand_over(struct desk *desk, struct bl_nvml_uses *uses, int status,
                      const struct bl_error *err)
{
    const uint64_t one = 1;
    bool is_orphaned;

    pthread_mutex_lock(&desk->mutex);
    desk->is_asking = false;
    bl_nvml_uses_finish(&desk->uses);
    desk->uses = *uses;
    desk->status = status;
    desk->err = *err;
    desk->has_answer = true;
    is_orphaned = desk->is_orphaned;
    pthread_mutex_unlock(&desk->mutex);
    if (!is_orphaned && write(desk->answered_fd, &one, sizeof one) < 0) {
        assert(errno == EAGAIN); /* it counts already */
    }
    return !is_orphaned;
}

static void *run(void *self)
{
    struct desk *desk = self;
    bool is_heard = true;

    bl_thread_step_back();
    while (is_heard && wait_for_question(desk)) {
        struct bl_nvml_uses uses = {0};
        struct bl_error err = {0};
        int status = bl_nvml_measure(&uses, &err);

        is_heard = hand_over(desk, &uses, status, &err);
    }
    if (!is_heard) {
        destroy_desk(desk);
    }
    return NULL;
}

/* --- the loop -------------------------------------------------------------------------------- */

static void on_answered(void *self, uint32_t events)
{
    struct bl_meter *meter = self;
    struct desk *desk = meter->desk;
    struct bl_nvml_uses uses = {0};
    struct bl_error err;
    uint64_t count;
    bool has_answer;
    int status;

    (void)events;
    if (read(desk->answered_fd, &count, sizeof count) != sizeof count) {
        return;
    }
    pthread_mutex_lock(&desk->mutex);
    has_answer = desk->has_answer;
    desk->has_answer = false;
    uses = desk->uses;
    desk->uses = (struct bl_nvml_uses){0};
    status = desk->status;
    err = desk->err;
    pthread_mutex_unlock(&desk->mutex);
    meter->asked_at = 0;
    if (has_answer) {
        meter->sink.take(meter->sink.self, &uses, status == BL_OK ? NULL : &err);
    }
    bl_nvml_uses_finish(&uses);
}

struct bl_meter *bl_meter_create(struct bl_loop *loop, struct bl_meter_sink sink)
{
    struct bl_meter *meter = bl_alloc_zero(sizeof *meter);

    meter->desk = bl_alloc_zero(sizeof *meter->desk);
    meter->sink = sink;
    pthread_mutex_init(&meter->desk->mutex, NULL);
    bl_thread_init_condition(&meter->desk->wake);
    meter->desk->answered_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (meter->desk->answered_fd >= 0) {
        meter->answered =
            bl_loop_watch_fd(loop, meter->desk->answered_fd, EPOLLIN, on_answered, meter);
    }
    return meter;
}

/* A thread that cannot be had now may be had with the next question. */
static bool has_thread(struct bl_meter *meter)
{
    struct bl_error err;

    if (!meter->has_thread && meter->answered) {
        meter->has_thread = bl_thread_start(&meter->thread, run, meter->desk,
                                            "the thread that asks the driver", &err) == BL_OK;
        if (!meter->has_thread) {
            bl_log(BL_LOG_WARNING, "%s", err.text);
        }
    }
    return meter->has_thread;
}

void bl_meter_ask(struct bl_meter *meter)
{
    if (meter->asked_at || !has_thread(meter)) {
        return;
    }
    meter->asked_at = bl_clock_monotonic();
    pthread_mutex_lock(&meter->desk->mutex);
    meter->desk->is_asked = true;
    pthread_cond_signal(&meter->desk->wake);
    pthread_mutex_unlock(&meter->desk->mutex);
}

bl_time bl_meter_asked_at(const struct bl_meter *meter)
{
    return meter->asked_at;
}

void bl_meter_destroy(struct bl_meter *meter)
{
    struct desk *desk;
    bool is_asking;

    if (!meter) {
        return;
    }
    desk = meter->desk;
    bl_watch_destroy(meter->answered);
    pthread_mutex_lock(&desk->mutex);
    desk->is_closing = true;
    is_asking = desk->is_asking;
    desk->is_orphaned = is_asking;
    pthread_cond_signal(&desk->wake);
    pthread_mutex_unlock(&desk->mutex);
    if (is_asking) {
        pthread_detach(meter->thread);
    } else {
        if (meter->has_thread) {
            pthread_join(meter->thread, NULL);
        }
        destroy_desk(desk);
    }
    free(meter);
}
