#include "daemon/meter.h"

#include "base/own.h"
#include "daemon/aside.h"
#include "os/clock.h"

#include <stdlib.h>

/* One question and what was answered. */
struct question {
    int status;
    struct bl_error err;
    struct bl_nvml_uses uses;
};

struct bl_meter {
    struct bl_aside *aside;
    struct bl_meter_sink sink;
    bl_time asked_at;
};

static void measure(void *task)
{
    struct question *question = task;

    question->status = bl_nvml_measure(&question->uses, &question->err);
}

static void destroy_question(void *task)
{
    struct question *question = task;

    bl_nvml_uses_finish(&question->uses);
    free(question);
}

static void on_answered(void *self, void *task)
{
    struct bl_meter *meter = self;
    struct question *question = task;

    meter->asked_at = 0;
    meter->sink.take(meter->sink.self, &question->uses,
                     question->status == BL_OK ? NULL : &question->err);
    destroy_question(question);
}

struct bl_meter *bl_meter_create(struct bl_loop *loop, struct bl_meter_sink sink)
{
    struct bl_meter *meter = bl_alloc_zero(sizeof *meter);
    const struct bl_aside_work work = {.what = "the thread that asks the driver",
                                       .work = measure,
                                       .destroy = destroy_question,
                                       .done = on_answered,
                                       .self = meter};

    meter->aside = bl_aside_create(loop, &work);
    meter->sink = sink;
    return meter;
}

void bl_meter_ask(struct bl_meter *meter)
{
    struct question *question;

    if (meter->asked_at) {
        return;
    }
    question = bl_alloc_zero(sizeof *question);
    if (bl_aside_begin(meter->aside, question)) {
        meter->asked_at = bl_clock_monotonic();
    } else {
        destroy_question(question);
    }
}

bl_time bl_meter_asked_at(const struct bl_meter *meter)
{
    return meter->asked_at;
}

void bl_meter_destroy(struct bl_meter *meter)
{
    if (!meter) {
        return;
    }
    bl_aside_destroy(meter->aside);
    free(meter);
}
