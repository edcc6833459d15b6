#include "engine_kit.h"
#include "bl_test.h"

#include "engine/launch_env.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/proc.h"
#include "os/proc_about.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE BL_MINUTE

static void on_report(void *self, const struct bl_event *event)
{
    struct kit *kit = self;

    assert_false(kit->calling);
    if (event->kind == BL_EVENT_GPU_STATE) {
        return; /* of the machine's health, not of a job */
    }
    assert_true(kit->event_count < KIT_EVENTS_MAX);
    kit->event[kit->event_count++] = *event;
}

static void make_directory(char *out, size_t room, const char *dir, const char *name)
{
    snprintf(out, room, "%s/%s", dir, name);
    assert_int_equal(mkdir(out, 0777), 0);
    assert_int_equal(chmod(out, 0777), 0);
}

static void declare(struct kit *kit)
{
    for (int i = 0; i < KIT_NODES; i++) {
        kit->node[i] = (struct bl_node_spec){.name = i ? "node2" : "node1",
                                             .gpu_type = "A100",
                                             .gpus = KIT_NODE_GPUS,
                                             .gpu_mem_bytes = INT64_C(80) << 30,
                                             .cpu_milli = 64000,
                                             .mem_bytes = INT64_C(512) << 30};
    }
    kit->declared = (struct bl_clusterspec){.node = kit->node, .node_count = KIT_NODES};
}

void kit_open(struct kit *kit, const struct kit_fixture *fixture, int variant)
{
    *kit = (struct kit){.fixture = fixture, .variant = variant};
    snprintf(kit->dir, sizeof kit->dir, "/tmp/baleen-engine-XXXXXX");
    assert_non_null(mkdtemp(kit->dir));
    assert_int_equal(chmod(kit->dir, 0755), 0);
    make_directory(kit->state, sizeof kit->state, kit->dir, "state");
    make_directory(kit->work, sizeof kit->work, kit->dir, "work");
    declare(kit);
    fixture->open(kit);
    kit_open_engine(kit);
}

void kit_open_engine(struct kit *kit)
{
    struct bl_clusterspec found = {0};
    struct bl_error err = {0};
    struct bl_engine_config config = {
        .loop = kit->loop, .state_dir = kit->state, .declared = &kit->declared};
    struct bl_engine_host host = {.self = kit, .report = on_report};
    const struct bl_engine *engine = kit->fixture->engine;

    kit->fixture->configure(kit, &config);
    if (engine->create(&config, host, &kit->engine, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(engine->discover(kit->engine, &found, &err), BL_OK);
    for (size_t i = 0; i < found.node_count; i++) {
        if (bl_cluster_find_node(&kit->cluster, found.node[i].name) < 0) {
            bl_cluster_add_node(&kit->cluster, &found.node[i]);
        }
    }
}

void kit_close_engine(struct kit *kit)
{
    kit->fixture->engine->destroy(kit->engine);
    kit->engine = NULL;
}

void kit_restart(struct kit *kit)
{
    kit_close_engine(kit);
    kit->event_count = 0;
    kit_open_engine(kit);
}

static void fill_alloc(struct bl_alloc *alloc, struct bl_alloc_part parts[2], int64_t id,
                       const struct kit_job *job)
{
    int64_t gpu = (id - 1) % KIT_GPUS;
    int32_t node = (int32_t)(gpu / KIT_NODE_GPUS);

    for (int32_t i = 0; i < 2; i++) {
        parts[i] = (struct bl_alloc_part){.node = i,
                                          .gpus = KIT_NODE_GPUS,
                                          .gpu_mask = (1U << KIT_NODE_GPUS) - 1,
                                          .cpu_milli = 1000,
                                          .mem_bytes = INT64_C(1) << 30};
    }
    *alloc = (struct bl_alloc){.part_count = job->all_gpus ? 2 : 1, .many = parts};
    alloc->single = parts[node];
    alloc->single.gpus = job->no_gpu ? 0 : 1;
    alloc->single.gpu_mask = job->no_gpu ? 0 : UINT64_C(1) << gpu % KIT_NODE_GPUS;
}

static void describe_job(struct bl_job *about, int64_t id, const struct kit_job *job)
{
    static const char default_name[] = "name";

    *about = (struct bl_job){.id = id,
                             .attempt = job->attempt ? job->attempt : 1,
                             .planned_end = BL_TIME_NEVER,
                             .spec = {.name = job->name ? job->name : default_name,
                                      .user = "me",
                                      .job_class = BL_CLASS_BATCH,
                                      .gpus_min = 1,
                                      .gpus_want = 1,
                                      .gpus_max = KIT_GPUS,
                                      .work = job->takes}};
    if (job->array) {
        about->array_job = (struct bl_job *)(uintptr_t)job->array;
        about->array_position = (int32_t)(id - job->array->id - 1);
    }
}

static char *boot_of_kit(struct bl_arena *arena)
{
    return bl_arena_copy_text(arena, bl_proc_boot(arena));
}

static void call_engine(struct kit *kit, int64_t id, const struct kit_job *job,
                        void (*call)(void *self, const struct bl_engine_job *job))
{
    const char *plain[] = {"/bin/sh", "-c", job->script ? job->script : "", NULL};
    struct bl_arena arena = {0};
    const char *const *argv = job->argv ? job->argv : plain;
    BL_AUTO_FREE char *workdir = bl_copy_text(job->workdir ? job->workdir : kit->work);
    BL_AUTO_FREE char *pattern = bl_copy_text(job->log ? job->log : BL_LAUNCH_LOG_DEFAULT);
    BL_AUTO_FREE char *error = bl_copy_text(job->error);
    BL_AUTO_FREE char *file = bl_copy_text(job->file);
    struct bl_alloc_part parts[2];
    struct bl_alloc alloc;
    struct bl_job about;
    struct bl_launch launch = {.argv = (char **)(uintptr_t)argv,
                               .workdir = workdir,
                               .log_pattern = pattern,
                               .error_pattern = error,
                               .script = file,
                               .uid = job->uid ? job->uid : (int64_t)getuid(),
                               .gid = job->uid ? job->uid : (int64_t)getgid(),
                               .grace = job->grace ? job->grace : KIT_GRACE,
                               .pid = job->pid,
                               .pid_start = (int64_t)job->pid_start,
                               .boot = job->boot ? bl_arena_copy_text(&arena, job->boot)
                                                 : boot_of_kit(&arena)};
    struct bl_engine_job what = {.job = &about,
                                 .alloc = &alloc,
                                 .cluster = &kit->cluster,
                                 .launch = &launch,
                                 .was_running = job->was_running,
                                 .stopping = job->stopping,
                                 .saving = job->saving};

    while (argv[launch.argc]) {
        launch.argc++;
    }
    describe_job(&about, id, job);
    what.attempt = about.attempt;
    fill_alloc(&alloc, parts, id, job);
    kit->calling = true;
    call(kit->engine, &what);
    kit->calling = false;
    bl_arena_finish(&arena);
}

void kit_start(struct kit *kit, int64_t id, const struct kit_job *job)
{
    static const char *const plain[] = {"PATH=/usr/bin:/bin", NULL};

    int64_t submission = job->array ? job->array->id : id;

    if (!job->pid) {
        assert_int_equal(
            bl_launch_env_write(kit->state, submission, job->env ? job->env : plain, NULL), BL_OK);
    }
    call_engine(kit, id, job, kit->fixture->engine->start);
}

void kit_adopt(struct kit *kit, int64_t id, const struct kit_job *job)
{
    call_engine(kit, id, job, kit->fixture->engine->adopt);
}

void kit_save(struct kit *kit, int64_t id, const struct kit_job *job)
{
    call_engine(kit, id, job, kit->fixture->engine->save);
}

void kit_stop(struct kit *kit, int64_t id)
{
    kit->calling = true;
    kit->fixture->engine->stop(kit->engine, id, 1);
    kit->calling = false;
}

void kit_turn(struct kit *kit, bl_time until, const char *what)
{
    if (bl_clock_monotonic() > until || !kit->fixture->turn(kit)) {
        BL_AUTO_FREE char *story = kit_story(kit);

        fail_msg("waited in vain for %s; so far:\n%s", what, story);
    }
}

const struct bl_event *kit_wait(struct kit *kit, enum bl_event_kind kind, int64_t id)
{
    bl_time until = bl_clock_monotonic() + PATIENCE;
    char what[64];

    snprintf(what, sizeof what, "event %d of job %lld", (int)kind, (long long)id);
    for (size_t i = 0;;) {
        for (; i < kit->event_count; i++) {
            if (kit->event[i].kind == kind && kit->event[i].job == id) {
                return &kit->event[i];
            }
        }
        kit_turn(kit, until, what);
    }
}

char *kit_read(const struct kit *kit, const char *name)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF text = {0};

    bl_buf_printf(&path, "%s/%s", kit->work, name);
    bl_fs_read(bl_buf_text(&path), (size_t)1024 * 1024, &text, NULL);
    return bl_buf_take(&text);
}

void kit_wait_line(struct kit *kit, const char *name, const char *start, char line[256])
{
    bl_time until = bl_clock_monotonic() + PATIENCE;

    for (;;) {
        BL_AUTO_FREE char *text = kit_read(kit, name);

        for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
            *end = '\0';
            if (strncmp(at, start, strlen(start)) == 0) {
                snprintf(line, 256, "%s", at);
                return;
            }
        }
        kit_turn(kit, until, start);
    }
}

void kit_wait_ready(struct kit *kit, int64_t id)
{
    char name[64];
    char line[256];

    snprintf(name, sizeof name, "name-%lld.1.log", (long long)id);
    kit_wait_line(kit, name, "ready", line);
    kit_wait(kit, BL_EVENT_JOB_STARTED, id);
}

/* Signals every living process that carries the environment of the job; their number. */
static size_t each_process(const struct kit *kit, int64_t id, int signal)
{
    struct bl_proc_list list = {0};
    BL_AUTO_BUF entry = {0};
    size_t count = 0;

    bl_buf_printf(&entry, "BALEEN_DIR=%s/jobs/%lld", kit->state, (long long)id);
    assert_true(bl_proc_scan(&list));
    for (size_t i = 0; i < list.all.count; i++) {
        const struct bl_proc *proc = &list.all.at[i];

        if (proc->state != 'Z' && bl_proc_has_environment(proc->pid, bl_buf_text(&entry))) {
            bl_proc_signal(proc->pid, proc->start_ticks, signal);
            count++;
        }
    }
    bl_proc_list_finish(&list);
    return count;
}

size_t kit_count(const struct kit *kit, int64_t id)
{
    return each_process(kit, id, 0);
}

void kit_kill_processes(const struct kit *kit, int64_t id)
{
    each_process(kit, id, SIGKILL);
}

void kit_close(struct kit *kit)
{
    if (kit->engine) {
        kit_close_engine(kit);
    }
    kit->fixture->close(kit);
    bl_cluster_finish(&kit->cluster);
    assert_int_equal(bl_fs_remove_tree(kit->dir, NULL), BL_OK);
}

static void tell(struct bl_buf *out, const struct bl_event *event)
{
    long long job = event->job;

    if (event->kind == BL_EVENT_JOB_STARTED) {
        bl_buf_printf(out, "started %lld\n", job);
    } else if (event->kind == BL_EVENT_JOB_START_FAILED) {
        bl_buf_printf(out, "failed %lld %s %d\n", job,
                      bl_start_stage_name(event->u.start_failed.stage),
                      event->u.start_failed.error_number);
    } else {
        bl_buf_printf(out, "%s %lld %d\n", bl_end_cause_name(event->u.ended.cause), job,
                      event->u.ended.code);
    }
}

char *kit_story(const struct kit *kit)
{
    BL_AUTO_BUF out = {0};

    for (size_t i = 0; i < kit->event_count; i++) {
        tell(&out, &kit->event[i]);
    }
    return bl_buf_take(&out);
}

void kit_expect_story(const struct kit *kit, const char *expected)
{
    BL_AUTO_FREE char *story = kit_story(kit);

    assert_string_equal(story, expected);
}

static void tell_of(struct bl_buf *out, const struct bl_event *event)
{
    bl_buf_append_text(out, out->length ? "; " : "");
    if (event->attempt != 1) {
        bl_buf_printf(out, "%d:", event->attempt);
    }
    if (event->kind == BL_EVENT_JOB_STARTED) {
        bl_buf_append_text(out, "started");
    } else if (event->kind == BL_EVENT_JOB_PROGRESS) {
        bl_buf_append_text(out, "progress");
    } else if (event->kind == BL_EVENT_JOB_START_FAILED) {
        bl_buf_printf(out, "failed %s %d", bl_start_stage_name(event->u.start_failed.stage),
                      event->u.start_failed.error_number);
    } else {
        bl_buf_printf(out, "%s %d", bl_end_cause_name(event->u.ended.cause), event->u.ended.code);
    }
}

char *kit_story_of(const struct kit *kit, int64_t id)
{
    BL_AUTO_BUF out = {0};

    for (size_t i = 0; i < kit->event_count; i++) {
        if (kit->event[i].job == id) {
            tell_of(&out, &kit->event[i]);
        }
    }
    return bl_buf_take(&out);
}
