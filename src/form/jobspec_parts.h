/* The parts of a job file, each read by its own file; only for src/form/jobspec*.c. */
#ifndef BL_FORM_JOBSPEC_PARTS_H
#define BL_FORM_JOBSPEC_PARTS_H

#include "form/jobspec.h"
#include "form/tree_read.h"

struct bl_job_reader {
    struct bl_tree_reader in;
    enum bl_jobspec_use use;
    struct bl_jobspec *out;
};

/* Row of a table of keys: `read` is NULL for what the contract has and this version does not. */
struct bl_job_key {
    const char *name;
    int (*read)(const struct bl_job_reader *reader, const struct bl_tree *at);
};

/* Refuses unknown keys and those that are not supported yet, then reads the others in the order of
 * the table, which ends with a row without a name. */
int bl_job_read_keys(const struct bl_job_reader *reader, const struct bl_tree *map,
                     const struct bl_job_key *keys);

int bl_job_read_resources(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_scaling(const struct bl_job_reader *reader, const struct bl_tree *at);

int bl_job_read_array(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_not_before(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_priority(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_requeue(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_retries(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_hold(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_reservation(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_promise(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_checkpoint(const struct bl_job_reader *reader, const struct bl_tree *at);

int bl_job_read_params(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_labels(const struct bl_job_reader *reader, const struct bl_tree *at);

int bl_job_read_command(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_run(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_workdir(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_log(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_error(const struct bl_job_reader *reader, const struct bl_tree *at);
int bl_job_read_umask(const struct bl_job_reader *reader, const struct bl_tree *at);

/* Puts the words of the map's `arguments` behind the script that its `run` has become. */
int bl_job_read_arguments(const struct bl_job_reader *reader, const struct bl_tree *map);

/* The job's environment, from its map: `environment` (a list, the submitter's) as far as
 * `inherit_env` lets it in (yes, no or a list of names), with `env` (a map, the job's) over it. */
int bl_job_read_env(const struct bl_job_reader *reader, const struct bl_tree *map);

#endif
