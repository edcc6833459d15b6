#include "daemon/ledger.h"

#include "form/record.h"

#include <assert.h>
#include <stdio.h>

struct bl_ledger *bl_ledger_create(void)
{
    struct bl_ledger *ledger = bl_alloc_zero(sizeof *ledger);

    ledger->core = bl_core_create(BL_KEEP_ENDED);
    ledger->outlook = bl_outlook_create();
    ledger->next_drain = BL_TIME_NEVER;
    return ledger;
}

static void free_entry(struct bl_ledger_job *entry)
{
    bl_launch_finish(&entry->launch);
    bl_alloc_finish(&entry->alloc);
    free(entry);
}

void bl_ledger_destroy(struct bl_ledger *ledger)
{
    size_t cursor = 0;
    struct bl_ledger_job *job;

    if (!ledger) {
        return;
    }
    while ((job = bl_map_next(&ledger->jobs, &cursor))) {
        free_entry(job);
    }
    bl_map_finish(&ledger->jobs);
    bl_graph_finish(&ledger->graph);
    bl_actions_finish(&ledger->actions);
    BL_VEC_FINISH(&ledger->away_since);
    BL_VEC_FINISH(&ledger->active);
    BL_VEC_FINISH(&ledger->timed);
    BL_VEC_FINISH(&ledger->gone);
    BL_VEC_FINISH(&ledger->changed_jobs);
    BL_VEC_FINISH(&ledger->forgotten_jobs);
    bl_booking_watch_finish(&ledger->bookings);
    bl_outlook_destroy(ledger->outlook);
    bl_core_destroy(ledger->core);
    bl_arena_finish(&ledger->arena);
    free(ledger);
}

static struct bl_ledger_job *add_entry(struct bl_ledger *ledger, bl_job_id id)
{
    struct bl_ledger_job *entry = bl_alloc_zero(sizeof *entry);

    entry->id = id;
    entry->seen = BL_JOB_STATE_COUNT;
    bl_map_insert(&ledger->jobs, id, entry);
    return entry;
}

/* The core says nothing of jobs that it skips: what it knows is what counts. */
static void note_submitted(struct bl_ledger *ledger, const struct bl_record *record)
{
    const struct bl_job *job = bl_core_find_job(ledger->core, record->event.job);
    struct bl_ledger_job *entry;
    bl_job_id last;

    if (!job || bl_map_find(&ledger->jobs, job->id)) {
        return;
    }
    entry = add_entry(ledger, job->id);
    if (record->has_launch) {
        bl_launch_copy(&entry->launch, &record->launch);
    }
    last = job->id + bl_array_count(&job->spec);
    ledger->last_id = last > ledger->last_id ? last : ledger->last_id;
    for (size_t i = 0; i < job->spec.after_count && !bl_job_state_is_ended(job->state); i++) {
        bl_graph_add(&ledger->graph, job->id, job->spec.after[i]);
    }
}

static void note_started(struct bl_ledger *ledger, const struct bl_event *event)
{
    const struct bl_job *job = bl_core_find_job(ledger->core, event->job);
    struct bl_ledger_job *entry = bl_map_find(&ledger->jobs, event->job);

    if (job && entry && job->attempt == event->attempt) {
        entry->pid = event->u.started.pid;
    }
}

/* Where the id stands among the active ones, or should stand. */
static size_t find_active(const struct bl_ledger *ledger, bl_job_id id)
{
    size_t low = 0;
    size_t high = ledger->active.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ledger->active.at[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* One that is resized stands there already. */
static void add_active(struct bl_ledger *ledger, bl_job_id id)
{
    size_t index = find_active(ledger, id);

    if (index == ledger->active.count || ledger->active.at[index] != id) {
        BL_VEC_INSERT(&ledger->active, index, id);
    }
}

static void drop_active(struct bl_ledger *ledger, bl_job_id id)
{
    size_t index = find_active(ledger, id);

    if (index < ledger->active.count && ledger->active.at[index] == id) {
        BL_VEC_REMOVE(&ledger->active, index);
    }
}

static void note_start(struct bl_ledger *ledger, const struct bl_action *action)
{
    struct bl_ledger_job *entry = bl_map_find(&ledger->jobs, action->job);

    if (!entry) { /* an element that starts for the first time */
        entry = add_entry(ledger, action->job);
    }
    entry->pid = 0;
    add_active(ledger, action->job);
}

static void note_actions(struct bl_ledger *ledger)
{
    for (size_t i = 0; i < ledger->actions.list.count; i++) {
        const struct bl_action *action = &ledger->actions.list.at[i];

        if (action->kind == BL_ACTION_START) {
            note_start(ledger, action);
        }
        BL_VEC_PUSH(&ledger->changed_jobs, action->job);
    }
}

/* What is asked of an array is asked of its elements. */
static void add_elements(struct bl_ledger *ledger, bl_job_id id)
{
    const struct bl_job *job = bl_core_find_job(ledger->core, id);

    for (int32_t i = 0; job && job->array && i < job->array->count; i++) {
        if (bl_map_find(&ledger->jobs, id + 1 + i)) {
            BL_VEC_PUSH(&ledger->changed_jobs, id + 1 + i);
        }
    }
}

/* The core moves them by its timers, without a word. */
static void add_timed(struct bl_ledger *ledger)
{
    for (size_t i = 0; i < ledger->timed.count; i++) {
        struct bl_ledger_job *entry = bl_map_find(&ledger->jobs, ledger->timed.at[i]);

        if (entry) { /* else it has left memory since */
            entry->is_timed = false;
            BL_VEC_PUSH(&ledger->changed_jobs, entry->id);
        }
    }
    ledger->timed.count = 0;
}

static void keep_timed(struct bl_ledger *ledger, const struct bl_job *job,
                       struct bl_ledger_job *entry)
{
    if (job->state == BL_JOB_WAITING && job->ready_at > 0 && !entry->is_timed) {
        entry->is_timed = true;
        BL_VEC_PUSH(&ledger->timed, job->id);
    }
}

static void add_dependents(struct bl_ledger *ledger, bl_job_id id)
{
    const struct bl_dependents *waiting = bl_graph_find(&ledger->graph, id);

    for (size_t i = 0; waiting && i < waiting->count; i++) {
        BL_VEC_PUSH(&ledger->changed_jobs, waiting->job[i]);
    }
}

/* The end of a job may have moved those that waited for it. An element's change is one of its
 * array, and its end may have moved what waits for the array's elements. */
static void add_moved_by(struct bl_ledger *ledger, const struct bl_job *job)
{
    bool is_ended = bl_job_state_is_ended(job->state);

    if (job->array_job) {
        struct bl_ledger_job *array = bl_map_find(&ledger->jobs, job->array_job->id);

        array->seen = BL_JOB_STATE_COUNT;
        BL_VEC_PUSH(&ledger->changed_jobs, array->id);
        if (is_ended) {
            add_dependents(ledger, array->id);
        }
    }
    if (is_ended) {
        add_dependents(ledger, job->id);
        bl_graph_remove(&ledger->graph, job->id);
    }
}

static void count_queued(struct bl_ledger *ledger, const struct bl_job *job,
                         struct bl_ledger_job *entry)
{
    bool is_queued = job->state == BL_JOB_QUEUED;

    if (is_queued && !entry->is_queued) {
        ledger->queued_count++;
    } else if (!is_queued && entry->is_queued) {
        ledger->queued_count--;
    }
    entry->is_queued = is_queued;
}

/* Of an array those elements count that are no jobs of their own yet. */
static void count_population(struct bl_ledger *ledger, const struct bl_job *job,
                             struct bl_ledger_job *entry)
{
    const struct bl_array *array = job->array;

    if (entry->counted_in) {
        *entry->counted_in -= entry->counted;
    }
    entry->counted = array ? array->count - array->ended - array->active : 1;
    entry->counted_in = bl_job_state_is_ended(job->state)
                            ? NULL
                            : &ledger->population[job->spec.job_class][job->state];
    if (entry->counted_in) {
        *entry->counted_in += entry->counted;
    }
}

/* What it holds, or held last. */
static void keep_alloc(const struct bl_job *job, struct bl_ledger_job *entry)
{
    if (job->alloc.part_count) {
        bl_alloc_finish(&entry->alloc);
        bl_alloc_copy(&entry->alloc, &job->alloc);
    }
}

static void keep_earlier(const struct bl_job *job, struct bl_ledger_job *entry)
{
    const struct bl_job_attempt *first = NULL;
    size_t count = bl_job_earlier_attempts(job, &first);

    entry->earlier = count > 0 ? first[count - 1].number : 0;
}

/* Keeps of the candidates those whose state did change. */
static void settle_changes(struct bl_ledger *ledger)
{
    size_t kept = 0;

    for (size_t i = 0; i < ledger->changed_jobs.count; i++) {
        bl_job_id id = ledger->changed_jobs.at[i];
        const struct bl_job *job = bl_core_find_job(ledger->core, id);
        struct bl_ledger_job *entry = bl_map_find(&ledger->jobs, id);

        if (!job || !entry) {
            continue;
        }
        keep_alloc(job, entry);
        keep_earlier(job, entry);
        keep_timed(ledger, job, entry);
        if (entry->seen == job->state && entry->seen_running_at == job->running_at) {
            continue;
        }
        count_queued(ledger, job, entry);
        count_population(ledger, job, entry);
        entry->seen = job->state;
        entry->seen_running_at = job->running_at;
        ledger->changed_jobs.at[kept++] = id;
        if (!bl_job_state_is_active(job->state)) {
            drop_active(ledger, id);
        }
        add_moved_by(ledger, job);
    }
    ledger->changed_jobs.count = kept;
}

static void note_away(struct bl_ledger *ledger, const struct bl_cluster *cluster)
{
    while (ledger->away_since.count < cluster->node_count) {
        BL_VEC_PUSH(&ledger->away_since, 0);
    }
    for (size_t i = 0; i < cluster->node_count; i++) {
        bl_time *since = &ledger->away_since.at[i];

        if (cluster->node[i].state == BL_NODE_UP) {
            *since = 0;
        } else if (*since == 0) {
            *since = bl_core_now(ledger->core);
        }
    }
}

bl_time bl_ledger_away_since(const struct bl_ledger *ledger, size_t node)
{
    return node < ledger->away_since.count ? ledger->away_since.at[node] : 0;
}

static void note_nodes(struct bl_ledger *ledger)
{
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);

    ledger->changed_nodes = true;
    ledger->next_drain = BL_TIME_NEVER;
    note_away(ledger, cluster);
    for (size_t i = 0; i < cluster->node_count; i++) {
        bl_time at = cluster->node[i].drain_at;

        if (at > bl_core_now(ledger->core) && at < ledger->next_drain) {
            ledger->next_drain = at;
        }
    }
}

static bl_job_id find_array_of(const struct bl_ledger *ledger, bl_job_id element)
{
    const struct bl_job *job;
    size_t cursor = 0;

    while ((job = bl_core_next_job(ledger->core, &cursor))) {
        if (job->array && element > job->id && element <= job->id + job->array->count) {
            return job->id;
        }
    }
    return 0;
}

/* What people ask for may change what a job looks like and leave its state. An element that has not
 * started is part of its array; that of another array may wait for it. */
static void note_control(struct bl_ledger *ledger, bl_job_id id)
{
    struct bl_ledger_job *entry = bl_map_find(&ledger->jobs, id);

    if (!entry) {
        id = find_array_of(ledger, id);
        entry = bl_map_find(&ledger->jobs, id);
        add_dependents(ledger, id);
    }
    if (entry) {
        entry->seen = BL_JOB_STATE_COUNT;
        BL_VEC_PUSH(&ledger->changed_jobs, id);
        add_elements(ledger, id);
    }
}

static void note_progress(struct bl_ledger *ledger, bl_job_id id)
{
    struct bl_ledger_job *entry = bl_map_find(&ledger->jobs, id);

    if (entry) {
        entry->seen = BL_JOB_STATE_COUNT;
        BL_VEC_PUSH(&ledger->changed_jobs, id);
    }
}

static void note_restored(struct bl_ledger *ledger, const struct bl_record *record)
{
    const struct bl_job_past *past = record->event.u.restored;
    struct bl_ledger_job *entry;

    note_submitted(ledger, record);
    entry = bl_map_find(&ledger->jobs, record->event.job);
    if (!entry) {
        return;
    }
    if (past->alloc) {
        bl_alloc_finish(&entry->alloc);
        bl_alloc_copy(&entry->alloc, past->alloc);
    }
    if (bl_job_state_is_active(past->state)) {
        add_active(ledger, entry->id);
    }
    entry->kept_at = bl_job_state_is_ended(past->state) ? ledger->seq : 0;
}

/* The core forgets without a word. */
static void drop_forgotten(struct bl_ledger *ledger)
{
    struct bl_ledger_job *entry;
    size_t cursor = 0;

    while ((entry = bl_map_next(&ledger->jobs, &cursor))) {
        if (bl_core_find_job(ledger->core, entry->id)) {
            continue;
        }
        if (entry->kept_at) {
            BL_VEC_PUSH(&ledger->gone, entry->id);
        }
        BL_VEC_PUSH(&ledger->forgotten_jobs, (struct bl_forgotten_job){entry->id, entry->earlier});
        bl_map_remove(&ledger->jobs, entry->id);
        free_entry(entry);
    }
}

static void note_event(struct bl_ledger *ledger, const struct bl_record *record)
{
    switch (record->event.kind) {
    case BL_EVENT_JOB_SUBMITTED:
        note_submitted(ledger, record);
        BL_VEC_PUSH(&ledger->changed_jobs, record->event.job);
        break;
    case BL_EVENT_JOB_RESTORED:
        note_restored(ledger, record);
        BL_VEC_PUSH(&ledger->changed_jobs, record->event.job);
        break;
    case BL_EVENT_JOBS_FORGOTTEN:
        drop_forgotten(ledger);
        break;
    case BL_EVENT_JOB_STARTED:
        note_started(ledger, &record->event);
        BL_VEC_PUSH(&ledger->changed_jobs, record->event.job);
        break;
    case BL_EVENT_JOB_CANCELLED:
    case BL_EVENT_JOB_HELD:
    case BL_EVENT_JOB_RELEASED:
    case BL_EVENT_JOB_REQUEUED:
    case BL_EVENT_JOB_CHANGED:
    case BL_EVENT_JOB_MOVED:
    case BL_EVENT_JOB_RESIZE_ASKED:
        note_control(ledger, record->event.job);
        break;
    case BL_EVENT_JOB_PROGRESS:
        note_progress(ledger, record->event.job);
        break;
    case BL_EVENT_JOB_START_FAILED:
    case BL_EVENT_JOB_ENDED:
        BL_VEC_PUSH(&ledger->changed_jobs, record->event.job);
        break;
    case BL_EVENT_NODE_ADDED:
    case BL_EVENT_NODE_STATE:
    case BL_EVENT_GPU_STATE:
        note_nodes(ledger);
        break;
    case BL_EVENT_ROUND:
        note_actions(ledger);
        add_timed(ledger);
        if (ledger->next_drain <= bl_core_now(ledger->core)) {
            note_nodes(ledger);
        }
        break;
    case BL_EVENT_POLICY_SET:
    case BL_EVENT_RUN_LEARNED:
    case BL_EVENT_FACT_LEARNED:
    case BL_EVENT_COUNTS_LEARNED:
    case BL_EVENT_CURVE_LEARNED:
    case BL_EVENT_ROUND_WISHED:
    case BL_EVENT_CLOCK_JUMPED:
    case BL_EVENT_FORETOLD:
    case BL_EVENT_RESERVED:
    case BL_EVENT_RESERVATION_CHANGED:
    case BL_EVENT_RESERVATION_CANCELLED:
    case BL_EVENT_RESERVATION_RESTORED:
    case BL_EVENT_SAVE_LEARNED:
    case BL_EVENT_COUNT:
        break;
    }
}

/* `name` is for messages. */
static int apply(struct bl_ledger *ledger, const char *name, const char *bytes, size_t length,
                 struct bl_error *err)
{
    struct bl_record record;
    int status;

    bl_arena_reset(&ledger->arena);
    status = bl_record_read(name, bytes, length, &ledger->arena, &record, err);
    if (status != BL_OK) {
        return status;
    }
    ledger->changed_jobs.count = 0;
    ledger->forgotten_jobs.count = 0;
    ledger->changed_nodes = false;
    ledger->kind = record.event.kind;
    bl_actions_clear(&ledger->actions);
    bl_core_step(ledger->core, &record.event,
                 record.event.kind == BL_EVENT_ROUND ? &ledger->actions : NULL);
    note_event(ledger, &record);
    settle_changes(ledger);
    bl_booking_watch_look(&ledger->bookings, ledger->core);
    return BL_OK;
}

static void pass_on(const struct bl_ledger *ledger, const char *bytes, size_t length)
{
    if (ledger->tap.take) {
        ledger->tap.take(ledger->tap.self, ledger->seq, bytes, length);
    }
}

int bl_ledger_apply(struct bl_ledger *ledger, int64_t seq, const char *bytes, size_t length,
                    struct bl_error *err)
{
    char name[48];
    int status;

    snprintf(name, sizeof name, "journal record %lld", (long long)seq);
    status = apply(ledger, name, bytes, length, err);
    if (status == BL_OK) {
        ledger->seq = seq;
        pass_on(ledger, bytes, length);
    }
    return status;
}

int bl_ledger_restore(struct bl_ledger *ledger, int64_t seq, const char *bytes, size_t length,
                      struct bl_error *err)
{
    char name[48];
    int status;

    ledger->seq = seq;
    snprintf(name, sizeof name, "journal snapshot %lld", (long long)seq);
    status = apply(ledger, name, bytes, length, err);
    if (status == BL_OK) {
        pass_on(ledger, bytes, length);
    }
    return status;
}

void bl_ledger_print_actions(const struct bl_ledger *ledger, struct bl_buf *out)
{
    for (size_t i = 0; i < ledger->actions.list.count; i++) {
        bl_record_write_action(out, bl_core_now(ledger->core), &ledger->actions.list.at[i],
                               bl_core_cluster(ledger->core));
    }
}

const struct bl_ledger_job *bl_ledger_get(const struct bl_ledger *ledger, bl_job_id id)
{
    const struct bl_ledger_job *job = bl_map_find(&ledger->jobs, id);

    assert(job);
    return job;
}

const struct bl_launch *bl_ledger_launch(const struct bl_ledger *ledger, const struct bl_job *job)
{
    return &bl_ledger_get(ledger, job->array_job ? job->array_job->id : job->id)->launch;
}

/* A node that is on its way to the disk is whole. */
bool bl_ledger_knows_gpus(const struct bl_ledger *ledger, const struct bl_event *event)
{
    const struct bl_cluster *cluster = bl_core_cluster(ledger->core);
    int32_t node = bl_cluster_find_node(cluster, event->u.gpu_state.name);
    uint64_t known = node >= 0 ? cluster->node[node].lost : 0;

    return known == (uint64_t)event->u.gpu_state.lost;
}

bool bl_ledger_needs_looks(const struct bl_ledger *ledger)
{
    const struct bl_policy *policy = bl_core_policy(ledger->core)->policy;

    return ledger->queued_count > 0 || (policy && policy->is_elastic && ledger->active.count > 0);
}
