/* The parts of the supervisor. It is one small process a job attempt, which outlives the daemon:
 * starts the job's command as its user, waits, ends whatever of the job is left, and writes down
 * what happened (os/spawn_spec.h). It is a subreaper: an orphan of the job becomes its child, so it
 * has no child if and only if no process of the job is left. */
#ifndef BL_SUPERVISOR_SUPERVISOR_H
#define BL_SUPERVISOR_SUPERVISOR_H

#include "os/proc.h"
#include "os/spawn_spec.h"

/* Becomes the job: never returns. A failure goes to `report` as struct child_failure; execution
 * closes `report` without a byte. */
struct child_failure {
    int stage; /* enum bl_spawn_stage */
    int error_number;
};
void child_run(const struct bl_spawn_spec *spec, int report) __attribute__((noreturn));

/* Starts a process of the job in its group. The pid, 0 in the child, or -1. */
pid_t child_fork(const struct bl_spawn_spec *spec, int *failed);

/* How the processes of a job are told from others. */
enum victims_by {
    BY_DESCENT, /* descendants of this process, its supervisor */
    BY_TOKEN,   /* those that carry the token, and their descendants: the supervisor died */
    BY_SIGHT    /* the process that was adopted, and what was seen to descend from it */
};

struct victims {
    const struct bl_spawn_spec *spec;
    enum victims_by by;
    struct bl_spawn_status status; /* BY_TOKEN: names the job's first process */
    struct bl_proc_list found;     /* what the last look found alive, in order of pid */
    BL_VEC(int) members;           /* of the job's group, in order of pid */
    struct bl_proc_list known;     /* BY_SIGHT: what the last look found, or was told */
    pid_t leader; /* BY_SIGHT: members of the group or session that it leads count as well; 0 = it
                     leads none */
};

/* Looks for all that is alive of the job. */
void victims_look(struct victims *victims);
/* Whether it was in the group when one looked. */
bool victims_is_member(const struct victims *victims, pid_t pid);
/* BY_SIGHT: one to begin with. */
void victims_know(struct victims *victims, const struct bl_proc *proc);

/* SIGTERM, and SIGCONT so that stopped ones see it, to every process of the job. */
void victims_terminate(struct victims *victims);

/* One round of the end: stops them until none is left that could fork, then kills them all. The
 * number that was found alive; with a group, all of it was killed as well. */
size_t victims_kill(struct victims *victims);

void victims_finish(struct victims *victims);

/* How far the end of a job has come. */
enum phase { STARTING, RUNNING, TERMINATING, KILLING };

struct ending {
    struct victims victims;
    enum phase phase;
    bl_time next;  /* when the phase moves on */
    bl_time pause; /* between rounds of killing */
};

/* SIGTERM to all, once. */
void ending_begin(struct ending *ending);
/* SIGKILL, when the grace is over; again and again. */
void ending_go_on(struct ending *ending);
/* Milliseconds until something is due by itself, at most so long; -1 = nothing ever is. */
int ending_patience(const struct ending *ending, bl_time most);

/* Removes the job's group once it is empty. */
void group_remove(const struct bl_spawn_spec *spec);

/* Adds a record to the attempt file; does not return before it is written. */
void record_write(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Microseconds of a clock that never jumps. */
bl_time time_now(void);

/* Carries out one of the modes below; `path` is what is to be removed. The attempt file is in its
 * place. Answers the exit status. */
int mode_by_name(enum bl_spawn_mode mode, const char *path);

/* Serves orders from the socket in the place of the attempt file until it closes. */
int mode_nursery(char *const *argv);
int mode_run(const struct bl_spawn_spec *spec);
int mode_adopt(const struct bl_spawn_spec *spec);
int mode_sweep(const struct bl_spawn_spec *spec);
int mode_remove(const char *path);

#endif
