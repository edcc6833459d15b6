/* Threads that help the main one. Signals stay the main thread's. */
#ifndef BL_OS_THREAD_H
#define BL_OS_THREAD_H

#include "base/error.h"

#include <pthread.h>

/* Never handles a signal. `what` is for the message: "the journal's thread". */
int bl_thread_start(pthread_t *thread, void *(*run)(void *self), void *self, const char *what,
                    struct bl_error *err);

/* A condition whose timed waits go by the monotonic clock. */
void bl_thread_init_condition(pthread_cond_t *condition);

/* The calling thread gives way to all others from now on. */
void bl_thread_step_back(void);

/* How nice the calling thread is to others, and that it is from now on so nice: where the system
 * refuses, as it stands. */
int bl_thread_niceness(void);
void bl_thread_set_niceness(int niceness);

#endif
