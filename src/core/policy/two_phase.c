/* In two phases: those that will end soonest get their least counts first, then each further step
 * goes to the job that it helps most for each GPU. Who runs is taken to lose a restart by any
 * change, so that nobody is moved for less. */
#include "core/counts.h"
#include "base/sort.h"
#include "core/durations.h"
#include "core/in_order.h"
#include "core/policy.h"
#include "core/roster.h"
#include "core/speed.h"

#include <math.h>
#include <stdlib.h>

enum { OPTION_DURATIONS, OPTION_ORDER, OPTION_GAIN };
enum { ORDER_TIME, ORDER_AREA };
enum { GAIN_TIME, GAIN_SPEED };

static const char *const order_words[] = {"time", "area", NULL};
static const char *const gain_words[] = {"time", "speed", NULL};

static const struct bl_option options[] = {
    [OPTION_DURATIONS] = {.name = "durations",
                          .kind = BL_OPTION_WORD,
                          .words = bl_duration_words,
                          .standard = BL_DURATIONS_EXACT,
                          .help = "what remaining times follow from: the limit, the exact work "
                                  "where a trace tells it, or a prediction"},
    [OPTION_ORDER] = {.name = "order",
                      .kind = BL_OPTION_WORD,
                      .words = order_words,
                      .standard = ORDER_TIME,
                      .help = "who gets the least count first: the least remaining time on it, or "
                              "the least time by GPUs"},
    [OPTION_GAIN] = {.name = "gain",
                     .kind = BL_OPTION_WORD,
                     .words = gain_words,
                     .standard = GAIN_SPEED,
                     .help =
                         "what a further GPU is worth: relative speed, or remaining time saved"},
};

/* What a job is given so far, and the best way on. */
struct share {
    const struct bl_roster_entry *entry;
    const int32_t *legal;
    const double *speed; /* on each of them */
    size_t count;
    double left_s; /* remaining time at speed 1 */
    double key;    /* of the first phase */
    size_t steps;  /* legal[steps - 1] is given; 0 = nothing */
    size_t next;   /* steps after the best way on; 0 = there is none */
    double gain;   /* of that, for each GPU */
};

struct shares {
    const struct bl_view *view;
    struct share *share; /* in the order of the first phase */
    size_t count;
    int64_t left; /* GPUs that nobody is given */
};

static bl_time plan_duration(const struct bl_policy_choice *choice, const struct bl_job *job,
                             int32_t gpus)
{
    return bl_duration_of(choice->value[OPTION_DURATIONS], job, gpus);
}

/* Seconds of work that are left on so many GPUs: by the time that it has run, or less where the job
 * reports that it is further. */
static double work_left_s(const struct bl_view *view, const struct bl_job *job, int32_t gpus)
{
    const struct bl_progress *progress = &job->progress;
    bl_time whole = bl_duration_of(view->choice->value[OPTION_DURATIONS], job, gpus);
    double work = (double)(whole - job->spec.restart) / BL_SECOND;
    double left = work;

    if (job->state == BL_JOB_RUNNING) {
        bl_time worked = view->now - job->running_at - job->spec.restart;

        left -= fmax((double)worked / BL_SECOND, 0);
        left = fmin(left, work * (1 - progress->done) / fmax(1 - progress->begun_at, 1e-9));
    }
    return fmax(left, 1e-6);
}

/* Asking for speeds is dear where they are learnt: once for each count. */
static void ask_speeds(const struct bl_view *view, struct share *share)
{
    int32_t *legal = bl_arena_alloc(view->scratch, BL_COUNTS_MAX * sizeof *legal);
    double *speed;

    share->count = bl_job_choices(view, share->entry->job, BL_COUNTS_AUTO, legal);
    speed = bl_arena_alloc(view->scratch, share->count * sizeof *speed);
    for (size_t i = 0; i < share->count; i++) {
        speed[i] = bl_speed(view, share->entry->job, -1, legal[i], 0);
    }
    share->legal = legal;
    share->speed = speed;
}

static void init_share(const struct bl_view *view, const struct bl_roster_entry *entry,
                       struct share *share)
{
    int32_t gpus = entry->gpus > 0 ? entry->gpus : entry->job->spec.gpus_want;

    *share = (struct share){.entry = entry};
    ask_speeds(view, share);
    share->left_s = work_left_s(view, entry->job, gpus) * bl_speed(view, entry->job, -1, gpus, 0);
    share->key = share->left_s / share->speed[0];
    if (view->choice->value[OPTION_ORDER] == ORDER_AREA) {
        share->key *= share->legal[0];
    }
}

static int compare_shares(const void *left, const void *right)
{
    const struct share *a = left;
    const struct share *b = right;

    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return (a->entry > b->entry) - (a->entry < b->entry);
}

static struct shares make_shares(const struct bl_view *view, const struct bl_roster *roster)
{
    struct shares shares = {.view = view, .left = roster->gpus};

    shares.share = bl_arena_alloc(view->scratch, (roster->count + 1) * sizeof *shares.share);
    for (size_t i = 0; i < roster->count; i++) {
        const struct bl_roster_entry *entry = &roster->entry[i];

        if (entry->standing == BL_STANDING_FIXED) {
            shares.left -= entry->gpus;
        } else if (entry->standing != BL_STANDING_LEAVING) {
            init_share(view, entry, &shares.share[shares.count++]);
        }
    }
    bl_sort(shares.share, shares.count, sizeof *shares.share, compare_shares);
    return shares;
}

/* Seconds until the job ends on its count number `at` from now on. */
static double time_on(const struct share *share, size_t at)
{
    const struct bl_roster_entry *entry = share->entry;
    bool is_moved = entry->standing == BL_STANDING_RUNNING && share->legal[at] != entry->gpus;

    return share->left_s / share->speed[at] +
           (is_moved ? (double)entry->job->spec.restart / BL_SECOND : 0);
}

static double worth_of(const struct shares *shares, const struct share *share, size_t from,
                       size_t to)
{
    double before = time_on(share, from);
    double after = time_on(share, to);
    bool by_speed = shares->view->choice->value[OPTION_GAIN] == GAIN_SPEED;

    return (by_speed ? log(before / after) : before - after) /
           (double)(share->legal[to] - share->legal[from]);
}

/* Of all larger counts for which there is room, the one that brings most for each GPU more. */
static void look_ahead(const struct shares *shares, struct share *share)
{
    size_t from = share->steps - 1;

    share->next = 0;
    share->gain = 0;
    for (size_t i = from + 1;
         i < share->count && share->legal[i] - share->legal[from] <= shares->left; i++) {
        double gain = worth_of(shares, share, from, i);

        if (gain > share->gain) {
            share->gain = gain;
            share->next = i + 1;
        }
    }
}

static void give_least(struct shares *shares)
{
    for (size_t i = 0; i < shares->count; i++) {
        struct share *share = &shares->share[i];

        if (share->legal[0] <= shares->left) {
            share->steps = 1;
            shares->left -= share->legal[0];
        }
    }
}

static void give_rest(struct shares *shares)
{
    for (size_t i = 0; i < shares->count; i++) {
        if (shares->share[i].steps > 0) {
            look_ahead(shares, &shares->share[i]);
        }
    }
    while (shares->left > 0 && shares->count > 0) {
        struct share *best = &shares->share[0];

        for (size_t i = 1; i < shares->count; i++) {
            best = shares->share[i].gain > best->gain ? &shares->share[i] : best;
        }
        if (best->gain <= 0) {
            break;
        }
        if (best->legal[best->next - 1] - best->legal[best->steps - 1] <= shares->left) {
            shares->left -= best->legal[best->next - 1] - best->legal[best->steps - 1];
            best->steps = best->next;
        }
        look_ahead(shares, best);
    }
}

static int32_t gpus_of(const struct share *share)
{
    return share->steps > 0 ? share->legal[share->steps - 1] : 0;
}

static bool resize(const struct shares *shares, const struct share *share,
                   struct bl_decision *decision)
{
    const struct bl_roster_entry *entry = share->entry;
    const struct bl_reason reason = {
        .code = BL_REASON_RESIZED, .need = gpus_of(share), .have = entry->gpus};
    struct bl_alloc alloc;

    if (!bl_place_again(shares->view->cluster, entry->job, gpus_of(share), &alloc)) {
        return false;
    }
    bl_decision_resize(decision, entry->index, &alloc, &reason);
    bl_alloc_finish(&alloc);
    return true;
}

/* Who runs on more than it is given gives way. Whether anybody does. */
static bool make_room(const struct shares *shares, struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_PREEMPTED};
    bool is_any = false;

    for (size_t i = 0; i < shares->count; i++) {
        const struct share *share = &shares->share[i];

        if (share->entry->standing != BL_STANDING_RUNNING || gpus_of(share) >= share->entry->gpus) {
            continue;
        }
        if (share->steps == 0) {
            bl_decision_preempt(decision, share->entry->index, &reason);
        } else if (!resize(shares, share, decision)) {
            continue;
        }
        is_any = true;
    }
    return is_any;
}

static void grow(const struct shares *shares, struct bl_decision *decision)
{
    for (size_t i = 0; i < shares->count; i++) {
        const struct share *share = &shares->share[i];

        if (share->entry->standing == BL_STANDING_RUNNING && gpus_of(share) > share->entry->gpus) {
            resize(shares, share, decision);
        }
    }
}

/* On as many GPUs as it is given, or fewer where they lie too far apart. */
static void start(const struct shares *shares, const struct share *share,
                  struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_IN_ORDER};
    struct bl_alloc alloc;

    for (size_t steps = share->steps; steps > 0; steps--) {
        if (bl_place_try(shares->view->cluster, share->entry->job, share->legal[steps - 1],
                         &alloc)) {
            bl_decision_start(decision, share->entry->index, &alloc, &reason);
            bl_alloc_finish(&alloc);
            return;
        }
    }
}

/* The largest first: what is left then fits the smaller ones. */
static void start_by_size(const struct shares *shares, struct bl_decision *decision)
{
    for (int32_t size = INT32_MAX, next; size > 0; size = next) {
        next = 0;
        for (size_t i = 0; i < shares->count; i++) {
            const struct share *share = &shares->share[i];
            int32_t gpus = gpus_of(share);

            if (share->entry->standing != BL_STANDING_QUEUED || gpus > size) {
                continue;
            }
            if (gpus == size) {
                start(shares, share, decision);
            } else {
                next = gpus > next ? gpus : next;
            }
        }
    }
}

static void decide(void *self, const struct bl_view *view, struct bl_decision *decision)
{
    struct bl_roster roster = bl_roster_make(view);
    struct shares shares = make_shares(view, &roster);

    (void)self;
    give_least(&shares);
    give_rest(&shares);
    if (!make_room(&shares, decision)) {
        grow(&shares, decision);
        start_by_size(&shares, decision);
    }
}

const struct bl_policy bl_policy_two_phase = {
    .name = "two_phase",
    .summary = "least counts to those that end soonest, then each GPU to who gains most by it",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .is_elastic = true,
    .plan_duration = plan_duration,
    .decide = decide,
    .explain = bl_explain_each_by_fit,
};
