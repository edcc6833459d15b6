/* A process that ran before there was a supervisor for it. It is nobody's child here: its end is
 * seen by a descriptor, and how it ended is told only where the kernel still knows. What descends
 * from it is the job's: kept together by a group where there are groups, else by looking now and
 * then, since an orphan goes to somebody else. */
#include "supervisor/supervisor.h"

#include "base/arena.h"
#include "os/cgroup.h"
#include "os/own_fd.h"
#include "os/proc_about.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { MOVES_MAX = 100 }; /* rounds in which something was born outside of the group */

#define LOOK_PAUSE       (5 * BL_SECOND)       /* without a group: between looks at who there is */
#define REST_PAUSE_FIRST (10 * BL_MILLISECOND) /* between looks at what the process has left */
#define REST_PAUSE_MAX   (500 * BL_MILLISECOND)
#define BLIND_PAUSE      (200 * BL_MILLISECOND) /* between looks at it, without a descriptor */

struct adoption {
    struct bl_spawn_spec spec; /* without the group where the process could not be moved */
    struct ending ending;
    struct bl_proc main;
    int pidfd; /* -1 = none to be had */
    int signals;
    bool main_ended;
    bool is_cut_off; /* the machine has been started anew since */
    bool is_over;
    bool has_status;
    int status;
    bl_time pause; /* between looks at what is left */
    bl_time look_at;
};

/* ---- the process ---- */

static bool is_this_boot(const char *boot)
{
    struct bl_arena arena = {0};
    bool same = strcmp(bl_proc_boot(&arena), boot) == 0;

    bl_arena_finish(&arena);
    return same;
}

/* A leader whose threads live on looks like a zombie, and is none. */
static bool is_there(const struct bl_proc *main)
{
    struct bl_proc now;

    return bl_proc_read(main->pid, &now) && now.start_ticks == main->start_ticks &&
           !((now.state == 'Z' && now.threads <= 1) || now.state == 'X');
}

static bool has_ended(const struct adoption *adoption)
{
    struct pollfd source = {.fd = adoption->pidfd, .events = POLLIN};

    return adoption->pidfd >= 0 ? poll(&source, 1, 0) > 0 : !is_there(&adoption->main);
}

static void note_end(struct adoption *adoption)
{
    adoption->main_ended = true;
    adoption->has_status = bl_proc_end_of(&adoption->main, adoption->pidfd, &adoption->status);
}

/* The descriptor is held first: what is read then is about the process that it names. */
static bool find_main(struct adoption *adoption)
{
    const struct bl_spawn_spec *spec = &adoption->spec;

    adoption->main = (struct bl_proc){.pid = spec->pid, .start_ticks = spec->pid_start};
    adoption->pidfd = (int)syscall(SYS_pidfd_open, spec->pid, 0);
    adoption->is_cut_off = !is_this_boot(spec->boot);
    return !adoption->is_cut_off && bl_proc_read(spec->pid, &adoption->main) &&
           adoption->main.start_ticks == spec->pid_start;
}

/* ---- its group ---- */

/* The number may stand for another process since one looked. */
static bool is_still(const struct bl_proc *proc)
{
    struct bl_proc now;

    return bl_proc_read(proc->pid, &now) && now.start_ticks == proc->start_ticks;
}

/* False when the process itself cannot be moved. Until nothing new is found outside: what is born
 * inside stays there. */
static bool move_all(struct adoption *adoption)
{
    struct victims *victims = &adoption->ending.victims;
    bool is_moved = true;

    for (int round = 0; is_moved && round < MOVES_MAX; round++) {
        is_moved = false;
        victims_look(victims);
        for (size_t i = 0; i < victims->found.all.count; i++) {
            const struct bl_proc *proc = &victims->found.all.at[i];

            if (victims_is_member(victims, proc->pid) || !is_still(proc)) {
                continue;
            }
            if (bl_cgroup_enter(adoption->spec.cgroup, proc->pid) == 0) {
                is_moved = true;
            } else if (proc->pid == adoption->main.pid && !has_ended(adoption)) {
                return false;
            }
        }
    }
    return true;
}

/* Without a group the job is still one. */
static void enter_group(struct adoption *adoption)
{
    struct bl_spawn_spec *spec = &adoption->spec;
    struct bl_cgroup_limits limits = {spec->mem_high, spec->mem_max, spec->cpu_weight};

    if (spec->cgroup && (bl_cgroup_make(spec->cgroup, &limits) != 0 || !move_all(adoption))) {
        bl_cgroup_remove(spec->cgroup);
        spec->cgroup = NULL;
    }
}

/* ---- its life ---- */

static void read_signals(struct adoption *adoption)
{
    struct signalfd_siginfo info;

    while (read(adoption->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGTERM) {
            ending_begin(&adoption->ending);
        }
    }
}

static bl_time next_look(const struct adoption *adoption)
{
    bl_time wait = BL_TIME_NEVER;

    if (adoption->main_ended) {
        return adoption->pause;
    }
    if (!adoption->spec.cgroup) {
        wait = adoption->look_at - time_now();
    }
    return adoption->pidfd < 0 && wait > BLIND_PAUSE ? BLIND_PAUSE : wait;
}

static void wait_for_more(struct adoption *adoption)
{
    struct pollfd sources[2] = {
        {.fd = adoption->signals, .events = POLLIN},
        {.fd = adoption->main_ended ? -1 : adoption->pidfd, .events = POLLIN}};

    poll(sources, 2, ending_patience(&adoption->ending, next_look(adoption)));
    if (sources[0].revents) {
        read_signals(adoption);
    }
}

/* Nothing may be left of it: what is, is ended. */
static void look_at_rest(struct adoption *adoption)
{
    struct victims *victims = &adoption->ending.victims;

    victims_look(victims);
    victims->leader = 0; /* its number may be somebody else's from now on */
    adoption->is_over = !victims->found.all.count &&
                        !(adoption->spec.cgroup && bl_cgroup_is_populated(adoption->spec.cgroup));
    if (!adoption->is_over) {
        ending_begin(&adoption->ending);
        adoption->pause =
            adoption->pause * 2 < REST_PAUSE_MAX ? adoption->pause * 2 : REST_PAUSE_MAX;
    }
}

static void keep_in_sight(struct adoption *adoption)
{
    if (!adoption->spec.cgroup && time_now() >= adoption->look_at) {
        victims_look(&adoption->ending.victims);
        adoption->look_at = time_now() + LOOK_PAUSE;
    }
}

static void see_through(struct adoption *adoption)
{
    while (!adoption->is_over) {
        if (!adoption->main_ended && has_ended(adoption)) {
            note_end(adoption);
        }
        if (adoption->main_ended) {
            look_at_rest(adoption);
        } else {
            keep_in_sight(adoption);
        }
        if (!adoption->is_over) {
            wait_for_more(adoption);
            ending_go_on(&adoption->ending);
        }
    }
}

static void record_end(const struct adoption *adoption)
{
    if (adoption->has_status && WIFEXITED(adoption->status)) {
        record_write("exited %d\n", WEXITSTATUS(adoption->status));
    } else if (adoption->has_status && WIFSIGNALED(adoption->status)) {
        record_write("signalled %d\n", WTERMSIG(adoption->status));
    } else {
        record_write(adoption->is_cut_off ? "lost\n" : "gone\n");
    }
}

/* A group that leads itself, or its session, tells its orphans as long as it lives. */
static pid_t led_by(const struct bl_proc *main)
{
    return main->group == main->pid || main->session == main->pid ? main->pid : 0;
}

int mode_adopt(const struct bl_spawn_spec *spec)
{
    struct adoption adoption = {.spec = *spec, .pause = REST_PAUSE_FIRST};
    struct victims *victims = &adoption.ending.victims;
    sigset_t read_ones;

    sigemptyset(&read_ones);
    sigaddset(&read_ones, SIGTERM);
    adoption.signals = signalfd(-1, &read_ones, SFD_CLOEXEC | SFD_NONBLOCK);
    if (adoption.signals < 0) { /* nobody could ask it to stop the job */
        record_write("failed %s %d\n", bl_spawn_stage_name(BL_SPAWN_SPEC), errno);
        return 1;
    }
    *victims = (struct victims){.spec = &adoption.spec, .by = BY_SIGHT};
    adoption.main_ended = !find_main(&adoption);
    if (!adoption.main_ended) {
        victims_know(victims, &adoption.main);
        victims->leader = led_by(&adoption.main);
        enter_group(&adoption);
        record_write("started %d %llu\n", (int)adoption.main.pid,
                     (unsigned long long)adoption.main.start_ticks);
    }
    see_through(&adoption);
    group_remove(&adoption.spec);
    record_end(&adoption);
    victims_finish(victims);
    close(adoption.signals);
    if (adoption.pidfd >= 0) {
        close(adoption.pidfd);
    }
    return 0;
}
