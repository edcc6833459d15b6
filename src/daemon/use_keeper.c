#include "daemon/use_keeper.h"

#include "base/own.h"
#include "base/units.h"
#include "daemon/meter.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVERY       (15 * BL_SECOND)
#define EVERY_LEAST (10 * BL_MILLISECOND)
#define FIRST_LOOK  BL_SECOND        /* after a job began: then it has begun to work */
#define OF_LATE     4                /* times EVERY */
#define PATIENCE    (30 * BL_SECOND) /* with a driver that does not answer */

struct bl_use_keeper {
    struct bl_driver *driver;
    struct bl_meter *meter;
    struct bl_watch *timer;
    bl_time every;
    bl_time due_at;     /* on the monotonic clock; 0 = the timer is off */
    struct bl_map uses; /* job id -> struct bl_use, owned */
    struct bl_nvml_uses last;
    bl_time last_at; /* of `last`, on the monotonic clock; 0 = none yet */
    bool is_failing;
    struct bl_error err; /* what the driver said, while it fails */
    char silence[96];    /* what is said of one that hangs */
};

/* --- which GPUs ------------------------------------------------------------------------------ */

/* While it is resized, old and new GPUs are booked together: it works on the old ones. */
static const struct bl_alloc *alloc_of(const struct bl_job *job)
{
    const struct bl_job_attempt *open = bl_job_open_attempt(job);

    return open ? &open->alloc : &job->alloc;
}

size_t bl_use_gpus(const struct bl_job *job, struct bl_use_gpu *out, size_t room)
{
    const struct bl_alloc *alloc = alloc_of(job);
    const struct bl_alloc_part *part = bl_alloc_parts(alloc);
    size_t count = 0;

    for (uint32_t i = 0; i < alloc->part_count; i++) {
        for (int32_t gpu = 0; gpu < BL_NODE_NAMED_GPUS_MAX; gpu++) {
            if (!(part[i].gpu_mask >> gpu & 1)) {
                continue;
            }
            if (count < room) {
                out[count] = (struct bl_use_gpu){part[i].node, gpu};
            }
            count++;
        }
    }
    return count;
}

static const char *uuid_of(const struct bl_use_keeper *keeper, const struct bl_use_gpu *gpu)
{
    const struct bl_cluster *cluster = bl_core_cluster(bl_driver_ledger(keeper->driver)->core);

    return bl_driver_gpu_uuid(keeper->driver, cluster->node[gpu->node].spec.name, gpu->gpu);
}

/* Found GPUs and declared ones are never together on a machine: one tells of all. */
static bool is_measurable(const struct bl_use_keeper *keeper, const struct bl_job *job)
{
    struct bl_use_gpu first;

    return bl_use_gpus(job, &first, 1) > 0 && uuid_of(keeper, &first);
}

static bool is_at_work(const struct bl_job *job)
{
    return job && job->running_at > 0 && bl_job_state_is_active(job->state);
}

static bool has_work(const struct bl_use_keeper *keeper)
{
    const struct bl_ledger *ledger = bl_driver_ledger(keeper->driver);

    for (size_t i = 0; i < ledger->active.count; i++) {
        const struct bl_job *job = bl_core_find_job(ledger->core, ledger->active.at[i]);

        if (is_at_work(job) && is_measurable(keeper, job)) {
            return true;
        }
    }
    return false;
}

/* --- what was measured ----------------------------------------------------------------------- */

static const struct bl_nvml_use *find_last(const struct bl_use_keeper *keeper, const char *uuid)
{
    for (size_t i = 0; uuid && i < keeper->last.gpus.count; i++) {
        if (!strcmp(keeper->last.gpus.at[i].uuid, uuid)) {
            return &keeper->last.gpus.at[i];
        }
    }
    return NULL;
}

static struct bl_use_value value_of(const struct bl_nvml_use *seen)
{
    return (struct bl_use_value){
        .busy = seen && seen->busy_percent >= 0 ? (float)seen->busy_percent / 100 : -1,
        .mem_bytes = seen ? seen->mem_used_bytes : -1,
    };
}

/* Of its present attempt. */
static struct bl_use *use_of(struct bl_use_keeper *keeper, const struct bl_job *job, size_t gpus)
{
    struct bl_use *use = bl_map_find(&keeper->uses, job->id);

    if (use && use->attempt == job->attempt && use->gpu_count == gpus) {
        return use;
    }
    if (use) {
        bl_map_remove(&keeper->uses, job->id);
        free(use);
    }
    use = bl_use_create(job->id, job->attempt, gpus);
    bl_map_insert(&keeper->uses, job->id, use);
    return use;
}

static void add_job(struct bl_use_keeper *keeper, const struct bl_job *job, bl_time now)
{
    size_t count = bl_use_gpus(job, NULL, 0);
    BL_AUTO_FREE struct bl_use_gpu *gpus = bl_realloc_array(NULL, count, sizeof *gpus);
    BL_AUTO_FREE struct bl_use_value *values = bl_realloc_array(NULL, count, sizeof *values);

    bl_use_gpus(job, gpus, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = value_of(find_last(keeper, uuid_of(keeper, &gpus[i])));
    }
    bl_use_add(use_of(keeper, job, count), now, values);
}

static void drop_others(struct bl_use_keeper *keeper, const struct bl_ledger *ledger)
{
    size_t cursor = 0;
    struct bl_use *use;

    while ((use = bl_map_next(&keeper->uses, &cursor))) {
        if (!is_at_work(bl_core_find_job(ledger->core, use->job))) {
            bl_map_remove(&keeper->uses, use->job);
            free(use);
        }
    }
}

static void note_failure(struct bl_use_keeper *keeper, const struct bl_error *err)
{
    if (!keeper->is_failing || strcmp(keeper->err.text, err->text) != 0) {
        bl_log(BL_LOG_WARNING, "the use of GPUs is not measured: %s", err->text);
    }
    keeper->is_failing = true;
    keeper->err = *err;
}

static void take(void *self, const struct bl_nvml_uses *uses, const struct bl_error *err)
{
    struct bl_use_keeper *keeper = self;
    const struct bl_ledger *ledger = bl_driver_ledger(keeper->driver);
    bl_time now = bl_driver_now(keeper->driver);

    if (err) {
        note_failure(keeper, err);
        return;
    }
    keeper->is_failing = false;
    keeper->last_at = bl_clock_monotonic();
    keeper->last.gpus.count = 0;
    for (size_t i = 0; i < uses->gpus.count; i++) {
        BL_VEC_PUSH(&keeper->last.gpus, uses->gpus.at[i]);
    }
    for (size_t i = 0; i < ledger->active.count; i++) {
        const struct bl_job *job = bl_core_find_job(ledger->core, ledger->active.at[i]);

        if (is_at_work(job) && is_measurable(keeper, job)) {
            add_job(keeper, job, now);
        }
    }
    drop_others(keeper, ledger);
}

/* --- when ------------------------------------------------------------------------------------ */

static void arm(struct bl_use_keeper *keeper, bl_time wait)
{
    bl_time at = bl_clock_monotonic() + wait;

    if (!keeper->due_at || at < keeper->due_at) {
        keeper->due_at = at;
        bl_watch_arm(keeper->timer, wait);
    }
}

static void on_due(void *self)
{
    struct bl_use_keeper *keeper = self;

    keeper->due_at = 0;
    if (has_work(keeper)) {
        bl_meter_ask(keeper->meter);
        arm(keeper, keeper->every);
    } else {
        drop_others(keeper, bl_driver_ledger(keeper->driver));
    }
}

void bl_use_keeper_look(struct bl_use_keeper *keeper, const struct bl_ledger *ledger)
{
    for (size_t i = 0; i < ledger->changed_jobs.count && ledger->kind == BL_EVENT_JOB_STARTED;
         i++) {
        const struct bl_job *job = bl_core_find_job(ledger->core, ledger->changed_jobs.at[i]);

        if (is_at_work(job) && is_measurable(keeper, job)) {
            arm(keeper, FIRST_LOOK < keeper->every ? FIRST_LOOK : keeper->every);
        }
    }
}

/* The same for all: whoever looks at the GPUs sees what they did a moment ago. */
void bl_use_keeper_wish(struct bl_use_keeper *keeper)
{
    static const struct bl_use_gpu first = {0, 0};
    const struct bl_cluster *cluster = bl_core_cluster(bl_driver_ledger(keeper->driver)->core);
    bl_time now = bl_clock_monotonic();

    if (cluster->node_count > 0 && uuid_of(keeper, &first) &&
        (!keeper->last_at || now - keeper->last_at >= keeper->every)) {
        bl_meter_ask(keeper->meter);
    }
}

/* --- asked ----------------------------------------------------------------------------------- */

const struct bl_nvml_use *bl_use_keeper_gpu(const struct bl_use_keeper *keeper, const char *node,
                                            int32_t gpu)
{
    bool is_late = bl_clock_monotonic() - keeper->last_at > OF_LATE * keeper->every;

    return is_late ? NULL : find_last(keeper, bl_driver_gpu_uuid(keeper->driver, node, gpu));
}

/* What the driver said last, or that it says nothing; NULL while nothing is wrong. */
static const char *complaint(const struct bl_use_keeper *keeper)
{
    bl_time asked_at = bl_meter_asked_at(keeper->meter);

    if (asked_at && bl_clock_monotonic() - asked_at > PATIENCE) {
        return keeper->silence;
    }
    return keeper->is_failing ? keeper->err.text : NULL;
}

enum bl_use_lack bl_use_keeper_find(const struct bl_use_keeper *keeper, const struct bl_job *job,
                                    const struct bl_use **use, const char **why)
{
    const struct bl_use *known = bl_map_find(&keeper->uses, job->id);

    if (job->spec.gpus_max == 0) {
        return BL_USE_NO_GPUS;
    }
    if (!is_at_work(job)) {
        return BL_USE_NOT_RUNNING;
    }
    if (!is_measurable(keeper, job)) {
        return BL_USE_DECLARED;
    }
    if (known && known->attempt == job->attempt) {
        *use = known;
        return BL_USE_KNOWN;
    }
    *why = complaint(keeper);
    return *why ? BL_USE_NO_DRIVER : BL_USE_SOON;
}

bl_time bl_use_keeper_step(const struct bl_use_keeper *keeper, const struct bl_use *use)
{
    return keeper->every * use->stride;
}

/* --- the keeper itself ----------------------------------------------------------------------- */

/* Tests need not wait for minutes. */
static bl_time read_every(void)
{
    const char *text = getenv("BALEEN_GPU_EVERY");
    bl_time every = EVERY;
    struct bl_error err;

    if (text && (bl_span_parse(text, &every, &err) != BL_OK || every < EVERY_LEAST)) {
        bl_log(BL_LOG_WARNING, "BALEEN_GPU_EVERY: expected a time of 10ms or more, found '%s'",
               text);
        return EVERY;
    }
    return every;
}

struct bl_use_keeper *bl_use_keeper_create(struct bl_loop *loop, struct bl_driver *driver)
{
    struct bl_use_keeper *keeper = bl_alloc_zero(sizeof *keeper);

    keeper->driver = driver;
    keeper->every = read_every();
    keeper->timer = bl_loop_watch_timer(loop, on_due, keeper);
    keeper->meter = bl_meter_create(loop, (struct bl_meter_sink){keeper, take});
    snprintf(keeper->silence, sizeof keeper->silence, "the NVIDIA driver has not answered for %d s",
             (int)(PATIENCE / BL_SECOND));
    arm(keeper, 0); /* what runs since before a restart */
    return keeper;
}

void bl_use_keeper_destroy(struct bl_use_keeper *keeper)
{
    if (!keeper) {
        return;
    }
    bl_meter_destroy(keeper->meter);
    bl_watch_destroy(keeper->timer);
    bl_map_finish_owned(&keeper->uses);
    BL_VEC_FINISH(&keeper->last.gpus);
    free(keeper);
}
