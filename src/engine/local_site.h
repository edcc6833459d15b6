/* What the local engine's jobs have in common: the machine's nodes, the users seen, the control
 * groups, and the name that tells this daemon's jobs from another's. */
#ifndef BL_ENGINE_LOCAL_SITE_H
#define BL_ENGINE_LOCAL_SITE_H

#include "engine/engine.h"
#include "engine/local_files.h"
#include "engine/local_nodes.h"
#include "engine/local_user.h"
#include "form/config.h"
#include "os/cgroup.h"

struct bl_local_site {
    char *state_dir;
    char *identity; /* of this state directory on this machine: part of tokens and group names */
    struct bl_local_nodes nodes;
    struct bl_local_users users;
    struct bl_cgroup_base groups;
    bool has_groups;
    struct bl_config_local rules;
    struct bl_arena scratch;
};

/* Prepares the state directory, finds the nodes and makes the base of the groups. What the machine
 * cannot do is said once in the log. A site that failed is to be finished too. */
int bl_local_site_open(struct bl_local_site *site, const struct bl_engine_config *config,
                       struct bl_error *err);
void bl_local_site_finish(struct bl_local_site *site);

/* Appends the spec of an attempt (os/spawn_spec.h). 0, or an errno with the stage it belongs to. */
int bl_local_site_write_spec(struct bl_local_site *site, const struct bl_engine_job *job,
                             const struct bl_local_paths *paths, struct bl_buf *out,
                             enum bl_start_stage *stage);

#endif
