#include "core/saves.h"

#include "base/own.h"
#include "base/sort.h"
#include "core/application.h"

#include <string.h>

struct log {
    char *application; /* owned */
    bl_time time[BL_SAVES_KEPT];
    size_t count; /* ever noted: the newest stands at (count - 1) % BL_SAVES_KEPT */
};

/* FNV-1a, never negative. Two names with one key would share their times, no more. */
static int64_t key_of(const char *application)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *application; application++) {
        hash = (hash ^ (unsigned char)*application) * UINT64_C(1099511628211);
    }
    return (int64_t)(hash >> 1);
}

void bl_saves_learn(struct bl_saves *saves, const char *application, bl_time time)
{
    int64_t key = key_of(application);
    struct log *log = bl_map_find(&saves->logs, key);

    if (!log) {
        log = bl_alloc_zero(sizeof *log);
        log->application = bl_copy_text(application);
        bl_map_insert(&saves->logs, key, log);
    }
    log->time[log->count++ % BL_SAVES_KEPT] = time > 0 ? time : 1;
}

void bl_saves_note(struct bl_saves *saves, const struct bl_job_spec *spec, bl_time time)
{
    char application[BL_APPLICATION_MAX];

    if (bl_application_of(spec, application)) {
        bl_saves_learn(saves, application, time);
    }
}

static int compare_times(const void *left, const void *right)
{
    bl_time a = *(const bl_time *)left;
    bl_time b = *(const bl_time *)right;

    return a < b ? -1 : a > b;
}

/* Nearest rank. */
static bl_time p95_of(const struct log *log)
{
    size_t count = log->count < BL_SAVES_KEPT ? log->count : BL_SAVES_KEPT;
    bl_time sorted[BL_SAVES_KEPT];

    memcpy(sorted, log->time, count * sizeof *sorted);
    bl_sort(sorted, count, sizeof *sorted, compare_times);
    return sorted[(count * 95 + 99) / 100 - 1];
}

bl_time bl_saves_lead(const struct bl_saves *saves, const struct bl_job *job)
{
    char application[BL_APPLICATION_MAX];
    const struct log *log = NULL;

    if (bl_application_of(&job->spec, application)) {
        log = bl_map_find(&saves->logs, key_of(application));
    }
    if (log) {
        return p95_of(log);
    }
    return job->save_time > 0 ? job->save_time : job->spec.warning.lead + BL_SAVE_GRACE;
}

void bl_saves_export(const struct bl_saves *saves,
                     void (*emit)(void *to, const char *application, bl_time time), void *to)
{
    size_t cursor = 0;
    const struct log *log;

    while ((log = bl_map_next(&saves->logs, &cursor))) {
        size_t first = log->count > BL_SAVES_KEPT ? log->count - BL_SAVES_KEPT : 0;

        for (size_t i = first; i < log->count; i++) {
            emit(to, log->application, log->time[i % BL_SAVES_KEPT]);
        }
    }
}

void bl_saves_finish(struct bl_saves *saves)
{
    size_t cursor = 0;
    struct log *log;

    while ((log = bl_map_next(&saves->logs, &cursor))) {
        free(log->application);
        free(log);
    }
    bl_map_finish(&saves->logs);
}
