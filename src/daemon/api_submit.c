/* POST /api/v1/jobs. */
#include "base/own.h"
#include "base/units.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "form/jobspec.h"

#include <assert.h>

static const char body_name[] = "request body";

/* What is known of a request while its body is read. */
struct intake {
    struct bl_api *api;
    struct bl_request *request;
    struct bl_arena arena;
    struct bl_jobspec spec;
    enum bl_answer refusal;
    struct bl_error err;
};

static int read_body(struct intake *intake)
{
    const struct bl_buf *body = bl_request_body(intake->request);
    struct bl_tree_source source = {
        .name = body_name, .bytes = bl_buf_text(body), .length = body->length};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(&source, &intake->arena, &tree, &intake->err);

    if (status == BL_OK && tree->kind != BL_TREE_MAP) {
        return bl_tree_fail(&source, tree, &intake->err, "expected a JSON object");
    }
    return status == BL_OK ? bl_jobspec_read(&source, tree, BL_JOBSPEC_LIVE, &intake->arena,
                                             &intake->spec, &intake->err)
                           : status;
}

static int fail_after(struct intake *intake, const char *target, const char *why)
{
    bl_fail(&intake->err, BL_EINVAL, "after: %s '%s'", why, target);
    bl_error_set_field(&intake->err, "after");
    return bl_error_set_hint(&intake->err, "name a job by its id; baleen q lists them");
}

/* Jobs that are still on their way to the disk may be waited for as well: they come before. */
static int resolve_after(struct intake *intake)
{
    size_t count = intake->spec.after_count;
    struct bl_dependency *after = bl_arena_alloc(&intake->arena, (count + 1) * sizeof *after);

    for (size_t i = 0; i < count; i++) {
        const char *target = intake->spec.after[i].target;
        int64_t owner;

        if (bl_int_parse(target, 1, INT64_MAX, &after[i].job, NULL) != BL_OK) {
            return fail_after(intake, target, "expected the id of a job, found");
        }
        if (!bl_driver_find_owner(intake->api->driver, after[i].job, &owner)) {
            return fail_after(intake, target, "there is no job");
        }
        after[i].kind = intake->spec.after[i].kind;
    }
    intake->spec.core.after = after;
    intake->spec.core.after_count = count;
    return BL_OK;
}

/* --- what no state of the machine can meet --------------------------------------------------- */

static void append_words(struct bl_buf *out, char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_buf_printf(out, "%s%s", i ? ", " : "", words[i]);
    }
}

static int refuse(struct intake *intake, const char *field, const char *text,
                  const struct bl_buf *hint)
{
    intake->refusal = BL_ANSWER_REFUSED;
    bl_fail(&intake->err, BL_EREFUSED, "%s", text);
    bl_error_set_field(&intake->err, field);
    return bl_error_set_hint(&intake->err, "%s", bl_buf_text(hint));
}

static int refuse_gpus(struct intake *intake, int64_t most)
{
    const struct bl_job_spec *spec = &intake->spec.core;
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF hint = {0};

    bl_buf_printf(&text, "no state of this machine gives one job %d %sGPUs", spec->gpus_want,
                  spec->gpu_type_count || spec->gpu_mem_bytes || spec->pool ? "such " : "");
    if (spec->nodes_max > 0) {
        bl_buf_printf(&text, " on %d node%s", spec->nodes_max, spec->nodes_max == 1 ? "" : "s");
    }
    if (most > 0) {
        bl_buf_printf(&hint, "ask for at most %lld GPU%s", (long long)most, most == 1 ? "" : "s");
    } else {
        bl_buf_append_text(&hint, "there is none: ask for no GPU");
    }
    return refuse(intake, "resources.gpus", bl_buf_text(&text), &hint);
}

static int refuse_words(struct intake *intake, const char *field, const char *text,
                        const struct bl_buf *words)
{
    BL_AUTO_BUF hint = {0};

    bl_buf_printf(&hint, "there are: %s", words->length ? bl_buf_text(words) : "none");
    return refuse(intake, field, text, &hint);
}

static int refuse_amount(struct intake *intake, const char *field, const char *text, int64_t most)
{
    BL_AUTO_BUF hint = {0};

    bl_buf_append_text(&hint, "ask for at most ");
    bl_size_print(&hint, most);
    return refuse(intake, field, text, &hint);
}

static int refuse_cpus(struct intake *intake, int64_t most_milli)
{
    BL_AUTO_BUF hint = {0};

    bl_buf_printf(&hint, "the largest suitable node has %g CPUs", (double)most_milli / 1000);
    return refuse(intake, "resources.cpus", "no state of this machine gives one job so many CPUs",
                  &hint);
}

static int check_place(struct intake *intake)
{
    const struct bl_cluster *cluster = bl_core_cluster(bl_driver_ledger(intake->api->driver)->core);
    struct bl_misfit_report report = bl_place_check(cluster, &intake->spec.core);
    BL_AUTO_BUF words = {0};

    switch (report.kind) {
    case BL_MISFIT_NONE:
        return BL_OK;
    case BL_MISFIT_GPUS:
        return refuse_gpus(intake, report.most);
    case BL_MISFIT_GPU_TYPE:
        append_words(&words, cluster->type_name, cluster->type_count);
        return refuse_words(intake, "resources.gpu.type", "no node has GPUs of the wanted type",
                            &words);
    case BL_MISFIT_POOL:
        append_words(&words, cluster->pool_name, cluster->pool_count);
        return refuse_words(intake, "pool", "there is no such pool", &words);
    case BL_MISFIT_GPU_MEM:
        return refuse_amount(intake, "resources.gpu.mem", "no suitable GPU has so much memory",
                             report.most);
    case BL_MISFIT_CPU:
        return refuse_cpus(intake, report.most);
    case BL_MISFIT_MEM:
        return refuse_amount(intake, "resources.mem",
                             "no state of this machine gives one job so much memory", report.most);
    }
    return BL_OK;
}

/* --- on its way to the disk ------------------------------------------------------------------ */

struct outcome {
    struct bl_api *api;
    struct bl_request *request;
    bl_job_id id;
};

static void fail_unavailable(const struct bl_api *api, struct bl_request *request)
{
    struct bl_error err;

    if (bl_driver_check(api->driver, &err) == BL_OK) {
        bl_fail(&err, BL_EUNREACHABLE, "the daemon stops");
    }
    bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
}

static void on_submitted(void *self, bool is_accepted)
{
    struct outcome *outcome = self;
    const struct bl_job *job =
        bl_core_find_job(bl_driver_ledger(outcome->api->driver)->core, outcome->id);

    if (is_accepted) {
        assert(job);
        bl_api_answer_job(outcome->api, outcome->request, 201, job);
    } else {
        fail_unavailable(outcome->api, outcome->request);
    }
    free(outcome);
}

static int submit(struct intake *intake)
{
    const struct bl_peer *peer = bl_request_peer(intake->request);
    struct outcome *outcome = bl_alloc_zero(sizeof *outcome);
    struct bl_submission submission = {
        .spec = &intake->spec.core, .launch = &intake->spec.launch, .env = intake->spec.env};
    struct bl_completion done = {.self = outcome, .call = on_submitted};
    BL_AUTO_BUF user = {0};

    bl_auth_print_user(&user, peer->uid);
    intake->spec.core.user = bl_buf_text(&user);
    intake->spec.launch.uid = peer->uid;
    intake->spec.launch.gid = peer->gid;
    outcome->api = intake->api;
    outcome->request = intake->request;
    outcome->id = bl_driver_submit(intake->api->driver, &submission, done, &intake->err);
    if (!outcome->id) {
        free(outcome);
        intake->refusal = BL_ANSWER_UNAVAILABLE;
        return (int)intake->err.status;
    }
    return BL_OK;
}

static int take_in(struct intake *intake)
{
    int status = bl_auth_check_submitter(bl_request_peer(intake->request), &intake->err);

    if (status != BL_OK) {
        intake->refusal = BL_ANSWER_FORBIDDEN;
        return status;
    }
    status = read_body(intake);
    status = status == BL_OK ? resolve_after(intake) : status;
    status = status == BL_OK ? check_place(intake) : status;
    return status == BL_OK ? submit(intake) : status;
}

void bl_api_submit(void *self, struct bl_request *request)
{
    struct intake intake = {.api = self, .request = request, .refusal = BL_ANSWER_INVALID};

    if (bl_api_admit(request) && take_in(&intake) != BL_OK) {
        bl_request_fail(request, intake.refusal, &intake.err);
    }
    bl_arena_finish(&intake.arena);
}
