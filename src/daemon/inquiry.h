/* Questions that take a while: answered by looking ahead on the forecaster's copy of the core, on
 * its thread, while the request waits. */
#ifndef BL_DAEMON_INQUIRY_H
#define BL_DAEMON_INQUIRY_H

#include "core/whatif.h"
#include "daemon/api.h"

/* Of somebody who looks at a screen. */
#define BL_INQUIRY_PATIENCE (2 * BL_SECOND)

struct bl_inquiry {
    struct bl_api *api;
    struct bl_request *request;
    /* Looks ahead; on the forecaster's thread. */
    void (*work)(struct bl_inquiry *inquiry, const struct bl_forecaster_scene *scene);
    /* Answers the request, and releases what the inquiry holds; on the loop. Where it was given up
     * nothing was looked at. */
    void (*answer)(struct bl_inquiry *inquiry, bool is_answered);
    bl_time patience; /* how long it may be worked on: twice as long where looks take longer, as
                         the policy looks at all jobs in each round; what is known then is the
                         answer; the first look is finished in any case */
    bl_time asked_at; /* on the monotonic clock */
    bl_time began_at; /* likewise, once it is worked on */
    bl_time step_at;  /* likewise: when it was last asked whether it is enough */
};

/* Asks. Fails when too many wait already: nothing is called then. */
int bl_inquiry_ask(struct bl_inquiry *inquiry, struct bl_error *err);

/* What may be tried for the inquiry within its patience; `runs` besides that of the middles. */
struct bl_whatif_effort bl_inquiry_effort(struct bl_inquiry *inquiry,
                                          const struct bl_forecaster_scene *scene, size_t runs);

/* Answers that it was given up. */
void bl_inquiry_fail(struct bl_request *request);

#endif
