/* POST /api/v1/jobs: one job, or several that are taken together or not at all. */
#include "base/own.h"
#include "daemon/api.h"
#include "daemon/intake.h"
#include "daemon/job_json.h"

#include <assert.h>

struct outcome {
    struct bl_api *api;
    struct bl_request *request;
    bool is_batch;
    size_t count;
    bl_job_id id[]; /* in the order of the body */
};

static void answer_list(const struct outcome *outcome)
{
    const struct bl_ledger *ledger = bl_driver_ledger(outcome->api->driver);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_api_open_list(&json, &body, "jobs");
    for (size_t i = 0; i < outcome->count; i++) {
        bl_job_json_write(&json, ledger, bl_core_find_job(ledger->core, outcome->id[i]));
    }
    bl_api_answer_list(outcome->request, 201, &json);
}

static void on_submitted(void *self, bool is_accepted)
{
    struct outcome *outcome = self;
    const struct bl_job *job =
        bl_core_find_job(bl_driver_ledger(outcome->api->driver)->core, outcome->id[0]);

    if (!is_accepted) {
        bl_api_fail_unavailable(outcome->api, outcome->request);
    } else if (outcome->is_batch) {
        answer_list(outcome);
    } else {
        assert(job);
        bl_api_answer_job(outcome->api, outcome->request, 201, job);
    }
    free(outcome);
}

static struct outcome *new_outcome(const struct bl_intake *intake)
{
    struct outcome *outcome =
        bl_alloc_zero(sizeof *outcome + intake->count * sizeof outcome->id[0]);

    outcome->api = intake->api;
    outcome->request = intake->request;
    outcome->is_batch = intake->is_batch;
    outcome->count = intake->count;
    for (size_t i = 0; i < intake->count; i++) {
        outcome->id[i] = intake->item[i].id;
    }
    return outcome;
}

static int submit(struct bl_intake *intake)
{
    struct bl_submission *list = bl_arena_alloc(&intake->arena, intake->count * sizeof *list);
    struct outcome *outcome = new_outcome(intake);
    struct bl_completion done = {.self = outcome, .call = on_submitted};

    for (size_t i = 0; i < intake->count; i++) {
        struct bl_intake_item *item = intake->order[i];

        list[i] = (struct bl_submission){.id = item->id,
                                         .spec = &item->spec.core,
                                         .launch = &item->spec.launch,
                                         .env = item->spec.env,
                                         .hold = item->spec.hold};
    }
    if (bl_driver_submit(intake->api->driver, list, intake->count, done, &intake->err) != BL_OK) {
        free(outcome);
        intake->refusal = BL_ANSWER_UNAVAILABLE;
        return (int)intake->err.status;
    }
    return BL_OK;
}

void bl_api_submit(void *self, struct bl_request *request)
{
    struct bl_intake intake = {.api = self, .request = request};

    if (bl_api_admit(request) && (bl_intake_read(&intake) != BL_OK || submit(&intake) != BL_OK)) {
        bl_request_fail(request, intake.refusal, &intake.err);
    }
    bl_arena_finish(&intake.arena);
}
