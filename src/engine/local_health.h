/* Whether the GPUs of this machine are still there. One that has left the bus, or answers on it no
 * longer, is lost until it is back. The file "lost-gpus" of the state directory says of GPUs that
 * they are lost, a line "NODE:GPU" each: of declared ones nothing else can. */
#ifndef BL_ENGINE_LOCAL_HEALTH_H
#define BL_ENGINE_LOCAL_HEALTH_H

#include "engine/engine.h"
#include "engine/local_nodes.h"

struct bl_local_health;

struct bl_local_health_parts {
    struct bl_loop *loop;
    struct bl_engine_host host;
    const struct bl_local_nodes *nodes; /* borrowed */
    const char *state_dir;
    const char *pci_dir; /* NULL = where the kernel lists devices */
};

/* Looks now and then, for the first time when the loop turns. */
struct bl_local_health *bl_local_health_create(const struct bl_local_health_parts *parts);
void bl_local_health_destroy(struct bl_local_health *health);

/* An attempt has ended: where it failed, its GPU may be the cause, and the next check looks. */
void bl_local_health_suspect(struct bl_local_health *health, enum bl_end_cause cause, int code);
/* Before ends are reported: what is lost is told first. Only from the event loop. */
void bl_local_health_check(struct bl_local_health *health);

/* Looks at all of them and reports, by GPU_STATE, the nodes of which it is another than before; the
 * first time all nodes. Only from the event loop. */
void bl_local_health_look(struct bl_local_health *health);

#endif
