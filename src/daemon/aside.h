/* Does what may hang on a thread of its own: then only this thread does. One task at a time. */
#ifndef BL_DAEMON_ASIDE_H
#define BL_DAEMON_ASIDE_H

#include <stdbool.h>

struct bl_loop;
struct bl_aside;

struct bl_aside_work {
    const char *what;                     /* for messages: "the thread that asks the driver" */
    void (*work)(void *task);             /* on the thread */
    void (*destroy)(void *task);          /* on either: nobody wants it any more */
    void (*done)(void *self, void *task); /* from the loop, which owns the task again */
    void *self;
};

struct bl_aside *bl_aside_create(struct bl_loop *loop, const struct bl_aside_work *work);
/* Does not wait for a task that hangs: the thread is left to itself then. */
void bl_aside_destroy(struct bl_aside *aside);

/* Takes the task over. False, and the task stays the caller's, where another one is under way or no
 * thread can be had now. The thread begins with the first task. */
bool bl_aside_begin(struct bl_aside *aside, void *task);

#endif
