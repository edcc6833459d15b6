/* What is told of changes and of jobs that are not there comes true: for random states and
 * policies, each is carried out on a copy of the state, by an engine of its own. */
#include "bl_test.h"
#include "core/instead.h"
#include "honest.h"
#include "prop.h"
#include "scene.h"

enum { STEPS_MAX = 24, LINE_MAX = 200, ID_GAP = 4 /* ids of elements */ };

static const char *const policies[] = {"easy", "conservative", "whale", "predictive"};

static struct scene draw_machine(struct bl_prop *prop)
{
    const char *policy = policies[bl_prop_between(prop, 0, 3)];
    char nodes[LINE_MAX];
    struct scene scene;

    snprintf(nodes, sizeof nodes, "%dx%d:A100 %dx%d:V100", (int)bl_prop_between(prop, 1, 2),
             (int)bl_prop_between(prop, 1, 6), (int)bl_prop_between(prop, 1, 2),
             (int)bl_prop_between(prop, 1, 6));
    bl_prop_note(prop, "%s on %s", policy, nodes);
    scene = scene_new(nodes, policy);
    scene_event(&scene, "t=1h round"); /* an instant 0 says that nothing has started */
    return scene;
}

static void print_job(struct bl_prop *prop, char *line, int id)
{
    static const char *const types[] = {"", "type=A100", "type=V100"};
    static const char *const more_words[] = {
        "", "", "warn=1m", "promise=1", "reservation=1", "", "array=0-2"};
    int64_t gpus = bl_prop_between(prop, 1, 6);
    int64_t more = bl_prop_chance(prop, 250) ? bl_prop_between(prop, 1, 3) : 0;

    snprintf(line, LINE_MAX, "submit id=%d gpus=%d-%d limit=%dm user=%s nodes=%d class=%s %s %s",
             id, (int)gpus, (int)(gpus + more), (int)bl_prop_between(prop, 2, 300),
             bl_prop_chance(prop, 500) ? "ann" : "bob", (int)bl_prop_between(prop, 0, 2),
             bl_prop_chance(prop, 200) ? "preemptible" : "batch",
             types[bl_prop_between(prop, 0, 2)], more_words[bl_prop_between(prop, 0, 6)]);
}

static void happen(struct bl_prop *prop, struct scene *scene, int *jobs, int *bookings)
{
    bl_time from = scene->now / BL_MINUTE + bl_prop_between(prop, 0, 200);
    char line[LINE_MAX];
    char at[2 * LINE_MAX];

    if (bl_prop_chance(prop, 150)) {
        snprintf(line, sizeof line, "reserve id=%d gpus=%d from=%dm for=%dm", *bookings + 1,
                 (int)bl_prop_between(prop, 1, 4), (int)from, (int)bl_prop_between(prop, 10, 90));
        ++*bookings;
    } else if (*jobs > 0 && bl_prop_chance(prop, 250)) {
        snprintf(line, sizeof line, "end id=%d",
                 ID_GAP * (int)bl_prop_between(prop, 1, *jobs) + (int)bl_prop_between(prop, 0, 1));
    } else {
        print_job(prop, line, ID_GAP * ++*jobs);
    }
    snprintf(at, sizeof at, "t=%ds %s",
             (int)(scene->now / BL_SECOND + bl_prop_between(prop, 0, 1200)), line);
    bl_prop_note(prop, "%s", at);
    scene_event(scene, at);
}

static struct scene draw_state(struct bl_prop *prop)
{
    struct scene scene = draw_machine(prop);
    int64_t steps = bl_prop_between(prop, 1, STEPS_MAX);
    int jobs = 0;
    int bookings = 0;

    for (int64_t i = 0; i < steps; i++) {
        happen(prop, &scene, &jobs, &bookings);
    }
    return scene;
}

/* What runs and waits takes what is foreseen of it now. */
static struct bl_core *fork_of(const struct bl_core *core)
{
    struct bl_core *fork = bl_core_fork(core);

    bl_core_foresee(fork, core);
    return fork;
}

static bl_time really(const struct bl_core *core, bl_job_id job, const struct bl_event *first)
{
    struct bl_core *fork = fork_of(core);
    struct honest honest;
    bl_time start;

    if (first) {
        bl_core_step(fork, first, NULL);
    }
    honest = honest_new(fork);
    start = honest_start_of(&honest, job);

    honest_free(&honest);
    return start;
}

/* Each of them, carried out. */
static bool comes_true(struct bl_prop *prop, const struct bl_core *core, bl_job_id job)
{
    const struct bl_whatif_effort effort = {.runs = 0};
    bl_time as_it_is = really(core, job, NULL);
    struct bl_insteads insteads;

    bl_insteads_find(core, job, &effort, &insteads);
    for (size_t i = 0; i < insteads.count; i++) {
        const struct bl_instead *instead = &insteads.at[i];
        struct bl_event event = {.kind = BL_EVENT_JOB_CHANGED, .at = bl_core_now(core), .job = job};
        bl_time start;

        event.u.changed = instead->change;
        start = really(core, job, &event);
        if (start != instead->start.p50 || start >= as_it_is ||
            instead->is_now != (start == bl_core_now(core))) {
            bl_prop_note(prop, "job %d, change %d: told %lldus%s, was %lldus, without %lldus",
                         (int)job, (int)i, (long long)instead->start.p50,
                         instead->is_now ? " (now)" : "", (long long)start, (long long)as_it_is);
            return false;
        }
    }
    return true;
}

static bool every_change_that_is_told_comes_true(struct bl_prop *prop, void *context)
{
    struct scene scene = draw_state(prop);
    const struct bl_job *job;
    size_t cursor = 0;
    bool holds = true;

    while (holds && bl_core_can_export(scene.core) &&
           (job = bl_core_next_job(scene.core, &cursor))) {
        if (job->state == BL_JOB_QUEUED) {
            size_t *told = context;
            struct bl_insteads insteads;

            bl_insteads_find(scene.core, job->id, &(struct bl_whatif_effort){.runs = 0}, &insteads);
            *told += insteads.count;
            holds = comes_true(prop, scene.core, job->id);
        }
    }
    scene_free(&scene);
    return holds;
}

/* --- a job that is not there ------------------------------------------------------------------ */

static bl_time delay_told(const struct bl_whatif *told, bl_job_id job)
{
    for (size_t i = 0; i < told->delay_count; i++) {
        if (told->delay[i].job == job) {
            return told->delay[i].by;
        }
    }
    return 0;
}

/* Of one that runs the end counts. */
static bl_time instant_of(const struct honest *honest, bl_job_id id, bl_time now)
{
    bl_time start = honest_started(honest, id);
    bl_time end = bl_core_find_job(honest->core, id)->ended_at;

    return start >= now ? start : end ? end : BL_TIME_NEVER;
}

/* An element that was part of its array then is told of as that. */
static bool is_part(const struct honest *without, const struct bl_job *job, bl_time now)
{
    return job->array_job && honest_started(without, job->id) >= now;
}

/* Without it, and with it. */
static bool delays_are_true(struct bl_prop *prop, const struct honest both[2],
                            const struct bl_whatif *told, bl_time now)
{
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(both[0].core, &cursor))) {
        bl_time without = instant_of(&both[0], job->id, now);
        bl_time with = instant_of(&both[1], job->id, now);
        bl_time by = without == BL_TIME_NEVER ? 0
                     : with == BL_TIME_NEVER  ? BL_TIME_NEVER
                                              : with - without;

        if (!is_part(&both[0], job, now) &&
            delay_told(told, job->id) != (by >= BL_SECOND ? by : 0)) {
            bl_prop_note(prop, "job %d: told %lldus, was %lldus", (int)job->id,
                         (long long)delay_told(told, job->id), (long long)by);
            return false;
        }
    }
    return true;
}

static bool starts_as_told(struct bl_prop *prop, const struct bl_whatif *told,
                           const struct honest *with, bl_job_id id)
{
    bool is_array = bl_core_find_job(with->core, id)->array;
    bl_time start = honest_started(with, is_array ? id + 1 : id); /* its first element's */

    bl_prop_note(prop, "told %lldus, was %lldus", (long long)told->start.p50, (long long)start);
    return told->start.p50 == start;
}

static bl_job_id next_id(const struct bl_core *core)
{
    const struct bl_job *job;
    size_t cursor = 0;
    bl_job_id last = 0;

    while ((job = bl_core_next_job(core, &cursor))) {
        bl_job_id end = job->id + bl_array_count(&job->spec);

        last = end > last ? end : last;
    }
    return last + 1;
}

/* Jobs that were asked to leave and are still there. */
static int leaving(const struct bl_core *core)
{
    const struct bl_job *job;
    size_t cursor = 0;
    int count = 0;

    while ((job = bl_core_next_job(core, &cursor))) {
        count += job->state == BL_JOB_STOPPING || job->state == BL_JOB_RESIZING;
    }
    return count;
}

/* The state with the job in it: submitted indeed, and in a copy where a policy remembers more than
 * its state, or where somebody is leaving: in a scene that takes until it is told that they have.
 * NULL where somebody has to leave for it. */
static struct bl_core *submit_really(struct scene *scene, const char *line, bl_job_id *id)
{
    const char *policy = bl_core_policy(scene->core)->policy->name;
    bool remembers = !strcmp(policy, "whale") || !strcmp(policy, "predictive");
    struct bl_arena arena = {0};
    struct bl_job_spec spec = scene_spec(line, &arena);
    struct bl_core *fork = NULL;

    if (remembers || leaving(scene->core) > 0) {
        fork = bl_whatif_fork(scene->core, &spec, scene->now, id);
    } else {
        scene_event(scene, line);
        if (bl_core_can_export(scene->core) && leaving(scene->core) == 0) {
            fork = fork_of(scene->core);
        }
    }
    bl_arena_finish(&arena);
    return fork;
}

static bool submission_comes_true(struct bl_prop *prop, struct scene *scene, const char *line)
{
    struct bl_arena arena = {0};
    struct bl_job_spec spec = scene_spec(line, &arena);
    struct bl_whatif told;
    struct honest both[2];
    bl_job_id id = next_id(scene->core);
    bl_time now = scene->now;
    struct bl_core *with;
    bool holds = true;

    bl_whatif_submit(scene->core, &spec, &(struct bl_whatif_effort){.runs = 0}, &arena, &told);
    both[0] = honest_new(fork_of(scene->core));
    honest_run(&both[0]);
    with = submit_really(scene, line, &id);
    if (with) {
        both[1] = honest_new(with);
        honest_run(&both[1]);
        holds =
            starts_as_told(prop, &told, &both[1], id) && delays_are_true(prop, both, &told, now);
        honest_free(&both[1]);
    }
    honest_free(&both[0]);
    bl_arena_finish(&arena);
    return holds;
}

static bool whom_it_delays_is_told_truly(struct bl_prop *prop, void *context)
{
    struct scene scene = draw_state(prop);
    char line[LINE_MAX];
    bool holds = true;

    (void)context;
    print_job(prop, line, (int)next_id(scene.core));
    bl_prop_note(prop, "then %s", line);
    if (bl_core_can_export(scene.core)) {
        holds = submission_comes_true(prop, &scene, line);
    }
    scene_free(&scene);
    return holds;
}

static void A20_every_change_that_is_told_comes_true(void **state)
{
    size_t told = 0;

    (void)state;
    assert_true(bl_prop_holds("every change that is told comes true", 400,
                              every_change_that_is_told_comes_true, &told));
    assert_true(told > 100);
}

static void A20_whom_a_job_delays_is_told_truly(void **state)
{
    (void)state;
    assert_true(
        bl_prop_holds("whom it delays is told truly", 400, whom_it_delays_is_told_truly, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(A20_every_change_that_is_told_comes_true),
        cmocka_unit_test(A20_whom_a_job_delays_is_told_truly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
