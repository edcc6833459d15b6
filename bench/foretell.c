/* One look ahead at a long queue: jobs that wait on 1,000 busy GPUs, under each policy named.
 * Prints a table: milliseconds of a round, of one with a new job, of the first answer and of a look
 * ahead with submissions to come.
 *
 *     foretell [JOBS [POLICY[:OPTION=NUMBER]…]]    that wait (default 10,000)
 *
 * RUNS=0 in the environment leaves the last column out. */
#include "base/own.h"
#include "base/rng.h"
#include "core/arrivals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { JOBS = 10000, BUSY = 400, NODES = 125, USERS = 40, RUNS = 3 };

static double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void add_nodes(struct bl_core *core)
{
    for (int i = 0; i < NODES; i++) {
        char name[16];
        struct bl_event event = {.kind = BL_EVENT_NODE_ADDED};

        snprintf(name, sizeof name, "n%d", i);
        event.u.node = (struct bl_node_spec){.name = name,
                                             .gpu_type = "A100",
                                             .gpus = 8,
                                             .gpu_mem_bytes = INT64_C(40) << 30,
                                             .cpu_milli = 128000,
                                             .mem_bytes = INT64_C(512) << 30};
        bl_core_step(core, &event, NULL);
    }
}

static bl_time draw_limit(struct bl_rng *rng)
{
    double radius = sqrt(-2 * log(1 - bl_rng_unit(rng)));
    double hours = 2 * exp(1.4 * radius * cos(6.283185307179586 * bl_rng_unit(rng)));

    return (bl_time)(fmin(fmax(hours, 0.1), 72) * 60) * BL_MINUTE;
}

/* One each five seconds, as of late. */
static void submit(struct bl_core *core, struct bl_rng *rng, bl_job_id id)
{
    static const int32_t sizes[] = {1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 16, 32};
    int32_t gpus = sizes[bl_rng_between(rng, 0, 15)];
    bl_time at = id * 5 * BL_SECOND;
    struct bl_event event = {.kind = BL_EVENT_JOB_SUBMITTED, .job = id};
    char user[16];

    event.at = at > bl_core_now(core) ? at : bl_core_now(core);
    snprintf(user, sizeof user, "u%d", (int)bl_rng_between(rng, 1, USERS));
    event.u.submitted = (struct bl_job_spec){.gpus_min = gpus,
                                             .gpus_want = gpus,
                                             .gpus_max = gpus,
                                             .user = user,
                                             .cpu_milli = {4000, true},
                                             .mem_bytes = {INT64_C(8) << 30, true},
                                             .limit = draw_limit(rng)};
    bl_core_step(core, &event, NULL);
}

/* Of an option that is a number; -1: there is none of that name. */
static int find_option(const struct bl_policy *policy, const char *name, size_t length)
{
    for (size_t i = 0; i < policy->option_count; i++) {
        if (strncmp(policy->option[i].name, name, length) == 0 && !policy->option[i].name[length]) {
            return (int)i;
        }
    }
    return -1;
}

/* NAME or NAME:OPTION=NUMBER. */
static struct bl_policy_choice choose(const char *text)
{
    size_t length = strcspn(text, ":");
    const char *option = text[length] ? text + length + 1 : "";
    size_t named = strcspn(option, "=");
    char name[32];
    const struct bl_policy *policy;
    struct bl_policy_choice choice;

    snprintf(name, sizeof name, "%.*s", (int)length, text);
    policy = bl_policy_find(name);
    if (!policy || (*option && (find_option(policy, option, named) < 0 || !option[named]))) {
        fprintf(stderr, "%s: no such policy or option\n", text);
        exit(2);
    }
    choice = bl_policy_default(policy);
    if (*option) {
        choice.value[find_option(policy, option, named)] = strtoll(option + named + 1, NULL, 10);
    }
    return choice;
}

static void set_policy(struct bl_core *core, const char *text)
{
    struct bl_event event = {.kind = BL_EVENT_POLICY_SET};

    event.u.policy = choose(text);
    bl_core_step(core, &event, NULL);
}

static double decide(struct bl_core *core, bl_time at)
{
    struct bl_actions actions = {0};
    double began = cpu_ms();

    bl_core_step(core, &(struct bl_event){.kind = BL_EVENT_ROUND, .at = at}, &actions);
    for (size_t i = 0; i < actions.list.count; i++) {
        bl_core_step(core,
                     &(struct bl_event){.kind = BL_EVENT_JOB_STARTED,
                                        .at = at,
                                        .job = actions.list.at[i].job,
                                        .attempt = actions.list.at[i].attempt},
                     NULL);
    }
    bl_actions_finish(&actions);
    return cpu_ms() - began;
}

struct rounds {
    double usual_ms;
    double new_ms; /* one job is new */
};

static struct bl_core *make_core(const char *policy, int jobs, struct rounds *rounds)
{
    struct bl_core *core = bl_core_create(BL_KEEP_ENDED);
    struct bl_rng rng;

    bl_rng_seed(&rng, 7);
    set_policy(core, "pack");
    add_nodes(core);
    for (bl_job_id id = 1; id <= BUSY + jobs; id++) {
        submit(core, &rng, id);
        if (id == BUSY) {
            decide(core, 5 * BL_SECOND * BUSY);
        }
    }
    set_policy(core, policy);
    decide(core, bl_core_now(core) + BL_MINUTE);
    rounds->usual_ms = decide(core, bl_core_now(core) + BL_SECOND);
    submit(core, &rng, BUSY + jobs + 1);
    rounds->new_ms = decide(core, bl_core_now(core) + BL_SECOND);
    return core;
}

static void sample(const struct bl_core *core, uint64_t seed, struct bl_arena *arena)
{
    const struct bl_foretell_options options = {
        .seed = seed, .grain = bl_foretell_grain(core), .of_late = bl_core_arrivals(core)};

    bl_foretell_run(core, &options, arena);
}

static int runs_wanted(void)
{
    const char *text = getenv("RUNS");

    return text ? (int)strtol(text, NULL, 10) : RUNS;
}

static void measure(const char *policy, int jobs)
{
    struct bl_arena arena = {0};
    struct rounds rounds;
    struct bl_core *core = make_core(policy, jobs, &rounds);
    int runs = runs_wanted();
    double began = cpu_ms();
    size_t told = 0;
    double median_ms;
    struct bl_foretell_options options = {.is_median = true, .grain = bl_foretell_grain(core)};
    struct bl_foretell_run run = bl_foretell_run(core, &options, &arena);

    median_ms = cpu_ms() - began;
    for (size_t i = 0; i < run.count; i++) {
        told += run.row[i].start != BL_TIME_NEVER;
    }
    began = cpu_ms();
    for (int i = 0; i < runs; i++) {
        sample(core, (uint64_t)i, &arena);
    }
    printf("%-24s %8.1f %8.1f %8.0f %8.0f %8zu of %zu\n", policy, rounds.usual_ms, rounds.new_ms,
           median_ms, runs > 0 ? (cpu_ms() - began) / runs : 0, told, run.count);
    fflush(stdout);
    bl_core_destroy(core);
    bl_arena_finish(&arena);
}

int main(int argc, char **argv)
{
    int jobs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : JOBS;

    printf("%-24s %8s %8s %8s %8s %8s\n", "policy", "round/ms", "new/ms", "first", "run/ms",
           "told");
    for (int i = 2; i < argc; i++) {
        measure(argv[i], jobs);
    }
    for (size_t i = 0; argc <= 2 && bl_policies[i]; i++) {
        measure(bl_policies[i]->name, jobs);
    }
    return 0;
}
