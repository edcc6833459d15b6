#include "core/regroup.h"

#include "base/own.h"
#include "base/sort.h"
#include "core/hold.h"
#include "core/place.h"

#include <stdlib.h>
#include <string.h>

enum fate {
    FATE_STAY,  /* as it is, running or queued */
    FATE_TAKE,  /* `alloc` */
    FATE_LEAVE, /* back to the queue */
    FATE_DONE
};

struct place {
    struct bl_crew_member *member;
    enum fate fate;
    struct bl_alloc alloc; /* FATE_TAKE */
};

struct regrouping {
    const struct bl_crew *crew;
    struct bl_decision *decision;
    struct bl_cluster shadow; /* the books as they will be */
    struct place *place;
    bl_job_id guest; /* the first that is to start; 0 = none */
    size_t leaving;  /* jobs whose end will bring the next round */
    size_t waiting;  /* jobs that run and wait for GPUs to move to */
};

static bool keeps(const struct bl_crew_member *member)
{
    return member->is_running &&
           (member->bond != BL_CREW_OPEN || member->bucket == BL_CREW_NONE ||
            (member->bucket_to == member->bucket && member->gpus_to == member->gpus));
}

static bool shrinks(const struct bl_crew_member *member)
{
    return member->is_running && member->bucket_to == member->bucket &&
           member->bucket != BL_CREW_NONE && member->gpus_to < member->gpus;
}

/* The job as one that may only go into the bucket. */
static struct bl_job probe_of(const struct bl_crew *crew, const struct bl_crew_member *member)
{
    struct bl_job probe = *member->job;
    const struct bl_bucket *bucket = &crew->bucket[member->bucket_to];

    probe.type_mask = UINT64_C(1) << bucket->type;
    probe.pool = bucket->pool;
    return probe;
}

/* Only the bucket's node is there while something is placed. */
static void show_bucket(struct regrouping *all, int32_t node, enum bl_node_state others)
{
    for (int32_t i = 0; i < (int32_t)all->shadow.node_count && node >= 0; i++) {
        if (all->crew->view->cluster->node[i].state == BL_NODE_UP && i != node) {
            all->shadow.node[i].state = others;
        }
    }
}

/* A place for so many GPUs in the bucket, on its own if it runs there. */
static bool try_count(struct regrouping *all, const struct bl_crew_member *member, int32_t gpus,
                      struct bl_alloc *out)
{
    struct bl_job probe = probe_of(all->crew, member);
    int32_t node = all->crew->bucket[member->bucket_to].node;
    const struct bl_alloc *own = &member->job->alloc;
    bool found;

    show_bucket(all, node, BL_NODE_DRAINED);
    if (member->is_running && member->bucket_to == member->bucket &&
        bl_cluster_can_take(&all->shadow, own)) {
        bl_cluster_take(&all->shadow, own);
        found = bl_place_again(&all->shadow, &probe, gpus, out);
        bl_cluster_give_back(&all->shadow, own);
    } else {
        found = bl_place_try(&all->shadow, &probe, gpus, out);
    }
    show_bucket(all, node, BL_NODE_UP);
    return found;
}

/* The most for which there is a place, up to what it was to have. */
static bool find_place(struct regrouping *all, const struct bl_crew_member *member,
                       struct bl_alloc *out)
{
    const struct bl_crew_option *option = all->crew->option;

    for (size_t k = member->first + member->count; k > member->first; k--) {
        if (option[k - 1].bucket == member->bucket_to && option[k - 1].gpus <= member->gpus_to &&
            try_count(all, member, option[k - 1].gpus, out)) {
            return true;
        }
    }
    return false;
}

static bool is_same(const struct bl_alloc *a, const struct bl_alloc *b)
{
    return a->part_count == b->part_count && memcmp(bl_alloc_parts(a), bl_alloc_parts(b),
                                                    a->part_count * sizeof *bl_alloc_parts(a)) == 0;
}

static void settle(struct regrouping *all, struct place *place)
{
    struct bl_crew_member *member = place->member;
    const struct bl_alloc *own = &member->job->alloc;

    if (member->bucket_to != BL_CREW_NONE && find_place(all, member, &place->alloc)) {
        bl_cluster_take(&all->shadow, &place->alloc);
        place->fate = member->is_running && is_same(&place->alloc, own) ? FATE_STAY : FATE_TAKE;
    } else if (member->is_running && member->bucket_to != BL_CREW_NONE &&
               bl_cluster_can_take(&all->shadow, own)) {
        bl_cluster_take(&all->shadow, own);
        place->fate = FATE_STAY;
    } else {
        place->fate = member->is_running ? FATE_LEAVE : FATE_STAY;
    }
}

/* Whoever moves has left; whoever shrinks keeps a part. */
static void clear_out(struct regrouping *all)
{
    for (size_t i = 0; i < all->crew->count; i++) {
        struct place *place = &all->place[i];
        const struct bl_crew_member *member = place->member;

        if (!member->is_running || keeps(member)) {
            place->fate = member->is_running ? FATE_DONE : FATE_STAY;
            continue;
        }
        if (shrinks(member)) {
            struct bl_job probe = probe_of(all->crew, member);

            if (bl_place_again(&all->shadow, &probe, member->gpus_to, &place->alloc)) {
                bl_cluster_give_back(&all->shadow, &member->job->alloc);
                bl_cluster_take(&all->shadow, &place->alloc);
                place->fate = FATE_TAKE;
            } else {
                place->fate = FATE_DONE;
            }
            continue;
        }
        bl_cluster_give_back(&all->shadow, &member->job->alloc);
    }
}

/* Due ones, then the larger, then those that run, then as they stand. */
static int compare_places(const void *left, const void *right)
{
    const struct bl_crew_member *a = (*(struct place *const *)left)->member;
    const struct bl_crew_member *b = (*(struct place *const *)right)->member;

    if (a->is_due != b->is_due) {
        return a->is_due ? -1 : 1;
    }
    if (a->gpus_to != b->gpus_to) {
        return a->gpus_to > b->gpus_to ? -1 : 1;
    }
    if (a->is_running != b->is_running) {
        return a->is_running ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

static void place_all(struct regrouping *all)
{
    BL_AUTO_FREE struct place **order = bl_alloc_zero((all->crew->count + 1) * sizeof *order);
    size_t count = 0;

    for (size_t i = 0; i < all->crew->count; i++) {
        if (all->place[i].fate == FATE_STAY && !keeps(all->place[i].member)) {
            order[count++] = &all->place[i];
        }
    }
    bl_sort(order, count, sizeof(struct place *), compare_places);
    for (size_t i = 0; i < count; i++) {
        settle(all, order[i]);
        if (!all->guest && !order[i]->member->is_running && order[i]->fate == FATE_TAKE) {
            all->guest = order[i]->member->job->id;
        }
    }
}

static size_t running_index(const struct bl_view *view, const struct bl_job *job)
{
    size_t i = 0;

    while (view->running[i].job != job) {
        i++;
    }
    return i;
}

static void send_away(struct regrouping *all, struct place *place)
{
    const struct bl_reason reason = {.code = BL_REASON_PREEMPTED, .job = all->guest};

    bl_decision_preempt(all->decision, running_index(all->crew->view, place->member->job), &reason);
    place->fate = FATE_DONE;
    all->leaving++;
}

/* In the books, and not held ahead for others. */
static bool is_free(const struct bl_cluster *cluster, const struct bl_job *job,
                    const struct bl_alloc *alloc)
{
    return bl_cluster_can_take(cluster, alloc) && bl_hold_admits(cluster, job, alloc);
}

static void resize(struct regrouping *all, struct place *place)
{
    const struct bl_view *view = all->crew->view;
    const struct bl_job *job = place->member->job;
    struct bl_reason reason = {.code = BL_REASON_RESIZED,
                               .need = bl_alloc_gpus(&place->alloc),
                               .have = place->member->gpus};
    struct bl_alloc beyond;

    bl_alloc_beyond(&place->alloc, &job->alloc, &beyond);
    if (beyond.part_count == 0 || is_free(view->cluster, job, &beyond)) {
        if (all->guest && reason.need < reason.have) {
            reason.code = BL_REASON_SHRUNK_FOR;
            reason.job = all->guest;
        }
        bl_decision_resize(all->decision, running_index(view, job), &place->alloc, &reason);
        place->fate = FATE_DONE;
        all->leaving++;
    } else {
        all->waiting++;
    }
    bl_alloc_finish(&beyond);
}

/* A job of one size that is to move ends here and starts there. */
static void change_running(struct regrouping *all)
{
    for (size_t i = 0; i < all->crew->count; i++) {
        struct place *place = &all->place[i];

        if (!place->member->is_running) {
            continue;
        }
        if (place->fate == FATE_LEAVE ||
            (place->fate == FATE_TAKE && !bl_job_is_elastic(&place->member->job->spec))) {
            send_away(all, place);
        } else if (place->fate == FATE_TAKE) {
            resize(all, place);
        }
    }
}

static void start_queued(struct regrouping *all)
{
    const struct bl_view *view = all->crew->view;
    const struct bl_reason reason = {.code = BL_REASON_JOINT, .need = (int64_t)all->crew->count};

    for (size_t i = 0; i < all->crew->count; i++) {
        struct place *place = &all->place[i];
        const struct bl_crew_member *member = place->member;

        if (!member->is_running && place->fate == FATE_TAKE && member->bond != BL_CREW_LEAVING &&
            view->queue[member->index].job && is_free(view->cluster, member->job, &place->alloc)) {
            bl_decision_start(all->decision, member->index, &place->alloc, &reason);
        }
    }
}

/* No end will bring another round: all who are left wait for one another. */
static void break_circle(struct regrouping *all)
{
    for (size_t i = 0; i < all->crew->count && all->leaving == 0 && all->waiting > 0; i++) {
        if (all->place[i].member->is_running && all->place[i].fate == FATE_TAKE) {
            send_away(all, &all->place[i]);
        }
    }
}

/* What is on its way back is there in the books to come. */
static void give_back_leaving(struct regrouping *all)
{
    const struct bl_view *view = all->crew->view;

    for (size_t i = 0; i < view->running_count; i++) {
        const struct bl_job *job = view->running[i].job;
        struct bl_alloc beyond;

        if (job->state == BL_JOB_STOPPING || job->state == BL_JOB_RESIZING) {
            bl_alloc_beyond(&job->alloc,
                            job->state == BL_JOB_RESIZING ? &job->next : &(struct bl_alloc){0},
                            &beyond);
            bl_cluster_give_back(&all->shadow, &beyond);
            bl_alloc_finish(&beyond);
            all->leaving++;
        }
    }
}

static void begin(struct regrouping *all)
{
    const struct bl_cluster *cluster = all->crew->view->cluster;
    struct bl_arena *arena = all->crew->view->scratch;

    all->shadow = *cluster;
    all->shadow.node = bl_arena_alloc(arena, (cluster->node_count + 1) * sizeof *all->shadow.node);
    memcpy(all->shadow.node, cluster->node, cluster->node_count * sizeof *cluster->node);
    give_back_leaving(all);
    all->place = bl_arena_alloc(arena, (all->crew->count + 1) * sizeof *all->place);
    for (size_t i = 0; i < all->crew->count; i++) {
        all->place[i].member = &all->crew->member[i];
    }
}

/* Marks who would get less than it was to have. */
static bool find_misfits(const struct regrouping *all, bool *misfit)
{
    bool is_any = false;

    for (size_t i = 0; i < all->crew->count; i++) {
        const struct place *place = &all->place[i];
        const struct bl_crew_member *member = place->member;
        int32_t gpus = member->is_running ? member->gpus : 0;

        gpus = place->fate == FATE_TAKE ? bl_alloc_gpus(&place->alloc) : gpus;
        misfit[i] = member->bond == BL_CREW_OPEN && !keeps(member) && gpus != member->gpus_to &&
                    place->fate != FATE_LEAVE;
        is_any = is_any || misfit[i];
    }
    return is_any;
}

bool bl_regroup(const struct bl_crew *crew, struct bl_decision *decision, bool *misfit)
{
    struct regrouping all = {.crew = crew, .decision = decision};
    bool is_done;

    begin(&all);
    clear_out(&all);
    place_all(&all);
    is_done = !misfit || !find_misfits(&all, misfit);
    if (is_done) {
        change_running(&all);
        break_circle(&all);
        start_queued(&all);
    }
    for (size_t i = 0; i < crew->count; i++) {
        bl_alloc_finish(&all.place[i].alloc);
    }
    return is_done;
}
