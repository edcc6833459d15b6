/* The solver beside general ones, in one run, on made-up instances: times, certified gaps and true
 * losses. Prints a table a question; exit 1 when a limit is passed.
 *
 *     solve [SECONDS]    so long may each general solver think about one instance (default 20) */
#include "solve_instance.h"
#include "base/sort.h"
#include "solve_rivals.h"

#include "core/solve_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 9, LOSS_SEEDS = 5 };

static const char *const value_names[] = {"concave", "linear"};
static int missed;

static const char *judge(double figure, double limit)
{
    missed += figure > limit;
    return figure > limit ? "MISSED" : "ok";
}

/* Solves, and ends the program when the checker finds a flaw. */
static double solve(struct bl_solver *solver, const struct bench_instance *it,
                    const struct bl_solve_change *change, struct bl_solve_answer *answer)
{
    double began = bench_cpu_seconds();
    double seconds;
    struct bl_solve_check check;

    bl_solve(solver, &it->problem, change, 0, answer);
    seconds = bench_cpu_seconds() - began;
    check = bl_solve_check(&it->problem, answer);
    if (check.flaw != BL_SOLVE_FLAW_NONE) {
        printf("an answer is wrong: flaw %d\n", (int)check.flaw);
        exit(2);
    }
    return seconds;
}

/* An instance as it is in the midst of things: values as after a round before. */
static void make_settled(struct bench_instance *it, const struct bench_size *size, uint64_t seed)
{
    struct bl_solver *solver = bl_solver_create();
    struct bl_solve_answer answer = {0};

    bench_make(it, size, seed);
    answer.choice = bl_alloc_zero(it->problem.jobs * sizeof *answer.choice);
    solve(solver, it, NULL, &answer);
    bench_next_round(it, answer.choice);
    free(answer.choice);
    bl_solver_destroy(solver);
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static double median(double *figures, size_t count)
{
    bl_sort(figures, count, sizeof *figures, compare_numbers);
    return figures[count / 2];
}

/* The median of several solutions from nothing; `answer` is the last. */
static double time_cold(const struct bench_instance *it, struct bl_solve_answer *answer)
{
    double seconds[REPEATS];

    for (int i = 0; i < REPEATS; i++) {
        struct bl_solver *solver = bl_solver_create();

        seconds[i] = solve(solver, it, NULL, answer);
        bl_solver_destroy(solver);
    }
    return median(seconds, REPEATS);
}

static void print_size(const struct bench_size *size)
{
    printf("%6zu x %6lld x %d %-8s", size->jobs, (long long)size->gpus, (int)size->types,
           value_names[size->value]);
}

static void show_cold(void)
{
    static const struct {
        struct bench_size size;
        double ms_max, gap_max;
    } rows[] = {
        {{64, 64, 6, BENCH_CONCAVE}, HUGE_VAL, HUGE_VAL},
        {{1000, 1024, 6, BENCH_CONCAVE}, HUGE_VAL, HUGE_VAL},
        {{2000, 2048, 3, BENCH_CONCAVE}, HUGE_VAL, 1e-4},
        {{2000, 2048, 6, BENCH_CONCAVE}, HUGE_VAL, 1e-4},
        {{2000, 2048, 6, BENCH_LINEAR}, HUGE_VAL, 1e-4},
        {{10000, 10000, 6, BENCH_CONCAVE}, HUGE_VAL, 1e-4},
        {{10000, 10000, 6, BENCH_LINEAR}, HUGE_VAL, 1e-4},
        {{10000, 100000, 1, BENCH_CONCAVE}, HUGE_VAL, 1e-4},
        {{10000, 100000, 3, BENCH_CONCAVE}, HUGE_VAL, 1e-4},
        {{10000, 100000, 6, BENCH_CONCAVE}, 50, 1e-4},
        {{10000, 100000, 6, BENCH_LINEAR}, 80, 1e-4},
    };

    printf("\nFrom nothing, seed 1, median of %d (jobs x GPUs x types)\n", REPEATS);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench_instance it;
        struct bl_solve_answer answer = {0};
        double ms;

        make_settled(&it, &rows[i].size, 1);
        answer.choice = bl_alloc_zero(it.problem.jobs * sizeof *answer.choice);
        ms = 1000 * time_cold(&it, &answer);
        print_size(&rows[i].size);
        printf(" %8.2f ms %s  gap %.1e %s  evaluations %d%s\n", ms, judge(ms, rows[i].ms_max),
               answer.gap, judge(answer.gap, rows[i].gap_max), (int)answer.evaluations,
               answer.is_proved ? "  proved" : "");
        free(answer.choice);
        bench_finish(&it);
    }
}

static void show_warm_row(struct bench_instance *it, struct bl_solver *solver, size_t changes,
                          double ms_max)
{
    BL_AUTO_FREE int32_t *choice = bl_alloc_zero(it->problem.jobs * sizeof *choice);
    BL_AUTO_FREE size_t *job = bl_alloc_zero(changes * sizeof *job);
    struct bl_solve_answer answer = {.choice = choice};
    double seconds[REPEATS];
    double ms;

    for (int i = 0; i < REPEATS; i++) {
        for (size_t k = 0; k < changes; k++) {
            job[k] = (size_t)bl_rng_between(&it->rng, 0, (int64_t)it->problem.jobs - 1);
            bench_reweight(it, job[k]);
        }
        seconds[i] = solve(solver, it, &(struct bl_solve_change){job, changes, true}, &answer);
    }
    ms = 1000 * median(seconds, REPEATS);
    printf("  %4zu changed %8.2f ms %s  gap %.1e %s  evaluations %d\n", changes, ms,
           judge(ms, ms_max), answer.gap, judge(answer.gap, 1e-4), (int)answer.evaluations);
}

static void show_warm(void)
{
    printf("\nAfter a change, 10000 x 100000 x 6, seed 2, median of %d\n", REPEATS);
    for (int value = BENCH_CONCAVE; value <= BENCH_LINEAR; value++) {
        struct bench_size size = {10000, 100000, 6, (enum bench_value)value};
        struct bench_instance it;
        struct bl_solver *solver = bl_solver_create();
        struct bl_solve_answer answer = {0};

        make_settled(&it, &size, 2);
        answer.choice = bl_alloc_zero(it.problem.jobs * sizeof *answer.choice);
        solve(solver, &it, NULL, &answer);
        printf(" %s\n", value_names[value]);
        show_warm_row(&it, solver, 10, 5);
        show_warm_row(&it, solver, 100, 10);
        free(answer.choice);
        bl_solver_destroy(solver);
        bench_finish(&it);
    }
}

/* One instance under all solvers; notes the loss against each that finished. */
struct losses {
    int known, exact;
    double largest;
};

static void compare(const struct bench_size *size, uint64_t seed, double seconds_max,
                    struct losses *losses)
{
    struct bench_instance it;
    struct bl_solve_answer answer = {0};
    double ours;
    double best = -HUGE_VAL;

    make_settled(&it, size, seed);
    answer.choice = bl_alloc_zero(it.problem.jobs * sizeof *answer.choice);
    ours = time_cold(&it, &answer);
    print_size(size);
    printf(" seed %llu: %7.2f ms%s", (unsigned long long)seed, 1000 * ours,
           answer.is_proved ? " proved" : "");
    for (const struct bench_rival *rival = bench_rivals; rival->name; rival++) {
        struct bench_rival_answer other = {0};

        rival->solve(&it.problem, seconds_max, &other);
        printf("; %s %.2f s (%.0f x)%s", rival->name, other.seconds, other.seconds / ours,
               other.is_optimal ? "" : " unfinished");
        best = other.is_optimal ? fmax(best, other.value) : best;
    }
    if (best > 0) {
        double loss = fmax(0, (best - answer.value) / best);

        losses->known++;
        losses->exact += loss <= 1e-9;
        losses->largest = fmax(losses->largest, loss);
        printf("; loss %.1e", loss);
    }
    printf("\n");
    fflush(stdout);
    free(answer.choice);
    bench_finish(&it);
}

static void show_rivals(double seconds_max)
{
    static const int32_t types[] = {1, 3, 6};
    static const struct bench_size sizes[] = {{64, 64, 0, 0}, {256, 256, 0, 0}};
    struct losses losses = {0};

    printf("\nBeside general solvers (%.0f s each at most)\n", seconds_max);
    compare(&(struct bench_size){1000, 1024, 3, BENCH_CONCAVE}, 1, fmax(60, seconds_max), &losses);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] * 6; i++) {
        struct bench_size size = sizes[i / 6];

        size.types = types[i % 6 / 2];
        size.value = i % 2 ? BENCH_LINEAR : BENCH_CONCAVE;
        for (uint64_t seed = 1; seed <= LOSS_SEEDS; seed++) {
            compare(&size, seed, seconds_max, &losses);
        }
    }
    printf("loss: %d of %d exact %s, largest %.1e %s\n", losses.exact, losses.known,
           judge(0.9 * losses.known, losses.exact), losses.largest, judge(losses.largest, 1e-3));
}

int main(int argc, char **argv)
{
    double seconds_max = argc > 1 ? strtod(argv[1], NULL) : 20;

    show_cold();
    show_warm();
    if (bench_rivals[0].name) {
        show_rivals(seconds_max);
    } else {
        printf("\nno general solver was there when this was built: libglpk-dev, "
               "coinor-libcbc-dev\n");
    }
    return missed > 0;
}
