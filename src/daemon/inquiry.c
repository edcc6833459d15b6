#include "daemon/inquiry.h"

#include "daemon/forecaster.h"
#include "os/clock.h"

static const char come_back[] = "ask again in a few seconds";

static void work(void *self, const struct bl_core *core)
{
    struct bl_inquiry *inquiry = self;

    inquiry->deadline = bl_clock_monotonic() + inquiry->patience;
    inquiry->work(inquiry, core);
}

static void done(void *self, bool is_answered)
{
    struct bl_inquiry *inquiry = self;

    inquiry->answer(inquiry, is_answered);
}

int bl_inquiry_ask(struct bl_inquiry *inquiry, struct bl_error *err)
{
    const struct bl_forecaster_question question = {inquiry, work, done};

    inquiry->at = bl_driver_now(inquiry->api->driver);
    if (bl_forecaster_ask(bl_driver_forecaster(inquiry->api->driver), &question, err) != BL_OK) {
        return bl_error_set_hint(err, "%s", come_back);
    }
    return BL_OK;
}

void bl_api_stop_inquiries(struct bl_api *api)
{
    atomic_store(&api->is_stopping, true);
}

static bool is_over(void *self)
{
    const struct bl_inquiry *inquiry = self;

    return bl_clock_monotonic() >= inquiry->deadline || atomic_load(&inquiry->api->is_stopping);
}

struct bl_whatif_effort bl_inquiry_effort(const struct bl_inquiry *inquiry,
                                          const struct bl_core *core, size_t runs)
{
    const struct bl_forecaster *forecaster = bl_driver_forecaster(inquiry->api->driver);

    return (struct bl_whatif_effort){
        .options = {.seed = BL_FORETELL_SEED,
                    .of_late = bl_forecaster_arrivals(forecaster, core),
                    .at = inquiry->at,
                    .grain = bl_foretell_grain(core),
                    .is_stopped = is_over,
                    .stopper = (void *)(uintptr_t)inquiry},
        .runs = runs};
}

void bl_inquiry_fail(struct bl_request *request)
{
    struct bl_error err;

    bl_fail(&err, BL_EREFUSED, "what will be could not be looked into now");
    bl_error_set_hint(&err, "%s", come_back);
    bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
}
