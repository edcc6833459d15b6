/* What running jobs show of their speed goes into the store of curves. */
#include "core/application.h"
#include "core/state.h"

#include <math.h>

/* Rates are measured over at least so long: single steps waver, and reports come in bursts. */
#define STRETCH_LEAST (5 * BL_SECOND)

static bool is_on_settled_gpus(const struct bl_job *job)
{
    return (job->state == BL_JOB_RUNNING || job->state == BL_JOB_STOPPING) &&
           job->alloc.part_count > 0 && !job->next.part_count;
}

/* The rate over the stretch since the mark, 0 while it is too short; the next one begins then. */
static double measure_rate(struct bl_job *job, double steps, bl_time now)
{
    struct bl_progress *progress = &job->progress;
    double rate = 0;

    if (!progress->mark_at || progress->mark_at < job->running_at || steps < progress->mark_steps) {
        progress->mark_at = now;
        progress->mark_steps = steps;
    } else if (now - progress->mark_at >= STRETCH_LEAST && steps > progress->mark_steps) {
        rate = (steps - progress->mark_steps) / ((double)(now - progress->mark_at) / BL_SECOND);
        progress->mark_at = now;
        progress->mark_steps = steps;
    }
    return rate;
}

/* The type of the allocation's first node: an allocation has one type. */
static int32_t type_of(struct bl_core *core, const struct bl_event *event, const struct bl_job *job)
{
    if (event->u.progress.gpu_type) {
        return bl_cluster_add_type(&core->cluster, event->u.progress.gpu_type);
    }
    return core->cluster.node[bl_alloc_parts(&job->alloc)->node].type;
}

/* What the report says, filled up with what the books say. False when it tells no speed. */
static bool complete(struct bl_core *core, const struct bl_event *event, struct bl_job *job,
                     struct bl_observation *out)
{
    double measured = measure_rate(job, event->u.progress.done, core->now);

    *out = event->u.progress.observation;
    if (!event->u.progress.has_observation) {
        *out = (struct bl_observation){.rate = measured};
    } else if (!(out->rate > 0) && !(out->iter_s > 0)) {
        out->rate = measured;
    }
    if (!out->gpus) {
        out->gpus = bl_alloc_gpus(&job->alloc);
    }
    if (!out->nodes) {
        out->nodes = (int32_t)job->alloc.part_count;
    }
    out->type = type_of(core, event, job);
    return out->type >= 0 && (out->rate > 0 || out->iter_s > 0);
}

/* Under which name its speed is learnt; false when it has none. */
static bool name_of(const struct bl_core *core, const struct bl_job *job,
                    char out[BL_APPLICATION_MAX])
{
    if (core->choice.policy && core->choice.policy->learns_alone) {
        bl_application_alone(job->id, out);
        return true;
    }
    return bl_application_of(&job->spec, out);
}

void bl_core_learn_progress(struct bl_core *core, const struct bl_event *event, struct bl_job *job)
{
    char name[BL_APPLICATION_MAX];
    struct bl_observation observation;
    bool has_speed = is_on_settled_gpus(job) && complete(core, event, job, &observation);

    if (name_of(core, job, name)) {
        bl_curves_learn(core->curves,
                        &(struct bl_curves_news){.application = name,
                                                 .batch = &job->spec.batch,
                                                 .done = event->u.progress.done,
                                                 .observation = has_speed ? &observation : NULL});
    }
}

/* All its work as the job itself counts it. */
void bl_core_learn_completed(struct bl_core *core, const struct bl_job *job)
{
    const struct bl_progress *progress = &job->progress;
    char name[BL_APPLICATION_MAX];

    if (core->choice.policy && core->choice.policy->learns_alone) {
        bl_application_alone(job->id, name);
        bl_curves_forget(core->curves, name);
    }
    if (job->state == BL_JOB_COMPLETED && progress->steps > 0 &&
        bl_application_of(&job->spec, name)) {
        bl_curves_learn_finished(core->curves, name, fmax(progress->steps, progress->total));
    }
}

void bl_core_learn_lesson(struct bl_core *core, const struct bl_event *event)
{
    struct bl_lesson lesson = event->u.curve.lesson;

    lesson.point.type =
        event->u.curve.gpu_type ? bl_cluster_add_type(&core->cluster, event->u.curve.gpu_type) : -1;
    if (lesson.kind != BL_LESSON_POINT || lesson.point.type >= 0) {
        bl_curves_take_lesson(core->curves, &lesson);
    }
}

struct exporting {
    const struct bl_core *core;
    void (*emit)(void *self, const struct bl_event *event);
    void *self;
};

static void emit_lesson(void *self, const struct bl_lesson *lesson)
{
    const struct exporting *exporting = self;
    struct bl_event event = {.kind = BL_EVENT_CURVE_LEARNED};
    int32_t type = lesson->point.type;

    event.u.curve.lesson = *lesson;
    if (lesson->kind == BL_LESSON_POINT && type >= 0) {
        event.u.curve.gpu_type = exporting->core->cluster.type_name[type];
    }
    exporting->emit(exporting->self, &event);
}

void bl_core_export_curves(const struct bl_core *core,
                           void (*emit)(void *self, const struct bl_event *event), void *self)
{
    struct exporting exporting = {core, emit, self};

    bl_curves_export(core->curves, emit_lesson, &exporting);
}
