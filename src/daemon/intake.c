#include "daemon/intake.h"

#include "base/sort.h"
#include "base/units.h"
#include "daemon/auth.h"
#include "daemon/members.h"
#include "daemon/zone.h"
#include "form/pipeline.h"
#include "form/tree_read.h"

#include <string.h>

enum { BATCH_MAX = 10000 };

static const char body_name[] = "request body";

/* --- the body -------------------------------------------------------------------------------- */

static int read_job(struct bl_intake *intake, const struct bl_tree *tree,
                    struct bl_intake_item *item)
{
    if (tree->kind != BL_TREE_MAP) {
        return bl_tree_fail(&intake->source, tree, &intake->err, "expected a JSON object");
    }
    if (bl_jobspec_read(&intake->source, tree, BL_JOBSPEC_LIVE, &intake->arena, &item->spec,
                        &intake->err) != BL_OK) {
        return (int)intake->err.status;
    }
    return bl_config_check_required(intake->api->config, &intake->source, tree, &intake->err);
}

static int read_pipeline(struct bl_intake *intake, const struct bl_tree *tree)
{
    const struct bl_tree *jobs = bl_tree_find(tree, "jobs");
    struct bl_pipeline pipeline = {0};

    if (bl_pipeline_read(&intake->source, tree, &intake->arena, &pipeline, &intake->err) != BL_OK) {
        return (int)intake->err.status;
    }
    intake->is_batch = true;
    intake->count = pipeline.count;
    intake->item = bl_arena_alloc(&intake->arena, intake->count * sizeof *intake->item);
    for (size_t i = 0; i < intake->count; i++) {
        intake->item[i].spec = pipeline.job[i].spec;
        intake->item[i].inside = pipeline.job[i].after;
    }
    for (size_t i = 0; i < jobs->child_count; i++) {
        if (bl_config_check_required(intake->api->config, &intake->source, &jobs->child[i],
                                     &intake->err) != BL_OK) {
            return (int)intake->err.status;
        }
    }
    return BL_OK;
}

static int read_batch(struct bl_intake *intake, const struct bl_tree *tree)
{
    static const char *const keys[] = {"jobs", NULL};
    const struct bl_tree *jobs = bl_tree_find(tree, "jobs");

    if (bl_tree_check_keys(&intake->source, tree, keys, &intake->err) != BL_OK) {
        return (int)intake->err.status;
    }
    if (jobs->child_count == 0 || jobs->child_count > BATCH_MAX) {
        return bl_tree_fail(&intake->source, jobs, &intake->err, "expected a list of 1 to %d jobs",
                            BATCH_MAX);
    }
    intake->is_batch = true;
    intake->count = jobs->child_count;
    intake->item = bl_arena_alloc(&intake->arena, intake->count * sizeof *intake->item);
    for (size_t i = 0; i < intake->count; i++) {
        if (read_job(intake, &jobs->child[i], &intake->item[i]) != BL_OK) {
            return bl_wrap(&intake->err, "job %zu of the list", i + 1);
        }
    }
    return BL_OK;
}

static int read_body(struct bl_intake *intake)
{
    const struct bl_buf *body = bl_request_body(intake->request);
    struct bl_tree *tree = NULL;

    intake->source = (struct bl_tree_source){
        .name = body_name, .bytes = bl_buf_text(body), .length = body->length};
    if (bl_json_read(&intake->source, &intake->arena, &tree, &intake->err) != BL_OK) {
        return (int)intake->err.status;
    }
    if (tree->kind == BL_TREE_MAP && bl_pipeline_is_one(tree)) {
        return bl_tree_find(tree, "jobs")->kind == BL_TREE_LIST ? read_batch(intake, tree)
                                                                : read_pipeline(intake, tree);
    }
    intake->count = 1;
    intake->item = bl_arena_alloc(&intake->arena, sizeof *intake->item);
    return read_job(intake, tree, intake->item);
}

/* --- dependencies ---------------------------------------------------------------------------- */

static int fail_after(struct bl_intake *intake, const char *target, const char *why,
                      const char *hint)
{
    bl_fail(&intake->err, BL_EINVAL, "after: %s '%s'", why, target);
    bl_error_set_field(&intake->err, "after");
    return bl_error_set_hint(&intake->err, "%s", hint);
}

static int fail_no_job(struct bl_intake *intake, const char *target)
{
    return fail_after(intake, target,
                      bl_int_parse(target, 1, INT64_MAX, &(int64_t){0}, NULL) == BL_OK
                          ? "there is no job"
                          : "expected the id of a job, found",
                      "name a job by its id; baleen q lists them");
}

/* No target of a dependency is empty. */
static const char *name_of(const struct bl_intake_item *item)
{
    return item->spec.core.name ? item->spec.core.name : "";
}

static int compare_names(const void *left, const void *right)
{
    const struct bl_intake_item *a = *(struct bl_intake_item *const *)left;
    const struct bl_intake_item *b = *(struct bl_intake_item *const *)right;
    int order = strcmp(name_of(a), name_of(b));

    return order ? order : (a > b) - (a < b);
}

/* The place of the first name that is not before this one. */
static size_t place_of_name(const struct bl_intake *intake, const char *name)
{
    size_t low = 0;
    size_t high = intake->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(name_of(intake->by_name[middle]), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_name_at(const struct bl_intake *intake, size_t place, const char *name)
{
    return place < intake->count && strcmp(name_of(intake->by_name[place]), name) == 0;
}

static void sort_names(struct bl_intake *intake)
{
    intake->by_name = bl_arena_alloc(&intake->arena, intake->count * sizeof *intake->by_name);
    for (size_t i = 0; i < intake->count; i++) {
        intake->by_name[i] = &intake->item[i];
    }
    bl_sort(intake->by_name, intake->count, sizeof *intake->by_name, compare_names);
}

static int check_each(struct bl_intake *intake, const struct bl_intake_item *item,
                      const struct bl_jobspec_after *after, const struct bl_job_spec *other)
{
    if (after->kind == BL_AFTER_EACH && bl_array_count(other) != bl_array_count(&item->spec.core)) {
        return fail_after(intake, after->target,
                          "each element waits for its counterpart: expected an array of the same "
                          "size, found job",
                          "leave :each away to wait for the whole of it");
    }
    return BL_OK;
}

/* Jobs that are still on their way to the disk may be waited for as well: they come before. */
static int resolve_id(struct bl_intake *intake, const struct bl_intake_item *item,
                      const struct bl_jobspec_after *after, struct bl_dependency *out)
{
    const struct bl_core *core = bl_driver_ledger(intake->api->driver)->core;
    const struct bl_job *job = bl_core_find_job(core, out->job);
    int64_t owner;

    if (!bl_driver_find_owner(intake->api->driver, out->job, &owner)) {
        return fail_no_job(intake, after->target);
    }
    return job ? check_each(intake, item, after, &job->spec) : BL_OK;
}

/* The job of the list that a dependency names; NULL when it names none. */
static int find_named(struct bl_intake *intake, const struct bl_intake_item *item, size_t index,
                      struct bl_intake_item **out)
{
    const char *target = item->spec.after[index].target;
    size_t place = place_of_name(intake, target);

    *out = NULL;
    if (item->inside) {
        *out =
            item->inside[index] == BL_PIPELINE_OUTSIDE ? NULL : &intake->item[item->inside[index]];
    } else if (intake->is_batch && has_name_at(intake, place, target)) {
        *out = intake->by_name[place];
        if (has_name_at(intake, place + 1, target)) {
            return fail_after(intake, target, "more than one job of the list has the name",
                              "give the jobs of a list names of their own");
        }
    }
    return BL_OK;
}

static int resolve_one(struct bl_intake *intake, struct bl_intake_item *item, size_t index)
{
    const struct bl_jobspec_after *after = &item->spec.after[index];
    struct bl_dependency *out = &item->after[index];

    out->kind = after->kind;
    if (find_named(intake, item, index, &item->named[index]) != BL_OK) {
        return (int)intake->err.status;
    }
    if (item->named[index]) {
        return check_each(intake, item, after, &item->named[index]->spec.core);
    }
    if (bl_int_parse(after->target, 1, INT64_MAX, &out->job, NULL) != BL_OK) {
        return fail_no_job(intake, after->target);
    }
    return resolve_id(intake, item, after, out);
}

static int resolve(struct bl_intake *intake, struct bl_intake_item *item)
{
    size_t count = item->spec.after_count;

    item->after = bl_arena_alloc(&intake->arena, (count + 1) * sizeof *item->after);
    item->named = bl_arena_alloc(&intake->arena, (count + 1) * sizeof *item->named);
    for (size_t i = 0; i < count; i++) {
        if (resolve_one(intake, item, i) != BL_OK) {
            return (int)intake->err.status;
        }
    }
    item->spec.core.after = item->after;
    item->spec.core.after_count = count;
    return BL_OK;
}

/* The next job of the list that this one waits for and that has no id yet, or NULL. */
static struct bl_intake_item *next_before(struct bl_intake_item *item)
{
    while (item->cursor < item->spec.after_count) {
        size_t i = item->cursor++;

        if (item->named[i] && !item->named[i]->id) {
            return item->named[i];
        }
    }
    return NULL;
}

static void take_turn(struct bl_intake *intake, struct bl_intake_item *item, size_t *taken,
                      bl_job_id *id)
{
    for (size_t i = 0; i < item->spec.after_count; i++) {
        item->after[i].job = item->named[i] ? item->named[i]->id : item->after[i].job;
    }
    item->id = *id;
    *id += 1 + bl_array_count(&item->spec.core);
    intake->order[(*taken)++] = item;
}

/* Depth first, with the way back kept in the jobs themselves. */
static int take_with_all_before(struct bl_intake *intake, struct bl_intake_item *item,
                                size_t *taken, bl_job_id *id)
{
    item->is_open = true;
    while (item) {
        struct bl_intake_item *before = next_before(item);

        if (!before) {
            take_turn(intake, item, taken, id);
            item = item->waiting;
        } else if (before->is_open) {
            return fail_after(intake, name_of(before), "jobs wait for each other in a ring:",
                              "no job may wait for one that waits for it");
        } else {
            before->is_open = true;
            before->waiting = item;
            item = before;
        }
    }
    return BL_OK;
}

/* Ids, so that each job comes after those that it waits for. */
static int put_in_order(struct bl_intake *intake)
{
    bl_job_id id = bl_driver_next_id(intake->api->driver);
    size_t taken = 0;

    sort_names(intake);
    intake->order = bl_arena_alloc(&intake->arena, intake->count * sizeof *intake->order);
    for (size_t i = 0; i < intake->count; i++) {
        if (resolve(intake, &intake->item[i]) != BL_OK) {
            return (int)intake->err.status;
        }
    }
    for (size_t i = 0; i < intake->count; i++) {
        if (!intake->item[i].id &&
            take_with_all_before(intake, &intake->item[i], &taken, &id) != BL_OK) {
            return (int)intake->err.status;
        }
    }
    return BL_OK;
}

/* --- checks ---------------------------------------------------------------------------------- */

static int resolve_time(struct bl_intake *intake, struct bl_intake_item *item)
{
    struct bl_jobspec *spec = &item->spec;
    bl_time now = bl_driver_now(intake->api->driver);

    if (bl_instant_resolve(&spec->not_before, now, &bl_zone_local, &spec->core.not_before,
                           &intake->err) != BL_OK) {
        bl_wrap(&intake->err, "not_before");
        return bl_error_set_field(&intake->err, "not_before");
    }
    return BL_OK;
}

/* Its owner, whoever runs the daemon, and who is in its project, or says so where nobody knows. */
static bool may_use(struct bl_intake *intake, const struct bl_booking *booking,
                    const struct bl_job_spec *spec)
{
    const struct bl_peer *peer = bl_request_peer(intake->request);
    long long id = spec->reservation;

    if (bl_auth_is_manager(peer) || (int64_t)peer->uid == booking->spec.uid) {
        return true;
    }
    intake->refusal = BL_ANSWER_FORBIDDEN;
    if (bl_booking_is_of_project(booking, spec)) {
        if (bl_members_find(peer->uid, spec->project) != BL_STRANGER) {
            return true;
        }
        bl_auth_fail_stranger(peer->uid, spec->project, &intake->err);
        return false;
    }
    bl_fail(&intake->err, BL_EREFUSED, "reservation: r%lld belongs to %s", id,
            booking->spec.user ? booking->spec.user : "another user");
    bl_error_set_hint(&intake->err, "jobs of its owner may use it, and those of its project");
    return false;
}

/* The booking in which alone the job will run is there, is theirs, and could ever take it. */
static int check_reservation(struct bl_intake *intake, const struct bl_intake_item *item)
{
    const struct bl_job_spec *spec = &item->spec.core;
    const struct bl_core *core = bl_driver_ledger(intake->api->driver)->core;
    const struct bl_booking *booking = bl_core_find_booking(core, spec->reservation);
    long long id = spec->reservation;

    if (spec->reservation == 0) {
        return BL_OK;
    }
    if (!booking) {
        bl_fail(&intake->err, BL_EINVAL, "reservation: there is no r%lld", id);
    } else if (!may_use(intake, booking, spec)) {
        return bl_error_set_field(&intake->err, "reservation");
    } else if (bl_api_check_slot(core, spec, &intake->err) != BL_OK) {
        intake->refusal = BL_ANSWER_REFUSED;
        return (int)intake->err.status;
    } else {
        return BL_OK;
    }
    return bl_error_set_field(&intake->err, "reservation");
}

static int check(struct bl_intake *intake, struct bl_intake_item *item)
{
    const struct bl_cluster *cluster = bl_core_cluster(bl_driver_ledger(intake->api->driver)->core);

    if (resolve_time(intake, item) != BL_OK) {
        return (int)intake->err.status;
    }
    if (item->spec.core.priority > 0 &&
        bl_auth_check_manager(bl_request_peer(intake->request), "a priority above 0",
                              &intake->err) != BL_OK) {
        intake->refusal = BL_ANSWER_FORBIDDEN;
        return bl_error_set_field(&intake->err, "priority");
    }
    if (check_reservation(intake, item) != BL_OK) {
        return (int)intake->err.status;
    }
    if (bl_api_check_fit(cluster, &item->spec.core, &intake->err) != BL_OK) {
        intake->refusal = BL_ANSWER_REFUSED;
        return (int)intake->err.status;
    }
    return BL_OK;
}

static int check_all(struct bl_intake *intake)
{
    for (size_t i = 0; i < intake->count; i++) {
        if (check(intake, &intake->item[i]) != BL_OK) {
            return intake->is_batch ? bl_wrap(&intake->err, "job %zu of the list", i + 1)
                                    : (int)intake->err.status;
        }
    }
    return BL_OK;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* As whom they will run. */
static void put_owner(struct bl_intake *intake)
{
    const struct bl_peer *peer = bl_request_peer(intake->request);
    BL_AUTO_BUF user = {0};

    bl_auth_print_user(&user, peer->uid);
    for (size_t i = 0; i < intake->count; i++) {
        struct bl_jobspec *spec = &intake->item[i].spec;

        spec->core.user = bl_arena_copy_text(&intake->arena, bl_buf_text(&user));
        spec->launch.uid = peer->uid;
        spec->launch.gid = peer->gid;
        spec->launch.grace = intake->api->config->local.grace;
        bl_predict_rules_apply(&intake->api->config->predict, &spec->core, &spec->launch,
                               &spec->core.expected);
    }
}

int bl_intake_read(struct bl_intake *intake)
{
    int status = bl_auth_check_submitter(bl_request_peer(intake->request), &intake->err);

    intake->refusal = status == BL_OK ? BL_ANSWER_INVALID : BL_ANSWER_FORBIDDEN;
    status = status == BL_OK ? read_body(intake) : status;
    status = status == BL_OK ? put_in_order(intake) : status;
    status = status == BL_OK ? check_all(intake) : status;
    if (status == BL_OK) {
        put_owner(intake);
    }
    return status;
}
