/* The laws that every policy keeps, whatever happens: nothing over capacity, ranges kept, the same
 * events give the same actions, no job is lost, and a head with a reservation is not delayed. */
#include "bl_test.h"
#include "prop.h"
#include "scene.h"

enum { JOBS_MAX = 24, STEPS_MAX = 60, EXPORTED_AT_ONCE = 3 };

static const struct bl_policy_choice *draw_policy(struct bl_prop *prop,
                                                  struct bl_policy_choice *out)
{
    int64_t count = 0;

    while (bl_policies[count]) {
        count++;
    }
    *out = bl_policy_default(bl_policies[bl_prop_between(prop, 0, count - 1)]);
    for (size_t i = 0; i < out->policy->option_count; i++) {
        const struct bl_option *option = &out->policy->option[i];
        int64_t words = 0;

        while (option->words && option->words[words]) {
            words++;
        }
        out->value[i] =
            option->kind == BL_OPTION_WORD ? bl_prop_between(prop, 0, words - 1) : out->value[i];
    }
    return out;
}

static struct bl_event draw_node(struct bl_prop *prop, const char *name)
{
    static const char *const types[] = {"A100", "V100"};
    int32_t gpus = (int32_t)bl_prop_between(prop, 0, 8);

    bl_prop_note(prop, "node %s gpus=%d", name, (int)gpus);
    return (struct bl_event){.kind = BL_EVENT_NODE_ADDED,
                             .u.node = {.name = name,
                                        .gpu_type = types[bl_prop_between(prop, 0, 1)],
                                        .gpus = gpus,
                                        .counted = bl_prop_chance(prop, 200),
                                        .cpu_milli = 8000,
                                        .mem_bytes = 1000}};
}

/* A process that runs already: some GPUs of a node, of which some may not be there. */
static void draw_adoption(struct bl_prop *prop, struct bl_job_spec *spec,
                          struct bl_booking_place *on)
{
    on->node = ((const char *const[]){"a", "b", "c"})[bl_prop_between(prop, 0, 2)];
    on->gpu_mask = (uint64_t)(bl_prop_between(prop, 0, 255) & bl_prop_between(prop, 0, 255) &
                              bl_prop_between(prop, 0, 255));
    spec->is_adopted = true;
    spec->promise = false;
    spec->reservation = 0;
    spec->on = on;
    spec->on_count = 1;
    bl_prop_note(prop, "adopted on %s:%llx", on->node, (unsigned long long)on->gpu_mask);
}

static struct bl_event draw_job(struct bl_prop *prop, bl_job_id id,
                                const struct bl_dependency *after,
                                const struct bl_array_range *range)
{
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = id};
    struct bl_job_spec *spec = &event.u.submitted;

    /* two applications share what is learnt of their speed; some jobs have no name */
    spec->name = ((const char *const[]){NULL, "a", "b"})[bl_prop_between(prop, 0, 2)];
    spec->user = ((const char *const[]){NULL, "u", "v"})[bl_prop_between(prop, 0, 2)];
    spec->gpus_min = (int32_t)bl_prop_between(prop, 0, 6);
    spec->gpus_max = spec->gpus_min + (int32_t)bl_prop_between(prop, 0, 3);
    spec->gpus_want = (int32_t)bl_prop_between(prop, spec->gpus_min, spec->gpus_max);
    spec->nodes_max = (int32_t)bl_prop_between(prop, 0, 2);
    spec->limit = bl_prop_between(prop, 0, 5) * BL_MINUTE;
    spec->work = bl_prop_between(prop, 0, 5) * BL_MINUTE;
    spec->cpu_milli =
        (struct bl_amount){bl_prop_between(prop, 0, 4) * 1000, bl_prop_chance(prop, 300)};
    spec->mem_bytes = (struct bl_amount){bl_prop_between(prop, 0, 300), bl_prop_chance(prop, 300)};
    if (bl_prop_chance(prop, 200)) {
        spec->gpu_type[spec->gpu_type_count++] = "V100";
    }
    spec->may_restart = bl_prop_chance(prop, 300);
    spec->reservation = bl_prop_chance(prop, 150) ? bl_prop_between(prop, 1, 4) : 0;
    spec->promise = bl_prop_chance(prop, 150);
    spec->job_class = bl_prop_chance(prop, 300) ? BL_CLASS_PREEMPTIBLE : BL_CLASS_BATCH;
    spec->retries_max = (int32_t)bl_prop_between(prop, 0, 2);
    spec->not_before = bl_prop_between(prop, 0, 20) * BL_MINUTE;
    spec->warning =
        (struct bl_warning){(int32_t)bl_prop_between(prop, 0, 1) * 10, BL_MINUTE, false};
    if (range->last > 0) {
        spec->array = range;
        spec->array_range_count = 1;
        spec->array_running_max = (int32_t)bl_prop_between(prop, 0, 2);
    }
    if (id > 1 && bl_prop_chance(prop, 200)) {
        spec->after = after;
        spec->after_count = 1;
    }
    bl_prop_note(prop, "submit %lld array=0-%d gpus=%d-%d want=%d nodes=%d limit=%lld after=%lld",
                 (long long)id, (int)range->last, (int)spec->gpus_min, (int)spec->gpus_max,
                 (int)spec->gpus_want, (int)spec->nodes_max, (long long)spec->limit,
                 spec->after ? (long long)after->job : 0LL);
    return event;
}

static struct bl_event draw_report(struct bl_prop *prop, bl_job_id last)
{
    static const enum bl_event_kind kinds[] = {
        BL_EVENT_JOB_ENDED,    BL_EVENT_JOB_STARTED,      BL_EVENT_JOB_CANCELLED,
        BL_EVENT_JOB_PROGRESS, BL_EVENT_JOB_START_FAILED, BL_EVENT_JOB_RESIZE_ASKED,
        BL_EVENT_JOB_REQUEUED, BL_EVENT_JOB_HELD,         BL_EVENT_JOB_RELEASED,
        BL_EVENT_JOB_MOVED,    BL_EVENT_JOB_CHANGED};
    enum { KINDS = sizeof kinds / sizeof kinds[0], LIKELY = 4 };
    /* what a run is made of, more often than what people ask for */
    int64_t most = bl_prop_chance(prop, 500) ? KINDS - 1 : LIKELY;
    struct bl_event event = {.kind = kinds[bl_prop_between(prop, 0, most)],
                             .job = bl_prop_between(prop, 1, last + 2),
                             .attempt = (int32_t)bl_prop_between(prop, 0, 3)};

    if (event.kind == BL_EVENT_JOB_ENDED) {
        event.u.ended.cause = (enum bl_end_cause)bl_prop_between(prop, 0, BL_END_COUNT - 1);
        event.u.ended.code = (int32_t)(bl_prop_between(prop, 0, 2) * 85 / 2);
    } else if (event.kind == BL_EVENT_JOB_PROGRESS) {
        event.u.progress.done = (double)bl_prop_between(prop, 0, 4);
        event.u.progress.total = (double)bl_prop_between(prop, 0, 4);
        event.u.progress.observation.rate = (double)bl_prop_between(prop, 0, 3);
        event.u.progress.has_observation = event.u.progress.observation.rate > 0;
    } else if (event.kind == BL_EVENT_JOB_RESIZE_ASKED) {
        event.u.resize_asked.gpus = (int32_t)bl_prop_between(prop, 0, 9);
    } else if (event.kind == BL_EVENT_JOB_MOVED) {
        event.u.moved.before = bl_prop_between(prop, 1, last + 1);
    } else if (event.kind == BL_EVENT_JOB_CHANGED) {
        event.u.changed =
            (struct bl_job_change){.set_limit = true,
                                   .limit = bl_prop_between(prop, 0, 3) * BL_MINUTE,
                                   .set_not_before = true,
                                   .not_before = bl_prop_between(prop, 0, 30) * BL_MINUTE};
    }
    bl_prop_note(prop, "%s %lld.%d", bl_event_name(event.kind), (long long)event.job,
                 (int)event.attempt);
    return event;
}

/* Books, changes or cancels; slots are minutes, so that much overlaps. */
static struct bl_event draw_booking(struct bl_prop *prop, int64_t *last,
                                    struct bl_booking_spec *spec, struct bl_slot *slot, bl_time now)
{
    struct bl_event event = {.kind = BL_EVENT_RESERVED};
    int64_t what = bl_prop_between(prop, 0, 3);

    slot[0].start = now + bl_prop_between(prop, 0, 20) * BL_MINUTE;
    slot[0].end = slot[0].start + bl_prop_between(prop, 0, 9) * BL_MINUTE;
    slot[1].start = slot[0].start + bl_prop_between(prop, 1, 20) * BL_MINUTE;
    slot[1].end = slot[1].start + bl_prop_between(prop, 1, 9) * BL_MINUTE;
    *spec =
        (struct bl_booking_spec){.id = what < 2 ? *last + 1 : bl_prop_between(prop, 1, *last + 1),
                                 .user = bl_prop_chance(prop, 500) ? "u" : "v",
                                 .gpus = (int32_t)bl_prop_between(prop, 0, 6),
                                 .flex = bl_prop_between(prop, 0, 2) * BL_MINUTE,
                                 .release_after = bl_prop_between(prop, 0, 3) * BL_MINUTE,
                                 .slot = slot,
                                 .slot_count = (size_t)bl_prop_between(prop, 1, 2)};
    event.u.reserved = spec;
    if (what < 2) {
        *last += 1;
    } else if (what == 2) {
        event.kind = BL_EVENT_RESERVATION_CHANGED;
        event.u.rebooked = (struct bl_booking_wish){.spec = spec,
                                                    .first = (int32_t)bl_prop_between(prop, 1, 2),
                                                    .only = bl_prop_chance(prop, 500)};
    } else {
        event.kind = BL_EVENT_RESERVATION_CANCELLED;
        memset(&event.u, 0, sizeof event.u);
        event.u.unreserved.id = spec->id;
        event.u.unreserved.occurrence = (int32_t)bl_prop_between(prop, 0, 2);
    }
    bl_prop_note(prop, "%s r%lld gpus=%d %lld-%lld", bl_event_name(event.kind), (long long)spec->id,
                 (int)spec->gpus, (long long)slot[0].start, (long long)slot[0].end);
    return event;
}

/* Adds what a job holds to the sums of its nodes; false when two jobs share a GPU. */
static bool add_holdings(const struct bl_job *job, struct bl_resources *held, uint64_t *mask)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);

    for (uint32_t i = 0; i < job->alloc.part_count; i++) {
        struct bl_resources more = {{part[i].gpus, part[i].cpu_milli, part[i].mem_bytes}};

        if (mask[part[i].node] & part[i].gpu_mask) {
            return false;
        }
        mask[part[i].node] |= part[i].gpu_mask;
        bl_resources_add(&held[part[i].node], &more);
    }
    return true;
}

/* Nobody goes on with a GPU that is lost, unless it could not be started again. */
static bool is_on_sound_gpus(const struct bl_cluster *cluster, const struct bl_job *job)
{
    const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);

    for (uint32_t i = 0; i < job->alloc.part_count && job->state != BL_JOB_STOPPING; i++) {
        if (!job->spec.is_adopted && (part[i].gpu_mask & cluster->node[part[i].node].lost) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_job_sound(const struct bl_job *job)
{
    const struct bl_alloc *aim = bl_job_aim(job);

    if (!bl_job_state_is_active(job->state)) {
        return job->alloc.part_count == 0 && job->next.part_count == 0;
    }
    if ((job->state == BL_JOB_RESIZING) != (job->next.part_count > 0)) {
        return false;
    }
    /* stopped while it was resized, a job still holds old and new */
    return job->alloc.part_count > 0 && (job->state == BL_JOB_STOPPING ||
                                         (bl_job_is_legal_count(&job->spec, bl_alloc_gpus(aim)) &&
                                          (job->spec.nodes_max == 0 || job->spec.is_adopted ||
                                           aim->part_count <= (uint32_t)job->spec.nodes_max)));
}

static bool are_books_exact(const struct bl_core *core)
{
    const struct bl_cluster *cluster = bl_core_cluster(core);
    struct bl_resources held[8] = {0};
    uint64_t mask[8] = {0};
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(core, &cursor))) {
        if (!is_job_sound(job) || !add_holdings(job, held, mask) ||
            !is_on_sound_gpus(cluster, job)) {
            return false;
        }
    }
    for (size_t i = 0; i < cluster->node_count; i++) {
        const struct bl_node *node = &cluster->node[i];
        struct bl_resources sum = node->free;

        bl_resources_add(&sum, &held[i]);
        sum.amount[BL_RESOURCE_GPU] += __builtin_popcountll(node->lost_idle);
        if (sum.amount[BL_RESOURCE_GPU] != node->spec.gpus ||
            sum.amount[BL_RESOURCE_CPU] != node->spec.cpu_milli ||
            sum.amount[BL_RESOURCE_MEM] != node->spec.mem_bytes ||
            node->free.amount[BL_RESOURCE_GPU] < 0 || node->free.amount[BL_RESOURCE_CPU] < 0 ||
            node->free.amount[BL_RESOURCE_MEM] < 0 || (node->free_gpu_mask & mask[i]) != 0 ||
            node->lost_idle != (node->lost & ~mask[i]) || (node->free_gpu_mask & node->lost) != 0) {
            return false;
        }
    }
    return true;
}

/* Two cores that are fed the same. */
struct twins {
    struct bl_core *core[2];
    struct bl_actions actions[2];
    bl_time now;
    int64_t last_booking;
};

static bool are_actions_equal(const struct bl_actions *a, const struct bl_actions *b)
{
    if (a->list.count != b->list.count) {
        return false;
    }
    for (size_t i = 0; i < a->list.count; i++) {
        const struct bl_action *x = &a->list.at[i];
        const struct bl_action *y = &b->list.at[i];

        if (x->kind != y->kind || x->job != y->job || x->attempt != y->attempt ||
            x->reason.code != y->reason.code || x->reason.at != y->reason.at) {
            return false;
        }
    }
    return true;
}

static bool step_both(struct twins *twins, struct bl_event event)
{
    event.at = twins->now;
    for (int i = 0; i < 2; i++) {
        bl_core_step(twins->core[i], &event, &twins->actions[i]);
    }
    return are_books_exact(twins->core[0]) && are_books_exact(twins->core[1]) &&
           bl_core_next_wake(twins->core[0]) == bl_core_next_wake(twins->core[1]) &&
           (event.kind != BL_EVENT_ROUND ||
            are_actions_equal(&twins->actions[0], &twins->actions[1]));
}

static void feed(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

/* The second twin goes on from a snapshot of itself: nobody must be able to tell. */
static void pass_through_snapshot(struct bl_prop *prop, struct twins *twins)
{
    struct bl_core *copy;
    size_t cursor = 0;

    if (!bl_prop_chance(prop, 100) || !bl_core_can_export(twins->core[1])) {
        return;
    }
    bl_prop_note(prop, "snapshot");
    copy = bl_core_create(BL_KEEP_ENDED);
    while (bl_core_export(twins->core[1], &cursor, EXPORTED_AT_ONCE, feed, copy)) {
    }
    bl_core_destroy(twins->core[1]);
    twins->core[1] = copy;
}

static bool step_something(struct bl_prop *prop, struct twins *twins, bl_job_id *last)
{
    struct bl_dependency after = {
        .job = bl_prop_between(prop, 1, *last > 0 ? *last : 1),
        .kind = (enum bl_dependency_kind)bl_prop_between(prop, 0, BL_AFTER_COUNT - 1)};
    struct bl_array_range range = {
        0, bl_prop_chance(prop, 200) ? (int32_t)bl_prop_between(prop, 0, 3) : 0, 1};
    struct bl_event event = {.kind = BL_EVENT_ROUND};
    struct bl_booking_spec booking;
    struct bl_booking_place on;
    struct bl_slot slot[2];
    int64_t what = bl_prop_between(prop, 0, 9);

    pass_through_snapshot(prop, twins);
    twins->now += bl_prop_between(prop, 0, 2) * BL_MINUTE;
    if (what < 4 && *last < JOBS_MAX) {
        event = draw_job(prop, ++*last, &after, &range);
        if (bl_prop_chance(prop, 150)) {
            draw_adoption(prop, &event.u.submitted, &on);
        }
        *last += range.last > 0 ? range.last + 1 : 0;
    } else if (what < 7) {
        event = draw_report(prop, *last);
    } else if (what == 8) {
        event = draw_booking(prop, &twins->last_booking, &booking, slot, twins->now);
    } else if (what == 7 && bl_prop_chance(prop, 500)) {
        event = (struct bl_event){.kind = BL_EVENT_GPU_STATE};
        event.u.gpu_state.name = bl_prop_chance(prop, 500) ? "a" : "b";
        event.u.gpu_state.lost = bl_prop_between(prop, 0, 255);
        event.u.gpu_state.lost &= bl_prop_between(prop, 0, 255);
        bl_prop_note(prop, "gpus %s lost=%llx", event.u.gpu_state.name,
                     (unsigned long long)event.u.gpu_state.lost);
    } else if (what == 7) {
        event = (struct bl_event){.kind = BL_EVENT_NODE_STATE};
        event.u.node_state.name = bl_prop_chance(prop, 500) ? "a" : "b";
        event.u.node_state.state = (enum bl_node_state)bl_prop_between(prop, 0, 2);
        event.u.node_state.from =
            bl_prop_chance(prop, 300) ? twins->now + bl_prop_between(prop, 1, 9) * BL_MINUTE : 0;
        bl_prop_note(prop, "node %s state=%d", event.u.node_state.name,
                     (int)event.u.node_state.state);
    }
    return step_both(twins, event);
}

static struct twins twins_create(struct bl_prop *prop)
{
    struct twins twins = {
        {bl_core_create(BL_KEEP_ENDED), bl_core_create(BL_KEEP_ENDED)}, {{{0}}}, 0, 0};
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET};

    draw_policy(prop, &event.u.policy);
    bl_prop_note(prop, "policy %s", event.u.policy.policy->name);
    step_both(&twins, event);
    step_both(&twins, draw_node(prop, "a"));
    step_both(&twins, draw_node(prop, "b"));
    return twins;
}

static void twins_finish(struct twins *twins)
{
    for (int i = 0; i < 2; i++) {
        bl_core_destroy(twins->core[i]);
        bl_actions_finish(&twins->actions[i]);
    }
}

static bool books_stay_exact_and_twins_agree(struct bl_prop *prop, void *context)
{
    struct twins twins = twins_create(prop);
    bl_job_id last = 0;
    bool held = true;
    int64_t steps = bl_prop_between(prop, 1, STEPS_MAX);

    (void)context;
    for (int64_t i = 0; i < steps && held; i++) {
        held = step_something(prop, &twins, &last);
    }
    twins_finish(&twins);
    return held;
}

static void whatever_happens_the_books_are_exact_and_decisions_repeat(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("books stay exact, twins agree", 3000,
                              books_stay_exact_and_twins_agree, NULL));
}

/* Rigid jobs with limits that are the truth, on one pool, all submitted at time zero: all that can
 * fit ends, and nobody that was once the head starts after what was promised it then. */
static bool every_job_ends_and_no_head_is_delayed(struct bl_prop *prop, void *context)
{
    struct scene s = scene_new("1x16c", bl_prop_chance(prop, 500) ? "easy" : "easy:order=shortest");
    int64_t jobs = bl_prop_between(prop, 1, JOBS_MAX);
    bl_time promised[JOBS_MAX + 1] = {0};
    bool held = true;

    (void)context;
    for (int64_t id = 1; id <= jobs; id++) {
        char line[96];
        int64_t minutes = bl_prop_between(prop, 1, 9);

        snprintf(line, sizeof line, "t=%lldm submit id=%lld gpus=%lld run=%lldm limit=%lldm",
                 (long long)id, (long long)id, (long long)bl_prop_between(prop, 1, 16),
                 (long long)minutes, (long long)(minutes + bl_prop_between(prop, 0, 3)));
        bl_prop_note(prop, "%s", line);
        scene_event(&s, line);
        for (int64_t waiting = 1; waiting <= id; waiting++) {
            if (strcmp(scene_why_word(&s, waiting), "resources") == 0 && !promised[waiting]) {
                promised[waiting] = scene_why(&s, waiting).at;
            }
        }
    }
    scene_starts(&s);
    for (int64_t id = 1; id <= jobs; id++) {
        const struct bl_job *job = bl_core_find_job(s.core, id);

        held = held && job->state == BL_JOB_COMPLETED &&
               (!promised[id] || job->started_at <= promised[id]);
    }
    scene_free(&s);
    return held;
}

static void A10_easy_keeps_the_promise_to_its_head(void **state)
{
    (void)state;
    assert_true(
        bl_prop_holds("no head is delayed", 2000, every_job_ends_and_no_head_is_delayed, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_happens_the_books_are_exact_and_decisions_repeat),
        cmocka_unit_test(A10_easy_keeps_the_promise_to_its_head),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
