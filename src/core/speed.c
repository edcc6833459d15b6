#include "core/speed.h"

#include "core/application.h"

#include <math.h>

#define DEVIATION_MOST 1.0 /* of a logarithm */

static int32_t fewest_nodes(const struct bl_view *view, int32_t type, int32_t gpus)
{
    int32_t node_gpus = view->cluster->type_node_gpus[type];

    return node_gpus > 0 ? (gpus - 1) / node_gpus + 1 : 1;
}

static struct bl_curves_answer ask(const struct bl_speeds *speeds, int32_t type, int32_t gpus,
                                   int32_t nodes, int32_t reach)
{
    struct bl_batch batch = bl_job_batch_on(&speeds->job->spec, speeds->view->cluster, type);

    return bl_curves_ask(speeds->view->curves, speeds->app,
                         &(struct bl_curves_question){
                             .type = type,
                             .gpus = gpus,
                             .nodes = nodes > 0 ? nodes : fewest_nodes(speeds->view, type, gpus),
                             .batch = &batch,
                             .noise = speeds->noise,
                             .done = speeds->job->progress.steps,
                             .is_of_rate = gpus <= reach && speeds->optimism <= 0,
                         });
}

static double true_rate(const struct bl_speeds *speeds, int32_t type, int32_t gpus, int32_t nodes)
{
    const struct bl_view *view = speeds->view;
    struct bl_oracle_question question = {speeds->job->id, type, gpus,
                                          nodes > 0 ? nodes : fewest_nodes(view, type, gpus)};

    return view->oracle->rate(view->oracle->self, view->cluster, &question);
}

/* Nobody hopes for more than this deviation would give. */
static double hoped_for(const struct bl_speeds *speeds, const struct bl_curves_answer *answer)
{
    return speeds->optimism > 0
               ? answer->rate * exp(speeds->optimism * fmin(answer->deviation, DEVIATION_MOST))
               : answer->rate;
}

/* Beyond what may be tried more GPUs promise nothing. */
static double learnt_rate(const struct bl_speeds *speeds, int32_t type, int32_t gpus, int32_t nodes)
{
    int32_t reach = 2 * bl_curves_gpus_seen(speeds->app);
    struct bl_curves_answer answer;

    reach = reach > speeds->job->spec.gpus_min ? reach : speeds->job->spec.gpus_min;
    answer = ask(speeds, type, gpus, nodes, reach);
    if (answer.rate > 0 && !answer.is_within_reach && gpus > reach) {
        answer = ask(speeds, type, reach, nodes < reach ? nodes : reach, reach);
    }
    return hoped_for(speeds, &answer);
}

static double rate(const struct bl_speeds *speeds, int32_t type, int32_t gpus, int32_t nodes)
{
    return speeds->view->oracle ? true_rate(speeds, type, gpus, nodes)
                                : learnt_rate(speeds, type, gpus, nodes);
}

static bool may_use(const struct bl_view *view, const struct bl_job *job, int32_t type)
{
    return view->cluster->type_node_gpus[type] > 0 &&
           (!job->type_mask || job->type_mask >> type & 1);
}

/* Of its least count, on the slowest type that it may use; 0 when nothing is known. */
static double slowest_rate(const struct bl_speeds *speeds, int32_t gpus, int32_t nodes)
{
    double least = 0;

    for (int32_t type = 0; type < (int32_t)speeds->view->cluster->type_count; type++) {
        if (may_use(speeds->view, speeds->job, type)) {
            double found = rate(speeds, type, gpus, nodes);

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

/* A job that says it can use more GPUs is taken to gain from them, but far less than in proportion,
 * until something is known of it. A trace tells all there is to know. */
static double guess(const struct bl_job_spec *spec, int32_t gpus)
{
    bool is_unknown = spec->curve.kind == BL_CURVE_FLAT && spec->work == 0;

    return is_unknown && bl_job_is_elastic(spec) && gpus > spec->gpus_min
               ? sqrt((double)gpus / (double)spec->gpus_min)
               : bl_curve_speed(&spec->curve, spec->gpus_min, gpus);
}

struct bl_speeds bl_speeds_of(const struct bl_view *view, const struct bl_job *job)
{
    struct bl_speeds speeds = {.view = view, .job = job, .is_told = true};

    if (job->spec.curve.kind == BL_CURVE_FLAT && job->spec.gpus_min > 0) {
        speeds.app = view->oracle ? NULL : find_app(view, job);
        speeds.is_told = !view->oracle && !speeds.app;
    }
    if (speeds.app) {
        speeds.noise = bl_curves_noise(speeds.app, job->progress.steps);
    }
    if (!speeds.is_told) {
        speeds.reference = slowest_rate(&speeds, job->spec.gpus_min, 0);
    }
    return speeds;
}

double bl_speeds_at(const struct bl_speeds *speeds, int32_t type, int32_t gpus, int32_t nodes)
{
    double found;

    if (speeds->is_told || speeds->reference <= 0 || gpus <= 0) {
        return guess(&speeds->job->spec, gpus);
    }
    found = type >= 0 ? rate(speeds, type, gpus, nodes) : slowest_rate(speeds, gpus, nodes);
    return found > 0 ? found / speeds->reference : 1;
}

static double total_of(const struct bl_speeds *speeds)
{
    const struct bl_oracle *oracle = speeds->view->oracle;
    const struct bl_progress *progress = &speeds->job->progress;

    if (oracle) {
        return oracle->total(oracle->self, speeds->job->id);
    }
    return progress->total > 0 ? progress->total
                               : bl_curves_total(speeds->app, progress->steps).expected;
}

double bl_speeds_left_s(const struct bl_speeds *speeds)
{
    const struct bl_progress *progress = &speeds->job->progress;
    double total;

    if (speeds->is_told || speeds->reference <= 0) {
        return 0;
    }
    total = total_of(speeds);
    /* One that has done all that was expected is about to end. */
    return fmax(total - progress->steps, total / 1000) / speeds->reference;
}

double bl_speed(const struct bl_view *view, const struct bl_job *job, int32_t type, int32_t gpus,
                int32_t nodes)
{
    struct bl_speeds speeds = bl_speeds_of(view, job);

    return bl_speeds_at(&speeds, type, gpus, nodes);
}
