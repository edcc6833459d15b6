/* The event loop: descriptors, timers, signals, children. sd-event below, which shows nowhere else.
 */
#ifndef BL_OS_LOOP_H
#define BL_OS_LOOP_H

#include "base/error.h"
#include "base/span.h"

#include <stdint.h>

struct bl_loop;
struct bl_watch; /* one source; free it with bl_watch_destroy, from its own callback too */

struct bl_loop *bl_loop_create(void);
void bl_loop_destroy(struct bl_loop *loop); /* all watches must be destroyed before */

/* Runs until bl_loop_stop; answers the code given there. Afterwards watches can be armed and
 * destroyed, but nothing happens any more. */
int bl_loop_run(struct bl_loop *loop);
/* Waits until something is ready, at most `wait`, and handles it: for whoever owns the loop's
 * turns.
 */
void bl_loop_step(struct bl_loop *loop, bl_time wait);
void bl_loop_stop(struct bl_loop *loop, int code);

/* What a service manager may want to know, lines like "READY=1"; nothing without one. */
void bl_loop_notify(const char *lines);
/* From now on the service manager hears, where it asked for that, that the loop still turns. */
void bl_loop_keep_watchdog(struct bl_loop *loop);

/* `events` and what the callback gets are EPOLLIN and so on. The descriptor stays the caller's. */
struct bl_watch *bl_loop_watch_fd(struct bl_loop *loop, int fd, uint32_t events,
                                  void (*call)(void *self, uint32_t events), void *self);
/* Fires once, `after` microseconds from now on the monotonic clock; arm again from anywhere. */
struct bl_watch *bl_loop_watch_timer(struct bl_loop *loop, void (*call)(void *self), void *self);
void bl_watch_arm(struct bl_watch *timer, bl_time after);
void bl_watch_disarm(struct bl_watch *timer);
/* Blocks the signal in this thread and takes it from the loop. */
struct bl_watch *bl_loop_watch_signal(struct bl_loop *loop, int signal,
                                      void (*call)(void *self, int signal), void *self);
/* Runs after all that is ready now, once per arming (bl_watch_arm with any time). */
struct bl_watch *bl_loop_watch_idle(struct bl_loop *loop, void (*call)(void *self), void *self);
void bl_watch_destroy(struct bl_watch *watch);

#endif
