/* Requests that were tried in vain since something last changed: whoever asks for the same need not
 * be tried again. In a long queue most ask for what many others ask for. */
#ifndef BL_CORE_BARREN_H
#define BL_CORE_BARREN_H

#include "core/cluster.h"
#include "core/job.h"

enum { BL_BARREN_MAX = 32 /* requests that are remembered; others are tried each time */ };

/* All that placement looks at where nothing is held ahead and no node is to be drained. */
struct bl_request_shape {
    uint64_t type_mask;
    int64_t gpu_mem_bytes;
    struct bl_resources need;
    int32_t pool, nodes_max;
    bool wants_gpus;
};

struct bl_barren {
    struct {
        struct bl_request_shape shape;
        bool is_late; /* only one that stays for long was in vain: a short one may fit */
    } at[BL_BARREN_MAX];
    size_t count;
    bool is_off; /* more than the shape matters: nothing is remembered */
};

void bl_barren_init(struct bl_barren *barren, const struct bl_cluster *cluster);

/* Books or plans are others now. */
void bl_barren_clear(struct bl_barren *barren);

/* `is_late`: it would stay for longer than some may. */
bool bl_barren_has(const struct bl_barren *barren, const struct bl_job *job, int32_t gpus,
                   bool is_late);
void bl_barren_note(struct bl_barren *barren, const struct bl_job *job, int32_t gpus, bool is_late);

#endif
