/* What is to be known of a process that somebody wants to be a job: whose it is, whether it may be
 * one, which GPUs it uses. Nothing is done to it here. */
#include "base/units.h"
#include "engine/local_inside.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LEVELS_MAX = 1 << 16 /* of the process tree: ends the walk up should /proc show a circle */
};

struct examination {
    struct bl_local *local;
    const struct bl_engine_asker *asker;
    const struct bl_sight *seen;
    struct bl_proc_list all;    /* borrowed of it, */
    struct bl_proc_about about; /* and this */
    struct bl_engine_process *out;
    struct bl_arena *arena;
    struct bl_error *err;
};

static int refuse(const struct examination *of, const char *why, const char *hint)
{
    bl_fail(of->err, BL_EREFUSED, "process %d %s", (int)of->about.proc.pid, why);
    return bl_error_set_hint(of->err, "%s", hint);
}

/* ---- whose it is ---- */

static int check_owner(const struct examination *of)
{
    bool is_theirs = of->about.is_of_one && (int64_t)of->about.uid == of->asker->uid;

    if (geteuid() != 0 && !(of->about.is_of_one && of->about.uid == geteuid())) {
        return refuse(of, "belongs to another user",
                      "a daemon that does not run as root adopts processes of its own user only");
    }
    if (is_theirs || of->asker->is_manager) {
        return BL_OK;
    }
    return refuse(of, "belongs to another user",
                  "one adopts one's own processes; administrators any");
}

/* ---- what it is ---- */

static bool is_below(const struct examination *of, pid_t pid, pid_t above)
{
    const struct bl_proc *at = bl_proc_find(&of->all, pid);

    for (int level = 0; at && level < LEVELS_MAX; level++) {
        if (at->parent == above) {
            return true;
        }
        at = bl_proc_find(&of->all, at->parent);
    }
    return false;
}

static bool is_it(const struct examination *of, pid_t pid, uint64_t start)
{
    return pid > 0 && pid == of->about.proc.pid && start == of->about.proc.start_ticks;
}

static int check_kind(const struct examination *of)
{
    const struct bl_proc *proc = &of->about.proc;

    if (of->about.is_kernels) {
        return refuse(of, "is a thread of the kernel", "name a process of yours");
    }
    if (proc->pid == 1) {
        return refuse(of, "is the machine's first one: all others descend from it",
                      "name a process of yours");
    }
    if (proc->state == 'Z' || proc->state == 'X') {
        return refuse(of, "has ended: only its parent has not taken notice yet",
                      "name one that runs");
    }
    if (proc->pid == getpid()) {
        return refuse(of, "is the baleen daemon itself", "name a process of yours");
    }
    if (is_below(of, getpid(), proc->pid)) {
        return refuse(of, "is one that the baleen daemon descends from: it would end with the job",
                      "name the process that uses the GPU");
    }
    return BL_OK;
}

/* ---- whether it is a job's already ---- */

static int refuse_jobs(const struct examination *of, bl_job_id job)
{
    bl_fail(of->err, BL_EREFUSED, "process %d belongs to job %lld already", (int)of->about.proc.pid,
            (long long)job);
    return bl_error_set_hint(of->err, "baleen show %lld tells of it", (long long)job);
}

static int check_attempt(const struct examination *of, const struct bl_attempt *attempt)
{
    const struct bl_spawn_status *status = &attempt->status;
    pid_t pid = of->about.proc.pid;

    if (is_it(of, status->supervisor, status->supervisor_start)) {
        return refuse(of, "is the supervisor of a job", "name a process of yours");
    }
    if (is_it(of, status->pid, status->pid_start) ||
        (status->supervisor && is_below(of, pid, status->supervisor)) ||
        (attempt->is_adopted && status->pid && is_below(of, pid, status->pid))) {
        return refuse_jobs(of, attempt->job);
    }
    if ((status->supervisor && is_below(of, status->supervisor, pid)) ||
        (status->pid && is_below(of, status->pid, pid))) {
        return refuse(of, "has a job of its own among its descendants",
                      "name the process that uses the GPU");
    }
    return BL_OK;
}

/* The job in whose group it is; 0 = in none of this daemon's. */
static bl_job_id job_of_group(const struct examination *of)
{
    BL_AUTO_BUF path = {0};
    BL_AUTO_BUF text = {0};
    BL_AUTO_BUF group = {0};
    const char *at;

    bl_buf_printf(&path, "/proc/%d/cgroup", (int)of->about.proc.pid);
    bl_buf_printf(&group, "/%s/job-", of->local->site.identity);
    if (bl_fs_read(bl_buf_text(&path), (size_t)64 * 1024, &text, NULL)) {
        return 0;
    }
    at = strstr(bl_buf_text(&text), bl_buf_text(&group));
    return at ? strtoll(at + group.length, NULL, 10) : 0;
}

/* "IDENTITY.JOB.ATTEMPT" in its environment. That of a job which is over is no obstacle. */
static int check_token(const struct examination *of)
{
    const char *token = of->about.token;
    size_t length = strlen(of->local->site.identity);
    bool is_ours =
        token && strncmp(token, of->local->site.identity, length) == 0 && token[length] == '.';
    bl_job_id job = is_ours ? strtoll(token + length + 1, NULL, 10) : 0;

    if (token && !is_ours) {
        return refuse(of, "belongs to a job of another baleen daemon", "ask that one about it");
    }
    return job && bl_map_find(&of->local->attempts, job) ? refuse_jobs(of, job) : BL_OK;
}

static int check_jobs(const struct examination *of)
{
    const struct bl_attempt *attempt;
    bl_job_id job = job_of_group(of);
    size_t cursor = 0;
    int status = job ? refuse_jobs(of, job) : check_token(of);

    while (status == BL_OK && (attempt = bl_map_next(&of->local->attempts, &cursor))) {
        status = check_attempt(of, attempt);
    }
    return status;
}

/* ---- which GPUs it uses ---- */

static void note_gpu(struct examination *of, size_t node, int32_t gpu)
{
    struct bl_engine_process *out = of->out;
    const char *name = of->local->site.nodes.node[node].spec.name;

    for (size_t i = 0; i < out->on_count; i++) {
        if (out->on[i].node == name) {
            out->on[i].gpu_mask |= UINT64_C(1) << gpu;
            return;
        }
    }
    out->on[out->on_count++] = (struct bl_booking_place){name, UINT64_C(1) << gpu};
}

/* Notes the GPU for which `is` says yes; false when there is none. */
static bool note_first(struct examination *of,
                       bool (*is)(const struct bl_local_node *node, int32_t gpu, const char *word),
                       const char *word)
{
    const struct bl_local_nodes *nodes = &of->local->site.nodes;

    for (size_t i = 0; i < nodes->count; i++) {
        for (int32_t gpu = 0; gpu < nodes->node[i].spec.gpus; gpu++) {
            if (is(&nodes->node[i], gpu, word)) {
                note_gpu(of, i, gpu);
                return true;
            }
        }
    }
    return false;
}

/* An abbreviated one counts, as for CUDA. */
static bool has_uuid(const struct bl_local_node *node, int32_t gpu, const char *word)
{
    return strncmp(node->uuid[gpu], word, strlen(word)) == 0;
}

static bool has_number(const struct bl_local_node *node, int32_t gpu, const char *word)
{
    int64_t number = -1;

    return bl_int_parse(word, 0, INT32_MAX, &number, NULL) == BL_OK && number == node->device[gpu];
}

static bool is_of_tree(const struct examination *of, pid_t pid)
{
    return pid == of->about.proc.pid || is_below(of, pid, of->about.proc.pid);
}

/* What the driver said that the process and its descendants compute on. */
static void read_driver(struct examination *of)
{
    const struct bl_nvml_processes *who = &of->seen->who;

    for (size_t i = 0; i < who->all.count; i++) {
        if (is_of_tree(of, who->all.at[i].pid)) {
            note_first(of, has_uuid, who->all.at[i].uuid);
        }
    }
    of->out->knows_gpus = of->out->on_count > 0;
}

/* CUDA stops at the first word that names nothing. */
static void ask_environment(struct examination *of)
{
    BL_AUTO_FREE char *copy = bl_copy_text(of->about.devices);
    char *rest = copy;
    char *word;

    if (!copy) {
        return;
    }
    while ((word = strsep(&rest, ","))) {
        word += strspn(word, " ");
        if (!*word ||
            !note_first(of, strncmp(word, "GPU-", 4) == 0 ? has_uuid : has_number, word)) {
            break;
        }
    }
    of->out->knows_gpus = true;
}

static void find_gpus(struct examination *of)
{
    const struct bl_local_nodes *nodes = &of->local->site.nodes;

    of->out->on = bl_arena_alloc(of->arena, (nodes->count + 1) * sizeof *of->out->on);
    of->out->node = nodes->count ? nodes->node[0].spec.name : NULL;
    read_driver(of);
    if (!of->out->knows_gpus) {
        ask_environment(of);
    }
}

/* ---- what would be the job's with it ---- */

/* Those that it starts jobs by: its children, and theirs that are no supervisors yet. Not all that
 * is below it: where it is the first process of a container, what lost its parent is. */
static bool is_daemons(const struct examination *of)
{
    const struct bl_nursery *nursery = of->local->nursery;

    return bl_nursery_started(nursery, of->about.proc.pid) ||
           bl_nursery_started(nursery, of->about.proc.parent);
}

/* As the supervisor has it: descendants, and the group and session that it leads. */
static bool goes_with_it(const struct examination *of, const struct bl_proc *proc)
{
    const struct bl_proc *main = &of->about.proc;
    bool leads = main->group == main->pid || main->session == main->pid;

    return (leads && (proc->group == main->pid || proc->session == main->pid)) ||
           is_of_tree(of, proc->pid);
}

/* The supervisor may do more than the one who asks: what they could not end themselves they cannot
 * have ended as a job. */
static int check_rest(const struct examination *of)
{
    if (is_daemons(of)) {
        return refuse(of, "is one of the baleen daemon's own", "name a process of yours");
    }
    if (of->asker->is_manager && geteuid() == 0) {
        return BL_OK;
    }
    for (size_t i = 0; i < of->all.all.count; i++) {
        const struct bl_proc *proc = &of->all.all.at[i];

        if (goes_with_it(of, proc) && !bl_proc_is_users(proc->pid, of->about.uid)) {
            return refuse(of, "has processes of another user with it",
                          "name the process that uses the GPU");
        }
    }
    return BL_OK;
}

/* ---- all of it ---- */

/* '%' would be read as a pattern's. */
static char *as_pattern(struct bl_arena *arena, const char *path)
{
    BL_AUTO_BUF text = {0};

    for (const char *at = path; *at; at++) {
        bl_buf_append(&text, *at == '%' ? "%%" : at, *at == '%' ? 2 : 1);
    }
    return bl_arena_copy_text(arena, bl_buf_text(&text));
}

static void describe(const struct examination *of)
{
    const struct bl_proc_about *about = &of->about;
    struct bl_launch *launch = &of->out->launch;

    of->out->name = about->name;
    launch->argv = about->argv;
    launch->argc = about->argc;
    launch->workdir = bl_arena_copy_text(of->arena, about->workdir ? about->workdir : "/");
    launch->log_pattern = about->output ? as_pattern(of->arena, about->output) : NULL;
    launch->uid = about->uid;
    launch->gid = about->gid;
    launch->pid = about->proc.pid;
    launch->pid_start = (int64_t)about->proc.start_ticks;
    launch->boot = bl_arena_copy_text(of->arena, bl_proc_boot(of->arena));
}

int bl_local_examine(struct bl_local *local, const struct bl_engine_asker *asker,
                     const struct bl_sight *seen, struct bl_arena *arena,
                     struct bl_engine_process *out, struct bl_error *err)
{
    struct examination of = {.local = local,
                             .asker = asker,
                             .seen = seen,
                             .all = seen->all,
                             .about = seen->about,
                             .out = out,
                             .arena = arena,
                             .err = err};
    int status = BL_OK;

    *out = (struct bl_engine_process){0};
    if (!seen->is_there) {
        return bl_fail(err, BL_ENOTFOUND, "there is no process %lld", (long long)asker->pid);
    }
    status = check_owner(&of);
    status = status == BL_OK ? check_kind(&of) : status;
    status = status == BL_OK ? check_jobs(&of) : status;
    status = status == BL_OK ? check_rest(&of) : status;
    if (status == BL_OK) {
        find_gpus(&of);
        describe(&of);
    }
    return status;
}
