#include "core/arrivals.h"

#include "base/own.h"
#include "core/state.h"

enum { LEAST = 8 /* from fewer submissions nothing follows */ };

struct entry {
    bl_time at;
    const struct bl_job *job; /* the core's own until it ends */
    struct bl_job *ended;     /* then a copy, owned */
    bl_time run;
    bool is_void; /* only its gap counts */
};

/* A ring, in order of id and time. */
struct bl_arrivals {
    struct entry entry[BL_ARRIVALS_MAX];
    size_t first, count;
};

struct bl_arrivals *bl_arrivals_create(void)
{
    return bl_alloc_zero(sizeof(struct bl_arrivals));
}

void bl_arrivals_destroy(struct bl_arrivals *arrivals)
{
    for (size_t i = 0; i < BL_ARRIVALS_MAX; i++) {
        bl_job_destroy(arrivals->entry[i].ended);
    }
    free(arrivals);
}

static size_t index_of(const struct bl_arrivals *arrivals, size_t place)
{
    return (arrivals->first + place) % BL_ARRIVALS_MAX;
}

static struct entry *entry_at(struct bl_arrivals *arrivals, size_t place)
{
    return &arrivals->entry[index_of(arrivals, place)];
}

static const struct entry *look_at(const struct bl_arrivals *arrivals, size_t place)
{
    return &arrivals->entry[index_of(arrivals, place)];
}

void bl_arrivals_note_submitted(struct bl_arrivals *arrivals, const struct bl_job *job)
{
    struct entry *entry;

    if (job->array_job || job->spec.reservation || job->spec.is_adopted) {
        return;
    }
    if (arrivals->count == BL_ARRIVALS_MAX) {
        arrivals->first = (arrivals->first + 1) % BL_ARRIVALS_MAX;
        arrivals->count--;
    }
    entry = entry_at(arrivals, arrivals->count++);
    bl_job_destroy(entry->ended);
    *entry = (struct entry){.at = job->submitted_at, .job = job};
}

/* Where it is, or would be. */
static size_t place_of(const struct bl_arrivals *arrivals, bl_job_id id)
{
    size_t low = 0;
    size_t high = arrivals->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (look_at(arrivals, middle)->job->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(const struct bl_arrivals *arrivals, size_t place, bl_job_id id)
{
    return place < arrivals->count && look_at(arrivals, place)->job->id == id;
}

/* An array needs no elements here. */
static struct bl_job *copy_of(const struct bl_job *job)
{
    struct bl_event event = {
        .kind = BL_EVENT_JOB_SUBMITTED, .at = job->submitted_at, .job = job->id};
    struct bl_job *copy;

    event.u.submitted = job->spec;
    event.u.submitted.after = NULL;
    event.u.submitted.after_count = 0;
    copy = bl_job_create(&event);
    bl_array_destroy(copy->array);
    copy->array = NULL;
    copy->foresight = job->foresight;
    copy->predicted_run = job->predicted_run;
    return copy;
}

void bl_arrivals_note_ended(struct bl_arrivals *arrivals, const struct bl_job *job, bl_time run)
{
    size_t place = place_of(arrivals, job->id);
    struct entry *entry = entry_at(arrivals, place);

    if (is_at(arrivals, place, job->id) && !entry->ended) {
        entry->ended = copy_of(job);
        entry->job = entry->ended;
        entry->run = run;
        entry->is_void = run <= 0 && job->spec.array_range_count == 0;
    }
}

void bl_arrivals_forget(struct bl_arrivals *arrivals, bl_job_id id)
{
    size_t place = place_of(arrivals, id);

    if (!is_at(arrivals, place, id)) {
        return;
    }
    bl_job_destroy(entry_at(arrivals, place)->ended);
    for (; place + 1 < arrivals->count; place++) {
        *entry_at(arrivals, place) = *entry_at(arrivals, place + 1);
    }
    *entry_at(arrivals, place) = (struct entry){0};
    arrivals->count--;
}

size_t bl_arrivals_count(const struct bl_arrivals *arrivals)
{
    return arrivals->count;
}

/* 0 = too little is known. */
static bl_time mean_gap(const struct bl_arrivals *arrivals)
{
    bl_time span = arrivals->count < LEAST
                       ? 0
                       : look_at(arrivals, arrivals->count - 1)->at - look_at(arrivals, 0)->at;

    return span > 0 ? span / ((bl_time)arrivals->count - 1) : 0;
}

/* Never the first one, before which there is no gap. */
static void begin_stretch(struct bl_future *future)
{
    future->place = (size_t)bl_rng_between(&future->rng, 1, (int64_t)future->arrivals->count - 1);
}

void bl_future_begin(struct bl_future *future, const struct bl_arrivals *arrivals, bl_time now,
                     uint64_t seed)
{
    *future = (struct bl_future){.arrivals = arrivals, .at = now};
    bl_rng_seed(&future->rng, seed);
    future->mean_gap = mean_gap(arrivals);
    if (future->mean_gap > 0) {
        begin_stretch(future);
    }
}

/* Behind the last one another stretch begins. */
static const struct entry *pass_gap(struct bl_future *future)
{
    const struct entry *entry;

    if (future->place == future->arrivals->count) {
        future->at += future->mean_gap;
        begin_stretch(future);
    }
    entry = look_at(future->arrivals, future->place);
    future->at += entry->at - look_at(future->arrivals, future->place - 1)->at;
    future->place++;
    return entry;
}

static bool draw_next(void *self, bl_time *at, struct bl_job_spec *spec, bl_time *run)
{
    struct bl_future *future = self;
    const struct entry *entry;

    if (future->mean_gap == 0 || future->drawn == BL_FUTURE_MAX) {
        return false;
    }
    do {
        entry = pass_gap(future);
        future->drawn++;
    } while (entry->is_void && future->drawn < BL_FUTURE_MAX);
    *at = future->at;
    *run = entry->run;
    *spec = entry->job->spec;
    spec->after = NULL;
    spec->after_count = 0;
    spec->promise = false;
    spec->not_before = 0;
    future->last = entry->job;
    return !entry->is_void;
}

static const struct bl_job *who_was_like_it(void *self)
{
    const struct bl_future *future = self;

    return future->last;
}

struct bl_foretell_source bl_future_source(struct bl_future *future)
{
    return (struct bl_foretell_source){future, draw_next, who_was_like_it};
}
