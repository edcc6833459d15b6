#include "daemon/timekeeper.h"

#include "os/clock.h"

#include <stdlib.h>

void bl_timekeeper_init(struct bl_timekeeper *keeper, bl_time last)
{
    bl_time wall = bl_clock_wall();

    keeper->last_monotonic = bl_clock_monotonic();
    keeper->offset = wall - keeper->last_monotonic;
    keeper->last = wall > last ? wall : last;
    keeper->jump = 0;
}

bl_time bl_timekeeper_now(struct bl_timekeeper *keeper)
{
    bl_time wall = bl_clock_wall();
    bl_time monotonic = bl_clock_monotonic();
    bl_time passed = keeper->last + (monotonic - keeper->last_monotonic);
    bl_time drift = wall - monotonic - keeper->offset;

    if (llabs(drift) > BL_CLOCK_JUMP) {
        keeper->jump += drift;
    }
    keeper->offset += drift;
    keeper->last = wall > passed ? wall : passed;
    keeper->last_monotonic = monotonic;
    return keeper->last;
}
