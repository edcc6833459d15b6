#include "core/bound_options.h"

#include "base/own.h"

#include <assert.h>
#include <math.h>

/* Counts that a job lists, or the points of its curve and both ends of its range. */
enum { CANDIDATES_MAX = BL_JOB_COUNTS_MAX };

static_assert(CANDIDATES_MAX >= BL_CURVE_POINTS_MAX + 2, "a curve's points are candidates");

static struct bl_bound_class *find_class(struct bl_bound_machine *machine,
                                         const struct bl_node *node)
{
    struct bl_bound_class *class = machine->class;

    for (size_t i = 0; i < machine->class_count; i++, class ++) {
        if (class->pool == node->pool && class->type == node->type) {
            return class;
        }
    }
    machine->class_count++;
    *class = (struct bl_bound_class){.pool = node->pool, .type = node->type};
    return class;
}

static void add_node(struct bl_bound_machine *machine, const struct bl_node *node)
{
    struct bl_bound_class *class;

    if (node->state == BL_NODE_DOWN || node->type < 0 || node->spec.gpus <= 0) {
        return;
    }
    class = find_class(machine, node);
    class->gpus += node->spec.gpus;
    if (node->spec.gpus > class->most_on_node) {
        class->most_on_node = node->spec.gpus;
    }
    if (node->spec.gpu_mem_bytes > class->gpu_mem_bytes) {
        class->gpu_mem_bytes = node->spec.gpu_mem_bytes;
    }
}

void bl_bound_machine_init(struct bl_bound_machine *machine, const struct bl_cluster *cluster)
{
    size_t most = cluster->pool_count * cluster->type_count;

    most = most < cluster->node_count ? most : cluster->node_count;
    *machine = (struct bl_bound_machine){0};
    machine->class = bl_alloc_zero((most + 1) * sizeof *machine->class);
    for (size_t i = 0; i < cluster->node_count; i++) {
        add_node(machine, &cluster->node[i]);
    }
    if (machine->class_count == 0) {
        machine->class[machine->class_count++] = (struct bl_bound_class){-1, -1, 1, 1, 0};
    }
    machine->capacity = bl_alloc_zero(machine->class_count * sizeof *machine->capacity);
    for (size_t i = 0; i < machine->class_count; i++) {
        machine->capacity[i] = (double)machine->class[i].gpus;
    }
}

void bl_bound_machine_finish(struct bl_bound_machine *machine)
{
    free(machine->class);
    free(machine->capacity);
    *machine = (struct bl_bound_machine){0};
}

size_t bl_bound_options_max(const struct bl_bound_machine *machine)
{
    return machine->class_count * CANDIDATES_MAX;
}

struct candidates {
    int32_t gpus[CANDIDATES_MAX]; /* rising */
    size_t count;
};

static void add_candidate(struct candidates *candidates, int32_t gpus, int64_t most)
{
    if (gpus <= most && candidates->count < CANDIDATES_MAX) {
        candidates->gpus[candidates->count++] = gpus;
    }
}

/* The least and the largest count and those between at which the curve bends; or the legal ones. */
static void find_candidates(const struct bl_job_spec *spec, int64_t most, struct candidates *out)
{
    int64_t last = spec->gpus_max < most ? spec->gpus_max : most;

    out->count = 0;
    for (size_t i = 0; i < spec->gpu_count_count; i++) {
        add_candidate(out, spec->gpu_count[i], most);
    }
    if (spec->gpu_count_count > 0) {
        return;
    }
    add_candidate(out, spec->gpus_min, most);
    if (spec->curve.kind == BL_CURVE_POINTS) {
        for (size_t i = 0; i < spec->curve.point_count; i++) {
            if (spec->curve.point[i].gpus > spec->gpus_min && spec->curve.point[i].gpus < last) {
                add_candidate(out, spec->curve.point[i].gpus, most);
            }
        }
    }
    if (last > spec->gpus_min) {
        add_candidate(out, (int32_t)last, most);
    }
}

/* A limit ends a job after so much time, whatever it has done by then. */
static double speed_of(const struct bl_job_spec *spec, int32_t gpus)
{
    double speed = bl_curve_speed(&spec->curve, spec->gpus_min, gpus);
    double by_limit = spec->limit > 0 ? (double)spec->work / (double)spec->limit : 0;

    return fmax(speed, by_limit);
}

/* Whether `middle` lies on or below the line from `low` to `high`. */
static bool is_under(const struct bl_bound_option *low, const struct bl_bound_option *middle,
                     const struct bl_bound_option *high)
{
    return (middle->speed - low->speed) * (high->gpus - low->gpus) <=
           (high->speed - low->speed) * (middle->gpus - low->gpus);
}

size_t bl_bound_push(struct bl_bound_option *out, size_t count, struct bl_bound_option next)
{
    const struct bl_bound_option nothing = {next.type, 0, 0};

    if (count > 0 && next.speed <= out[count - 1].speed) {
        return count;
    }
    while (count > 0 && is_under(count > 1 ? &out[count - 2] : &nothing, &out[count - 1], &next)) {
        count--;
    }
    out[count] = next;
    return count + 1;
}

static size_t add_options(const struct bl_job_spec *spec, const struct candidates *candidates,
                          size_t type, struct bl_bound_option *out)
{
    size_t count = 0;

    for (size_t i = 0; i < candidates->count; i++) {
        int32_t gpus = candidates->gpus[i];

        count =
            bl_bound_push(out, count, (struct bl_bound_option){type, gpus, speed_of(spec, gpus)});
    }
    return count;
}

/* The most GPUs of the class that the job could hold; -1 when it cannot run there. */
static int64_t most_in_class(const struct bl_bound_class *class, const struct bl_job *job)
{
    int64_t most = class->gpus;

    if ((job->pool >= 0 && job->pool != class->pool) ||
        (job->type_mask != 0 && !((job->type_mask >> class->type) & 1)) ||
        job->spec.gpu_mem_bytes > class->gpu_mem_bytes) {
        return -1;
    }
    if (job->spec.nodes_max > 0 && job->spec.nodes_max * class->most_on_node < most) {
        most = job->spec.nodes_max * class->most_on_node;
    }
    return most;
}

size_t bl_bound_options(const struct bl_bound_machine *machine, const struct bl_job *job,
                        struct bl_bound_option *out)
{
    struct candidates candidates;
    size_t count = 0;

    if (job->spec.gpus_max == 0) {
        out[0] = (struct bl_bound_option){0, 0, speed_of(&job->spec, 0)};
        return 1;
    }
    for (size_t i = 0; i < machine->class_count; i++) {
        int64_t most = most_in_class(&machine->class[i], job);

        if (most >= job->spec.gpus_min) {
            find_candidates(&job->spec, most, &candidates);
            count += add_options(&job->spec, &candidates, i, out + count);
        }
    }
    return count;
}
