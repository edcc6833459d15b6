/* What reservations and promises say, for random jobs, bookings and policies, elastic ones too, on
 * machines where nothing fails. The engine here is honest: a process lives at once, and a job that
 * is asked to leave is gone after as long as it takes to save its work, which is the same for all
 * jobs of an application. */
#include "base/heap.h"
#include "bl_test.h"
#include "core/core.h"
#include "core/reservation.h"
#include "prop.h"

#include <string.h>

enum { JOBS_MAX = 20, STEPS_MAX = 60, APPLICATIONS = 3 };

struct world {
    struct bl_prop *prop;
    struct bl_core *core;
    struct bl_actions actions;
    struct bl_heap ends; /* key = job, value = its attempt */
    bl_time run[JOBS_MAX + 1];
    int32_t asked[JOBS_MAX + 1];   /* the attempt that was last asked to leave */
    uint64_t around[JOBS_MAX + 1]; /* a bit a booking that its user made of GPUs on which it ran */
    bl_time leave[JOBS_MAX + 1];   /* when it has saved its work, once it was asked to leave */
    bl_time now;
    bl_job_id last_job;
    bool held;
};

static const bl_time saves[APPLICATIONS] = {BL_SECOND, 10 * BL_SECOND, 29 * BL_SECOND};
static const char *const applications[APPLICATIONS] = {"fast", "good", "slow"};

static void step(struct world *world, struct bl_event event)
{
    event.at = world->now;
    bl_core_step(world->core, &event, &world->actions);
}

static void set_up(struct world *world)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET};
    int64_t policies = 0;

    while (bl_policies[policies]) {
        policies++;
    }
    event.u.policy = bl_policy_default(bl_policies[bl_prop_between(world->prop, 0, policies - 1)]);
    bl_prop_note(world->prop, "policy %s", event.u.policy.policy->name);
    step(world, event);
    for (int i = 0; i < 3; i++) {
        event = (struct bl_event){.kind = BL_EVENT_NODE_ADDED};
        event.u.node = (struct bl_node_spec){.name = ((const char *[]){"a", "b", "c"})[i],
                                             .gpu_type = i < 2 ? "A100" : "V100",
                                             .gpus = (int32_t)bl_prop_between(world->prop, 1, 4),
                                             .counted = bl_prop_chance(world->prop, 150),
                                             .cpu_milli = 64000,
                                             .mem_bytes = 1000};
        bl_prop_note(world->prop, "node %s gpus=%d%s", event.u.node.name, (int)event.u.node.gpus,
                     event.u.node.counted ? " counted" : "");
        step(world, event);
    }
}

static int application_of(const struct bl_job *job)
{
    return (int)(job->id % APPLICATIONS);
}

static void submit(struct world *world)
{
    struct bl_prop *prop = world->prop;
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = ++world->last_job};
    struct bl_job_spec *spec = &event.u.submitted;
    bl_time run = bl_prop_between(prop, 1, 40) * BL_MINUTE;

    spec->application = applications[world->last_job % APPLICATIONS];
    spec->user = bl_prop_chance(prop, 500) ? "u" : "v";
    spec->gpus_min = (int32_t)bl_prop_between(prop, 0, 4);
    spec->gpus_max = spec->gpus_min + (spec->gpus_min ? (int32_t)bl_prop_between(prop, 0, 3) : 0);
    spec->gpus_want = (int32_t)bl_prop_between(prop, spec->gpus_min, spec->gpus_max);
    spec->job_class = bl_prop_chance(prop, 350) ? BL_CLASS_PREEMPTIBLE : BL_CLASS_BATCH;
    spec->limit = bl_prop_chance(prop, 800) ? bl_prop_between(prop, 1, 50) * BL_MINUTE : 0;
    spec->reservation = bl_prop_chance(prop, 150) ? bl_prop_between(prop, 1, 4) : 0;
    if (!spec->reservation) { /* a booking's jobs may have more of these than it holds */
        spec->cpu_milli = (struct bl_amount){bl_prop_between(prop, 0, 7) * 8000, false};
        spec->mem_bytes = (struct bl_amount){bl_prop_between(prop, 0, 4) * 150, false};
    }
    spec->promise = spec->limit > 0 && !spec->reservation && bl_prop_chance(prop, 250);
    world->run[world->last_job] = spec->limit > 0 && run > spec->limit ? spec->limit : run;
    bl_prop_note(prop, "%llds submit %d gpus=%d-%d %s limit=%lld r%lld%s",
                 (long long)(world->now / BL_SECOND), (int)world->last_job, (int)spec->gpus_min,
                 (int)spec->gpus_max, bl_job_class_name(spec->job_class),
                 (long long)(spec->limit / BL_MINUTE), (long long)spec->reservation,
                 spec->promise ? " promise" : "");
    step(world, event);
}

/* Who books GPUs for now on which their own jobs run has these inside. */
static void take_in(struct world *world, const struct bl_booking *booking)
{
    size_t cursor = 0;
    const struct bl_job *job;

    while (booking && (job = bl_core_next_job(world->core, &cursor))) {
        const struct bl_occurrence *first = &booking->occurrence[0];

        if (bl_job_state_is_active(job->state) && first->start <= world->now &&
            strcmp(job->spec.user, booking->spec.user) == 0 &&
            bl_alloc_shares_named(&job->alloc, &first->alloc)) {
            world->around[job->id] |= UINT64_C(1) << booking->spec.id;
        }
    }
}

static void book(struct world *world)
{
    struct bl_prop *prop = world->prop;
    struct bl_slot slot[2];
    struct bl_booking_spec spec = {.id = bl_core_last_booking(world->core) + 1,
                                   .user = bl_prop_chance(prop, 500) ? "u" : "v",
                                   .gpus = (int32_t)bl_prop_between(prop, 1, 5),
                                   .release_after = bl_prop_between(prop, 0, 9) * BL_MINUTE,
                                   .slot = slot,
                                   .slot_count = (size_t)bl_prop_between(prop, 1, 2)};

    slot[0].start =
        world->now + (bl_prop_chance(prop, 300) ? 0 : bl_prop_between(prop, 0, 60) * BL_MINUTE);
    slot[0].end = slot[0].start + bl_prop_between(prop, 1, 30) * BL_MINUTE;
    slot[1].start = slot[0].start + bl_prop_between(prop, 1, 60) * BL_MINUTE;
    slot[1].end = slot[1].start + bl_prop_between(prop, 1, 30) * BL_MINUTE;
    step(world, (struct bl_event){.kind = BL_EVENT_RESERVED, .u.reserved = &spec});
    bl_prop_note(prop, "%llds reserve r%d gpus=%d %lldm-%lldm: %s",
                 (long long)(world->now / BL_SECOND), (int)spec.id, (int)spec.gpus,
                 (long long)(slot[0].start / BL_MINUTE), (long long)(slot[0].end / BL_MINUTE),
                 bl_core_find_booking(world->core, spec.id) ? "booked" : "refused");
    take_in(world, bl_core_find_booking(world->core, spec.id));
}

static void end_attempt(struct world *world, const struct bl_heap_item *due)
{
    const struct bl_job *job = bl_core_find_job(world->core, due->key);
    struct bl_event event = {
        .kind = BL_EVENT_JOB_ENDED, .job = due->key, .attempt = (int32_t)(uintptr_t)due->value};

    bool is_leaving = job && (job->state == BL_JOB_RESIZING || job->state == BL_JOB_STOPPING);

    if (job && job->attempt == event.attempt && bl_job_state_is_active(job->state) &&
        (!is_leaving || due->time == world->leave[job->id])) {
        event.u.ended.code = is_leaving ? 85 : 0;
        step(world, event);
        world->around[job->id] &= bl_job_state_is_active(job->state) ? UINT64_MAX : 0;
    }
}

static void end_in(struct world *world, const struct bl_action *action, bl_time span)
{
    bl_heap_push(&world->ends, (struct bl_heap_item){world->now + span, action->job,
                                                     (void *)(uintptr_t)action->attempt});
}

/* One that saves its work already goes on with that. */
static void ask_to_leave(struct world *world, const struct bl_action *action,
                         const struct bl_job *job)
{
    bl_time save = saves[application_of(job)];

    if (world->asked[job->id] != action->attempt) {
        world->asked[job->id] = action->attempt;
        world->leave[job->id] = world->now + save;
        end_in(world, action, save);
    }
}

static void carry_out(struct world *world, const struct bl_action *action)
{
    const struct bl_job *job = bl_core_find_job(world->core, action->job);

    bl_prop_note(world->prop, "%llds %s %d.%d", (long long)(world->now / BL_SECOND),
                 bl_action_name(action->kind), (int)action->job, (int)action->attempt);

    if (action->kind == BL_ACTION_START) {
        step(world, (struct bl_event){.kind = BL_EVENT_JOB_STARTED,
                                      .job = action->job,
                                      .attempt = action->attempt});
        end_in(world, action, world->run[action->job]);
    } else if (action->kind != BL_ACTION_SIGNAL) {
        ask_to_leave(world, action, job);
    }
}

static bool is_own(const struct world *world, const struct bl_booking *booking,
                   const struct bl_job *job)
{
    return job->spec.reservation == booking->spec.id || bl_promised_job(booking) == job->id ||
           (booking->spec.id > 0 && (world->around[job->id] >> booking->spec.id & 1));
}

static bool gives_way(const struct bl_job *job)
{
    return job->spec.job_class == BL_CLASS_PREEMPTIBLE ||
           (job->spec.gpus_min > 0 && job->spec.gpus_min < job->spec.gpus_max);
}

/* Nobody who may still be there is on GPUs that are held, and nobody else at all once they are
 * open. */
static void look(void *self, const struct bl_booking *booking,
                 const struct bl_occurrence *occurrence)
{
    struct world *world = self;
    size_t cursor = 0;
    const struct bl_job *job;

    while (bl_occurrence_is_live(occurrence) && (job = bl_core_next_job(world->core, &cursor))) {
        bool is_there = bl_job_state_is_active(job->state) &&
                        bl_alloc_shares_named(&job->alloc, &occurrence->alloc) &&
                        !is_own(world, booking, job);
        bool may_stay = job->spec.limit == 0 || bl_job_limit_end(job) > occurrence->start;

        if (is_there && (world->now >= occurrence->start ||
                         (may_stay && !gives_way(job) && !job->spec.reservation))) {
            bl_prop_note(world->prop, "at %llds job %d is on GPUs of r%d.%d",
                         (long long)(world->now / BL_SECOND), (int)job->id, (int)booking->spec.id,
                         (int)occurrence->number);
            world->held = false;
        }
    }
}

static int64_t amount_of(const struct bl_alloc_part *part, int resource)
{
    return resource == BL_RESOURCE_GPU   ? part->gpus
           : resource == BL_RESOURCE_CPU ? part->cpu_milli
                                         : part->mem_bytes;
}

/* What of a node is free or in use by the booking's own jobs. */
static int64_t had_on(const struct world *world, const struct bl_booking *booking, int32_t node,
                      int resource)
{
    int64_t sum = bl_core_cluster(world->core)->node[node].free.amount[resource];
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(world->core, &cursor))) {
        for (uint32_t i = 0; is_own(world, booking, job) && i < job->alloc.part_count; i++) {
            const struct bl_alloc_part *part = &bl_alloc_parts(&job->alloc)[i];

            sum += part->node == node ? amount_of(part, resource) : 0;
        }
    }
    return sum;
}

/* As much is there of GPUs, CPUs and memory as an open slot holds; GPUs with names are looked at by
 * these. */
static void count(void *self, const struct bl_booking *booking,
                  const struct bl_occurrence *occurrence)
{
    struct world *world = self;

    if (!bl_occurrence_is_live(occurrence) || world->now < occurrence->start) {
        return;
    }
    for (uint32_t i = 0; i < occurrence->alloc.part_count; i++) {
        const struct bl_alloc_part *part = &bl_alloc_parts(&occurrence->alloc)[i];

        for (int r = part->gpu_mask ? BL_RESOURCE_CPU : BL_RESOURCE_GPU; r < BL_RESOURCE_COUNT;
             r++) {
            if (had_on(world, booking, part->node, r) < amount_of(part, r)) {
                bl_prop_note(world->prop, "at %llds r%d.%d lacks %d of what it holds",
                             (long long)(world->now / BL_SECOND), (int)booking->spec.id,
                             (int)occurrence->number, r);
                world->held = false;
            }
        }
    }
}

static void check_promises(struct world *world)
{
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(world->core, &cursor))) {
        if (job->promised_at && world->now >= job->promised_at && !job->first_started_at &&
            !bl_job_state_is_ended(job->state)) {
            bl_prop_note(world->prop, "at %llds job %d waits, promised for %llds",
                         (long long)(world->now / BL_SECOND), (int)job->id,
                         (long long)(job->promised_at / BL_SECOND));
            world->held = false;
        }
    }
}

static void decide(struct world *world)
{
    struct bl_actions actions;

    step(world, (struct bl_event){.kind = BL_EVENT_ROUND});
    actions = world->actions;
    world->actions = (struct bl_actions){0};
    for (size_t i = 0; i < actions.list.count; i++) {
        carry_out(world, &actions.list.at[i]);
    }
    bl_actions_finish(&actions);
    bl_core_each_occurrence(world->core, world->now, BL_TIME_NEVER, look, world);
    bl_core_each_occurrence(world->core, world->now, BL_TIME_NEVER, count, world);
    check_promises(world);
}

/* What ends at an instant ends before the round at that instant. */
static void pass_until(struct world *world, bl_time until)
{
    for (;;) {
        const struct bl_heap_item *first = bl_heap_peek(&world->ends);
        bl_time wake = bl_core_next_wake(world->core);
        bl_time next = first && first->time < wake ? first->time : wake;
        struct bl_heap_item due;

        if (next > until || !world->held) {
            break;
        }
        world->now = next > world->now ? next : world->now;
        while ((first = bl_heap_peek(&world->ends)) && first->time <= world->now) {
            bl_heap_pop(&world->ends, &due);
            end_attempt(world, &due);
        }
        decide(world);
    }
    world->now = until > world->now ? until : world->now;
}

static bool reserved_gpus_are_their_holders(struct bl_prop *prop, void *context)
{
    struct world world = {.prop = prop, .core = bl_core_create(BL_KEEP_ENDED), .held = true};
    int64_t steps = bl_prop_between(prop, 1, STEPS_MAX);

    (void)context;
    world.now = BL_HOUR;
    set_up(&world);
    for (int64_t i = 0; i < steps && world.held; i++) {
        pass_until(&world, world.now + bl_prop_between(prop, 0, 300) * BL_SECOND);
        if (bl_prop_chance(prop, 600) && world.last_job < JOBS_MAX) {
            submit(&world);
        } else {
            book(&world);
        }
        decide(&world);
    }
    pass_until(&world, world.now + 5 * BL_HOUR);
    bl_core_destroy(world.core);
    bl_actions_finish(&world.actions);
    bl_heap_finish(&world.ends);
    return world.held;
}

static void P14_reserved_gpus_are_empty_in_time_and_promises_are_kept(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("reserved GPUs are their holders'", 2000,
                              reserved_gpus_are_their_holders, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(P14_reserved_gpus_are_empty_in_time_and_promises_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
