/* The state as events, and back. */
#include "core/bookings.h"
#include "core/state.h"

#include <assert.h>

bool bl_core_can_export(const struct bl_core *core)
{
    const struct bl_heap_item *first = bl_heap_peek(&core->timers);

    return core->to_stop.count == 0 && core->to_start.count == 0 && !core->wants_round &&
           (!first || first->time > core->now) && (!core->wake_at || core->wake_at > core->now) &&
           core->bookings->wake_at > core->now;
}

/* Where the events go. */
struct sink {
    void (*emit)(void *self, const struct bl_event *event);
    void *self;
    bl_time now;
};

static void emit(const struct sink *sink, struct bl_event event)
{
    event.at = sink->now;
    sink->emit(sink->self, &event);
}

static void export_node(const struct sink *sink, const struct bl_node *node)
{
    struct bl_event state = {.kind = BL_EVENT_NODE_STATE};

    emit(sink, (struct bl_event){.kind = BL_EVENT_NODE_ADDED, .u.node = node->spec});
    state.u.node_state.name = node->spec.name;
    state.u.node_state.state = node->state;
    if (node->state != BL_NODE_UP) {
        emit(sink, state);
    } else if (node->drain_at != BL_TIME_NEVER) {
        state.u.node_state.state = BL_NODE_DRAINED;
        state.u.node_state.from = node->drain_at;
        emit(sink, state);
    }
    if (node->lost) {
        struct bl_event lost = {.kind = BL_EVENT_GPU_STATE};

        lost.u.gpu_state.name = node->spec.name;
        lost.u.gpu_state.lost = (int64_t)node->lost;
        lost.u.gpu_state.since = node->lost_since;
        emit(sink, lost);
    }
}

static void export_array(struct bl_job_past *past, const struct bl_array *array,
                         struct bl_arena *scratch)
{
    static const char letters[] = {
        [BL_OUTCOME_NONE] = '.', [BL_OUTCOME_OK] = 'o', [BL_OUTCOME_NOT_OK] = 'x'};
    char *outcome = bl_arena_alloc(scratch, (size_t)array->count + 1);

    for (int32_t i = 0; i < array->count; i++) {
        outcome[i] = letters[array->outcome[i]];
    }
    past->outcome = outcome;
    past->array_next = array->next;
    for (int i = 0; i < BL_JOB_STATE_COUNT; i++) {
        past->ended_as[i] = array->ended_as[i];
    }
    if (array->waits_each) {
        past->ready = array->ready + array->ready_next;
        past->ready_count = (size_t)(array->ready_count - array->ready_next);
    }
}

static struct bl_job_past past_of(const struct bl_job *job)
{
    static const struct bl_job_attempts no_attempts;

    return (struct bl_job_past){
        .spec = job->spec,
        .state = job->state,
        .stop_as = job->stop_as,
        .reason = job->reason,
        .submitted_at = job->submitted_at,
        .eligible_at = job->eligible_at,
        .started_at = job->started_at,
        .running_at = job->running_at,
        .ended_at = job->ended_at,
        .planned_end = job->planned_end,
        .predicted_run = job->predicted_run,
        .ready_at = job->ready_at,
        .order_at = job->order_at,
        .order_rank = job->order_rank,
        .exit_code = job->exit_code,
        .has_exit_code = job->has_exit_code,
        .is_held = job->is_held,
        .is_warned = job->is_warned,
        .failures = job->failures,
        .start_failures = job->start_failures,
        .requeues = job->requeues,
        .array_job = job->array_job ? job->array_job->id : 0,
        .array_position = job->array_position,
        .alloc = job->alloc.part_count ? &job->alloc : NULL,
        .next = job->next.part_count ? &job->next : NULL,
        .progress = job->progress,
        .first_started_at = job->first_started_at,
        .ran_before = job->ran_before,
        .held_at = job->held_at,
        .attained = job->attained,
        .save_time = job->save_time,
        .restarts = job->restarts,
        .preemptions = job->preemptions,
        .gpus_wish = job->gpus_wish,
        .level = job->level,
        .level_at = job->level_at,
        .stop_at = job->stop_at,
        .promised_at = job->promised_at,
        .inside_at = job->inside_at,
        .foresight = job->foresight,
        .guard = job->guard,
        .attempts = job->attempts ? *job->attempts : no_attempts,
    };
}

static void export_job(const struct sink *sink, const struct bl_job *job)
{
    struct bl_arena scratch = {0};
    struct bl_job_past past = past_of(job);

    if (job->array) {
        export_array(&past, job->array, &scratch);
    }
    emit(sink, (struct bl_event){.kind = BL_EVENT_JOB_RESTORED,
                                 .job = job->id,
                                 .attempt = job->attempt,
                                 .u.restored = &past});
    bl_arena_finish(&scratch);
}

static void emit_lesson(void *to, const struct bl_event *event)
{
    emit(to, *event);
}

static void emit_save(void *to, const char *application, bl_time time)
{
    struct bl_event event = {.kind = BL_EVENT_SAVE_LEARNED};

    event.u.save.application = application;
    event.u.save.time = time;
    emit(to, event);
}

static void export_bookings(const struct bl_core *core, const struct sink *sink)
{
    const struct bl_booking *booking;
    size_t cursor = 0;

    while ((booking = bl_core_next_booking(core, &cursor))) {
        struct bl_booking_past past = {booking->spec, booking->revision, booking->made_at,
                                       booking->occurrence, booking->occurrence_count};

        emit(sink, (struct bl_event){.kind = BL_EVENT_RESERVATION_RESTORED, .u.booking = &past});
    }
}

/* By the policy or for a reservation. */
static bl_time round_wished(const struct bl_core *core)
{
    bl_time slot = core->bookings->wake_at;

    return core->wake_at && core->wake_at < slot ? core->wake_at : slot;
}

static void export_machine(const struct bl_core *core, const struct sink *sink)
{
    bl_time wished = round_wished(core);

    assert(bl_core_can_export(core));
    if (core->choice.policy) {
        emit(sink, (struct bl_event){.kind = BL_EVENT_POLICY_SET, .u.policy = core->choice});
    }
    for (size_t i = 0; i < core->cluster.node_count; i++) {
        export_node(sink, &core->cluster.node[i]);
    }
    if (wished != BL_TIME_NEVER) {
        emit(sink, (struct bl_event){.kind = BL_EVENT_ROUND_WISHED, .u.wished.at = wished});
    }
}

static void emit_kept(void *to, const struct bl_kept *kept)
{
    emit(to, (struct bl_event){.kind = BL_EVENT_COUNTS_LEARNED, .u.kept = *kept});
}

static void export_all_but_jobs(const struct bl_core *core, struct sink *sink)
{
    struct bl_tally tally;

    export_machine(core, sink);
    bl_metrics_tally(core->metrics, core->now, &tally);
    bl_tally_export(&tally, emit_kept, sink);
    bl_scores_export(core->scores, emit_kept, sink);
    bl_predictions_export(core->predictions, emit_lesson, sink);
    bl_core_export_curves(core, emit_lesson, sink);
    bl_saves_export(&core->bookings->saves, emit_save, sink);
    export_bookings(core, sink);
}

bool bl_core_export(const struct bl_core *core, size_t *cursor, size_t jobs,
                    void (*emit_to)(void *self, const struct bl_event *event), void *self)
{
    struct sink sink = {emit_to, self, core->now};
    const struct bl_job *job = NULL;

    if (*cursor == 0) {
        export_all_but_jobs(core, &sink);
    }
    for (size_t i = 0; i < jobs && (job = bl_map_next(&core->jobs, cursor)); i++) {
        export_job(&sink, job);
    }
    return job != NULL;
}

static void step_fork(void *self, const struct bl_event *event)
{
    bl_core_step(self, event, NULL);
}

struct bl_core *bl_core_fork(const struct bl_core *core)
{
    struct bl_core *fork = bl_core_create(BL_KEEP_ENDED);
    struct sink sink = {step_fork, fork, core->now};
    size_t cursor = 0;
    const struct bl_job *job;

    fork->is_fork = true;
    fork->oracle = core->oracle;
    export_machine(core, &sink);
    bl_core_export_curves(core, emit_lesson, &sink);
    bl_saves_export(&core->bookings->saves, emit_save, &sink);
    export_bookings(core, &sink);
    while ((job = bl_map_next(&core->jobs, &cursor))) {
        if (!bl_job_state_is_ended(job->state)) {
            export_job(&sink, job);
        }
    }
    fork->learns = false;
    fork->wants_round = false; /* as in the core: the last one has seen all */
    return fork;
}

void bl_core_foresee(struct bl_core *fork, const struct bl_core *core)
{
    size_t cursor = 0;
    struct bl_job *job;

    assert(fork->is_fork);
    while (core->learns && (job = bl_map_next(&fork->jobs, &cursor))) {
        bl_time planned = job->predicted_run;

        if (bl_predictions_is_stale(core->predictions, job)) {
            bl_predictions_refresh(core->predictions, job);
            job->predicted_run = planned;
        }
    }
}

static void restore_array(struct bl_job *job, const struct bl_job_past *past)
{
    struct bl_array *array = job->array;

    array->next = past->array_next;
    for (int32_t i = 0; i < array->count && past->outcome && past->outcome[i]; i++) {
        array->outcome[i] = past->outcome[i] == 'o'   ? BL_OUTCOME_OK
                            : past->outcome[i] == 'x' ? BL_OUTCOME_NOT_OK
                                                      : BL_OUTCOME_NONE;
        array->ended += array->outcome[i] != BL_OUTCOME_NONE;
    }
    for (int i = 0; i < BL_JOB_STATE_COUNT; i++) {
        array->ended_as[i] = past->ended_as[i];
    }
    for (size_t i = 0; array->waits_each && i < past->ready_count; i++) {
        array->ready[array->ready_count++] = past->ready[i];
    }
}

/* Elements borrow from their array, as when they were started. */
static struct bl_job *make_job(struct bl_core *core, const struct bl_event *event)
{
    const struct bl_job_past *past = event->u.restored;
    struct bl_event submitted = {.kind = BL_EVENT_JOB_SUBMITTED, .job = event->job};
    struct bl_job *array_job = past->array_job ? bl_map_find(&core->jobs, past->array_job) : NULL;
    struct bl_job *job;

    if (array_job && array_job->array) {
        job = bl_job_create_element(array_job, past->array_position);
        array_job->array->active += !bl_job_state_is_ended(past->state);
        if (array_job->array->is_listed && bl_array_peek(array_job) < 0) {
            bl_core_dequeue(core, array_job);
        }
        return job;
    }
    submitted.u.submitted = past->spec;
    job = bl_job_create(&submitted);
    if (job->array) {
        restore_array(job, past);
    }
    return job;
}

static void set_past(struct bl_job *job, const struct bl_event *event)
{
    const struct bl_job_past *past = event->u.restored;

    job->state = past->state;
    job->stop_as = past->stop_as;
    job->attempt = event->attempt;
    job->reason = past->reason;
    job->submitted_at = past->submitted_at;
    job->eligible_at = past->eligible_at;
    job->started_at = past->started_at;
    job->running_at = past->running_at;
    job->ended_at = past->ended_at;
    job->planned_end = past->planned_end;
    job->predicted_run = past->predicted_run;
    job->ready_at = past->ready_at;
    job->order_at = past->order_at;
    job->order_rank = past->order_rank;
    job->exit_code = past->exit_code;
    job->has_exit_code = past->has_exit_code;
    job->is_held = past->is_held;
    job->is_warned = past->is_warned;
    job->failures = past->failures;
    job->start_failures = past->start_failures;
    job->requeues = past->requeues;
    job->progress = past->progress;
    job->first_started_at = past->first_started_at;
    job->ran_before = past->ran_before;
    job->held_at = past->held_at;
    job->attained = past->attained;
    job->save_time = past->save_time;
    job->restarts = past->restarts;
    job->preemptions = past->preemptions;
    job->gpus_wish = past->gpus_wish;
    job->level = past->level;
    job->level_at = past->level_at;
    job->stop_at = past->stop_at;
    job->promised_at = past->promised_at;
    job->inside_at = past->inside_at;
    job->foresight = past->foresight;
    job->guard = past->guard;
    job->spec.limit = past->spec.limit;
    job->spec.priority = past->spec.priority;
    job->spec.gpus_min = past->spec.gpus_min;
    job->spec.gpus_want = past->spec.gpus_want;
    job->spec.gpus_max = past->spec.gpus_max;
    job->spec.not_before = past->spec.not_before;
    job->spec.may_restart = past->spec.may_restart;
    job->spec.gpu_count_count = past->spec.gpu_count_count;
}

/* Jobs stand in order of submission: whoever is waited for is there already, or has left memory
 * after it was met. */
static void relink(struct bl_core *core, struct bl_job *job)
{
    for (size_t i = 0; i < job->spec.after_count; i++) {
        struct bl_dependency after = job->spec.after[i];
        const struct bl_job *other = bl_map_find(&core->jobs, after.job);

        if (other && !bl_job_state_is_ended(other->state)) {
            bl_graph_add(&core->graph, job->id, after);
            job->waits_for += after.kind != BL_AFTER_EACH;
        }
    }
}

static void take_up(struct bl_core *core, struct bl_job *job, const struct bl_job_past *past)
{
    if (bl_job_state_is_active(job->state)) {
        bl_alloc_copy(&job->alloc, past->alloc);
        if (past->next) {
            bl_alloc_copy(&job->next, past->next);
        }
        bl_metrics_note_books(core->metrics, &core->cluster, &job->alloc);
        bl_core_note_running(core, job, job->planned_end);
        bl_core_set_limit_timers(core, job);
    } else if (job->state == BL_JOB_QUEUED && (!job->array || bl_array_peek(job) >= 0)) {
        bl_core_enqueue(core, job);
    } else if (job->state == BL_JOB_WAITING && job->waits_for == 0) {
        bl_core_set_timer(core, BL_TIMER_READY, job->id, job->ready_at);
    }
}

/* What was adopted never stood in line. */
static bool is_of_adopted(enum bl_job_state state)
{
    return (bl_job_state_is_active(state) && state != BL_JOB_RESIZING) ||
           bl_job_state_is_ended(state);
}

/* An active job has an allocation; one that is resized has the next one within it. */
static bool is_past_sound(const struct bl_job_past *past)
{
    struct bl_alloc beyond = {0};
    bool is_within = true;

    if ((bl_job_state_is_active(past->state) && !past->alloc) ||
        (past->state == BL_JOB_RESIZING) != (past->next != NULL) ||
        (past->spec.is_adopted && !is_of_adopted(past->state))) {
        return false;
    }
    if (past->next) {
        bl_alloc_beyond(past->next, past->alloc, &beyond);
        is_within = beyond.part_count == 0;
        bl_alloc_finish(&beyond);
    }
    return is_within;
}

/* As if it had come, and ended, before our eyes. */
static void note_arrival(struct bl_core *core, const struct bl_job *job)
{
    bool is_telling = job->started_at > 0 && job->state != BL_JOB_LOST && !job->spec.is_adopted;

    if (core->learns) {
        bl_arrivals_note_submitted(core->arrivals, job);
    }
    if (core->learns && bl_job_state_is_ended(job->state)) {
        bl_arrivals_note_ended(core->arrivals, job, is_telling ? bl_job_length_of_run(job) : 0);
    }
}

/* A job that is said to run on what the books do not have is left out: the books stay exact. */
void bl_core_restore_job(struct bl_core *core, const struct bl_event *event)
{
    struct bl_job *job;

    if (event->job <= 0 || bl_map_find(&core->jobs, event->job)) {
        return;
    }
    if (!is_past_sound(event->u.restored) ||
        (bl_job_state_is_active(event->u.restored->state) &&
         !bl_cluster_rebook(&core->cluster, event->u.restored->alloc))) {
        return;
    }
    job = make_job(core, event);
    set_past(job, event);
    if (bl_core_keeps_attempts(core)) {
        bl_attempts_restore(job, &event->u.restored->attempts, core->cluster.node_count);
    }
    bl_job_resolve(job, &core->cluster);
    bl_map_insert(&core->jobs, job->id, job);
    bl_predictions_note_restored(core->predictions, job);
    note_arrival(core, job);
    core->has_wishes = core->has_wishes || job->gpus_wish > 0;
    if (!bl_job_state_is_ended(job->state)) {
        relink(core, job);
        take_up(core, job, event->u.restored);
        bl_metrics_note_restored(core->metrics, job);
    }
}

static bool may_be_forgotten(const struct bl_job *job, bl_time before)
{
    return bl_job_state_is_ended(job->state) && job->ended_at < before;
}

static void forget(struct bl_core *core, struct bl_job *job)
{
    bl_arrivals_forget(core->arrivals, job->id);
    bl_map_remove(&core->jobs, job->id);
    bl_job_destroy(job);
}

/* Elements go before their array, and only with it. */
void bl_core_forget_jobs(struct bl_core *core, bl_time before)
{
    size_t cursor = 0;
    struct bl_job *job;

    while ((job = bl_map_next(&core->jobs, &cursor))) {
        const struct bl_job *whole = job->array_job ? job->array_job : job;

        if (!job->array && may_be_forgotten(job, before) && may_be_forgotten(whole, before)) {
            forget(core, job);
        }
    }
    cursor = 0;
    while ((job = bl_map_next(&core->jobs, &cursor))) {
        if (job->array && may_be_forgotten(job, before)) {
            forget(core, job);
        }
    }
}
