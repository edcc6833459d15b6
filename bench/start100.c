/* How long it takes to start a hundred one-GPU jobs with the local engine, from the first start to
 * the last living process, beside posix_spawn of the same hundred commands.
 *
 *     start100 SUPERVISOR [ROUNDS [DIR]]
 *
 * The state directory is made in DIR, /tmp unless given. On ext4 the result depends on what else
 * removed files there in the last minutes: DIR on a tmpfs shows the engine alone. */
#include "base/own.h"
#include "base/sort.h"
#include "engine/engine.h"
#include "engine/launch_env.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/loop.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 100, NODES = 2, NODE_GPUS = 64, ROUNDS_DEFAULT = 5 };

struct bench {
    char dir[128];
    struct bl_loop *loop;
    const struct bl_engine *engine;
    void *self;
    struct bl_cluster cluster;
    size_t started;
    size_t ended;
    bl_time begin;
    bl_time last_started;
};

static char command[] = "/bin/sleep";
static char span[] = "1000";
static char *argv_of_job[] = {command, span, NULL};
static char path_variable[] = "PATH=/usr/bin:/bin";
static char *environment[] = {path_variable, NULL};

static void on_report(void *self, const struct bl_event *event)
{
    struct bench *bench = self;

    if (event->kind == BL_EVENT_JOB_STARTED) {
        bench->started++;
        bench->last_started = bl_clock_monotonic();
    } else {
        bench->ended++;
    }
}

static int open_bench(struct bench *bench, const char *supervisor, bool no_cgroup)
{
    struct bl_node_spec node[NODES] = {{.name = "a"}, {.name = "b"}};
    struct bl_clusterspec declared = {.node = node, .node_count = NODES};
    struct bl_engine_config config = {.state_dir = bench->dir,
                                      .supervisor = supervisor,
                                      .declared = &declared,
                                      .no_cgroup = no_cgroup};
    struct bl_engine_host host = {.self = bench, .report = on_report};
    struct bl_error err = {0};

    for (int i = 0; i < NODES; i++) {
        node[i].gpu_type = "A100";
        node[i].gpus = NODE_GPUS;
        bl_cluster_add_node(&bench->cluster, &node[i]);
    }
    bench->loop = bl_loop_create();
    bench->engine = bl_engine_find("local");
    config.loop = bench->loop;
    if (bench->engine->create(&config, host, &bench->self, &err)) {
        fprintf(stderr, "start100: %s\n", err.text);
        return 1;
    }
    return 0;
}

static void start(struct bench *bench, int64_t id)
{
    char workdir[128];
    char pattern[] = "%j.log";
    struct bl_job job = {.id = id, .spec = {.name = "bench", .job_class = BL_CLASS_BATCH}};
    struct bl_alloc alloc = {.part_count = 1,
                             .single = {.node = id > NODE_GPUS,
                                        .gpus = 1,
                                        .gpu_mask = UINT64_C(1) << (id - 1) % NODE_GPUS,
                                        .cpu_milli = 1000,
                                        .mem_bytes = INT64_C(1) << 30}};
    struct bl_launch launch = {.argv = argv_of_job,
                               .argc = 2,
                               .workdir = workdir,
                               .log_pattern = pattern,
                               .uid = (int64_t)getuid(),
                               .gid = (int64_t)getgid(),
                               .grace = BL_SECOND};
    struct bl_engine_job what = {
        .job = &job, .attempt = 1, .alloc = &alloc, .cluster = &bench->cluster, .launch = &launch};

    memcpy(workdir, bench->dir, sizeof workdir);
    bench->engine->start(bench->self, &what);
}

/* From the first start to the last living process, in microseconds. */
static bl_time run_engine(const char *top, const char *supervisor, bool no_cgroup)
{
    struct bench bench = {0};

    snprintf(bench.dir, sizeof bench.dir, "%s/XXXXXX", top);
    if (!mkdtemp(bench.dir) || open_bench(&bench, supervisor, no_cgroup)) {
        exit(1);
    }
    for (int64_t id = 1; id <= JOBS; id++) {
        bl_launch_env_write(bench.dir, id, (const char *const *)environment, NULL);
    }
    bench.begin = bl_clock_monotonic();
    for (int64_t id = 1; id <= JOBS; id++) {
        start(&bench, id);
    }
    while (bench.started < JOBS) {
        bl_loop_step(bench.loop, BL_SECOND);
    }
    for (int64_t id = 1; id <= JOBS; id++) {
        bench.engine->stop(bench.self, id, 1);
    }
    while (bench.ended < JOBS) {
        bl_loop_step(bench.loop, BL_SECOND);
    }
    bench.engine->destroy(bench.self);
    bl_loop_destroy(bench.loop);
    bl_cluster_finish(&bench.cluster);
    return bench.last_started - bench.begin;
}

static bl_time run_spawn(void)
{
    pid_t pid[JOBS];
    bl_time begin = bl_clock_monotonic();
    bl_time end;

    for (int i = 0; i < JOBS; i++) {
        if (posix_spawn(&pid[i], command, NULL, NULL, argv_of_job, environment)) {
            exit(1);
        }
    }
    end = bl_clock_monotonic();
    for (int i = 0; i < JOBS; i++) {
        kill(pid[i], SIGKILL);
        waitpid(pid[i], NULL, 0);
    }
    return end - begin;
}

static int compare_times(const void *left, const void *right)
{
    const bl_time *a = left;
    const bl_time *b = right;

    return (*a > *b) - (*a < *b);
}

static double median_ms(bl_time *times, long count)
{
    bl_sort(times, (size_t)count, sizeof *times, compare_times);
    bl_time middle = times[count / 2];

    return (double)middle / 1000;
}

int main(int argc, char **argv)
{
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : ROUNDS_DEFAULT;
    char top[64];
    bl_time *spawn;
    bl_time *with;
    bl_time *without;

    if (argc < 2 || rounds < 1) {
        fprintf(stderr, "usage: start100 SUPERVISOR [ROUNDS [DIR]]\n");
        return 2;
    }
    snprintf(top, sizeof top, "%s/baleen-bench-XXXXXX", argc > 3 ? argv[3] : "/tmp");
    if (!mkdtemp(top)) {
        perror("start100");
        return 1;
    }
    spawn = bl_alloc_zero((size_t)rounds * sizeof *spawn);
    with = bl_alloc_zero((size_t)rounds * sizeof *with);
    without = bl_alloc_zero((size_t)rounds * sizeof *without);
    for (long i = 0; i < rounds; i++) { /* in turn, so that a noisy moment meets all three */
        spawn[i] = run_spawn();
        with[i] = run_engine(top, argv[1], false);
        without[i] = run_engine(top, argv[1], true);
    }
    /* Only now: ext4 makes files slowly for a while where many were just removed. */
    bl_fs_remove_tree(top, NULL);
    double base = median_ms(spawn, rounds);
    double grouped = median_ms(with, rounds);
    double bare = median_ms(without, rounds);
    printf("posix_spawn of %d             %7.1f ms\n", JOBS, base);
    printf("local engine                  %7.1f ms  %.2f times\n", grouped, grouped / base);
    printf("local engine, no cgroup       %7.1f ms  %.2f times\n", bare, bare / base);
    free(spawn);
    free(with);
    free(without);
    return 0;
}
