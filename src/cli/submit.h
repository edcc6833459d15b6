/* What the flags of `run` and `submit` ask for, and the requests made of it. */
#ifndef BL_CLI_SUBMIT_H
#define BL_CLI_SUBMIT_H

#include "base/buf.h"
#include "base/arena.h"
#include "base/error.h"
#include "form/json_out.h"
#include "form/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BL_SUBMIT_AFTER_MAX = 1024 };

/* What was asked; texts are as they were given and checked, NULL where they were not. */
struct bl_submit {
    const char *name, *project, *job_class;
    const char *limit;
    const char *gpus, *gpu_types, *gpu_mem;
    const char *cpus, *mem;
    const char *nodes;
    const char *log;
    const char *workdir;
    const char *array;    /* "0-9%2" */
    const char *priority; /* a number */
    const char *requeue;  /* "yes", "no" */
    const char *retries;
    const char *reservation; /* "r17" */
    const char *warning;     /* "B:USR1@90" */
    const char *not_before;  /* as the daemon reads it */
    bool hold;
    bool promise; /* of a latest start */
    char **after; /* owned: "7:ok" */
    size_t after_count;
    size_t after_capacity;
    const char *const *command; /* NULL-terminated; NULL where a file says it */
};

/* Adds "7", "7:any,8", "@". */
int bl_submit_add_after(struct bl_submit *submit, const char *text, struct bl_error *err);

/* Puts `id` where "@" stands. */
void bl_submit_resolve_last(struct bl_submit *submit, int64_t id);
bool bl_submit_names_last(const struct bl_submit *submit);

/* Refuses what JSON cannot carry (text that is not UTF-8 in the command, the directory, names) and
 * commands that were quoted as one word. */
int bl_submit_check(const struct bl_submit *submit, struct bl_error *err);

/* A name for a job that got none: the program's, or the script's behind an interpreter. */
void bl_submit_default_name(struct bl_buf *out, const char *const *command);

/* Puts what was asked into the tree of a job file, over what stands there. Texts are borrowed. */
void bl_submit_apply(struct bl_arena *arena, struct bl_tree *tree, const struct bl_submit *submit);

/* What a job gets from whoever submits it. */
struct bl_submit_surroundings {
    const char *const *environment; /* NULL-terminated, NAME=VALUE */
    unsigned umask;
};
struct bl_submit_surroundings bl_submit_surroundings_now(void);

/* Appends the body of POST /api/v1/jobs for one job: its tree, and the surroundings that it does
 * not say itself. Variables that are not UTF-8 are left out; answers how many. */
size_t bl_submit_write(struct bl_buf *out, const struct bl_tree *tree,
                       const struct bl_submit_surroundings *surroundings);

/* The same as the members of an open object. */
size_t bl_submit_put_members(struct bl_json *json, const struct bl_tree *tree,
                             const struct bl_submit_surroundings *surroundings);

void bl_submit_finish(struct bl_submit *submit);

#endif
