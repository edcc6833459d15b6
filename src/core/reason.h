/* Why a job is where it is: a code and numbers, never text. `form/reason_text` makes sentences. */
#ifndef BL_CORE_REASON_H
#define BL_CORE_REASON_H

#include "base/span.h"

#include <stdint.h>

typedef int64_t bl_job_id; /* > 0 */

enum bl_reason_code {
    BL_REASON_NONE,
    /* why it waits */
    BL_REASON_UNDECIDED,  /* no round has looked at it yet */
    BL_REASON_DEPENDENCY, /* job = the first it waits for */
    BL_REASON_HELD,       /* need = uid of who holds it */
    BL_REASON_RESOURCES,  /* first in line; need = GPUs, have = free ones that suit it; at =
                             earliest planned start, or BL_TIME_NEVER */
    BL_REASON_PRIORITY,   /* job = the one ahead of it; need = place in line */
    BL_REASON_BACKFILL,   /* fits now, but would delay `job`, planned for `at` */
    BL_REASON_NODES_DOWN, /* only nodes that are down or drained could hold it */
    BL_REASON_DRAIN,      /* at = when the nodes that suit it are drained: it would run longer */
    BL_REASON_NOT_BEFORE, /* at = when it may start at the earliest */
    BL_REASON_RETRY,      /* need = starts or runs that failed in a row, at = the next try */
    BL_REASON_PLANNED,    /* has its place in the plan, at = its start there */
    BL_REASON_OUTBID,   /* others do more with the GPUs; need = GPUs that it needs at least, have =
                           free ones that suit it */
    BL_REASON_FOR_MORE, /* could start now, but ends sooner when more GPUs are free */
    BL_REASON_RESERVED, /* what it could have is somebody's from `at` on, before it is sure to be
                           gone; job = the booking, negative: a promise to that job */
    BL_REASON_BOOKED,   /* the same, and that slot goes on: at = its end */
    BL_REASON_FOR_RESERVATION, /* it waits for its own slot; job = the booking, at = its start */
    BL_REASON_IN_RESERVATION,  /* others of its booking have its GPUs; job = the booking, need =
                                  GPUs, have = those of the booking that are free */
    BL_REASON_PROMISE_BROKEN, /* what was held for it is lost; at = its latest start, as promised */
    BL_REASON_RESERVATION_OVER, /* its booking has no slot any more; job = the booking */
    BL_REASON_SLOT_TOO_SMALL,   /* no slot of its booking has enough GPUs that suit it; job = the
                                   booking, need = GPUs, have = the most of any */
    BL_REASON_SLOT_TOO_SHORT,   /* its limit is longer than every slot that has; need = seconds,
                                   have = of the longest */
    BL_REASON_SLOT_NO_TIME,     /* it is asked to stop so long before the end that nothing is left;
                                   need = seconds, have = of the longest */
    /* why it started */
    BL_REASON_IN_ORDER,      /* first in line and it fits */
    BL_REASON_BEFORE_SHADOW, /* backfilled: ends before `job` can start, at `at` */
    BL_REASON_BESIDE_HEAD,   /* backfilled: uses what `job` will not need at `at` */
    BL_REASON_JOINT,         /* the best choice for `need` jobs together */
    BL_REASON_IN_SLOT,       /* its booking's slot goes on; job = the booking */
    BL_REASON_PROMISED,      /* it was promised to start by `at` */
    BL_REASON_ADOPTED,       /* it ran already when it came */
    /* why it is resized or gives way; from then on, why it runs on what it has */
    BL_REASON_RESIZED,       /* need = GPUs from now on, have = before */
    BL_REASON_SHRUNK_FOR,    /* the same, to make room for `job` */
    BL_REASON_RESIZE_WISHED, /* the same, because somebody asked */
    BL_REASON_CLEARED,   /* the same, off GPUs that are reserved from `at` on; job = the booking */
    BL_REASON_PREEMPTED, /* put back to make room; job = for whom, 0 = for several; at = when its
                            GPUs are reserved: job is the booking then */
    /* why it stops or ended */
    BL_REASON_USER,              /* cancelled; need = uid of who asked */
    BL_REASON_TIME_LIMIT,        /* at = when the limit passed */
    BL_REASON_SLOT_OVER,         /* its slot ends at `at`; job = the booking */
    BL_REASON_DEPENDENCY_FAILED, /* job = the one whose end made it impossible */
    BL_REASON_START_FAILED,      /* need = enum bl_start_stage, have = errno */
    BL_REASON_EXIT,              /* need = exit code, have = signal or 0 */
    BL_REASON_GONE,              /* it ended, and nobody can know how: it was adopted */
    BL_REASON_LOST,              /* its supervisor or node vanished */
    BL_REASON_GPU_LOST,          /* a GPU of it broke, or vanished; need = its number, have = the
                                    index of its node */
    BL_REASON_REQUEUE,           /* put back; need = uid of who asked, -1 = the job itself */
    BL_REASON_CRASH_LOOP,        /* held: need = runs that failed in a row, have = last exit code */
    BL_REASON_COUNT
};

/* Where a start broke off. */
enum bl_start_stage {
    BL_STAGE_SUPERVISOR, /* the supervisor itself did not start */
    BL_STAGE_SPEC,       /* its instructions could not be read or written */
    BL_STAGE_CGROUP,
    BL_STAGE_USER,    /* becoming the submitting user */
    BL_STAGE_WORKDIR, /* entering the working directory */
    BL_STAGE_LOG,     /* opening the log file */
    BL_STAGE_EXEC,    /* executing the command */
    BL_STAGE_ENGINE,  /* an engine other than the local one */
    BL_STAGE_COUNT
};

struct bl_reason {
    enum bl_reason_code code;
    bl_job_id job;
    int64_t need;
    int64_t have;
    bl_time at;
};

/* "resources", "before_shadow" …; "workdir" …: the words of the API and the log. */
const char *bl_reason_name(enum bl_reason_code code);
const char *bl_start_stage_name(enum bl_start_stage stage);
int bl_reason_find(const char *name);      /* or -1 */
int bl_start_stage_find(const char *name); /* or -1 */

#endif
