/* The parts of the reader of job scripts; only for src/form/script*.c. */
#ifndef BL_FORM_SCRIPT_PARTS_H
#define BL_FORM_SCRIPT_PARTS_H

#include "base/vec.h"
#include "form/script.h"

/* A number or a text that a flag gave, and where. */
struct bl_script_value {
    const char *text; /* NULL = not given */
    int64_t number;
    uint32_t line;
};

/* What sbatch's flags say about resources: it becomes amounts once all of them are known. */
struct bl_script_slurm {
    struct bl_script_value tasks, tasks_per_node;
    struct bl_script_value cpus_per_task, cpus_per_gpu;
    struct bl_script_value gpus, gpus_per_node, gpus_per_task;
    struct bl_script_value mem, mem_per_cpu, mem_per_gpu;
    bool is_used; /* there was a flag of sbatch's */
};

struct bl_script_reader {
    const struct bl_script_request *request;
    const char *name; /* of the script, for messages */
    struct bl_arena *arena;
    struct bl_error *err;
    const char *place; /* what is read now: the script's name or "command line" */
    uint32_t line;     /* in it; 0 where it has none */
    const char *flag;  /* "--time" */
    const struct bl_script_flag *row;
    /* The job file in the making; the maps and lists inside are put into `job` at the end. */
    struct bl_tree *job, *resources, *gpu, *env, *params, *labels, *after;
    struct bl_script_slurm slurm;
    const char *wrap; /* NULL = none */
    BL_VEC(const char *) warnings;
    bool parsable, test_only, wait;
};

enum bl_script_takes {
    BL_SCRIPT_TAKES_NOTHING,
    BL_SCRIPT_TAKES_VALUE,
    BL_SCRIPT_TAKES_VALUE_MAYBE /* only as --flag=VALUE */
};

/* Row of a table of flags, which ends with a row without a name. */
struct bl_script_flag {
    const char *name;
    char letter; /* 0 = none */
    enum bl_script_takes takes;
    /* `value` is NULL where none was given. */
    int (*read)(struct bl_script_reader *reader, const char *value);
    const char *detail; /* for rows that share a reader: a key of the job file, a hint */
};

struct bl_script_flags {
    const struct bl_script_flag *flag;
    bool refuses_unknown; /* else it warns about them */
};

/* A message "PLACE:LINE: FLAG: …", with the flag as the error's field. */
int bl_script_fail(struct bl_script_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Puts the place before what a parser left in `cause`. */
int bl_script_fail_cause(struct bl_script_reader *reader, const struct bl_error *cause);
/* Adds a warning "PLACE:LINE: …". */
void bl_script_warn(struct bl_script_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the words of one line, or of the command line; NULL-terminated. */
int bl_script_flags_read(struct bl_script_reader *reader, const struct bl_script_flags *flags,
                         const char *const *words);

extern const struct bl_script_flags bl_script_sbatch_flags;
extern const struct bl_script_flags bl_script_baleen_flags;

/* A copy in the arena, printed. */
const char *bl_script_print(struct bl_script_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets a key of the job file, or of its resources; NULL takes it back. */
void bl_script_set(struct bl_script_reader *reader, const char *key, const char *value);
void bl_script_set_resource(struct bl_script_reader *reader, const char *key, const char *value);
/* The same unless it is set already. */
void bl_script_offer_resource(struct bl_script_reader *reader, const char *key, const char *value);
/* Sets a variable that sbatch would set for the job. */
void bl_script_tell(struct bl_script_reader *reader, const char *name, const char *value);
/* "NAME=VALUE" into a map. */
int bl_script_set_pair(struct bl_script_reader *reader, struct bl_tree *map, const char *pair);
/* Allowed types of GPUs: "A100,H100", in the daemon's spelling where it knows them. */
int bl_script_set_gpu_types(struct bl_script_reader *reader, const char *types);

/* A pattern for the path of a log, under the key that the row's detail names. */
int bl_script_set_pattern(struct bl_script_reader *reader, const char *pattern);

/* Readers that both tables of flags use; the first two by `detail`: KEY, and KEY=VALUE. */
int bl_script_read_key(struct bl_script_reader *reader, const char *value);
int bl_script_read_fixed(struct bl_script_reader *reader, const char *value);
int bl_script_read_chdir(struct bl_script_reader *reader, const char *value);
int bl_script_read_array(struct bl_script_reader *reader, const char *value);
int bl_script_read_parsable(struct bl_script_reader *reader, const char *value);
int bl_script_read_test_only(struct bl_script_reader *reader, const char *value);
int bl_script_read_wait(struct bl_script_reader *reader, const char *value);

/* Readers of sbatch's flags for resources, and of its small languages. */
int bl_slurm_read_nodes(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_ntasks(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_ntasks_per_node(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_cpus_per_task(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_cpus_per_gpu(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_gpus(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_gpus_per_node(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_gpus_per_task(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_gres(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_mem(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_mem_per_cpu(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_mem_per_gpu(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_dependency(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_begin(struct bl_script_reader *reader, const char *value);
int bl_slurm_read_export(struct bl_script_reader *reader, const char *value);

/* Turns what sbatch's flags said about resources into those of the job file. */
int bl_script_finish_slurm(struct bl_script_reader *reader);

#endif
