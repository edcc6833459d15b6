/* What a process says of itself, as far as the kernel vouches for it. */
#ifndef BL_OS_PROC_ABOUT_H
#define BL_OS_PROC_ABOUT_H

#include "base/arena.h"
#include "os/proc.h"

enum {
    BL_PROC_ARGS_MAX = 4096, /* of a command line; what is longer is cut */
    BL_PROC_ARG_BYTES_MAX = 128 * 1024,
    BL_PROC_COMMAND_BYTES_MAX = 256 * 1024 /* of all its words */
};

struct bl_proc_about {
    struct bl_proc proc;
    bool is_kernels; /* a thread of the kernel */
    uid_t uid;
    bool is_of_one; /* real, effective and saved user are the same */
    gid_t gid;
    const char *name; /* as the kernel calls it: at most 15 bytes of the program's name */
    char **argv;      /* NULL-terminated; its name alone where it has no command line */
    size_t argc;
    const char *workdir; /* NULL: it cannot be told */
    const char *output;  /* the regular file that its standard output goes to; NULL = none */
    const char *devices; /* CUDA_VISIBLE_DEVICES as it was executed with; NULL = not set */
    const char *token;   /* BALEEN_JOB_TOKEN, likewise */
};

/* Texts lie in the arena. False when there is no such process, or it ended meanwhile. */
bool bl_proc_describe(pid_t pid, struct bl_arena *arena, struct bl_proc_about *out);

/* Whether its real, effective and saved user are all this one; so it is when it has ended. */
bool bl_proc_is_users(pid_t pid, uid_t uid);

/* Which run of the machine this is: with it a pid and its start name one process for ever. "" where
 * the kernel does not tell. In the arena. */
const char *bl_proc_boot(struct bl_arena *arena);

/* How a process that is not a child of this one ended, asked after its end by a descriptor that was
 * open before (or -1): its exit status as wait gives it. False where nobody can learn that any
 * more. */
bool bl_proc_end_of(const struct bl_proc *proc, int pidfd, int *status);

#endif
