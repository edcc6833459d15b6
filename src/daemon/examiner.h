/* Looks at processes that somebody wants to be jobs, one after the other, on a thread of its own:
 * whoever owns such a process can make a look at it hang. */
#ifndef BL_DAEMON_EXAMINER_H
#define BL_DAEMON_EXAMINER_H

#include "base/error.h"
#include "base/span.h"
#include "os/sight.h"

enum { BL_EXAMINER_QUEUE_MAX = 32 };

/* How long a look may take before those who wait are told that it hangs. */
#define BL_EXAMINER_PATIENCE (10 * BL_SECOND)

struct bl_loop;
struct bl_examiner;

/* Told from the loop, once. Owns `seen` then, or it is NULL and `err` says why. */
struct bl_examiner_sink {
    void *self;
    void (*take)(void *self, struct bl_sight *seen, const struct bl_error *err);
};

struct bl_examiner *bl_examiner_create(struct bl_loop *loop, bl_time patience);
/* Does not wait for a look that hangs. Whoever still waits is not told: dismiss them before. */
void bl_examiner_destroy(struct bl_examiner *examiner);

/* Never calls back from inside. Fails with BL_EUNREACHABLE while a look hangs, when too many wait,
 * and without a thread; the sink is not called then. */
int bl_examiner_ask(struct bl_examiner *examiner, int64_t pid, struct bl_examiner_sink sink,
                    struct bl_error *err);
/* Tells all who wait that it is not to be. */
void bl_examiner_dismiss(struct bl_examiner *examiner, const struct bl_error *err);

#endif
