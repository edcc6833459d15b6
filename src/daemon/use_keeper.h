/* Keeps how the GPUs of running jobs are used: measured every quarter of a minute while any of them
 * is known to the driver, on the meter's thread. In memory alone: a restart begins anew. */
#ifndef BL_DAEMON_USE_KEEPER_H
#define BL_DAEMON_USE_KEEPER_H

#include "daemon/driver.h"
#include "daemon/use.h"
#include "os/nvml.h"

struct bl_use_keeper;

struct bl_use_keeper *bl_use_keeper_create(struct bl_loop *loop, struct bl_driver *driver);
void bl_use_keeper_destroy(struct bl_use_keeper *keeper);

/* After a record was applied: what has just begun is measured soon. */
void bl_use_keeper_look(struct bl_use_keeper *keeper, const struct bl_ledger *ledger);

/* Somebody looks at GPUs that may be idle: measures them unless that was done of late. */
void bl_use_keeper_wish(struct bl_use_keeper *keeper);

/* What was measured of a GPU of late, or NULL. */
const struct bl_nvml_use *bl_use_keeper_gpu(const struct bl_use_keeper *keeper, const char *node,
                                            int32_t gpu);

/* Why nothing is known of a job's GPUs. */
enum bl_use_lack {
    BL_USE_KNOWN,
    BL_USE_NO_GPUS,
    BL_USE_NOT_RUNNING,
    BL_USE_DECLARED,
    BL_USE_NO_DRIVER,
    BL_USE_SOON,
    BL_USE_LACK_COUNT
};

/* Of a job in the books: `*use` is set with KNOWN, `*why` is what the driver said with NO_DRIVER.
 * Borrowed until the loop turns. */
enum bl_use_lack bl_use_keeper_find(const struct bl_use_keeper *keeper, const struct bl_job *job,
                                    const struct bl_use **use, const char **why);

/* Between two points of it. */
bl_time bl_use_keeper_step(const struct bl_use_keeper *keeper, const struct bl_use *use);

/* A job's GPUs that have names, in order of their nodes and numbers; how many there are. At most
 * `room` are put into `out`. */
struct bl_use_gpu {
    int32_t node, gpu;
};
size_t bl_use_gpus(const struct bl_job *job, struct bl_use_gpu *out, size_t room);

#endif
