#include "daemon/inquiry.h"

#include "daemon/auth.h"
#include "daemon/forecaster.h"
#include "os/clock.h"

/* After it was asked nobody works on it any longer, however busy the machine is. */
#define LONGEST (50 * BL_SECOND)

static const char come_back[] = "ask again in a few seconds";

static bool is_dear(const struct bl_core *core)
{
    const struct bl_policy *policy = bl_core_policy(core)->policy;

    return policy && (policy->is_elastic || policy->is_thorough);
}

static void work(void *self, const struct bl_forecaster_scene *scene)
{
    struct bl_inquiry *inquiry = self;

    inquiry->began_at = bl_clock_monotonic();
    inquiry->step_at = inquiry->began_at;
    inquiry->patience *= is_dear(scene->core) ? 2 : 1;
    inquiry->work(inquiry, scene);
}

static bool is_given_up(void *self)
{
    const struct bl_inquiry *inquiry = self;

    return bl_clock_monotonic() - inquiry->asked_at >= LONGEST ||
           atomic_load(&inquiry->api->is_stopping);
}

/* On the forecaster's thread as well: the connection stays as long as its request waits. */
static bool is_wanted(void *self)
{
    const struct bl_inquiry *inquiry = self;

    return !is_given_up(self) && !bl_request_is_left(inquiry->request);
}

static void done(void *self, bool is_answered)
{
    struct bl_inquiry *inquiry = self;

    inquiry->answer(inquiry, is_answered);
}

int bl_inquiry_ask(struct bl_inquiry *inquiry, struct bl_error *err)
{
    const struct bl_peer *peer = bl_request_peer(inquiry->request);
    const struct bl_forecaster_question question = {.self = inquiry,
                                                    .is_wanted = is_wanted,
                                                    .work = work,
                                                    .done = done,
                                                    .at = bl_driver_now(inquiry->api->driver),
                                                    .user = peer->uid,
                                                    .is_free = bl_auth_is_manager(peer)};

    inquiry->asked_at = bl_clock_monotonic();
    if (bl_forecaster_ask(bl_driver_forecaster(inquiry->api->driver), &question, err) != BL_OK) {
        return bl_error_set_hint(err, "%s", come_back);
    }
    return BL_OK;
}

void bl_api_stop_inquiries(struct bl_api *api)
{
    atomic_store(&api->is_stopping, true);
}

/* Whether the next step would go beyond the patience, if it takes as long as the last one. */
static bool is_enough(void *self)
{
    struct bl_inquiry *inquiry = self;
    bl_time now = bl_clock_monotonic();
    bl_time step = now - inquiry->step_at;

    inquiry->step_at = now;
    return now - inquiry->began_at + step > inquiry->patience;
}

struct bl_whatif_effort bl_inquiry_effort(struct bl_inquiry *inquiry,
                                          const struct bl_forecaster_scene *scene, size_t runs)
{
    return (struct bl_whatif_effort){.options = {.seed = BL_FORETELL_SEED,
                                                 .of_late = scene->of_late,
                                                 .at = scene->at,
                                                 .grain = bl_foretell_grain(scene->core),
                                                 .is_stopped = is_given_up,
                                                 .stopper = inquiry},
                                     .runs = runs,
                                     .is_enough = is_enough,
                                     .judge = inquiry,
                                     .before = scene->before};
}

void bl_inquiry_fail(struct bl_request *request)
{
    struct bl_error err;

    bl_fail(&err, BL_EREFUSED, "what will be could not be looked into now");
    bl_error_set_hint(&err, "%s", come_back);
    bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
}
