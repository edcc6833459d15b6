/* How many threads the test has: those that were left behind end in their own time. */
#ifndef BL_KIT_THREADS_H
#define BL_KIT_THREADS_H

#include "bl_test.h"

#include <dirent.h>
#include <unistd.h>

enum { THREADS_TURNS_MAX = 6000 };

static inline int threads_count(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;

    assert_non_null(folder);
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

static inline void threads_expect(int before)
{
    for (int i = 0; i < THREADS_TURNS_MAX && threads_count() > before; i++) {
        usleep(20 * 1000);
    }
    assert_int_equal(threads_count(), before);
}

#endif
