#include "sim/otherwise.h"

#include "base/heap.h"
#include "core/predictions.h"
#include "core/speed.h"
#include "form/policyspec.h"
#include "os/clock.h"
#include "sim/lives.h"
#include "sim/story.h"
#include "sim/walk.h"

#include <math.h>
#include <signal.h>

enum {
    IDLE_MAX = 1000,   /* rounds in a row that do nothing: nothing more will come */
    CODE_PUT_BACK = 85 /* of an attempt that saved its work */
};

struct bl_sim_past {
    char *state_dir;
    struct bl_core *core; /* as it was at the end */
    struct bl_actions actions;
    struct bl_sim_lives *lives;
    int64_t events;
};

/* --- the journal as it is -------------------------------------------------------------------- */

static int step_past(struct bl_sim_past *past, const struct bl_event *event)
{
    bl_sim_lives_before(past->lives, past->core, event);
    bl_core_step(past->core, event, &past->actions);
    bl_sim_lives_after(past->lives, past->core, event);
    past->events += event->kind != BL_EVENT_ROUND;
    return BL_OK;
}

static int restore_past(void *self, const struct bl_event *event)
{
    return step_past(self, event);
}

static int meet_past(void *self, int64_t seq, const struct bl_event *event)
{
    (void)seq;
    return step_past(self, event);
}

static int walk_journal(const char *state_dir, const struct bl_sim_walk *walk, struct bl_error *err)
{
    struct bl_journal *journal = NULL;
    int status = bl_journal_open_reader(state_dir, &journal, err);

    if (status == BL_OK) {
        status = bl_sim_walk(journal, walk, err);
        bl_journal_close(journal);
    }
    return status;
}

int bl_sim_past_read(const char *state_dir, struct bl_sim_past **out,
                     struct bl_sim_result *as_it_was, struct bl_buf *policy, struct bl_error *err)
{
    struct bl_sim_past *past = bl_alloc_zero(sizeof *past);
    struct bl_sim_walk walk = {past, restore_past, meet_past};
    bl_time wall = bl_clock_monotonic();
    bl_time cpu = bl_clock_process_cpu();
    int status;

    past->state_dir = bl_copy_text(state_dir);
    past->core = bl_core_create(BL_KEEP_ENDED);
    past->lives = bl_sim_lives_create();
    status = walk_journal(state_dir, &walk, err);
    if (status != BL_OK) {
        bl_sim_past_destroy(past);
        return status;
    }
    *as_it_was = (struct bl_sim_result){.events = past->events};
    bl_metrics_figures(bl_core_metrics(past->core), &as_it_was->figures);
    as_it_was->wall = bl_clock_monotonic() - wall;
    as_it_was->cpu = bl_clock_process_cpu() - cpu;
    if (bl_core_policy(past->core)->policy) {
        bl_policyspec_print(policy, bl_core_policy(past->core));
    }
    *out = past;
    return BL_OK;
}

void bl_sim_past_destroy(struct bl_sim_past *past)
{
    if (past) {
        free(past->state_dir);
        bl_core_destroy(past->core);
        bl_actions_finish(&past->actions);
        bl_sim_lives_destroy(past->lives);
        free(past);
    }
}

int64_t bl_sim_past_unended(const struct bl_sim_past *past)
{
    size_t cursor = 0;
    int64_t count = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(past->core, &cursor))) {
        count += !job->array && !bl_job_state_is_ended(job->state);
    }
    return count;
}

/* --- the same otherwise ---------------------------------------------------------------------- */

/* What a job has to do here. */
struct career {
    size_t lives;  /* that have ended */
    bool is_begun; /* one goes on, with so much left: */
    double left_s; /* seconds at speed 1 */
    double speed;  /* of the attempt that runs */
    bl_time since;
};

struct otherwise {
    const struct bl_sim_past *past;
    const struct bl_policy_choice *choice;
    struct bl_sim_output *story;
    struct bl_core *core;
    struct bl_heap ends; /* key: the job, value: its attempt */
    struct bl_map careers;
    struct bl_actions actions;
    bl_time now;
    bool is_taught;
    int idle; /* rounds in a row that did nothing */
    int64_t events;
    BL_VEC(bl_time) round_times;
};

static void step(struct otherwise *replay, const struct bl_event *event)
{
    bl_core_step(replay->core, event, NULL);
    replay->now = event->at > replay->now ? event->at : replay->now;
    replay->events++;
}

static struct career *career_of(struct otherwise *replay, bl_job_id id)
{
    struct career *career = bl_map_find(&replay->careers, id);

    if (!career) {
        career = bl_alloc_zero(sizeof *career);
        bl_map_insert(&replay->careers, id, career);
    }
    return career;
}

static double speed_on(const struct otherwise *replay, const struct bl_job *job,
                       const struct bl_sim_stretch *on)
{
    struct bl_view view = {.now = replay->now,
                           .cluster = bl_core_cluster(replay->core),
                           .choice = replay->choice,
                           .curves = bl_core_curves(replay->core)};
    double speed = on->gpus > 0 ? bl_speed(&view, job, on->type, on->gpus, on->nodes) : 1;

    return isfinite(speed) && speed > 0 ? speed : 1;
}

/* The middle of what is foreseen, else its limit, a day at most. */
static double foreseen_s(const struct bl_job *job, bl_time now)
{
    bl_time longest = bl_job_longest_run(&job->spec);
    bl_time run = longest < BL_DAY ? longest : BL_DAY;
    struct bl_dist dist;

    bl_predictions_now(job, now, &dist);
    run = bl_dist_is_known(&dist) ? bl_dist_quantile(&dist, .5) : run;
    return (double)run / BL_SECOND;
}

/* Types may have become known in another order. */
static struct bl_sim_stretch in_our_types(const struct otherwise *replay,
                                          const struct bl_sim_stretch *stretch)
{
    const struct bl_cluster *then = bl_core_cluster(replay->past->core);
    struct bl_sim_stretch ours = *stretch;

    if (stretch->type >= 0) {
        ours.type =
            bl_cluster_find_type(bl_core_cluster(replay->core), then->type_name[stretch->type]);
    }
    return ours;
}

static void begin_life(struct otherwise *replay, const struct bl_job *job, struct career *career)
{
    const struct bl_sim_life *life = bl_sim_lives_find(replay->past->lives, job->id, career->lives);

    career->is_begun = true;
    career->left_s = 0;
    if (!life) {
        career->left_s = career->speed * foreseen_s(job, replay->now);
        return;
    }
    for (size_t i = 0; i < life->stretches.count; i++) {
        struct bl_sim_stretch stretch = in_our_types(replay, &life->stretches.at[i]);

        career->left_s += speed_on(replay, job, &stretch) * (double)stretch.run / BL_SECOND;
    }
}

static void push_end(struct otherwise *replay, const struct bl_job *job,
                     const struct career *career)
{
    double run = fmax(career->left_s / career->speed * BL_SECOND, 1);
    bl_time end = run < (double)BL_SPAN_MAX ? career->since + (bl_time)run : BL_TIME_NEVER;

    if (end <= replay->now) {
        end = replay->now + 1;
    }
    bl_heap_push(&replay->ends,
                 (struct bl_heap_item){end, job->id, (void *)(uintptr_t)job->attempt});
}

/* `since` may be earlier: of a job that runs already where the journal begins. */
static void begin_attempt(struct otherwise *replay, const struct bl_job *job, bl_time since)
{
    struct career *career = career_of(replay, job->id);
    struct bl_sim_stretch on = bl_sim_stretch_on(bl_core_cluster(replay->core), bl_job_aim(job));

    career->speed = speed_on(replay, job, &on);
    career->since = since;
    if (!career->is_begun) {
        begin_life(replay, job, career);
    }
    push_end(replay, job, career);
}

static void report_started(struct otherwise *replay, const struct bl_job *job)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_STARTED, .at = replay->now, .job = job->id, .attempt = job->attempt};

    step(replay, &event);
}

static void report_ended(struct otherwise *replay, const struct bl_job *job,
                         enum bl_end_cause cause, int32_t code)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_ENDED, .at = replay->now, .job = job->id, .attempt = job->attempt};

    event.u.ended.cause = cause;
    event.u.ended.code = code;
    step(replay, &event);
}

static void end_life(struct otherwise *replay, bl_job_id id)
{
    struct career *career = career_of(replay, id);

    career->lives++;
    career->is_begun = false;
}

/* It leaves with what it has done so far. */
static void break_off(struct otherwise *replay, const struct bl_job *job)
{
    struct career *career = career_of(replay, job->id);
    double ran_s = (double)(replay->now - career->since) / BL_SECOND;

    career->left_s = fmax(career->left_s - ran_s * career->speed, 0);
    report_ended(replay, job, BL_END_EXITED, CODE_PUT_BACK);
}

static void stop(struct otherwise *replay, const struct bl_job *job)
{
    if (job->stop_as == BL_JOB_QUEUED) {
        break_off(replay, job);
    } else {
        end_life(replay, job->id);
        report_ended(replay, job, BL_END_SIGNALLED, SIGTERM);
    }
}

static void carry_out(struct otherwise *replay, const struct bl_action *action)
{
    const struct bl_job *job = bl_core_find_job(replay->core, action->job);

    switch (action->kind) {
    case BL_ACTION_START:
        report_started(replay, job);
        begin_attempt(replay, job, replay->now);
        break;
    case BL_ACTION_STOP:
        stop(replay, job);
        break;
    case BL_ACTION_RESIZE:
    case BL_ACTION_PREEMPT:
        break_off(replay, job);
        break;
    case BL_ACTION_SIGNAL:
    case BL_ACTION_COUNT:
        break;
    }
}

static void decide(struct otherwise *replay)
{
    struct bl_event event = {.kind = BL_EVENT_ROUND, .at = replay->now};
    bl_time began = bl_clock_monotonic();

    bl_core_step(replay->core, &event, &replay->actions);
    BL_VEC_PUSH(&replay->round_times, bl_clock_monotonic() - began);
    replay->idle = replay->actions.list.count > 0 ? 0 : replay->idle + 1;
    if (replay->story && replay->actions.list.count > 0) {
        bl_sim_tell_round(replay->story, replay->core, event.at, &replay->actions);
    }
    for (size_t i = 0; i < replay->actions.list.count; i++) {
        carry_out(replay, &replay->actions.list.at[i]);
    }
}

/* An attempt that is over already ends no more. */
static void end_next(struct otherwise *replay)
{
    struct bl_heap_item item;
    const struct bl_job *job;
    const struct bl_sim_life *life;

    bl_heap_pop(&replay->ends, &item);
    job = bl_core_find_job(replay->core, item.key);
    if (!job || job->attempt != (int32_t)(uintptr_t)item.value || job->state != BL_JOB_RUNNING) {
        return;
    }
    life = bl_sim_lives_find(replay->past->lives, job->id, career_of(replay, job->id)->lives);
    if (life && life->is_cancelled) {
        step(replay,
             &(struct bl_event){.kind = BL_EVENT_JOB_CANCELLED, .at = item.time, .job = item.key});
        return;
    }
    end_life(replay, job->id);
    report_ended(replay, job, life ? life->cause : BL_END_EXITED, life ? life->code : 0);
}

static bl_time next_instant(struct otherwise *replay)
{
    const struct bl_heap_item *first = bl_heap_peek(&replay->ends);
    bl_time wake = bl_core_next_wake(replay->core);

    return first && first->time < wake ? first->time : wake;
}

static void decide_while_wanted(struct otherwise *replay)
{
    while (replay->idle < IDLE_MAX &&
           (bl_core_wants_round(replay->core) || bl_core_next_wake(replay->core) <= replay->now)) {
        decide(replay);
    }
}

/* All that happens before this instant. */
static void pass_until(struct otherwise *replay, bl_time until)
{
    bl_time next;

    while ((next = next_instant(replay)) < until && replay->idle < IDLE_MAX) {
        const struct bl_heap_item *first;

        replay->now = next > replay->now ? next : replay->now;
        while ((first = bl_heap_peek(&replay->ends)) && first->time <= next) {
            replay->idle = 0;
            end_next(replay);
        }
        decide_while_wanted(replay);
    }
}

/* --- what people did ------------------------------------------------------------------------- */

static void take_lesson(void *self, const struct bl_lesson *lesson)
{
    struct otherwise *replay = self;
    const struct bl_cluster *cluster = bl_core_cluster(replay->past->core);
    struct bl_event event = {.kind = BL_EVENT_CURVE_LEARNED, .at = replay->now};

    event.u.curve.lesson = *lesson;
    if (lesson->kind == BL_LESSON_POINT && lesson->point.type >= 0) {
        event.u.curve.gpu_type = cluster->type_name[lesson->point.type];
    }
    bl_core_step(replay->core, &event, NULL);
}

/* All that was known of speeds in the end, as soon as there are nodes. */
static void teach(struct otherwise *replay)
{
    if (!replay->is_taught) {
        replay->is_taught = true;
        bl_curves_export(bl_core_curves(replay->past->core), take_lesson, replay);
    }
}

/* What ran where others run now waits like them. */
static void submit_adopted(struct otherwise *replay, const struct bl_event *event)
{
    struct bl_event submitted = *event;

    if (event->u.submitted.is_adopted && !bl_core_find_job(replay->core, event->job)) {
        submitted.u.submitted.is_adopted = false;
        submitted.u.submitted.on = NULL;
        submitted.u.submitted.on_count = 0;
        step(replay, &submitted);
    }
}

/* Of the node's jobs those that hold a GPU of the mask; all of them where it names none. */
static void lose_jobs_on(struct otherwise *replay, const char *name, uint64_t mask)
{
    const struct bl_cluster *cluster = bl_core_cluster(replay->core);
    int32_t node = bl_cluster_find_node(cluster, name);
    size_t cursor = 0;
    const struct bl_job *job;

    while ((job = bl_core_next_job(replay->core, &cursor))) {
        const struct bl_alloc_part *part = bl_alloc_parts(&job->alloc);

        for (uint32_t i = 0; bl_job_state_is_active(job->state) && i < job->alloc.part_count; i++) {
            bool is_hit = mask == 0 || (!job->spec.is_adopted && (part[i].gpu_mask & mask));

            if (part[i].node == node && is_hit) {
                end_life(replay, job->id);
                report_ended(replay, job, BL_END_LOST, 0);
            }
        }
    }
}

/* The clock leapt, and not the jobs. */
static void shift_ends(struct otherwise *replay, bl_time by)
{
    BL_VEC(struct bl_heap_item) kept = {0};
    struct bl_heap_item item;

    while (bl_heap_pop(&replay->ends, &item)) {
        item.time += item.time != BL_TIME_NEVER ? by : 0;
        BL_VEC_PUSH(&kept, item);
    }
    for (size_t i = 0; i < kept.count; i++) {
        career_of(replay, kept.at[i].key)->since += by;
        bl_heap_push(&replay->ends, kept.at[i]);
    }
    BL_VEC_FINISH(&kept);
}

/* Whether it is for this replay to say when such a thing happens. */
static bool is_ours(const struct otherwise *replay, const struct bl_event *event)
{
    switch (event->kind) {
    case BL_EVENT_POLICY_SET:
    case BL_EVENT_JOB_STARTED:
    case BL_EVENT_JOB_START_FAILED:
    case BL_EVENT_JOB_ENDED:
    case BL_EVENT_JOB_PROGRESS:
    case BL_EVENT_COUNTS_LEARNED:
    case BL_EVENT_CURVE_LEARNED:
    case BL_EVENT_FORETOLD:
    case BL_EVENT_ROUND_WISHED:
    case BL_EVENT_ROUND:
        return true;
    case BL_EVENT_JOB_CANCELLED:
        return bl_sim_lives_find(replay->past->lives, event->job, 0) != NULL;
    case BL_EVENT_NODE_ADDED:
    case BL_EVENT_NODE_STATE:
    case BL_EVENT_GPU_STATE:
    case BL_EVENT_JOB_SUBMITTED:
    case BL_EVENT_JOB_HELD:
    case BL_EVENT_JOB_RELEASED:
    case BL_EVENT_JOB_REQUEUED:
    case BL_EVENT_JOB_CHANGED:
    case BL_EVENT_JOB_MOVED:
    case BL_EVENT_JOB_RESIZE_ASKED:
    case BL_EVENT_JOB_RESTORED:
    case BL_EVENT_RUN_LEARNED:
    case BL_EVENT_FACT_LEARNED:
    case BL_EVENT_JOBS_FORGOTTEN:
    case BL_EVENT_RESERVED:
    case BL_EVENT_RESERVATION_CHANGED:
    case BL_EVENT_RESERVATION_CANCELLED:
    case BL_EVENT_RESERVATION_RESTORED:
    case BL_EVENT_SAVE_LEARNED:
    case BL_EVENT_CLOCK_JUMPED:
    case BL_EVENT_COUNT:
        break;
    }
    return false;
}

/* It was active when the snapshot was made; who was about to leave its GPUs leaves them now. */
static void take_up(struct otherwise *replay, const struct bl_job *job)
{
    report_started(replay, job);
    begin_attempt(replay, job, job->started_at);
    if (job->state == BL_JOB_RESIZING) {
        break_off(replay, job);
    } else if (job->state == BL_JOB_STOPPING) {
        stop(replay, job);
    }
}

static int restore(void *self, const struct bl_event *event)
{
    struct otherwise *replay = self;
    const struct bl_job *job;

    if (is_ours(replay, event)) {
        return BL_OK;
    }
    step(replay, event);
    job = event->kind == BL_EVENT_JOB_RESTORED ? bl_core_find_job(replay->core, event->job) : NULL;
    if (job && bl_job_state_is_active(job->state)) {
        teach(replay);
        take_up(replay, job);
    }
    return BL_OK;
}

static int meet(void *self, int64_t seq, const struct bl_event *event)
{
    struct otherwise *replay = self;
    bl_time leap =
        event->kind == BL_EVENT_CLOCK_JUMPED && event->u.jumped.by > 0 ? event->u.jumped.by : 0;

    (void)seq;
    pass_until(replay, event->at - leap);
    if (is_ours(replay, event)) {
        return BL_OK;
    }
    if (event->kind == BL_EVENT_JOB_SUBMITTED) {
        teach(replay);
    }
    replay->idle = 0;
    step(replay, event);
    if (event->kind == BL_EVENT_JOB_SUBMITTED) {
        submit_adopted(replay, event);
    }
    if (leap > 0) {
        shift_ends(replay, leap);
    } else if (event->kind == BL_EVENT_NODE_STATE && event->u.node_state.state == BL_NODE_DOWN) {
        lose_jobs_on(replay, event->u.node_state.name, 0);
    } else if (event->kind == BL_EVENT_GPU_STATE && event->u.gpu_state.lost != 0) {
        lose_jobs_on(replay, event->u.gpu_state.name, (uint64_t)event->u.gpu_state.lost);
    }
    decide_while_wanted(replay);
    return BL_OK;
}

static void fill(struct otherwise *replay, struct bl_sim_result *out)
{
    *out = (struct bl_sim_result){.events = replay->events};
    bl_metrics_figures(bl_core_metrics(replay->core), &out->figures);
    out->left =
        out->figures.jobs - out->figures.done - out->figures.failed - out->figures.cancelled;
    out->round_p50 = bl_sim_percentile(replay->round_times.at, replay->round_times.count, 50);
    out->round_p99 = bl_sim_percentile(replay->round_times.at, replay->round_times.count, 99);
}

static void finish(struct otherwise *replay)
{
    bl_map_finish_owned(&replay->careers);
    bl_heap_finish(&replay->ends);
    bl_actions_finish(&replay->actions);
    BL_VEC_FINISH(&replay->round_times);
    bl_core_destroy(replay->core);
}

int bl_sim_replay_otherwise(const struct bl_sim_past *past, const struct bl_policy_choice *choice,
                            struct bl_sim_output *story, struct bl_sim_result *out,
                            struct bl_error *err)
{
    struct otherwise replay = {.past = past, .choice = choice, .story = story};
    struct bl_sim_walk walk = {&replay, restore, meet};
    struct bl_event policy = {.kind = BL_EVENT_POLICY_SET, .u.policy = *choice};
    bl_time wall = bl_clock_monotonic();
    bl_time cpu = bl_clock_process_cpu();
    int status;

    replay.core = bl_core_create(BL_KEEP_ENDED);
    step(&replay, &policy);
    status = walk_journal(past->state_dir, &walk, err);
    if (status == BL_OK) {
        pass_until(&replay, BL_TIME_NEVER);
        fill(&replay, out);
        out->wall = bl_clock_monotonic() - wall;
        out->cpu = bl_clock_process_cpu() - cpu;
    }
    finish(&replay);
    return status;
}
