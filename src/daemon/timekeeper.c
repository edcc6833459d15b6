#include "daemon/timekeeper.h"

void bl_timekeeper_init(struct bl_timekeeper *keeper, struct bl_clocks clocks, bl_time last)
{
    *keeper = (struct bl_timekeeper){
        .last = clocks.wall > last ? clocks.wall : last,
        .last_monotonic = clocks.monotonic,
        .offset = clocks.wall - clocks.monotonic,
    };
}

bl_time bl_timekeeper_now(struct bl_timekeeper *keeper, struct bl_clocks clocks)
{
    bl_time passed = keeper->last + (clocks.monotonic - keeper->last_monotonic);
    bl_time drift = clocks.wall - clocks.monotonic - keeper->offset;

    keeper->offset += drift;
    keeper->last = clocks.wall > passed ? clocks.wall : passed;
    if (drift > BL_CLOCK_JUMP) {
        keeper->jump = (keeper->jump > 0 ? keeper->jump : 0) + keeper->last - passed;
    } else if (drift < -BL_CLOCK_JUMP && keeper->jump <= 0) {
        keeper->jump += drift;
    }
    keeper->last_monotonic = clocks.monotonic;
    return keeper->last;
}
