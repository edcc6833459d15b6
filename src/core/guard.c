#include "core/guard.h"

#include "base/own.h"
#include "base/sort.h"
#include "core/place.h"
#include "core/plan.h"

#include <assert.h>

enum {
    CHECKS_MAX = 16,   /* that a round makes to let somebody pass */
    WORK_MAX = 1 << 14 /* jobs that they plan or find running, all together */
};

/* How long nobody may have to look at the queue: a round is asked for in time. */
#define PAUSE (10 * BL_MINUTE)

/* A job that waits and was promised a start. */
struct ward {
    size_t index; /* in the queue */
    bl_time due;  /* 0 = not yet promised */
    bl_time planned;
    bl_time longest;
    bl_time tried; /* in the plan that is being made */
    bool is_aged;
    bool goes_first; /* in the plan that is being made */
};

/* Somebody who was refused: whoever asks for no less and comes no earlier is refused as well. */
struct refusal {
    int32_t gpus;
    bl_time longest;
    bl_time planned;
};

/* By how much all may be later than planned. */
struct slack {
    bl_time least; /* BL_TIME_NEVER: for ever */
    size_t holder; /* in the queue: whose that is */
    bl_time next;  /* of all others */
};

struct bl_guard {
    struct bl_guard_rules rules;
    struct ward *ward; /* in order of the queue */
    size_t count;
    struct ward **ward_of; /* by index in the queue; NULL: it has none */
    struct ward **by_plan;
    struct ward **by_due;
    struct slack slack;
    bool is_slack_known;
    bl_time clear;         /* all that was let pass is over by then, or in the plan */
    int64_t work;          /* jobs that checks have planned */
    bool is_sorted;        /* both lists, by the plan that counts */
    struct bl_plan *front; /* the plan, where it is of the first alone; the others keep theirs, */
    bl_time behind;        /* from then on */
    struct refusal refusal[CHECKS_MAX];
    int32_t refusals;
    int32_t checks;
    struct bl_arena arena; /* of one plan */
};

static bl_time longest_run(const struct bl_job *job)
{
    bl_time longest = bl_job_longest_run(&job->spec) - job->ran_before;

    return longest > 1 ? longest : 1;
}

static int compare_planned(const void *left, const void *right)
{
    const struct ward *a = *(struct ward *const *)left;
    const struct ward *b = *(struct ward *const *)right;
    bool a_new = a->due == 0;
    bool b_new = b->due == 0;

    if (a_new != b_new) {
        return a_new ? 1 : -1;
    }
    if (a->planned != b->planned) {
        return a->planned < b->planned ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Marked ones first, in order of arrival. */
static int compare_marked(const void *left, const void *right)
{
    const struct ward *a = *(struct ward *const *)left;
    const struct ward *b = *(struct ward *const *)right;

    if (a->goes_first != b->goes_first) {
        return a->goes_first ? -1 : 1;
    }
    return a->goes_first ? (a->index > b->index) - (a->index < b->index)
                         : compare_planned(left, right);
}

static int compare_due(const void *left, const void *right)
{
    const struct ward *a = *(struct ward *const *)left;
    const struct ward *b = *(struct ward *const *)right;

    if (a->due != b->due) {
        return a->due < b->due ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* A plan of what runs, each job to its limit. */
static struct bl_plan *plan_running(struct bl_guard *guard, const struct bl_view *view)
{
    struct bl_view to_limit = *view;
    struct bl_running_entry *running;

    bl_arena_reset(&guard->arena);
    running = bl_arena_alloc(&guard->arena, view->running_count * sizeof *running);
    for (size_t i = 0; i < view->running_count; i++) {
        const struct bl_job *job = view->running[i].job;
        bl_time from = job->running_at ? job->running_at : job->started_at;

        running[i] = (struct bl_running_entry){job, from + longest_run(job)};
    }
    bl_running_sort(running, view->running_count);
    to_limit.running = running;
    to_limit.scratch = &guard->arena;
    return bl_plan_create(&to_limit);
}

static bool is_waiting(const struct bl_view *view, const struct ward *ward)
{
    return view->queue[ward->index].job != NULL;
}

static bl_time put(struct bl_plan *plan, const struct bl_view *view, struct ward *ward,
                   bl_time from)
{
    const struct bl_queue_entry *entry = &view->queue[ward->index];

    ward->tried = bl_plan_add(plan, entry->job, entry->gpus, ward->longest, from);
    return ward->tried;
}

/* What a plan is asked for. */
struct trial {
    size_t passing; /* starts now, before all others; SIZE_MAX = nobody */
    bl_time from;   /* the others start then at the earliest */
    bool in_order_of_due;
};

static bool begin_trial(struct bl_guard *guard, const struct bl_view *view,
                        const struct trial *trial, struct bl_plan **plan)
{
    const struct bl_queue_entry *entry;

    *plan = plan_running(guard, view);
    guard->work += (int64_t)view->running_count;
    if (trial->passing == SIZE_MAX) {
        return true;
    }
    entry = &view->queue[trial->passing];
    return bl_plan_add(*plan, entry->job, entry->gpus, longest_run(entry->job), view->now) ==
           view->now;
}

/* Whether such a plan keeps all promises; ward->tried holds it. */
static bool try_plan(struct bl_guard *guard, const struct bl_view *view, const struct trial *trial)
{
    struct bl_plan *plan;

    if (!begin_trial(guard, view, trial, &plan)) {
        return false;
    }
    for (size_t i = 0; i < guard->count; i++) {
        struct ward *ward = trial->in_order_of_due ? guard->by_due[i] : guard->by_plan[i];

        if (is_waiting(view, ward) && ward->index != trial->passing) {
            guard->work++;
            if (put(plan, view, ward, trial->from) > ward->due) {
                return false;
            }
        }
    }
    return true;
}

static bool is_long(const struct bl_guard *guard)
{
    return guard->count > guard->rules.front;
}

static void sort_wards(const struct bl_guard *guard, struct ward **list,
                       int (*compare)(const void *left, const void *right))
{
    bl_sort(list, guard->count, sizeof(struct ward *), compare);
}

/* What no check has the room to plan is not let pass. */
static bool try_both_orders(struct bl_guard *guard, const struct bl_view *view, struct trial trial)
{
    if (is_long(guard)) {
        return false;
    }
    if (!guard->is_sorted) {
        sort_wards(guard, guard->by_plan, compare_planned);
        sort_wards(guard, guard->by_due, compare_due);
        guard->is_sorted = true;
    }
    for (int i = 0; i < 2; i++) {
        trial.in_order_of_due = i > 0;
        if (guard->work + (int64_t)guard->count > WORK_MAX) {
            return false;
        }
        if (try_plan(guard, view, &trial)) {
            return true;
        }
    }
    return false;
}

static const struct slack *measure_slack(struct bl_guard *guard, const struct bl_view *view)
{
    struct slack *slack = &guard->slack;

    if (guard->is_slack_known) {
        return slack;
    }
    *slack = (struct slack){BL_TIME_NEVER, SIZE_MAX, BL_TIME_NEVER};
    for (size_t i = 0; i < guard->count; i++) {
        const struct ward *ward = &guard->ward[i];
        bl_time own = ward->due - ward->planned;

        if (!is_waiting(view, ward) || ward->due == BL_TIME_NEVER) {
            continue;
        }
        if (own < slack->least) {
            *slack = (struct slack){own, ward->index, slack->least};
        } else if (own < slack->next) {
            slack->next = own;
        }
    }
    guard->is_slack_known = true;
    return slack;
}

/* What was tried is the plan from now on. */
static void adopt(struct bl_guard *guard, const struct bl_view *view)
{
    for (size_t i = 0; i < guard->count; i++) {
        guard->ward[i].planned = guard->ward[i].tried;
    }
    guard->is_sorted = false;
    guard->clear = view->now;
    guard->is_slack_known = false;
}

static void collect(struct bl_guard *guard, const struct bl_view *view)
{
    size_t size = view->queue_count * sizeof(struct ward *);

    guard->ward = bl_arena_alloc(view->scratch, view->queue_count * sizeof *guard->ward);
    guard->ward_of = bl_arena_alloc(view->scratch, size);
    guard->by_plan = bl_arena_alloc(view->scratch, size);
    guard->by_due = bl_arena_alloc(view->scratch, size);
    for (size_t i = 0; i < view->queue_count; i++) {
        const struct bl_job *job = view->queue[i].job;
        struct ward *ward = &guard->ward[guard->count];

        if (job && !job->array) {
            *ward = (struct ward){.index = i,
                                  .due = job->guard.due,
                                  .planned = job->guard.planned,
                                  .longest = longest_run(job),
                                  .tried = job->guard.planned,
                                  .is_aged = job->guard.is_aged};
            guard->ward_of[i] = guard->by_plan[guard->count] = guard->by_due[guard->count] = ward;
            guard->count++;
        }
    }
}

static size_t count_marked(const struct bl_guard *guard)
{
    size_t count = 0;

    for (size_t i = 0; i < guard->count; i++) {
        count += guard->ward[i].goes_first;
    }
    return count;
}

/* Marks of those that are marked the ones that came first alone, after they were sorted. */
static void keep_oldest(struct bl_guard *guard, size_t kept)
{
    for (size_t i = kept; i < guard->count; i++) {
        guard->by_plan[i]->goes_first = false;
    }
}

/* All as early as they can, marked ones first. False when somebody would come later than promised,
 * and later than was planned for one whose promise is broken already. */
static bool plan_marked_first(struct bl_guard *guard, const struct bl_view *view)
{
    struct bl_plan *plan = plan_running(guard, view);

    sort_wards(guard, guard->by_plan, compare_marked);
    for (size_t i = 0; i < guard->count; i++) {
        struct ward *ward = guard->by_plan[i];
        bl_time latest = ward->due > ward->planned ? ward->due : ward->planned;

        if (put(plan, view, ward, view->now) > latest && ward->due > 0) {
            return false;
        }
    }
    return true;
}

/* The same in the order in which they were planned: nobody comes later than before. */
static void plan_as_before(struct bl_guard *guard, const struct bl_view *view)
{
    struct bl_plan *plan = plan_running(guard, view);

    sort_wards(guard, guard->by_plan, compare_planned);
    for (size_t i = 0; i < guard->count; i++) {
        put(plan, view, guard->by_plan[i], view->now);
    }
}

/* Behind jobs without a limit the plan tells nothing of when it will start. */
static bool is_foreseeable(const struct bl_view *view, const struct ward *ward)
{
    return ward->tried < BL_TIME_NEVER && ward->tried - view->now < BL_JOB_UNLIMITED_RUN / 2;
}

/* A long queue is planned as far as the next starts go, in the order in which it was planned:
 * nobody comes later for that, and so the others may keep the places that they have. */
static void plan_front(struct bl_guard *guard, const struct bl_view *view)
{
    guard->front = plan_running(guard, view);
    sort_wards(guard, guard->by_plan, compare_planned);
    for (size_t i = 0; i < guard->count; i++) {
        struct ward *ward = guard->by_plan[i];

        if (i < guard->rules.front) {
            put(guard->front, view, ward, view->now);
        } else {
            ward->tried = ward->planned > view->now ? ward->planned : view->now + 1;
        }
    }
    guard->behind = guard->by_plan[guard->rules.front]->planned;
}

static bool is_front_enough(const struct bl_guard *guard)
{
    for (size_t i = 0; i < guard->count; i++) {
        if (guard->ward[i].due == 0) {
            return false;
        }
    }
    return is_long(guard);
}

/* Those that are new come last and are promised their places, or more. */
static void promise_new(struct bl_guard *guard, const struct bl_view *view)
{
    for (size_t i = 0; i < guard->count; i++) {
        struct ward *ward = &guard->ward[i];
        bl_time patient = view->queue[ward->index].job->eligible_at + guard->rules.wait;

        if (ward->due == 0) {
            ward->due = ward->tried > patient ? ward->tried : patient;
        }
    }
}

/* What those that have aged are planned to is their promise from then on, but nobody is promised to
 * start before one that came earlier: who is promised little can be passed by many. */
static void promise_aged(struct bl_guard *guard, const struct bl_view *view)
{
    bl_time latest = 0;

    for (size_t i = 0; i < guard->count; i++) {
        struct ward *ward = &guard->ward[i];

        if (ward->is_aged && is_foreseeable(view, ward)) {
            latest = ward->tried > latest ? ward->tried : latest;
            ward->due = latest < ward->due ? latest : ward->due;
        }
    }
}

/* As many of those that have aged go first as can, by halves; in a long queue nobody does. */
static void plan_anew(struct bl_guard *guard, const struct bl_view *view)
{
    size_t marked = is_long(guard) ? 0 : count_marked(guard);

    if (is_front_enough(guard)) {
        plan_front(guard, view);
        return;
    }
    while (marked > 0 && !plan_marked_first(guard, view)) {
        marked /= 2;
        keep_oldest(guard, marked);
    }
    if (marked == 0) {
        plan_as_before(guard, view);
    }
}

/* The wider a job, the longer it then waits for room: it counts as aged earlier. */
static bool is_of_age(const struct bl_view *view, const struct ward *ward, bl_time wait)
{
    static const double earlier = .8; /* one that takes the whole machine, by that part */
    const struct bl_queue_entry *entry = &view->queue[ward->index];
    int64_t capacity = view->cluster->capacity.amount[BL_RESOURCE_GPU];
    double width = capacity > 0 ? (double)entry->gpus / (double)capacity : 0;
    double waited = (double)(view->now - entry->job->eligible_at);

    return waited >= (double)wait * (1 - earlier * (width < 1 ? width : 1));
}

static void mark_aged(struct bl_guard *guard, const struct bl_view *view)
{
    for (size_t i = 0; i < guard->count; i++) {
        struct ward *ward = &guard->ward[i];

        ward->is_aged = ward->is_aged || is_of_age(view, ward, guard->rules.patience);
        ward->goes_first = ward->is_aged;
    }
}

struct bl_guard *bl_guard_create(const struct bl_view *view, const struct bl_guard_rules *rules)
{
    struct bl_guard *guard = bl_arena_alloc(view->scratch, sizeof *guard);

    guard->rules = *rules;
    collect(guard, view);
    mark_aged(guard, view);
    plan_anew(guard, view);
    promise_new(guard, view);
    promise_aged(guard, view);
    adopt(guard, view);
    return guard;
}

/* When the entry is to start by the plan; BL_TIME_NEVER for one that has no place in it. */
static bl_time planned_start(const struct bl_guard *guard, size_t index)
{
    return guard->ward_of[index] ? guard->ward_of[index]->planned : BL_TIME_NEVER;
}

static bool is_refused(const struct bl_guard *guard, const struct refusal *asked)
{
    for (int32_t i = 0; i < guard->refusals; i++) {
        const struct refusal *refusal = &guard->refusal[i];

        if (asked->gpus >= refusal->gpus && asked->longest >= refusal->longest &&
            asked->planned >= refusal->planned) {
            return true;
        }
    }
    return guard->checks == CHECKS_MAX || guard->refusals == CHECKS_MAX;
}

/* Without a plan: it has its place there now, or all others may come when it is over. */
static bool is_harmless(struct bl_guard *guard, const struct bl_view *view, size_t index,
                        const struct refusal *asked)
{
    bl_time end = view->now + asked->longest;
    bl_time clear = end > guard->clear ? end : guard->clear;
    const struct slack *slack;

    if (guard->clear == view->now && asked->planned <= view->now) {
        return true;
    }
    slack = measure_slack(guard, view);
    if (clear - view->now <= (slack->holder == index ? slack->next : slack->least)) {
        guard->clear = clear;
        return true;
    }
    return false;
}

/* Beside all that the plan of the first has, and over before that of the others begins. */
static bool goes_beside(struct bl_guard *guard, const struct bl_view *view,
                        const struct bl_queue_entry *entry)
{
    bl_time longest = longest_run(entry->job);

    return guard->clear == view->now && guard->behind - view->now >= longest &&
           bl_plan_find(guard->front, entry->job, entry->gpus, longest, view->now) == view->now &&
           bl_plan_add(guard->front, entry->job, entry->gpus, longest, view->now) == view->now;
}

/* All others have a plan behind it. */
static bool goes_before(struct bl_guard *guard, const struct bl_view *view, size_t index)
{
    guard->checks++;
    if (!try_both_orders(guard, view, (struct trial){.passing = index, .from = view->now})) {
        return false;
    }
    adopt(guard, view);
    return true;
}

static bool may_start(struct bl_guard *guard, const struct bl_view *view, size_t index)
{
    const struct bl_queue_entry *entry = &view->queue[index];
    struct refusal asked = {entry->gpus, longest_run(entry->job), planned_start(guard, index)};

    if (is_harmless(guard, view, index, &asked)) {
        return true;
    }
    if (is_refused(guard, &asked)) {
        return false;
    }
    if (guard->front ? goes_beside(guard, view, entry) : goes_before(guard, view, index)) {
        return true;
    }
    guard->refusal[guard->refusals++] = asked;
    return false;
}

bool bl_guard_may_start(void *self, const struct bl_view *view, size_t index)
{
    struct bl_guard *guard = self;
    bool is_allowed = may_start(guard, view, index);

    guard->is_slack_known = guard->is_slack_known && !is_allowed; /* it waits no more */
    return is_allowed;
}

/* Who is the next to start by the plan; of several, the one that was promised the earliest start.
 */
static const struct ward *next_to_start(const struct bl_guard *guard, const struct bl_view *view)
{
    const struct ward *found = NULL;

    for (size_t i = 0; i < guard->count; i++) {
        const struct ward *ward = &guard->ward[i];

        if (is_waiting(view, ward) &&
            (!found || ward->planned < found->planned ||
             (ward->planned == found->planned && ward->due < found->due))) {
            found = ward;
        }
    }
    return found;
}

static bool start_one(struct bl_guard *guard, const struct bl_view *view,
                      struct bl_decision *decision)
{
    const struct bl_reason reason = {.code = BL_REASON_PLANNED, .at = view->now};
    const struct ward *ward = next_to_start(guard, view);
    const struct bl_queue_entry *entry = ward ? &view->queue[ward->index] : NULL;
    struct bl_alloc alloc;

    if (!ward || !bl_place_try(view->cluster, entry->job, entry->gpus, &alloc)) {
        return false;
    }
    bl_decision_start(decision, ward->index, &alloc, &reason);
    bl_alloc_finish(&alloc);
    guard->is_slack_known = false;
    return true;
}

/* Whether all can be kept although nobody starts until `guard` wakes up again. If not, somebody is
 * to start now by the plan. */
static bool may_pause(struct bl_guard *guard, const struct bl_view *view, bl_time *wake)
{
    bl_time shift = guard->clear - view->now;
    bl_time slack = measure_slack(guard, view)->least;
    const struct ward *next;

    if (slack == BL_TIME_NEVER) {
        *wake = BL_TIME_NEVER;
        return true;
    }
    if (slack >= PAUSE) {
        *wake = view->now + slack;
        return true;
    }
    next = is_long(guard) ? next_to_start(guard, view) : NULL;
    if (next && next->planned + shift > view->now) {
        *wake = next->planned + shift;
        return true;
    }
    *wake = view->now + PAUSE;
    if (!try_both_orders(guard, view, (struct trial){.passing = SIZE_MAX, .from = *wake})) {
        return false;
    }
    adopt(guard, view);
    return true;
}

static void note_ward(const struct ward *ward, const struct bl_view *view, bl_time shift,
                      struct bl_decision *decision)
{
    const struct bl_job *job = view->queue[ward->index].job;
    struct bl_guarded guarded = {ward->due, ward->planned, ward->is_aged};

    guarded.planned += guarded.planned < BL_TIME_NEVER - shift ? shift : 0;
    if (guarded.due != job->guard.due || guarded.planned != job->guard.planned ||
        guarded.is_aged != job->guard.is_aged) {
        bl_decision_guard(decision, job->id, &guarded);
    }
}

void bl_guard_finish(struct bl_guard *guard, const struct bl_view *view,
                     struct bl_decision *decision)
{
    bl_time wake = BL_TIME_NEVER;
    bl_time shift;

    while (!may_pause(guard, view, &wake) && start_one(guard, view, decision)) {
    }
    shift = guard->clear - view->now;
    for (size_t i = 0; i < guard->count; i++) {
        const struct ward *ward = &guard->ward[i];

        if (is_waiting(view, ward)) {
            note_ward(ward, view, shift, decision);
        }
    }
    if (wake != BL_TIME_NEVER) {
        bl_decision_wake(decision, wake);
    }
    bl_arena_finish(&guard->arena);
}
