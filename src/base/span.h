/* Time: bl_time counts microseconds, as an instant since the epoch (UTC) or as a length. */
#ifndef BL_BASE_SPAN_H
#define BL_BASE_SPAN_H

#include "base/buf.h"
#include "base/error.h"

#include <stdint.h>

typedef int64_t bl_time;

#define BL_MILLISECOND INT64_C(1000)
#define BL_SECOND      INT64_C(1000000)
#define BL_MINUTE      (60 * BL_SECOND)
#define BL_HOUR        (60 * BL_MINUTE)
#define BL_DAY         (24 * BL_HOUR)
#define BL_TIME_NEVER  INT64_MAX

/* Longest length that a user may ask for; keeps sums of a few of them far from overflow. */
#define BL_SPAN_MAX (INT64_C(36500) * BL_DAY)

/* Reads a length in the grammar of `-t`: Slurm's forms "30" (minutes), "30:15" (minutes:seconds),
 * "1:30:00", "1-12" (days-hours), "1-12:30", "1-12:30:15", and ours: "90s", "2h30m", "3d", "1.5h",
 * "250ms". Refuses negative and empty ones and any over BL_SPAN_MAX. The text of the failure says
 * what was expected; the caller adds the field. */
int bl_span_parse(const char *text, bl_time *out, struct bl_error *err);

/* Appends the shortest form that bl_span_parse reads back: "2h30m", "45s", "1d12h", "0s"; lengths
 * under a second as "250ms", microseconds as decimals of a second. */
void bl_span_print(struct bl_buf *out, bl_time span);

/* Appends seconds as a plain decimal number, exact to the microsecond: "12", "0.25", "-3". */
void bl_seconds_print(struct bl_buf *out, bl_time span);

#endif
