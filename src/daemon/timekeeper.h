/* The clock of the events: the wall clock, but never going back, and never slower than time
 * passes. */
#ifndef BL_DAEMON_TIMEKEEPER_H
#define BL_DAEMON_TIMEKEEPER_H

#include "base/span.h"

#define BL_CLOCK_JUMP (5 * BL_SECOND)

/* What the two clocks say at one moment. */
struct bl_clocks {
    bl_time wall;
    bl_time monotonic;
};

struct bl_timekeeper {
    bl_time last;           /* the last instant that was given out */
    bl_time last_monotonic; /* when that was */
    bl_time offset;         /* wall minus monotonic clock at the last look */
    bl_time jump;           /* see below; until someone takes it */
};

/* Starts after the instant `last` of an earlier life; 0 when there was none. */
void bl_timekeeper_init(struct bl_timekeeper *keeper, struct bl_clocks clocks, bl_time last);

/* The instant now. When the wall clock was set by more than BL_CLOCK_JUMP, `jump` becomes how far
 * the answers leapt ahead of the time that passed, or, negative, how far the wall clock went back.
 */
bl_time bl_timekeeper_now(struct bl_timekeeper *keeper, struct bl_clocks clocks);

#endif
