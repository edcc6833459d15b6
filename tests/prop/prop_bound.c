/* Bounds, on cases so small that the best schedule is known: no bound passes it, no policy is
 * better, and the bound is not far below. */
#include "bl_test.h"
#include "bound_check.h"
#include "optimum.h"
#include "prop.h"
#include "sim/driver.h"

#include <math.h>

enum { CASES = 500 };

/* The jobs of a case as a trace. */
struct bl_trace {
    const struct optimum_case *of;
    struct bl_curve_point point[OPTIMUM_JOBS_MAX][OPTIMUM_GPUS_MAX];
    size_t next;
};

static void no_cluster(struct bl_trace *trace, struct bl_clusterspec *out)
{
    (void)trace;
    *out = (struct bl_clusterspec){0};
}

static bool no_dependencies(const struct bl_trace *trace)
{
    (void)trace;
    return false;
}

static int next_job(struct bl_trace *trace, struct bl_trace_job *out, bool *has_job,
                    struct bl_error *err)
{
    const struct optimum_job *job = &trace->of->job[trace->next];
    struct bl_curve_point *point = trace->point[trace->next];
    size_t points = 0;

    (void)err;
    *has_job = trace->next < trace->of->job_count;
    if (!*has_job) {
        return BL_OK;
    }
    for (int gpus = job->min; gpus <= job->max; gpus++) {
        point[points++] = (struct bl_curve_point){gpus, job->speed[gpus]};
    }
    *out = (struct bl_trace_job){
        .id = (bl_job_id)++trace->next,
        .submit = (bl_time)job->release * BL_SECOND,
        .spec = {.kind = BL_KIND_TRAIN,
                 .job_class = BL_CLASS_BATCH,
                 .gpus_min = job->min,
                 .gpus_want = job->max,
                 .gpus_max = job->max,
                 .cpu_milli = {1000, false},
                 .work = (bl_time)(job->work / job->speed[job->min]) * BL_SECOND,
                 .curve = {.kind = BL_CURVE_POINTS, .point_count = points, .point = point}}};
    return BL_OK;
}

static const struct bl_trace_format case_format = {
    .name = "case", .next = next_job, .cluster = no_cluster, .has_dependencies = no_dependencies};

/* Work is a whole number of seconds at the least count, where the speed is 1. */
static void draw_job(struct bl_prop *prop, int gpus, struct optimum_job *job)
{
    double speed = 1;

    job->min = (int)bl_prop_between(prop, 1, gpus);
    job->max = (int)bl_prop_between(prop, job->min, gpus);
    job->in_one_piece = job->min == job->max;
    job->work = (double)bl_prop_between(prop, 10, 300);
    for (int n = job->min; n <= job->max; n++) {
        job->speed[n] = speed;
        speed += (double)bl_prop_between(prop, 0, 10) / 10 / job->min;
    }
    bl_prop_note(prop, "job at %g work %g gpus %d-%d speed %g ... %g", job->release, job->work,
                 job->min, job->max, job->speed[job->min], job->speed[job->max]);
}

static void draw_case(struct bl_prop *prop, struct optimum_case *of)
{
    double release = 0;

    *of = (struct optimum_case){0};
    of->gpus = (int)bl_prop_between(prop, 1, OPTIMUM_GPUS_MAX);
    of->job_count = (size_t)bl_prop_between(prop, 1, OPTIMUM_JOBS_MAX);
    bl_prop_note(prop, "%d GPUs", of->gpus);
    for (size_t i = 0; i < of->job_count; i++) {
        of->job[i].release = release;
        draw_job(prop, of->gpus, &of->job[i]);
        release += (double)(bl_prop_chance(prop, 500) ? bl_prop_between(prop, 1, 150) : 0);
    }
}

static struct bl_sim_result replay(const struct optimum_case *of, const struct bl_policy *policy)
{
    struct bl_node_spec node = bl_slots_node(of->gpus);
    struct bl_clusterspec cluster = {&node, 1};
    struct bl_trace trace = {.of = of};
    struct bl_sim_setup setup = {.cluster = &cluster,
                                 .choice = bl_policy_default(policy),
                                 .with_bound = true,
                                 .format = &case_format,
                                 .trace = &trace};
    struct bl_sim_result result;

    assert_int_equal(bl_sim_replay(&setup, &result, NULL), BL_OK);
    return result;
}

struct quality {
    double sum;
    int cases;
};

static bool bounds_stay_below_the_optimum(struct bl_prop *prop, void *context)
{
    struct quality *quality = context;
    struct optimum_case of;
    double optimum, best = 0;

    draw_case(prop, &of);
    optimum = optimum_mean(&of);
    for (size_t i = 0; bl_policies[i]; i++) {
        struct bl_sim_result result = replay(&of, bl_policies[i]);

        bl_prop_note(prop, "%s: bound %.9g, optimum %.9g, policy %.9g", bl_policies[i]->name,
                     result.bound_s, optimum, result.figures.avg_jct_s);
        if (result.left != 0 || result.bound_s > optimum ||
            optimum > result.figures.avg_jct_s + 1e-5) {
            return false;
        }
        best = fmax(best, result.bound_s);
    }
    quality->sum += best / optimum;
    quality->cases++;
    return true;
}

static void no_bound_passes_the_optimum_nor_any_policy_falls_below(void **state)
{
    struct quality quality = {0, 0};

    (void)state;
    assert_true(bl_prop_holds("bound <= optimum <= policy", CASES, bounds_stay_below_the_optimum,
                              &quality));
    print_message("# bound / optimum: %.4f in the mean of %d cases\n", quality.sum / quality.cases,
                  quality.cases);
    assert_true(quality.sum >= 0.9 * quality.cases);
}

enum { TYPES_MAX = 3, OPTIONS_MAX = 6, CELLS_MAX = 12, SAMPLES = 64 };

struct priced {
    struct bl_bound_job job[OPTIMUM_JOBS_MAX];
    struct bl_bound_option option[OPTIMUM_JOBS_MAX][OPTIONS_MAX];
    double capacity[TYPES_MAX];
    struct bl_bound_problem problem;
    struct bl_price_path path;
};

static void draw_priced_job(struct bl_prop *prop, struct priced *of, size_t at)
{
    struct bl_bound_job *job = &of->job[at];

    job->release = (double)bl_prop_between(prop, 0, 60);
    job->work = (double)bl_prop_between(prop, 0, 100);
    job->ended = job->release;
    job->course = bl_prop_chance(prop, 300) ? BL_BOUND_IN_ONE_PIECE : BL_BOUND_DIVISIBLE;
    job->option = of->option[at];
    job->option_count = (size_t)bl_prop_between(prop, 1, OPTIONS_MAX);
    bl_prop_note(prop, "job at %g work %g, %s", job->release, job->work,
                 job->course == BL_BOUND_DIVISIBLE ? "divisible" : "in one piece");
    for (size_t i = 0; i < job->option_count; i++) {
        struct bl_bound_option *option = &of->option[at][i];

        option->type = (size_t)bl_prop_between(prop, 0, (int64_t)of->problem.type_count - 1);
        option->gpus = (double)bl_prop_between(prop, 0, 8);
        option->speed = (double)bl_prop_between(prop, 1, 50) / 10;
        bl_prop_note(prop, "  type %zu gpus %g speed %g", option->type, option->gpus,
                     option->speed);
    }
}

static void draw_path(struct bl_prop *prop, struct bl_price_path *path, size_t types)
{
    double edge[CELLS_MAX + 1] = {0};
    size_t cells = (size_t)bl_prop_between(prop, 1, CELLS_MAX);

    for (size_t i = 0; i < cells; i++) {
        edge[i + 1] = edge[i] + (double)bl_prop_between(prop, 1, 20);
    }
    bl_price_path_init(path, types, edge, cells);
    for (size_t i = 0; i < types * cells; i++) {
        path->price[i] = bl_prop_chance(prop, 800) ? (double)bl_prop_between(prop, 0, 30) / 10 : 0;
        bl_prop_note(prop, "price %g up to %g", path->price[i], edge[i % cells + 1]);
    }
    bl_price_path_sum(path);
}

static bool bound_is_that_of_the_checker(struct bl_prop *prop, void *context)
{
    struct priced of = {0};
    size_t jobs = (size_t)bl_prop_between(prop, 1, OPTIMUM_JOBS_MAX);
    double found, checked, size;

    (void)context;
    of.problem = (struct bl_bound_problem){of.job, jobs, of.capacity,
                                           (size_t)bl_prop_between(prop, 1, TYPES_MAX)};
    for (size_t i = 0; i < TYPES_MAX; i++) {
        of.capacity[i] = (double)bl_prop_between(prop, 1, 8);
    }
    for (size_t i = 0; i < jobs; i++) {
        draw_priced_job(prop, &of, i);
    }
    draw_path(prop, &of.path, of.problem.type_count);
    found = bl_bound_at(&of.problem, &of.path);
    checked = bound_check_at(&of.problem, &of.path, SAMPLES);
    size = fabs(checked) + bl_price_path_end(&of.path);
    bl_price_path_finish(&of.path);
    bl_prop_note(prop, "bound %.12g, checker %.12g", found, checked);
    return found <= checked && found >= checked - 0.02 * size;
}

static void a_bound_is_what_sorting_the_cheapest_pieces_gives(void **state)
{
    (void)state;
    assert_true(bl_prop_holds("bound = checker", CASES, bound_is_that_of_the_checker, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_is_what_sorting_the_cheapest_pieces_gives),
        cmocka_unit_test(no_bound_passes_the_optimum_nor_any_policy_falls_below),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
