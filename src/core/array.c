/* Arrays: one job until elements start. */
#include "core/state.h"

#include <assert.h>
#include <string.h>

static int64_t count_of_range(const struct bl_array_range *range)
{
    return ((int64_t)range->last - range->first) / range->step + 1;
}

int64_t bl_array_count(const struct bl_job_spec *spec)
{
    int64_t count = 0;

    for (size_t i = 0; i < spec->array_range_count; i++) {
        count += count_of_range(&spec->array[i]);
    }
    return count;
}

int32_t bl_array_index(const struct bl_job_spec *spec, int32_t position)
{
    int64_t left = position;

    for (size_t i = 0; i < spec->array_range_count; i++) {
        int64_t count = count_of_range(&spec->array[i]);

        if (left < count) {
            return (int32_t)(spec->array[i].first + left * spec->array[i].step);
        }
        left -= count;
    }
    return -1;
}

int32_t bl_array_position(const struct bl_job_spec *spec, int32_t index)
{
    int64_t before = 0;

    for (size_t i = 0; i < spec->array_range_count; i++) {
        const struct bl_array_range *range = &spec->array[i];

        if (index >= range->first && index <= range->last &&
            (index - range->first) % range->step == 0) {
            return (int32_t)(before + (index - range->first) / range->step);
        }
        before += count_of_range(range);
    }
    return -1;
}

int32_t bl_job_array_index(const struct bl_job *job)
{
    return job->array_job ? bl_array_index(&job->array_job->spec, job->array_position) : -1;
}

int32_t bl_array_pending(const struct bl_array *array)
{
    return array->count - array->ended - array->active;
}

struct bl_array *bl_array_create(const struct bl_job_spec *spec)
{
    struct bl_array *array = bl_alloc_zero(sizeof *array);

    array->count = (int32_t)bl_array_count(spec);
    array->outcome = bl_alloc_zero((size_t)array->count);
    for (size_t i = 0; i < spec->after_count; i++) {
        array->waits_each = array->waits_each || spec->after[i].kind == BL_AFTER_EACH;
    }
    if (array->waits_each) {
        array->ready = bl_alloc_zero((size_t)array->count * sizeof *array->ready);
    }
    return array;
}

void bl_array_destroy(struct bl_array *array)
{
    if (array) {
        free(array->outcome);
        free(array->ready);
        free(array);
    }
}

int32_t bl_array_peek(const struct bl_job *array_job)
{
    const struct bl_array *array = array_job->array;
    int32_t most = array_job->spec.array_running_max;

    if (most > 0 && array->active >= most) {
        return -1;
    }
    if (array->waits_each) {
        return array->ready_next < array->ready_count ? array->ready[array->ready_next] : -1;
    }
    return array->next < array->count ? array->next : -1;
}

/* What was given up before it started is never the next. */
static void skip_given_up(struct bl_array *array)
{
    while (array->next < array->count && array->outcome[array->next] != BL_OUTCOME_NONE) {
        array->next++;
    }
    while (array->ready_next < array->ready_count &&
           array->outcome[array->ready[array->ready_next]] != BL_OUTCOME_NONE) {
        array->ready_next++;
    }
}

struct bl_job *bl_array_take(struct bl_core *core, struct bl_job *array_job)
{
    struct bl_array *array = array_job->array;
    int32_t position = bl_array_peek(array_job);
    struct bl_job *element = bl_job_create_element(array_job, position);

    assert(position >= 0);
    if (array->waits_each) {
        array->ready_next++;
    } else {
        array->next++;
    }
    skip_given_up(array);
    array->active++;
    bl_map_insert(&core->jobs, element->id, element);
    bl_metrics_note_submitted(core->metrics, element);
    return element;
}

static void list_again(struct bl_core *core, struct bl_job *array_job)
{
    if (array_job->state == BL_JOB_QUEUED && !array_job->array->is_listed &&
        bl_array_peek(array_job) >= 0) {
        bl_core_enqueue(core, array_job);
    }
}

/* The worst of what its elements came to. */
static enum bl_job_state state_of_all(const struct bl_array *array)
{
    static const enum bl_job_state worst_first[] = {BL_JOB_CANCELLED, BL_JOB_FAILED, BL_JOB_TIMEOUT,
                                                    BL_JOB_LOST};

    for (size_t i = 0; i < sizeof worst_first / sizeof worst_first[0]; i++) {
        if (array->ended_as[worst_first[i]] > 0) {
            return worst_first[i];
        }
    }
    return BL_JOB_COMPLETED;
}

void bl_array_end_if_done(struct bl_core *core, struct bl_job *array_job,
                          struct bl_endings *endings)
{
    const struct bl_array *array = array_job->array;

    if (array->ended == array->count && !bl_job_state_is_ended(array_job->state)) {
        if (array_job->reason.code == BL_REASON_UNDECIDED) { /* its elements have had theirs */
            array_job->reason = (struct bl_reason){.code = BL_REASON_NONE};
        }
        bl_core_end_job(core, array_job, state_of_all(array), endings);
    }
}

static void note_outcome(struct bl_job *array_job, int32_t position, enum bl_job_state as,
                         struct bl_endings *endings)
{
    struct bl_array *array = array_job->array;

    array->outcome[position] = as == BL_JOB_COMPLETED ? BL_OUTCOME_OK : BL_OUTCOME_NOT_OK;
    array->ended++;
    array->ended_as[as]++;
    BL_VEC_PUSH(&endings->news, (struct bl_news){array_job->id, position});
}

static void make_ready(struct bl_core *core, struct bl_job *waiting, int32_t position)
{
    waiting->array->ready[waiting->array->ready_count++] = position;
    list_again(core, waiting);
}

/* An element that never started and never will. */
static void give_up(struct bl_core *core, struct bl_job *waiting, int32_t position,
                    struct bl_endings *endings)
{
    waiting->reason = (struct bl_reason){.code = BL_REASON_DEPENDENCY_FAILED};
    note_outcome(waiting, position, BL_JOB_CANCELLED, endings);
    bl_array_end_if_done(core, waiting, endings);
}

void bl_array_tell(struct bl_core *core, const struct bl_news *news, struct bl_endings *endings)
{
    const struct bl_dependents *dependents = bl_graph_find(&core->graph, news->array_job);
    const struct bl_job *array_job = bl_map_find(&core->jobs, news->array_job);

    for (size_t i = 0; dependents && i < dependents->count; i++) {
        struct bl_job *waiting = bl_map_find(&core->jobs, dependents->job[i]);

        if (dependents->kind[i] != BL_AFTER_EACH || !waiting ||
            bl_job_state_is_ended(waiting->state) ||
            waiting->array->outcome[news->position] != BL_OUTCOME_NONE) {
            continue;
        }
        if (array_job->array->outcome[news->position] == BL_OUTCOME_OK) {
            make_ready(core, waiting, news->position);
        } else {
            give_up(core, waiting, news->position, endings);
        }
    }
}

void bl_array_note_ended(struct bl_core *core, struct bl_job *element, struct bl_endings *endings)
{
    struct bl_job *array_job = element->array_job;

    array_job->array->active--;
    note_outcome(array_job, element->array_position, element->state, endings);
    list_again(core, array_job);
    bl_array_end_if_done(core, array_job, endings);
}

/* One element's share of a cancel: what never started is given up, what is active is stopped. */
static void cancel_element(struct bl_core *core, struct bl_job *array_job, int32_t position,
                           struct bl_endings *endings)
{
    struct bl_job *element = bl_map_find(&core->jobs, array_job->id + 1 + position);

    if (!element) {
        note_outcome(array_job, position, BL_JOB_CANCELLED, endings);
        return;
    }
    element->reason = array_job->reason;
    if (bl_job_state_is_active(element->state)) {
        bl_core_stop_job(core, element, BL_JOB_CANCELLED);
    } else {
        bl_core_end_job(core, element, BL_JOB_CANCELLED, endings);
    }
}

void bl_array_cancel(struct bl_core *core, struct bl_job *array_job, struct bl_endings *endings)
{
    struct bl_array *array = array_job->array;

    bl_core_step_out(core, array_job);
    array->next = array->count;
    array->ready_next = array->ready_count;
    for (int32_t position = 0; position < array->count; position++) {
        if (array->outcome[position] == BL_OUTCOME_NONE) {
            cancel_element(core, array_job, position, endings);
        }
    }
    bl_array_end_if_done(core, array_job, endings);
}

static struct bl_job *find_array_of(const struct bl_core *core, bl_job_id id)
{
    size_t cursor = 0;
    struct bl_job *job;

    while ((job = bl_map_next(&core->jobs, &cursor))) {
        if (job->array && id > job->id && id <= job->id + job->array->count) {
            return job;
        }
    }
    return NULL;
}

void bl_array_cancel_pending(struct bl_core *core, bl_job_id id, struct bl_endings *endings)
{
    struct bl_job *array_job = find_array_of(core, id);
    int32_t position = array_job ? (int32_t)(id - array_job->id - 1) : 0;

    if (!array_job || array_job->array->outcome[position] != BL_OUTCOME_NONE) {
        return;
    }
    note_outcome(array_job, position, BL_JOB_CANCELLED, endings);
    skip_given_up(array_job->array);
    if (array_job->array->is_listed && bl_array_peek(array_job) < 0) {
        bl_core_step_out(core, array_job);
    }
    bl_array_end_if_done(core, array_job, endings);
}

bool bl_array_link_each(struct bl_job *array_job, const struct bl_job *other)
{
    struct bl_array *array = array_job->array;

    if (!other->array || other->array->count != array->count) {
        return false;
    }
    for (int32_t position = 0; position < array->count; position++) {
        if (other->array->outcome[position] == BL_OUTCOME_OK) {
            array->ready[array->ready_count++] = position;
        } else if (other->array->outcome[position] == BL_OUTCOME_NOT_OK) {
            array->outcome[position] = BL_OUTCOME_NOT_OK;
            array->ended++;
            array->ended_as[BL_JOB_CANCELLED]++;
        }
    }
    return true;
}
