#include "solve_case.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void connect(struct solve_case *it)
{
    it->answer.choice = it->choice;
    it->problem.capacity = it->capacity;
    it->problem.first = it->first;
    it->problem.option = it->option;
    it->problem.keep = it->keep;
    it->problem.none = it->none;
}

static void read_capacity(struct solve_case *it, char *text)
{
    char *rest = NULL;

    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "cap") != 0) {
            it->capacity[it->problem.types++] = strtoll(word, NULL, 10);
        }
    }
}

static void read_job(struct solve_case *it, char *text)
{
    size_t job = it->problem.jobs++;
    size_t next = it->first[job];
    char *rest = NULL;

    it->keep[job] = BL_SOLVE_NONE;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strncmp(word, "keep=", 5) == 0) {
            it->keep[job] = (int32_t)strtol(word + 5, NULL, 10);
        } else if (strncmp(word, "none=", 5) == 0) {
            it->none[job] = strtod(word + 5, NULL);
        } else {
            char *end;
            struct bl_solve_option *option = &it->option[next++];

            option->type = (int32_t)strtol(word, &end, 10);
            option->gpus = (int32_t)strtol(end + 1, &end, 10);
            option->value = strtod(end + 1, NULL);
        }
    }
    it->first[job + 1] = next;
}

void solve_case_read(struct solve_case *it, const char *text)
{
    char *copy = strdup(text);
    char *rest = NULL;
    char *part = strtok_r(copy, ";", &rest);

    memset(it, 0, sizeof *it);
    connect(it);
    read_capacity(it, part);
    for (part = strtok_r(NULL, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
        read_job(it, part);
    }
    free(copy);
}

void solve_case_copy(struct solve_case *to, const struct solve_case *from)
{
    *to = *from;
    connect(to);
}

static double draw_value(struct bl_prop *prop, bool is_odd)
{
    static const double odd[] = {0,     -0.0, -3,       1e300,     -1e300, 1e-300,
                                 1e308, NAN,  HUGE_VAL, -HUGE_VAL, 5e-324, 7};

    if (is_odd && bl_prop_chance(prop, 300)) {
        return odd[bl_prop_between(prop, 0, (int64_t)(sizeof odd / sizeof odd[0]) - 1)];
    }
    return (double)bl_prop_between(prop, 0, 40) / 4;
}

static void draw_option(struct solve_case *it, struct bl_prop *prop,
                        const struct solve_case_shape *shape, struct bl_solve_option *option)
{
    option->type = (int32_t)bl_prop_between(prop, 0, it->problem.types - 1);
    option->gpus = (int32_t)bl_prop_between(prop, 1, shape->gpus_max);
    option->value = draw_value(prop, shape->is_odd);
    if (shape->is_odd && bl_prop_chance(prop, 100)) {
        option->gpus = (int32_t)bl_prop_between(prop, -1, 0);
    }
    if (shape->is_odd && bl_prop_chance(prop, 50)) {
        option->type = (int32_t)(bl_prop_chance(prop, 500) ? -1 : it->problem.types);
    }
    bl_prop_note(prop, "  %d:%d=%g", (int)option->type, (int)option->gpus, option->value);
}

void solve_case_change(struct solve_case *it, struct bl_prop *prop,
                       const struct solve_case_shape *shape, size_t job)
{
    bl_prop_note(prop, "job %zu", job);
    for (size_t i = it->first[job]; i < it->first[job + 1]; i++) {
        draw_option(it, prop, shape, &it->option[i]);
    }
    it->keep[job] = BL_SOLVE_NONE;
    if (bl_prop_chance(prop, 100)) {
        it->keep[job] = (int32_t)bl_prop_between(prop, 0, 1);
        bl_prop_note(prop, "  keep=%d", (int)it->keep[job]);
    }
    it->none[job] = 0;
    if (bl_prop_chance(prop, 150)) {
        it->none[job] = draw_value(prop, shape->is_odd);
        bl_prop_note(prop, "  none=%g", it->none[job]);
    }
}

void solve_case_draw(struct solve_case *it, struct bl_prop *prop,
                     const struct solve_case_shape *shape)
{
    memset(it, 0, sizeof *it);
    connect(it);
    it->problem.types = (int32_t)bl_prop_between(prop, 1, shape->types_max);
    it->problem.jobs = (size_t)bl_prop_between(prop, 0, shape->jobs_max);
    for (int32_t t = 0; t < it->problem.types; t++) {
        it->capacity[t] = bl_prop_between(prop, shape->is_odd ? -1 : 0, shape->capacity_max);
        bl_prop_note(prop, "capacity %lld", (long long)it->capacity[t]);
    }
    for (size_t j = 0; j < it->problem.jobs; j++) {
        it->first[j + 1] = it->first[j] + (size_t)bl_prop_between(prop, 0, shape->options_max);
        assert(it->first[j + 1] <= SOLVE_CASE_OPTIONS_MAX);
        solve_case_change(it, prop, shape, j);
    }
}

/* Whether the option may be had, and its value as the header of core/solve reads it. */
static bool read_option(const struct solve_case *it, size_t at, bool is_kept, double *value)
{
    const struct bl_solve_option *option = &it->option[at];

    if (option->type < 0 || option->type >= it->problem.types || option->gpus < 0 ||
        (isnan(option->value) && !is_kept)) {
        return false;
    }
    *value = isnan(option->value) ? 0 : fmin(1e300, fmax(-1e300, option->value));
    return true;
}

static double enumerate(const struct solve_case *it, size_t job, int64_t *left)
{
    double best = -HUGE_VAL;
    double value;
    int32_t keep;

    if (job == it->problem.jobs) {
        return 0;
    }
    keep = it->keep[job];
    if (keep < 0 || (size_t)keep >= it->first[job + 1] - it->first[job] ||
        !read_option(it, it->first[job] + (size_t)keep, true, &value)) {
        keep = BL_SOLVE_NONE;
        value = isnan(it->none[job]) ? 0 : fmin(1e300, fmax(-1e300, it->none[job]));
        best = value + enumerate(it, job + 1, left);
    }
    for (size_t i = it->first[job]; i < it->first[job + 1]; i++) {
        const struct bl_solve_option *option = &it->option[i];

        if ((keep == BL_SOLVE_NONE || i == it->first[job] + (size_t)keep) &&
            read_option(it, i, keep != BL_SOLVE_NONE, &value) &&
            option->gpus <= left[option->type]) {
            left[option->type] -= option->gpus;
            best = fmax(best, value + enumerate(it, job + 1, left));
            left[option->type] += option->gpus;
        }
    }
    return best;
}

double solve_case_optimum(const struct solve_case *it)
{
    int64_t left[BL_SOLVE_TYPES_MAX];

    for (int32_t t = 0; t < it->problem.types; t++) {
        left[t] = it->capacity[t] > 0 ? it->capacity[t] : 0;
    }
    return enumerate(it, 0, left);
}

double solve_case_size(const struct solve_case *it)
{
    double size = 0;

    for (size_t j = 0; j < it->problem.jobs; j++) {
        double largest = isnan(it->none[j]) ? 0 : fmin(1e300, fabs(it->none[j]));

        for (size_t i = it->first[j]; i < it->first[j + 1]; i++) {
            double value = fabs(it->option[i].value);

            largest = isnan(value) ? largest : fmax(largest, fmin(1e300, value));
        }
        size += largest;
    }
    return size;
}

bool solve_case_run(struct solve_case *it, struct bl_solver *solver,
                    const struct bl_solve_change *change, int64_t budget)
{
    struct bl_solve_check check;

    memset(it->choice, 0x55, sizeof it->choice);
    bl_solve(solver, &it->problem, change, budget, &it->answer);
    check = bl_solve_check(&it->problem, &it->answer);
    if (!it->answer.is_feasible && check.flaw == BL_SOLVE_FLAW_ROOM) {
        return true;
    }
    if (check.flaw != BL_SOLVE_FLAW_NONE) {
        printf("# flaw %d: job %zu type %d value %.17g/%.17g bound %.17g/%.17g gap %g\n",
               (int)check.flaw, check.job, (int)check.type, it->answer.value, check.value,
               it->answer.bound, check.bound, it->answer.gap);
    }
    return check.flaw == BL_SOLVE_FLAW_NONE;
}
