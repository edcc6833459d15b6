/* Leaving the terminal: the parent waits until the daemon serves or has said why it cannot. */
#ifndef BL_DAEMON_BACKGROUND_H
#define BL_DAEMON_BACKGROUND_H

#include "base/error.h"

/* Before any thread is started. In the child: BL_OK and *ready is the descriptor to report by. The
 * parent does not return: it exits with 0 once the child is ready, else as the child does. */
int bl_background_enter(int *ready, struct bl_error *err);

/* Tells the parent that all is well and moves standard error to the log file. */
int bl_background_ready(int ready, const char *log_path, struct bl_error *err);

#endif
