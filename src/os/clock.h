/* The one place that looks at a clock. */
#ifndef BL_OS_CLOCK_H
#define BL_OS_CLOCK_H

#include "base/buf.h"
#include "base/span.h"

bl_time bl_clock_wall(void);        /* since the epoch */
bl_time bl_clock_monotonic(void);   /* since some start; never jumps */
bl_time bl_clock_process_cpu(void); /* CPU time of this process */

/* Appends "2026-11-29 15:04:05 CET". */
void bl_clock_print_full(struct bl_buf *out, bl_time instant);

#endif
