#include "daemon/replica.h"

#include "form/record.h"

#include <assert.h>

void bl_replica_init(struct bl_replica *replica)
{
    *replica = (struct bl_replica){.core = bl_core_create(BL_KEEP_ENDED)};
}

void bl_replica_finish(struct bl_replica *replica)
{
    bl_core_destroy(replica->core);
    bl_arena_finish(&replica->arena);
    bl_actions_finish(&replica->actions);
}

/* A round that decided nothing only shows that time has passed; what has left memory is in no
 * forecast, and what people were told changes nothing of what will be. */
static bool is_change(const struct bl_replica *replica, enum bl_event_kind kind)
{
    if (kind == BL_EVENT_ROUND) {
        return replica->actions.list.count > 0;
    }
    return kind != BL_EVENT_JOBS_FORGOTTEN && kind != BL_EVENT_FORETOLD;
}

void bl_replica_apply(struct bl_replica *replica, int64_t seq, const char *bytes, size_t length)
{
    struct bl_record record;
    struct bl_error err;
    int status;

    bl_arena_reset(&replica->arena);
    status = bl_record_read("a record", bytes, length, &replica->arena, &record, &err);
    assert(status == BL_OK);
    (void)status;
    bl_core_step(replica->core, &record.event,
                 record.event.kind == BL_EVENT_ROUND ? &replica->actions : NULL);
    replica->seq = seq;
    if (is_change(replica, record.event.kind)) {
        replica->version++;
        replica->now = bl_core_now(replica->core);
    }
}

bool bl_replica_can_fork(struct bl_replica *replica)
{
    bl_core_next_wake(replica->core); /* timers that no longer matter are no obstacle */
    return bl_core_policy(replica->core)->policy && bl_core_can_export(replica->core);
}
