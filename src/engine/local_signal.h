/* Signals that warn a job: for those of its processes that handle them. One without a handler would
 * die of the signal. */
#ifndef BL_ENGINE_LOCAL_SIGNAL_H
#define BL_ENGINE_LOCAL_SIGNAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Sends the signal to the processes below `supervisor` that handle it, except where the parent does
 * as well: it will tell them. False when none does. */
bool bl_local_signal_handlers(pid_t supervisor, int number);

#endif
