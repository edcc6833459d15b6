/* What of a job its run time may follow from, as numbers: texts stand as hashes. */
#ifndef BL_CORE_PREDICT_TRAITS_H
#define BL_CORE_PREDICT_TRAITS_H

#include "core/job.h"

/* Hashes are 0 where the job has no such thing. */
struct bl_traits {
    int64_t user, project;
    int64_t name; /* without its numbers: "run-17" and "run-18" are one */
    int32_t gpus;
    int64_t cpu_milli, mem_bytes;
    bl_time limit; /* 0 = none */
    struct bl_clues clues;
};

/* What it runs: all words of its command. */
void bl_clues_set_command(struct bl_clues *clues, char *const *word, size_t count);

/* "NAME=VALUE": a number above 0 counts by its size, as long as there is room for it; any other
 * text by being the same or not. */
void bl_clues_add_param(struct bl_clues *clues, const char *text);

void bl_traits_of(const struct bl_job_spec *spec, struct bl_traits *out);

/* The hash of a user's name, as in the traits. */
int64_t bl_traits_text(const char *text);

/* Kinds of runs that may tell something of a job: each a set of traits that are the same. */
enum bl_kin {
    BL_KIN_USER_SIZE_LIMIT,
    BL_KIN_USER_SIZE,
    BL_KIN_USER_LIMIT,
    BL_KIN_USER,
    BL_KIN_SIZE_LIMIT,
    BL_KIN_LIMIT,
    BL_KIN_ALL,
    BL_KIN_USER_COMMAND_SIZE,
    BL_KIN_USER_COMMAND,
    BL_KIN_USER_NAME_SIZE,
    BL_KIN_USER_NAME,
    BL_KIN_USER_REQUEST, /* all amounts that it asks for */
    BL_KIN_PROJECT,
    BL_KIN_PROJECT_WORK, /* name and command, whoever runs it */
    BL_KIN_COUNT
};

/* The key of that kind; 0 where it tells no more than a wider one would. */
int64_t bl_traits_key(const struct bl_traits *traits, enum bl_kin kin);

#endif
