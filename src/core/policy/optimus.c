/* Greedy by marginal gain, after Peng et al., "Optimus", EuroSys'18: everybody gets its least
 * count, then each further GPU goes to the job whose remaining time it shortens most. Speeds and
 * remaining work are taken as known. */
#include "core/counts.h"
#include "core/durations.h"
#include "core/in_order.h"
#include "core/policy.h"
#include "core/roster.h"
#include "core/speed.h"

#include <math.h>

/* What a job is given, and what the next step up would bring. */
struct share {
    int32_t gpus;
    int32_t next;  /* GPUs after the next step; 0 = there is none */
    double gain;   /* seconds saved a GPU; 0 = no step */
    double left_s; /* remaining time at speed 1 */
    size_t count;  /* legal counts */
    size_t at;     /* the present one */
    const int32_t *legal;
};

/* As the job counts it: never less than one of its own units. A job of unknown work is as good as
 * any other. */
static double left_s(const struct bl_job *job)
{
    const struct bl_progress *progress = &job->progress;
    double part = progress->total > 0 ? fmax(progress->total - progress->steps, 1) / progress->total
                                      : 1 - progress->done;

    bl_time work = bl_job_told_work(&job->spec);

    return work > 0 ? (double)work / (double)BL_SECOND * part : 1;
}

static void look_ahead(const struct bl_view *view, const struct bl_job *job, struct share *share,
                       int64_t free_gpus)
{
    int32_t next = share->at + 1 < share->count ? share->legal[share->at + 1] : 0;

    share->next = next > 0 && next - share->gpus <= free_gpus ? next : 0;
    share->gain = 0;
    if (share->next > 0) {
        double now = 1 / bl_speed(view, job, -1, share->gpus, 0);
        double then = 1 / bl_speed(view, job, -1, share->next, 0);

        share->gain = (now - then) * share->left_s / (share->next - share->gpus);
    }
}

static void init_share(const struct bl_view *view, const struct bl_job *job, struct share *share)
{
    int32_t *legal = bl_arena_alloc(view->scratch, BL_COUNTS_MAX * sizeof *legal);

    share->count = bl_job_choices(view, job, BL_COUNTS_AUTO, legal);
    share->legal = legal;
    share->left_s = left_s(job);
}

/* The least count for everybody, first come first, while there is room. */
static int64_t give_least(const struct bl_view *view, const struct bl_roster *roster,
                          struct share *share)
{
    int64_t left = roster->gpus;

    for (size_t i = 0; i < roster->count; i++) {
        left -= roster->entry[i].standing == BL_STANDING_FIXED ? roster->entry[i].gpus : 0;
    }
    for (size_t i = 0; i < roster->count; i++) {
        const struct bl_roster_entry *entry = &roster->entry[i];

        if (entry->standing == BL_STANDING_FIXED || entry->standing == BL_STANDING_LEAVING) {
            continue;
        }
        init_share(view, entry->job, &share[i]);
        if (share[i].legal[0] <= left) {
            share[i].gpus = share[i].legal[0];
            left -= share[i].gpus;
            look_ahead(view, entry->job, &share[i], left);
        }
    }
    return left;
}

static void give_rest(const struct bl_view *view, const struct bl_roster *roster,
                      struct share *share, int64_t left)
{
    while (left > 0) {
        size_t best = 0;

        for (size_t i = 1; i < roster->count; i++) {
            best = share[i].gain > share[best].gain ? i : best;
        }
        if (share[best].gain <= 0) {
            break;
        }
        if (share[best].next - share[best].gpus > left) {
            share[best].gain = 0;
            continue;
        }
        left -= share[best].next - share[best].gpus;
        share[best].gpus = share[best].next;
        share[best].at++;
        look_ahead(view, roster->entry[best].job, &share[best], left);
    }
}

/* Whether the job changes its size as it runs. One that may be restarted at any time, as those of
 * the published traces, goes back to the queue instead and is placed anew. */
static bool is_resized(const struct bl_roster_entry *entry, const struct share *share)
{
    return share->gpus > 0 && bl_job_is_elastic(&entry->job->spec) && !entry->job->spec.may_restart;
}

static bool resize(const struct bl_view *view, const struct bl_roster_entry *entry, int32_t gpus,
                   struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_RESIZED, .need = gpus, .have = entry->gpus};
    struct bl_alloc alloc;

    if (!bl_place_again(view->cluster, entry->job, gpus, &alloc)) {
        return false;
    }
    bl_decision_resize(decision, entry->index, &alloc, &reason);
    bl_alloc_finish(&alloc);
    return true;
}

/* Answers whether anybody gives up GPUs. */
static bool make_room(const struct bl_view *view, const struct bl_roster *roster,
                      const struct share *share, struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_PREEMPTED};
    bool is_any = false;

    for (size_t i = 0; i < roster->count; i++) {
        const struct bl_roster_entry *entry = &roster->entry[i];

        if (entry->standing != BL_STANDING_RUNNING || share[i].gpus == entry->gpus) {
            continue;
        }
        if (!is_resized(entry, &share[i])) {
            bl_decision_preempt(decision, entry->index, &reason);
            is_any = true;
        } else if (share[i].gpus < entry->gpus) {
            is_any = resize(view, entry, share[i].gpus, decision) || is_any;
        }
    }
    return is_any;
}

static void grow(const struct bl_view *view, const struct bl_roster *roster,
                 const struct share *share, struct bl_decision *decision)
{
    for (size_t i = 0; i < roster->count; i++) {
        const struct bl_roster_entry *entry = &roster->entry[i];

        if (entry->standing == BL_STANDING_RUNNING && share[i].gpus > entry->gpus) {
            resize(view, entry, share[i].gpus, decision);
        }
    }
}

/* The smallest first, so that the nodes they leave are as empty as can be; stable. */
static void start_by_size(const struct bl_view *view, const struct bl_roster *roster,
                          const struct share *share, struct bl_decision *decision)
{
    for (int32_t size = 1, next; size > 0; size = next) {
        next = 0;
        for (size_t i = 0; i < roster->count; i++) {
            if (roster->entry[i].standing != BL_STANDING_QUEUED || share[i].gpus < size) {
                continue;
            }
            if (share[i].gpus == size) {
                bl_roster_start(decision, view, &roster->entry[i], size);
            } else if (next == 0 || share[i].gpus < next) {
                next = share[i].gpus;
            }
        }
    }
}

/* First GPUs are given up; once they are free, others grow, and those that were put back and those
 * that came are placed at once. */
static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_roster roster = bl_roster_make(view);
    struct share *share = bl_arena_alloc(view->scratch, (roster.count + 1) * sizeof *share);
    int64_t left = give_least(view, &roster, share);

    (void)self;
    give_rest(view, &roster, share, left);
    if (!make_room(view, &roster, share, decision)) {
        grow(view, &roster, share, decision);
        bl_roster_start_gpuless(decision, view, &roster);
        start_by_size(view, &roster, share, decision);
    }
}

const struct bl_policy bl_policy_optimus = {
    .name = "optimus",
    .summary = "each GPU to the job that it helps most, speeds and work known (Optimus)",
    .is_elastic = true,
    .plan_duration = bl_plan_to_limit,
    .decide = decide,
    .explain = bl_explain_each_by_fit,
};
