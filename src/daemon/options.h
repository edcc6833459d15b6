/* The daemon's command line, and the configuration file behind it. */
#ifndef BL_DAEMON_OPTIONS_H
#define BL_DAEMON_OPTIONS_H

#include "base/arena.h"
#include "core/policy.h"
#include "engine/engine.h"
#include "form/clusterspec.h"
#include "form/config.h"

#include <stdbool.h>

struct bl_options {
    const char *state_dir;          /* absolute, made when missing */
    const char *socket;             /* absolute */
    const char *http;               /* "ADDR:PORT"; NULL = none */
    bool http_is_standard;          /* nobody asked for it */
    struct bl_clusterspec declared; /* empty = find GPUs */
    struct bl_policy_choice policy;
    const struct bl_engine *engine;
    const char *supervisor; /* its program; NULL = where the engine looks */
    bool no_cgroup;
    bool foreground;
    bool checks_only;        /* nothing is made or started */
    const char *config_path; /* NULL = there is none */
    struct bl_config config; /* the standard values where there is none */
};

enum bl_options_outcome {
    BL_OPTIONS_GO,
    BL_OPTIONS_SAID, /* help or version: done */
    BL_OPTIONS_USAGE /* *err says what is wrong */
};

/* Strings and arrays are in the arena or of argv. */
enum bl_options_outcome bl_options_read(int argc, char **argv, struct bl_arena *arena,
                                        struct bl_options *out, struct bl_error *err);

/* Reads the configuration file and takes from it what is not set yet. */
int bl_options_read_config(struct bl_arena *arena, struct bl_options *out, struct bl_error *err);
int bl_options_read_cluster(const char *path, struct bl_arena *arena, struct bl_clusterspec *out,
                            struct bl_error *err);

/* Fills in the standard places and makes the directories. */
int bl_options_prepare(struct bl_options *options, struct bl_arena *arena, struct bl_error *err);

#endif
