/* What people ask of a job: cancel, hold, release, requeue, change, move. Twice is once; what
 * cannot be is refused with the way out. */
#include "base/own.h"
#include "base/units.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/job_json.h"
#include "form/tree_read.h"

#include <assert.h>

/* One request on its way to the disk. */
struct demand {
    struct bl_api *api;
    struct bl_request *request;
    const struct verb *verb;
    struct bl_api_target target;
    struct bl_event event;
};

/* What becomes of a demand, as the job stands. */
enum verdict { GO, DONE, REFUSED, FORBIDDEN, INVALID };

struct verb {
    const char *name;
    enum bl_event_kind kind;
    enum verdict (*judge)(struct demand *demand, struct bl_error *err);
    void (*answer)(const struct demand *demand);
};

static const struct bl_core *core_of(const struct demand *demand)
{
    return bl_driver_ledger(demand->api->driver)->core;
}

static const struct bl_peer *peer_of(const struct demand *demand)
{
    return bl_request_peer(demand->request);
}

/* The job itself; NULL while it is on its way to the disk. */
static const struct bl_job *job_of(const struct demand *demand)
{
    return bl_core_find_job(core_of(demand), demand->target.id);
}

static enum verdict refuse(struct bl_error *err, const struct bl_job *job, const char *what,
                           const char *hint)
{
    bl_fail(err, BL_EREFUSED, "job %lld %s", (long long)job->id, what);
    bl_error_set_hint(err, "%s", hint);
    return REFUSED;
}

static enum verdict refuse_ended(struct bl_error *err, const struct bl_job *job)
{
    bl_fail(err, BL_EREFUSED, "job %lld has ended: it is %s", (long long)job->id,
            bl_job_state_name(job->state));
    bl_error_set_hint(err, "submit it again");
    return REFUSED;
}

/* --- verbs ----------------------------------------------------------------------------------- */

static enum verdict judge_cancel(struct demand *demand, struct bl_error *err)
{
    struct bl_job room;
    const struct bl_job *job = bl_api_look_up(core_of(demand), demand->target.id, &room);

    (void)err;
    return job && bl_job_state_is_ended(job->state) ? DONE : GO;
}

static enum verdict judge_hold(struct demand *demand, struct bl_error *err)
{
    const struct bl_job *job = job_of(demand);

    if (!job || (!bl_job_state_is_ended(job->state) && !bl_job_state_is_active(job->state))) {
        return job && job->is_held ? DONE : GO;
    }
    if (bl_job_state_is_ended(job->state)) {
        return refuse_ended(err, job);
    }
    return refuse(err, job, "runs: only a job that has not started can be held",
                  "put it back with requeue and hold it then, or cancel it");
}

/* What somebody held who may do more stays held. */
static enum verdict judge_release(struct demand *demand, struct bl_error *err)
{
    const struct bl_job *job = job_of(demand);

    if (!job || job->is_held) {
        bool is_by_root = job && job->reason.code == BL_REASON_HELD && job->reason.need == 0;

        if (is_by_root &&
            bl_auth_check_manager(peer_of(demand), "releasing what root holds", err)) {
            return FORBIDDEN;
        }
        return GO;
    }
    return bl_job_state_is_ended(job->state) ? refuse_ended(err, job) : DONE;
}

static enum verdict judge_requeue(struct demand *demand, struct bl_error *err)
{
    const struct bl_job *job = job_of(demand);

    if (!job) {
        return GO;
    }
    if (bl_job_state_is_ended(job->state)) {
        return refuse_ended(err, job);
    }
    if (job->array) {
        return refuse(err, job, "is an array: only its elements run", "name one, as in 7_3");
    }
    if (job->spec.is_adopted) {
        return refuse(err, job, "was adopted: baleen does not know how to start it again",
                      "cancel it, and submit its command");
    }
    if (job->state == BL_JOB_STOPPING && job->stop_as != BL_JOB_QUEUED) {
        return refuse(err, job, "is being stopped for good", "submit it again");
    }
    if (job->state == BL_JOB_HELD) {
        return refuse(err, job, "is held", "release it");
    }
    return job->state == BL_JOB_STOPPING || !bl_job_state_is_active(job->state) ? DONE : GO;
}

/* The first key that only a job that does not run may be given; NULL when there is none. */
static const char *field_of_standing(const struct bl_job_change *change)
{
    return change->set_gpus         ? "gpus"
           : change->set_gpu_types  ? "gpu_type"
           : change->set_nodes      ? "nodes"
           : change->set_class      ? "class"
           : change->set_not_before ? "not_before"
                                    : NULL;
}

static enum verdict check_change(const struct demand *demand, const struct bl_job *job,
                                 struct bl_error *err)
{
    const struct bl_job_change *change = &demand->event.u.changed;
    struct bl_job_spec changed = bl_job_changed_shape(&job->spec, change);
    bool is_active = bl_job_state_is_active(job->state);

    if (is_active && field_of_standing(change)) {
        refuse(err, job, "runs: what it runs on and its start stay as they are",
               "put it back with requeue and change it then");
        bl_error_set_field(err, field_of_standing(change));
        return REFUSED;
    }
    if (change->set_priority && change->priority > 0 && change->priority > job->spec.priority &&
        bl_auth_check_manager(peer_of(demand), "a priority above 0", err) != BL_OK) {
        bl_error_set_field(err, "priority");
        return FORBIDDEN;
    }
    if ((change->set_gpus || change->set_gpu_types || change->set_nodes) &&
        bl_api_check_fit(bl_core_cluster(core_of(demand)), &changed, err) != BL_OK) {
        return REFUSED;
    }
    changed.limit = change->set_limit ? change->limit : changed.limit;
    if (!is_active &&
        (change->set_limit || change->set_gpus || change->set_gpu_types || change->set_nodes) &&
        bl_api_check_slot(core_of(demand), &changed, err) != BL_OK) {
        bl_error_set_field(err, change->set_limit ? "limit" : "gpus");
        return REFUSED;
    }
    return GO;
}

static enum verdict judge_change(struct demand *demand, struct bl_error *err)
{
    const struct bl_job *job = job_of(demand);
    struct bl_api_standing standing;

    if (!job) {
        bl_fail(err, BL_EREFUSED, "job %lld is on its way to the disk",
                (long long)demand->target.id);
        bl_error_set_hint(err, "ask again once it is submitted");
        return REFUSED;
    }
    if (bl_job_state_is_ended(job->state)) {
        return refuse_ended(err, job);
    }
    standing = (struct bl_api_standing){&job->spec, bl_core_cluster(core_of(demand)),
                                        bl_driver_now(demand->api->driver)};
    if (bl_api_read_change(demand->request, &standing, &demand->event.u.changed, err) != BL_OK) {
        return INVALID;
    }
    return check_change(demand, job, err);
}

/* --- move ------------------------------------------------------------------------------------ */

/* The one number of a body that has nothing else. */
struct number {
    const char *key;
    struct bl_int_range range;
    const char *example;
};

static int read_number(struct bl_request *request, const struct number *number, int64_t *out,
                       struct bl_error *err)
{
    const char *const keys[] = {number->key, NULL};
    const struct bl_buf *body = bl_request_body(request);
    struct bl_tree_source source = {
        .name = "request body", .bytes = bl_buf_text(body), .length = body->length};
    struct bl_arena arena = {0};
    struct bl_tree_reader reader = {&source, &arena, err};
    struct bl_tree *tree = NULL;
    int status = bl_json_read(&source, &arena, &tree, err);

    if (status == BL_OK && (tree->kind != BL_TREE_MAP || !bl_tree_find(tree, number->key))) {
        status = bl_tree_fail(&source, tree, err, "expected %s", number->example);
    }
    status = status == BL_OK ? bl_tree_check_keys(&source, tree, keys, err) : status;
    if (status == BL_OK) {
        status = bl_tree_read_int(&reader, bl_tree_find(tree, number->key), number->range, out);
    }
    bl_arena_finish(&arena);
    return status;
}

static bool is_in_line(const struct bl_job *job)
{
    return !bl_job_state_is_ended(job->state) && !bl_job_state_is_active(job->state);
}

static bool is_before(const struct bl_job *a, const struct bl_job *b)
{
    if (a->order_at != b->order_at) {
        return a->order_at < b->order_at;
    }
    return a->order_rank != b->order_rank ? a->order_rank < b->order_rank : a->id < b->id;
}

/* A job of somebody else that would be passed on the way, or NULL. */
static const struct bl_job *find_passed(const struct demand *demand, const struct bl_job *job,
                                        const struct bl_job *before)
{
    const struct bl_ledger *ledger = bl_driver_ledger(demand->api->driver);
    int64_t owner = bl_ledger_launch(ledger, job)->uid;
    const struct bl_job *other;
    size_t cursor = 0;

    while ((other = bl_core_next_job(ledger->core, &cursor))) {
        if (is_in_line(other) && other != job && !is_before(other, before) &&
            is_before(other, job) && bl_ledger_launch(ledger, other)->uid != owner) {
            return other;
        }
    }
    return NULL;
}

static enum verdict check_move(const struct demand *demand, const struct bl_job *job,
                               const struct bl_job *before, struct bl_error *err)
{
    const struct bl_job *passed;

    if (!is_in_line(job)) {
        return refuse(err, job, "is not in line any more",
                      "only a job that has not started can be moved");
    }
    if (!is_in_line(before)) {
        return refuse(err, before, "is not in line any more", "name a job that has not started");
    }
    passed = bl_auth_is_manager(peer_of(demand)) ? NULL : find_passed(demand, job, before);
    if (passed) {
        bl_fail(err, BL_EREFUSED, "job %lld of another user would have to wait longer",
                (long long)passed->id);
        bl_error_set_hint(err, "move it behind that one, or ask who looks after this machine");
        return FORBIDDEN;
    }
    return GO;
}

static enum verdict judge_move(struct demand *demand, struct bl_error *err)
{
    const struct bl_job *job = job_of(demand);
    static const struct number before_whom = {"before", {1, INT64_MAX}, "{\"before\": ID}"};
    const struct bl_job *before;
    bl_job_id id = 0;

    if (read_number(demand->request, &before_whom, &id, err) != BL_OK) {
        return INVALID;
    }
    before = bl_core_find_job(core_of(demand), id);
    if (!before || !job) {
        bl_fail(err, BL_EINVAL, "there is no job %lld", (long long)id);
        bl_error_set_field(err, "before");
        return INVALID;
    }
    demand->event.u.moved.before = id;
    return before == job ? DONE : check_move(demand, job, before, err);
}

/* --- resize ---------------------------------------------------------------------------------- */

static enum verdict refuse_size(struct bl_error *err, const struct bl_job *job, int64_t gpus)
{
    const struct bl_job_spec *spec = &job->spec;
    BL_AUTO_BUF legal = {0};

    if (!bl_job_is_elastic(spec)) {
        return refuse(err, job, "is not elastic: its number of GPUs does not change",
                      "submit it with a range like --gpus 2-8");
    }
    for (size_t i = 0; i < spec->gpu_count_count; i++) {
        bl_buf_printf(&legal, "%s%d", i ? ", " : "", (int)spec->gpu_count[i]);
    }
    if (!spec->gpu_count_count) {
        bl_buf_printf(&legal, "%d to %d", (int)spec->gpus_min, (int)spec->gpus_max);
    }
    bl_fail(err, BL_EREFUSED, "job %lld runs on %s GPUs, not on %lld", (long long)job->id,
            bl_buf_text(&legal), (long long)gpus);
    bl_error_set_field(err, "gpus");
    return REFUSED;
}

static enum verdict judge_resize(struct demand *demand, struct bl_error *err)
{
    static const struct number size = {
        "gpus", {0, BL_NODE_COUNTED_GPUS_MAX}, "{\"gpus\": NUMBER}, 0 = as the policy likes"};
    const struct bl_job *job = job_of(demand);
    int64_t gpus = 0;

    if (read_number(demand->request, &size, &gpus, err) != BL_OK) {
        return INVALID;
    }
    if (job && bl_job_state_is_ended(job->state)) {
        return refuse_ended(err, job);
    }
    if (job && gpus > 0 &&
        (!bl_job_is_elastic(&job->spec) || !bl_job_is_legal_count(&job->spec, (int32_t)gpus))) {
        return refuse_size(err, job, gpus);
    }
    demand->event.u.resize_asked.gpus = (int32_t)gpus;
    return job && job->gpus_wish == gpus ? DONE : GO;
}

/* --- on the way to the disk ------------------------------------------------------------------ */

static void answer_state(const struct demand *demand)
{
    struct bl_job room;
    const struct bl_job *job = bl_api_look_up(core_of(demand), demand->target.id, &room);
    BL_AUTO_BUF body = {0};
    struct bl_json json;

    bl_json_init(&json, &body);
    bl_json_open_object(&json);
    bl_json_put_int(&json, "id", demand->target.id);
    bl_json_put_text(&json, "state", bl_job_state_name(bl_job_shown_state(job)));
    bl_json_close_object(&json);
    bl_request_answer(demand->request, 200, &body);
}

static void answer_job(const struct demand *demand)
{
    bl_api_answer_job(demand->api, demand->request, 200, job_of(demand));
}

static void fail(const struct demand *demand, enum verdict verdict, const struct bl_error *err)
{
    enum bl_answer kind = verdict == REFUSED     ? BL_ANSWER_REFUSED
                          : verdict == FORBIDDEN ? BL_ANSWER_FORBIDDEN
                                                 : BL_ANSWER_INVALID;

    bl_request_fail(demand->request, kind, err);
}

/* The job may have gone on while the demand was on its way: then it has changed nothing. */
static void on_done(void *self, bool is_accepted)
{
    struct demand *demand = self;
    struct bl_error err;
    enum verdict verdict;

    if (!is_accepted) {
        bl_api_fail_unavailable(demand->api, demand->request);
        free(demand);
        return;
    }
    verdict = demand->verb->judge(demand, &err);
    if (verdict == GO || verdict == DONE) {
        demand->verb->answer(demand);
    } else {
        fail(demand, verdict, &err);
    }
    free(demand);
}

static void send_off(const struct demand *demand)
{
    struct demand *kept = bl_alloc_zero(sizeof *kept);
    struct bl_completion done = {.self = kept, .call = on_done};
    struct bl_error err;

    if (bl_driver_check(demand->api->driver, &err) != BL_OK) {
        bl_request_fail(demand->request, BL_ANSWER_UNAVAILABLE, &err);
        free(kept);
        return;
    }
    *kept = *demand;
    bl_driver_ask(demand->api->driver, &kept->event, done);
}

static int64_t owner_of(const struct demand *demand)
{
    const struct bl_api_target *target = &demand->target;
    int64_t owner = 0;

    bl_driver_find_owner(demand->api->driver, target->array ? target->array->id : target->id,
                         &owner);
    return owner;
}

/* Who is noted to have asked: whoever has an admin's token acts as root on what is not theirs. */
static int64_t acting_uid(const struct demand *demand)
{
    const struct bl_peer *peer = peer_of(demand);
    bool is_as_root =
        peer->token && bl_auth_is_manager(peer) && owner_of(demand) != (int64_t)peer->uid;

    return is_as_root ? 0 : (int64_t)peer->uid;
}

/* Whether the peer may act on the target; false when it has been answered. */
static bool check_target(const struct demand *demand)
{
    const struct bl_api_target *target = &demand->target;
    BL_AUTO_BUF name = {0};
    struct bl_error err;

    if (bl_auth_check_owner(peer_of(demand), target->id, owner_of(demand), &err) != BL_OK) {
        bl_request_fail(demand->request, BL_ANSWER_FORBIDDEN, &err);
        return false;
    }
    if (target->array && demand->verb->kind != BL_EVENT_JOB_CANCELLED) {
        bl_api_print_target(&name, target);
        bl_fail(&err, BL_EREFUSED, "%s has not started: it is part of its array until then",
                bl_buf_text(&name));
        bl_error_set_hint(&err, "%s job %lld, the whole array", demand->verb->name,
                          (long long)target->array->id);
        bl_request_fail(demand->request, BL_ANSWER_REFUSED, &err);
        return false;
    }
    return true;
}

static void handle(struct bl_api *api, struct bl_request *request, const struct verb *verb)
{
    struct demand demand = {.api = api, .request = request, .verb = verb};
    struct bl_error err;
    enum verdict verdict;

    if (!bl_api_find_target(api, request, &demand.target) || !check_target(&demand)) {
        return;
    }
    demand.event = (struct bl_event){.kind = verb->kind, .job = demand.target.id};
    if (verb->kind == BL_EVENT_JOB_RESIZE_ASKED) {
        demand.event.u.resize_asked.uid = acting_uid(&demand);
    } else if (verb->kind != BL_EVENT_JOB_CHANGED && verb->kind != BL_EVENT_JOB_MOVED) {
        demand.event.u.cancelled.uid = acting_uid(&demand);
    }
    verdict = verb->judge(&demand, &err);
    if (verdict == GO) {
        send_off(&demand);
    } else if (verdict == DONE) {
        verb->answer(&demand);
    } else {
        fail(&demand, verdict, &err);
    }
}

void bl_api_cancel(void *self, struct bl_request *request)
{
    static const struct verb verb = {"cancel", BL_EVENT_JOB_CANCELLED, judge_cancel, answer_state};

    handle(self, request, &verb);
}

void bl_api_hold(void *self, struct bl_request *request)
{
    static const struct verb verb = {"hold", BL_EVENT_JOB_HELD, judge_hold, answer_job};

    handle(self, request, &verb);
}

void bl_api_release(void *self, struct bl_request *request)
{
    static const struct verb verb = {"release", BL_EVENT_JOB_RELEASED, judge_release, answer_job};

    handle(self, request, &verb);
}

void bl_api_requeue(void *self, struct bl_request *request)
{
    static const struct verb verb = {"requeue", BL_EVENT_JOB_REQUEUED, judge_requeue, answer_job};

    handle(self, request, &verb);
}

void bl_api_change(void *self, struct bl_request *request)
{
    static const struct verb verb = {"set", BL_EVENT_JOB_CHANGED, judge_change, answer_job};

    handle(self, request, &verb);
}

void bl_api_move(void *self, struct bl_request *request)
{
    static const struct verb verb = {"move", BL_EVENT_JOB_MOVED, judge_move, answer_job};

    handle(self, request, &verb);
}

void bl_api_resize(void *self, struct bl_request *request)
{
    static const struct verb verb = {"resize", BL_EVENT_JOB_RESIZE_ASKED, judge_resize, answer_job};

    handle(self, request, &verb);
}
