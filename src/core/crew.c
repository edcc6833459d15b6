#include "core/crew.h"

#include "core/hold.h"

#include <math.h>

enum { SIBLINGS_MAX = 256, TURNS_MAX = 8, RESTART_GUESS_S = 30, RESTART_LEAST_S = 5 };

static const double overrun = 1e-3; /* of the work: less is rounding */
static const double optimism = 0.4;

static bool are_nodes_up(const struct bl_view *view, const struct bl_alloc *alloc)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (view->cluster->node[part[i].node].state != BL_NODE_UP) {
            return false;
        }
    }
    return true;
}

/* Traces say what a start costs. A real job loads what it saved, which takes about as long again as
 * it was seen to take; of one that has not yet saved anything it is a guess. */
static double restart_s(const struct bl_job *job)
{
    if (job->spec.restart > 0 || job->spec.work > 0) {
        return (double)job->spec.restart / (double)BL_SECOND;
    }
    return job->save_time > 0
               ? fmax(2 * (double)job->save_time / (double)BL_SECOND, RESTART_LEAST_S)
               : RESTART_GUESS_S;
}

static void wake(struct bl_crew *crew, bl_time at)
{
    crew->wake_at = at > crew->view->now && at < crew->wake_at ? at : crew->wake_at;
}

/* Since its last change. One that was started for the first time at this very instant, or that a
 * change costs nothing, is not bound; but it is not turned round for ever at one instant. */
static bool is_held(struct bl_crew *crew, const struct bl_crew_rules *rules,
                    const struct bl_job *job)
{
    bl_time now = crew->view->now;
    bool is_free = restart_s(job) <= 0;

    if ((is_free || job->first_started_at == now) && job->restarts < TURNS_MAX) {
        return false;
    }
    if (is_free) {
        return job->running_at == now;
    }
    wake(crew, job->running_at + rules->hold);
    return job->running_at + rules->hold > now;
}

static bool may_be_changed(const struct bl_crew_rules *rules, const struct bl_job *job)
{
    return bl_job_gives_way(&job->spec) ||
           (rules->preempt == BL_CREW_PREEMPT_RESTARTABLE && bl_job_may_be_preempted(&job->spec));
}

static enum bl_crew_bond bond_of(struct bl_crew *crew, const struct bl_crew_rules *rules,
                                 const struct bl_job *job)
{
    if (job->state == BL_JOB_STOPPING) {
        return BL_CREW_LEAVING;
    }
    if (!may_be_changed(rules, job)) {
        return BL_CREW_PINNED;
    }
    return job->state != BL_JOB_RUNNING || job->gpus_wish > 0 ||
                   !are_nodes_up(crew->view, &job->alloc) || is_held(crew, rules, job)
               ? BL_CREW_HELD
               : BL_CREW_OPEN;
}

/* Those that are stopped for good are only on their way out. */
static bool is_member(const struct bl_job *job)
{
    return job->spec.gpus_max > 0 &&
           (job->state != BL_JOB_STOPPING || job->stop_as == BL_JOB_QUEUED);
}

static struct bl_crew_member running_member(const struct bl_job *job, enum bl_crew_bond bond)
{
    bool is_running = bond != BL_CREW_LEAVING;

    return (struct bl_crew_member){.job = job,
                                   .is_running = is_running,
                                   .bond = bond,
                                   .bucket = BL_CREW_NONE,
                                   .gpus = is_running ? bl_alloc_gpus(bl_job_aim(job)) : 0};
}

static void add_running(struct bl_crew *crew, const struct bl_crew_rules *rules)
{
    const struct bl_view *view = crew->view;

    for (size_t i = 0; i < view->running_count; i++) {
        const struct bl_job *job = view->running[i].job;
        size_t place = crew->count;

        if (!is_member(job)) {
            continue;
        }
        for (; place > 0 && crew->member[place - 1].job->id > job->id; place--) {
            crew->member[place] = crew->member[place - 1];
        }
        crew->member[place] = running_member(job, bond_of(crew, rules, job));
        crew->count++;
    }
}

/* How many of a queued entry may start: elements of an array come several at once. */
static int32_t siblings(const struct bl_job *job)
{
    int32_t most = 1;

    if (job->array) {
        int32_t at_once = job->spec.array_running_max;

        most = bl_array_pending(job->array);
        if (at_once > 0 && at_once - job->array->active < most) {
            most = at_once - job->array->active;
        }
        most = most < 1 ? 1 : most;
    }
    return most < SIBLINGS_MAX ? most : SIBLINGS_MAX;
}

static void add_queue(struct bl_crew *crew, const struct bl_crew_rules *rules)
{
    const struct bl_view *view = crew->view;

    for (size_t i = 0; i < view->queue_count; i++) {
        const struct bl_job *job = view->queue[i].job;
        bl_time since;

        if (!job || job->spec.gpus_max <= 0) {
            continue;
        }
        since = job->first_started_at > 0 ? job->held_at : job->eligible_at;
        wake(crew, since + rules->patience);
        for (int32_t k = siblings(job); k > 0; k--) {
            crew->member[crew->count++] =
                (struct bl_crew_member){.job = job,
                                        .index = i,
                                        .is_due = view->now - since >= rules->patience,
                                        .waited_s = (double)(view->now - since) / (double)BL_SECOND,
                                        .bucket = BL_CREW_NONE};
        }
    }
}

static size_t most_members(const struct bl_view *view)
{
    size_t most = view->running_count + 1;

    for (size_t i = 0; i < view->queue_count; i++) {
        most += view->queue[i].job ? (size_t)siblings(view->queue[i].job) : 0;
    }
    return most;
}

static bool is_up(const struct bl_node *node)
{
    return node->state == BL_NODE_UP && node->type >= 0 && node->spec.gpus > 0;
}

/* Nodes themselves are buckets where no member may be spread and there are few enough. */
static bool is_by_node(const struct bl_crew *crew)
{
    const struct bl_cluster *cluster = crew->view->cluster;
    int32_t nodes = 0;

    for (size_t i = 0; i < cluster->node_count; i++) {
        nodes += is_up(&cluster->node[i]);
    }
    for (size_t i = 0; i < crew->count; i++) {
        const struct bl_job *job = crew->member[i].job;

        if (crew->member[i].bond == BL_CREW_PINNED
                ? bl_job_aim(job)->part_count > 1
                : job->spec.nodes_max != 1 && job->spec.gpus_max > 1) {
            return false;
        }
    }
    return nodes <= BL_CREW_BUCKETS_MAX;
}

/* The bucket of a node; BL_CREW_NONE when there are too many. */
static int32_t find_bucket(const struct bl_crew *crew, int32_t node)
{
    const struct bl_node *at = &crew->view->cluster->node[node];

    for (int32_t b = 0; b < crew->bucket_count; b++) {
        const struct bl_bucket *bucket = &crew->bucket[b];

        if (crew->is_by_node ? bucket->node == node
                             : bucket->type == at->type && bucket->pool == at->pool) {
            return b;
        }
    }
    return BL_CREW_NONE;
}

/* Of equal choices the first is taken: fuller nodes come first, so that others stay whole. */
static void put_fuller_first(struct bl_crew *crew)
{
    const struct bl_node *node = crew->view->cluster->node;

    for (int32_t b = 1; b < crew->bucket_count; b++) {
        struct bl_bucket bucket = crew->bucket[b];
        int64_t left = node[bucket.node].free.amount[BL_RESOURCE_GPU];
        int32_t at = b;

        for (; at > 0 && node[crew->bucket[at - 1].node].free.amount[BL_RESOURCE_GPU] > left;
             at--) {
            crew->bucket[at] = crew->bucket[at - 1];
        }
        crew->bucket[at] = bucket;
    }
}

static void make_buckets(struct bl_crew *crew)
{
    const struct bl_cluster *cluster = crew->view->cluster;

    crew->is_by_node = is_by_node(crew);
    for (int32_t i = 0; i < (int32_t)cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];
        int32_t bucket;

        if (!is_up(node)) {
            continue;
        }
        bucket = find_bucket(crew, i);
        if (bucket == BL_CREW_NONE && crew->bucket_count < BL_CREW_BUCKETS_MAX) {
            bucket = crew->bucket_count++;
            crew->bucket[bucket] = (struct bl_bucket){.type = node->type,
                                                      .pool = node->pool,
                                                      .node = crew->is_by_node ? i : BL_CREW_NONE};
        }
        if (bucket != BL_CREW_NONE) {
            crew->bucket[bucket].room += bl_hold_open(cluster, i);
        }
    }
    if (crew->is_by_node) {
        put_fuller_first(crew);
    }
    for (size_t i = 0; i < crew->count; i++) {
        struct bl_crew_member *member = &crew->member[i];

        if (member->is_running) {
            member->bucket = find_bucket(crew, bl_alloc_parts(bl_job_aim(member->job))[0].node);
        }
    }
}

static bool does_suit(const struct bl_crew *crew, const struct bl_bucket *bucket,
                      const struct bl_job *job)
{
    const struct bl_node_spec *spec =
        bucket->node >= 0 ? &crew->view->cluster->node[bucket->node].spec : NULL;

    return (job->pool < 0 || job->pool == bucket->pool) &&
           (job->type_mask == 0 || (job->type_mask >> bucket->type & 1)) &&
           (!spec || job->spec.gpu_mem_bytes == 0 ||
            spec->gpu_mem_bytes >= job->spec.gpu_mem_bytes);
}

/* The most GPUs that the job could have of the bucket at all. */
static int64_t most_of(const struct bl_crew *crew, const struct bl_bucket *bucket,
                       const struct bl_job *job)
{
    int64_t most = bucket->room;
    int64_t node = crew->view->cluster->type_node_gpus[bucket->type];

    if (bucket->node < 0 && job->spec.nodes_max > 0 && job->spec.nodes_max * node < most) {
        most = job->spec.nodes_max * node;
    }
    return most;
}

static void add_option(struct bl_crew *crew, const struct bl_speeds *speeds,
                       struct bl_crew_member *member, int32_t bucket, int32_t gpus)
{
    bool has_it = member->is_running && bucket == member->bucket && gpus == member->gpus;

    if (has_it && member->bond != BL_CREW_OPEN) {
        member->keep = (int32_t)member->count;
    }
    crew->option[crew->option_count++] = (struct bl_crew_option){
        bucket, gpus, bl_speeds_at(speeds, crew->bucket[bucket].type, gpus, 0)};
    member->count++;
}

static void add_legal_options(struct bl_crew *crew, const struct bl_speeds *speeds,
                              struct bl_crew_member *member)
{
    int32_t count[BL_COUNTS_MAX];
    size_t counts = bl_job_choices(crew->view, member->job, crew->counts, count);

    for (int32_t b = 0; b < crew->bucket_count; b++) {
        const struct bl_bucket *bucket = &crew->bucket[b];

        for (size_t i = 0; i < counts && does_suit(crew, bucket, member->job); i++) {
            if (count[i] <= most_of(crew, bucket, member->job)) {
                add_option(crew, speeds, member, b, count[i]);
            }
        }
    }
}

/* A job that may not be changed has what it has, whatever would be legal. */
static void add_options(struct bl_crew *crew, const struct bl_speeds *speeds,
                        struct bl_crew_member *member)
{
    member->first = crew->option_count;
    member->keep = BL_CREW_NONE;
    if (member->bond != BL_CREW_PINNED) {
        add_legal_options(crew, speeds, member);
    }
    if (member->keep == BL_CREW_NONE && member->is_running && member->bond != BL_CREW_OPEN) {
        crew->option_count = member->first;
        member->count = 0;
        if (member->bucket != BL_CREW_NONE) {
            add_option(crew, speeds, member, member->bucket, member->gpus);
        }
    }
}

static size_t most_options(const struct bl_crew *crew)
{
    size_t most = 1;
    int32_t count[BL_COUNTS_MAX];

    for (size_t i = 0; i < crew->count; i++) {
        size_t choices = bl_job_choices(crew->view, crew->member[i].job, crew->counts, count);

        most += choices * (size_t)crew->bucket_count;
    }
    return most;
}

static double seconds(bl_time span)
{
    return (double)span / (double)BL_SECOND;
}

/* What it worked since it told how far it is, or since its work began; at speed 1. */
static double worked_since_s(const struct bl_job *job, bl_time now, double speed)
{
    bool is_alive =
        job->state == BL_JOB_RUNNING || (job->running_at > 0 && bl_job_state_is_active(job->state));
    bl_time ran = is_alive ? now - job->running_at - job->spec.restart : 0;
    bl_time told = job->progress.at > 0 ? now - job->progress.at : ran;

    ran = told < ran ? told : ran;
    return ran > 0 ? seconds(ran) * speed : 0;
}

/* Of all that it had, as if it had always run as it does now. */
static double worked_s(const struct bl_job *job, bl_time now, double speed)
{
    int32_t gpus = job->alloc.part_count ? bl_alloc_gpus(&job->alloc) : job->spec.gpus_min;

    return bl_job_attained(job, now) / (gpus > 0 ? gpus : 1) * speed;
}

/* Work that is known. Of a job that has done more than that as much again is expected. */
static double known_left_s(const struct bl_job *job, bl_time now, double speed)
{
    double whole_s = seconds(bl_job_told_work(&job->spec));
    double did_s = whole_s * fmin(fmax(job->progress.done, 0), 1);

    did_s += worked_since_s(job, now, speed);
    return did_s > whole_s * (1 + overrun) ? did_s : fmax(whole_s - did_s, 1e-3);
}

double bl_crew_left_s(const struct bl_speeds *speeds, double speed)
{
    const struct bl_job *job = speeds->job;
    bl_time now = speeds->view->now;
    double done = fmin(fmax(job->progress.done, 0), 1);
    double known = bl_speeds_left_s(speeds);
    double worked = worked_s(job, now, speed);
    double since = worked_since_s(job, now, speed);
    double whole = seconds(job->predicted_run);

    if (bl_job_told_work(&job->spec) > 0) {
        return known_left_s(job, now, speed);
    }
    if (known > 0) {
        return known;
    }
    if (done > 0.01 && worked > since) {
        return fmax((worked - since) * (1 - done) / done - since, 1);
    }
    if (whole <= 0) {
        whole = job->spec.limit > 0 ? seconds(job->spec.limit) / 4 : 3600;
    }
    return fmax(fmax(whole - worked, worked), 1);
}

static double current_speed(const struct bl_crew *crew, const struct bl_crew_member *member,
                            const struct bl_speeds *speeds)
{
    if (!member->is_running || member->bucket == BL_CREW_NONE) {
        return 1;
    }
    return bl_speeds_at(speeds, crew->bucket[member->bucket].type, member->gpus,
                        (int32_t)bl_job_aim(member->job)->part_count);
}

static void fill_member(struct bl_crew *crew, struct bl_crew_member *member)
{
    const struct bl_job *job = member->job;
    struct bl_speeds speeds = bl_speeds_of(crew->view, job);

    speeds.optimism = optimism;
    add_options(crew, &speeds, member);
    member->restart_s = restart_s(job);
    member->age_s = (double)(crew->view->now - job->submitted_at) / (double)BL_SECOND;
    member->left_s = bl_crew_left_s(&speeds, current_speed(crew, member, &speeds));
    member->bucket_to = BL_CREW_NONE;
}

struct bl_crew bl_crew_gather(const struct bl_view *view, const struct bl_crew_rules *rules)
{
    struct bl_crew crew = {.view = view, .counts = rules->counts, .wake_at = BL_TIME_NEVER};

    crew.member = bl_arena_alloc(view->scratch, most_members(view) * sizeof *crew.member);
    add_running(&crew, rules);
    add_queue(&crew, rules);
    make_buckets(&crew);
    crew.option = bl_arena_alloc(view->scratch, most_options(&crew) * sizeof *crew.option);
    for (size_t i = 0; i < crew.count; i++) {
        fill_member(&crew, &crew.member[i]);
    }
    return crew;
}
