/* Asks the NVIDIA driver what its GPUs do, on a thread of its own: a driver may hang, and then only
 * this thread does. */
#ifndef BL_DAEMON_METER_H
#define BL_DAEMON_METER_H

#include "base/span.h"
#include "os/nvml.h"

struct bl_loop;
struct bl_meter;

/* Told from the loop when an answer has come; `err` is NULL when it could be given. Borrowed. */
struct bl_meter_sink {
    void *self;
    void (*take)(void *self, const struct bl_nvml_uses *uses, const struct bl_error *err);
};

struct bl_meter *bl_meter_create(struct bl_loop *loop, struct bl_meter_sink sink);
/* Does not wait for a driver that hangs: the thread is left to itself then. */
void bl_meter_destroy(struct bl_meter *meter);

/* Nothing where a question is still open. The thread begins with the first one. */
void bl_meter_ask(struct bl_meter *meter);
/* Since when a question is open, on the monotonic clock; 0 = none is. */
bl_time bl_meter_asked_at(const struct bl_meter *meter);

#endif
