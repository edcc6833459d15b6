/* POST /api/v1/plan: what would become of a job that is not submitted, and whom it would delay. */
#include "base/own.h"
#include "core/predictions.h"
#include "daemon/intake.h"
#include "daemon/job_json.h"
#include "daemon/inquiry.h"

enum { RUNS = 16, DELAYS_MAX = 100 };

struct plan {
    struct bl_inquiry inquiry;
    struct bl_intake intake;
    struct bl_job_spec spec;
    struct bl_whatif told;
};

static void work(struct bl_inquiry *inquiry, const struct bl_forecaster_scene *scene)
{
    struct plan *plan = (struct plan *)inquiry;
    struct bl_whatif_effort effort = bl_inquiry_effort(inquiry, scene, RUNS);

    bl_whatif_submit(scene->core, &plan->spec, &effort, &plan->intake.arena, &plan->told);
}

static void put_length(struct bl_json *json, const char *key, const struct bl_dist *length,
                       double level)
{
    bl_time at = bl_dist_quantile(length, level);

    bl_json_put_seconds(json, key, (at + BL_SECOND - 1) / BL_SECOND * BL_SECOND);
}

/* What is foreseen of its run; else its limit, which says only that it is not passed. */
static void put_duration(struct bl_json *json, const struct plan *plan)
{
    const struct bl_dist *length = &plan->told.length;

    if (!bl_dist_is_known(length) && plan->spec.limit == 0) {
        bl_json_put_null(json, "duration");
        return;
    }
    bl_json_key(json, "duration");
    bl_json_open_object(json);
    if (bl_dist_is_known(length)) {
        put_length(json, "p10", length, .1);
        put_length(json, "p50", length, .5);
        put_length(json, "p90", length, .9);
    } else {
        bl_json_put_null(json, "p10");
        bl_json_put_null(json, "p50");
        bl_json_put_seconds(json, "p90", plan->spec.limit);
    }
    bl_json_put_text(json, "from", bl_dist_is_known(length) ? "runs" : "limits");
    bl_json_close_object(json);
}

static void put_delays(struct bl_json *json, const struct plan *plan,
                       const struct bl_ledger *ledger)
{
    int64_t count = 0;

    bl_json_key(json, "delays");
    bl_json_open_array(json);
    for (size_t i = 0; i < plan->told.delay_count && count < DELAYS_MAX; i++) {
        const struct bl_whatif_delay *delay = &plan->told.delay[i];
        const struct bl_job *job = bl_core_find_job(ledger->core, delay->job);

        if (!job) {
            continue;
        }
        count++;
        bl_json_open_object(json);
        bl_json_put_int(json, "id", job->id);
        bl_json_put_text(json, "user", job->spec.user);
        bl_json_put_text(json, "name", job->spec.name);
        if (delay->by == BL_TIME_NEVER) {
            bl_json_put_null(json, "by_s");
        } else {
            bl_json_put_seconds(json, "by_s", delay->by);
        }
        bl_json_close_object(json);
    }
    bl_json_close_array(json);
    bl_json_put_int(json, "delayed_count", (int64_t)plan->told.delay_count);
}

static void write_answer(struct bl_json *json, const struct plan *plan)
{
    const struct bl_whatif *told = &plan->told;

    bl_json_open_object(json);
    put_duration(json, plan);
    bl_range_json_write(json, "start", &told->start);
    if (bl_dist_is_known(&told->length) || plan->spec.limit > 0) {
        bl_range_json_write(json, "end", &told->end);
    } else {
        bl_json_put_null(json, "end"); /* nothing says how long it will run */
    }
    bl_json_put_text(json, "from",
                     told->from_limits ? "limits"
                     : told->runs == 1 ? "median"
                                       : "runs");
    bl_json_put_int(json, "runs", (int64_t)told->runs);
    bl_json_put_bool(json, "now", told->is_now);
    bl_json_put_instant(json, "promised_at", told->promised_at);
    if (told->is_now || told->reason.code == BL_REASON_NONE) {
        bl_json_put_null(json, "waits_for");
    } else {
        bl_json_key(json, "waits_for");
        bl_json_open_object(json);
        bl_job_json_write_bare_reason(json, &told->reason);
        bl_json_close_object(json);
    }
    put_delays(json, plan, bl_driver_ledger(plan->inquiry.api->driver));
    bl_json_close_object(json);
}

static void finish(struct plan *plan)
{
    bl_arena_finish(&plan->intake.arena);
    free(plan);
}

static void answer(struct bl_inquiry *inquiry, bool is_answered)
{
    struct plan *plan = (struct plan *)inquiry;
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (is_answered && plan->told.runs > 0) {
        bl_json_init(&json, &body);
        write_answer(&json, plan);
        bl_request_answer(inquiry->request, 200, &body);
    } else {
        bl_inquiry_fail(inquiry->request);
    }
    finish(plan);
}

/* One job: of several each would be in the way of the others. */
static int read_job(struct plan *plan)
{
    struct bl_intake *intake = &plan->intake;
    const struct bl_core *core = bl_driver_ledger(intake->api->driver)->core;
    int status = bl_intake_read(intake);

    if (status == BL_OK && intake->is_batch) {
        bl_fail(&intake->err, BL_EINVAL, "expected one job, found several");
        bl_error_set_field(&intake->err, "jobs");
        return bl_error_set_hint(&intake->err, "ask about each of them");
    }
    if (status == BL_OK) {
        plan->spec = intake->item[0].spec.core;
        bl_whatif_drop_met(core, &plan->spec, &intake->arena);
    }
    return status;
}

void bl_api_plan(void *self, struct bl_request *request)
{
    struct plan *plan;

    if (!bl_api_admit(request)) {
        return;
    }
    plan = bl_alloc_zero(sizeof *plan);
    plan->inquiry =
        (struct bl_inquiry){self, request, work, answer, .patience = BL_INQUIRY_PATIENCE};
    plan->intake.api = self;
    plan->intake.request = request;
    if (read_job(plan) != BL_OK) {
        bl_request_fail(request, plan->intake.refusal, &plan->intake.err);
        finish(plan);
    } else if (bl_inquiry_ask(&plan->inquiry, &plan->intake.err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &plan->intake.err);
        finish(plan);
    }
}
