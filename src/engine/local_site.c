#include "engine/local_site.h"

#include "engine/launch_env.h"
#include "engine/local_env.h"
#include "os/clock.h"
#include "os/log.h"
#include "os/spawn_spec.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { UMASK = 022, CPU_WEIGHT_MAX = 10000 };

#define MEM_BYTES_MAX (INT64_C(1) << 60)

/* FNV-1a of what tells this state directory from any other. */
static char *identify(const char *state_dir)
{
    struct stat about = {0};
    BL_AUTO_BUF text = {0};
    uint64_t hash = UINT64_C(14695981039346656037);

    stat(state_dir, &about);
    bl_buf_printf(&text, "%s %llu %llu", state_dir, (unsigned long long)about.st_dev,
                  (unsigned long long)about.st_ino);
    for (size_t i = 0; i < text.length; i++) {
        hash = (hash ^ (unsigned char)text.text[i]) * UINT64_C(1099511628211);
    }
    bl_buf_clear(&text);
    bl_buf_printf(&text, "%016llx", (unsigned long long)hash);
    return bl_buf_take(&text);
}

static void open_groups(struct bl_local_site *site, bool no_cgroup)
{
    struct bl_error err = {0};

    if (no_cgroup) {
        bl_log(BL_LOG_INFO, "control groups are switched off: the processes of a job are found by "
                            "descent, and neither memory nor CPUs are limited");
        return;
    }
    if (bl_cgroup_open_base(site->identity, &site->groups, &err)) {
        bl_log(BL_LOG_WARNING,
               "no control groups: %s; the processes of a job are found by descent, and neither "
               "memory nor CPUs are limited",
               err.text);
        return;
    }
    site->has_groups = true;
    if (!site->groups.has_memory || !site->groups.has_cpu) {
        bl_log(BL_LOG_WARNING,
               "jobs are not limited in %s: no such controller is handed down to %s",
               site->groups.has_memory ? "CPU time"
                                       : (site->groups.has_cpu ? "memory" : "memory and CPU time"),
               bl_buf_text(&site->groups.path));
    }
}

int bl_local_site_open(struct bl_local_site *site, const struct bl_engine_config *config,
                       struct bl_error *err)
{
    int status;

    *site =
        (struct bl_local_site){.state_dir = bl_copy_text(config->state_dir),
                               .rules = config->rules ? *config->rules : bl_config_default().local};
    status = bl_local_files_prepare(site->state_dir, err);
    if (!status && config->declared && config->declared->node_count) {
        status = bl_local_nodes_declare(config->declared, &site->nodes, err);
    } else if (!status) {
        bl_local_nodes_find(&site->nodes);
    }
    if (!status) {
        site->identity = identify(site->state_dir);
        open_groups(site, config->no_cgroup);
    }
    return status;
}

void bl_local_site_finish(struct bl_local_site *site)
{
    bl_arena_finish(&site->scratch);
    bl_local_nodes_finish(&site->nodes);
    bl_local_users_finish(&site->users);
    bl_cgroup_base_finish(&site->groups);
    free(site->identity);
    free(site->state_dir);
}

/* ---- specs ---- */

/* So many times the memory that a job books; whole bytes, and no more than the kernel counts. */
static int64_t times(int64_t bytes, double factor)
{
    double product = (double)bytes * factor;

    return product < (double)MEM_BYTES_MAX ? (int64_t)product : MEM_BYTES_MAX;
}

/* A job that did not say how much memory it needs is not held to the little that it books. */
static void set_limits(const struct bl_local_site *site, const struct bl_engine_job *job,
                       struct bl_spawn_spec *spec)
{
    const struct bl_alloc_part *parts = bl_alloc_parts(job->alloc);
    int64_t mem_bytes = 0;
    int64_t cpu_milli = 0;

    for (uint32_t i = 0; i < job->alloc->part_count; i++) {
        mem_bytes += parts[i].mem_bytes;
        cpu_milli += parts[i].cpu_milli;
    }
    if (site->groups.has_memory && !job->launch->mem_unasked) {
        spec->mem_high = times(mem_bytes, site->rules.memory_soft);
        spec->mem_max = times(mem_bytes, site->rules.memory_hard);
    }
    if (site->groups.has_cpu && cpu_milli) { /* 100 a CPU: the kernel's standard weight */
        spec->cpu_weight = cpu_milli / 10 < 1 ? 1 : cpu_milli / 10;
        spec->cpu_weight = spec->cpu_weight > CPU_WEIGHT_MAX ? CPU_WEIGHT_MAX : spec->cpu_weight;
    }
}

/* What the texts of a spec point into. */
struct spec_texts {
    struct bl_buf token;
    struct bl_buf log;
    struct bl_buf error;
    struct bl_buf script;
    struct bl_buf cgroup;
    struct bl_buf alloc;
    bl_local_devices devices;
};

static void finish_texts(struct spec_texts *texts)
{
    bl_buf_finish(&texts->token);
    bl_buf_finish(&texts->log);
    bl_buf_finish(&texts->error);
    bl_buf_finish(&texts->script);
    bl_buf_finish(&texts->cgroup);
    bl_buf_finish(&texts->alloc);
    BL_VEC_FINISH(&texts->devices);
}

static void write_texts(const struct bl_local_site *site, const struct bl_engine_job *job,
                        struct spec_texts *texts)
{
    const struct bl_job *about = job->job;
    struct bl_log_names names = {.name = about->spec.name,
                                 .user = about->spec.user,
                                 .id = about->id,
                                 .attempt = job->attempt};

    if (about->array_job) {
        names.array_id = about->array_job->id;
        names.array_index = bl_job_array_index(about);
    }

    if (job->alloc->part_count) {
        names.node = job->cluster->node[bl_alloc_parts(job->alloc)->node].spec.name;
    }
    bl_launch_log_path(&texts->log, job->launch, &names);
    bl_launch_error_path(&texts->error, job->launch, &names);
    bl_buf_printf(&texts->token, BL_SPAWN_TOKEN_NAME "=%s.%lld.%d", site->identity,
                  (long long)about->id, job->attempt);
    if (site->has_groups) {
        bl_buf_printf(&texts->cgroup, "%s/job-%lld.%d", bl_buf_text(&site->groups.path),
                      (long long)about->id, job->attempt);
    }
}

/* Fills the environment; false when what was submitted cannot be read. */
static bool build_environment(struct bl_local_site *site, const struct bl_engine_job *job,
                              const struct bl_local_paths *paths, struct spec_texts *texts,
                              struct bl_spawn_spec *spec)
{
    const struct bl_job *array = job->job->array_job;
    bl_job_id submission = array ? array->id : job->job->id;
    struct bl_error err = {0};
    char *nothing[] = {NULL};
    char **submitted = nothing; /* all that there is of a process that is adopted */
    struct bl_local_setting setting = {.job = job->job->id,
                                       .attempt = job->attempt,
                                       .array = array ? array->id : 0,
                                       .array_index = bl_job_array_index(job->job),
                                       .token = bl_buf_text(&texts->token),
                                       .directory = bl_buf_text(&paths->directory),
                                       .job_spec = &job->job->spec,
                                       .array_spec = array ? &array->spec : NULL,
                                       .launch = job->launch,
                                       .devices = &texts->devices,
                                       .alloc = job->alloc,
                                       .cluster = job->cluster};

    if (bl_local_nodes_resolve(&site->nodes, job->cluster, job->alloc, &texts->devices, &err) ||
        (!job->launch->pid &&
         bl_launch_env_read(site->state_dir, submission, &site->scratch, &submitted, &err))) {
        bl_log(BL_LOG_ERROR, "job %lld: %s", (long long)job->job->id, err.text);
        return false;
    }
    spec->envp = bl_local_env_build(&setting, submitted, &site->scratch);
    bl_local_env_print_alloc(&setting, &texts->alloc);
    return true;
}

/* The words of `text` behind those of `argv`, in the arena. */
static char **append_words(struct bl_arena *arena, char *const *argv, size_t argc, const char *text)
{
    static const char blanks[] = " \t\r\n";
    size_t most = argc + strlen(text) / 2 + 1;
    char **words = bl_arena_alloc(arena, (most + 1) * sizeof *words);
    char *rest = bl_arena_copy_text(arena, text);
    char *word;

    memcpy(words, argv, argc * sizeof *words);
    while ((word = strtok_r(rest, blanks, &rest))) {
        words[argc++] = word;
    }
    words[argc] = NULL;
    return words;
}

/* What is run: the command, or the script that the supervisor writes, with its arguments; from the
 * second attempt on with what it shall be given to go on from its checkpoint. */
static char **find_words(struct bl_local_site *site, const struct bl_engine_job *job,
                         const struct bl_local_paths *paths, struct spec_texts *texts)
{
    const struct bl_launch *launch = job->launch;
    bool is_resumed = launch->resume && job->attempt > 1;
    char **words =
        append_words(&site->scratch, launch->argv, launch->argc, is_resumed ? launch->resume : "");

    if (launch->script) {
        bl_buf_printf(&texts->script, "%s/script", bl_buf_text(&paths->directory));
        words[0] = bl_arena_copy_text(&site->scratch, bl_buf_text(&texts->script));
    }
    return words;
}

/* 0, or an errno with the stage it belongs to. */
int bl_local_site_write_spec(struct bl_local_site *site, const struct bl_engine_job *job,
                             const struct bl_local_paths *paths, struct bl_buf *out,
                             enum bl_start_stage *stage)
{
    __attribute__((cleanup(finish_texts))) struct spec_texts texts = {0};
    const struct bl_launch *launch = job->launch;
    const struct bl_local_user *user;
    struct bl_spawn_spec spec = {.umask = launch->has_umask ? (mode_t)launch->umask : UMASK};
    int error_number = 0;

    *stage = BL_STAGE_USER;
    user = bl_local_users_find(&site->users, launch->uid, launch->gid, bl_clock_monotonic(),
                               &error_number);
    if (!user) {
        return error_number;
    }
    *stage = BL_STAGE_SPEC;
    write_texts(site, job, &texts);
    bl_arena_reset(&site->scratch);
    if (!build_environment(site, job, paths, &texts, &spec)) {
        return EINVAL;
    }
    spec.token = bl_buf_text(&texts.token);
    spec.directory = bl_buf_text(&paths->directory);
    spec.alloc = bl_buf_text(&texts.alloc);
    spec.workdir = launch->workdir;
    spec.log = bl_buf_text(&texts.log);
    spec.error = texts.error.length ? bl_buf_text(&texts.error) : NULL;
    spec.script = launch->script;
    spec.cgroup = site->has_groups ? bl_buf_text(&texts.cgroup) : NULL;
    spec.become_user = user->become;
    spec.uid = user->uid;
    spec.gid = user->gid;
    spec.group = user->group;
    spec.group_count = user->group_count;
    spec.grace = launch->grace;
    spec.oom_score_adj = site->rules.oom_score_adj[job->job->spec.job_class];
    spec.argv = find_words(site, job, paths, &texts);
    spec.pid = (pid_t)launch->pid;
    spec.pid_start = (uint64_t)launch->pid_start;
    spec.boot = launch->boot;
    set_limits(site, job, &spec);
    bl_spawn_spec_write(out, &spec);
    return out->overflowed ? E2BIG : 0;
}
