/* How well the model of step times fits measured profiles, and how long a fit takes.
 *
 *     curve < POINTS
 *
 * POINTS are lines "APPLICATION TYPE GPUS NODES BATCH STEP_S SYNC_S", those of one application and
 * type one after another. For each such group a line of JSON; errors are means of |log(found /
 * measured)|, `covered` is how often the measured time lies in the interval that should hold 90 %.
 *
 * inside: every third point is known (at most 40), the others are asked for; next: up to four GPUs
 * are known, five to eight are asked for; other: one GPU is known, and all of another type of the
 * application; alone: one GPU is known. */
#include "core/fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUPS_MAX = 64, POINTS_MAX = 4096, KNOWN_MAX = 40, REPEATS = 50 };

struct group {
    char application[64], type[64];
    size_t count;
    struct bl_fit_point point[POINTS_MAX];
};

struct score {
    double error, covered;
    int count;
};

static struct group groups[GROUPS_MAX];
static size_t group_count;

static struct group *group_of(const char *application, const char *type)
{
    struct group *last = group_count ? &groups[group_count - 1] : NULL;

    if (last && !strcmp(last->application, application) && !strcmp(last->type, type)) {
        return last;
    }
    if (group_count == GROUPS_MAX) {
        fprintf(stderr, "curve: at most %d groups\n", GROUPS_MAX);
        exit(1);
    }
    last = &groups[group_count++];
    snprintf(last->application, sizeof last->application, "%s", application);
    snprintf(last->type, sizeof last->type, "%s", type);
    return last;
}

/* GPUs, nodes, batch and times behind the two names; false when one is missing. */
static bool read_numbers(const char *text, struct bl_fit_point *out)
{
    double number[5];

    for (int i = 0; i < 5; i++) {
        char *end = NULL;

        number[i] = strtod(text, &end);
        if (end == text || !(fabs(number[i]) < 1e9)) {
            return false;
        }
        text = end;
    }
    *out = (struct bl_fit_point){.shape = {(int32_t)number[0], (int32_t)number[1], number[2], 0},
                                 .iter_s = number[3],
                                 .sync_s = number[4],
                                 .count = 4};
    return bl_fit_point_is_usable(out);
}

static void read_points(void)
{
    char line[256];
    char application[64];
    char type[64];
    int number = 0;

    while (fgets(line, sizeof line, stdin)) {
        struct bl_fit_point point;
        struct group *group;
        int names = 0;

        number++;
        if (sscanf(line, "%63s %63s%n", application, type, &names) != 2 ||
            !read_numbers(line + names, &point)) {
            fprintf(stderr, "curve: line %d: expected a point that makes sense\n", number);
            exit(1);
        }
        group = group_of(application, type);
        if (group->count < POINTS_MAX) {
            group->point[group->count++] = point;
        }
    }
}

/* Evenly spread over those with up to `gpus_max` GPUs. */
static size_t choose(const struct group *group, int gpus_max, struct bl_fit_point known[KNOWN_MAX])
{
    size_t all = 0;
    size_t at = 0;
    size_t count = 0;

    for (size_t i = 0; i < group->count; i++) {
        all += group->point[i].shape.gpus <= gpus_max;
    }
    for (size_t i = 0; i < group->count && count < KNOWN_MAX; i++) {
        if (group->point[i].shape.gpus <= gpus_max && at++ % ((all - 1) / KNOWN_MAX + 1) == 0) {
            known[count++] = group->point[i];
        }
    }
    return count;
}

static void add(struct score *score, const struct bl_fit *fit, const struct bl_fit_point *point)
{
    struct bl_fit_answer answer = bl_fit_ask(fit, &point->shape);
    double error = fabs(log(answer.iter_s / point->iter_s));

    score->error += error;
    score->covered += error <= 1.645 * answer.deviation;
    score->count++;
}

static void print(const char *name, const struct score *score)
{
    if (score->count) {
        printf(", \"%s_error\": %.4f, \"%s_covered\": %.4f", name, score->error / score->count,
               name, score->covered / score->count);
    }
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The best of some runs of a fit of twenty points at most. */
static void print_time(const struct group *group)
{
    struct bl_fit_point known[KNOWN_MAX];
    size_t count = choose(group, INT32_MAX, known);
    struct bl_fit_prior prior;
    struct bl_fit fit;
    double best = INFINITY;

    count = count < 20 ? count : 20;
    prior = bl_fit_prior_of(known, count);
    for (int i = 0; i < REPEATS; i++) {
        double begin = seconds_now();

        bl_fit_make(&fit, known, count, &prior);
        best = fmin(best, seconds_now() - begin);
    }
    printf(", \"fit_us\": %.1f", best * 1e6);
}

static void measure_inside(const struct group *group)
{
    struct bl_fit_point known[KNOWN_MAX];
    struct score score = {0};
    struct bl_fit_prior prior;
    struct bl_fit fit;
    size_t step = group->count / KNOWN_MAX > 3 ? group->count / KNOWN_MAX : 3;
    size_t count = 0;

    for (size_t i = 0; i < group->count && count < KNOWN_MAX; i += step) {
        known[count++] = group->point[i];
    }
    prior = bl_fit_prior_of(known, count);
    bl_fit_make(&fit, known, count, &prior);
    for (size_t i = 0; i < group->count; i++) {
        if (i % step) {
            add(&score, &fit, &group->point[i]);
        }
    }
    print("inside", &score);
}

static void measure_next(const struct group *group)
{
    struct bl_fit_point known[KNOWN_MAX];
    struct score score = {0};
    size_t count = choose(group, 4, known);
    struct bl_fit_prior prior = bl_fit_prior_of(known, count);
    struct bl_fit fit;

    bl_fit_make(&fit, known, count, &prior);
    for (size_t i = 0; i < group->count; i++) {
        if (group->point[i].shape.gpus > 4 && group->point[i].shape.gpus <= 8) {
            add(&score, &fit, &group->point[i]);
        }
    }
    print("next", &score);
}

static void add_others(struct score *score, const struct bl_fit *fit, const struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        if (group->point[i].shape.gpus > 1) {
            add(score, fit, &group->point[i]);
        }
    }
}

static void measure_types(const struct group *group)
{
    struct bl_fit_point one[KNOWN_MAX];
    struct bl_fit_point all[KNOWN_MAX];
    struct score with_other = {0};
    struct score alone = {0};
    size_t count = choose(group, 1, one);
    struct bl_fit_prior prior = bl_fit_prior_of(one, count);
    struct bl_fit fit;
    struct bl_fit donor;

    bl_fit_make(&fit, one, count, &prior);
    add_others(&alone, &fit, group);
    for (size_t i = 0; i < group_count; i++) {
        const struct group *other = &groups[i];

        if (other != group && !strcmp(other->application, group->application)) {
            size_t known = choose(other, INT32_MAX, all);

            prior = bl_fit_prior_of(all, known);
            bl_fit_make(&donor, all, known, &prior);
            prior = bl_fit_prior_from(&donor, one, count);
            bl_fit_make(&fit, one, count, &prior);
            add_others(&with_other, &fit, group);
        }
    }
    print("other", &with_other);
    print("alone", &alone);
}

int main(void)
{
    read_points();
    for (size_t i = 0; i < group_count; i++) {
        printf("{\"application\": \"%s\", \"type\": \"%s\", \"points\": %zu", groups[i].application,
               groups[i].type, groups[i].count);
        print_time(&groups[i]);
        measure_inside(&groups[i]);
        measure_next(&groups[i]);
        measure_types(&groups[i]);
        printf("}\n");
    }
    return 0;
}
