#include "sim/steps.h"

#include "base/sort.h"
#include "form/record.h"
#include "os/clock.h"
#include "sim/story.h"
#include "sim/world.h"

#include <math.h>

/* Looking at the clock costs as much as a small round: after the first rounds only a few are
 * timed. */
enum { ETA_SEED = 1 };
enum { ROUNDS_TIMED_FIRST = 1024, ROUNDS_TIMED_EACH = 32 };

void bl_sim_steps_init(struct bl_sim_steps *steps, const struct bl_sim_setup *setup)
{
    *steps = (struct bl_sim_steps){.setup = setup};
    steps->core = bl_core_create(setup->format->has_dependencies(setup->trace) ? BL_KEEP_ENDED
                                                                               : BL_FORGET_ENDED);
    bl_core_consult(steps->core, setup->world ? bl_sim_world_oracle(setup->world) : NULL);
    steps->round.kind = BL_EVENT_ROUND;
    steps->submission.kind = BL_EVENT_JOB_SUBMITTED;
    steps->bound = setup->with_bound ? bl_sim_bound_create() : NULL;
    if (setup->with_eta) {
        steps->eta = bl_sim_eta_create(ETA_SEED);
        bl_core_learn_runs(steps->core);
    }
    if (setup->waits) {
        bl_buf_append_text(&setup->waits->text, "id,submit,start,end\n");
    }
}

void bl_sim_steps_finish(struct bl_sim_steps *steps)
{
    bl_actions_finish(&steps->actions);
    BL_VEC_FINISH(&steps->round_times);
    bl_sim_bound_destroy(steps->bound);
    bl_sim_eta_destroy(steps->eta);
    bl_core_destroy(steps->core);
}

static void write_wait(struct bl_sim_steps *steps, const struct bl_job *job)
{
    struct bl_buf *out = &steps->setup->waits->text;

    bl_buf_printf(out, "%lld,", (long long)job->id);
    bl_seconds_print(out, job->submitted_at);
    bl_buf_append_char(out, ',');
    bl_seconds_print(out, job->first_started_at);
    bl_buf_append_char(out, ',');
    bl_seconds_print(out, job->ended_at);
    bl_buf_append_char(out, '\n');
    bl_sim_output_flush_full(steps->setup->waits);
}

static void note_end(struct bl_sim_steps *steps, const struct bl_job *job)
{
    if (steps->setup->waits) {
        write_wait(steps, job);
    }
    if (steps->eta) {
        bl_sim_eta_note_ended(steps->eta, job);
    }
    if (steps->bound && steps->setup->world) {
        bl_sim_bound_add_trained(steps->bound, bl_core_cluster(steps->core), job,
                                 bl_sim_world_find(steps->setup->world, job->id));
    } else if (steps->bound) {
        bl_sim_bound_add(steps->bound, bl_core_cluster(steps->core), job);
    }
}

void bl_sim_step(struct bl_sim_steps *steps, const struct bl_event *event)
{
    const struct bl_job *job = NULL;
    bool was_active;

    steps->events++;
    if (steps->setup->log) {
        bl_record_write(&steps->setup->log->text, event, NULL);
        bl_buf_append_char(&steps->setup->log->text, '\n');
        bl_sim_output_flush_full(steps->setup->log);
    }
    if (event->kind == BL_EVENT_JOB_ENDED) {
        job = bl_core_find_job(steps->core, event->job);
    }
    was_active = job && bl_job_state_is_active(job->state);
    bl_core_step(steps->core, event, NULL);
    /* One that the core has forgotten can still be looked at until its next step. */
    if (was_active && bl_job_state_is_ended(job->state)) {
        note_end(steps, job);
    }
}

static void log_action(struct bl_sim_steps *steps, const struct bl_action *action)
{
    bl_record_write_action(&steps->setup->log->text, steps->now, action,
                           bl_core_cluster(steps->core));
    bl_sim_output_flush_full(steps->setup->log);
}

static void time_round(struct bl_sim_steps *steps)
{
    bl_time began = bl_clock_monotonic();

    bl_core_step(steps->core, &steps->round, &steps->actions);
    BL_VEC_PUSH(&steps->round_times, bl_clock_monotonic() - began);
}

/* Who has started is scored first: what is told to others rests on that. */
static void tell_starts(struct bl_sim_steps *steps)
{
    for (size_t i = 0; i < steps->actions.list.count; i++) {
        const struct bl_action *action = &steps->actions.list.at[i];

        if (action->kind == BL_ACTION_START) {
            bl_sim_eta_note_started(steps->eta, bl_core_find_job(steps->core, action->job));
        }
    }
    bl_sim_eta_tell(steps->eta, steps->core);
}

void bl_sim_steps_decide(struct bl_sim_steps *steps)
{
    steps->round.at = steps->now;
    if (steps->rounds < ROUNDS_TIMED_FIRST || steps->rounds % ROUNDS_TIMED_EACH == 0) {
        time_round(steps);
    } else {
        bl_core_step(steps->core, &steps->round, &steps->actions);
    }
    steps->rounds++;
    if (steps->eta) {
        tell_starts(steps);
    }
    if (steps->setup->story && steps->actions.list.count > 0) {
        bl_sim_tell_round(steps->setup->story, steps->core, steps->now, &steps->actions);
    }
    for (size_t i = 0; steps->setup->log && i < steps->actions.list.count; i++) {
        log_action(steps, &steps->actions.list.at[i]);
    }
}

int bl_sim_steps_read(struct bl_sim_steps *steps, struct bl_error *err)
{
    const struct bl_sim_setup *setup = steps->setup;

    return setup->format->next(setup->trace, &steps->next, &steps->has_next, err);
}

void bl_sim_steps_submit(struct bl_sim_steps *steps)
{
    steps->submission.at = steps->now;
    steps->submission.job = steps->next.id;
    steps->submission.u.submitted = steps->next.spec;
    bl_sim_step(steps, &steps->submission);
    if (steps->eta) {
        bl_sim_eta_note_submitted(steps->eta, steps->core, steps->next.id);
    }
}

static int book(struct bl_sim_steps *steps, const struct bl_booking_spec *spec,
                struct bl_error *err)
{
    struct bl_event event = {.kind = BL_EVENT_RESERVED, .at = steps->now, .u.reserved = spec};

    bl_sim_step(steps, &event);
    if (bl_core_find_booking(steps->core, spec->id)) {
        return BL_OK;
    }
    bl_fail(err, BL_EINVAL, "reservation %lld of the trace cannot be booked", (long long)spec->id);
    return bl_error_set_hint(err, "it must lie behind the first job, within 400 days, and fit "
                                  "beside those before it");
}

int bl_sim_steps_begin(struct bl_sim_steps *steps, struct bl_error *err)
{
    const struct bl_trace_format *format = steps->setup->format;
    const struct bl_booking_spec *spec = NULL;
    size_t bookings = format->bookings ? format->bookings(steps->setup->trace, &spec) : 0;
    int status = BL_OK;

    struct bl_event policy = {
        .kind = BL_EVENT_POLICY_SET, .at = steps->now, .u.policy = steps->setup->choice};

    bl_sim_step(steps, &policy);
    for (size_t i = 0; i < steps->setup->cluster->node_count; i++) {
        struct bl_event node = {.kind = BL_EVENT_NODE_ADDED, .at = steps->now};

        node.u.node = steps->setup->cluster->node[i];
        bl_sim_step(steps, &node);
    }
    for (size_t i = 0; i < bookings && status == BL_OK; i++) {
        status = book(steps, &spec[i], err);
    }
    return status;
}

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return (a > b) - (a < b);
}

bl_time bl_sim_percentile(bl_time *sample, size_t count, int percent)
{
    size_t rank = (count * (size_t)percent + 99) / 100;

    if (count == 0) {
        return 0;
    }
    bl_sort(sample, count, sizeof *sample, compare_times);
    return sample[rank > 0 ? rank - 1 : 0];
}

void bl_sim_steps_fill(struct bl_sim_steps *steps, struct bl_sim_result *out)
{
    size_t count = steps->round_times.count;

    bl_metrics_figures(bl_core_metrics(steps->core), &out->figures);
    out->events = steps->events;
    out->has_eta = steps->eta;
    if (steps->eta) {
        bl_sim_eta_fill(steps->eta, &out->eta);
    }
    out->left =
        out->figures.jobs - out->figures.done - out->figures.failed - out->figures.cancelled;
    out->round_p50 = bl_sim_percentile(steps->round_times.at, count, 50);
    out->round_p99 = bl_sim_percentile(steps->round_times.at, count, 99);
}

void bl_sim_steps_bound(const struct bl_sim_steps *steps, struct bl_sim_result *out)
{
    out->has_bound = steps->bound;
    out->bound_s = steps->bound ? bl_sim_bound_mean(steps->bound) : NAN;
}
