#include "daemon/examiner.h"

#include "base/own.h"
#include "daemon/aside.h"
#include "os/loop.h"

#include <stdlib.h>

struct question {
    int64_t pid;
    struct bl_examiner_sink sink;
};

struct bl_examiner {
    struct bl_aside *aside;
    struct bl_watch *timer;
    bl_time patience;
    struct question queue[BL_EXAMINER_QUEUE_MAX]; /* a ring; the first is looked at */
    size_t first, count;
    bool is_looking;
    bool is_given_up; /* nobody waits any more for what is looked at, */
    int64_t pid;      /* which is this */
};

static void look(void *task)
{
    bl_sight_look(task);
}

static void destroy_sight(void *task)
{
    bl_sight_destroy(task);
}

static struct question take_first(struct bl_examiner *examiner)
{
    struct question question = examiner->queue[examiner->first];

    examiner->first = (examiner->first + 1) % BL_EXAMINER_QUEUE_MAX;
    examiner->count--;
    return question;
}

static int fail_hanging(const struct bl_examiner *examiner, struct bl_error *err)
{
    bl_fail(err, BL_EUNREACHABLE,
            "looking at process %lld takes long: nothing can be adopted until that has ended",
            (long long)examiner->pid);
    return bl_error_set_hint(err,
                             "the process, a file system or the driver hangs: try again later");
}

/* Nothing to do where nobody waits, or a look is under way. */
static int look_at_first(struct bl_examiner *examiner, struct bl_error *err)
{
    struct bl_sight *sight;

    if (examiner->is_looking || examiner->count == 0) {
        return BL_OK;
    }
    examiner->pid = examiner->queue[examiner->first].pid;
    sight = bl_sight_create(examiner->pid);
    if (!bl_aside_begin(examiner->aside, sight)) {
        bl_sight_destroy(sight);
        return bl_fail(err, BL_EUNREACHABLE, "there is no thread to look at process %lld",
                       (long long)examiner->pid);
    }
    examiner->is_looking = true;
    bl_watch_arm(examiner->timer, examiner->patience);
    return BL_OK;
}

static void on_looked(void *self, void *task)
{
    struct bl_examiner *examiner = self;
    struct question question;
    bool is_wanted = !examiner->is_given_up;
    struct bl_error err;

    bl_watch_disarm(examiner->timer);
    examiner->is_looking = false;
    examiner->is_given_up = false;
    if (is_wanted) {
        question = take_first(examiner);
        question.sink.take(question.sink.self, task, NULL);
    } else {
        bl_sight_destroy(task);
    }
    if (look_at_first(examiner, &err) != BL_OK) {
        bl_examiner_dismiss(examiner, &err);
    }
}

static void on_impatient(void *self)
{
    struct bl_examiner *examiner = self;
    struct bl_error err;

    fail_hanging(examiner, &err);
    bl_examiner_dismiss(examiner, &err);
}

struct bl_examiner *bl_examiner_create(struct bl_loop *loop, bl_time patience)
{
    struct bl_examiner *examiner = bl_alloc_zero(sizeof *examiner);
    const struct bl_aside_work work = {.what = "the thread that looks at processes",
                                       .work = look,
                                       .destroy = destroy_sight,
                                       .done = on_looked,
                                       .self = examiner};

    examiner->aside = bl_aside_create(loop, &work);
    examiner->timer = bl_loop_watch_timer(loop, on_impatient, examiner);
    examiner->patience = patience;
    return examiner;
}

int bl_examiner_ask(struct bl_examiner *examiner, int64_t pid, struct bl_examiner_sink sink,
                    struct bl_error *err)
{
    size_t last = (examiner->first + examiner->count) % BL_EXAMINER_QUEUE_MAX;
    int status;

    if (examiner->is_given_up) {
        return fail_hanging(examiner, err);
    }
    if (examiner->count == BL_EXAMINER_QUEUE_MAX) {
        bl_fail(err, BL_EUNREACHABLE, "%d processes wait to be looked at already",
                BL_EXAMINER_QUEUE_MAX);
        return bl_error_set_hint(err, "try again in a moment");
    }
    examiner->queue[last] = (struct question){pid, sink};
    examiner->count++;
    status = look_at_first(examiner, err);
    if (status != BL_OK) {
        examiner->count--;
    }
    return status;
}

void bl_examiner_dismiss(struct bl_examiner *examiner, const struct bl_error *err)
{
    bl_watch_disarm(examiner->timer);
    examiner->is_given_up = examiner->is_looking;
    while (examiner->count > 0) {
        struct question question = take_first(examiner);

        question.sink.take(question.sink.self, NULL, err);
    }
}

void bl_examiner_destroy(struct bl_examiner *examiner)
{
    if (!examiner) {
        return;
    }
    bl_watch_destroy(examiner->timer);
    bl_aside_destroy(examiner->aside);
    free(examiner);
}
