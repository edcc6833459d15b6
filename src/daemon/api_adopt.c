/* POST /api/v1/jobs/adopt: a process of this machine becomes a job where it runs. Who it belongs to
 * is asked of the kernel, who asks of the connection. */
#include "base/own.h"
#include "core/adopt.h"
#include "daemon/api.h"
#include "daemon/auth.h"
#include "daemon/job_json.h"
#include "form/adoptspec.h"

#include <string.h>

static const char body_name[] = "request body";

/* One request: its process is looked at, then it is on its way to the disk. */
struct bl_adopting {
    struct bl_adopting *next; /* of those that are on that way */
    struct bl_api *api;
    struct bl_request *request;
    struct bl_arena arena;
    struct bl_adoptspec asked;
    struct bl_sight *seen;
    struct bl_engine_process process;
    struct bl_job_spec spec;
    bl_job_id id;
    enum bl_answer refusal; /* where it fails: with `err` */
    struct bl_error err;
};

static const struct bl_core *core_of(const struct bl_adopting *demand)
{
    return bl_driver_ledger(demand->api->driver)->core;
}

static void destroy(struct bl_adopting *demand)
{
    struct bl_adopting **at = &demand->api->adopting;

    while (*at && *at != demand) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = demand->next;
    }
    bl_arena_finish(&demand->arena);
    bl_sight_destroy(demand->seen);
    free(demand);
}

static int refuse(struct bl_adopting *demand, enum bl_answer kind, const char *field)
{
    demand->refusal = kind;
    return bl_error_set_field(&demand->err, field);
}

/* --- what is asked --------------------------------------------------------------------------- */

static int read_body(struct bl_adopting *demand)
{
    const struct bl_buf *body = bl_request_body(demand->request);
    struct bl_tree_source source = {
        .name = body_name, .bytes = bl_buf_text(body), .length = body->length};
    struct bl_tree *tree = NULL;

    demand->refusal = BL_ANSWER_INVALID;
    if (bl_json_read(&source, &demand->arena, &tree, &demand->err) != BL_OK) {
        return (int)demand->err.status;
    }
    return bl_adoptspec_read(&source, tree, &demand->arena, &demand->asked, &demand->err);
}

static int examine(struct bl_adopting *demand)
{
    const struct bl_peer *peer = bl_request_peer(demand->request);
    const struct bl_engine_asker asker = {
        .pid = demand->asked.pid, .uid = peer->uid, .is_manager = bl_auth_is_manager(peer)};
    int status = bl_driver_examine(demand->api->driver, &asker, demand->seen, &demand->arena,
                                   &demand->process, &demand->err);

    return status == BL_OK
               ? BL_OK
               : refuse(demand, status == BL_ENOTFOUND ? BL_ANSWER_NOT_FOUND : BL_ANSWER_REFUSED,
                        "pid");
}

/* The engine learns of it after a round: until then nobody else may take it. */
static bl_job_id find_other(const struct bl_adopting *demand)
{
    const struct bl_ledger *ledger = bl_driver_ledger(demand->api->driver);
    const struct bl_adopting *other = demand->api->adopting;
    const struct bl_job *job;
    size_t cursor = 0;

    while (other && other->asked.pid != demand->asked.pid) {
        other = other->next;
    }
    if (other) {
        return other->id;
    }
    while ((job = bl_core_next_job(ledger->core, &cursor))) {
        if (job->spec.is_adopted && bl_job_state_is_active(job->state) &&
            bl_ledger_launch(ledger, job)->pid == demand->asked.pid) {
            return job->id;
        }
    }
    return 0;
}

static int check_others(struct bl_adopting *demand)
{
    bl_job_id other = find_other(demand);

    if (!other) {
        return BL_OK;
    }
    bl_fail(&demand->err, BL_EREFUSED, "process %lld belongs to job %lld already",
            (long long)demand->asked.pid, (long long)other);
    return refuse(demand, BL_ANSWER_REFUSED, "pid");
}

/* --- its GPUs -------------------------------------------------------------------------------- */

static uint64_t mask_on(const struct bl_booking_place *on, size_t count, const char *node)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < count; i++) {
        mask |= strcmp(on[i].node, node) == 0 ? on[i].gpu_mask : 0;
    }
    return mask;
}

/* "gpu0-3" is of the only node; a node by itself is all of it. */
static int name_places(struct bl_adopting *demand)
{
    const struct bl_cluster *cluster = bl_core_cluster(core_of(demand));
    struct bl_booking_place *on =
        bl_arena_alloc(&demand->arena, demand->asked.on_count * sizeof *on);
    size_t named = 0;

    for (size_t i = 0; i < demand->asked.on_count; i++) {
        struct bl_booking_place *place = &on[named];
        uint64_t before;
        int32_t node;

        *place = demand->asked.on[i];
        if (!place->node && cluster->node_count != 1) {
            bl_fail(&demand->err, BL_EINVAL,
                    "on: there are %zu nodes: expected one of them before the GPU, as in n1:0",
                    cluster->node_count);
            return refuse(demand, BL_ANSWER_INVALID, "on");
        }
        place->node = place->node ? place->node : cluster->node[0].spec.name;
        node = bl_cluster_find_node(cluster, place->node);
        if (node >= 0 && !place->gpu_mask) {
            place->gpu_mask = bl_node_gpus(&cluster->node[node].spec);
        }
        before = mask_on(on, named, place->node); /* what is named twice is one */
        named += !before || (place->gpu_mask & ~before);
        place->gpu_mask &= ~before;
    }
    demand->spec.on = on;
    demand->spec.on_count = named;
    return BL_OK;
}

/* What it was found to use must be among those that are named: the books say what is so. */
static int check_found(struct bl_adopting *demand)
{
    const struct bl_engine_process *process = &demand->process;

    for (size_t i = 0; i < process->on_count; i++) {
        const struct bl_booking_place *found = &process->on[i];
        uint64_t missing =
            found->gpu_mask & ~mask_on(demand->spec.on, demand->spec.on_count, found->node);

        if (missing) {
            bl_fail(&demand->err, BL_EREFUSED,
                    "process %lld uses GPU %d of %s, which is not among those that are named",
                    (long long)demand->asked.pid, __builtin_ctzll(missing), found->node);
            bl_error_set_hint(&demand->err, "name it as well, or leave the GPUs to be found");
            return refuse(demand, BL_ANSWER_REFUSED, "on");
        }
    }
    return BL_OK;
}

static int fail_unknown(struct bl_adopting *demand)
{
    bl_fail(&demand->err, BL_EREFUSED, "cannot tell which GPUs process %lld uses",
            (long long)demand->asked.pid);
    bl_error_set_hint(&demand->err,
                      "say which with --gpu, or how many with --gpus (0 for a job without GPUs)");
    return refuse(demand, BL_ANSWER_REFUSED, "on");
}

static int32_t count_gpus(const struct bl_job_spec *spec)
{
    int32_t gpus = 0;

    for (size_t i = 0; i < spec->on_count; i++) {
        gpus += __builtin_popcountll(spec->on[i].gpu_mask);
    }
    return gpus;
}

static int choose_gpus(struct bl_adopting *demand)
{
    const struct bl_engine_process *process = &demand->process;
    struct bl_job_spec *spec = &demand->spec;
    int status = BL_OK;
    int32_t named;

    spec->on = process->on;
    spec->on_count = process->on_count;
    if (demand->asked.on_count > 0) {
        status = name_places(demand);
        status = status == BL_OK ? check_found(demand) : status;
    } else if (!process->knows_gpus && !demand->asked.has_gpus) {
        status = fail_unknown(demand);
    }
    named = count_gpus(spec);
    if (status == BL_OK && demand->asked.has_gpus && demand->asked.gpus < named) {
        bl_fail(&demand->err, BL_EREFUSED, "process %lld has %d GPUs, more than the %d asked for",
                (long long)demand->asked.pid, (int)named, (int)demand->asked.gpus);
        return refuse(demand, BL_ANSWER_REFUSED, "gpus");
    }
    spec->gpus_min = demand->asked.has_gpus ? demand->asked.gpus : named;
    return status;
}

/* Where it is although it uses no GPU, or nobody knows which. */
static void choose_node(struct bl_adopting *demand)
{
    struct bl_booking_place *place;

    if (demand->spec.on_count == 0 && demand->process.node) {
        place = bl_arena_alloc(&demand->arena, sizeof *place);
        *place = (struct bl_booking_place){.node = demand->process.node};
        demand->spec.on = place;
        demand->spec.on_count = 1;
    }
}

/* --- the job --------------------------------------------------------------------------------- */

/* A name is what the kernel calls the program, made fit to be shown. */
static const char *name_of(struct bl_adopting *demand)
{
    char *name = bl_arena_copy_text(&demand->arena, demand->process.name);

    for (char *at = name; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 127 ? '_' : *at;
    }
    return *name ? name : "process";
}

static struct bl_amount amount_of(bool is_given, const struct bl_amount *given, int64_t standard,
                                  int32_t gpus)
{
    return is_given ? *given : (struct bl_amount){standard, gpus > 0};
}

static int check_amounts(struct bl_adopting *demand)
{
    const struct bl_job_spec *spec = &demand->spec;
    const struct bl_amount *amounts[] = {&spec->cpu_milli, &spec->mem_bytes};

    for (size_t i = 0; i < 2; i++) {
        int64_t total = 0;

        if (amounts[i]->per_gpu &&
            (spec->gpus_min == 0 ||
             __builtin_mul_overflow(amounts[i]->value, spec->gpus_min, &total) ||
             total > BL_JOBSPEC_TOTAL_MAX)) {
            bl_fail(&demand->err, BL_EINVAL, "%s: expected an amount for the whole job",
                    i ? "mem" : "cpus");
            return refuse(demand, BL_ANSWER_INVALID, i ? "mem" : "cpus");
        }
    }
    return BL_OK;
}

static int make_job(struct bl_adopting *demand)
{
    const struct bl_adoptspec *asked = &demand->asked;
    struct bl_launch *launch = &demand->process.launch;
    struct bl_job_spec *spec = &demand->spec;
    BL_AUTO_BUF user = {0};

    bl_auth_print_user(&user, (uid_t)launch->uid);
    spec->name = asked->name ? asked->name : name_of(demand);
    spec->user = bl_arena_copy_text(&demand->arena, bl_buf_text(&user));
    spec->project = asked->project;
    spec->job_class = asked->job_class;
    spec->kind = spec->gpus_min > 0 ? BL_KIND_TRAIN : BL_KIND_CPU;
    spec->limit = asked->limit;
    spec->is_adopted = true;
    spec->gpus_want = spec->gpus_max = spec->gpus_min;
    spec->cpu_milli = amount_of(asked->has_cpus, &asked->cpu_milli, 1000, spec->gpus_min);
    spec->mem_bytes =
        amount_of(asked->has_mem, &asked->mem_bytes, INT64_C(1) << 30, spec->gpus_min);
    launch->mem_unasked = !asked->has_mem;
    launch->grace = demand->api->config->local.grace;
    return check_amounts(demand);
}

/* --- what is in its way ---------------------------------------------------------------------- */

static const char *user_of_job(const struct bl_core *core, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(core, id);

    return job && job->spec.user ? job->spec.user : "somebody";
}

static void say_held(const struct bl_core *core, const struct bl_adoption *found, const char *what,
                     struct bl_error *err)
{
    const struct bl_booking *booking = bl_core_find_booking(core, found->booking);

    if (found->booking < 0) {
        bl_fail(err, BL_EREFUSED, "%s is promised to job %lld (%s)", what,
                (long long)-found->booking, user_of_job(core, -found->booking));
    } else {
        bl_fail(err, BL_EREFUSED, "%s is booked by r%lld (%s)", what, (long long)found->booking,
                booking && booking->spec.user ? booking->spec.user : "somebody");
    }
    bl_error_set_hint(err, found->from > bl_core_now(core)
                               ? "with a limit (-t) that ends before then it can be adopted"
                               : "wait until that is over, or ask its owner");
}

static void say_short(const struct bl_adoption *found, const char *node, struct bl_error *err)
{
    if (found->resource == BL_RESOURCE_CPU) {
        bl_fail(err, BL_EREFUSED, "%s has %.1f CPUs free, %.1f are needed", node,
                (double)found->have / 1000, (double)found->need / 1000);
    } else {
        bl_fail(err, BL_EREFUSED, "%s has %lld MiB of memory free, %lld are needed", node,
                (long long)(found->have >> 20), (long long)(found->need >> 20));
    }
    bl_error_set_hint(err, "ask for less with --cpus and --mem");
}

static void say_place(const struct bl_adopting *demand, const struct bl_adoption *found,
                      struct bl_error *err)
{
    const char *node = demand->spec.on_count ? demand->spec.on[found->place].node : "?";

    bl_fail(err, BL_EREFUSED, "on: there is no node %s, or no such GPU on it", node);
    bl_error_set_hint(err, "baleen gpus lists them");
}

static void say(const struct bl_adopting *demand, const struct bl_adoption *found, const char *node,
                struct bl_error *err)
{
    const struct bl_core *core = core_of(demand);
    BL_AUTO_BUF what = {0};

    if (found->gpu >= 0) {
        bl_buf_printf(&what, "GPU %d of ", (int)found->gpu);
    }
    bl_buf_append_text(&what, node);
    switch (found->fault) {
    case BL_ADOPTION_FINE:
    case BL_ADOPTION_FAULT_COUNT:
        bl_fail(err, BL_EREFUSED, "somebody else was faster: try again");
        return;
    case BL_ADOPTION_EARLY:
        bl_fail(err, BL_EREFUSED, "no policy is set yet: try again in a moment");
        return;
    case BL_ADOPTION_NODE:
        say_place(demand, found, err);
        return;
    case BL_ADOPTION_NODE_AWAY:
        bl_fail(err, BL_EREFUSED, "%s takes no jobs: it is drained or down", node);
        return;
    case BL_ADOPTION_GPU_LOST:
        bl_fail(err, BL_EREFUSED, "%s is lost", bl_buf_text(&what));
        return;
    case BL_ADOPTION_TAKEN:
        bl_fail(err, BL_EREFUSED, "%s is held by job %lld (%s)", bl_buf_text(&what),
                (long long)found->job, user_of_job(core, found->job));
        return;
    case BL_ADOPTION_HELD:
        say_held(core, found, bl_buf_text(&what), err);
        return;
    case BL_ADOPTION_FEW:
        bl_fail(err, BL_EREFUSED, "%lld of the %lld GPUs that are asked for could be had",
                (long long)found->have, (long long)found->need);
        return;
    case BL_ADOPTION_SHORT:
        say_short(found, node, err);
        return;
    }
}

static int fail_adoption(struct bl_adopting *demand, const struct bl_adoption *found)
{
    const struct bl_cluster *cluster = bl_core_cluster(core_of(demand));
    bool has_node = (size_t)found->node < cluster->node_count;

    say(demand, found, has_node ? cluster->node[found->node].spec.name : "the machine",
        &demand->err);
    demand->refusal = BL_ANSWER_CONFLICT;
    return (int)demand->err.status;
}

static int check_room(struct bl_adopting *demand)
{
    struct bl_adoption found;
    int status = BL_OK;

    bl_adoption_find(core_of(demand), &demand->spec, &found);
    if (found.fault != BL_ADOPTION_FINE) {
        status = fail_adoption(demand, &found);
    }
    bl_alloc_finish(&found.alloc);
    return status;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Somebody was faster, by the blink between the check and the disk: then nothing was done. */
static void on_submitted(void *self, bool is_accepted)
{
    struct bl_adopting *demand = self;
    const struct bl_job *job = bl_core_find_job(core_of(demand), demand->id);

    if (!is_accepted) {
        bl_api_fail_unavailable(demand->api, demand->request);
    } else if (job) {
        bl_api_answer_job(demand->api, demand->request, 201, job);
    } else {
        if (check_room(demand) == BL_OK) {
            fail_adoption(demand, &(struct bl_adoption){.fault = BL_ADOPTION_FINE, .gpu = -1});
        }
        bl_request_fail(demand->request, BL_ANSWER_CONFLICT, &demand->err);
    }
    destroy(demand);
}

static int submit(struct bl_adopting *demand)
{
    struct bl_submission submission = {.spec = &demand->spec, .launch = &demand->process.launch};
    struct bl_completion done = {.self = demand, .call = on_submitted};

    submission.id = demand->id = bl_driver_next_id(demand->api->driver);
    demand->refusal = BL_ANSWER_UNAVAILABLE;
    if (bl_driver_submit(demand->api->driver, &submission, 1, done, &demand->err) != BL_OK) {
        return (int)demand->err.status;
    }
    demand->next = demand->api->adopting;
    demand->api->adopting = demand;
    return BL_OK;
}

static void fail(struct bl_adopting *demand)
{
    bl_request_fail(demand->request, demand->refusal, &demand->err);
    destroy(demand);
}

static int adopt(struct bl_adopting *demand)
{
    int status = examine(demand);

    status = status == BL_OK ? check_others(demand) : status;
    status = status == BL_OK ? choose_gpus(demand) : status;
    if (status != BL_OK) {
        return status;
    }
    choose_node(demand);
    status = make_job(demand);
    status = status == BL_OK ? check_room(demand) : status;
    return status == BL_OK ? submit(demand) : status;
}

static void on_seen(void *self, struct bl_sight *seen, const struct bl_error *err)
{
    struct bl_adopting *demand = self;

    demand->seen = seen;
    if (!seen) {
        demand->refusal = BL_ANSWER_UNAVAILABLE;
        demand->err = *err;
        fail(demand);
    } else if (adopt(demand) != BL_OK) {
        fail(demand);
    }
}

static int ask_examiner(struct bl_adopting *demand)
{
    int status = bl_driver_check_adopts(demand->api->driver, &demand->err);

    if (status != BL_OK) {
        return refuse(demand, BL_ANSWER_REFUSED, "pid");
    }
    demand->refusal = BL_ANSWER_UNAVAILABLE;
    return bl_examiner_ask(demand->api->examiner, demand->asked.pid,
                           (struct bl_examiner_sink){demand, on_seen}, &demand->err);
}

static int take_up(struct bl_adopting *demand)
{
    int status = bl_auth_check_submitter(bl_request_peer(demand->request), &demand->err);

    demand->refusal = BL_ANSWER_FORBIDDEN;
    status = status == BL_OK ? read_body(demand) : status;
    return status == BL_OK ? ask_examiner(demand) : status;
}

void bl_api_adopt(void *self, struct bl_request *request)
{
    struct bl_adopting *demand;

    if (!bl_api_admit(request)) {
        return;
    }
    demand = bl_alloc_zero(sizeof *demand);
    demand->api = self;
    demand->request = request;
    if (take_up(demand) != BL_OK) {
        fail(demand);
    }
}
