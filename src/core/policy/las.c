/* Least attained service in two queues, after Gu et al., "Tiresias", NSDI'19: a job that has held
 * so many GPU-hours falls to the second queue; each queue is first come, first served, and the
 * first one may take GPUs from the second. Jobs run on the GPUs that they asked for. */
#include "core/durations.h"
#include "core/in_order.h"
#include "core/policy.h"
#include "core/roster.h"

enum { OPTION_THRESHOLD };

enum { QUEUES = 2 };

static const struct bl_option options[] = {
    [OPTION_THRESHOLD] = {.name = "threshold",
                          .kind = BL_OPTION_SPAN,
                          .low = BL_SECOND,
                          .high = BL_SPAN_MAX,
                          .standard = 16 * BL_HOUR,
                          .help = "time on one GPU after which a job goes behind the others"},
};

/* Who has had enough falls to the second queue, behind those that fell before. */
static void demote(const struct bl_view *view, const struct bl_roster *roster,
                   struct bl_decision *decision)
{
    double threshold = (double)view->choice->value[OPTION_THRESHOLD] / (double)BL_SECOND;

    for (size_t i = 0; i < roster->count; i++) {
        const struct bl_job *job = roster->entry[i].job;

        if (job->level == 0 && bl_job_attained(job, view->now) >= threshold) {
            bl_decision_set_level(decision, job->id, 1);
        }
    }
}

/* Queue 0 by submission, queue 1 by when they fell. */
static bool is_before(const struct bl_job *a, const struct bl_job *b)
{
    if (a->level != b->level) {
        return a->level < b->level;
    }
    return a->level_at < b->level_at;
}

/* The roster is in order of submission: a stable sort keeps that within ties. */
static void sort_by_queue(struct bl_roster *roster)
{
    for (size_t i = 1; i < roster->count; i++) {
        struct bl_roster_entry entry = roster->entry[i];
        size_t at = i;

        for (; at > 0 && is_before(entry.job, roster->entry[at - 1].job); at--) {
            roster->entry[at] = roster->entry[at - 1];
        }
        roster->entry[at] = entry;
    }
}

static int32_t gpus_of(const struct bl_roster_entry *entry)
{
    return entry->standing == BL_STANDING_QUEUED ? bl_job_gpus_wanted(entry->job) : entry->gpus;
}

/* Marks who may run, first come first: whoever fits into what is left of the machine. Answers
 * whether anybody had to go for it. */
static bool choose(const struct bl_roster *roster, bool *may_run, struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_PREEMPTED};
    int64_t left = roster->gpus;
    bool is_any_sent = false;

    for (size_t i = 0; i < roster->count; i++) {
        left -= roster->entry[i].standing == BL_STANDING_FIXED ? roster->entry[i].gpus : 0;
    }
    for (size_t i = 0; i < roster->count; i++) {
        const struct bl_roster_entry *entry = &roster->entry[i];

        if (entry->standing == BL_STANDING_FIXED || entry->standing == BL_STANDING_LEAVING) {
            continue;
        }
        may_run[i] = gpus_of(entry) <= left;
        left -= may_run[i] ? gpus_of(entry) : 0;
        if (!may_run[i] && entry->standing == BL_STANDING_RUNNING) {
            bl_decision_preempt(decision, entry->index, &reason);
            is_any_sent = true;
        }
    }
    return is_any_sent;
}

/* Starts wait for those that were sent away: the emptiest nodes are to be theirs as well. */
static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_roster roster = bl_roster_make(view);
    bool *may_run = bl_arena_alloc(view->scratch, (roster.count + 1) * sizeof *may_run);

    (void)self;
    demote(view, &roster, decision);
    sort_by_queue(&roster);
    if (choose(&roster, may_run, decision)) {
        return;
    }
    for (size_t i = 0; i < roster.count; i++) {
        if (may_run[i] && roster.entry[i].standing == BL_STANDING_QUEUED) {
            bl_roster_start(decision, view, &roster.entry[i], gpus_of(&roster.entry[i]));
        }
    }
}

const struct bl_policy bl_policy_las = {
    .name = "las",
    .summary = "least attained service in two queues (Tiresias)",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .is_elastic = true,
    .plan_duration = bl_plan_to_limit,
    .decide = decide,
    .explain = bl_explain_each_by_fit,
};
