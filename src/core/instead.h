/* What would let a job that waits start earlier: changes of what it asks for, as a user may make
 * them. Each is made on a copy of the core that then runs forward under the policy, beside one
 * without it and with the same run times; only those that start it earlier are told. */
#ifndef BL_CORE_INSTEAD_H
#define BL_CORE_INSTEAD_H

#include "core/event.h"
#include "core/whatif.h"

enum { BL_INSTEADS_MAX = 5 };

struct bl_instead {
    struct bl_job_change change; /* names of types are the core's own */
    struct bl_range start;
    size_t runs;    /* on which that rests */
    bool is_now;    /* it starts at once: in the first round, whatever others take */
    int64_t before; /* the booking before which it is over then; negative: a promise to that job; 0
                       where it is no matter of one */
};

struct bl_insteads {
    struct bl_instead at[BL_INSTEADS_MAX]; /* the earliest first; of equals what changes least */
    size_t count;
    size_t untried; /* changes that might do so as well: they were not tried, as enough had been, or
                       it was stopped */
};

/* Only a job that queues has any. The core must be one of which bl_core_can_export says yes. The
 * same core and effort give the same answer. */
void bl_insteads_find(const struct bl_core *core, bl_job_id job,
                      const struct bl_whatif_effort *effort, struct bl_insteads *out);

#endif
