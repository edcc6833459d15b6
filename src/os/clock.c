#include "os/clock.h"

#include <stdlib.h>
#include <time.h>

static bl_time read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (bl_time)now.tv_sec * BL_SECOND + now.tv_nsec / 1000;
}

bl_time bl_clock_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

bl_time bl_clock_monotonic(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

bl_time bl_clock_process_cpu(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static struct tm local_time(bl_time instant)
{
    time_t seconds = (time_t)(instant / BL_SECOND);
    struct tm out = {0};

    localtime_r(&seconds, &out);
    return out;
}

void bl_clock_print_full(struct bl_buf *out, bl_time instant)
{
    struct tm at = local_time(instant);
    char text[64];

    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", &at);
    bl_buf_append_text(out, text);
}
