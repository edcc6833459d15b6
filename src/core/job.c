#include "core/job.h"

#include "core/words.h"

#include <math.h>

static const char *const state_words[BL_JOB_STATE_COUNT] = {
    [BL_JOB_HELD] = "held",         [BL_JOB_WAITING] = "waiting",
    [BL_JOB_QUEUED] = "queued",     [BL_JOB_STARTING] = "starting",
    [BL_JOB_RUNNING] = "running",   [BL_JOB_RESIZING] = "resizing",
    [BL_JOB_STOPPING] = "stopping", [BL_JOB_COMPLETED] = "completed",
    [BL_JOB_FAILED] = "failed",     [BL_JOB_CANCELLED] = "cancelled",
    [BL_JOB_TIMEOUT] = "timeout",   [BL_JOB_LOST] = "lost",
};

static const char *const class_words[BL_CLASS_COUNT] = {
    [BL_CLASS_INTERACTIVE] = "interactive",
    [BL_CLASS_BATCH] = "batch",
    [BL_CLASS_PREEMPTIBLE] = "preemptible",
};

static const char *const kind_words[BL_KIND_COUNT] = {
    [BL_KIND_TRAIN] = "train",
    [BL_KIND_INFER] = "infer",
    [BL_KIND_NOTEBOOK] = "notebook",
    [BL_KIND_CPU] = "cpu",
};

static const char *const dependency_words[BL_AFTER_COUNT] = {
    [BL_AFTER_OK] = "ok",
    [BL_AFTER_ANY] = "any",
    [BL_AFTER_FAIL] = "fail",
    [BL_AFTER_EACH] = "each",
};

#define BIT(state) (1u << (state))

enum {
    ENDED = BIT(BL_JOB_COMPLETED) | BIT(BL_JOB_FAILED) | BIT(BL_JOB_CANCELLED) |
            BIT(BL_JOB_TIMEOUT) | BIT(BL_JOB_LOST),
    ENDED_BY_ITSELF = BIT(BL_JOB_COMPLETED) | BIT(BL_JOB_FAILED) | BIT(BL_JOB_LOST),
    PUT_BACK = BIT(BL_JOB_HELD) | BIT(BL_JOB_WAITING) | BIT(BL_JOB_QUEUED),
    ACTIVE =
        BIT(BL_JOB_STARTING) | BIT(BL_JOB_RUNNING) | BIT(BL_JOB_RESIZING) | BIT(BL_JOB_STOPPING)
};

/* Row: from; bits: to. A queued job ends without having run when it is an array whose elements
 * have all ended; a starting one is cancelled at once while no engine knows of it. */
static const unsigned legal_changes[BL_JOB_STATE_COUNT] = {
    [BL_JOB_HELD] = BIT(BL_JOB_WAITING) | BIT(BL_JOB_QUEUED) | ENDED,
    [BL_JOB_WAITING] = BIT(BL_JOB_HELD) | BIT(BL_JOB_QUEUED) | BIT(BL_JOB_CANCELLED),
    [BL_JOB_QUEUED] = BIT(BL_JOB_HELD) | BIT(BL_JOB_WAITING) | BIT(BL_JOB_STARTING) | ENDED,
    [BL_JOB_STARTING] = BIT(BL_JOB_RUNNING) | BIT(BL_JOB_STOPPING) | BIT(BL_JOB_CANCELLED) |
                        ENDED_BY_ITSELF | PUT_BACK,
    [BL_JOB_RUNNING] = BIT(BL_JOB_RESIZING) | BIT(BL_JOB_STOPPING) | ENDED_BY_ITSELF | PUT_BACK,
    [BL_JOB_RESIZING] = BIT(BL_JOB_STARTING) | BIT(BL_JOB_STOPPING) | ENDED_BY_ITSELF | PUT_BACK,
    [BL_JOB_STOPPING] = ENDED | PUT_BACK,
    [BL_JOB_COMPLETED] = 0,
    [BL_JOB_FAILED] = 0,
    [BL_JOB_CANCELLED] = 0,
    [BL_JOB_TIMEOUT] = 0,
    [BL_JOB_LOST] = 0,
};

const char *bl_job_state_name(enum bl_job_state state)
{
    return state_words[state];
}

const char *bl_job_class_name(enum bl_job_class job_class)
{
    return class_words[job_class];
}

const char *bl_job_kind_name(enum bl_job_kind kind)
{
    return kind_words[kind];
}

const char *bl_dependency_kind_name(enum bl_dependency_kind kind)
{
    return dependency_words[kind];
}

int bl_job_state_find(const char *name)
{
    return bl_words_find(state_words, BL_JOB_STATE_COUNT, name);
}

int bl_job_class_find(const char *name)
{
    return bl_words_find(class_words, BL_CLASS_COUNT, name);
}

int bl_job_kind_find(const char *name)
{
    return bl_words_find(kind_words, BL_KIND_COUNT, name);
}

int bl_dependency_kind_find(const char *name)
{
    return bl_words_find(dependency_words, BL_AFTER_COUNT, name);
}

bool bl_job_state_is_ended(enum bl_job_state state)
{
    return (ENDED >> state) & 1u;
}

bool bl_job_state_is_active(enum bl_job_state state)
{
    return (ACTIVE >> state) & 1u;
}

bool bl_job_state_may_become(enum bl_job_state from, enum bl_job_state to)
{
    return (legal_changes[from] >> to) & 1u;
}

static int64_t total_of(const struct bl_amount *amount, int32_t gpus)
{
    return amount->per_gpu ? amount->value * gpus : amount->value;
}

struct bl_resources bl_job_need(const struct bl_job_spec *spec, int32_t gpus)
{
    return (struct bl_resources){{
        [BL_RESOURCE_GPU] = gpus,
        [BL_RESOURCE_CPU] = total_of(&spec->cpu_milli, gpus),
        [BL_RESOURCE_MEM] = total_of(&spec->mem_bytes, gpus),
    }};
}

struct bl_batch bl_job_batch_on(const struct bl_job_spec *spec, const struct bl_cluster *cluster,
                                int32_t type)
{
    struct bl_batch batch = spec->batch;

    for (size_t i = spec->gpu_type_count; i-- > 0;) {
        if (spec->type_local_max[i] > 0 &&
            strcmp(spec->gpu_type[i], cluster->type_name[type]) == 0) {
            batch.local_max = spec->type_local_max[i];
            break;
        }
    }
    return batch;
}

void bl_job_resolve(struct bl_job *job, const struct bl_cluster *cluster)
{
    job->type_mask = 0;
    for (size_t i = 0; i < job->spec.gpu_type_count; i++) {
        int32_t type = bl_cluster_find_type(cluster, job->spec.gpu_type[i]);

        job->type_mask |= UINT64_C(1) << (type >= 0 ? type : BL_GPU_TYPES_MAX - 1);
    }
    job->pool = -1;
    if (job->spec.pool) {
        int32_t pool = bl_cluster_find_pool(cluster, job->spec.pool);

        job->pool = pool >= 0 ? pool : BL_POOLS_MAX;
    }
}

double bl_job_attained(const struct bl_job *job, bl_time now)
{
    bl_time held = job->alloc.part_count && now > job->held_at ? now - job->held_at : 0;

    return job->attained + (double)bl_alloc_gpus(&job->alloc) * (double)held / BL_SECOND;
}

bl_time bl_job_longest_run(const struct bl_job_spec *spec)
{
    return spec->limit > 0 ? spec->limit : BL_JOB_UNLIMITED_RUN;
}

bl_time bl_job_longest_left(const struct bl_job *job)
{
    bl_time left = bl_job_longest_run(&job->spec) - job->ran_before;

    return left > 1 ? left : 1;
}

bl_time bl_job_longest_end(const struct bl_job *job, bl_time start)
{
    bl_time from = job->running_at ? job->running_at : job->started_at;

    return (bl_job_state_is_active(job->state) ? from : start) + bl_job_longest_left(job);
}

bl_time bl_job_run_time(const struct bl_job_spec *spec, int32_t gpus)
{
    double speed;

    if (spec->work <= 0 || spec->curve.kind == BL_CURVE_FLAT) {
        return spec->work;
    }
    speed = bl_curve_speed(&spec->curve, spec->gpus_min, gpus);
    return (bl_time)fmax(1, round((double)spec->work / speed));
}

bl_time bl_job_attempt_time(const struct bl_job *job, int32_t gpus)
{
    bl_time whole = bl_job_run_time(&job->spec, gpus);

    if (whole <= 0 || job->progress.begun_at <= 0) {
        return whole > 0 ? job->spec.restart + whole : whole;
    }
    return job->spec.restart + (bl_time)fmax(1, ceil((1 - job->progress.begun_at) * (double)whole));
}
