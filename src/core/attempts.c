#include "core/attempts.h"

#include "core/job.h"

static struct bl_job_attempt *find_open(const struct bl_job *job)
{
    const struct bl_job_attempts *attempts = job->attempts;
    struct bl_job_attempt *last;

    if (!attempts || attempts->list.count == 0) {
        return NULL;
    }
    last = &attempts->list.at[attempts->list.count - 1];
    return last->ended_at ? NULL : last;
}

static struct bl_job_attempt *add(struct bl_job *job, const struct bl_alloc *alloc)
{
    struct bl_job_attempts *attempts = job->attempts;
    struct bl_job_attempt attempt = {.number = job->attempt};

    if (!attempts) {
        attempts = job->attempts = bl_alloc_zero(sizeof *attempts);
    }
    if (attempts->list.count == BL_ATTEMPTS_MAX) {
        bl_alloc_finish(&attempts->list.at[0].alloc);
        BL_VEC_REMOVE(&attempts->list, 0);
        attempts->left_out++;
    }
    bl_alloc_copy(&attempt.alloc, alloc);
    BL_VEC_PUSH(&attempts->list, attempt);
    return &attempts->list.at[attempts->list.count - 1];
}

void bl_attempts_open(struct bl_job *job)
{
    add(job, &job->alloc);
}

void bl_attempts_close(struct bl_job *job, bl_time now)
{
    struct bl_job_attempt *attempt = find_open(job);

    attempt = attempt ? attempt : add(job, &job->alloc);
    attempt->started_at = job->started_at;
    attempt->running_at = job->running_at;
    attempt->ended_at = now > 0 ? now : 1; /* simulated time begins at 0 */
    attempt->reason = job->reason;
    /* the job keeps the code of an attempt before, until another process ends */
    attempt->has_exit_code = job->has_exit_code && job->running_at > 0;
    attempt->exit_code = attempt->has_exit_code ? job->exit_code : 0;
}

void bl_attempts_drop_open(struct bl_job *job)
{
    struct bl_job_attempt *attempt = find_open(job);

    if (attempt) {
        bl_alloc_finish(&attempt->alloc);
        job->attempts->list.count--;
    }
}

/* What others rely on: nodes that there are, and as many GPUs as the mask names. */
static bool is_sound(const struct bl_alloc *alloc, size_t nodes)
{
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        if (part[i].node < 0 || (size_t)part[i].node >= nodes || part[i].gpus < 0 ||
            part[i].gpus > BL_NODE_COUNTED_GPUS_MAX ||
            (part[i].gpu_mask && __builtin_popcountll(part[i].gpu_mask) != part[i].gpus)) {
            return false;
        }
    }
    return true;
}

void bl_attempts_restore(struct bl_job *job, const struct bl_job_attempts *past, size_t nodes)
{
    if (past->list.count == 0 && past->left_out == 0) {
        return;
    }
    job->attempts = bl_alloc_zero(sizeof *job->attempts);
    job->attempts->left_out = past->left_out;
    for (size_t i = 0; i < past->list.count; i++) {
        struct bl_job_attempt attempt = past->list.at[i];

        attempt.alloc = (struct bl_alloc){0};
        if (is_sound(&past->list.at[i].alloc, nodes)) {
            bl_alloc_copy(&attempt.alloc, &past->list.at[i].alloc);
        }
        BL_VEC_PUSH(&job->attempts->list, attempt);
    }
}

void bl_attempts_destroy(struct bl_job_attempts *attempts)
{
    for (size_t i = 0; attempts && i < attempts->list.count; i++) {
        bl_alloc_finish(&attempts->list.at[i].alloc);
    }
    if (attempts) {
        BL_VEC_FINISH(&attempts->list);
        free(attempts);
    }
}

size_t bl_job_earlier_attempts(const struct bl_job *job, const struct bl_job_attempt **first)
{
    *first = job->attempts ? job->attempts->list.at : NULL;
    return job->attempts ? job->attempts->list.count - (find_open(job) != NULL) : 0;
}

const struct bl_job_attempt *bl_job_open_attempt(const struct bl_job *job)
{
    return find_open(job);
}

enum bl_attempt_outcome bl_attempt_outcome(const struct bl_job_attempt *attempt)
{
    static const struct {
        enum bl_reason_code code;
        enum bl_attempt_outcome outcome;
    } rows[] = {
        {BL_REASON_PREEMPTED, BL_ATTEMPT_PREEMPTED},
        {BL_REASON_RESIZED, BL_ATTEMPT_RESIZED},
        {BL_REASON_SHRUNK_FOR, BL_ATTEMPT_RESIZED},
        {BL_REASON_RESIZE_WISHED, BL_ATTEMPT_RESIZED},
        {BL_REASON_CLEARED, BL_ATTEMPT_RESIZED},
        {BL_REASON_LOST, BL_ATTEMPT_LOST},
        {BL_REASON_GPU_LOST, BL_ATTEMPT_LOST},
        {BL_REASON_START_FAILED, BL_ATTEMPT_START_FAILED},
        {BL_REASON_EXIT, BL_ATTEMPT_FAILED},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].code == attempt->reason.code) {
            return rows[i].outcome;
        }
    }
    if (attempt->reason.code == BL_REASON_CRASH_LOOP) {
        return attempt->has_exit_code ? BL_ATTEMPT_FAILED : BL_ATTEMPT_LOST;
    }
    return BL_ATTEMPT_REQUEUED;
}

const char *bl_attempt_outcome_name(enum bl_attempt_outcome outcome)
{
    static const char *const names[BL_ATTEMPT_OUTCOME_COUNT] = {
        [BL_ATTEMPT_PREEMPTED] = "preempted",       [BL_ATTEMPT_RESIZED] = "resized",
        [BL_ATTEMPT_REQUEUED] = "requeued",         [BL_ATTEMPT_LOST] = "lost",
        [BL_ATTEMPT_START_FAILED] = "start_failed", [BL_ATTEMPT_FAILED] = "failed",
    };

    return names[outcome];
}
