#include "core/state.h"

#include <assert.h>
#include <string.h>

/* All that a spec points to lies in one block behind the job: one allocation a job. */
struct block {
    char *at;
};

static size_t bytes_of_text(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *keep_text(struct block *block, const char *text)
{
    size_t bytes = bytes_of_text(text);
    char *copy = block->at;

    if (!text) {
        return NULL;
    }
    memcpy(copy, text, bytes);
    block->at += bytes;
    return copy;
}

static size_t bytes_of_texts(const struct bl_job_spec *spec)
{
    size_t bytes = bytes_of_text(spec->name) + bytes_of_text(spec->user) +
                   bytes_of_text(spec->project) + bytes_of_text(spec->pool) +
                   bytes_of_text(spec->application);

    for (size_t i = 0; i < spec->gpu_type_count; i++) {
        bytes += bytes_of_text(spec->gpu_type[i]);
    }
    return bytes;
}

struct bl_job *bl_job_create(const struct bl_event *event)
{
    const struct bl_job_spec *spec = &event->u.submitted;
    size_t after_bytes = spec->after_count * sizeof *spec->after;
    size_t point_bytes = spec->curve.point_count * sizeof *spec->curve.point;
    size_t range_bytes = spec->array_range_count * sizeof *spec->array;
    size_t count_bytes = spec->gpu_count_count * sizeof *spec->gpu_count;
    struct bl_job *job = bl_realloc_array(NULL, 1,
                                          sizeof *job + after_bytes + point_bytes + range_bytes +
                                              count_bytes + bytes_of_texts(spec));
    struct block block = {(char *)(job + 1)};

    memset(job, 0, sizeof *job);
    job->id = event->job;
    job->spec = *spec;
    if (after_bytes) {
        job->spec.after = memcpy(block.at, spec->after, after_bytes);
        block.at += after_bytes;
    }
    if (point_bytes) {
        job->spec.curve.point = memcpy(block.at, spec->curve.point, point_bytes);
        block.at += point_bytes;
    }
    if (range_bytes) {
        job->spec.array = memcpy(block.at, spec->array, range_bytes);
        block.at += range_bytes;
        job->array = bl_array_create(&job->spec);
    }
    if (count_bytes) {
        job->spec.gpu_count = memcpy(block.at, spec->gpu_count, count_bytes);
        block.at += count_bytes;
    }
    job->spec.name = keep_text(&block, spec->name);
    job->spec.application = keep_text(&block, spec->application);
    job->spec.user = keep_text(&block, spec->user);
    job->spec.project = keep_text(&block, spec->project);
    job->spec.pool = keep_text(&block, spec->pool);
    for (size_t i = 0; i < spec->gpu_type_count; i++) {
        job->spec.gpu_type[i] = keep_text(&block, spec->gpu_type[i]);
    }
    job->spec.on = NULL;
    job->spec.on_count = 0;
    job->submitted_at = event->at;
    job->order_at = event->at;
    job->ready_at = spec->not_before;
    job->planned_end = BL_TIME_NEVER;
    job->reason.code = BL_REASON_UNDECIDED;
    return job;
}

struct bl_job *bl_job_create_element(struct bl_job *array_job, int32_t position)
{
    struct bl_job *job = bl_realloc_array(NULL, 1, sizeof *job);

    *job = *array_job;
    job->id = array_job->id + 1 + position;
    job->array = NULL;
    job->array_job = array_job;
    job->array_position = position;
    job->spec.array = NULL;
    job->spec.array_range_count = 0;
    job->spec.after = NULL;
    job->spec.after_count = 0;
    return job;
}

void bl_job_destroy(struct bl_job *job)
{
    if (job) {
        bl_array_destroy(job->array);
        bl_alloc_finish(&job->alloc);
        bl_alloc_finish(&job->next);
        bl_attempts_destroy(job->attempts);
        free(job);
    }
}
