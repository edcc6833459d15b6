/* Job scripts: a text that begins with "#!" and carries flags in `#SBATCH` and `#BALEEN` lines
 * before its first command. The flags keep the meaning that they have for sbatch and for `baleen
 * run`, or a warning says which one is not acted on; one that would change what the job does is
 * refused. The text itself is kept byte for byte, but for the CRs of a script whose lines end in CR
 * LF. */
#ifndef BL_FORM_SCRIPT_H
#define BL_FORM_SCRIPT_H

#include "form/jobspec.h"

enum { BL_SCRIPT_WARNINGS_MAX = 100 /* further ones are dropped */ };

/* How the words of a command line are read. */
enum bl_script_dialect { BL_SCRIPT_BALEEN, BL_SCRIPT_SBATCH };

struct bl_script_request {
    const char *name;  /* as given, for messages; its last part names the job; NULL = from a pipe */
    const char *bytes; /* of the script; NULL where --wrap among the words takes its place */
    size_t length;
    const char *directory;          /* absolute, where it is submitted */
    const char *const *arguments;   /* of the script, NULL-terminated; may be NULL */
    const char *const *words;       /* flags that go over those in the script; likewise */
    enum bl_script_dialect dialect; /* of the words */
    /* What the daemon has, NULL-terminated; NULL where it was not asked. A type is found whatever
     * its case; a partition that is no pool is warned about and left out. */
    const char *const *gpu_types;
    const char *const *pools;
};

/* All memory is in the arena, but for the request's own texts. */
struct bl_script {
    struct bl_tree *tree; /* the same job as a job file: for requests (tree_out.h) and --export */
    struct bl_jobspec job;
    const char **warning; /* sentences: "train.sh:4: --mail-type is not acted on …" */
    size_t warning_count;
    bool parsable; /* --parsable, --test-only, --wait: for who submits it */
    bool test_only;
    bool wait;
};

int bl_script_read(const struct bl_script_request *request, struct bl_arena *arena,
                   struct bl_script *out, struct bl_error *err);

#endif
