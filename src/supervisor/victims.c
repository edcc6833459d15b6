#include "supervisor/supervisor.h"

#include "base/sort.h"
#include "os/cgroup.h"

#include <signal.h>
#include <unistd.h>

enum {
    FREEZE_ROUNDS_MAX = 100,
    DEPTH_MAX = 1 << 16 /* of the process tree: ends the walk up should /proc show a circle */
};

/* ---- who belongs to the job ---- */

static int compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left;
    int b = *(const int *)right;

    return (a > b) - (a < b);
}

static void add_member(void *self, int pid)
{
    struct victims *victims = self;

    BL_VEC_PUSH(&victims->members, pid);
}

static void find_members(struct victims *victims)
{
    victims->members.count = 0;
    if (victims->spec->cgroup) {
        bl_cgroup_each(victims->spec->cgroup, add_member, victims);
    }
    if (victims->members.count) {
        bl_sort(victims->members.at, victims->members.count, sizeof(int), compare_ints);
    }
}

bool victims_is_member(const struct victims *victims, pid_t pid)
{
    return victims->members.count && bsearch(&pid, victims->members.at, victims->members.count,
                                             sizeof(int), compare_ints) != NULL;
}

static bool is_known(const struct victims *victims, const struct bl_proc *proc)
{
    const struct bl_proc *known = bl_proc_find(&victims->known, proc->pid);

    return (known && known->start_ticks == proc->start_ticks) ||
           (victims->leader &&
            (proc->group == victims->leader || proc->session == victims->leader));
}

/* Rules that look at one process alone. */
static bool is_root(const struct victims *victims, const struct bl_proc *proc)
{
    const struct bl_spawn_status *status = &victims->status;

    if (victims_is_member(victims, proc->pid)) {
        return true;
    }
    if (victims->by == BY_DESCENT) {
        return proc->parent == getpid();
    }
    if (victims->by == BY_SIGHT) {
        return is_known(victims, proc);
    }
    return (proc->pid == status->pid && proc->start_ticks == status->pid_start) ||
           bl_proc_has_environment(proc->pid, victims->spec->token);
}

enum verdict { UNKNOWN, VICTIM, BYSTANDER };

struct verdicts {
    const struct bl_proc_list *all;
    char *of; /* enum verdict by index into the list */
};

static size_t index_of(const struct verdicts *verdicts, const struct bl_proc *proc)
{
    return (size_t)(proc - verdicts->all->all.at);
}

/* Walks up until an answer is known, then writes it to all that were met on the way. */
static void judge(const struct victims *victims, struct verdicts *verdicts, size_t from)
{
    const struct bl_proc *at = &verdicts->all->all.at[from];
    enum verdict verdict = BYSTANDER;
    size_t steps = 0;

    while (at && at->pid != getpid() && steps < DEPTH_MAX) {
        if (verdicts->of[index_of(verdicts, at)] != UNKNOWN) {
            verdict = (enum verdict)verdicts->of[index_of(verdicts, at)];
            break;
        }
        steps++;
        if (is_root(victims, at)) {
            verdict = VICTIM;
            break;
        }
        at = bl_proc_find(verdicts->all, at->parent);
    }
    at = &verdicts->all->all.at[from];
    for (size_t i = 0; i < steps; i++) {
        verdicts->of[index_of(verdicts, at)] = (char)verdict;
        at = bl_proc_find(verdicts->all, at->parent);
    }
}

/* Zombies are left out: they hold nothing and wait for their parent only. */
static bool is_alive(const struct bl_proc *proc)
{
    return proc->state != 'Z' && proc->state != 'X';
}

/* Members of the group that are no descendants: somebody put them there. */
static void add_strangers(struct victims *victims)
{
    struct bl_proc_list *found = &victims->found;
    size_t descendants = found->all.count;

    for (size_t i = 0; i < victims->members.count; i++) {
        struct bl_proc_list sorted = {.all = {.at = found->all.at, .count = descendants}};
        struct bl_proc proc;

        if (!bl_proc_find(&sorted, victims->members.at[i]) &&
            bl_proc_read(victims->members.at[i], &proc)) {
            BL_VEC_PUSH(&found->all, proc);
        }
    }
    bl_proc_sort(found);
}

/* Where the kernel tells children, a supervisor need not look at the rest of the machine. */
static bool look_below(struct victims *victims)
{
    struct bl_proc_list *found = &victims->found;
    size_t kept = 0;

    if (victims->by != BY_DESCENT || !bl_proc_scan_below(getpid(), found)) {
        return false;
    }
    add_strangers(victims);
    for (size_t i = 0; i < found->all.count; i++) {
        if (is_alive(&found->all.at[i])) {
            found->all.at[kept++] = found->all.at[i];
        }
    }
    found->all.count = kept;
    return true;
}

static void look_at_all(struct victims *victims)
{
    struct bl_proc_list all = {0};
    struct verdicts verdicts = {.all = &all};

    victims->found.all.count = 0;
    bl_proc_scan(&all);
    verdicts.of = bl_alloc_zero(all.all.count);
    for (size_t i = 0; i < all.all.count; i++) {
        judge(victims, &verdicts, i);
        if (verdicts.of[i] == VICTIM && is_alive(&all.all.at[i])) {
            BL_VEC_PUSH(&victims->found.all, all.all.at[i]);
        }
    }
    free(verdicts.of);
    bl_proc_list_finish(&all);
}

/* What descends from one that will have ended is found by what is known of it now. */
static void remember(struct victims *victims)
{
    victims->known.all.count = 0;
    for (size_t i = 0; i < victims->found.all.count; i++) {
        BL_VEC_PUSH(&victims->known.all, victims->found.all.at[i]);
    }
}

void victims_look(struct victims *victims)
{
    find_members(victims);
    if (!look_below(victims)) {
        look_at_all(victims);
    }
    if (victims->by == BY_SIGHT) {
        remember(victims);
    }
}

void victims_know(struct victims *victims, const struct bl_proc *proc)
{
    BL_VEC_PUSH(&victims->known.all, *proc);
    bl_proc_sort(&victims->known);
}

/* ---- what is done to them ---- */

/* How many took the signal. */
static size_t signal_all(const struct victims *victims, int number)
{
    size_t taken = 0;

    for (size_t i = 0; i < victims->found.all.count; i++) {
        const struct bl_proc *proc = &victims->found.all.at[i];

        taken += bl_proc_signal(proc->pid, proc->start_ticks, number);
    }
    return taken;
}

static bool any_can_fork(const struct victims *victims)
{
    for (size_t i = 0; i < victims->found.all.count; i++) {
        char state = victims->found.all.at[i].state;

        if (state == 'R' || state == 'S') {
            return true;
        }
    }
    return false;
}

/* Holds them all, so that none can fork while the others are found. */
static void hold_all(struct victims *victims)
{
    victims_look(victims);
    for (int round = 0; any_can_fork(victims) && round < FREEZE_ROUNDS_MAX; round++) {
        if (!signal_all(victims, SIGSTOP)) {
            break; /* none that is ours to signal */
        }
        victims_look(victims);
    }
}

/* Each is told once: for many programs a second SIGTERM means "at once". What they start after it
 * is how they clean up, and has the grace to do so. */
void victims_terminate(struct victims *victims)
{
    hold_all(victims);
    signal_all(victims, SIGTERM);
    signal_all(victims, SIGCONT);
}

size_t victims_kill(struct victims *victims)
{
    if (victims->spec->cgroup) {
        bl_cgroup_kill(victims->spec->cgroup);
    }
    hold_all(victims);
    signal_all(victims, SIGKILL);
    return victims->found.all.count;
}

void victims_finish(struct victims *victims)
{
    bl_proc_list_finish(&victims->found);
    bl_proc_list_finish(&victims->known);
    BL_VEC_FINISH(&victims->members);
}
