/* The daemon's configuration file. Keys of the contract that this version does not act on yet are
 * refused by name; what is not given has the value of bl_config_default. */
#ifndef BL_FORM_CONFIG_H
#define BL_FORM_CONFIG_H

#include "core/job.h"
#include "core/policy.h"
#include "form/clusterspec.h"
#include "form/config_listen.h"
#include "form/predict_rules.h"

enum {
    BL_CONFIG_DECLARED_MAX = 4096, /* declared nodes */
    BL_CONFIG_REQUIRED_MAX = 32,
    BL_CONFIG_JOBS_MAX = 10000000
};

struct bl_config_scheduler {
    bl_time debounce; /* events that come within it share a round */
    bl_time period;   /* a round at least this often while jobs wait */
};

struct bl_config_local {
    bl_time grace;      /* between SIGTERM and SIGKILL, of jobs that do not say */
    double memory_soft; /* times the booked memory: slowed down above it */
    double memory_hard; /* times the booked memory: ended above it; never below memory_soft */
    int32_t oom_score_adj[BL_CLASS_COUNT];
    bool cgroup; /* use control groups where the machine has them */
};

/* Ended jobs leave memory when they are older than `keep`, or more than `jobs`, the oldest first.
 */
struct bl_config_retention {
    bl_time keep;
    int64_t jobs;
};

struct bl_config_reservations {
    bl_time release_after; /* of bookings that do not say; 0 = never */
};

struct bl_config_web {
    bool is_public; /* who has not signed in may look */
};

/* Texts and arrays are in the arena; NULL where not given. */
struct bl_config {
    const char *engine;
    struct bl_clusterspec declared;
    const char *cluster; /* path of a cluster file as written: relative to the configuration's */
    struct bl_config_listen listen;
    const char *state; /* absolute */
    const char *zone;  /* "Asia/Shanghai": a name; whether there is such a zone, its user finds */
    bool has_policy;
    struct bl_policy_choice policy; /* valid with has_policy */
    struct bl_config_scheduler scheduler;
    struct bl_config_local local;
    struct bl_config_retention retention;
    struct bl_config_reservations reservations;
    struct bl_predict_rules predict;
    bool without_arrivals; /* predict: forecasts draw nobody who may come later */
    struct bl_config_web web;
    const char *const *required; /* keys that a job must have, NULL-terminated; see below */
    size_t required_count;
};

struct bl_config bl_config_default(void);

int bl_config_read(const struct bl_tree_source *source, const struct bl_tree *tree,
                   struct bl_arena *arena, struct bl_config *out, struct bl_error *err);

/* Refuses a job (its map) that lacks one of the required keys. */
int bl_config_check_required(const struct bl_config *config, const struct bl_tree_source *source,
                             const struct bl_tree *job, struct bl_error *err);

#endif
