/* Equal shares: each elastic job has its least count, and then all are raised together, the
 * smallest share first (water filling). Jobs come in as in `fifo`: those that run are shrunk, down
 * to their least counts, until the head of the queue fits. Jobs that are not elastic run beside
 * them on what they want.
 *
 * All is planned before anything is done, so that nobody is shrunk for a job that could not start
 * then. GPUs that others must leave first are taken in the round after they have left them. */
#include "core/counts.h"
#include "core/durations.h"
#include "core/in_order.h"
#include "core/place.h"
#include "core/policy.h"
#include "core/share.h"
#include "core/speed.h"

enum { OPTION_HOLD };

static const struct bl_option options[] = {
    [OPTION_HOLD] = {.name = "hold",
                     .kind = BL_OPTION_SPAN,
                     .low = 0,
                     .high = BL_DAY,
                     .standard = BL_MINUTE,
                     .help = "how long a job runs at least between two changes of its size"},
};

/* A job whose size is open: one that runs and may be resized, or one that queues. */
struct member {
    const struct bl_job *job;
    size_t index; /* in view->queue, of one that queues */
    int32_t now;  /* GPUs that it has; 0 while it queues */
    struct bl_sharer share;
    int32_t planned;
    struct bl_alloc kept; /* of one that runs: what it holds in the plan */
};

struct round {
    const struct bl_view *view;
    struct bl_decision *decision;
    bl_time hold;
    struct member *member; /* those that run in order of ids, then the queue as it stands */
    size_t running, count;
    struct bl_free plan;
    bool is_blocked; /* somebody waits for GPUs that are on their way */
};

/* More GPUs than that would make it slower. */
static size_t useful_counts(const struct bl_view *view, const struct bl_job *job,
                            const int32_t *count, size_t counts)
{
    size_t useful = 1;

    while (useful < counts && bl_speed(view, job, -1, count[useful], 0) >=
                                  bl_speed(view, job, -1, count[useful - 1], 0)) {
        useful++;
    }
    return useful;
}

static struct bl_sharer sharer_of(const struct bl_view *view, const struct bl_job *job)
{
    int32_t choice[BL_COUNTS_MAX];
    size_t counts = bl_job_choices(view, job, BL_COUNTS_AUTO, choice);
    int32_t *count = bl_arena_alloc(view->scratch, counts * sizeof *count);

    for (size_t i = 0; i < counts; i++) {
        count[i] = choice[i];
    }
    return (struct bl_sharer){count, useful_counts(view, job, count, counts), 0};
}

static bool are_nodes_up(const struct bl_view *view, const struct bl_alloc *alloc)
{
    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (view->cluster->node[bl_alloc_parts(alloc)[i].node].state != BL_NODE_UP) {
            return false;
        }
    }
    return true;
}

/* What somebody wished is not for the policy to change; one that was changed a moment ago is left
 * in peace. */
static bool may_be_resized(struct round *round, const struct bl_job *job)
{
    if (job->state != BL_JOB_RUNNING || !bl_job_is_elastic(&job->spec) || job->gpus_wish > 0 ||
        !are_nodes_up(round->view, &job->alloc)) {
        return false;
    }
    if (job->running_at + round->hold > round->view->now) {
        bl_decision_wake(round->decision, job->running_at + round->hold);
        return false;
    }
    return true;
}

static void add_running(struct round *round)
{
    const struct bl_view *view = round->view;

    for (size_t i = 0; i < view->running_count; i++) {
        const struct bl_job *job = view->running[i].job;
        size_t place = round->running;

        if (!may_be_resized(round, job)) {
            continue;
        }
        for (; place > 0 && round->member[place - 1].job->id > job->id; place--) {
            round->member[place] = round->member[place - 1];
        }
        round->member[place] = (struct member){
            .job = job, .now = bl_alloc_gpus(&job->alloc), .share = sharer_of(view, job)};
        bl_free_add(&round->plan, &job->alloc);
        round->running++;
    }
}

/* Those of the queue, in order, whose least counts fit beside the least counts of all before.
 * Answers what is left. */
static int64_t add_queue(struct round *round, size_t most)
{
    const struct bl_view *view = round->view;
    int64_t room = round->plan.total.amount[BL_RESOURCE_GPU];

    for (size_t i = 0; i < round->running; i++) {
        room -= round->member[i].share.count[0];
    }
    round->count = round->running;
    for (size_t i = 0; i < view->queue_count && round->count - round->running < most; i++) {
        const struct bl_job *job = view->queue[i].job;
        struct member member = {.job = job, .index = i};

        if (!job) {
            continue;
        }
        member.share = sharer_of(view, job);
        if (member.share.count[0] > room) {
            break;
        }
        room -= member.share.count[0];
        round->member[round->count++] = member;
    }
    return room;
}

static int32_t share_of(const struct member *member)
{
    return member->share.count[member->share.at];
}

static void share(struct round *round, int64_t room)
{
    struct bl_sharer *sharer =
        bl_arena_alloc(round->view->scratch, (round->count + 1) * sizeof *sharer);

    for (size_t i = 0; i < round->count; i++) {
        sharer[i] = round->member[i].share;
    }
    bl_share_equally(sharer, round->count, room);
    for (size_t i = 0; i < round->count; i++) {
        round->member[i].share = sharer[i];
    }
}

/* Those that run keep what they have, up to their share. */
static void plan_running(struct round *round)
{
    for (size_t i = 0; i < round->running; i++) {
        struct member *member = &round->member[i];

        member->planned = share_of(member) < member->now ? share_of(member) : member->now;
        if (!bl_place_again(round->view->cluster, member->job, member->planned, &member->kept)) {
            bl_alloc_copy(&member->kept, &member->job->alloc);
            member->planned = member->now;
        }
        bl_free_take(&round->plan, &member->kept);
    }
}

/* Then the queue; one for which there is no place at all ends it. Answers how many have one. */
static size_t plan_queue(struct round *round)
{
    for (size_t i = round->running; i < round->count; i++) {
        struct member *member = &round->member[i];
        struct bl_alloc alloc = {0};
        size_t at = member->share.at + 1;

        while (at > 0 &&
               !bl_place_plan(&round->plan, member->job, member->share.count[at - 1], &alloc)) {
            at--;
        }
        if (at == 0) {
            return i - round->running;
        }
        member->planned = member->share.count[at - 1];
        bl_free_take(&round->plan, &alloc);
        bl_alloc_finish(&alloc);
    }
    return round->count - round->running;
}

/* The largest count up to `most` for which there is room. */
static void raise(struct round *round, struct member *member, int32_t most)
{
    struct bl_job probe = *member->job;
    size_t at = member->share.count_count;

    probe.alloc = member->kept;
    while (at > 0 && member->share.count[at - 1] > member->planned) {
        struct bl_alloc more;
        int32_t count = member->share.count[--at];

        if (count <= most && bl_place_again_within(&round->plan, &probe, count, &more)) {
            bl_free_add(&round->plan, &member->kept);
            bl_free_take(&round->plan, &more);
            bl_alloc_finish(&member->kept);
            member->kept = more;
            member->planned = count;
        }
    }
}

/* What is left goes to those whose share is larger than what they have, and then back to those that
 * were shrunk in the plan though nobody could use it. */
static void plan_growth(struct round *round)
{
    for (size_t i = 0; i < round->running; i++) {
        raise(round, &round->member[i], share_of(&round->member[i]));
    }
    for (size_t i = 0; i < round->running; i++) {
        raise(round, &round->member[i], round->member[i].now);
    }
}

static void drop_plan(struct round *round)
{
    for (size_t i = 0; i < round->running; i++) {
        bl_alloc_finish(&round->member[i].kept);
    }
    round->running = 0;
}

/* The plan with the first `most` of the queue in it; fewer when one has no place. */
static void make_plan(struct round *round)
{
    size_t most = round->view->queue_count;
    size_t placed;

    for (;;) {
        round->plan = bl_free_copy(round->view->cluster, round->view->scratch);
        add_running(round);
        share(round, add_queue(round, most));
        plan_running(round);
        placed = plan_queue(round);
        if (placed == round->count - round->running) {
            break;
        }
        most = placed;
        drop_plan(round);
    }
    plan_growth(round);
}

static size_t find_running(const struct bl_view *view, const struct bl_job *job)
{
    size_t i = 0;

    while (view->running[i].job != job) {
        i++;
    }
    return i;
}

static void resize(struct round *round, const struct member *member, struct bl_reason reason)
{
    struct bl_alloc alloc;

    reason.need = member->planned;
    reason.have = member->now;
    if (bl_place_again(round->view->cluster, member->job, member->planned, &alloc)) {
        bl_decision_resize(round->decision, find_running(round->view, member->job), &alloc,
                           &reason);
        bl_alloc_finish(&alloc);
    }
}

static void shrink(struct round *round)
{
    struct bl_reason reason = {.code = BL_REASON_RESIZED};

    if (round->count > round->running) {
        reason.code = BL_REASON_SHRUNK_FOR;
        reason.job = round->member[round->running].job->id;
    }
    for (size_t i = 0; i < round->running; i++) {
        if (round->member[i].planned < round->member[i].now) {
            resize(round, &round->member[i], reason);
        }
    }
}

/* True when elements of an array may follow at once. */
static bool start(struct round *round)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};
    bool may_follow = false;

    for (size_t i = round->running; i < round->count && !round->is_blocked; i++) {
        const struct member *member = &round->member[i];
        struct bl_alloc alloc;

        round->is_blocked =
            !bl_place_try(round->view->cluster, member->job, member->planned, &alloc);
        if (!round->is_blocked) {
            bl_decision_start(round->decision, member->index, &alloc, &reason);
            bl_alloc_finish(&alloc);
            may_follow = may_follow || round->view->queue[member->index].job;
        }
    }
    return may_follow;
}

static void grow(struct round *round)
{
    for (size_t i = 0; i < round->running && !round->is_blocked; i++) {
        if (round->member[i].planned > round->member[i].now) {
            resize(round, &round->member[i], (struct bl_reason){.code = BL_REASON_RESIZED});
        }
    }
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    bool may_follow = true;

    (void)self;
    while (may_follow) {
        struct round round = {
            .view = view, .decision = decision, .hold = view->choice->value[OPTION_HOLD]};

        round.member = bl_arena_alloc(view->scratch, (view->running_count + view->queue_count + 1) *
                                                         sizeof *round.member);
        make_plan(&round);
        shrink(&round);
        may_follow = start(&round) && !round.is_blocked;
        grow(&round);
        drop_plan(&round);
    }
}

/* As in a queue of jobs that ask for their least counts. */
static void explain(void *self, const struct bl_view *view, const struct bl_job *job,
                    struct bl_reason *out)
{
    struct bl_job least = *job;
    size_t place = 0;

    (void)self;
    least.gpus_wish = job->gpus_wish > 0 ? job->gpus_wish : job->spec.gpus_min;
    bl_explain_by_fit(view, &least, out);
    while (place < view->queue_count && view->queue[place].job != job) {
        place++;
    }
    if (place > 0 && place < view->queue_count && out->code != BL_REASON_NODES_DOWN &&
        out->code != BL_REASON_DRAIN) {
        *out = (struct bl_reason){BL_REASON_PRIORITY, .job = view->queue[place - 1].job->id,
                                  .need = (int64_t)place};
    }
}

const struct bl_policy bl_policy_equal = {
    .name = "equal",
    .summary = "equal shares: elastic jobs are resized so that all have the same number of GPUs",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .is_strict = true,
    .is_elastic = true,
    .plan_duration = bl_plan_to_limit,
    .decide = decide,
    .explain = explain,
};
