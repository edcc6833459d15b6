/* The speed curve of a job, and points of it that somebody measured. */
#include "base/own.h"
#include "core/application.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/curve_json.h"
#include "form/tree_read.h"

/* Rates beyond these are mistakes. */
#define RATE_LEAST 1e-9
#define RATE_MOST  1e9

/* One point on its way to the disk. */
struct lesson {
    struct bl_api *api;
    struct bl_request *request;
    bl_job_id job;
};

static const struct bl_core *core_of(const struct bl_api *api)
{
    return bl_driver_ledger(api->driver)->core;
}

static void answer_curve(const struct bl_api *api, struct bl_request *request, bl_job_id id)
{
    struct bl_job room;
    const struct bl_job *job = bl_api_look_up(core_of(api), id, &room);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    if (!job) {
        bl_api_fail_no_job(request, bl_request_param(request));
        return;
    }
    bl_json_init(&json, &body);
    bl_curve_json_write(&json, core_of(api), job);
    bl_request_answer(request, 200, &body);
}

void bl_api_curve(void *self, struct bl_request *request)
{
    struct bl_api_target target;

    if (bl_api_find_target(self, request, &target)) {
        answer_curve(self, request, target.id);
    }
}

static int read_rate(const struct bl_tree_reader *reader, double *out)
{
    static const char *const keys[] = {"rate", NULL};
    struct bl_tree *tree = NULL;
    const struct bl_tree *at;
    int status = bl_json_read(reader->source, reader->arena, &tree, reader->err);

    if (status != BL_OK) {
        return status;
    }
    at = tree->kind == BL_TREE_MAP ? bl_tree_given(tree, "rate") : NULL;
    if (!at) {
        return bl_tree_fail(reader->source, tree, reader->err, "expected {\"rate\": NUMBER}");
    }
    status = bl_tree_check_keys(reader->source, tree, keys, reader->err);
    status = status ? status : bl_tree_read_double(reader, at, out);
    if (status == BL_OK && !(*out >= RATE_LEAST && *out <= RATE_MOST)) {
        return bl_tree_fail_kind(reader, at, "a rate over 0, in units of work a second");
    }
    return status;
}

static int read_body(struct bl_request *request, double *rate, struct bl_error *err)
{
    const struct bl_buf *body = bl_request_body(request);
    struct bl_tree_source source = {
        .name = "request body", .bytes = bl_buf_text(body), .length = body->length};
    struct bl_arena arena = {0};
    struct bl_tree_reader reader = {&source, &arena, err};
    int status = read_rate(&reader, rate);

    bl_arena_finish(&arena);
    return status;
}

/* What it ran on, as a point; false with *err when it never ran on GPUs, or has no name. */
static bool make_point(const struct bl_api *api, const struct bl_job *job, char *name,
                       struct bl_event *out, struct bl_error *err)
{
    const struct bl_alloc *alloc = &bl_ledger_get(bl_driver_ledger(api->driver), job->id)->alloc;
    const struct bl_cluster *cluster = bl_core_cluster(core_of(api));
    struct bl_lesson *lesson = &out->u.curve.lesson;

    if (!alloc->part_count || bl_alloc_gpus(alloc) < 1) {
        bl_fail(err, BL_EREFUSED, "job %lld has not run on GPUs", (long long)job->id);
        return false;
    }
    if (!bl_application_of(&job->spec, name)) {
        bl_fail(err, BL_EREFUSED, "job %lld has no name to learn under", (long long)job->id);
        bl_error_set_hint(err, "give it a name, or an application");
        return false;
    }
    out->u.curve.gpu_type = cluster->node[bl_alloc_parts(alloc)->node].spec.gpu_type;
    lesson->kind = BL_LESSON_POINT;
    lesson->application = name;
    lesson->count = 1;
    lesson->point.gpus = bl_alloc_gpus(alloc);
    lesson->point.nodes = (int32_t)alloc->part_count;
    return true;
}

static void on_done(void *self, bool is_accepted)
{
    struct lesson *lesson = self;

    if (is_accepted) {
        answer_curve(lesson->api, lesson->request, lesson->job);
    } else {
        bl_api_fail_unavailable(lesson->api, lesson->request);
    }
    free(lesson);
}

static void send(struct bl_api *api, struct bl_request *request, const struct bl_job *job,
                 struct bl_event *event)
{
    struct lesson *lesson;
    struct bl_error err;

    if (bl_driver_check(api->driver, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_UNAVAILABLE, &err);
        return;
    }
    lesson = bl_alloc_zero(sizeof *lesson);
    *lesson = (struct lesson){api, request, job->id};
    bl_driver_ask(api->driver, event, (struct bl_completion){.self = lesson, .call = on_done});
}

/* A job that reports its progress is measured by that: the two would count in other units. */
void bl_api_teach(void *self, struct bl_request *request)
{
    struct bl_api *api = self;
    const struct bl_job *job = bl_api_find_job(api, request);
    struct bl_event event = {.kind = BL_EVENT_CURVE_LEARNED};
    char name[BL_APPLICATION_MAX];
    struct bl_error err = {0};
    double rate = 0;

    if (!job) {
        return;
    }
    if (bl_auth_check_owner(bl_request_peer(request), job->id,
                            bl_ledger_launch(bl_driver_ledger(api->driver), job)->uid, &err)) {
        bl_request_fail(request, BL_ANSWER_FORBIDDEN, &err);
    } else if (read_body(request, &rate, &err) != BL_OK) {
        bl_request_fail(request, BL_ANSWER_INVALID, &err);
    } else if (job->progress.at) {
        answer_curve(api, request, job->id);
    } else if (!make_point(api, job, name, &event, &err)) {
        bl_request_fail(request, BL_ANSWER_REFUSED, &err);
    } else {
        event.u.curve.lesson.point.iter_s = 1 / rate;
        send(api, request, job, &event);
    }
}
