/* Descriptors that close at the end of their scope. */
#ifndef BL_OS_OWN_FD_H
#define BL_OS_OWN_FD_H

#include <unistd.h>

static inline void bl_auto_close(const int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
}

#define BL_AUTO_FD __attribute__((cleanup(bl_auto_close))) int

/* Gives the descriptor away and leaves -1 behind. */
static inline int bl_take_fd(int *fd)
{
    int taken = *fd;

    *fd = -1;
    return taken;
}

#endif
