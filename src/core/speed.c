#include "core/speed.h"

#include "core/application.h"

/* What is asked again and again of one job. */
struct subject {
    const struct bl_view *view;
    const struct bl_job *job;
    struct bl_curves_app *app;
};

static int32_t fewest_nodes(const struct bl_view *view, int32_t type, int32_t gpus)
{
    int32_t node_gpus = view->cluster->type_node_gpus[type];

    return node_gpus > 0 ? (gpus - 1) / node_gpus + 1 : 1;
}

static struct bl_curves_answer ask(const struct subject *subject, int32_t type, int32_t gpus,
                                   int32_t nodes)
{
    struct bl_batch batch = bl_job_batch_on(&subject->job->spec, subject->view->cluster, type);

    return bl_curves_ask(subject->view->curves, subject->app,
                         &(struct bl_curves_question){
                             .type = type,
                             .gpus = gpus,
                             .nodes = nodes > 0 ? nodes : fewest_nodes(subject->view, type, gpus),
                             .batch = &batch,
                             .done = subject->job->progress.steps,
                         });
}

/* Beyond what may be tried more GPUs promise nothing. */
static double rate(const struct subject *subject, int32_t type, int32_t gpus, int32_t nodes)
{
    struct bl_curves_answer answer = ask(subject, type, gpus, nodes);
    int32_t reach = 2 * bl_curves_gpus_seen(subject->app);

    reach = reach > subject->job->spec.gpus_min ? reach : subject->job->spec.gpus_min;
    if (answer.rate > 0 && !answer.is_within_reach && gpus > reach) {
        answer = ask(subject, type, reach, nodes < reach ? nodes : reach);
    }
    return answer.rate;
}

static bool may_use(const struct bl_view *view, const struct bl_job *job, int32_t type)
{
    return view->cluster->type_node_gpus[type] > 0 &&
           (!job->type_mask || job->type_mask >> type & 1);
}

/* Of its least count, on the slowest type that it may use; 0 when nothing is known. */
static double slowest_rate(const struct subject *subject, int32_t gpus, int32_t nodes)
{
    double least = 0;

    for (int32_t type = 0; type < (int32_t)subject->view->cluster->type_count; type++) {
        if (may_use(subject->view, subject->job, type)) {
            double found = rate(subject, type, gpus, nodes);

            least = found > 0 && (least <= 0 || found < least) ? found : least;
        }
    }
    return least;
}

static struct bl_curves_app *find_app(const struct bl_view *view, const struct bl_job *job)
{
    char name[BL_APPLICATION_MAX];

    return view->curves && bl_application_of(&job->spec, name) ? bl_curves_find(view->curves, name)
                                                               : NULL;
}

double bl_speed(const struct bl_view *view, const struct bl_job *job, int32_t type, int32_t gpus,
                int32_t nodes)
{
    struct subject subject = {view, job, NULL};
    double reference;
    double found;

    if (job->spec.curve.kind == BL_CURVE_FLAT && gpus > 0 && job->spec.gpus_min > 0) {
        subject.app = find_app(view, job);
    }
    if (!subject.app) {
        return bl_curve_speed(&job->spec.curve, job->spec.gpus_min, gpus);
    }
    reference = slowest_rate(&subject, job->spec.gpus_min, 0);
    found = type >= 0 ? rate(&subject, type, gpus, nodes) : slowest_rate(&subject, gpus, nodes);
    return reference > 0 && found > 0 ? found / reference : 1;
}
